#include "model_features.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"
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

/// The key whose other value would have the feature: that of the scheme before that of the method, and of the
/// method before that of the kind.
Key key_that_lacks(const Model& model, std::size_t place) {
  const bool has_by_scheme = std::ranges::any_of(model_table, [&](const Model& row) {
    return row.kind == model.kind && row.method == model.method && row.has(place);
  });
  if (has_by_scheme) return "time.scheme"_key;
  return model_of(model.kind).has(place) ? "time.method"_key : "model.kind"_key;
}

/// A model that has the feature and differs in this key's value, if one does.
const Model& having(std::size_t place, const Model& model, Key key) {
  const auto row = std::ranges::find_if(model_table, [&](const Model& other) {
    const bool is_like = key == "model.kind"_key || other.kind == model.kind;
    return other.has(place) && is_like && (key != "time.scheme"_key || other.method == model.method);
  });
  return *row;
}

/// ": it has no time steps"
std::string reason(const Model& model, std::size_t place) {
  return ": " + std::string(model.has_rods ? model.lacks.reason(place) : "its members are no rods");
}

}  // namespace

const Model& model_in(const Deck& deck) {
  const auto kind = chosen<ModelKind>(deck, "model.kind"_key);
  const Model* const row = find_model(kind, chosen<TimeMethod>(deck, "time.method"_key));
  return row != nullptr ? *row : model_of(kind);
}

void check_features(const Deck& deck, const Model& model) {
  const PossibleValues values = PossibleValues::of_member(deck);
  // Members that are no rods are made by the million.
  const auto can_concern = [&](const Condition& condition) {
    return model.has_rods || condition.key == "model.precision"_key || condition.key == "model.device"_key;
  };
  for (const auto& [place, asked] : refusable()) {
    const std::vector<Condition>& conditions = asked.front().conditions;
    if (model.has(place) || std::ranges::none_of(conditions, can_concern) || values.unmet(asked) != nullptr)
      continue;
    const auto by = std::ranges::find_if(
        conditions, [&](const Condition& condition) { return values.can_hold(condition); });
    if (!can_concern(*by)) continue;
    const Key key = key_that_lacks(model, place);
    throw deck.error(by->key, said_by(key, model) + " (" + deck.place(key) + ") has no " +
                                  std::string(model_features[place].name) + " (" +
                                  std::string(asked.front().text) + ")" + alternatives(model, *by) + "; " +
                                  said_by(key, having(place, model, key)) + " has" + reason(model, place));
  }
}

}  // namespace rodeo
