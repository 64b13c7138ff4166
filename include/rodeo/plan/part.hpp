#pragma once

#include <cstdint>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// One of several equal parts of the candidates of a sweep (study.part), which jobs run apart. Every n-th
/// candidate belongs to it, so that what grows dearer along an axis is shared out evenly.
struct Part {
  std::uint64_t first = 0;  ///< its first candidate
  std::uint64_t count = 1;  ///< parts that there are

  /// Throws DeckError if study.part is not K/N with 1 <= K <= N.
  static Part from_deck(const Deck& deck);

  bool is_whole() const { return count == 1; }

  /// The candidate of the study that is candidate k of the part.
  std::uint64_t candidate(std::uint64_t k) const { return first + k * count; }

  /// Candidates of the part where the study has `all`.
  std::uint64_t candidates(std::uint64_t all) const {
    return all > first ? (all - first - 1) / count + 1 : 0;
  }
};

}  // namespace rodeo
