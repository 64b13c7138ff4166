#include <string>

#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

void check_fluid(const Deck& deck, const MemberSpec& spec) {
  constexpr int most_nodes = 10000;  // a matrix of 8 GB
  if (!spec.fluid.acts_by(FluidKind::stokeslets)) return;
  if (fluid::stokeslet_summation(spec) == fluid::Summation::clusters) return;
  const int nodes = rod_elements(spec) + spec.rod_count();
  if (nodes > most_nodes) {
    const bool by_mobility = spec.fluid.mobility != MobilityKind::full;
    throw deck.error(by_mobility ? "fluid.mobility"_key : "fluid.tolerance"_key,
                     "needs a dense matrix of all pairs of nodes: at most " + std::to_string(most_nodes) +
                         " nodes of all rods, not " + std::to_string(nodes) + "; " +
                         (by_mobility ? "full" : "1e-6") + " does without");
  }
}

}  // namespace rodeo
