#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/math/random.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/rodeo.hpp"

namespace rodeo {

struct Problem::Content {
  Deck deck;
  Deck member;  ///< without the axes of its study
  ObservableList observables;

  explicit Content(const Deck& read) : deck(read), member(read), observables(observables_of(read)) {
    member.drop_sweep_axes();
  }
};

/// The seed of a member's own random numbers: the deck may say that of its first one.
inline std::uint64_t seed_of(const Deck& deck, std::uint64_t candidate, std::uint32_t repeat) {
  const bool first = candidate == 0 && repeat == 0;
  return first && deck.member_seed() ? *deck.member_seed() : member_seed(deck.seed(), candidate, repeat);
}

/// Turns the exceptions of decks into the one that callers see.
template <class Action>
auto with_errors(const Action& action) {
  try {
    return action();
  } catch (const DeckError& error) {
    throw Error(error.what());
  } catch (const std::invalid_argument& error) {
    throw Error(error.what());
  }
}

/// Number of points in values of so many keys; one without keys. Throws Error.
inline std::size_t point_count(std::span<const double> values, std::size_t keys) {
  if (keys == 0 ? !values.empty() : values.size() % keys != 0) {
    throw Error(std::to_string(values.size()) + " values are no whole number of points of " +
                std::to_string(keys) + " keys");
  }
  return keys == 0 ? 1 : values.size() / keys;
}

/// Throws Error if so many objects of so many bytes each do not fit into this machine.
inline void require_room(const std::string& what, std::size_t count, double bytes_of_one) {
  const double bytes = static_cast<double>(count) * bytes_of_one;
  if (bytes <= machine_memory()) return;
  throw Error(std::to_string(count) + " " + what + " take " + format_bytes(bytes) +
              " of memory or so, and this machine has " + format_bytes(machine_memory()));
}

/// Why members like this one do not start, by itself or as a whole study.
inline std::optional<StartProblem> start_problem(const MemberSpec& spec) {
  if (auto refusal = refusal_at_start(spec)) return refusal;
  return failure_at_start(spec);
}

}  // namespace rodeo
