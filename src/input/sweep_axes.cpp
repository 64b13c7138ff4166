#include <algorithm>
#include <stdexcept>
#include <utility>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/keys.hpp"

#include "deck_limits.hpp"
#include "sweep_axis.hpp"

namespace rodeo {

std::vector<SweepAxis> Deck::sweep_axes() const {
  const Value& lines = values_["sweep.axis"_key.place];
  if (choice("study.kind"_key) == "sweep") {
    if (lines.texts.empty()) throw missing_error("sweep.axis"_key, "study.kind = sweep needs at least one");
    const std::string sampler(choice("sweep.sampler"_key));
    if (sampler != "grid" && !has_value("sweep.samples"_key)) {
      throw missing_error("sweep.samples"_key, "sweep.sampler = " + sampler + " needs it");
    }
  }
  std::vector<SweepAxis> axes;
  std::size_t values_left = most_axis_values;
  for_each_line("sweep.axis"_key, [&](const std::string& text, const std::string&) {
    SweepAxis axis = parse_sweep_axis(text, values_left);
    refuse_each_rod(axis.address);
    if (key_info(axis.address.key).type == ValueType::choice && choice("sweep.sampler"_key) != "grid") {
      throw std::invalid_argument(axis.address.name() +
                                  " takes words, which sweep.sampler = grid alone can vary");
    }
    const auto earlier = std::ranges::find(axes, axis.address, &SweepAxis::address);
    if (earlier != axes.end()) {
      throw std::invalid_argument(axis.address.name() + " has an axis already, in " +
                                  lines.places[static_cast<std::size_t>(earlier - axes.begin())]);
    }
    values_left -= axis.values.size();
    axes.push_back(std::move(axis));
  });
  return axes;
}

SweepAxis Deck::convergence_axis() const {
  if (!has_value("convergence.axis"_key)) {
    throw missing_error("convergence.axis"_key, "study.kind = convergence needs it");
  }
  SweepAxis axis;
  for_each_line("convergence.axis"_key, [&](const std::string& text, const std::string&) {
    axis = parse_sweep_axis(text, most_axis_values);
    if (key_info(axis.address.key).type == ValueType::choice) {
      throw std::invalid_argument(axis.address.name() + " is not a number, by which levels could be refined");
    }
    refuse_each_rod(axis.address);
  });
  return axis;
}

}  // namespace rodeo
