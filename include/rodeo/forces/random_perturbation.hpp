#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/math/random.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// A steady random force on every node while time < duration: direction uniform on the sphere, norm uniform
/// in [0, amplitude] (caption of Figure 14 of Gazzola et al. 2018, which does not say for how long it acts).
struct RandomPerturbation {
  double amplitude = 0.0;  ///< N
  double duration = 0.0;   ///< s
  RandomStream stream;

  static RandomPerturbation of(const MemberSpec& spec, std::uint64_t seed) {
    return {spec.load.perturbation, spec.load.perturbation_duration, {seed, RandomUse::perturbation}};
  }

  KOKKOS_INLINE_FUNCTION bool acts(double time) const { return amplitude > 0.0 && time < duration; }
  double steady_from() const { return amplitude > 0.0 ? duration : 0.0; }
  static constexpr bool does_work() { return false; }

  /// The force on node i.
  KOKKOS_INLINE_FUNCTION Vec3 force(int i) const {
    double u[4];
    stream.uniform(static_cast<std::uint64_t>(i), u);
    const double norm = amplitude * u[0];
    const double cosine = 2.0 * u[1] - 1.0;
    const double sine = math::sqrt(1.0 - cosine * cosine);
    const double angle = 6.283185307179586 * u[2];
    return {norm * sine * math::cos(angle), norm * sine * math::sin(angle), norm * cosine};
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod, double) const {
    const BasicVec3Array<Real> external_force = rod.vec3_array(field::external_force);
    for_each_lane(team, rod.nodes(),
                  [=, this](int i) { external_force.add(i, static_cast<BasicVec3<Real>>(force(i))); });
  }
};

}  // namespace rodeo::forces
