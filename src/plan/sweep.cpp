#include "rodeo/plan/sweep.hpp"

#include <cmath>
#include <numeric>
#include <string>

#include "samplers.hpp"

namespace rodeo {

namespace {

/// More candidates than this is taken for a mistake in the deck.
constexpr std::uint64_t most_candidates = 100'000'000;

/// A sampler's coordinate u in [0, 1) along an axis; whole numbers are hit with equal probability.
double place(const SweepAxis& axis, double u) {
  if (key_info(axis.address.key).type == ValueType::integer) {
    return axis.lower + std::floor(u * (axis.upper - axis.lower + 1.0));
  }
  if (axis.logarithmic) return axis.lower * std::pow(axis.upper / axis.lower, u);
  return axis.lower + u * (axis.upper - axis.lower);
}

}  // namespace

std::unique_ptr<Sweep> Sweep::single() { return std::make_unique<Sweep>(); }

std::unique_ptr<Sweep> Sweep::of_points(std::span<const ParameterAddress> addresses,
                                        const std::vector<std::vector<double>>& points) {
  auto sweep = std::make_unique<Sweep>();
  sweep->addresses_.assign(addresses.begin(), addresses.end());
  sweep->count_ = points.size();
  for (const std::vector<double>& point : points) {
    sweep->samples_.insert(sweep->samples_.end(), point.begin(), point.end());
  }
  return sweep;
}

std::unique_ptr<Sweep> Sweep::from_deck(const Deck& deck) {
  const std::vector<SweepAxis> axes = deck.sweep_axes();
  auto sweep = std::make_unique<Sweep>();
  for (const SweepAxis& axis : axes) sweep->addresses_.push_back(axis.address);

  if (deck.choice("sweep.sampler"_key) == "grid") {
    for (const SweepAxis& axis : axes) {
      sweep->axes_.push_back(axis.values);
      sweep->count_ *= axis.values.size();
      if (sweep->count_ > most_candidates) {
        throw deck.error("sweep.axis"_key,
                         "the grid has more than " + std::to_string(most_candidates) + " candidates");
      }
    }
    return sweep;
  }
  if (!deck.has_value("sweep.samples"_key)) {
    throw deck.error("sweep.samples"_key, "sweep.samples is missing (" +
                                              allowed_values(key_info("sweep.samples"_key)) +
                                              "): how many points the sampler draws");
  }
  sweep->count_ = static_cast<std::uint64_t>(deck.integer("sweep.samples"_key));
  const bool hypercube = deck.choice("sweep.sampler"_key) == "latin_hypercube";
  sweep->samples_ = (hypercube ? latin_hypercube : sobol)(sweep->count_, axes.size(), deck.seed());
  for (std::size_t i = 0; i < sweep->samples_.size(); ++i) {
    sweep->samples_[i] = place(axes[i % axes.size()], sweep->samples_[i]);
  }
  return sweep;
}

std::vector<double> Sweep::point(std::uint64_t candidate) const {
  const std::size_t dimension = addresses_.size();
  if (!samples_.empty()) {
    const auto first = samples_.begin() + static_cast<std::ptrdiff_t>(candidate * dimension);
    return {first, first + static_cast<std::ptrdiff_t>(dimension)};
  }
  std::vector<double> values(dimension);
  for (std::size_t axis = dimension; axis-- > 0;) {
    values[axis] = axes_[axis][candidate % axes_[axis].size()];
    candidate /= axes_[axis].size();
  }
  return values;
}

std::vector<std::uint64_t> Sweep::ask() {
  if (asked_) return {};
  asked_ = true;
  std::vector<std::uint64_t> all(count_);
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

}  // namespace rodeo
