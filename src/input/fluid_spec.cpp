#include <string>

#include "rodeo/input/deck_checks.hpp"
#include "rodeo/input/spec_parts.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

/// Throws unless what only Stokeslets have is left out.
void refuse_stokeslet_keys(const Deck& deck, const FluidSpec& fluid) {
  const auto refuse = [&](Key key) {
    throw deck.error(key, "needs fluid.kind = stokeslets, which is " +
                              std::string(deck.choice(Key::fluid_kind)) + " (" + deck.place(Key::fluid_kind) +
                              ")");
  };
  if (fluid.mobility != MobilityKind::full) refuse(Key::fluid_mobility);
  if (deck.has_value(Key::fluid_regularization)) refuse(Key::fluid_regularization);
}

}  // namespace

void set_fluid_law(const Deck& deck, FluidSpec& fluid) {
  fluid.kind =
      chosen<FluidKind>(deck, Key::fluid_kind,
                        {{"slender_body", FluidKind::slender_body}, {"stokeslets", FluidKind::stokeslets}});
  fluid.mobility =
      chosen<MobilityKind>(deck, Key::fluid_mobility,
                           {{"full", MobilityKind::full}, {"lower_triangle", MobilityKind::lower_triangle}});
  if (deck.has_value(Key::fluid_regularization)) {
    fluid.regularization = deck.number(Key::fluid_regularization);
  }
  fluid.tolerance = deck.number(Key::fluid_tolerance);
  if (fluid.kind != FluidKind::stokeslets) refuse_stokeslet_keys(deck, fluid);
}

void check_fluid(const Deck& deck, const MemberSpec& spec) {
  constexpr int most_nodes = 10000;  // a matrix of 8 GB
  const std::string model =
      "model.kind = " + std::string(deck.choice(Key::model_kind)) + " (" + deck.place(Key::model_kind) + ")";
  const bool is_der = spec.model == ModelKind::der;
  if (spec.fluid.acts_by(FluidKind::slender_body) && is_der) {
    throw deck.error(deck.has_value(Key::fluid_viscosity) ? Key::fluid_viscosity : Key::fluid_reynolds,
                     model + " has no slender-body drag; give fluid.kind = stokeslets");
  }
  if (!spec.fluid.acts_by(FluidKind::stokeslets)) return;
  if (!is_der)
    throw deck.error(Key::fluid_kind, model + " has no Stokeslets; use slender_body, or model der");
  const int nodes = rod_elements(spec) + spec.rod_count();
  if (nodes > most_nodes) {
    throw deck.error(Key::fluid_kind, "needs a dense matrix of all pairs of nodes: at most " +
                                          std::to_string(most_nodes) + " nodes of all rods, not " +
                                          std::to_string(nodes));
  }
}

}  // namespace rodeo
