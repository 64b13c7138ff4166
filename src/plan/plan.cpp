#include "rodeo/plan/plan.hpp"

#include <string_view>

#include "rodeo/plan/sweep.hpp"

#include "convergence.hpp"
#include "optimization.hpp"

namespace rodeo {

std::unique_ptr<Plan> make_plan(const Deck& deck) {
  const std::string_view kind = deck.choice("study.kind"_key);
  if (kind == "sweep") return Sweep::from_deck(deck);
  if (kind == "convergence") return Convergence::from_deck(deck);
  if (kind == "optimize") return Optimization::from_deck(deck);
  return Sweep::single();
}

}  // namespace rodeo
