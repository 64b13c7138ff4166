#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/key_effects.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

#include "value_line.hpp"

namespace rodeo {

namespace {

/// The keys of a line of sweep.axis: "rod.length with rod.radius".
std::string keys_of(std::string_view text) {
  std::string keys;
  do {
    const ValueLine line(text, {"sweep.axis"_key});
    keys += (keys.empty() ? "" : " with ") + parse_parameter_address(line.address).name();
    text = line.rest;
  } while (!text.empty());
  return keys;
}

/// The line that varies these keys. Throws DeckError, which `place` begins.
std::string& line_over(std::vector<std::string>& lines, const std::string& keys, const std::string& place) {
  const auto found =
      std::ranges::find_if(lines, [&](const std::string& line) { return keys_of(line) == keys; });
  if (found != lines.end()) return *found;
  std::string there;
  for (const std::string& line : lines) there += (there.empty() ? "" : "; ") + keys_of(line);
  throw DeckError(place + ": the campaign has no axis over " + keys +
                  ", for which its members would have no value; it varies " +
                  (there.empty() ? "nothing" : there));
}

std::string list_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + format_real(number);
  return text;
}

/// Lines of a deck in their sections.
class DeckText {
 public:
  void add(std::string_view name, const std::string& value) {
    const std::size_t dot = name.find('.');
    if (name.substr(0, dot) != section_) {
      section_ = name.substr(0, dot);
      text_ += (text_.empty() ? "[" : "\n[") + section_ + "]\n";
    }
    text_.append(name.substr(dot + 1)).append(" = ").append(value).append("\n");
  }

  const std::string& text() const { return text_; }

 private:
  std::string section_;
  std::string text_;
};

/// The path of a file that a deck has read, from anywhere.
std::string absolute_path(const std::string& file) {
  return std::filesystem::absolute(file).lexically_normal().string();
}

/// A bound as a person writes it: 1000000 rather than 1e+06.
std::string format_bound(double bound) {
  if (bound == 0x1p64) return "18446744073709551615";  // the largest seed, which no double holds
  constexpr double largest_plain = 1e15;
  if (bound == std::floor(bound) && std::abs(bound) < largest_plain) {
    return std::to_string(static_cast<std::int64_t>(bound));
  }
  return format_real(bound);
}

/// " > 0", " in [1, 1000000]", or nothing.
std::string format_range(const KeyInfo& info) {
  const bool bounded_below = std::isfinite(info.minimum);
  const bool bounded_above = std::isfinite(info.maximum);
  if (bounded_below && bounded_above) {
    return (info.minimum_excluded ? " in (" : " in [") + format_bound(info.minimum) + ", " +
           format_bound(info.maximum) + "]";
  }
  if (bounded_below) return (info.minimum_excluded ? " > " : " >= ") + format_bound(info.minimum);
  if (bounded_above) return " <= " + format_bound(info.maximum);
  return {};
}

std::string_view section_of(std::string_view name) { return name.substr(0, name.find('.')); }

}  // namespace

Deck Deck::parse_stored(const std::string& text, const std::string& name) {
  Deck deck = parse(text, name);
  // A stored deck has all defaults written out: what it lacks came later, and had this value before.
  const auto set = [&](Key key, const std::string& word, std::vector<double> numbers) {
    deck.values_[key.place] = {.given = true,
                               .numbers = std::move(numbers),
                               .texts = word.empty() ? std::vector<std::string>{} : std::vector{word},
                               .places = {name}};
  };
  if (!deck.is_given("rod.damping_law"_key)) set("rod.damping_law"_key, "published", {});
  if (!deck.is_given("observe.energy_tolerance"_key)) {
    set("observe.energy_tolerance"_key, "", {1e9});
    // Explicit steps of cosserat had the published sections if nothing was said, under the name of those that
    // came with this key.
    const bool given = deck.is_given("model.section"_key);
    const bool narrow =
        given ? deck.choice("model.section"_key) == "incompressible"
              : deck.choice("model.kind"_key) == "cosserat" && deck.choice("time.method"_key) == "dynamic";
    if (narrow) set("model.section"_key, "published", {});
  }
  return deck;
}

Deck Deck::parse_extended(const std::string& text, const std::string& name,
                          const std::vector<std::string>& overrides) {
  const Deck stored = parse_stored(text, name);
  std::vector<std::string> lines = stored.texts("sweep.axis"_key);
  std::vector<std::string> changes;
  for (const std::string& override_text : overrides) {
    const Assignment change = parse_override(override_text);
    if (find_key(change.name) != "sweep.axis"_key) {
      changes.push_back(override_text);
      continue;
    }
    located(change.place + ": sweep.axis",
            [&] { line_over(lines, keys_of(change.value), change.place) = change.value; });
  }
  for (const std::string& line : lines) changes.push_back("sweep.axis=" + line);
  Deck deck = parse(stored.resolved(), name, changes);
  if (deck.has_value("sweep.points"_key)) deck.take_points_again();
  return deck;
}

void Deck::take_points_again() {
  const std::string& place = points_file_;
  take_points("");
  Value& axes = values_["sweep.axis"_key.place];
  std::vector<std::string> earlier(axes.texts.begin() + 1, axes.texts.end());
  const auto keys = keys_of(axes.texts.front());
  const std::string& old = line_over(earlier, keys, place);
  const auto line = &old - earlier.data() + 1;
  axes.texts[static_cast<std::size_t>(line)] = std::move(axes.texts.front());
  axes.texts.erase(axes.texts.begin());
  axes.places.erase(axes.places.begin());
}

std::string Deck::text(bool names_files) const {
  DeckText deck;
  const bool names_points = names_files && !points_file_.empty();
  const bool names_data = names_files && !data_file_.empty();
  const bool names_scene = names_files && !scene_file_.empty();
  // The file that a key names, and how many lines of another one it holds, which come first there.
  const auto file_of = [&](Key key) -> std::string {
    if (names_points && key == "sweep.points"_key) return absolute_path(points_file_);
    if (names_scene && key == "rod.scene"_key) return absolute_path(scene_file_);
    if (names_data && key == "measure.data"_key) return absolute_path(data_file_);
    return names_scene && key == "rod.placement"_key ? "file" : "";
  };
  const auto lines_of_file = [&](Key key) -> std::size_t {
    if (names_points && key == "sweep.axis"_key) return 1;
    if (names_data && key == "measure.point"_key) return data_points_;
    return names_scene && key == "rod.each"_key ? scene_columns_ : 0;
  };
  for (const KeyInfo& info : key_table()) {
    if (info.key == "variable.NAME"_key) {
      for (const Variable& variable : variables_) {
        deck.add(std::string(variable_section) + variable.name, list_text(variable.numbers));
      }
    }
    if (const std::string file = file_of(info.key); !file.empty()) {
      deck.add(info.name, file);
      continue;
    }
    const Value& value = values_[info.key.place];
    for (std::size_t line = lines_of_file(info.key); line < value.texts.size(); ++line) {
      deck.add(info.name, value.texts[line]);
    }
    if (value.numbers.empty()) continue;
    deck.add(info.name, info.key == "study.seed"_key          ? std::to_string(seed_)
                        : info.key == "study.member_seed"_key ? std::to_string(member_seed_)
                                                              : list_text(value.numbers));
  }
  return deck.text();
}

std::string allowed_values(const KeyInfo& info) {
  switch (info.type) {
    case ValueType::real:
      return "real" + format_range(info);
    case ValueType::integer:
      return "integer" + format_range(info);
    case ValueType::choice:
      return "one of " + std::string(info.choices);
    case ValueType::real_list:
      return (info.list_length == 0 ? "comma-separated reals"
                                    : std::to_string(info.list_length) + " comma-separated reals") +
             format_range(info);
    case ValueType::text:
      return info.repeatable ? "text, repeatable" : "text";
  }
  return {};
}

std::string reference_deck() {
  std::string deck =
      "# Every key of a rodeo deck, made from the key table (include/rodeo/input/keys).\n"
      "# Keys with a default stand with it; keys without one are commented out. SI units.\n";
  std::string_view section;
  for (const KeyInfo& info : key_table()) {
    if (section_of(info.name) != section) {
      section = section_of(info.name);
      deck.append("\n[").append(section).append("]\n");
    }
    deck.append("\n# ").append(info.text).append("\n# ").append(allowed_values(info));
    if (!info.unit.empty()) deck.append("; unit ").append(info.unit);
    const std::string_view name_in_section = info.name.substr(section.size() + 1);
    deck.append(info.default_text.empty() ? "; no default" : "; default ").append(info.default_text);
    if (const std::string need = own_need(info.key); !need.empty()) deck.append("; needs ").append(need);
    deck.append("\n");
    if (info.default_text.empty()) {
      deck.append("# ").append(name_in_section).append(" =\n");
    } else {
      deck.append(name_in_section).append(" = ").append(info.default_text).append("\n");
    }
  }
  return deck;
}

}  // namespace rodeo
