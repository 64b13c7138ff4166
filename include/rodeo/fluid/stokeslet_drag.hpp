#pragma once

#include <span>

#include "rodeo/fluid/resistance.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::fluid {

/// Method by which a member's fluid is summed.
Summation stokeslet_summation(const MemberSpec& spec);

/// Nanoseconds that a member's fluid takes for a step; nothing without Stokeslets.
double stokeslet_cost(const MemberSpec& spec);

/// Memory that a member's fluid takes, bytes; nothing without Stokeslets.
std::size_t stokeslet_memory(const MemberSpec& spec);

/// The step, in s, above which forces that are explicit in time swing ever more; infinite without Stokeslets.
double stable_stokeslet_step(const MemberSpec& spec);

/// Forces of a viscous fluid at rest far away on rods that are segments of regularised Stokeslets, explicit
/// in time: those of the rods' positions and velocities at the start of a step act through all of it.
class StokesletDrag {
 public:
  /// `rods` are the arrays of the member's rods, in order.
  StokesletDrag(const MemberSpec& spec, std::vector<RodView> rods);

  /// Evaluates the forces for the present positions and velocities.
  void update();

  /// Adds the forces to field::external_force.
  void add() const;

  /// The sum of the forces on all nodes, N.
  Vec3 total_force() const;

  /// Saves or restores the state that persists between steps.
  void visit_state(StateArchive& archive) { resistance_.visit_state(archive); }

  const ResistanceCounts& counts() const { return resistance_.counts(); }

 private:
  double scale() const;

  double viscosity_;  ///< Pa s
  std::vector<RodView> rods_;
  Resistance resistance_;
  NodeVectors position_;
  NodeVectors velocity_;
};

}  // namespace rodeo::fluid
