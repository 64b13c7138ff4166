#include <cstdlib>

#include "rodeo/tangent/held_unknowns.hpp"

namespace rodeo::tangent {

namespace {

/// Places of a rod's unknowns in a matrix, and the width of its band.
struct OwnPlaces {
  static constexpr int bandwidth = half_bandwidth;
  static constexpr int of(int unknown) { return unknown; }
};
struct MixedPlaces {
  static constexpr int bandwidth = mixed_bandwidth;
  static constexpr int of(int unknown) { return mixed_place(unknown); }
};

}  // namespace

template <class Number>
void HeldUnknowns::hold(Number* vector) const {
  for (const int unknown : held_) vector[unknown] = Number(0.0);
  for (const SlidingNode& node : sliding_) {
    Number* const v = vector + node.unknown;
    const Number along =
        v[0] * Number(node.axis[0]) + v[1] * Number(node.axis[1]) + v[2] * Number(node.axis[2]);
    for (std::size_t k = 0; k < 3; ++k) v[k] = along * Number(node.axis[k]);
  }
}

template <class Number>
void HeldUnknowns::hold(SymmetricBand<Number, half_bandwidth>& matrix) const {
  for (const int unknown : held_) matrix.hold(unknown);
  hold_sliding<OwnPlaces>(matrix, {});
}

void HeldUnknowns::hold(MixedMatrix& matrix, double across) const {
  for (const int unknown : held_) matrix.hold(unknown);
  hold_sliding<MixedPlaces>(matrix.band(), across);
}

template <class Places, class Number>
void HeldUnknowns::hold_sliding(SymmetricBand<Number, Places::bandwidth>& matrix,
                                std::optional<double> across) const {
  const auto entry = [&](int i, int j) -> Number& { return matrix.at(std::max(i, j), std::min(i, j)); };
  for (const SlidingNode& node : sliding_) {
    project<Number, Places>(node, matrix.size(), entry);
    const Number along = along_in_block<Number, Places>(node, entry);
    const int first = Places::of(node.unknown);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k <= i; ++k) entry(first + i, first + k) = block(node, along, across, i, k);
    }
  }
}

void HeldUnknowns::hold(BandedMatrix& matrix) const {
  const int size = matrix.size();
  const auto entry = [&](int i, int j) -> double& { return matrix.at(i, j); };
  for (const int held : held_) {
    for (int i = std::max(0, held - half_bandwidth); i <= std::min(size - 1, held + half_bandwidth); ++i)
      entry(held, i) = entry(i, held) = i == held ? 1.0 : 0.0;
  }
  for (const SlidingNode& node : sliding_) {
    project<double, OwnPlaces>(node, size, entry);
    project<double, OwnPlaces>(node, size, [&](int i, int j) -> double& { return entry(j, i); });
    const double along = along_in_block<double, OwnPlaces>(node, entry);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) entry(node.unknown + i, node.unknown + k) = block(node, along, {}, i, k);
    }
  }
}

/// Projects the columns of a sliding node on its axis, but for its own block.
template <class Number, class Places, class Entry>
void HeldUnknowns::project(const SlidingNode& node, int size, const Entry& entry) {
  const int first = Places::of(node.unknown);
  const int last = first + 2;
  const auto in_band = [](int i, int j) { return std::abs(i - j) <= Places::bandwidth; };
  const auto axis = [&](int k) { return Number(node.axis[static_cast<std::size_t>(k)]); };
  for (int i = std::max(0, first - Places::bandwidth); i <= std::min(size - 1, last + Places::bandwidth);
       ++i) {
    if (i >= first && i <= last) continue;
    Number along(0.0);
    for (int k = 0; k < 3; ++k) {
      if (in_band(i, first + k)) along += axis(k) * entry(i, first + k);
    }
    for (int k = 0; k < 3; ++k) {
      if (in_band(i, first + k)) entry(i, first + k) = axis(k) * along;
    }
  }
}

template <class Number, class Places, class Entry>
Number HeldUnknowns::along_in_block(const SlidingNode& node, const Entry& entry) {
  const int first = Places::of(node.unknown);
  Number along(0.0);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double product = node.axis[static_cast<std::size_t>(i)] * node.axis[static_cast<std::size_t>(k)];
      along += Number(product) * entry(first + i, first + k);
    }
  }
  return along;
}

template <class Number>
Number HeldUnknowns::block(const SlidingNode& node, const Number& along, std::optional<double> across, int i,
                           int k) {
  const Number other = across ? Number(*across) : magnitude(along);
  const double product = node.axis[static_cast<std::size_t>(i)] * node.axis[static_cast<std::size_t>(k)];
  return (i == k ? other : Number(0.0)) + (along - other) * Number(product);
}

template void HeldUnknowns::hold(double*) const;
template void HeldUnknowns::hold(DoublePack*) const;
template void HeldUnknowns::hold(SymmetricBand<double, half_bandwidth>&) const;
template void HeldUnknowns::hold(SymmetricBand<DoublePack, half_bandwidth>&) const;

}  // namespace rodeo::tangent
