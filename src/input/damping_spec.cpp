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
  refuse(deck.number(Key::rod_damping) > 0.0, Key::rod_damping);
  refuse(deck.has_value(Key::rod_rotational_damping), Key::rod_rotational_damping);
  refuse(deck.choice(Key::rod_damping_law) == "published", Key::rod_damping_law, " = published");
}

/// 1/tau = 2 zeta omega_1.
double rate_of_ratio(const Deck& deck, const BoundarySpec& boundary, const RodSpec& rod) {
  if (rod.closed) {
    throw deck.error(Key::rod_damping_ratio, "is that of a rod with two ends, and a closed rod has none (" +
                                                 deck.place(Key::rod_shape) + "); give rod.relaxation_time");
  }
  const double frequency = slowest_bending_frequency(rod, boundary.first, boundary.last);
  return 2.0 * deck.number(Key::rod_damping_ratio) * derived(deck, Key::rod_damping_ratio, frequency);
}

}  // namespace

void set_damping(const Deck& deck, const BoundarySpec& boundary, RodSpec& rod) {
  if (deck.has_value(Key::rod_damping_decay_time)) {
    rod.damping_decay_time = deck.number(Key::rod_damping_decay_time);
  }
  refuse_both(deck, Key::rod_relaxation_time, Key::rod_damping_ratio);
  if (deck.has_value(Key::rod_relaxation_time)) {
    check_alone(deck, Key::rod_relaxation_time);
    rod.damping_rate = 1.0 / deck.number(Key::rod_relaxation_time);
    return;
  }
  if (deck.has_value(Key::rod_damping_ratio)) {
    check_alone(deck, Key::rod_damping_ratio);
    rod.damping_rate = rate_of_ratio(deck, boundary, rod);
    return;
  }
  rod.damping = deck.number(Key::rod_damping);
  const bool published = deck.choice(Key::rod_damping_law) == "published";
  if (deck.has_value(Key::rod_rotational_damping)) {
    if (published) {
      throw deck.error(Key::rod_rotational_damping,
                       "contradicts rod.damping_law = published (" + deck.place(Key::rod_damping_law) +
                           "), by which rod.damping acts on angular velocities too");
    }
    rod.rotational_damping = deck.number(Key::rod_rotational_damping);
  } else if (published) {
    rod.rotational_damping = rod.damping;
  }
}

}  // namespace rodeo
