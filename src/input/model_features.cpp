#include "model_features.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "rodeo/input/need.hpp"

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

/// "model.kind = der", "time.method = static" or "time.scheme = backward_euler".
std::string said_by(Key key, const Model& model) {
  std::string_view word = model.name;
  if (key == "time.method"_key) word = word_of(model.method);
  if (key == "time.scheme"_key) word = word_of(*model.scheme);
  return std::string(key_info(key).name) + " = " + std::string(word);
}

/// The key by which the default of a kind becomes this model.
Key key_of_variant(const Model& model) {
  return model.method != TimeMethod::dynamic ? "time.method"_key : "time.scheme"_key;
}

/// A model that has the feature, of the same kind if one has.
const Model& having(std::size_t place, const Model& model) {
  if (model_of(model.kind).has(place)) return model_of(model.kind);
  return *std::ranges::find_if(model_table, [&](const Model& row) { return row.has(place); });
}

/// ": it has no time steps"
std::string reason(const Model& model, std::size_t place) {
  return ": " + std::string(model.has_rods ? model.lacks.reason(place) : "its members are no rods");
}

}  // namespace

void check_features(const Deck& deck, const Model& model) {
  const PossibleValues values = PossibleValues::of_member(deck);
  for (const auto& [place, asked] : refusable()) {
    if (model.has(place) || values.unmet(asked) != nullptr) continue;
    const std::vector<Condition>& conditions = asked.front().conditions;
    const auto by = std::ranges::find_if(
        conditions, [&](const Condition& condition) { return values.can_hold(condition); });
    if (!model.has_rods && by->key != "model.precision"_key && by->key != "model.device"_key) continue;
    const Key key = model_of(model.kind).has(place) ? key_of_variant(model) : "model.kind"_key;
    throw deck.error(by->key, said_by(key, model) + " (" + deck.place(key) + ") has no " +
                                  std::string(model_features[place].name) + " (" +
                                  std::string(asked.front().text) + ")" + alternatives(model, *by) + "; " +
                                  said_by(key, having(place, model)) + " has" + reason(model, place));
  }
}

}  // namespace rodeo
