#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rodeo {

/// Place of values from the command line, as messages name it.
inline constexpr std::string_view command_line_place = "command line";

/// One `key = value`, not yet checked against the key table.
struct Assignment {
  std::string name;   ///< "section.key"
  std::string value;  ///< trimmed
  std::string place;  ///< "deck.ini:12" or "command line"
};

/// The assignments of a deck text, in order: [section], key = value, # comments; a byte order mark and
/// carriage returns are tolerated. Throws DeckError on other bytes than text, on lines that are neither, and
/// on a deck that is implausibly large.
std::vector<Assignment> read_assignments(std::string_view text, const std::string& deck_name);

/// An assignment of the command line: "section.key=value" or "--section.key=value". Throws DeckError on bad
/// syntax and on an unknown key.
Assignment parse_override(std::string_view text);

}  // namespace rodeo
