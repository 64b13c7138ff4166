#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

#include "rodeo/cosserat/member_data.hpp"
#include "rodeo/der/implicit_euler.hpp"
#include "rodeo/input/member_spec.hpp"

namespace rodeo::der {

using HostTeam = Kokkos::TeamPolicy<Kokkos::DefaultHostExecutionSpace>::member_type;

/// A member of discrete elastic rods: the arrays, loads and ends of a Cosserat rod's, advanced by implicit
/// Euler with an adaptive step. A step of the deck is halved, and its halves again, until Newton's method
/// converges; after some that do, steps grow back.
class DerMember {
 public:
  /// `rod` are its arrays, and those of all further calls.
  DerMember(const MemberSpec& spec, const RodView& rod);

  /// Takes the task's steps, as far as they converge; returns how many were taken. The arrays then hold the
  /// last state that was reached.
  std::int64_t advance(const HostTeam& team, const cosserat::MemberData& member,
                       const cosserat::SliceTask& task);

  /// Sums over the rod at present, and what Newton's method did so far; sets the fluxes through the rod's
  /// ends that observables read.
  cosserat::Sample sample(const HostTeam& team, const cosserat::MemberData& member) const;

 private:
  bool advance_step(const HostTeam& team, const cosserat::MemberData& member, double index);
  void prepare(const HostTeam& team, const cosserat::MemberData& member, double time);
  bool converges(double step);
  void change_halvings(int by);

  ImplicitEuler solver_;
  int most_halvings_;
  int halvings_ = 0;      ///< of the present step
  int since_change_ = 0;  ///< steps since it last changed
  cosserat::ImplicitSample counts_;
};

}  // namespace rodeo::der
