#pragma once

#include <concepts>

#include "rodeo/member/batch.hpp"

#include "look.hpp"

namespace rodeo {

/// What an observer needs of a member within a slice.
enum class Need { nothing, glance, look };

/// Something that looks at a member of rods between slices, and keeps what it found.
///
/// - `start(job, outcome)` comes first, also before a restart: it sets what follows from the job. Frames go
///   to the outcome, which stays where it is.
/// - `slice(look)` comes at t = 0 and after every slice that left the member healthy, in the order of the
///   list (observers.hpp). A status other than pending ends the member.
/// - `finish(look, observation)` adds what was found to what observables see: when the member ends, and at a
///   frame as if it ended there, with the status pending.
/// - `visit(archive)` saves or restores what `slice` has found.
///
/// One that must look at certain steps also has `next_look(steps)`, the first of them after `steps`, where
/// slices then end. One that needs no sample to see what it is after has `next_glance(steps)` in the same
/// way, and `glance(glance)`, which comes at those of these steps at which nobody has to look.
///
/// Some members are seen after each step too, while the slice goes on (are_steps_seen()). An observer that
/// would miss something between slices has `needs_within(steps)`, what it needs to see there, and
/// `within(glance, look)`, which comes before slice() or glance() of the same step; the look is null where
/// all are content with a glance.
template <class T>
concept Observer = requires(T observer, const T& seen, const MemberJob& job, MemberOutcome& outcome,
                            const Look& look, Observation& observation, StateArchive& archive) {
  { observer.start(job, outcome) } -> std::same_as<void>;
  { observer.slice(look) } -> std::same_as<MemberStatus>;
  { seen.finish(look, observation) } -> std::same_as<void>;
  { observer.visit(archive) } -> std::same_as<void>;
};

}  // namespace rodeo
