#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Members of a study that run with other values of some keys than its deck says: a line of study.rerun.
struct Rerun {
  /// Members that follow one another, the last one included.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  std::vector<Range> members;          ///< by their numbers in the whole study, ascending
  std::vector<std::string> overrides;  ///< "section.key=value"

  bool has(std::uint64_t member) const;

  /// The line: "3, 17-20 with time.step = 1e-5".
  std::string text() const;
};

/// The line for members in ascending order.
Rerun make_rerun(std::span<const std::uint64_t> members, const std::vector<std::string>& overrides);

/// The lines of a deck, of which a later one holds where both name a member. Throws DeckError on another
/// form, and on a key that is the same for all members of a study: where one of them changes it, rows could
/// not be compared.
std::vector<Rerun> reruns_of(const Deck& deck);

/// The files of study.reuse.
std::vector<std::string> reused_files(const Deck& deck);

}  // namespace rodeo
