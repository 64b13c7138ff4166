#include "step_matrix.hpp"

#include <algorithm>
#include <utility>

namespace rodeo::implicit {

namespace {

/// The block of a pair as held nodes leave it, P A P.
void hold_pair(const MovingRods& rods, const coupling::PairNodes& nodes, contact::PairMatrix& block) {
  Matrix3 freedom[contact::pair_nodes];
  for (std::size_t k = 0; k < contact::pair_nodes; ++k) freedom[k] = rods.freedom(nodes[k]);
  for (std::size_t a = 0; a < contact::pair_nodes; ++a) {
    for (std::size_t b = 0; b < contact::pair_nodes; ++b) {
      const auto row = [&](std::size_t i) {
        const double* const entry = &block[3 * a + i][3 * b];
        return Vec3{entry[0], entry[1], entry[2]};
      };
      const Matrix3 held = freedom[a] * Matrix3{row(0), row(1), row(2)} * freedom[b];
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
          block[3 * a + static_cast<std::size_t>(i)][3 * b + static_cast<std::size_t>(j)] = held(i, j);
      }
    }
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
  if (rods.pressing().may_act())
    coupled_.emplace(layout, std::move(starts), static_cast<int>(rods.unknowns()));
}

void StepMatrix::forget() {
  if (coupled_) coupled_->forget();
}

bool StepMatrix::solve(const MovingRods& rods, double share_of_pressing, std::vector<double>& pull) {
  is_coupled_ = rods.pressing().may_act() && rods.pressing().acts();
  if (is_coupled_) {
    if (!factor_coupled(rods, share_of_pressing)) return false;
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

bool StepMatrix::factor_coupled(const MovingRods& rods, double share_of_pressing) {
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
  return coupled_->factor(rods.pressing().is_symmetric());
}

}  // namespace rodeo::implicit
