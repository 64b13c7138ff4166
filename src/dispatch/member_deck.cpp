#include "rodeo/dispatch/member_deck.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/key_effects.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/rerun.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/plan/scenarios.hpp"
#include "rodeo/spec/member_spec.hpp"

#include "ended_states.hpp"

namespace rodeo {

namespace {

constexpr int frames_a_period = 40;
constexpr int frames_without_period = 200;

std::uint64_t best_of(const EnsembleReader& reader, const std::string& path,
                      std::uint64_t members_of_candidate) {
  if (const auto candidate = reader.study_state().best_candidate) return *candidate * members_of_candidate;
  const std::optional<Objective> objective = objective_of(reader, path);
  if (!objective) throw FileError(path + ": its study.objective names none that a member could be best in");
  if (const auto best = best_member(reader, *objective)) return *best;
  throw FileError(path + " has no finished member with a finite " + objective->name +
                  (objective->constraints.empty() ? "" : " that fulfils optimize.constraint") + " yet");
}

MemberRow row_of(const EnsembleReader& reader, const std::string& path, std::uint64_t member) {
  const std::uint64_t members = reader.schema().members;
  if (member >= members) {
    throw FileError(path + " has members 0 to " + std::to_string(members - 1) + ", not " +
                    std::to_string(member));
  }
  MemberRow row = reader.read_rows(member, 1)[0];
  if (row.status == MemberStatus::pending) {
    throw FileError("member " + std::to_string(member) + " of " + path + " is not finished");
  }
  return row;
}

/// A deck's text without its levels of fidelity, which are not for a member that is on one of them.
std::string without_levels(const std::string& text) {
  const std::string heading = "[fidelity]\n";
  const std::size_t first = text.find("\n" + heading);
  if (first == text.npos) return text;
  const std::size_t next = text.find("\n[", first + heading.size());
  return text.substr(0, first) + (next == text.npos ? "\n" : text.substr(next));
}

/// A deck's text without what it says of members by their numbers.
std::string without_reruns(const std::string& text) {
  std::string left;
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with("rerun = ")) left.append(line).append("\n");
  }
  return left;
}

std::string frames_for(const Deck& deck) {
  const MemberSpec spec = make_member_spec(deck);
  const double periods = static_cast<double>(spec.time.steps) * spec.time.step / spec.muscle.period;
  const double frames = spec.muscle.period > 0.0 ? frames_a_period * std::round(periods)
                                                 : static_cast<double>(frames_without_period);
  const auto most = static_cast<double>(spec.time.steps);
  return "output.frames=" + std::to_string(1 + std::max(1L, std::lround(std::min(frames, most))));
}

}  // namespace

std::optional<Objective> objective_of(const EnsembleReader& reader, const std::string& path) {
  try {
    const Deck deck = Deck::parse_stored(reader.schema().deck, path + ":/deck");
    const std::vector<Objective> objectives = objectives_of(deck);
    return objectives.empty() ? std::nullopt : std::optional(objectives.front());
  } catch (const DeckError&) {
    return std::nullopt;
  }
}

ShownObservables shown_observables(const EnsembleReader& reader, const std::string& path) {
  ShownObservables shown;
  shown.objective = objective_of(reader, path);
  try {
    const Deck deck = Deck::parse_stored(reader.schema().deck, path + ":/deck");
    shown.asked = asked_observables(deck);
    for (const std::string& unit : reader.schema().observable_units)
      shown.units.emplace_back(unit_in(deck, unit));
  } catch (const DeckError&) {
    return shown;  // of another version of rodeo
  } catch (const std::invalid_argument&) {
    shown.units = {};  // likewise
  }
  return shown;
}

Deck member_deck(const EnsembleReader& reader, const std::string& path, std::optional<std::uint64_t> member,
                 const std::vector<std::string>& overrides) {
  const std::string name = path + ":/deck";
  Deck deck = Deck::parse_stored(reader.schema().deck, name);
  const std::uint64_t chosen = member ? *member : best_of(reader, path, members_of_candidate(deck));
  const MemberRow row = row_of(reader, path, chosen);
  const std::vector<double>& point = row.parameters;
  for (std::size_t k = 0; k < point.size(); ++k) {
    try {
      deck.set(parse_parameter_address(reader.schema().parameter_names[k]), point[k]);
    } catch (const std::invalid_argument& error) {
      throw FileError(path + " is damaged: its parameters: " + error.what());
    }
  }
  std::vector<std::string> changes;
  for (const Rerun& rerun : reruns_of(deck)) {
    if (rerun.has(row.candidate * members_of_candidate(deck) + row.repeat)) changes = rerun.overrides;
  }
  changes.insert(changes.end(),
                 {"study.kind=single", "study.repeats=1", "study.part=1/1", "output.keep=all"});
  if (deck.integer("output.frames"_key) == 0) changes.push_back(frames_for(deck));
  deck = Deck::parse(without_reruns(without_levels(deck.resolved())), name, changes);
  const std::uint64_t study_seed = deck.seed();
  deck = Deck::parse(deck.resolved(), name, overrides);
  check_effects_of_overrides(deck);
  // Its random numbers are those that it had, unless it is to have others.
  const bool is_one = deck.choice("study.kind"_key) == "single" && deck.integer("study.repeats"_key) == 1;
  if (!is_one || deck.seed() != study_seed || deck.member_seed() || !draws_numbers(make_member_spec(deck)))
    return deck;
  return Deck::parse(deck.resolved(), name, {"study.member_seed=" + std::to_string(row.seed)});
}

}  // namespace rodeo
