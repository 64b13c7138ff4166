#include "rodeo/member/rod_batch.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

namespace rodeo {
namespace {

/// A stepper of one's own: nodes keep their velocities, and a step that would begin at `failing_step` fails.
struct Coasting {
  using Scalar = double;
  static constexpr std::int64_t failing_step = 70;

  Coasting(std::span<const MemberJob> jobs, const BatchViews& views) : batch(views), taken(jobs.size()) {}

  /// On the host: where the batch's arrays are a device's, they are copied.
  void advance(std::span<SliceTask> tasks, std::span<Sample> samples) {
    const auto members = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), batch.members);
    const auto rods_of_members = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), batch.rods);
    const auto storage = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), batch.storage);
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      SliceTask& task = tasks[k];
      const MemberData& member = members(task.member);
      const RodView all(storage.data() + member.offset, member.elements, member.sections_shrink);
      const bool fails = task.first_step + task.steps > failing_step;
      if (fails) task.steps = failing_step - task.first_step;
      for (int i = 0; i < all.nodes(); ++i) {
        const Vec3 travel = (static_cast<double>(task.steps) * member.step) * all.vec3(field::velocity, i);
        all.set_vec3(field::position, i, all.vec3(field::position, i) + travel);
      }
      const Rods rods{rods_of_members.data() + member.first_rod, member.rods};
      samples[k] = {take_sample(OneThread{}, all, rods, member.step)};
      samples[k].implicit.failed = fails;
      taken[static_cast<std::size_t>(task.member)] += task.steps;
    }
    Kokkos::deep_copy(batch.storage, storage);
  }

  void visit_state(std::size_t member, StateArchive& archive) { archive.visit(taken[member]); }

  BatchViews batch;
  std::vector<std::int64_t> taken;
};
static_assert(Stepper<Coasting>);

MemberJob coasting(std::int64_t steps) {
  MemberSpec spec = cosserat::soft_rod(8);
  spec.rod.velocity = {1.0, -2.0, 0.5};
  spec.time = {.step = 0.01, .steps = steps, .slice_steps = 7};
  spec.frames = 5;
  spec.frame_observables = {observable_index("end_x"), observable_index("momentum_drift")};
  return {spec, 1};
}

TEST(RodBatch, RunsAnyStepperSliceBySlice) {
  const std::vector<MemberJob> jobs = {coasting(40), coasting(60)};
  RodBatch<Coasting> batch(jobs);
  while (batch.advance()) {
  }
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const MemberOutcome& outcome = batch.outcomes()[k];
    const double time = 0.01 * static_cast<double>(jobs[k].spec.time.steps);
    EXPECT_EQ(outcome.status, MemberStatus::done);
    EXPECT_NEAR(value(outcome, "end_x"), time, 1e-12);
    EXPECT_NEAR(value(outcome, "end_y"), -2.0 * time, 1e-12);
    for (std::size_t frame = 0; frame < 5; ++frame) {
      EXPECT_NEAR(outcome.time[frame], 0.25 * time * static_cast<double>(frame), 1e-12);
      EXPECT_NEAR(outcome.fields[1][frame], outcome.time[frame], 1e-12);  // end_x
      EXPECT_EQ(outcome.fields[2][frame], 0.0);
    }
  }
}

TEST(RodBatch, AStepThatFailsEndsItsMemberAlone) {
  const std::vector<MemberJob> jobs = {coasting(100), coasting(60)};
  RodBatch<Coasting> batch(jobs);
  while (batch.advance()) {
  }
  EXPECT_EQ(batch.outcomes()[0].status, MemberStatus::too_stiff);
  EXPECT_EQ(batch.outcomes()[0].steps, 70u);
  EXPECT_NEAR(value(batch.outcomes()[0], "end_x"), 0.7, 1e-12);
  EXPECT_EQ(batch.outcomes()[1].status, MemberStatus::done);
}

TEST(RodBatch, ARestartCarriesWhatTheStepperKeeps) {
  const std::vector<MemberJob> jobs = {coasting(60)};
  RodBatch<Coasting> first(jobs);
  for (int slice = 0; slice < 4; ++slice) first.advance();
  StateArchive saved;
  first.visit_state(0, saved);
  const std::vector<std::byte> bytes = saved.take();

  RodBatch<Coasting> second(jobs);
  StateArchive restored(bytes);
  second.visit_state(0, restored);
  restored.require_end();
  StateArchive again;
  second.visit_state(0, again);
  EXPECT_EQ(again.take(), bytes);
  while (first.advance()) {
  }
  while (second.advance()) {
  }
  EXPECT_EQ(second.outcomes()[0].steps, 60u);
  EXPECT_EQ(value(second.outcomes()[0], "end_x"), value(first.outcomes()[0], "end_x"));
}

TEST(MemberRun, CopiesArraysOnceALookThatNeedsThemAndKnowsItsNextSlice) {
  MemberJob job = coasting(60);
  job.spec.sections_shrink = 0.0;  // the stretch of others is looked at in the arrays
  MemberOutcome outcome;
  MemberRun run(job, outcome);
  cosserat::TestRod test(job.spec);
  struct Counted : HostRods {
    explicit Counted(const ConstRodView& rods, int& number) : rods(rods), copies(number) {}
    Vec3 position(int node) override { return rods.vec3(field::position, node); }
    ConstRodView all() override {
      ++copies;
      return rods;
    }
    ConstRodView rods;
    int& copies;
  };
  int copies = 0;
  int frames = 0;
  EXPECT_EQ(run.next_slice().steps, 0);  // t = 0
  std::vector<std::int64_t> steps;
  while (outcome.status == MemberStatus::pending) {
    const std::int64_t next = run.next_slice().steps;
    Counted arrays(test.view(), copies);
    run.look(next, test.sample(), 0.0, arrays);
    steps.push_back(run.steps());
    if (run.steps() % 15 == 0) ++frames;
    EXPECT_EQ(copies, frames);  // which have fields and observables; no other look needs all arrays
  }
  // Slices of 7 steps, cut at frames.
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 7, 14, 15, 21, 28, 30, 35, 42, 45, 49, 56, 60}));
}

}  // namespace
}  // namespace rodeo
