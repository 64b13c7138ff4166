#include "step_matrix.hpp"

#include <algorithm>
#include <utility>

namespace rodeo::implicit {

namespace {

/// A 3 x 3 block of a matrix as held unknowns leave it, P A Q.
template <std::size_t size>
void hold_block(const Matrix3& p, const Matrix3& q, std::size_t row, std::size_t column,
                double (&matrix)[size][size]) {
  const auto entries = [&](std::size_t i) {
    const double* const entry = &matrix[row + i][column];
    return Vec3{entry[0], entry[1], entry[2]};
  };
  const Matrix3 held = p * Matrix3{entries(0), entries(1), entries(2)} * q;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      matrix[row + static_cast<std::size_t>(i)][column + static_cast<std::size_t>(j)] = held(i, j);
  }
}

void hold_pair(const MovingRods& rods, const coupling::PairNodes& nodes, contact::PairMatrix& block) {
  Matrix3 freedom[contact::pair_nodes];
  for (std::size_t k = 0; k < contact::pair_nodes; ++k) freedom[k] = rods.freedom(nodes[k]);
  for (std::size_t a = 0; a < contact::pair_nodes; ++a) {
    for (std::size_t b = 0; b < contact::pair_nodes; ++b)
      hold_block(freedom[a], freedom[b], 3 * a, 3 * b, block);
  }
}

void hold_link(const MovingRods& rods, const coupling::SpanPair& spans, coupling::SpanMatrix& block) {
  struct Triple {
    std::size_t place;
    Matrix3 freedom;
  };
  std::vector<Triple> triples;
  for (std::size_t side = 0; side < 2; ++side) {
    for (int k = 0; k < spans[side].size; k += 3) {
      triples.push_back(
          {coupling::span_size * side + static_cast<std::size_t>(k), rods.freedom(spans[side].first + k)});
    }
  }
  for (const Triple& a : triples) {
    for (const Triple& b : triples) hold_block(a.freedom, b.freedom, a.place, b.place, block);
  }
}

}  // namespace

StepMatrix::StepMatrix(const MovingRods& rods) {
  std::vector<int> starts;
  for (const MovingRod& r : rods.rods()) {
    matrices_.emplace_back(r.unknowns());
    factors_.emplace_back(r.unknowns());
    starts.push_back(static_cast<int>(r.first));
  }
  if (!rods.links() && !rods.pressing().may_act()) return;
  coupled_.emplace(layout, std::move(starts), static_cast<int>(rods.unknowns()),
                   rods.links() ? rods.links()->spans() : std::vector<coupling::SpanPair>{});
}

void StepMatrix::forget() {
  if (coupled_) coupled_->forget();
}

bool StepMatrix::solve(const MovingRods& rods, double rate, double share_of_pressing,
                       std::vector<double>& pull) {
  is_coupled_ = rods.links() || rods.pressing().acts();
  if (is_coupled_) {
    if (!factor_coupled(rods, rate, share_of_pressing)) return false;
    coupled_->solve(pull);
  } else {
    for (std::size_t k = 0; k < matrices_.size(); ++k) {
      double* const own = rods.rods()[k].of(pull);
      rods.rods()[k].held.hold(matrices_[k]);
      factors_[k].factor_and_forward(matrices_[k], own);
      factors_[k].back(own);
    }
  }
  rods.hold(pull);
  return true;
}

void StepMatrix::solve_again(const MovingRods& rods, std::vector<double>& pull) const {
  if (is_coupled_) {
    coupled_->solve(pull);
  } else {
    for (std::size_t k = 0; k < factors_.size(); ++k) factors_[k].solve(rods.rods()[k].of(pull));
  }
  rods.hold(pull);
}

bool StepMatrix::factor_coupled(const MovingRods& rods, double rate, double share_of_pressing) {
  const auto hold = [&](const coupling::PairNodes& nodes, contact::PairMatrix& block) {
    hold_pair(rods, nodes, block);
  };
  rods.pressing().set_matrix(share_of_pressing, hold, *coupled_);
  BandedMatrix& band = coupled_->band();
  for (std::size_t k = 0; k < matrices_.size(); ++k) {
    tangent::RodMatrix& matrix = matrices_[k];
    const MovingRod& r = rods.rods()[k];
    const int first = static_cast<int>(r.first);
    for (int j = 0; j < matrix.size(); ++j) {
      const double* const column = matrix.column(j);
      const int last = std::min(tangent::half_bandwidth, matrix.size() - 1 - j);
      band.at(first + j, first + j) += column[0];
      for (int i = 1; i <= last; ++i) {
        band.at(first + j + i, first + j) += column[i];
        band.at(first + j, first + j + i) += column[i];
      }
    }
    r.held.hold(band, first, matrix.size());
  }
  if (rods.links()) {
    rods.links()->for_each_matrix(rate, [&](std::size_t link, coupling::SpanMatrix& block) {
      hold_link(rods, rods.links()->spans()[link], block);
      coupled_->add(link, block);
    });
  }
  return coupled_->factor(rods.pressing().is_symmetric());
}

}  // namespace rodeo::implicit
