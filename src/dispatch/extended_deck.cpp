#include "rodeo/dispatch/extended_deck.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "rodeo/dispatch/best_members.hpp"
#include "rodeo/input/frame_contents.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/rerun.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/plan/part.hpp"

#include "ended_states.hpp"

namespace rodeo {

namespace {

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
