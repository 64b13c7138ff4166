#include <algorithm>
#include <stdexcept>
#include <utility>

#include "rodeo/input/deck.hpp"
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

}  // namespace rodeo
