#include "model_features.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "rodeo/input/chosen.hpp"
#include "rodeo/input/need.hpp"
#include "rodeo/models/models.hpp"

namespace rodeo {

namespace {

struct ParsedFeature {
  std::size_t place;  ///< in model_features
  std::vector<Clause> asked;
};

/// The features that a deck may ask for and a model may not have.
const std::vector<ParsedFeature>& refusable() {
  static const std::vector<ParsedFeature> features = [] {
    std::vector<ParsedFeature> parsed;
    for (std::size_t place = 0; place < model_features.size(); ++place) {
      const ModelFeature& feature = model_features[place];
      if (feature.asked != asked_always) parsed.push_back({place, parse_need(feature.asked)});
    }
    return parsed;
  }();
  return features;
}

/// "; it has contact.kind = imc, contact.kind = ipc": the model's features that the same key asks for.
std::string alternatives(const Model& model, const Condition& asked) {
  std::string text;
  if (asked.kind != Condition::Kind::one_of) return text;
  for (const ParsedFeature& other : refusable()) {
    const Clause& first = other.asked.front();
    if (first.conditions.size() > 1 || first.conditions.front().key != asked.key) continue;
    if (model.has(other.place)) text.append(text.empty() ? "; it has " : ", ").append(first.text);
  }
  return text;
}

}  // namespace

void check_features(const Deck& deck) {
  const Model& model = model_of(chosen<ModelKind>(deck, "model.kind"_key));
  const PossibleValues values = PossibleValues::of_member(deck);
  for (const auto& [place, asked] : refusable()) {
    if (model.has(place) || values.unmet(asked) != nullptr) continue;
    const std::vector<Condition>& conditions = asked.front().conditions;
    const auto by = std::ranges::find_if(
        conditions, [&](const Condition& condition) { return values.can_hold(condition); });
    if (!model.has_rods && by->key != "model.precision"_key) continue;
    const auto* const other =
        std::ranges::find_if(model_table, [&](const Model& row) { return row.has(place); });
    throw deck.error(by->key, "model.kind = " + std::string(model.name) + " (" +
                                  deck.place("model.kind"_key) + ") has no " +
                                  std::string(model_features[place].name) + " (" +
                                  std::string(asked.front().text) + ")" + alternatives(model, *by) +
                                  "; model.kind = " + std::string(other->name) + " has");
  }
}

}  // namespace rodeo
