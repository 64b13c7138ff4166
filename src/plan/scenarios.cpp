#include "rodeo/plan/scenarios.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "rodeo/plan/sweep.hpp"

#include "random_variable.hpp"
#include "samplers.hpp"

namespace rodeo {

namespace {

/// More members of a candidate than this is taken for a mistake in the deck.
constexpr std::uint64_t most_members = 1'000'000;

}  // namespace

Scenarios::Scenarios(const Deck& deck) {
  const ScenarioLines lines = deck.scenario_lines();
  if (lines.listed.empty() && lines.drawn.empty()) return;
  const std::unique_ptr<Sweep> grid =
      deck.reading("study.scenarios"_key, [&] { return Sweep::grid(lines.listed); });
  const Sweep& listed = *grid;
  for (const ParameterAddress& address : listed.parameters()) addresses_.push_back(address);
  variation_ = listed.variation();
  std::vector<RandomVariable> variables;
  for (const RandomParameter& parameter : lines.drawn) {
    addresses_.push_back(parameter.address);
    variables.emplace_back(parameter);
  }
  for (std::string& text : texts_of(lines.drawn)) variation_.push_back(std::move(text));
  const auto draws = static_cast<std::uint64_t>(deck.integer("study.draws"_key));
  const std::uint64_t count = listed.candidates() * (variables.empty() ? 1 : draws);
  const auto repeats = static_cast<std::uint64_t>(deck.integer("study.repeats"_key));
  if (count > most_members / repeats) {
    throw deck.error("study.scenarios"_key, "makes more than " + std::to_string(most_members) +
                                                " members of each candidate, repeats included");
  }
  count_ = static_cast<std::uint32_t>(count);
  std::vector<double> coordinates =
      variables.empty() ? std::vector<double>{} : latin_hypercube(count, variables.size(), deck.seed());
  const Correlation correlation(deck, each_alone(lines.drawn));
  for (std::size_t begin = 0; begin < coordinates.size(); begin += variables.size())
    correlation.apply(std::span(coordinates).subspan(begin, variables.size()));
  for (std::uint64_t scenario = 0; scenario < count; ++scenario) {
    const std::vector<double> point = listed.point(scenario / (count / listed.candidates()));
    values_.insert(values_.end(), point.begin(), point.end());
    for (std::size_t k = 0; k < variables.size(); ++k) {
      const double coordinate = coordinates[scenario * variables.size() + k];
      values_.push_back(variables[k].value(std::max(coordinate, least_coordinate)));
    }
  }
}

std::span<const double> Scenarios::values(std::uint32_t scenario) const {
  return std::span(values_).subspan(scenario * addresses_.size(), addresses_.size());
}

std::uint32_t members_of_candidate(const Deck& deck) {
  return Scenarios(deck).count() * static_cast<std::uint32_t>(deck.integer("study.repeats"_key));
}

}  // namespace rodeo
