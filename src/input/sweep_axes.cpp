#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "rodeo/input/number_text.hpp"

#include "csv_lines.hpp"
#include "deck_checks.hpp"
#include "formula_text.hpp"
#include "value_line.hpp"

namespace rodeo {

namespace {

using Values = std::vector<double>;

[[noreturn]] void refuse_axis(std::string_view form, const std::string& reason) {
  throw std::invalid_argument(std::string(form) + " " + reason);
}

Values linear_values(double first, double last, std::size_t count) {
  const auto intervals = static_cast<double>(count - 1);
  Values values(count);
  for (std::size_t index = 0; index < count; ++index) {
    // Products before the division: whole numbers stay whole, tenths are the doubles nearest to them.
    const auto step = static_cast<double>(index);
    values[index] = (first * (intervals - step) + last * step) / intervals;
  }
  values.front() = first;
  values.back() = last;
  return values;
}

Values geometric_values(double first, double last, std::size_t count) {
  if (first <= 0.0 || last <= 0.0) {
    refuse_axis("logspace", "takes the first and the last value themselves, both above 0 (not exponents)");
  }
  Values values = linear_values(std::log10(first), std::log10(last), count);
  for (double& value : values) value = std::pow(10.0, value);
  values.front() = first;
  values.back() = last;
  return values;
}

/// Removes the rounding of pow() from values that are whole numbers, as in logspace(8,128,5) over
/// rod.elements.
void snap_to_whole_numbers(Values& values) {
  constexpr double rounding = 1e-12;
  for (double& value : values) {
    const double whole = std::round(value);
    if (std::abs(value - whole) <= rounding * whole) value = whole;
  }
}

Values spaced_values(const ValueLine& line, const KeyInfo& info, const Deck& deck, std::size_t most_values) {
  const auto number = [&](std::size_t k) { return parse_expression(line.arguments[k], &deck); };
  const double count = number(2);
  const std::string written = in_quotes(line.arguments[2]);
  if (count < 2.0 || count != std::floor(count)) {
    refuse_axis(line.form, "takes a whole number of at least 2 values, not " + written +
                               "; one value is written list(v)");
  }
  if (count > static_cast<double>(most_values)) {
    refuse_axis(line.form, "with " + written + " values is too long: at most " + std::to_string(most_values) +
                               " more fit in a sweep");
  }
  const auto values = line.form == "linspace" ? linear_values : geometric_values;
  Values spaced = values(number(0), number(1), static_cast<std::size_t>(count));
  if (line.form == "logspace" && info.type == ValueType::integer) snap_to_whole_numbers(spaced);
  for (const double value : spaced) check_value(info, value);
  return spaced;
}

SweepAxis axis_of(const ValueLine& line, const Deck& deck, std::size_t most_values) {
  const std::vector<ParameterAddress> addresses = parse_parameter_addresses(line.address);
  if (addresses.size() > 1) {
    refuse_text(
        line.address,
        "names several entries of a list; name one, and those that move with it behind the word with");
  }
  SweepAxis axis;
  axis.address = addresses.front();
  axis.logarithmic = line.form == "logspace";
  axis.listed = line.form == "list";
  const KeyInfo& info = key_info(axis.address.key);
  if (info.type == ValueType::choice && !axis.listed) {
    refuse_axis(info.name,
                "takes words: list(" + std::string(info.choices.substr(0, info.choices.find('|'))) + ",...)");
  }
  if (!axis.listed) {
    axis.values = spaced_values(line, info, deck, most_values);
  } else if (line.arguments.size() > most_values) {
    refuse_axis("list",
                "is too long: at most " + std::to_string(most_values) + " more values fit in a sweep");
  } else {
    for (const std::string_view value : line.arguments) axis.values.push_back(parse_value(info, value, deck));
  }
  const auto [lower, upper] = std::ranges::minmax(axis.values);
  axis.lower = lower;
  axis.upper = upper;
  return axis;
}

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

/// Whether a line is the name of a file.
bool names_file(std::string_view text) { return text.find(':') == text.npos; }

}  // namespace

std::vector<SweepAxis> parse_sweep_line(std::string_view text, const Deck& deck, std::size_t most_values) {
  std::vector<SweepAxis> axes;
  do {
    const ValueLine line(text, {"sweep.axis"_key});
    axes.push_back(axis_of(line, deck, most_values));
    most_values -= axes.back().values.size();
    text = line.rest;
    const SweepAxis& first = axes.front();
    if (axes.back().values.size() == first.values.size()) continue;
    throw std::invalid_argument(
        axes.back().address.name() + " has " + std::to_string(axes.back().values.size()) + " values, and " +
        first.address.name() + ", with which it moves, has " + std::to_string(first.values.size()));
  } while (!text.empty());
  return axes;
}

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
    std::vector<SweepAxis> together = parse_sweep_line(text, *this, values_left);
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

std::string Deck::line_of(const std::vector<PointColumn>& columns) const {
  std::string line;
  for (const PointColumn& column : columns) {
    located(column.place, [&] { check_varied(column.address); });
    line.append(line.empty() ? "" : " with ").append(column.address.name());
    line.append(" : list(").append(column.values).append(")");
  }
  return line;
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
  std::string line = line_of(
      read_columns(file, {.what = "file of candidates (sweep.points, " + place("sweep.points"_key) + ")",
                          .most_values = most_axis_values,
                          .whole = "a sweep"}));
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
    const std::vector<SweepAxis> axes = parse_sweep_line(text, *this, most_axis_values);
    if (axes.size() > 1) throw std::invalid_argument("refines by one key alone, not by several together");
    axis = axes.front();
    if (key_info(axis.address.key).type == ValueType::choice) {
      throw std::invalid_argument(axis.address.name() + " is not a number, by which levels could be refined");
    }
    check_varied(axis.address);
  });
  return axis;
}

ScenarioLines Deck::scenario_lines() const {
  ScenarioLines scenarios;
  if (choice("study.kind"_key) != "optimize") return scenarios;
  std::vector<ParameterAddress> met;
  std::size_t values_left = most_axis_values;
  std::size_t line = 0;
  const auto add = [&](const ParameterAddress& address) {
    check_varied(address);
    if (std::ranges::count(met, address) > 0) {
      throw std::invalid_argument(address.name() + " stands in the scenarios already");
    }
    const std::string instead = ", and cannot tell scenarios apart";
    for (const SearchParameter& parameter : search_parameters()) {
      if (parameter.address == address)
        throw std::invalid_argument(address.name() + " is moved by optimize.parameter" + instead);
    }
    if (std::ranges::count(fidelity_levels().addresses, address) > 0)
      throw std::invalid_argument(address.name() + " is set by fidelity.level" + instead);
    met.push_back(address);
  };
  for_each_line("study.scenarios"_key, [&](const std::string& text, const std::string&) {
    if (names_file(text)) {
      refuse_text(text,
                  "is read with the file of a deck, and this is none; values are given as KEY : list(v,...) "
                  "or KEY : normal(mean,deviation)");
    }
    if (ValueLine(text, {"sweep.axis"_key, "sensitivity.parameter"_key}).key == "sweep.axis"_key) {
      for (SweepAxis& axis : parse_sweep_line(text, *this, values_left)) {
        add(axis.address);
        if (axis.address.index >= 0) number(axis.address);
        values_left -= axis.values.size();
        axis.line = line;
        scenarios.listed.push_back(std::move(axis));
      }
    } else {
      const std::vector<RandomParameter> alike = parse_random_parameters(text, *this);
      check_entries(alike.front().address, alike.size());
      for (RandomParameter parameter : alike) {
        add(parameter.address);
        parameter.line = line;
        scenarios.drawn.push_back(std::move(parameter));
      }
    }
    ++line;
  });
  if (!scenarios.listed.empty() && scenarios.drawn.empty() && is_given("study.draws"_key) &&
      integer("study.draws"_key) > 1) {
    throw error("study.draws"_key,
                "has nothing to draw: no line of study.scenarios is of the form KEY : "
                "normal(mean,deviation); study.repeats runs each scenario several times");
  }
  return scenarios;
}

void Deck::take_scenarios(const std::string& deck_path) {
  Value& lines = values_["study.scenarios"_key.place];
  for (std::size_t line = 0; line < lines.texts.size(); ++line) {
    if (!names_file(lines.texts[line])) continue;
    const std::filesystem::path path = lines.texts[line];
    const std::string file = (std::filesystem::path(deck_path).parent_path() / path).string();
    lines.texts[line] =
        line_of(read_columns(file, {.what = "file of scenarios (study.scenarios, " + lines.places[line] + ")",
                                    .most_values = most_axis_values,
                                    .whole = "a study"}));
  }
}

}  // namespace rodeo
