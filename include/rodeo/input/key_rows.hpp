#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "rodeo/spec/member_spec.hpp"
#include "rodeo/spec/search_spec.hpp"
#include "rodeo/spec/words.hpp"

namespace rodeo {

/// A key of a deck by its place in the table. "rod.length"_key is that of rod.length.
struct Key {
  std::uint16_t place = UINT16_MAX;

  constexpr bool operator==(const Key&) const = default;
};

/// The key of no name.
inline constexpr Key no_key;

enum class ValueType {
  real,       ///< one floating-point number
  integer,    ///< one whole number
  choice,     ///< one of a few words
  real_list,  ///< comma-separated numbers; a Vec3 key has exactly three
  text        ///< free text with a grammar of its own (sweep.axis)
};

/// Value of a key in a deck, according to its type: numbers, or a word.
struct KeyValue {
  std::span<const double> numbers;
  std::string_view word;
  std::string_view choices;  ///< of which it is one
};

/// Sets a field of a specification to the value of a key.
template <class Spec>
using Setter = void (*)(Spec& spec, const KeyValue& value);

/// Field that takes the value of a key as it is. Other keys are computed with, or belong to no member.
using Binding =
    std::variant<std::monostate, Setter<SharedSpec>, Setter<RodSetup>, Setter<RodSpec>, Setter<BoundarySpec>,
                 Setter<LoadSpec>, Setter<GroundSpec>, Setter<MuscleSpec>, Setter<FluidSpec>,
                 Setter<ContactSpec>, Setter<TimeSpec>, Setter<NewtonSpec>, Setter<FunctionSpec>,
                 Setter<SettleSpec>, Setter<BranchSpec>, Setter<SearchSpec>, Setter<StopTolerances>>;

/// One row of the table from which `rodeo keys`, inputs/reference.ini, validation, specifications and
/// messages are made.
struct KeyInfo {
  std::string_view name;  ///< "section.key"
  ValueType type;
  std::string_view unit;          ///< SI unit, "1" for a pure number, empty for words
  std::string_view default_text;  ///< as a deck would write it; empty: no default
  double minimum;                 ///< smallest allowed number
  double maximum;                 ///< largest allowed number
  bool minimum_excluded;          ///< true: the number must be above `minimum`
  std::string_view choices;       ///< "a|b|c" for ValueType::choice
  std::size_t list_length;        ///< required entries of a real_list; 0: any
  bool repeatable;                ///< the key may stand in the deck more than once
  bool formulas;                  ///< what stands in its lines are formulas, which may name tables
  std::string_view text;          ///< one line
  Binding field;
  Key key;  ///< its place in the table
};

}  // namespace rodeo

/// Functions that write the rows of the key table. `field` is a pointer to the member of a specification that
/// takes the value as it is; a key that is computed with has none.
namespace rodeo::keys {

struct Range {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_excluded = false;
};
inline constexpr Range any_number{};
inline constexpr Range positive{.minimum = 0.0, .minimum_excluded = true};
inline constexpr Range not_negative{.minimum = 0.0};

inline constexpr std::string_view no_default = "";

namespace detail {

template <class Member>
struct MemberOf;
template <class Spec_, class Value_>
struct MemberOf<Value_ Spec_::*> {
  using Spec = Spec_;
  using Value = Value_;
};
template <auto field>
using SpecOf = typename MemberOf<decltype(field)>::Spec;
template <auto field>
using ValueOf = typename MemberOf<decltype(field)>::Value;

template <class Number>
requires std::is_arithmetic_v<Number>
void store(Number& field, const KeyValue& value) { field = static_cast<Number>(value.numbers.front()); }
inline void store(bool& field, const KeyValue& value) {
  field = value.word != value.choices.substr(0, value.choices.find('|'));
}
inline void store(std::optional<double>& field, const KeyValue& value) { field = value.numbers.front(); }
inline void store(std::vector<double>& field, const KeyValue& value) {
  field.assign(value.numbers.begin(), value.numbers.end());
}
template <class Three>
requires std::same_as<Three, Vec3> || std::same_as<Three, FrictionCoefficients>
void store(Three& field, const KeyValue& value) {
  field = {value.numbers[0], value.numbers[1], value.numbers[2]};
}
template <class Enum>
requires std::is_enum_v<Enum>
void store(Enum& field, const KeyValue& value) { field = find_word<Enum>(value.word).value(); }

/// Checks that the member has one of the types that such a key fills.
template <auto field, class... Types>
consteval Binding bound() {
  if constexpr (std::same_as<decltype(field), std::nullptr_t>) {
    return {};
  } else {
    static_assert((std::same_as<ValueOf<field>, Types> || ...), "no field for the value of such a key");
    using Spec = SpecOf<field>;
    if constexpr (std::is_constructible_v<Binding, Setter<Spec>>) {
      return Setter<Spec>([](Spec& spec, const KeyValue& value) { store(spec.*field, value); });
    } else {  // of a law that is not the tree's
      return Setter<LoadSpec>([](LoadSpec& load, const KeyValue& value) {
        store(load.own.template change<Spec>().*field, value);
      });
    }
  }
}

consteval KeyInfo row(std::string_view name, ValueType type, std::string_view default_text,
                      std::string_view text, Binding field) {
  constexpr Range any = any_number;
  return {.name = name,
          .type = type,
          .unit = "",
          .default_text = default_text,
          .minimum = any.minimum,
          .maximum = any.maximum,
          .minimum_excluded = false,
          .choices = "",
          .list_length = 0,
          .repeatable = false,
          .formulas = false,
          .text = text,
          .field = field,
          .key = {}};
}

consteval KeyInfo within(Range range, KeyInfo info) {
  info.minimum = range.minimum;
  info.maximum = range.maximum;
  info.minimum_excluded = range.minimum_excluded;
  return info;
}

consteval KeyInfo in_unit(std::string_view unit, KeyInfo info) {
  info.unit = unit;
  return info;
}

consteval KeyInfo among(std::string_view choices, KeyInfo info) {
  info.choices = choices;
  info.minimum = 0.0;  // the places of the words, by which a study holds them
  info.maximum = static_cast<double>(std::ranges::count(choices, '|'));
  return info;
}

consteval KeyInfo reals(std::size_t count, std::string_view unit, KeyInfo info) {
  info.list_length = count;
  return in_unit(unit, info);
}

}  // namespace detail

template <auto field = nullptr>
consteval KeyInfo real(std::string_view name, std::string_view unit, std::string_view default_text,
                       Range range, std::string_view text) {
  const Binding binding = detail::bound<field, double, std::optional<double>>();
  return detail::within(
      range, detail::in_unit(unit, detail::row(name, ValueType::real, default_text, text, binding)));
}

template <auto field = nullptr>
consteval KeyInfo integer(std::string_view name, std::string_view default_text, double minimum,
                          double maximum, std::string_view text) {
  const Binding binding = detail::bound<field, int, std::int64_t>();
  return detail::within(
      {.minimum = minimum, .maximum = maximum},
      detail::in_unit("1", detail::row(name, ValueType::integer, default_text, text, binding)));
}

/// One of the words of an enumeration.
template <auto field>
consteval KeyInfo choice(std::string_view name, std::string_view default_text, std::string_view text) {
  using Enum = detail::ValueOf<field>;
  const Binding binding = detail::bound<field, Enum>();
  return detail::among(choices<Enum>, detail::row(name, ValueType::choice, default_text, text, binding));
}

/// One of some words that stand for no enumeration.
consteval KeyInfo choice(std::string_view name, std::string_view default_text, std::string_view words,
                         std::string_view text) {
  return detail::among(words, detail::row(name, ValueType::choice, default_text, text, {}));
}

/// One of two words: the second one sets `field`.
template <auto field>
consteval KeyInfo flag(std::string_view name, std::string_view default_text, std::string_view words,
                       std::string_view text) {
  const Binding binding = detail::bound<field, bool>();
  return detail::among(words, detail::row(name, ValueType::choice, default_text, text, binding));
}

template <auto field = nullptr>
consteval KeyInfo real_list(std::string_view name, std::string_view unit, std::string_view text,
                            Range range = any_number, std::string_view default_text = no_default) {
  const Binding binding = detail::bound<field, std::vector<double>>();
  return detail::within(
      range, detail::in_unit(unit, detail::row(name, ValueType::real_list, default_text, text, binding)));
}

template <auto field = nullptr>
consteval KeyInfo vec3(std::string_view name, std::string_view unit, std::string_view default_text,
                       std::string_view text) {
  const Binding binding = detail::bound<field, Vec3>();
  return detail::reals(3, unit, detail::row(name, ValueType::real_list, default_text, text, binding));
}

consteval KeyInfo pair(std::string_view name, std::string_view unit, std::string_view default_text,
                       std::string_view text) {
  return detail::reals(2, unit, detail::row(name, ValueType::real_list, default_text, text, {}));
}

template <auto field>
consteval KeyInfo friction(std::string_view name, std::string_view text,
                           std::string_view default_text = "0, 0, 0") {
  const Binding binding = detail::bound<field, FrictionCoefficients>();
  return detail::within(
      not_negative,
      detail::reals(3, "1", detail::row(name, ValueType::real_list, default_text, text, binding)));
}

consteval KeyInfo free_text(std::string_view name, std::string_view text,
                            std::string_view default_text = no_default) {
  return detail::row(name, ValueType::text, default_text, text, {});
}

consteval KeyInfo repeatable_text(std::string_view name, std::string_view text) {
  KeyInfo info = free_text(name, text);
  info.repeatable = true;
  return info;
}

/// Text with formulas in it, which may name tables.
consteval KeyInfo formulas(std::string_view name, std::string_view text) {
  KeyInfo info = free_text(name, text);
  info.formulas = true;
  return info;
}

consteval KeyInfo repeatable_formulas(std::string_view name, std::string_view text) {
  KeyInfo info = formulas(name, text);
  info.repeatable = true;
  return info;
}

/// The rows of several lists as one table.
template <std::size_t... sizes>
consteval auto joined(const std::array<KeyInfo, sizes>&... sections) {
  std::array<KeyInfo, (sizes + ...)> table{};
  std::uint16_t next = 0;
  const auto add = [&](const auto& section) {
    for (const KeyInfo& row : section) {
      table[next] = row;
      table[next].key = Key{next};
      ++next;
    }
  };
  (add(sections), ...);
  return table;
}

}  // namespace rodeo::keys
