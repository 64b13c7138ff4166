#include "rodeo/dispatch/best_members.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>

#include "rodeo/input/frame_contents.hpp"
#include "rodeo/output/candidate_rows.hpp"
#include "rodeo/output/member_row.hpp"
#include "rodeo/output/status_report.hpp"

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

}  // namespace rodeo
