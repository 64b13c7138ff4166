#pragma once

#include <cstdint>
#include <string_view>

namespace rodeo {

/// How a member ended; the numbers are part of the file format (/members/status).
enum class MemberStatus : std::uint8_t {
  pending = 0,          ///< not run yet
  done = 1,             ///< reached time.end
  diverged = 2,         ///< a non-finite or exploding state
  stopped_early = 3,    ///< ended at the event its deck asks for (buckling)
  failed = 4,           ///< could not be set up or run
  timed_out = 5,        ///< passed its deadline
  too_stiff = 6,        ///< an implicit step did not converge, however short it was made
  pruned = 7,           ///< ended by the early stopping of earlier revisions; not a failure
  tangled = 8,          ///< as too_stiff, while rods were in contact
  settled = 9,          ///< ended before time.end: what observe.settle is about would not change any more
  unstable = 10,        ///< reached an equilibrium at time.end that it would leave
  no_equilibrium = 11,  ///< none was found, however small the part of the load that was added
  gained_energy = 12,   ///< its energy grew by more than observe.energy_tolerance without work
  passed_through = 13,  ///< an element crossed another or a solid
  out_of_points = 14,   ///< its branch took branch.points points before it came to where it is to end
  crushed = 15          ///< an element was pressed to nothing, or inside out
};

inline constexpr int member_status_count = 16;

/// Whether its observables mean what they say.
constexpr bool ended_well(MemberStatus status) {
  return status == MemberStatus::done || status == MemberStatus::stopped_early ||
         status == MemberStatus::settled || status == MemberStatus::unstable;
}

/// Whether a member has ended, and badly.
constexpr bool is_failure(MemberStatus status) {
  return status != MemberStatus::pending && status != MemberStatus::pruned && !ended_well(status);
}

/// Whether all members that compute from the same end so. One that failed, timed out or was left by its study
/// may do better elsewhere.
constexpr bool holds_for_others(MemberStatus status) {
  using enum MemberStatus;
  return status != pending && status != failed && status != timed_out && status != pruned;
}

constexpr std::string_view to_string(MemberStatus status) {
  constexpr std::string_view names[member_status_count] = {
      "pending",       "done",           "diverged",      "stopped early", "failed",   "timed out",
      "too stiff",     "pruned",         "tangled",       "settled",       "unstable", "no equilibrium",
      "gained energy", "passed through", "out of points", "crushed"};
  return names[static_cast<int>(status)];
}

}  // namespace rodeo
