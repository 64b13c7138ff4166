#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rodeo {

/// Place of a member's row in a file that takes it over.
struct RowPlace {
  std::uint64_t member = 0;
  std::uint64_t candidate = 0;
  std::uint32_t repeat = 0;
};

/// Rows that a new file takes over from another one.
struct Takeover {
  std::string from = {};  ///< the other file; empty: the one that is replaced
  /// For each row of the old file its place in the new one, or nothing for one that is to run again; empty:
  /// all rows keep their places.
  std::vector<std::optional<RowPlace>> rows = {};
  std::string kept_as = {};  ///< another name under which the replaced file stays; empty: it goes
};

}  // namespace rodeo
