#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/keys.hpp"
#include "rodeo/input/member_spec.hpp"

namespace rodeo {

/// Bad input: the text names file, line, key, what is allowed and the nearest valid key. Exit code 1.
class DeckError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A number in a deck that a study varies: a key, or one entry of a list key (`KEY[i]`).
struct ParameterAddress {
  Key key = Key::count;
  int index = -1;  ///< entry of a list, -1 for a plain number

  std::string name() const;
};

/// One `sweep.axis` line: `KEY : linspace(a,b,n) | logspace(a,b,n) | list(v, ...)`.
struct SweepAxis {
  ParameterAddress address;
  std::vector<double> values;  ///< the grid points, in the order given
  double lower = 0.0;          ///< smallest value, for samplers
  double upper = 0.0;          ///< largest value, for samplers
  bool logarithmic = false;    ///< samplers draw uniformly in the logarithm
};

/// A deck with all its values checked against the key table.
class Deck {
 public:
  /// Reads a deck file, then applies `overrides` (each "section.key=value", as on the command line).
  /// Throws DeckError on an unreadable file, bad syntax, an unknown key, a bad value, or a repeated key.
  static Deck read(const std::string& path, const std::vector<std::string>& overrides = {});

  /// The same from text; `name` stands for the file in messages.
  static Deck parse(const std::string& text, const std::string& name,
                    const std::vector<std::string>& overrides = {});

  /// True if the deck (or an override) gives the key; false if its default, if any, is used.
  bool is_given(Key key) const;
  /// True if the key has a value: given or by default.
  bool has_value(Key key) const;

  double number(Key key) const;                            ///< real and integer keys
  std::int64_t integer(Key key) const;                     ///< integer keys
  std::uint64_t seed() const;                              ///< study.seed
  std::string_view choice(Key key) const;                  ///< choice keys
  Vec3 vec3(Key key) const;                                ///< real_list keys of length 3
  const std::vector<double>& list(Key key) const;          ///< real_list keys
  const std::vector<std::string>& texts(Key key) const;    ///< text keys, one entry a line

  /// Sets a number, as a study does for each candidate. Throws DeckError if it is out of range.
  void set(const ParameterAddress& address, double value);

  /// The axes of a sweep. Throws DeckError on bad grammar, an unknown or non-numeric key, a bad value.
  std::vector<SweepAxis> sweep_axes() const;

  /// A deck text with every key that has a value, defaults written out; parses back to the same deck.
  std::string resolved() const;

  /// A DeckError about `key` with its place (file and line, command line, or "not given") in front.
  DeckError error(Key key, const std::string& message) const;

 private:
  struct Value {
    bool given = false;
    bool present = false;
    std::vector<double> numbers;
    std::vector<std::string> texts;
    std::string place;  ///< "deck.ini:12" or "command line"
  };
  std::array<Value, static_cast<std::size_t>(Key::count)> values_;
  std::string name_;
};

/// The address written `section.key` or `section.key[i]` for a numeric key. Throws std::invalid_argument
/// with a message that names the nearest valid key.
ParameterAddress parse_parameter_address(std::string_view text);

/// The typed, cross-checked specification of one member. Throws DeckError when required keys are missing or
/// given keys contradict each other (rod.density and rod.mass, time.step and time.step_per_length, …).
MemberSpec make_member_spec(const Deck& deck);

}  // namespace rodeo
