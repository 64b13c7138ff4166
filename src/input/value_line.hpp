#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// A line `KEY : FORM OPTION ...` of a deck. The texts of keys begin with the forms of their lines, as `KEY :
/// [lower,upper] start s log | list(v,...) start s, ...`: these words read the line, and messages show them.
/// Its views last as long as the line.
struct ValueLine {
  /// Reads a line in the forms of some keys, up to its end or the word with. Throws std::invalid_argument.
  ValueLine(std::string_view line, std::initializer_list<Key> keys);

  /// Value of an option, empty if it takes none; nothing if the line does not have it.
  std::optional<std::string_view> option(std::string_view word) const;

  /// Throws std::invalid_argument if the line goes on behind the word with.
  void expect_end() const;

  Key key = no_key;            ///< whose form it is
  std::string_view signature;  ///< `list(v,...)`
  std::string_view form;       ///< `list`; empty for brackets
  std::string_view address;    ///< what stands before the colon
  std::string_view written;    ///< `list(1, 2)`, as it stands in the line
  std::vector<std::string_view> arguments;
  std::vector<std::pair<std::string_view, std::string_view>> options;
  std::string_view rest;  ///< what stands behind the word with
};

/// Throws std::invalid_argument of a part of a line, in quotes, and what is wrong with it.
[[noreturn]] void refuse_text(std::string_view text, const std::string& reason);

/// Numbers of `[lower, upper]`, of which -inf and inf are some. Throws std::invalid_argument unless the lower
/// one is below the upper one.
std::pair<double, double> parse_bounds(std::string_view text, const Deck& deck);

/// Value of a key that an expression or a word stands for; words stand for their places among the choices.
/// Throws std::invalid_argument if the key does not allow it.
double parse_value(const KeyInfo& info, std::string_view text, const Deck& deck, bool one_rod = false);

// Lines of single keys. All throw std::invalid_argument, with the reason alone, on bad grammar, a key that
// cannot be varied so, and a value that it does not allow.

/// The axes of a line of sweep.axis, one or several that move together. Throws too if they have more than
/// `most_values` values together, or not as many each.
std::vector<SweepAxis> parse_sweep_line(std::string_view text, const Deck& deck, std::size_t most_values);

/// The random numbers of a line of sensitivity.parameter: one, or for KEY[i:j] one for each of the entries i
/// to j-1, all alike.
std::vector<RandomParameter> parse_random_parameters(std::string_view text, const Deck& deck);

/// Values of a line of rod.each, without place.
EachRod parse_each_rod(std::string_view text, const Deck& deck);

/// Throws std::invalid_argument unless a distribution has width: between two bounds, or of a deviation.
void check_distribution(const std::string& signature, bool of_bounds, double first, double second);

/// Where the address ends in `ADDRESS : ...`: at the colon that is not the one of KEY[i:j]; npos if there is
/// none.
std::size_t end_of_address(std::string_view line);

/// The addresses that KEY, KEY[i] or KEY[i:j] names; the last are the entries i to j-1 of a list, as slices
/// in Python. Throws std::invalid_argument as parse_parameter_address does, and where there are no entries.
std::vector<ParameterAddress> parse_parameter_addresses(std::string_view text);

}  // namespace rodeo
