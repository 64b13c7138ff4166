#include <algorithm>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/observe/trajectory_fields.hpp"

namespace rodeo {

namespace {

std::string field_names() {
  std::string names;
  for (std::size_t k = 1; k < trajectory_fields.size(); ++k) {
    names += (k > 1 ? ", " : "") + std::string(trajectory_fields[k].name);
  }
  return names;
}

}  // namespace

std::vector<std::size_t> further_fields(const Deck& deck) {
  std::vector<std::size_t> fields;
  if (!deck.is_given(Key::output_fields)) return fields;
  if (deck.integer(Key::output_frames) == 0) {
    throw deck.error(Key::output_fields, "needs output.frames (" + deck.place(Key::output_frames) +
                                             "), which is 0: no trajectory");
  }
  for (const std::string_view name : split(deck.texts(Key::output_fields).front(), ',')) {
    const auto found = std::ranges::find(trajectory_fields, name, &TrajectoryField::name);
    const auto field = static_cast<std::size_t>(found - trajectory_fields.begin());
    if (field == 0) throw deck.error(Key::output_fields, "'position' is always stored: leave it out");
    if (field == trajectory_fields.size()) {
      throw deck.error(Key::output_fields, in_quotes(name) + " is not a field; there are " + field_names());
    }
    if (std::ranges::find(fields, field) != fields.end()) {
      throw deck.error(Key::output_fields, in_quotes(name) + " stands there twice");
    }
    fields.push_back(field);
  }
  std::ranges::sort(fields);
  return fields;
}

}  // namespace rodeo
