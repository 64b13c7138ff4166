#include "rodeo/input/listing.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <unistd.h>

#include "rodeo/input/command_line.hpp"
#include "rodeo/input/json.hpp"
#include "rodeo/input/key_effects.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/need.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/observe/signals.hpp"
#include "rodeo/spec/control_spec.hpp"

#include "formula_text.hpp"
#include "measure_text.hpp"
#include "nearest_name.hpp"

namespace rodeo {

namespace {

constexpr std::size_t widest_name = 30;  ///< a longer one has its line to itself

/// The entries whose names contain the pattern; where there are none, those whose texts do.
std::vector<ListingEntry> matching(const std::vector<ListingEntry>& entries, std::string_view pattern,
                                   const std::string& what, std::string_view nearest) {
  const auto has = [&](std::string_view text) { return text.find(pattern) != text.npos; };
  std::vector<ListingEntry> found;
  std::ranges::copy_if(entries, std::back_inserter(found), has, &ListingEntry::name);
  if (found.empty()) {
    std::ranges::copy_if(entries, std::back_inserter(found), [&](const ListingEntry& entry) {
      return std::ranges::any_of(entry.paragraphs, has);
    });
  }
  if (!found.empty()) return found;
  throw CommandLineError("no " + what + " has " + in_quotes(pattern) + " in its name" +
                         (nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?"));
}

/// Models and other conditions that an observable needs.
struct ObservableNeeds {
  std::vector<std::string> models;
  std::string others;  ///< "rod.count > 1"; empty: none
};

ObservableNeeds needs_of(const Observable& observable) {
  ObservableNeeds needs;
  for (const Clause& clause : need_of(observable)) {
    const Condition& condition = clause.conditions.front();
    if (condition.key == "model.kind"_key) {
      needs.models.insert(needs.models.end(), condition.words.begin(), condition.words.end());
    } else {
      needs.others.append(needs.others.empty() ? "" : ", and ").append(clause.text);
    }
  }
  return needs;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(&word == &words.front() ? "" : ", ").append(word);
  return text;
}

/// "model cosserat, der; needs rod.count > 1"
std::string models_and_needs(const Observable& observable) {
  const ObservableNeeds needs = needs_of(observable);
  return "model " + joined(needs.models) + (needs.others.empty() ? "" : "; needs " + needs.others);
}

/// Term of which measures are made, with its kind.
struct MeasurePart {
  std::string_view kind;
  ListingEntry entry;
};

std::vector<MeasurePart> measure_parts() {
  std::vector<MeasurePart> parts;
  for (const Signal& signal : signals()) {
    const std::string_view of = signal.site == SignalSite::node      ? "of node K"
                                : signal.site == SignalSite::element ? "of element K"
                                : signal.site == SignalSite::region
                                    ? "around node K; 0 at ends that turn freely"
                                    : "of all rods, of rod K or of element K";
    parts.push_back({"signal",
                     {std::string(signal.name),
                      {std::string(signal.text),
                       "unit " + std::string(signal.unit) + "; " + std::string(of) +
                           (signal.need.empty() ? "" : "; needs " + std::string(signal.need))}}});
  }
  parts.push_back({"signal", {"t", {"time", "unit s"}}});
  parts.push_back({"signal",
                   {std::string(ControlSpec::work_name),
                    {"work of actuation and motions on all rods so far, with that of jumps of the control",
                     "unit J; of the member; needs control.interval"}}});
  for (const MeasureWord& word : along_reductions())
    parts.push_back({"along rods", {std::string(word.name), {std::string(word.text)}}});
  for (const MeasureWord& word : time_reductions())
    parts.push_back({"over time", {std::string(word.name), {std::string(word.text)}}});
  for (const FormulaFunction& function : formula_functions()) {
    const auto same = [&](const MeasurePart& part) { return part.entry.name == function.name; };
    if (std::ranges::any_of(parts, same)) continue;
    const bool several = function.arguments == FormulaFunction::two_or_more;
    parts.push_back({"function",
                     {std::string(function.name),
                      {"function of " + (several ? "two or more" : std::to_string(function.arguments)) +
                       (function.arguments == 1 ? " number" : " numbers")}}});
  }
  return parts;
}

/// The lines that a text takes below the name of what it is about.
void append_below(std::string& text, std::string_view line) {
  constexpr std::size_t indent = 4;
  for (const std::string& part : wrapped(line, text_columns() - indent))
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
  for (std::string_view word : split(text, ' ')) {
    while (word.size() > width) {
      const std::size_t joint = word.substr(0, width).find_last_of("|,_/");
      if (joint == std::string_view::npos) break;
      lines.emplace_back(word.substr(0, joint + 1));
      word.remove_prefix(joint + 1);
    }
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
  const Screen screen = Screen::of(STDOUT_FILENO);
  const std::size_t columns = text_columns();
  std::size_t indent = 0;
  for (const ListingEntry& entry : entries) {
    if (entry.name.size() <= widest_name) indent = std::max(indent, entry.name.size() + gap);
  }
  indent = std::max<std::size_t>(indent, 4);
  std::string text;
  for (const ListingEntry& entry : entries) {
    text += screen.painted(Tone::strong, entry.name);
    std::size_t column = entry.name.size();
    if (column + gap > indent) {
      text += "\n";
      column = 0;
    }
    for (const std::string& paragraph : entry.paragraphs) {
      for (const std::string& part : wrapped(paragraph, columns - indent)) {
        text.append(indent - column, ' ').append(part).append("\n");
        column = 0;
      }
    }
  }
  return text;
}

std::string question_about(std::string_view mistyped, const std::vector<std::string>& names) {
  const std::vector<std::string_view> all(names.begin(), names.end());
  const std::vector<std::string_view> near = near_names(mistyped, all);
  return near.empty() ? "" : "; " + question_of(near);
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

std::string observable_listing_as_json(std::string_view pattern, const ObservableList& list) {
  std::vector<std::string> entries;
  const auto has_pattern = [&](std::string_view name) { return name.find(pattern) != name.npos; };
  for (const Observable& observable : observables) {
    if (!has_pattern(observable.name)) continue;
    const ObservableNeeds needs = needs_of(observable);
    entries.push_back(JsonObject()
                          .add_text("name", observable.name)
                          .add_text("unit", observable.unit)
                          .add_text("text", observable.text)
                          .add_flag("in_frames", observable.known == Known::always)
                          .add("models", json_texts(needs.models))
                          .add_text("needs", needs.others)
                          .text());
  }
  for (const DefinedObservable& defined : list.defined()) {
    if (!has_pattern(defined.name)) continue;
    entries.push_back(JsonObject()
                          .add_text("name", defined.name)
                          .add_text("unit", defined.unit)
                          .add_text("definition", defined.definition)
                          .text());
  }
  if (entries.empty()) observable_listing(pattern, list);  // throws
  return json_array(entries) + "\n";
}

std::string signal_listing(std::string_view pattern) {
  std::vector<ListingEntry> entries;
  std::vector<std::string_view> names;
  const std::vector<MeasurePart> parts = measure_parts();
  for (const MeasurePart& part : parts) {
    entries.push_back(part.entry);
    names.push_back(part.entry.name);
  }
  return listing(matching(std::move(entries), pattern, "signal", nearest_name(pattern, names)));
}

std::string signal_listing_as_json(std::string_view pattern) {
  std::vector<std::string> entries;
  for (const auto& [kind, entry] : measure_parts()) {
    if (entry.name.find(pattern) == entry.name.npos) continue;
    entries.push_back(JsonObject()
                          .add_text("name", entry.name)
                          .add_text("kind", kind)
                          .add("texts", json_texts(entry.paragraphs))
                          .text());
  }
  if (entries.empty()) signal_listing(pattern);  // throws
  return json_array(entries) + "\n";
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

std::string feature_listing_as_json() {
  std::vector<std::string> features;
  for (std::size_t place = 0; place < model_features.size(); ++place) {
    std::vector<std::string> lacking;
    for_each_gap(place, [&](const std::string& models, std::string_view reason) {
      lacking.push_back(JsonObject().add_text("models", models).add_text("reason", reason).text());
    });
    features.push_back(JsonObject()
                           .add_text("name", model_features[place].name)
                           .add_text("asked_for_by", model_features[place].asked)
                           .add("lacking", json_array(lacking))
                           .text());
  }
  return json_array(features) + "\n";
}

}  // namespace rodeo
