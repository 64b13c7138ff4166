#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/keys.hpp"

#include "deck_limits.hpp"
#include "points_file.hpp"
#include "sweep_axis.hpp"

namespace rodeo {

namespace {

/// Throws std::invalid_argument if a sampler cannot draw values of an axis, alone or moving with others.
void check_sampled(const SweepAxis& axis, bool alone) {
  const std::string grid_alone = ", which sweep.sampler = grid alone can vary";
  if (key_info(axis.address.key).type == ValueType::choice) {
    throw std::invalid_argument(axis.address.name() + " takes words" + grid_alone);
  }
  if (axis.listed && !alone) {
    throw std::invalid_argument(axis.address.name() + " moves together with another key by a list" +
                                grid_alone + "; give linspace or logspace");
  }
}

}  // namespace

std::vector<SweepAxis> Deck::sweep_axes() const {
  const Value& lines = values_["sweep.axis"_key.place];
  const std::string sampler(choice("sweep.sampler"_key));
  if (choice("study.kind"_key) == "sweep") {
    if (has_value("sweep.points"_key)) {
      throw error("sweep.points"_key, "is read with the file of a deck, and this is none");
    }
    if (lines.texts.empty()) {
      throw missing_error("sweep.axis"_key, "study.kind = sweep needs at least one, or sweep.points");
    }
    if (sampler != "grid" && !has_value("sweep.samples"_key)) {
      throw missing_error("sweep.samples"_key, "sweep.sampler = " + sampler + " needs it");
    }
  }
  std::vector<SweepAxis> axes;
  std::size_t values_left = most_axis_values;
  std::size_t line = 0;
  for_each_line("sweep.axis"_key, [&](const std::string& text, const std::string&) {
    std::vector<SweepAxis> together = parse_sweep_line(text, values_left);
    for (SweepAxis& axis : together) {
      check_varied(axis.address);
      if (sampler != "grid") check_sampled(axis, together.size() == 1);
      const auto earlier = std::ranges::find(axes, axis.address, &SweepAxis::address);
      if (earlier != axes.end()) {
        throw std::invalid_argument(axis.address.name() + " has an axis already, in " +
                                    lines.places[earlier->line]);
      }
      values_left -= axis.values.size();
      axis.line = line;
      axes.push_back(std::move(axis));
    }
    ++line;
  });
  return axes;
}

void Deck::take_points(const std::string& deck_path) {
  if (choice("study.kind"_key) != "sweep" || !has_value("sweep.points"_key)) return;
  if (choice("sweep.sampler"_key) != "grid") {
    throw error(
        "sweep.points"_key,
        "lists the candidates themselves, and sweep.sampler = " + std::string(choice("sweep.sampler"_key)) +
            " (" + place("sweep.sampler"_key) + ") draws its own: leave one of them out");
  }
  const std::filesystem::path path = texts("sweep.points"_key).front();
  const std::string file = (std::filesystem::path(deck_path).parent_path() / path).string();
  std::string line;
  for (const PointColumn& column : read_points(file, place("sweep.points"_key))) {
    try {
      check_varied(column.address);
    } catch (const std::invalid_argument& reason) {
      throw DeckError(column.place + ": " + reason.what());
    }
    line.append(line.empty() ? "" : " with ").append(column.address.name());
    line.append(" : list(").append(column.values).append(")");
  }
  Value& axes = values_["sweep.axis"_key.place];
  axes.given = true;
  axes.texts.insert(axes.texts.begin(), std::move(line));
  axes.places.insert(axes.places.begin(), file);
  values_["sweep.points"_key.place] = {};
  points_file_ = file;
}

void Deck::drop_sweep_axes() {
  values_["sweep.axis"_key.place] = {};
  values_["study.scenarios"_key.place] = {};
}

SweepAxis Deck::convergence_axis() const {
  if (!has_value("convergence.axis"_key)) {
    throw missing_error("convergence.axis"_key, "study.kind = convergence needs it");
  }
  SweepAxis axis;
  for_each_line("convergence.axis"_key, [&](const std::string& text, const std::string&) {
    const std::vector<SweepAxis> axes = parse_sweep_line(text, most_axis_values);
    if (axes.size() > 1) throw std::invalid_argument("refines by one key alone, not by several together");
    axis = axes.front();
    if (key_info(axis.address.key).type == ValueType::choice) {
      throw std::invalid_argument(axis.address.name() + " is not a number, by which levels could be refined");
    }
    check_varied(axis.address);
  });
  return axis;
}

}  // namespace rodeo
