#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "study.hpp"

namespace rodeo {

/// Whether random numbers tell members of a study apart that have the same point. Throws DeckError if the
/// point makes no valid member.
bool may_draw(Study& study, const std::vector<double>& point);

/// Turns a row into that of another member, which comes to the same and was not run.
void become(MemberRow& row, std::uint64_t member, const Study::Origin& origin, std::int32_t rank);

/// Members of a search that come to the same, bit by bit: they have the same numbers, and nothing random
/// tells them apart. A search over whole numbers or words asks for such ones again and again, and one of them
/// runs.
class EqualMembers {
 public:
  explicit EqualMembers(Study& study) : study_(study) {}

  /// The first member that was asked for with the numbers of this one; nothing if that is this one itself, or
  /// if what is random in members, or whether they can be made, tells them apart. To be called for each
  /// member that a search asks for, in order.
  std::optional<std::uint64_t> first_like(std::uint64_t member);

  /// Has a member wait for the first one like it; false if that has ended.
  bool wait(std::uint64_t first, std::uint64_t member);

  /// Notes that a member has ended; returns those that waited for it.
  std::vector<std::uint64_t> end(std::uint64_t member);

 private:
  using Place = std::pair<std::uint32_t, std::vector<std::uint64_t>>;  ///< repeat, and the bits of numbers
  std::optional<Place> place_of(std::uint64_t member);

  Study& study_;
  std::map<Place, std::uint64_t> first_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> waiting_;
  std::set<std::uint64_t> ended_;
};

}  // namespace rodeo
