#pragma once

#include <concepts>

#include "rodeo/member/batch.hpp"

#include "look.hpp"

namespace rodeo {

/// View of the member that an observer needs within a slice.
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
/// An observer that must look at certain steps also has `next_look(steps)`, the first of them after `steps`,
/// at which slices then end. One that needs no sample has `next_glance(steps)` in the same way, and
/// `glance(glance)`, called at those of these steps at which nobody has to look.
///
/// Some members are also seen after each step, while the slice goes on (are_steps_seen()). An observer that
/// would miss something between slices has `needs_within(steps)`, the view it needs there, and
/// `within(glance, look)`, called before slice() or glance() of the same step; the look is null where a
/// glance is enough for all.
template <class T>
concept Observer = requires(T observer, const T& seen, const MemberJob& job, MemberOutcome& outcome,
                            const Look& look, Observation& observation, StateArchive& archive) {
  { observer.start(job, outcome) } -> std::same_as<void>;
  { observer.slice(look) } -> std::same_as<MemberStatus>;
  { seen.finish(look, observation) } -> std::same_as<void>;
  { observer.visit(archive) } -> std::same_as<void>;
};

}  // namespace rodeo
