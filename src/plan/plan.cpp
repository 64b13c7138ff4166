#include "rodeo/plan/plan.hpp"

#include <string>
#include <utility>

#include "rodeo/plan/convergence.hpp"
#include "rodeo/plan/optimization.hpp"
#include "rodeo/plan/sweep.hpp"

namespace rodeo {

namespace {

/// A deck that tells of candidates but not of a study would run one member in silence, as study.kind = single
/// does by default. Who says so gets it: a sweep's deck may be run once as it stands.
void check_kind_is_given(const Deck& deck) {
  if (deck.is_given(Key::study_kind)) return;
  for (const auto& [key, kind] : {std::pair{Key::sweep_axis, "sweep"},
                                  {Key::convergence_axis, "convergence"},
                                  {Key::optimize_parameter, "optimize"}}) {
    if (!deck.is_given(key)) continue;
    throw deck.error(key, std::string("needs study.kind = ") + kind +
                              ", or study.kind = single to run one member without it");
  }
}

}  // namespace

std::unique_ptr<Plan> make_plan(const Deck& deck) {
  check_kind_is_given(deck);
  const std::string_view kind = deck.choice(Key::study_kind);
  if (kind == "sweep") return Sweep::from_deck(deck);
  if (kind == "convergence") return Convergence::from_deck(deck);
  if (kind == "optimize") return Optimization::from_deck(deck);
  return Sweep::single();
}

}  // namespace rodeo
