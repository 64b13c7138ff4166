#include "rodeo/rod/bending_mode.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

/// Throws if the deck gives `key`, by which all of a rod fades alike, together with other damping.
void check_alone(const Deck& deck, Key key) {
  const auto refuse = [&](bool given, Key other, const std::string& value = {}) {
    if (!given) return;
    throw deck.error(key, "contradicts " + std::string(key_info(other).name) + value + " (" +
                              deck.place(other) + "): give only one of them");
  };
  refuse(deck.number("rod.damping"_key) > 0.0, "rod.damping"_key);
  refuse(deck.has_value("rod.rotational_damping"_key), "rod.rotational_damping"_key);
  refuse(deck.choice("rod.damping_law"_key) == "published", "rod.damping_law"_key, " = published");
}

/// 1/tau = 2 zeta omega_1.
double rate_of_ratio(const Deck& deck, const BoundarySpec& boundary, const RodSpec& rod) {
  if (rod.closed) {
    throw deck.error("rod.damping_ratio"_key, "is that of a rod with two ends, and a closed rod has none (" +
                                                  deck.place("rod.shape"_key) +
                                                  "); give rod.relaxation_time");
  }
  const double frequency = slowest_bending_frequency(rod, boundary.first, boundary.last);
  return 2.0 * deck.number("rod.damping_ratio"_key) * derived(deck, "rod.damping_ratio"_key, frequency);
}

}  // namespace

void set_damping(const Deck& deck, const BoundarySpec& boundary, RodSpec& rod) {
  refuse_both(deck, "rod.relaxation_time"_key, "rod.damping_ratio"_key);
  if (deck.has_value("rod.relaxation_time"_key)) {
    check_alone(deck, "rod.relaxation_time"_key);
    rod.damping_rate = 1.0 / deck.number("rod.relaxation_time"_key);
    return;
  }
  if (deck.has_value("rod.damping_ratio"_key)) {
    check_alone(deck, "rod.damping_ratio"_key);
    rod.damping_rate = rate_of_ratio(deck, boundary, rod);
    return;
  }
  const bool published = deck.choice("rod.damping_law"_key) == "published";
  if (deck.has_value("rod.rotational_damping"_key)) {
    if (published) {
      throw deck.error("rod.rotational_damping"_key,
                       "contradicts rod.damping_law = published (" + deck.place("rod.damping_law"_key) +
                           "), by which rod.damping acts on angular velocities too");
    }
  } else if (published) {
    rod.rotational_damping = rod.damping;
  }
}

}  // namespace rodeo
