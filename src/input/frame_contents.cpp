#include "rodeo/input/frame_contents.hpp"

#include <algorithm>
#include <optional>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/observe/trajectory_fields.hpp"

#include "line_reader.hpp"
#include "nearest_name.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

constexpr double most_kept = 1e6;

/// Nothing if the text is none of those there are.
std::optional<KeptFrames> parsed(std::string_view text) {
  using Kind = KeptFrames::Kind;
  if (text == "all") return KeptFrames{Kind::all};
  if (text == "none") return KeptFrames{Kind::none};
  constexpr std::string_view best = "best ";
  if (!text.starts_with(best)) return std::nullopt;
  const std::optional<double> count = parse_real(trimmed(text.substr(best.size())));
  if (!count || *count < 1.0 || *count > most_kept) return std::nullopt;
  const auto whole = static_cast<std::uint64_t>(*count);
  if (static_cast<double>(whole) != *count) return std::nullopt;
  return KeptFrames{Kind::best, whole};
}

}  // namespace

KeptFrames kept_frames(const Deck& deck) {
  const std::string& text = deck.texts("output.keep"_key).front();
  const std::optional<KeptFrames> kept = parsed(text);
  if (!kept) {
    throw deck.error("output.keep"_key,
                     in_quotes(text) + " is not all, none or best K with a whole K from 1 to 1000000");
  }
  if (kept->kind == KeptFrames::Kind::all) return *kept;
  if (deck.choice("study.kind"_key) == "convergence") {
    throw deck.error("output.keep"_key, "must be all in a convergence study: its errors are those of frames");
  }
  if (kept->kind == KeptFrames::Kind::none) return *kept;
  if (!deck.has_value("study.objective"_key)) {
    throw deck.missing_error("study.objective"_key, "output.keep = " + text + " asks for the best by it");
  }
  if (deck.has_value("optimize.constraint"_key)) {
    throw deck.error(
        "output.keep"_key,
        "must be all or none with optimize.constraint: the best by study.objective alone may violate it");
  }
  if (deck.integer("output.frames"_key) == 0) {
    throw deck.error("output.keep"_key, "needs output.frames (" + deck.place("output.frames"_key) +
                                            "), which is 0: no trajectory");
  }
  return *kept;
}

namespace {

std::size_t named_field(const Deck& deck, Key key, std::string_view name) {
  const auto found = std::ranges::find(trajectory_fields, name, &TrajectoryField::name);
  const auto field = static_cast<std::size_t>(found - trajectory_fields.begin());
  if (field == 0) throw deck.error(key, "'position' is always stored: leave it out");
  if (field < trajectory_fields.size()) return field;
  std::string names;
  for (std::size_t k = 1; k < trajectory_fields.size(); ++k) {
    names += (k > 1 ? ", " : "") + std::string(trajectory_fields[k].name);
  }
  throw deck.error(key, in_quotes(name) + " is not a field; there are " + names);
}

std::size_t named_frame_observable(const Deck& deck, Key key, std::string_view name) {
  const std::size_t place = named_observable(deck, key, name);
  const ObservableList list = observables_of(deck);
  if (list[place].known == Known::always) return place;
  throw deck.error(key, in_quotes(name) + " is known at the end of a member only (" +
                            std::string(list[place].text) + "): /members/observables has it");
}

/// The places of the names that a key of frames lists, in ascending order.
std::vector<std::size_t> named_places(const Deck& deck, Key key,
                                      std::size_t (*place_of)(const Deck&, Key, std::string_view)) {
  std::vector<std::size_t> places;
  if (!deck.is_given(key) || deck.integer("output.frames"_key) == 0) return places;
  for (const std::string_view name : split(deck.texts(key).front(), ',')) {
    const std::size_t place = place_of(deck, key, name);
    if (std::ranges::find(places, place) != places.end()) {
      throw deck.error(key, in_quotes(name) + " stands there twice");
    }
    places.push_back(place);
  }
  std::ranges::sort(places);
  return places;
}

/// Reads the number of one of so many rods.
int rod_number(LineReader& in, int count) {
  in.skip_blanks();
  const std::size_t begin = in.at();
  const int number = in.integer();
  if (number < -count || number >= count)
    in.fail(begin, "there is no such rod: they are 0 to " + std::to_string(count - 1));
  return number < 0 ? number + count : number;
}

/// Marks the rods that stand before the next comma: K, K to L, every N, or K to L every N.
void choose_rods(LineReader& in, std::vector<bool>& chosen) {
  const int count = static_cast<int>(chosen.size());
  in.skip_blanks();
  const std::size_t begin = in.at();
  int first = 0;
  int last = count - 1;
  bool several = in.take_word("every");
  if (!several) {
    first = rod_number(in, count);
    last = in.take_word("to") ? rod_number(in, count) : first;
    if (last < first) in.fail(begin, "this range has no rod");
    several = last > first && in.take_word("every");
  }
  int step = 1;
  if (several) {
    in.skip_blanks();
    const std::size_t at = in.at();
    step = in.integer();
    if (step < 1) in.fail(at, "every N takes an N of 1 or more");
  }
  for (std::int64_t k = first; k <= last; k += step) {
    const auto rod = static_cast<std::size_t>(k);
    if (chosen[rod]) in.fail(begin, "rod " + std::to_string(k) + " stands there twice");
    chosen[rod] = true;
  }
}

/// Whether each of so many rods is chosen.
std::vector<bool> chosen_rods(const std::string& text, int count) {
  std::vector<bool> chosen(static_cast<std::size_t>(count), false);
  LineReader in(text);
  do {
    choose_rods(in, chosen);
  } while (in.take(','));
  if (!in.at_end()) in.fail(in.at(), "rods are all, or a list of K, K to L, every N and K to L every N");
  return chosen;
}

}  // namespace

std::vector<int> frame_rods(const Deck& deck, int count) {
  constexpr Key key = "output.rods"_key;
  const std::string& text = deck.texts(key).front();
  if (text == "all" || deck.integer("output.frames"_key) == 0) return {};
  if (count == 1) throw deck.error(key, "chooses among several rods, and members have one");
  if (deck.choice("study.kind"_key) == "convergence") {
    throw deck.error(key, "must be all in a convergence study: its errors are those of all nodes");
  }
  std::vector<int> rods;
  const std::vector<bool> chosen = deck.reading(key, [&] { return chosen_rods(text, count); });
  for (int rod = 0; rod < count; ++rod) {
    if (chosen[static_cast<std::size_t>(rod)]) rods.push_back(rod);
  }
  if (static_cast<int>(rods.size()) == count) return {};
  return rods;
}

std::vector<std::size_t> further_fields(const Deck& deck) {
  return named_places(deck, "output.fields"_key, named_field);
}

std::vector<std::size_t> frame_observables(const Deck& deck) {
  return named_places(deck, "output.observables"_key, named_frame_observable);
}

}  // namespace rodeo
