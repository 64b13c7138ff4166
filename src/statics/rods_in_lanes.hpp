#pragma once

#include <array>
#include <vector>

#include "rodeo/coupling/largest_step.hpp"
#include "rodeo/tangent/rod_pack.hpp"

#include "resting_rods.hpp"

namespace rodeo::statics {

/// Eight alike members (RestingRods::go_beside) of one rod each, one a lane (tangent/rod_pack.hpp), with the
/// results of RestingRods for each, bit for bit. Each member sets its loads and keeps its state for itself.
/// With fewer members, one of them is loaded several times.
class RodsInLanes {
 public:
  static constexpr int lanes = tangent::RodPack::lanes;
  using Vector = std::vector<DoublePack>;

  /// For members like this one.
  explicit RodsInLanes(const RestingRods& like);

  const Vector& inertia() const { return inertia_; }

  /// Reads a member's state and properties, and the stress that it predicts.
  void load(int lane, const RestingRods& rods);
  /// Reads the loads that its set_loads() has set.
  void load_loads(int lane, const RestingRods& rods);
  /// Gives the member its state.
  void store(int lane, const RestingRods& rods) const;
  /// Gives the member the stress that it predicts.
  void store_stress(int lane, RestingRods& rods) const;

  void linearize(Vector& unbalanced, bool predicted);
  DoublePack rounding() const;

  /// Factors the matrices; returns the numbers of negative eigenvalues.
  DoublePack factor(const DoublePack& share);
  DoublePack solve(const DoublePack& share, const Vector& pull, Vector& step);
  void solve_again(Vector& vector) const;

  void take(const Vector& step, const DoublePack& part);
  void hold(Vector& vector) const { held_.hold(vector.data()); }

  coupling::LargestStep<DoublePack> turns(const Vector& step) const;
  coupling::LargestStep<DoublePack> shifts(const Vector& step) const;

 private:
  void add_inertia(const DoublePack& share);

  tangent::ClampedEnds ends_;
  tangent::HeldUnknowns held_;
  std::array<const RestingRods*, lanes> members_ = {};
  tangent::RodPack rods_;
  tangent::RodPackStress predicted_;
  tangent::RodPackMatrix matrix_;
  tangent::RodPackFactors factors_;
  Vector inertia_;
  std::vector<bool> is_held_;
  Vector loads_;
  Vector diagonal_;  ///< of the matrix without inertia
  DoublePack squared_length_;
};

}  // namespace rodeo::statics
