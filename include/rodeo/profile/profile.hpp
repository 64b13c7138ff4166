#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rodeo/profile/error_norms.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// A solution in closed form for a scalar along the rod, to which a member's own profile is compared when it
/// ends. All functions run on the host, once a member.
struct AnalyticProfile {
  std::string_view name;  ///< in convergence.reference
  Sampling sampling = Sampling::nodes;

  /// Why the solution does not hold for a member on which nothing acts but what it knows; empty if it does.
  std::string (*obstacle)(const MemberSpec& spec);

  /// Sets the loads that belong to the solution to zero; any that are left contradict it.
  void (*leave_out)(LoadSpec& load, BoundarySpec& boundary);

  /// The member's profile: n + 1 or n values, by the sampling.
  std::vector<double> (*measured)(const MemberSpec& spec, const ConstRodView& rod);

  /// The solution at the rest arc lengths `places` (m) and at `time` (s).
  std::vector<double> (*exact)(const MemberSpec& spec, const ConstRodView& rod,
                               const std::vector<double>& places, double time);
};

/// Rest arc lengths of nodes or of the elements' middles, m.
std::vector<double> places_along(const RodSpec& rod, Sampling sampling);

/// Norms of a member's profile against the solution its deck names (convergence.reference); NaN without one.
ErrorNorms profile_error(const MemberSpec& spec, const ConstRodView& rod, double time);

/// Why the solution that the deck names does not hold for a member; empty if it does or if none is named.
std::string profile_obstacle(const MemberSpec& spec);

}  // namespace rodeo
