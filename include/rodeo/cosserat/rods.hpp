#pragma once

#include "rodeo/boundary/clamp.hpp"
#include "rodeo/boundary/pinned_sliding.hpp"
#include "rodeo/boundary/prescribed_motion.hpp"
#include "rodeo/boundary/rigid_joint.hpp"
#include "rodeo/forces/damping.hpp"
#include "rodeo/forces/distributed_load.hpp"
#include "rodeo/forces/end_load.hpp"
#include "rodeo/forces/middle_force.hpp"

namespace rodeo::cosserat {

/// Where one rod of a member stands, and what acts on it alone: on its ends, or spread over its length.
struct RodData {
  int first = 0;  ///< its first element among the member's
  int elements = 0;
  bool shares_first_node = false;  ///< with the rod before, by a joint
  forces::EndLoad end_load;
  forces::MiddleForce middle;
  forces::DistributedLoad distributed;
  forces::DecayingDamping damping;
  boundary::PinnedSliding sliding;
  boundary::Clamp clamp;
  boundary::RigidJoint joint;
  boundary::PrescribedMotion motion;

  KOKKOS_INLINE_FUNCTION RodView part(const RodView& member) const { return member.part(first, elements); }
};

/// The rods of a member, a few: loops over them stand outside those over elements.
struct Rods {
  const RodData* data = nullptr;
  int count = 0;

  KOKKOS_INLINE_FUNCTION const RodData* begin() const { return data; }
  KOKKOS_INLINE_FUNCTION const RodData* end() const { return data + count; }

  /// Puts driven ends where they are at `time`.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void place_ends(const Team& team, const RodView& member, double time,
                                         double step) const {
    for (const RodData& rod : *this) {
      if (rod.motion.acts(time, step)) rod.motion.place(team, rod.part(member), time);
    }
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void set_damping(const Team& team, const RodView& member, double time) const {
    for (const RodData& rod : *this) {
      if (rod.damping.acts()) rod.damping.set(team, rod.part(member), time);
    }
  }

  /// Sets the fluxes through the ends: end loads, and the couples of clamps and joints.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void load_ends(const Team& team, const RodView& member, double time) const {
    for (const RodData& rod : *this) {
      const RodView part = rod.part(member);
      if (rod.end_load.acts) rod.end_load.apply(team, part, time);
      rod.clamp.apply(team, part);
      rod.joint.apply(team, part);
    }
  }

  /// Keeps the velocities of held and driven end nodes what they must be.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void constrain_ends(const Team& team, const RodView& member, double time,
                                             double step) const {
    for (const RodData& rod : *this) {
      const RodView part = rod.part(member);
      rod.sliding.constrain(team, part);
      if (rod.motion.acts(time, step)) rod.motion.set_velocity(team, part, time);
    }
  }

  /// Whether there are external forces of single rods.
  KOKKOS_INLINE_FUNCTION bool act(double time) const {
    for (const RodData& rod : *this) {
      if (rod.middle.acts(time) || rod.distributed.acts(time)) return true;
    }
    return false;
  }

  /// Adds them to field::external_force and field::external_couple.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void add_forces(const Team& team, const RodView& member, double time) const {
    for (const RodData& rod : *this) {
      const RodView part = rod.part(member);
      if (rod.middle.acts(time)) rod.middle.add(team, part, time);
      if (rod.distributed.acts(time)) rod.distributed.add(team, part, time);
    }
  }
};

}  // namespace rodeo::cosserat
