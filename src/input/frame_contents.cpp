#include <algorithm>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/measures.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/observable_place.hpp"
#include "rodeo/observe/trajectory_fields.hpp"

#include "edit_distance.hpp"

namespace rodeo {

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

}  // namespace

std::vector<std::size_t> further_fields(const Deck& deck) {
  return named_places(deck, "output.fields"_key, named_field);
}

std::size_t observable_place(const ObservableList& list, std::string_view name) {
  const std::size_t place = list.index(name);
  if (place < list.size()) return place;
  std::vector<std::string_view> known;
  std::string names;
  for (std::size_t k = 0; k < list.size(); ++k) {
    known.push_back(list[k].name);
    names.append(" ").append(list[k].name);
  }
  const std::string_view nearest = nearest_name(name, known);
  const std::string guess = nearest.empty() ? "" : "did you mean " + std::string(nearest) + "? ";
  throw std::invalid_argument(in_quotes(name) + " is no observable; " + guess + "there are:" + names);
}

std::size_t named_observable(const Deck& deck, Key key, std::string_view name) {
  try {
    return observable_place(observables_of(deck), name);
  } catch (const std::invalid_argument& reason) {
    throw deck.error(key, reason.what());
  }
}

std::vector<std::size_t> frame_observables(const Deck& deck) {
  return named_places(deck, "output.observables"_key, named_frame_observable);
}

}  // namespace rodeo
