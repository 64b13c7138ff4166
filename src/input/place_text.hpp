#pragma once

#include <string>

#include "rodeo/spec/measure_spec.hpp"

#include "formula_text.hpp"

namespace rodeo {

/// Places that a line may name.
struct PlaceRules {
  std::string of;         ///< what is there, for messages: "x"
  bool nodes = true;      ///< whether it may be at a node
  bool elements = true;   ///< or at an element
  bool ranges = false;    ///< `s A to B`
  bool all_rods = false;  ///< which rod may be left out where there are several

  /// "node K, s FRACTION, s LENGTH m, start, middle or end"
  std::string choices() const;
};

/// A place as it stands in a line: of which rod it is may not be known yet.
struct PlaceText {
  Place place;            ///< with indices as they were written, and lengths in m where `in_metres`
  std::size_t begin = 0;  ///< in the line
  std::size_t index = 0;  ///< of its number
  std::size_t to = 0;     ///< of where a range ends
  bool in_metres = false;
};

/// Whether a word begins a place.
bool begins_place(std::string_view word);

/// Reads the number of a rod of the member; negative ones count from the end. Throws std::invalid_argument
/// that tells the character.
int parse_rod(LineReader& in, const FormulaScope& scope);

/// Reads `rod K`, and one of `node K`, `element K`, `s FRACTION`, `s LENGTH m`, `s A to B`, `s A m to B m`,
/// `start`, `middle`, `end`, in any order with a comma between. Where the member has one rod, it is that one.
/// Throws std::invalid_argument that tells the character.
PlaceText parse_place(LineReader& in, const FormulaScope& scope, const PlaceRules& rules);

/// Place on one rod, with indices from 0 and fractions. Throws std::invalid_argument if the rod has no such
/// place.
Place place_on(const LineReader& in, const PlaceText& text, const MemberSpec& member, int rod);

/// The specification of a member's rod.
const RodSpec& rod_of(const MemberSpec& member, int rod);

}  // namespace rodeo
