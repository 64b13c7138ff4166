#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "rodeo/input/deck.hpp"
#include "rodeo/math/formula.hpp"

#include "line_reader.hpp"

namespace rodeo {

/// A function that expressions may call by name.
struct FormulaFunction {
  static constexpr int two_or_more = -2;

  std::string_view name;
  FormulaOp op;
  int arguments;
};
std::span<const FormulaFunction> formula_functions();

/// Names that mean something of their own where an expression stands, and come before others.
class FormulaTerms {
 public:
  virtual ~FormulaTerms() = default;

  /// Formula of a name at a place of the line; nothing if it is none of these.
  virtual std::optional<Formula> named(std::size_t place, std::string_view name) = 0;
  /// Formula of a call, with its first parenthesis read and its last one left to be read; nothing if the name
  /// is none of these.
  virtual std::optional<Formula> called(std::size_t place, std::string_view name) = 0;
  /// Fails: the name is neither one of these nor any other.
  [[noreturn]] virtual void unknown(std::size_t place, std::string_view name) const = 0;
};

/// Names that an expression may use: keys of the deck, t_end and period of the member, pi, functions, and
/// where it says so time, place, terms and an index. Where there is time, inputs and outputs of the member's
/// control are live numbers.
struct FormulaScope {
  enum class Names { all, of_deck, none };  ///< of_deck: neither t_end nor period nor tables

  const Deck& deck;
  const MemberSpec& member;
  bool time = false;     ///< t, s
  bool place = false;    ///< s, a part of the rod's rest length
  bool one_rod = false;  ///< the deck is that of one rod, so that keys which differ between rods have a value
  FormulaTerms* terms = nullptr;
  std::optional<int> index = {};  ///< k, where a line stands for several
  Names names = Names::all;
};

/// Whether a line names the number of a key as expressions do: t_end is time.end, and period muscle.period.
bool names_number(std::string_view line, Key key);

/// The end of a member, s.
double end_of(const MemberSpec& member);

// All throw std::invalid_argument that tells the character. An expression ends before a comma, a parenthesis,
// a word, or a colon without a question mark.

Formula parse_formula(LineReader& in, const FormulaScope& scope);

/// A formula that the host alone evaluates. It may have any length, and come to no finite number.
Formula parse_host_formula(LineReader& in, const FormulaScope& scope);

/// An expression that is a number: with neither time nor place, whatever the scope.
double parse_constant(LineReader& in, const FormulaScope& scope);
int parse_whole_number(LineReader& in, const FormulaScope& scope);

/// A number, a name or a parenthesis, with or without a sign: where numbers stand side by side.
double parse_single_number(LineReader& in, const FormulaScope& scope);

/// Value of a whole text: a number, or an expression in numbers, and in those of a deck if there is one.
double parse_expression(std::string_view text, const Deck* deck = nullptr, bool one_rod = false);

/// The number of the deck, as it is for this member, that `name` at `place` of the line addresses.
double deck_number(const LineReader& in, std::size_t place, std::string_view name, const FormulaScope& scope);

/// The variable of the deck that has this name, or its entry `name[i]`; nothing if there is none.
std::optional<double> variable_number(const LineReader& in, std::size_t place, std::string_view name,
                                      const FormulaScope& scope);

/// Reads what stands in the brackets of `name[...]` at `place` of the line, a whole number.
int index_in(const LineReader& in, std::size_t place, std::string_view name, const FormulaScope& scope);

/// Fails unless the line ends here.
void expect_end(LineReader& in);

}  // namespace rodeo
