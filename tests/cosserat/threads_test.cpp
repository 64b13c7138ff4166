#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/member/rod_parts.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

/// A closed rod, a clamped one that decays, jointed ones and free ones of unequal sizes, with muscles, a wall
/// with friction and contact, close to each other.
MemberSpec unlike_rods(int count) {
  MemberSpec spec = soft_rod(24);
  spec.rod.shape = RodShape::ring;
  spec.rod.closed = true;
  spec.time.step = 1e-5;
  spec.rod.radius = 0.01;
  spec.load.gravity = {0.3, 0, -9.81};
  spec.ground.has_plane = true;
  spec.ground.normal = {0, 0, 1};
  spec.ground.origin = {0, 0, -0.005};
  spec.ground.stiffness = 50.0;
  spec.ground.damping = 0.05;
  spec.ground.kinetic_friction = spec.ground.static_friction = {0.3, 0.4, 0.2};
  spec.ground.velocity_threshold = 1e-6;
  spec.contact = {ContactKind::penalty, 200.0, 0.01};
  spec.contact.friction = 0.3;
  spec.contact.tangential_stiffness = 100.0;
  spec.muscle.kind = MuscleKind::couple;
  spec.muscle.amplitudes.fill(0.02);
  spec.muscle.amplitude_count = 4;
  spec.muscle.period = 0.1;
  spec.muscle.wave_number = 6.0;
  spec.muscle.axis = {1, 0, 0};
  for (int k = 1; k < count; ++k) {
    RodSetup setup;
    setup.rod = soft_rod(5 + 7 * k % 13).rod;
    setup.rod.length = 0.5;
    setup.rod.radius = 0.01;
    setup.rod.origin = {0.018 * (k % 40), 0.3 * (k / 40 % 4), 0.2 * (k / 160)};
    setup.rod.direction = k % 2 == 0 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
    setup.rod.normal = {1, 0, 0};
    setup.muscle = spec.muscle;
    if (k % 50 == 10) setup.boundary.first = EndCondition::clamped;
    if (k % 50 == 20) setup.load.end_force = {0.2, 0.3, -0.1};
    if (k % 50 == 30) {
      setup.rod.damping = 2.0;
      setup.rod.damping_decay_time = 0.3;
    }
    if (k % 50 == 40) {
      const RodSpec& before = spec.further_rods.back().rod;
      setup.rod.origin = before.origin + before.length * before.direction;
      setup.joint = JointKind::rigid;
    }
    spec.further_rods.push_back(setup);
  }
  return spec;
}

std::vector<double> after_steps(const MemberSpec& spec, int threads, bool in_parts, Sample& sample) {
  TestRod test(spec);
  if (in_parts) {
    test.share_work();
  } else {
    test.data().parts = 0;
  }
  test.use_threads(threads);
  for (int k = 0; k < test.rods().count; ++k) stir(test.rod(k), 0.2);
  sample = test.advance(150);
  std::vector<double> values;
  for (int k = 0; k < test.rods().count; ++k) {
    const std::vector<double> own = state(test.rod(k));
    values.insert(values.end(), own.begin(), own.end());
  }
  // What observers look at after steps.
  const RodView last = test.rod(test.rods().count - 1);
  for (int i = -1; i < last.elements; ++i) {
    for (int f = field::internal_force; f < field::middle_velocity; ++f) values.push_back(last.array(f)[i]);
  }
  return values;
}

TEST(Threads, GiveTheBitsOfOne) {
  MemberSpec spec = unlike_rods(400);
  for (const bool touch : {true, false}) {
    if (!touch) spec.contact = {};
    Sample alone;
    const std::vector<double> by_one = after_steps(spec, 1, true, alone);
    if (touch) {
      EXPECT_GT(alone.contact.touching, 50.0);
    }
    EXPECT_GT(alone.ground_energy, 0.0);
    for (int threads = 2; threads <= Kokkos::DefaultExecutionSpace().concurrency(); ++threads) {
      for (const bool in_parts : {true, false}) {
        Sample shared;
        EXPECT_EQ(after_steps(spec, threads, in_parts, shared), by_one) << threads << " threads";
        EXPECT_EQ(energy(shared), energy(alone));
        EXPECT_EQ(shared.contact_energy, alone.contact_energy);
        EXPECT_EQ(shared.friction_loss, alone.friction_loss);
        EXPECT_EQ(shared.ground_energy, alone.ground_energy);
        EXPECT_EQ(shared.contact.touching, alone.contact.touching);
      }
    }
  }
}

TEST(Parts, GiveTheBitsOfTheWhole) {
  Sample alone;
  Sample whole;
  const MemberSpec spec = unlike_rods(400);
  EXPECT_EQ(after_steps(spec, 1, true, alone), after_steps(spec, 1, false, whole));
  EXPECT_EQ(energy(alone), energy(whole));
}

/// Beside contact too.
TEST(Parts, FeelNothingOfSurfacesThatAreFar) {
  MemberSpec spec = unlike_rods(400);
  Sample without;
  const std::vector<double> expected = after_steps(spec, 1, true, without);
  spec.ground.solid_count = 3;
  spec.ground.solids[0] = {{200, 0, 0}, {}, 0.3};
  spec.ground.solids[1] = {{0, 0, -70}, {0, 1, 0}, 20.0};
  spec.ground.solids[2] = {{0, 1, 0}, {}, -90.0};
  for (const bool in_parts : {true, false}) {
    Sample with;
    EXPECT_EQ(after_steps(spec, 1, in_parts, with), expected);
    EXPECT_EQ(with.ground_energy, without.ground_energy);
  }
}

TEST(Parts, OfAlikeRodsReadTheSameConstants) {
  MemberSpec spec = unlike_rods(400);
  spec.rod.shape = RodShape::straight;
  spec.rod.closed = false;
  spec.muscle = {};
  spec.boundary = {};
  for (RodSetup& setup : spec.further_rods) {
    const RodSpec own = setup.rod;
    setup = {};
    setup.rod = spec.rod;
    setup.rod.origin = own.origin;
    setup.rod.direction = own.direction;
    setup.rod.normal = own.normal;
  }
  const TestRod test(spec);
  const Rods rods = test.rods();
  const std::vector<RodsPart> parts = make_parts({rods.begin(), rods.end()}, test.view().as_const());
  ASSERT_GT(parts.size(), 3U);
  EXPECT_GE(std::ranges::count_if(parts, [](const RodsPart& part) { return part.constants < part.first; }),
            std::ssize(parts) - 3);
  Sample alone;
  Sample whole;
  EXPECT_EQ(after_steps(spec, 1, true, alone), after_steps(spec, 1, false, whole));
  EXPECT_EQ(energy(alone), energy(whole));
}

TEST(Parts, HoldEveryRodOnce) {
  const MemberSpec spec = unlike_rods(800);
  const TestRod test(spec);
  const Rods rods = test.rods();
  const std::vector<RodsPart> parts = make_parts({rods.begin(), rods.end()}, test.view().as_const());
  ASSERT_GT(parts.size(), 3U);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const RodsPart& part = parts[p];
    EXPECT_EQ(part.first % 16, 0);
    const int next = p + 1 < parts.size() ? parts[p + 1].first_rod : rods.count;
    EXPECT_TRUE(part.rods == 0 || part.first_rod + part.rods == next);
    EXPECT_FALSE(rods.data[part.first_rod].shares_first_node);
    EXPECT_LE(part.first, rods.data[part.first_rod].first);
    const RodData& last = rods.data[next - 1];
    EXPECT_GE(part.first + part.elements, last.first + last.elements);
    if (p + 1 < parts.size()) {
      EXPECT_LT(part.first + part.elements, parts[p + 1].first);
    }
  }
}

TEST(Meeting, AddsUpWhatAllThreadsGive) {
  constexpr int threads = 4;
  constexpr int rounds = 500;
  Meeting meeting;
  std::vector<int> wrong(threads, 0);
  std::vector<std::thread> running;
  for (int rank = 0; rank < threads; ++rank) {
    running.emplace_back([&, rank] {
      const HostTeam team{rank, threads, &meeting};
      for (int round = 0; round < rounds; ++round) {
        if (round % 3 == 0) team.team_barrier();
        const std::int64_t count = count_lanes(team, 1000 + round, [](int i) { return i % 2 == 0; });
        if (count != (1001 + round) / 2) ++wrong[static_cast<std::size_t>(rank)];
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(threads, 0));
}

TEST(Meeting, WakesThreadsThatFellAsleep) {
  constexpr int threads = 3;
  Meeting meeting;
  std::atomic<int> come = 0;
  std::vector<int> wrong(threads, 0);
  std::vector<std::thread> running;
  for (int rank = 0; rank < threads; ++rank) {
    running.emplace_back([&, rank] {
      const HostTeam team{rank, threads, &meeting};
      for (int round = 0; round < 60; ++round) {
        // Each in turn lets the others wait for longer than they spin.
        if (round % threads == rank) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        ++come;
        team.team_barrier();
        if (come < threads * (round + 1)) ++wrong[static_cast<std::size_t>(rank)];
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(threads, 0));
}

}  // namespace
}  // namespace rodeo::cosserat
