#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "rodeo/tangent/rod_pack.hpp"

#include "moving_rods.hpp"
#include "rod_terms.hpp"

namespace rodeo::implicit {

/// Side-by-side iterations of up to eight members of one rod each, one a lane (tangent/rod_pack.hpp): elastic
/// forces, matrices and their solutions, bit for bit as for one member alone. The members are alike
/// (MovingRods::go_beside). Lanes that have not been loaded hold arbitrary values.
class IterationLanes {
 public:
  static constexpr std::size_t count = tangent::RodPack::lanes;

  explicit IterationLanes(const MovingRods& like)
      : ends_(like.rods().front().ends),
        held_(like.rods().front().held),
        rods_(like.rods().front().rod.elements),
        stress_(rods_.elements()),
        matrix_(tangent::unknowns(rods_.elements())),
        factors_(matrix_.size()),
        vector_(static_cast<std::size_t>(matrix_.size())) {}

  /// Reads a rod's state and properties, and the stress that it predicts.
  void load(std::size_t lane, const CosseratRod& r) {
    rods_.load(static_cast<int>(lane), r.rod);
    stress_.load(static_cast<int>(lane), r.predicted);
  }
  /// Writes the state back to the rod, or the predicted stress.
  void store(std::size_t lane, const CosseratRod& r) const { rods_.store(static_cast<int>(lane), r.rod); }
  void store_stress(std::size_t lane, tangent::RodStress& stress) const {
    stress_.store(static_cast<int>(lane), stress);
  }

  // Read or write the vector of a lane.
  void read(std::size_t lane, std::vector<double>& vector) const {
    for (std::size_t i = 0; i < vector_.size(); ++i) vector[i] = vector_[i][static_cast<int>(lane)];
  }
  void write(std::size_t lane, const std::vector<double>& vector) {
    for (std::size_t i = 0; i < vector_.size(); ++i) vector_[i].set(static_cast<int>(lane), vector[i]);
  }

  /// Finds the elastic gradients, which become the vectors, and the matrices.
  void linearize() { tangent::elastic_hessian(rods_, ends_, vector_, matrix_, &stress_); }
  MatrixEntries matrix(std::size_t lane) { return {matrix_, static_cast<int>(lane)}; }

  /// Replaces the vectors by the solutions for them.
  void solve() {
    held_.hold(matrix_);
    factors_.factor_and_forward(matrix_, vector_.data());
    factors_.back(vector_.data());
    held_.hold(vector_.data());
  }

  /// Moves each lane's rod by `parts` of its vector.
  void take(const std::array<double, count>& parts) {
    const DoublePack part = DoublePack::load(parts.data());
    tangent::predict_stress(rods_, ends_, vector_, part, stress_);
    tangent::take_step(rods_, vector_, part);
  }

 private:
  tangent::ClampedEnds ends_;
  tangent::HeldUnknowns held_;
  tangent::RodPack rods_;
  tangent::RodPackStress stress_;
  tangent::RodPackMatrix matrix_;
  tangent::RodPackFactors factors_;
  std::vector<DoublePack> vector_;
};

}  // namespace rodeo::implicit
