#pragma once

#include "rodeo/forces/wall.hpp"

namespace rodeo::forces {

/// Coulomb friction of springs along a surface, with coefficients of its own along an element (forward and
/// backward) and across it. A slip in the unit direction (a, l) meets the force -N (mu_a a, mu_l l), the
/// law of Hu et al. 2009 (PNAS 106, 10081): never more than the larger coefficient allows, and the same in
/// all directions where the two are equal.
struct OrthotropicFriction {
  Coulomb axial;
  Coulomb lateral;

  /// Components along an element and across it.
  struct Pair {
    double axial = 0.0;
    double lateral = 0.0;

    KOKKOS_FORCEINLINE_FUNCTION double square() const { return axial * axial + lateral * lateral; }
    KOKKOS_FORCEINLINE_FUNCTION double size() const { return math::sqrt(square()); }
  };

  struct Answer {
    Pair force;      ///< N
    Pair limit;      ///< friction of a slip in one of the directions alone, N
    Pair direction;  ///< of the slip's end; where nothing yields of no meaning, as `excess`
    double excess;   ///< N
    bool yields;     ///< true if the force is less than that which would hold
  };

  /// Where the force `hold` of the springs is more than friction bears, their end slides in a direction t,
  /// |t| = 1, as far as takes it to hold - e t = (mu_a N t_a, mu_l N t_l). So t_i is hold_i/(mu_i N + e), and
  /// the excess e comes by Newton's method for 1/|t| from below (as More and Sorensen 1983, SIAM J. Sci.
  /// Stat. Comput. 4, 553, solve the same equation). One round is exact where the coefficients are equal, and
  /// else leaves an error of the square of e, which is small in each of many steps; after eight it is below
  /// 1e-5. `slipping` is 0 for static, 1 for kinetic friction.
  template <int rounds>
  KOKKOS_FORCEINLINE_FUNCTION Answer answer(const Pair& hold, double slipping, double load) const {
    constexpr double tiny = 1e-100;  // N; where there is nothing, there is no NaN
    const Pair limit = {axial.limit(hold.axial, slipping, load), lateral.limit(hold.lateral, slipping, load)};
    const double axial_excess = math::fabs(hold.axial) - limit.axial;
    const double lateral_excess = math::fabs(hold.lateral) - limit.lateral;
    const double larger = axial_excess > lateral_excess ? axial_excess : lateral_excess;
    Pair inverse;
    Pair t;
    double size = 0.0;
    double excess = 0.0;
    const auto slide = [&](double e) __attribute__((always_inline)) {
      excess = e;
      const double along = limit.axial + e + tiny;
      const double across = limit.lateral + e + tiny;
      const double of_both = 1.0 / (along * across);
      inverse = {across * of_both, along * of_both};
      t = {hold.axial * inverse.axial, hold.lateral * inverse.lateral};
      size = t.size();
    };
    slide(larger > 0.0 ? larger : 0.0);
    const bool yields = larger > 0.0 || size > 1.0;
    for (int round = 0; round < rounds; ++round) {
      const double fall = t.axial * t.axial * inverse.axial + t.lateral * t.lateral * inverse.lateral + tiny;
      slide(excess + (size > 1.0 ? (size - 1.0) * size * size / fall : 0.0));
    }
    const double inverse_size = 1.0 / (size + tiny);
    t = {inverse_size * t.axial, inverse_size * t.lateral};
    return {yields ? Pair{limit.axial * t.axial, limit.lateral * t.lateral} : hold, limit, t, excess, yields};
  }
};

}  // namespace rodeo::forces
