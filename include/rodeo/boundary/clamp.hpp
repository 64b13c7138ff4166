#pragma once

#include "rodeo/law/bend_twist.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::boundary {

/// Ends whose directors are held, at the end itself and not at the centre of the element there. Between the
/// end and that centre lies half a Voronoi region, of rest length D_hat = l_hat/2 and with the element's
/// dilatation e:
///   kappa = log(Q_end^T Q_0)/D_hat,  tau = B kappa/e^3
/// (mirrored at the last end). tau enters the element's balance (3.9) as the flux through its outer face, as
/// the couple of any region does; at rest it is the couple that holds the end. Holding element 0 itself would
/// shorten the rod that bends by l_hat/2 and make every deflection first-order in l_hat; so they are
/// second-order. Q_end stands in field::orientation, entries -1 and n; the half regions are entries -1 and n
/// - 1.
struct Clamp {
  bool first = false;
  bool last = false;

  /// Sets the couples of the half regions; bend_and_twist has done all others.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void apply(const Team& team, const BasicRodView<Real>& rod) const {
    if (!first && !last) return;
    once(team, [&] {
      const int n = rod.elements;
      if (first) set_couple(rod, -1, rod.quaternion(-1), rod.quaternion(0), 0);
      if (last) set_couple(rod, n - 1, rod.quaternion(n - 1), rod.quaternion(n), n - 1);
    });
  }

 private:
  template <class Real>
  KOKKOS_INLINE_FUNCTION static void set_couple(const BasicRodView<Real>& rod, int region,
                                                const Quaternion& before, const Quaternion& after,
                                                int element) {
    const Quaternion turn = conjugate(before) * after;
    const auto stretched = static_cast<double>(rod.array(field::length)[element] *
                                               rod.array(field::inverse_rest_length)[element]);
    const law::RegionLoad load =
        law::region_load(turn, rod.section_value(stretched, 1.0), law::BendTwist<double>::of(rod, region));
    rod.set_vec3(field::bend_couple, region, load.couple);
    rod.set_vec3(field::transport_couple, region, load.transport);
  }
};

}  // namespace rodeo::boundary
