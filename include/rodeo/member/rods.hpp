#pragma once

#include "rodeo/boundary/clamp.hpp"
#include "rodeo/boundary/closure.hpp"
#include "rodeo/boundary/pinned_sliding.hpp"
#include "rodeo/boundary/prescribed_motion.hpp"
#include "rodeo/boundary/rigid_joint.hpp"
#include "rodeo/forces/actuation.hpp"
#include "rodeo/forces/damping.hpp"
#include "rodeo/forces/end_load.hpp"
#include "rodeo/forces/forces.hpp"
#include "rodeo/forces/muscle.hpp"

namespace rodeo {

/// Ends whose element is held as a whole, with its other node: of implicit rods.
struct HeldElements {
  bool first = false;
  bool last = false;
};

/// Where one rod of a member stands, and what acts on it alone: on its ends, or spread over its length.
struct RodData {
  int first = 0;  ///< its first element among the member's
  int elements = 0;
  bool shares_first_node = false;  ///< with the rod before, by a joint
  forces::EndLoad end_load;
  RodForces forces;
  forces::Muscle muscle;  ///< where those of the member's rods differ
  forces::Actuation actuation;
  forces::DecayingDamping damping;
  boundary::PinnedSliding sliding;
  boundary::Clamp clamp;
  HeldElements held_elements;
  boundary::RigidJoint joint;
  boundary::PrescribedMotion motion;
  boundary::Closure closure;

  template <class Real>
  KOKKOS_INLINE_FUNCTION BasicRodView<Real> part(const BasicRodView<Real>& member) const {
    return member.part(first, elements);
  }
};

/// The rods of a member, a few: loops over them stand outside those over elements.
struct Rods {
  const RodData* data = nullptr;
  int count = 0;

  KOKKOS_INLINE_FUNCTION const RodData* begin() const { return data; }
  KOKKOS_INLINE_FUNCTION const RodData* end() const { return data + count; }

  /// Puts driven ends where they are at `time`.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void place_ends(const Team& team, const BasicRodView<Real>& member, double time,
                                         double step) const {
    for (const RodData& rod : *this) {
      if (rod.motion.acts(time, step)) rod.motion.place(team, rod.part(member), time);
    }
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void set_damping(const Team& team, const BasicRodView<Real>& member,
                                          double time) const {
    for (const RodData& rod : *this) {
      if (rod.damping.acts()) rod.damping.set(team, rod.part(member), time);
    }
  }

  /// Sets the natural strains that formulas give at `time`.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void set_natural_strains(const Team& team, const BasicRodView<Real>& member,
                                                  double time) const {
    for (const RodData& rod : *this) {
      if (rod.actuation.count > 0) rod.actuation.set_natural_strains(team, rod.part(member), time);
    }
  }

  /// Sets the fluxes through the ends: end loads, the couples of clamps and joints, the loads at seams. Adds
  /// the internal loads that formulas drive, before those at seams are known.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void load_ends(const Team& team, const BasicRodView<Real>& member,
                                        double time) const {
    for (const RodData& rod : *this) {
      const BasicRodView<Real> part = rod.part(member);
      if (rod.end_load.acts) rod.end_load.apply(team, part, time);
      rod.clamp.apply(team, part);
      rod.joint.apply(team, part);
      if (rod.actuation.count > 0) rod.actuation.add_fluxes(team, part, time);
    }
    for_each_closed(team, member, [](const boundary::Closure& closure, const BasicRodView<Real>& rod) {
      closure.fill_ghost_loads(rod);
    });
  }

  /// Calls visit(closure, rod) for every closed rod, once per team.
  template <class Team, class Real, class Visit>
  KOKKOS_INLINE_FUNCTION void for_each_closed(const Team& team, const BasicRodView<Real>& member,
                                              const Visit& visit) const {
    for (const RodData& rod : *this) {
      if (rod.closure.closed) once(team, [&] { visit(rod.closure, rod.part(member)); });
    }
  }

  /// Brings the ghosts beyond the seams of closed rods up to date: before the loads are computed.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void fill_ghosts(const Team& team, const BasicRodView<Real>& member) const {
    for_each_closed(team, member, [](const boundary::Closure& closure, const BasicRodView<Real>& rod) {
      closure.fill_ghosts(rod);
    });
  }

  /// The same for an array over elements.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void fill_ghost_elements(const Team& team, const BasicRodView<Real>& member,
                                                  int f) const {
    for_each_closed(team, member, [=](const boundary::Closure&, const BasicRodView<Real>& rod) {
      boundary::Closure::fill_ghost_elements(rod.array(f), rod.elements);
    });
  }

  /// Forces so far act on each node of a closed rod; those after them, up to add_ghost_forces, on elements.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void clear_ghost_forces(const Team& team, const BasicRodView<Real>& member) const {
    for_each_closed(team, member, [](const boundary::Closure&, const BasicRodView<Real>& rod) {
      boundary::Closure::clear_ghost_force(rod);
    });
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_ghost_forces(const Team& team, const BasicRodView<Real>& member) const {
    for_each_closed(team, member, [](const boundary::Closure&, const BasicRodView<Real>& rod) {
      boundary::Closure::add_ghost_force(rod);
    });
  }

  /// Keeps the velocities of held and driven end nodes what they must be.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void constrain_ends(const Team& team, const BasicRodView<Real>& member, double time,
                                             double step) const {
    for (const RodData& rod : *this) {
      const BasicRodView<Real> part = rod.part(member);
      rod.sliding.constrain(team, part);
      if (rod.motion.acts(time, step)) rod.motion.set_velocity(team, part, time);
    }
  }

  /// Adds what muscles exert in each rod to its internal forces and couples.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_muscles(const Team& team, const BasicRodView<Real>& member,
                                          double time) const {
    for (const RodData& rod : *this) {
      const BasicRodView<Real> part = rod.part(member);
      rod.muscle.add_couples(team, part, time);
      rod.muscle.add_forces(team, part, time, part.elements);
    }
  }

  /// Whether there are external forces of single rods.
  KOKKOS_INLINE_FUNCTION bool act(double time) const {
    for (const RodData& rod : *this) {
      if (rod.forces.acts(time) || rod.actuation.loads) return true;
    }
    return false;
  }

  /// Adds them to field::external_force and field::external_couple.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_forces(const Team& team, const BasicRodView<Real>& member,
                                         double time) const {
    for (const RodData& rod : *this) {
      rod.forces.add(team, rod.part(member), time);
      if (rod.actuation.loads) rod.actuation.add_loads(team, rod.part(member), time);
    }
  }
};

}  // namespace rodeo
