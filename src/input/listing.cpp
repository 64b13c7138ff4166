#include "rodeo/input/listing.hpp"

#include <algorithm>
#include <ranges>

#include "rodeo/input/command_line.hpp"
#include "rodeo/input/json.hpp"
#include "rodeo/input/key_effects.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/need.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/observe/signals.hpp"

#include "edit_distance.hpp"
#include "formula_text.hpp"
#include "measure_text.hpp"

namespace rodeo {

namespace {

constexpr std::size_t most_columns = 100;
constexpr std::size_t widest_name = 30;  ///< a longer one has its line to itself

/// The entries whose names contain the pattern.
std::vector<ListingEntry> matching(std::vector<ListingEntry> entries, std::string_view pattern,
                                   const std::string& what, std::string_view nearest) {
  std::erase_if(entries,
                [&](const ListingEntry& entry) { return entry.name.find(pattern) == entry.name.npos; });
  if (!entries.empty()) return entries;
  throw CommandLineError("no " + what + " has " + in_quotes(pattern) + " in its name" +
                         (nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?"));
}

/// "model cosserat, der; needs rod.count > 1"
std::string models_and_needs(const Observable& observable) {
  std::string models = "model ";
  std::string needs;
  for (const Clause& clause : need_of(observable)) {
    const Condition& condition = clause.conditions.front();
    if (condition.key != "model.kind"_key) {
      needs.append(needs.empty() ? "; needs " : ", and ").append(clause.text);
      continue;
    }
    for (const std::string_view word : condition.words)
      models.append(word == condition.words.front() ? "" : ", ").append(word);
  }
  return models + needs;
}

/// The lines that a text takes below the name of what it is about.
void append_below(std::string& text, std::string_view line) {
  constexpr std::size_t indent = 4;
  for (const std::string& part : wrapped(line, most_columns - indent))
    text.append(indent, ' ').append(part).append("\n");
}

/// Calls visit(models, reason), "der, sdirk2" and theirs, for each reason why models lack a feature.
template <class Visit>
void for_each_gap(std::size_t place, const Visit& visit) {
  for (auto row = model_table.begin(); row != model_table.end(); ++row) {
    const auto same = [&](const Model& other) {
      return other.has_rods && other.lacks.has(place) &&
             other.lacks.reason(place) == row->lacks.reason(place);
    };
    if (!same(*row) || std::ranges::any_of(model_table.begin(), row, same)) continue;
    std::string models(variant(*row));
    for (auto other = row + 1; other != model_table.end(); ++other) {
      if (same(*other)) models.append(", ").append(variant(*other));
    }
    visit(models, row->lacks.reason(place));
  }
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string_view word : split(text, ' ')) {
    if (!lines.empty() && lines.back().size() + 1 + word.size() <= width) {
      lines.back().append(" ").append(word);
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

std::string listing(const std::vector<ListingEntry>& entries) {
  constexpr std::size_t gap = 2;
  std::size_t indent = 0;
  for (const ListingEntry& entry : entries) {
    if (entry.name.size() <= widest_name) indent = std::max(indent, entry.name.size() + gap);
  }
  indent = std::max<std::size_t>(indent, 4);
  std::string text;
  for (const ListingEntry& entry : entries) {
    std::string line = entry.name;
    if (line.size() + gap > indent) {
      text += line + "\n";
      line.clear();
    }
    for (const std::string& paragraph : entry.paragraphs) {
      for (const std::string& part : wrapped(paragraph, most_columns - indent)) {
        line.resize(indent, ' ');
        text += line + part + "\n";
        line.clear();
      }
    }
  }
  return text;
}

std::string key_listing(std::string_view pattern) {
  std::vector<ListingEntry> entries;
  for (const KeyInfo& info : key_table()) {
    std::string values = allowed_values(info);
    if (!info.unit.empty()) values.append("; unit ").append(info.unit);
    values.append(info.default_text.empty() ? "; no default" : "; default ").append(info.default_text);
    if (const std::string need = own_need(info.key); !need.empty()) values += "; needs " + need;
    entries.push_back({std::string(info.name), {values, std::string(info.text)}});
  }
  return listing(matching(std::move(entries), pattern, "key", nearest_key(pattern)));
}

std::string key_listing_as_json(std::string_view pattern) {
  constexpr std::string_view types[] = {"real", "integer", "choice", "real_list", "text"};  // as ValueType
  std::vector<std::string> keys;
  for (const KeyInfo& info : key_table()) {
    if (info.name.find(pattern) == info.name.npos) continue;
    std::vector<std::string> choices;
    if (!info.choices.empty()) {
      for (const std::string_view choice : split(info.choices, '|')) choices.emplace_back(choice);
    }
    JsonObject key;
    key.add_text("name", info.name).add_text("type", types[static_cast<std::size_t>(info.type)]);
    key.add_text("unit", info.unit);
    key.add("default", info.default_text.empty() ? "null" : json_text(info.default_text));
    key.add_number("minimum", info.minimum).add_number("maximum", info.maximum);
    key.add_flag("minimum_excluded", info.minimum_excluded).add("choices", json_texts(choices));
    key.add_count("entries", info.list_length).add_flag("repeatable", info.repeatable);
    key.add_text("needs", own_need(info.key)).add_text("text", info.text);
    keys.push_back(key.text());
  }
  if (keys.empty()) matching({}, pattern, "key", nearest_key(pattern));  // throws
  return json_array(keys) + "\n";
}

std::string observable_listing(std::string_view pattern, const ObservableList& list) {
  std::vector<ListingEntry> entries;
  std::vector<std::string_view> names;
  for (const Observable& observable : observables) {
    const bool in_frames = observable.known == Known::always;
    entries.push_back({std::string(observable.name),
                       {std::string(observable.text), "unit " + std::string(observable.unit) + "; " +
                                                          (in_frames ? "" : "at the end only; ") +
                                                          models_and_needs(observable)}});
    names.push_back(observable.name);
  }
  for (const DefinedObservable& defined : list.defined()) {
    entries.push_back(
        {defined.name, {defined.definition, "unit " + defined.unit + "; a measure of the deck"}});
    names.push_back(defined.name);
  }
  return listing(matching(std::move(entries), pattern, "observable", nearest_name(pattern, names)));
}

std::string signal_listing(std::string_view pattern) {
  std::vector<ListingEntry> entries;
  for (const Signal& signal : signals()) {
    const std::string_view of = signal.site == SignalSite::node      ? "of node K"
                                : signal.site == SignalSite::element ? "of element K"
                                : signal.site == SignalSite::region
                                    ? "around node K; 0 at ends that turn freely"
                                    : "of all rods, of rod K or of element K";
    entries.push_back(
        {std::string(signal.name),
         {std::string(signal.text), "unit " + std::string(signal.unit) + "; " + std::string(of) +
                                        (signal.need.empty() ? "" : "; needs " + std::string(signal.need))}});
  }
  entries.push_back({"t", {"time", "unit s"}});
  for (const MeasureWord& word : along_reductions())
    entries.push_back({std::string(word.name), {std::string(word.text)}});
  for (const MeasureWord& word : time_reductions()) {
    entries.push_back({std::string(word.name), {std::string(word.text)}});
  }
  for (const FormulaFunction& function : formula_functions()) {
    if (std::ranges::find(entries, function.name, &ListingEntry::name) != entries.end()) continue;
    const bool several = function.arguments == FormulaFunction::two_or_more;
    entries.push_back({std::string(function.name),
                       {"function of " + (several ? "two or more" : std::to_string(function.arguments)) +
                        (function.arguments == 1 ? " number" : " numbers")}});
  }
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const ListingEntry& entry : entries) names.push_back(entry.name);
  const std::string nearest(nearest_name(pattern, names));
  return listing(matching(std::move(entries), pattern, "signal", nearest));
}

std::string feature_listing() {
  std::string text =
      "What decks may ask for. These models have it, but for those that are named with a reason:\n";
  std::string models;
  for (const Model& model : model_table) {
    if (model.has_rods) models.append(models.empty() ? "" : ", ").append(variant(model));
  }
  append_below(text, models);
  for (std::size_t place = 0; place < model_features.size(); ++place) {
    text.append("\n").append(model_features[place].name).append("\n");
    if (model_features[place].asked != asked_always)
      append_below(text, "asked for by " + std::string(model_features[place].asked));
    for_each_gap(place, [&](const std::string& lacking, std::string_view reason) {
      append_below(text, "not " + lacking + ": " + std::string(reason));
    });
  }
  return text;
}

}  // namespace rodeo
