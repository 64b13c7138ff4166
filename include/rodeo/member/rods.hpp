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

/// Place of one rod of a member, and what acts on it alone: on its ends, or spread over its length.
struct RodData {
  int first = 0;  ///< its first element among the member's
  int elements = 0;
  bool shares_first_node = false;  ///< with the rod before, by a joint
  double end_masses[2] = {0, 0};   ///< its own of its end nodes, kg: the arrays have those of shared nodes
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

/// Some rods of a member, one after the other, whose arrays fit the cache of a core together: one thread
/// takes all loops of a step over them while they are there. Between the rods of two parts nothing acts but
/// contact. A part begins between two rods, at an entry where vectors begin.
struct RodsPart {
  int first = 0;     ///< entry of the member's arrays
  int elements = 0;  ///< of its arrays, those between its rods included
  int first_rod = 0;
  int rods = 0;       ///< 0: those there are do without all that Rods does
  int constants = 0;  ///< `first` of the earliest part whose constants are the same, which may be itself
};

/// The rods of a member, or some of them: loops over them stand outside those over elements. Where there are
/// many the threads of a host's team take whole rods.
struct Rods {
  const RodData* data = nullptr;
  int count = 0;
  int first = 0;  ///< element of the member's arrays at which those that its functions are given begin
  // Whether any rod is so; true until asked() has checked.
  bool any_closed = true;
  bool any_driven = true;
  bool any_slides = true;
  bool any_decays = true;

  /// Copy whose flags hold for all steps from the one whose middle is at `time` on.
  KOKKOS_INLINE_FUNCTION Rods asked(double time, double step) const {
    Rods rods{data, count, first, false, false, false, false};
    for (const RodData& rod : *this) {
      rods.any_closed = rods.any_closed || rod.closure.closed;
      rods.any_driven = rods.any_driven || rod.motion.acts(time, step);
      rods.any_slides = rods.any_slides || rod.sliding.acts();
      rods.any_decays = rods.any_decays || rod.damping.decays();
    }
    return rods;
  }

  KOKKOS_INLINE_FUNCTION const RodData* begin() const { return data; }
  KOKKOS_INLINE_FUNCTION const RodData* end() const { return data + count; }

  KOKKOS_INLINE_FUNCTION Rods of(const RodsPart& part) const {
    return {data + part.first_rod, part.rods, part.first, any_closed, any_driven, any_slides, any_decays};
  }

  /// Arrays of one of the rods.
  template <class Real>
  KOKKOS_INLINE_FUNCTION BasicRodView<Real> part(const BasicRodView<Real>& arrays, const RodData& rod) const {
    return arrays.part(rod.first - first, rod.elements);
  }

  /// Calls visit(team, rod) for each rod, with a team of one thread where others take other rods.
  template <class Team, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(const Team& team, const Visit& visit) const {
    if constexpr (std::is_same_v<Team, HostTeam>) {
      constexpr int least_for_each_thread = 4;
      if (team.size > 1 && count >= least_for_each_thread * team.size) {
        const int end = not_joined(team.end_of(count));
        for (int k = not_joined(team.begin_of(count)); k < end; ++k) visit(HostTeam{}, data[k]);
        team.team_barrier();
        return;
      }
    }
    for (const RodData& rod : *this) visit(team, rod);
  }

  /// First rod from this one on that is not joined to the one before: joined rods share entries of arrays.
  KOKKOS_INLINE_FUNCTION int not_joined(int rod) const {
    while (rod < count && data[rod].shares_first_node) ++rod;
    return rod;
  }

  /// Puts driven ends where they are at `time`.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void place_ends(const Team& team, const BasicRodView<Real>& member, double time,
                                         double step) const {
    if (!any_driven) return;
    for_each(team, [=, this](const Team& own, const RodData& rod) {
      if (rod.motion.acts(time, step)) rod.motion.place(own, part(member, rod), time);
    });
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void set_damping(const Team& team, const BasicRodView<Real>& member,
                                          double time) const {
    if (!any_decays) return;
    for_each(team, [=, this](const Team& own, const RodData& rod) {
      if (!rod.damping.decays()) return;
      rod.damping.set(own, part(member, rod), time);
      if (!member.circular) rod.damping.set_further(own, part(member, rod), time);
    });
  }

  /// Sets the natural strains that formulas give at `time`.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void set_natural_strains(const Team& team, const BasicRodView<Real>& member,
                                                  double time) const {
    for_each(team, [=, this](const Team& own, const RodData& rod) {
      if (rod.actuation.count > 0) rod.actuation.set_natural_strains(own, part(member, rod), time);
    });
  }

  /// Sets the fluxes through the ends: end loads, the couples of clamps and joints, the loads at seams. Adds
  /// the internal loads that formulas drive, before those at seams are known.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void load_ends(const Team& team, const BasicRodView<Real>& member,
                                        double time) const {
    for_each(team, [=, this](const Team& own, const RodData& rod) {
      const BasicRodView<Real> arrays = part(member, rod);
      if (rod.end_load.acts) rod.end_load.apply(own, arrays, time);
      rod.clamp.apply(own, arrays);
      rod.joint.apply(own, arrays);
      if (rod.actuation.count > 0) rod.actuation.add_fluxes(own, arrays, time);
      if (rod.damping.retardation_time > 0.0) rod.damping.add_couples(own, arrays, rod.closure);
    });
    for_each_closed(team, member, [](const boundary::Closure& closure, const BasicRodView<Real>& rod) {
      closure.fill_ghost_loads(rod);
    });
  }

  /// Calls visit(closure, rod) for every closed rod, once per team.
  template <class Team, class Real, class Visit>
  KOKKOS_INLINE_FUNCTION void for_each_closed(const Team& team, const BasicRodView<Real>& member,
                                              const Visit& visit) const {
    if (!any_closed) return;
    for_each(team, [&, this](const Team& own, const RodData& rod) {
      if (rod.closure.closed) once(own, [&] { visit(rod.closure, part(member, rod)); });
    });
  }

  /// Brings the ghosts beyond the seams of closed rods up to date: before the loads are computed.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void fill_ghosts(const Team& team, const BasicRodView<Real>& member) const {
    for_each_closed(team, member, [](const boundary::Closure& closure, const BasicRodView<Real>& rod) {
      closure.fill_ghosts(rod);
    });
  }

  /// Brings the ghost elements of closed rods up to date in an array over elements.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void fill_ghost_elements(const Team& team, const BasicRodView<Real>& member,
                                                  int f) const {
    for_each_closed(team, member, [=](const boundary::Closure&, const BasicRodView<Real>& rod) {
      boundary::Closure::fill_ghost_elements(rod.array(f), rod.elements);
    });
  }

  /// Clears ghost forces. Those before act on nodes of closed rods, those up to add_ghost_forces on elements.
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
    if (!any_driven && !any_slides) return;
    for_each(team, [=, this](const Team& own, const RodData& rod) {
      const BasicRodView<Real> arrays = part(member, rod);
      rod.sliding.constrain(own, arrays);
      if (rod.motion.acts(time, step)) rod.motion.set_velocity(own, arrays, time);
    });
  }

  /// Adds what muscles exert in each rod to its internal forces and couples.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_muscles(const Team& team, const BasicRodView<Real>& member,
                                          double time) const {
    for_each(team, [=, this](const Team& own, const RodData& rod) {
      const BasicRodView<Real> arrays = part(member, rod);
      rod.muscle.add_couples(own, arrays, time);
      rod.muscle.add_forces(own, arrays, time, arrays.elements);
    });
  }

  /// Whether there are external forces of single rods.
  KOKKOS_INLINE_FUNCTION bool act(double time) const {
    for (const RodData& rod : *this) {
      if (rod.forces.acts(time) || rod.actuation.loads) return true;
    }
    return false;
  }

  /// Adds the external forces of single rods to field::external_force and field::external_couple.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_forces(const Team& team, const BasicRodView<Real>& member,
                                         double time) const {
    for_each(team, [=, this](const Team& own, const RodData& rod) {
      rod.forces.add(own, part(member, rod), time);
      if (rod.actuation.loads) rod.actuation.add_loads(own, part(member, rod), time);
    });
  }
};

}  // namespace rodeo
