#pragma once

#include <memory>

#include "rodeo/der/scheme.hpp"
#include "rodeo/method/stepped_member.hpp"

namespace rodeo::der {

/// A member of discrete elastic rods: the arrays, loads and ends of Cosserat rods, which a scheme takes from
/// step to step.
inline std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays,
                                               std::unique_ptr<Scheme> scheme) {
  const double shortest_solve = scheme->shortest_solve() * spec.time.step;
  return std::make_unique<method::SteppedMember<LoadedRods>>(spec, arrays, std::move(scheme), shortest_solve);
}

/// A member whose steps are those of a scheme: a rodeo::MakeHostMember.
template <class S>
std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return make_member(spec, arrays, std::make_unique<S>());
}

}  // namespace rodeo::der
