#pragma once

#include "rodeo/forces/internal_couple.hpp"
#include "rodeo/law/bend_twist.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// The wave of muscles at an instant, at region i.
template <class Real>
struct MuscleWave {
  Real sine;                  ///< of the wave, as for Muscle
  Real cosine;                ///< of the wave
  const Real* in_phase;       ///< field::muscle_cosine, N m
  const Real* in_quadrature;  ///< field::muscle_sine, N m

  KOKKOS_FORCEINLINE_FUNCTION Real operator()(int i) const {
    return sine * in_phase[i] + cosine * in_quadrature[i];
  }
};

template <bool InLaboratory, class Real>
using MuscleCouples = InternalCouples<InLaboratory, Real, MuscleWave<Real>>;

/// Muscular activity (section 4.1.1 of Gazzola et al. 2018): internal couples or internal forces along a
/// direction, with the size of the travelling wave A_m = beta(s) sin(2 pi t/T + k s + phi) (eq. 4.3), s
/// counted from node 0. For k > 0 the wave runs from the last node, the head, to node 0, the tail. Its
/// amplitude grows linearly over the first period. As sin(a + k s) = sin(a) cos(k s) + cos(a) sin(k s), a
/// step needs one sine and one cosine; beta cos(k s) and beta sin(k s) stand in field::muscle_cosine and
/// field::muscle_sine. There k s contains by how much the phase of a rod is ahead of that of the first, so
/// that the waves of rods which differ in phase, in k and in beta alone are one.
struct Muscle {
  MuscleKind kind = MuscleKind::none;
  bool in_laboratory = false;  ///< frame of `axis`: the laboratory's or each element's directors
  Vec3 axis;                   ///< unit vector
  double period = 0.0;         ///< T, s
  double phase = 0.0;          ///< phi of the first rod, rad

  static Muscle of(const MuscleSpec& spec, double first_phase) {
    return {spec.kind, spec.in_laboratory, spec.axis, spec.period, first_phase};
  }

  bool operator==(const Muscle& other) const {
    return kind == other.kind && in_laboratory == other.in_laboratory && axis.x == other.axis.x &&
           axis.y == other.axis.y && axis.z == other.axis.z && period == other.period && phase == other.phase;
  }

  /// Calls body(couples) with the couples of this step, which bend_and_twist adds to the elastic ones.
  template <class Real, class Body>
  KOKKOS_INLINE_FUNCTION void with_couples(const BasicRodView<Real>& rod, double time,
                                           const Body& body) const {
    if (kind != MuscleKind::couple) {
      body(law::NoRegionLoad{});
    } else if (in_laboratory) {
      body(couples<true>(rod, time));
    } else {
      body(couples<false>(rod, time));
    }
  }

  /// Adds the couples of this step to those of a rod's regions, where bend_and_twist has not done so.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_couples(const Team& team, const BasicRodView<Real>& rod,
                                          double time) const {
    if (kind != MuscleKind::couple) return;
    with_couples(rod, time, [&](const auto& couples) {
      const BasicOrientationArray<Real> orientation = rod.orientations();
      const BasicVec3Array<Real> bend_couple = rod.vec3_array(field::bend_couple);
      const BasicVec3Array<Real> transport_couple = rod.vec3_array(field::transport_couple);
      for_each_lane(team, rod.elements - 1, [=](int i) {
        law::BasicRegionLoad<Real> load{};
        couples.add(load, i, orientation.turn(i));
        bend_couple.add(i, load.couple);
        transport_couple.add(i, load.transport);
      });
    });
  }

  /// Adds the forces of this step to the internal ones.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_forces(const Team& team, const BasicRodView<Real>& rod, double time) const {
    add_forces(team, rod, time, rod.element_lanes());
  }

  /// Adds the forces to one rod of several, whose elements end where those of the next begin.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_forces(const Team& team, const BasicRodView<Real>& rod, double time,
                                         int elements) const {
    if (kind != MuscleKind::force) return;
    if (in_laboratory) {
      add_forces<true>(team, rod, time, elements);
    } else {
      add_forces<false>(team, rod, time, elements);
    }
  }

 private:
  /// The wave at an instant: factors of muscle_cosine and muscle_sine.
  struct Wave {
    double sine;
    double cosine;
  };

  KOKKOS_INLINE_FUNCTION Wave wave(double time) const {
    const double periods = time / period;
    const double ramp = periods < 1.0 ? periods : 1.0;
    const double angle = 6.283185307179586 * (periods - math::floor(periods)) + phase;
    return {ramp * math::sin(angle), ramp * math::cos(angle)};
  }

  template <bool InLaboratory, class Real>
  KOKKOS_INLINE_FUNCTION MuscleCouples<InLaboratory, Real> couples(const BasicRodView<Real>& rod,
                                                                   double time) const {
    const Wave now = wave(time);
    return {static_cast<BasicVec3<Real>>(axis),
            {static_cast<Real>(now.sine), static_cast<Real>(now.cosine), rod.array(field::muscle_cosine),
             rod.array(field::muscle_sine)},
            rod.orientations()};
  }

  /// Forces in the elements (eq. 4.4), positive ones contract: added to the internal force, with its couple
  /// (third term of 3.9), so that they have neither a resultant force nor a resultant moment.
  template <bool InLaboratory, class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_forces(const Team& team, const BasicRodView<Real>& rod, double time,
                                         int elements) const {
    using Vector = BasicVec3<Real>;
    const SummedVec3Array<Real> position = rod.positions();
    const BasicOrientationArray<Real> orientation = rod.orientations();
    const Real* const in_phase = rod.array(field::muscle_cosine);
    const Real* const in_quadrature = rod.array(field::muscle_sine);
    const BasicVec3Array<Real> internal_force = rod.vec3_array(field::internal_force);
    const BasicVec3Array<Real> shear_couple = rod.vec3_array(field::shear_couple);
    const Wave now = wave(time);
    const auto sine = static_cast<Real>(now.sine);
    const auto cosine = static_cast<Real>(now.cosine);
    const auto a = static_cast<Vector>(axis);
    for_each_lane(team, elements, [=](int i) {
      const BasicDirectors<Real> d = directors(orientation(i));
      const Real size = sine * in_phase[i] + cosine * in_quadrature[i];
      Vector force = size * a;
      if constexpr (!InLaboratory) force = d.to_laboratory(force);
      internal_force.add(i, force);
      shear_couple.add(i, d.to_body(cross(position.edge(i), force)));
    });
  }
};

}  // namespace rodeo::forces
