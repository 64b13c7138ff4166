#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "rodeo/spec/member_spec.hpp"
#include "rodeo/spec/search_spec.hpp"

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
