#include "rodeo/dispatch/best_members.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/frame_contents.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/output/status_report.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/scenarios.hpp"

#include "member_queue.hpp"
#include "worker.hpp"

namespace rodeo {

namespace {

struct Ranked {
  double loss;  ///< the objective, or its negative where the largest is best
  std::uint64_t member;
  bool operator<(const Ranked& other) const {
    return loss < other.loss || (loss == other.loss && member < other.member);
  }
};

/// All members of the best candidate, then those of the next one, as far as `count` goes.
std::vector<std::uint64_t> members_of_best_candidates(const EnsembleFile& file, const Plan& plan,
                                                      const Objective& objective, std::uint64_t count) {
  std::vector<Ranked> candidates;  // with their first members
  CandidateRows rows(objective);
  file.for_each_row([&](const MemberRow& row) {
    const std::optional<Result> result = rows.add(row);
    if (!result || !plan.counts(file.schema().of_candidate(row.parameters))) return;
    const double loss = objective.fitness(*result);
    if (std::isfinite(loss)) candidates.push_back({loss, rows.first_member()});
  });
  std::ranges::sort(candidates, std::less{});
  std::vector<std::uint64_t> members;
  for (const Ranked& candidate : candidates) {
    for (std::uint32_t k = 0; k < objective.members && members.size() < count; ++k)
      members.push_back(candidate.member + k);
  }
  return members;
}

/// Whether the number of a member's steps can depend on a key.
bool can_change_steps(const ParameterAddress& address) {
  const std::string_view name = key_info(address.key).name;
  return name.starts_with("time.") || name.starts_with("rod.") || name == "muscle.period" ||
         name.starts_with("variable.");
}

/// The steps that members would have taken had they not settled.
class WholeSteps {
 public:
  WholeSteps(const Deck& deck, const std::vector<std::string>& parameters) : deck_(deck) {
    deck_.drop_sweep_axes();
    for (const std::string& name : parameters) addresses_.push_back(parse_parameter_address(name));
  }

  double of(const std::vector<double>& point) {
    std::vector<double> numbers;
    for (std::size_t k = 0; k < addresses_.size(); ++k) {
      if (can_change_steps(addresses_[k])) numbers.push_back(point[k]);
    }
    const auto [entry, is_new] = steps_.try_emplace(numbers, 0.0);
    if (is_new) {
      for (std::size_t k = 0; k < addresses_.size(); ++k) deck_.set(addresses_[k], point[k]);
      entry->second = static_cast<double>(make_member_spec(deck_).time.steps);
    }
    return entry->second;
  }

 private:
  Deck deck_;
  std::vector<ParameterAddress> addresses_;
  std::map<std::vector<double>, double> steps_;  ///< by the numbers that can change them
};

// Evaluated here, since clang 14 does not do it in a template.
constexpr Key settle_key = "observe.settle"_key;

template <class File>
std::string note_of(const File& file, const Deck& deck) {
  const std::vector<std::string>& parameters = file.schema().parameter_names;
  if (deck.number(settle_key) == 0.0 && std::ranges::count(parameters, "observe.settle") == 0) return {};
  WholeSteps whole(deck, parameters);
  double taken = 0.0;
  double spared = 0.0;
  std::uint64_t settled = 0;
  file.for_each_row([&](const MemberRow& row) {
    const auto steps = static_cast<double>(row.steps);
    taken += row.status == MemberStatus::pending ? 0.0 : steps;
    if (row.status != MemberStatus::settled) return;
    ++settled;
    spared += whole.of(row.parameters) - steps;
  });
  if (settled == 0) return {};
  return formatted("%s settled, %.1f %% of all steps spared\n", counted(settled, "member"),
                   100.0 * spared / (taken + spared));
}

}  // namespace

std::vector<std::uint64_t> best_members(const EnsembleFile& file, const Plan& plan,
                                        const Objective& objective, std::uint64_t count) {
  if (objective.scenarios > 1) return members_of_best_candidates(file, plan, objective, count);
  std::vector<Ranked> best;  // a heap with the worst of them on top
  file.for_each_row([&](const MemberRow& row) {
    if (!ended_well(row.status) || !plan.counts(row.parameters)) return;
    const double value = row.observables[objective.place];
    if (!std::isfinite(value)) return;
    best.push_back({objective.largest ? -value : value, row.member});
    std::push_heap(best.begin(), best.end());
    if (best.size() <= count) return;
    std::pop_heap(best.begin(), best.end());
    best.pop_back();
  });
  std::sort_heap(best.begin(), best.end());
  std::vector<std::uint64_t> result;
  result.reserve(best.size());
  for (const Ranked& ranked : best) result.push_back(ranked.member);
  return result;
}

std::string kept_path(const std::string& path) {
  const std::filesystem::path file(path);
  return (file.parent_path() / (file.stem().string() + "_kept" + file.extension().string())).string();
}

std::string kept_note(const EnsembleReader& reader, const std::string& path) {
  const auto finished = [](const EnsembleReader& file) {
    return file.study_state().ended || std::ranges::count(file.statuses(), MemberStatus::pending) == 0;
  };
  try {
    const Deck deck = Deck::parse_stored(reader.schema().deck, path + ":/deck");
    const std::string kept = kept_path(path);
    if (kept_frames(deck).kind != KeptFrames::Kind::best || reader.was_being_written()) return {};
    if (reader.schema().frames > 0 || !finished(reader)) return {};
    if (std::filesystem::exists(kept) && finished(EnsembleReader(kept))) return {};
    return "the frames of the best members are not all in " + kept + " yet: rodeo resume " + path + "\n";
  } catch (const DeckError&) {
    return {};  // of another version of rodeo
  }
}

SearchDistribution ended_search(const std::string& path) {
  EnsembleReader reader(path);
  const Deck deck = Deck::parse_stored(reader.schema().deck, path + ":/deck");
  const std::string kind(deck.choice("study.kind"_key));
  if (kind != "optimize") throw FileError(path + " holds no search: its deck has study.kind = " + kind);
  reader.set_observables(observables_of(deck).names());
  const std::unique_ptr<Plan> plan = make_plan(deck);
  const std::uint32_t members = members_of_candidate(deck);
  ResultGatherer results(members, Scenarios(deck).count(), plan->needs_unfinished_branches());
  reader.for_each_row([&](const MemberRow& row) {
    if (row.status == MemberStatus::pending) return;
    if (!plan->agrees(row.member / members, reader.schema().of_candidate(row.parameters)))
      throw FileError(
          path + " was written by another version of rodeo, which alone can tell how its search " + "ended");
    results.add(ended_member(row, false));
    if (results.any_complete()) plan->tell(results.take_complete());
    plan->ask();
  });
  if (std::optional<SearchDistribution> found = plan->distribution_at_end()) return *std::move(found);
  throw FileError(path + " holds a search that has not ended: go on with it by rodeo resume " + path);
}

std::string settled_note(const EnsembleReader& reader, const std::string& path) {
  try {
    return note_of(reader, Deck::parse_stored(reader.schema().deck, path + ":/deck"));
  } catch (const DeckError&) {
    return {};  // of another version of rodeo
  } catch (const std::invalid_argument&) {
    return {};  // likewise
  }
}

std::string settled_note(const EnsembleFile& file, const Deck& deck) { return note_of(file, deck); }

}  // namespace rodeo
