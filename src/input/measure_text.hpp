#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/observe/observable_list.hpp"

namespace rodeo {

/// A line of measure.define, `NAME [UNIT] : EXPRESSION`, cut in its parts.
struct MeasureText {
  std::string name;
  std::string unit;
  std::size_t expression = 0;  ///< where it begins
};

/// Throws std::invalid_argument that tells the character on another grammar.
MeasureText cut_measure(std::string_view line);

/// Parses the expression of a line, where measures before it have these names. Throws std::invalid_argument
/// that tells the character.
MeasureSpec parse_measure(std::string_view line, const Deck& deck, const MemberSpec& member,
                          const std::vector<std::string>& names);

/// A formula of signals at an instant, and where it ends in the line.
struct SampledText {
  Formula formula;
  std::vector<OperandSpec> operands;
  std::size_t end;
};

/// Reads one from where a reader is; `index` is k. Throws std::invalid_argument that tells the character.
SampledText parse_sampled(const LineReader& in, const Deck& deck, const MemberSpec& member,
                          std::optional<int> index);

/// The names of signals, reductions over time and reductions along rods, with texts.
struct MeasureWord {
  std::string_view name;
  std::string_view text;
};
std::span<const MeasureWord> time_reductions();
std::span<const MeasureWord> along_reductions();

}  // namespace rodeo
