#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

#include "deck_limits.hpp"
#include "edit_distance.hpp"
#include "parameter_range.hpp"
#include "points_file.hpp"
#include "random_parameter.hpp"
#include "sweep_axis.hpp"

namespace rodeo {

namespace {

constexpr Key key = "study.scenarios"_key;

/// Words with which values of scenarios begin: of axes the first ones, of distributions the others.
constexpr auto forms = std::to_array<std::string_view>(
    {"list", "linspace", "logspace", "uniform", "loguniform", "normal", "lognormal"});
constexpr std::size_t forms_of_axes = 3;

/// Whether a line lists values; else it draws them.
bool lists_values(std::string_view text) {
  const std::string_view call = trimmed(text.substr(end_of_address(text) + 1));
  const std::string_view word = trimmed(call.substr(0, call.find('(')));
  const auto* const form = std::ranges::find(forms, word);
  if (form != forms.end()) return form < forms.begin() + forms_of_axes;
  const std::string_view near = nearest_name(word, forms);
  throw std::invalid_argument(in_quotes(word) +
                              " is none of list, linspace, logspace, uniform, loguniform, normal, lognormal" +
                              (near.empty() ? "" : "; did you mean " + std::string(near) + "?"));
}

/// Whether a line is the name of a file.
bool names_file(std::string_view text) { return text.find(':') == text.npos; }

}  // namespace

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
  for_each_line(key, [&](const std::string& text, const std::string&) {
    if (names_file(text)) {
      throw std::invalid_argument(in_quotes(text) +
                                  " is read with the file of a deck, and this is none; values are given as "
                                  "KEY : list(v,...) or KEY : normal(mean,deviation)");
    }
    if (lists_values(text)) {
      for (SweepAxis& axis : parse_sweep_line(text, values_left)) {
        add(axis.address);
        if (axis.address.index >= 0) number(axis.address);
        values_left -= axis.values.size();
        axis.line = line;
        scenarios.listed.push_back(std::move(axis));
      }
    } else {
      const std::vector<RandomParameter> alike = parse_random_parameters(text);
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
    throw error(
        "study.draws"_key,
        "has nothing to draw: no line of study.scenarios is of the form KEY : normal(mean,deviation); "
        "study.repeats runs each scenario several times");
  }
  return scenarios;
}

void Deck::take_scenarios(const std::string& deck_path) {
  Value& lines = values_[key.place];
  for (std::size_t line = 0; line < lines.texts.size(); ++line) {
    if (!names_file(lines.texts[line])) continue;
    const std::filesystem::path path = lines.texts[line];
    const std::string file = (std::filesystem::path(deck_path).parent_path() / path).string();
    std::string listed;
    for (const PointColumn& column :
         read_columns(file, {.what = "file of scenarios (study.scenarios, " + lines.places[line] + ")",
                            .most_values = most_axis_values,
                            .whole = "a study"})) {
      try {
        check_varied(column.address);
      } catch (const std::invalid_argument& reason) {
        throw DeckError(column.place + ": " + reason.what());
      }
      listed.append(listed.empty() ? "" : " with ").append(column.address.name());
      listed.append(" : list(").append(column.values).append(")");
    }
    lines.texts[line] = std::move(listed);
  }
}

}  // namespace rodeo
