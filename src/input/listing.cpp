#include "rodeo/input/listing.hpp"

#include <algorithm>
#include <cmath>
#include <unistd.h>

#include "rodeo/input/command_line.hpp"
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

/// An entry as text and as JSON.
struct Listed {
  ListingEntry said;
  std::string json;
};

/// The listing of the entries whose names contain the pattern; where there are none, of those whose texts do.
std::string listing_of(const std::vector<Listed>& entries, std::string_view pattern, bool as_json,
                       const std::string& what) {
  const auto has = [&](std::string_view text) { return text.find(pattern) != text.npos; };
  const auto named = [&](const Listed& entry) { return has(entry.said.name); };
  const auto described = [&](const Listed& entry) { return std::ranges::any_of(entry.said.paragraphs, has); };
  const bool by_name = std::ranges::any_of(entries, named);
  std::vector<ListingEntry> found;
  std::vector<std::string> json;
  std::vector<std::string_view> names;
  for (const Listed& entry : entries) {
    names.push_back(entry.said.name);
    if (!(by_name ? named(entry) : described(entry))) continue;
    found.push_back(entry.said);
    json.push_back(entry.json);
  }
  if (!found.empty()) return as_json ? json_array(json) + "\n" : listing(found);
  const std::string_view nearest = what == "key" ? nearest_key(pattern) : nearest_name(pattern, names);
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

/// Terms of which measures are made, with their kinds.
std::vector<Listed> measure_parts() {
  std::vector<Listed> parts;
  const auto add = [&](std::string_view kind, std::string_view name, const std::vector<std::string>& texts) {
    parts.push_back(
        {{std::string(name), texts},
         JsonObject().add_text("name", name).add_text("kind", kind).add("texts", json_texts(texts)).text()});
  };
  for (const Signal& signal : signals()) {
    const std::string_view of = signal.site == SignalSite::node      ? "of node K"
                                : signal.site == SignalSite::element ? "of element K"
                                : signal.site == SignalSite::region
                                    ? "around node K; 0 at ends that turn freely"
                                    : "of all rods, of rod K or of element K";
    add("signal", signal.name,
        {std::string(signal.text), "unit " + std::string(signal.unit) + "; " + std::string(of) +
                                       (signal.need.empty() ? "" : "; needs " + std::string(signal.need))});
  }
  add("signal", "t", {"time", "unit s"});
  add("signal", ControlSpec::work_name,
      {"work of actuation and motions on all rods so far, with that of jumps of the control",
       "unit J; of the member; needs control.interval"});
  for (const MeasureWord& word : along_reductions()) add("along rods", word.name, {std::string(word.text)});
  for (const MeasureWord& word : time_reductions()) add("over time", word.name, {std::string(word.text)});
  for (const FormulaFunction& function : formula_functions()) {
    const auto same = [&](const Listed& part) { return part.said.name == function.name; };
    if (std::ranges::any_of(parts, same)) continue;
    const bool several = function.arguments == FormulaFunction::two_or_more;
    add("function", function.name,
        {"function of " + (several ? "two or more" : std::to_string(function.arguments)) +
         (function.arguments == 1 ? " number" : " numbers")});
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

std::string json_text(std::string_view text) {
  std::string json = "\"";
  for (const char letter : printable(text)) {
    if (letter == '\n') {
      json += "\\n";
      continue;
    }
    if (letter == '"' || letter == '\\') json += '\\';
    json += letter;
  }
  return json + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? format_real(value) : "null"; }

std::string json_array(const std::vector<std::string>& values) {
  std::string json = "[";
  for (const std::string& value : values) json.append(&value == &values.front() ? "" : ", ").append(value);
  return json + "]";
}

std::string json_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) values.push_back(json_text(text));
  return json_array(values);
}

JsonObject& JsonObject::add(std::string_view name, const std::string& json) {
  fields_ += fields_.empty() ? "{" : ", ";
  fields_ += json_text(name) + ": " + json;
  return *this;
}

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

std::string key_listing(std::string_view pattern, bool as_json) {
  constexpr std::string_view types[] = {"real", "integer", "choice", "real_list", "text"};  // as ValueType
  std::vector<Listed> entries;
  for (const KeyInfo& info : key_table()) {
    const std::string need = own_need(info.key);
    std::string values = allowed_values(info);
    if (!info.unit.empty()) values.append("; unit ").append(info.unit);
    values.append(info.default_text.empty() ? "; no default" : "; default ").append(info.default_text);
    if (!need.empty()) values += "; needs " + need;
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
    key.add_text("needs", need).add_text("text", info.text);
    entries.push_back({{std::string(info.name), {values, std::string(info.text)}}, key.text()});
  }
  return listing_of(entries, pattern, as_json, "key");
}

std::string observable_listing(std::string_view pattern, const ObservableList& list, bool as_json) {
  std::vector<Listed> entries;
  for (const Observable& observable : observables) {
    const bool in_frames = observable.known == Known::always;
    const ObservableNeeds needs = needs_of(observable);
    std::string line = "unit " + std::string(observable.unit) +
                       (in_frames ? "; model " : "; at the end only; model ") + joined(needs.models);
    if (!needs.others.empty()) line += "; needs " + needs.others;
    entries.push_back({{std::string(observable.name), {std::string(observable.text), line}},
                       JsonObject()
                           .add_text("name", observable.name)
                           .add_text("unit", observable.unit)
                           .add_text("text", observable.text)
                           .add_flag("in_frames", in_frames)
                           .add("models", json_texts(needs.models))
                           .add_text("needs", needs.others)
                           .text()});
  }
  for (const DefinedObservable& defined : list.defined()) {
    entries.push_back(
        {{defined.name, {defined.definition, "unit " + defined.unit + "; a measure of the deck"}},
         JsonObject()
             .add_text("name", defined.name)
             .add_text("unit", defined.unit)
             .add_text("definition", defined.definition)
             .text()});
  }
  return listing_of(entries, pattern, as_json, "observable");
}

std::string signal_listing(std::string_view pattern, bool as_json) {
  return listing_of(measure_parts(), pattern, as_json, "signal");
}

std::string feature_listing(bool as_json) {
  std::string text =
      "What decks may ask for. These models have it, but for those that are named with a reason:\n";
  std::string models;
  for (const Model& model : model_table) {
    if (model.has_rods) models.append(models.empty() ? "" : ", ").append(variant(model));
  }
  append_below(text, models);
  std::vector<std::string> features;
  for (std::size_t place = 0; place < model_features.size(); ++place) {
    const auto& [name, asked] = model_features[place];
    text.append("\n").append(name).append("\n");
    if (asked != asked_always) append_below(text, "asked for by " + std::string(asked));
    std::vector<std::string> lacking;
    for_each_gap(place, [&](const std::string& without, std::string_view reason) {
      append_below(text, "not " + without + ": " + std::string(reason));
      lacking.push_back(JsonObject().add_text("models", without).add_text("reason", reason).text());
    });
    features.push_back(JsonObject()
                           .add_text("name", name)
                           .add_text("asked_for_by", asked)
                           .add("lacking", json_array(lacking))
                           .text());
  }
  return as_json ? json_array(features) + "\n" : text;
}

}  // namespace rodeo
