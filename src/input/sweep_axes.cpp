#include <stdexcept>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/deck_limits.hpp"
#include "rodeo/input/sweep_axis.hpp"

namespace rodeo {

std::vector<SweepAxis> Deck::sweep_axes() const {
  const Value& lines = values_[static_cast<std::size_t>(Key::sweep_axis)];
  if (choice(Key::study_kind) == "sweep") {
    if (lines.texts.empty()) throw missing_error(Key::sweep_axis, "study.kind = sweep needs at least one");
    const std::string sampler(choice(Key::sweep_sampler));
    if (sampler != "grid" && !has_value(Key::sweep_samples)) {
      throw missing_error(Key::sweep_samples, "sweep.sampler = " + sampler + " needs it");
    }
  }
  std::vector<SweepAxis> axes;
  std::size_t values_left = most_axis_values;
  for (std::size_t line = 0; line < lines.texts.size(); ++line) {
    const std::string start = lines.places[line] + ": sweep.axis: ";
    try {
      axes.push_back(parse_sweep_axis(lines.texts[line], values_left));
      refuse_each_rod(axes.back().address);
    } catch (const std::invalid_argument& reason) {
      throw DeckError(start + reason.what());
    }
    const ParameterAddress& address = axes.back().address;
    for (std::size_t earlier = 0; earlier < line; ++earlier) {
      if (axes[earlier].address == address) {
        throw DeckError(start + address.name() + " has an axis already, in " + lines.places[earlier]);
      }
    }
    values_left -= axes.back().values.size();
  }
  return axes;
}

SweepAxis Deck::convergence_axis() const {
  const Value& line = values_[static_cast<std::size_t>(Key::convergence_axis)];
  if (line.texts.empty()) throw missing_error(Key::convergence_axis, "study.kind = convergence needs it");
  try {
    SweepAxis axis = parse_sweep_axis(line.texts.front(), most_axis_values);
    refuse_each_rod(axis.address);
    return axis;
  } catch (const std::invalid_argument& reason) {
    throw DeckError(line.places.front() + ": convergence.axis: " + reason.what());
  }
}

}  // namespace rodeo
