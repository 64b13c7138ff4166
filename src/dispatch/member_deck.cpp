#include "rodeo/dispatch/member_deck.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "rodeo/dispatch/best_members.hpp"
#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/frame_contents.hpp"
#include "rodeo/input/key_effects.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/rerun.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/plan/part.hpp"
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

bool stays(const KeyInfo& info) { return !can_grow(info.key); }

bool differs(const Deck& deck, const Deck& stored, Key key) {
  const bool had = stored.has_value(key);
  if (deck.has_value(key) != had) return true;
  return had && deck.number(key) != stored.number(key);
}

/// Throws DeckError where the study finds its candidates by the results of others.
void require_known_members(const Deck& deck, const Deck& stored) {
  const std::string kind(stored.choice("study.kind"_key));
  const bool by_results = kind == "optimize" || kind == "sensitivity" || kind == "branch" ||
                          !stored.texts("fidelity.level"_key).empty();
  if (!by_results) return;
  throw deck.error("study.kind"_key, "= " + kind +
                                         " makes of its results what it asks for next, or at its end: with "
                                         "more of them the rows that stand would belong to another study. "
                                         "It cannot be extended; run a new one");
}

/// Throws DeckError unless the frames of a longer member are those of a shorter one and more; gives them that
/// number where the command line does not say it.
std::vector<std::string> with_frames(const Deck& deck, const Deck& stored, std::vector<std::string> changes) {
  const std::int64_t frames = stored.integer("output.frames"_key);
  if (frames == 0 || !differs(deck, stored, "time.end"_key)) return changes;
  const double interval = stored.number("time.end"_key) / static_cast<double>(frames - 1);
  const double wanted = deck.number("time.end"_key) / interval;
  const double whole = std::round(wanted);
  constexpr double rounding = 1e-9;
  constexpr double digits = 1e9;  // of an end that the message gives
  if (std::abs(wanted - whole) > rounding * whole) {
    throw deck.error("time.end"_key,
                     "is not at a frame, of which there is one every " + format_real(interval) + " s: give " +
                         format_real(std::round(digits * std::ceil(wanted) * interval) / digits));
  }
  const bool given = std::ranges::any_of(changes, [](const std::string& change) {
    return find_key(parse_override(change).name) == "output.frames"_key;
  });
  if (given && deck.integer("output.frames"_key) != 1 + std::llround(whole)) {
    throw deck.error("output.frames"_key, "puts frames elsewhere than every " + format_real(interval) +
                                              " s, where they stand: leave it out");
  }
  if (!given) changes.push_back("output.frames=" + std::to_string(1 + std::llround(whole)));
  return changes;
}

void check_end(const Deck& deck, const Deck& stored) {
  if (!differs(deck, stored, "time.end"_key)) {
    if (!differs(deck, stored, "output.frames"_key)) return;
    throw deck.error("output.frames"_key, "grows with time.end alone, by which members run longer");
  }
  if (!stored.has_value("time.end"_key)) {
    throw deck.error("time.end"_key,
                     "is not what the campaign was given, which ends by another key or has one equilibrium "
                     "only: run a new one");
  }
  for (const SweepAxis& axis : stored.sweep_axes()) {
    if (axis.address.key != "time.end"_key) continue;
    throw deck.error("time.end"_key, "is an axis of the campaign: give more values of it by sweep.axis");
  }
  const bool steps_given = stored.has_value("time.step"_key) ||
                           stored.has_value("time.step_per_length"_key) ||
                           stored.has_value("time.step_per_crossing"_key);
  if (!steps_given) {
    throw deck.error("time.end"_key,
                     "cannot grow without time.step: the campaign has one equilibrium, under the loads at "
                     "its end");
  }
  if (deck.number("time.end"_key) < stored.number("time.end"_key)) {
    throw deck.error("time.end"_key, "is before the " + format_real(stored.number("time.end"_key)) +
                                         " s to which members have come: an extension only adds");
  }
}

void check_samples(const Deck& deck, const Deck& stored) {
  const bool drawn = differs(deck, stored, "sweep.samples"_key) || differs(deck, stored, "study.repeats"_key);
  for (const Key key : {"sweep.samples"_key, "study.repeats"_key}) {
    if (!drawn || !differs(deck, stored, key)) continue;
    if (stored.has_value(key) && deck.number(key) > stored.number(key)) continue;
    throw deck.error(key, "is less than the " +
                              (stored.has_value(key) ? format_real(stored.number(key)) : "none") +
                              " of the campaign: an extension only adds");
  }
  if (!differs(deck, stored, "sweep.samples"_key)) return;
  if (stored.choice("sweep.sampler"_key) == "sobol") return;
  throw deck.error("sweep.samples"_key,
                   "cannot grow with sweep.sampler = " + std::string(stored.choice("sweep.sampler"_key)) +
                       ", whose points are others for another number of them; those of sobol are not");
}

void require_no_kept_frames(const Deck& stored, const std::string& path) {
  const std::string kept = kept_path(path);
  if (kept_frames(stored).kind != KeptFrames::Kind::best || !std::filesystem::exists(kept)) return;
  throw FileError(kept + " holds the frames of what was best of " + path +
                  " so far, which may be others then: move it away first");
}

Deck deck_of(const EnsembleReader& reader, const std::string& path) {
  return Deck::parse_stored(reader.schema().deck, path + ":/deck");
}

void require_ended(const EnsembleReader& reader, const std::string& path) {
  if (reader.was_being_written())
    throw FileError(path + " is being written by a running campaign: merge it when that has ended");
  const std::vector<bool> committed = reader.committed();
  const auto left = std::ranges::count(committed, false);
  if (left == 0) return;
  throw FileError(path + " has " + std::to_string(left) + " of its " + std::to_string(committed.size()) +
                  " members to run yet: go on with it by rodeo resume " + path);
}

bool is_of_whole(const KeyInfo& info) {
  return info.key != "study.part"_key && info.key != "study.rerun"_key;
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

Deck deck_with_failed_again(const std::string& path, const std::vector<std::string>& overrides) {
  const EnsembleReader reader(path);
  const std::string name = path + ":/deck";
  const Deck stored = Deck::parse_stored(reader.schema().deck, name);
  require_known_members(stored, stored);
  const auto repeats = static_cast<std::uint64_t>(stored.integer("study.repeats"_key));
  std::vector<std::uint64_t> failed;
  reader.for_each_row([&](const MemberRow& row) {
    if (is_failure(row.status)) failed.push_back(row.candidate * repeats + row.repeat);
  });
  if (failed.empty()) throw FileError("no member of " + path + " ended badly");
  require_no_kept_frames(stored, path);
  if (overrides.empty()) return stored;
  std::vector<std::string> lines;
  for (const std::string& line : stored.texts("study.rerun"_key)) lines.push_back("study.rerun=" + line);
  lines.push_back("study.rerun=" + make_rerun(failed, overrides).text());
  return Deck::parse_extended(reader.schema().deck, name, lines);
}

Deck extended_deck(const std::string& path, const std::vector<std::string>& overrides) {
  if (overrides.empty()) {
    throw DeckError(
        "rodeo extend takes what there is to be more of: --sweep.samples=N, --study.repeats=N, "
        "--sweep.axis='KEY : ...', --sweep.points=FILE.csv or --time.end=SECONDS");
  }
  const EnsembleReader reader(path);
  const std::string name = path + ":/deck";
  const Deck stored = Deck::parse_stored(reader.schema().deck, name);
  if (!Part::from_deck(stored).is_whole())
    throw FileError(path + " is one part of a campaign: extend what rodeo merge makes of all parts");
  Deck deck = Deck::parse_extended(reader.schema().deck, name, overrides);
  require_known_members(deck, stored);
  if (const Key key = deck.first_difference(stored, stays); key != no_key) {
    throw deck.error(key, "is what the rows of " + path +
                              " were made with: a campaign grows in sweep.samples, study.repeats, values of "
                              "sweep.axis, sweep.points or convergence.axis, and in time.end");
  }
  check_samples(deck, stored);
  check_end(deck, stored);
  const std::vector<std::string> changes = with_frames(deck, stored, overrides);
  if (changes.size() > overrides.size()) deck = Deck::parse_extended(reader.schema().deck, name, changes);
  if (deck.first_difference(stored) == no_key) {
    throw FileError(path + " is about all this already; go on with it: rodeo resume " + path);
  }
  require_no_kept_frames(stored, path);
  return deck;
}

Deck whole_deck(const std::vector<std::string>& paths) {
  const EnsembleReader first_reader(paths.front());
  const Deck first = deck_of(first_reader, paths.front());
  const Part first_part = Part::from_deck(first);
  std::map<std::uint64_t, std::string> found;
  std::vector<std::string> changes = {"study.part=1/1"};
  for (const std::string& path : paths) {
    const EnsembleReader reader(path);
    const Deck deck = deck_of(reader, path);
    const Part part = Part::from_deck(deck);
    if (part.is_whole())
      throw FileError(path + " is no part of a campaign, as rodeo run --part K/N makes them");
    const Key key = deck.first_difference(first, is_of_whole);
    if (key != no_key || part.count != first_part.count) {
      throw FileError(path + " is a part of another campaign than " + paths.front() + ": they differ in " +
                      std::string(key_info(key != no_key ? key : "study.part"_key).name));
    }
    require_ended(reader, path);
    // Each part has run its own failed members again.
    for (const std::string& line : deck.texts("study.rerun"_key)) changes.push_back("study.rerun=" + line);
    const auto [earlier, is_new] = found.try_emplace(part.first, path);
    if (!is_new) throw FileError(path + " holds the same part of the campaign as " + earlier->second);
  }
  for (std::uint64_t k = 0; k < first_part.count; ++k) {
    if (found.contains(k)) continue;
    const std::uint64_t missing = first_part.count - found.size();
    throw FileError("part " + std::to_string(k + 1) + "/" + std::to_string(first_part.count) + " is missing" +
                    (missing > 1 ? ", as are " + std::to_string(missing - 1) + " more" : "") +
                    ": all parts make a campaign");
  }
  return Deck::parse_extended(first_reader.schema().deck, paths.front() + ":/deck", changes);
}

}  // namespace rodeo
