#pragma once

#include "rodeo/contact/pair_contact.hpp"

namespace rodeo::contact {

/// A spring and a dashpot: k eps + gamma (v_i - v_j) . d, eq. 4.7 of Gazzola et al. 2018, never less than
/// zero.
struct Penalty {
  static constexpr ContactKind kind = ContactKind::penalty;

  double stiffness = 0.0;  ///< k_sc, N/m
  double damping = 0.0;    ///< gamma_sc, kg/s

  static Penalty of(const ContactSpec& spec) { return {spec.stiffness, spec.damping}; }

  KOKKOS_FORCEINLINE_FUNCTION double force(double overlap, double speed) const {
    return stiffness * overlap + damping * speed;
  }
  KOKKOS_FORCEINLINE_FUNCTION double scale() const { return stiffness; }
  KOKKOS_FORCEINLINE_FUNCTION static double unit_force(double overlap) { return overlap; }
  KOKKOS_FORCEINLINE_FUNCTION static double unit_energy(double overlap) { return 0.5 * overlap * overlap; }
};
using PenaltyContact = PairContact<Penalty>;

}  // namespace rodeo::contact
