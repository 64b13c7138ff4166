#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/shape_file.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/plan/plan.hpp"

#include "member/saved_state.hpp"

namespace rodeo {

/// The first member of a deck for a few slices; nothing of one that is dear, cannot start, has no rods, is a
/// branch, or starts from what another campaign leaves.
inline std::optional<MemberJob> few_slices(const std::filesystem::path& path) {
  Deck deck = Deck::read(path);
  const std::vector<AwaitedFile> files = awaited_files(deck, path);
  const bool are_there =
      std::ranges::all_of(files, [](const AwaitedFile& file) { return file.file.dataset.empty(); });
  if (!are_there || deck.is_given("rod.state"_key)) return std::nullopt;
  take_files(files, {}, deck);
  const std::unique_ptr<Plan> plan = make_plan(deck);
  const std::vector<double> point = plan->adaptive() ? plan->probes().front() : plan->point(0);
  deck.drop_sweep_axes();
  for (std::size_t k = 0; k < point.size(); ++k) deck.set(plan->parameters()[k], point[k]);
  MemberJob job = {make_member_spec(deck), 7};
  MemberSpec& spec = job.spec;
  if (!model_of(spec).has_rods || spec.branch.exists()) return std::nullopt;
  if (refusal_at_start(spec) || failure_at_start(spec)) return std::nullopt;
  spec.time.slice_steps = spec.steps_explicitly() ? 30 : 1;
  spec.time.steps = std::min(spec.time.steps, 6 * spec.time.slice_steps);
  spec.frames = 0;
  spec.measures.clear();
  spec.data.reset();
  spec.settle = {};
  constexpr double dear = 2e7;  // ns
  if (predicted_cost(spec) > dear) return std::nullopt;
  return job;
}

/// Runs a member that another process takes over after every slice. What its stepper keeps beside its state
/// would be missing there.
inline MemberOutcome run_in_new_batches(const MemberJob& job) {
  auto batch = make_batch({&job, 1});
  while (batch->advance() && batch->outcomes().front().status == MemberStatus::pending) {
    if (batch->outcomes().front().steps == 0) continue;  // it comes to rest first
    const std::vector<std::byte> state = saved_state(*batch, 0);
    batch = make_batch({&job, 1});
    restore(*batch, 0, state);
  }
  return batch->outcomes().front();
}

}  // namespace rodeo
