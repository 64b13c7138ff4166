#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "rodeo/input/key_rows.hpp"
#include "rodeo/input/keys/ends_and_connections.hpp"
#include "rodeo/input/keys/model_and_rod.hpp"
#include "rodeo/input/keys/run_and_branch.hpp"
#include "rodeo/input/keys/study.hpp"
#include "rodeo/input/keys/surroundings_and_control.hpp"

// The keys of laws of one's own, which src/own_laws.cmake lists.
#ifdef RODEO_OWN_KEYS
#include RODEO_OWN_KEYS
#else
namespace rodeo::keys {
inline constexpr std::array<KeyInfo, 0> own = {};
}
#endif

namespace rodeo {

namespace keys {

/// All keys, in the order of inputs/reference.ini.
inline constexpr auto table =
    joined(study, model_and_rod, ends_and_connections, surroundings_and_control, run_and_branch, own);

}  // namespace keys

constexpr std::span<const KeyInfo> key_table() { return keys::table; }

/// Section of variables, whose names a deck chooses itself.
inline constexpr std::string_view variable_section = "variable.";

/// The key of that name, or no_key. All variables have one, the row of variable.NAME.
constexpr Key find_key(std::string_view name) {
  if (name.starts_with(variable_section)) name = "variable.NAME";
  for (const KeyInfo& info : key_table()) {
    if (info.name == name) return info.key;
  }
  return no_key;
}

/// The key of that name. A name that the table lacks does not compile.
consteval Key operator""_key(const char* name, std::size_t length) {
  const Key key = find_key({name, length});
  if (key == no_key) throw std::invalid_argument("decks have no such key");
  return key;
}

constexpr const KeyInfo& key_info(Key key) { return keys::table[key.place]; }

/// A key and the field that it fills.
template <class Spec>
struct Field {
  Key key;
  Setter<Spec> set = nullptr;
};

/// The fields of a specification that keys fill.
template <class Spec>
inline constexpr auto fields_of = [] {
  constexpr auto fills = [](const KeyInfo& info) { return std::holds_alternative<Setter<Spec>>(info.field); };
  std::array<Field<Spec>, static_cast<std::size_t>(std::ranges::count_if(keys::table, fills))> fields;
  auto next = fields.begin();
  for (const KeyInfo& info : keys::table) {
    if (fills(info)) *next++ = {info.key, std::get<Setter<Spec>>(info.field)};
  }
  return fields;
}();

/// The valid key name nearest to `name` (edit distance), or empty if none is near.
std::string_view nearest_key(std::string_view name);

/// "unknown key 'rod.lenght'; did you mean rod.length?"
std::string unknown_key_message(std::string_view name);

/// "real > 0", "integer in [1, 100000]", "one of a|b|c": the allowed values of a key, for messages and lists.
std::string allowed_values(const KeyInfo& info);

/// The text of inputs/reference.ini: every key with its type, unit, default, range, need and meaning.
std::string reference_deck();

}  // namespace rodeo
