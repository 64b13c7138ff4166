#include "step_matrix.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "rodeo/coupling/blocks.hpp"

namespace rodeo::implicit {

namespace {

/// A 3 x 3 block of a matrix as held unknowns leave it, P A Q.
template <class Matrix, class Index>
void hold_block(const Matrix3& p, const Matrix3& q, Index row, Index column, Matrix& matrix) {
  const auto entries = [&](Index i) {
    const double* const entry = &matrix[row + i][column];
    return Vec3{entry[0], entry[1], entry[2]};
  };
  const Matrix3 held = p * Matrix3{entries(0), entries(1), entries(2)} * q;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      matrix[row + static_cast<Index>(i)][column + static_cast<Index>(j)] = held(i, j);
  }
}

void hold_pair(const MovingRods& rods, const coupling::PairNodes& nodes, contact::PairMatrix& block) {
  const coupling::PairPlaces places{nodes, block.turns()};
  Matrix3 freedom[coupling::PairPlaces::most];
  for (int k = 0; k < places.count(); ++k) freedom[k] = rods.freedom(places.first(k));
  for (int a = 0; a < places.count(); ++a) {
    for (int b = 0; b < places.count(); ++b)
      hold_block(freedom[a], freedom[b], places.row(a), places.row(b), block);
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
  const bool share_nodes = std::ranges::any_of(rods.ties().followers(),
                                               [](const coupling::Ties::Follower& f) { return !f.is_ghost; });
  const bool act_on_each_other = rods.links() || rods.pressing().may_act();
  if (share_nodes || (act_on_each_other && !rods.ties().followers().empty())) {
    tied_.emplace(rods.ties(), rods.inertia());
    return;
  }
  if (!act_on_each_other) return;
  coupled_.emplace(layout, std::move(starts), static_cast<int>(rods.unknowns()),
                   rods.links() ? rods.links()->spans() : std::vector<coupling::SpanPair>{}, false,
                   rods.pressing().contacts() ? rods.pressing().contacts()->turns() : 0);
}

void StepMatrix::forget() {
  if (coupled_) coupled_->forget();
  if (tied_) tied_->forget();
}

bool StepMatrix::solve(MovingRods& rods, const std::vector<tangent::RodStress>& stress, double rate,
                       double share_of_pressing, std::vector<double>& pull) {
  is_coupled_ = !tied_ && (rods.links() || rods.pressing().acts());
  if (!tied_ && !is_coupled_) {
    solve_alone(rods, stress, pull);
    return true;
  }
  if (tied_ ? !factor_tied(rods, stress, rate, share_of_pressing)
            : !factor_coupled(rods, rate, share_of_pressing))
    return false;
  solve_again(rods, pull);
  return true;
}

void StepMatrix::solve_again(const MovingRods& rods, std::vector<double>& pull) const {
  if (tied_) {
    tied_->solve(pull);
  } else if (is_coupled_) {
    coupled_->solve(pull);
  } else {
    for (std::size_t k = 0; k < factors_.size(); ++k) {
      const MovingRod& r = rods.rods()[k];
      if (r.seam) {
        r.seam->solve(factors_[k], r.part(pull));
      } else {
        factors_[k].solve(r.of(pull));
      }
    }
  }
  rods.hold(pull);
}

void StepMatrix::solve_alone(MovingRods& rods, const std::vector<tangent::RodStress>& stress,
                             std::vector<double>& pull) {
  constexpr std::array<double, tangent::Seam::size> nothing = {};
  for (std::size_t k = 0; k < matrices_.size(); ++k) {
    MovingRod& r = rods.rods()[k];
    if (r.seam) r.seam->cut(matrices_[k], &stress[k]);  // which takes what is there of its unknowns
    r.held.hold(matrices_[k]);
    if (r.seam) {
      for (const int unknown : r.held.unknowns()) r.seam->hold(unknown);
      factors_[k].factor(matrices_[k]);
      r.seam->factor(factors_[k], nothing);
      r.seam->solve(factors_[k], r.part(pull));
    } else {
      factors_[k].factor_and_forward(matrices_[k], r.of(pull));
      factors_[k].back(r.of(pull));
    }
  }
  rods.hold(pull);
}

/// Of nodes that are one any may be held.
bool StepMatrix::factor_tied(MovingRods& rods, const std::vector<tangent::RodStress>& stress, double rate,
                             double share_of_pressing) {
  std::vector<coupling::Assembly::Held> held;
  for (const MovingRod& r : rods.rods())
    held.push_back({&r.held, static_cast<int>(r.first), r.unknowns(), r.seam.has_value()});
  tied_->begin(held);
  for (std::size_t k = 0; k < matrices_.size(); ++k) {
    const MovingRod& r = rods.rods()[k];
    const int first = static_cast<int>(r.first);
    tied_->add_band(first, matrices_[k]);
    if (!r.seam) continue;
    const tangent::Seam::Blocks blocks = r.seam->blocks(&stress[k]);
    const int turn = first + tangent::element_unknown(0);
    const int last = first + tangent::element_unknown(r.rod.elements - 1);
    tied_->add(turn, turn, blocks.of_first);
    tied_->add(last, turn, blocks.last_first);
    tied_->add(turn, last, transpose(blocks.last_first));
  }
  const auto add = [&](int row, int column, const Matrix3& block) { tied_->add(row, column, block); };
  if (rods.links()) coupling::for_each_block(*rods.links(), rate, add);
  if (rods.rigid_joints()) coupling::for_each_block(*rods.rigid_joints(), rate, add);
  if (rods.pressing().acts()) rods.pressing().add_matrix(share_of_pressing, *tied_);
  tied_->finish();
  return tied_->factor();
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
