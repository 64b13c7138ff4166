#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/models/models.hpp"

#include "member/rod_precision.hpp"
#include "member/run_members.hpp"

namespace rodeo {
namespace {

MemberJob single(MemberJob job) {
  job.spec.single_precision = true;
  return job;
}

/// Largest distance of a coordinate of the frames, m.
double largest_distance(const MemberOutcome& a, const MemberOutcome& b) {
  EXPECT_EQ(a.fields[0].size(), b.fields[0].size());
  double largest = 0.0;
  for (std::size_t k = 0; k < a.fields[0].size(); ++k) {
    const double distance = std::abs(a.fields[0][k] - b.fields[0][k]);
    largest = distance <= largest ? largest : distance;  // NaN too
  }
  return largest;
}

/// Both precisions of a member that runs to its end; they differ, or one of them was not run.
struct Both {
  MemberOutcome exact;
  MemberOutcome rounded;

  explicit Both(const MemberJob& job)
      : exact(run_members({job}).front()), rounded(run_members({single(job)}).front()) {
    EXPECT_EQ(exact.status, MemberStatus::done);
    EXPECT_EQ(rounded.status, MemberStatus::done);
    EXPECT_NE(exact.fields[0], rounded.fields[0]);
  }

  void expect_close(const char* observable, double relative) const {
    const double wanted = value(exact, observable);
    EXPECT_NE(wanted, 0.0) << observable;
    EXPECT_NEAR(value(rounded, observable), wanted, relative * std::abs(wanted)) << observable;
  }
};

TEST(SinglePrecision, ASnakeCrawlsAsInDouble) {
  // Two periods of a muscle on a ground whose friction is chaotic in its details: nodes move by 0.1 m. The
  // speed is that over the second one, 0.1 m/s (over the first, from rest, it is nearly zero).
  const Both snake(shipped("validation/snake_gait.ini", {"time.end=0.5", "muscle.period=0.25"}));
  EXPECT_LT(largest_distance(snake.exact, snake.rounded), 3e-4);
  snake.expect_close("forward_speed", 5e-5);
  snake.expect_close("bending_energy", 1e-3);
}

TEST(SinglePrecision, ASwimmerSwimsAsInDouble) {
  const Both swimmer(shipped("validation/swimmer_gait.ini", {"time.end=0.5", "muscle.period=0.5"}));
  EXPECT_LT(largest_distance(swimmer.exact, swimmer.rounded), 1e-6);
  swimmer.expect_close("forward_speed", 1e-5);
  swimmer.expect_close("bending_energy", 1e-6);
}

TEST(SinglePrecision, TurnedEndsTwistARodAsInDouble) {
  // Clamps that are driven, and damping that decays.
  const Both rod(shipped("validation/plectoneme.ini",
                         {"time.end=1", "boundary.motion_time=1", "rod.damping_decay_time=0.5"}));
  EXPECT_LT(largest_distance(rod.exact, rod.rounded), 1e-5);
  rod.expect_close("total_energy", 1e-4);
  rod.expect_close("twist_turns", 1e-5);
}

TEST(SinglePrecision, RodsPushEachOtherAsInDouble) {
  const Both rods(MemberJob{make_member_spec(Deck::parse(crossed_rods, "test.ini", {"time.end=0.1"})), 7});
  EXPECT_LT(largest_distance(rods.exact, rods.rounded), 1e-6);
  rods.expect_close("contact_depth_max", 1e-5);
  rods.expect_close("total_energy", 1e-5);
}

// A cantilever of two rods that meet at a right angle, and a ring that falls beside them.
constexpr const char* joined_rods =
    "[rod]\ncount = 2\nelements = 20\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
    "poisson_ratio = 0.5\ndamping = 0.1\neach = rod.direction[0] : list(1, 0)\n"
    "each = rod.direction[1] : list(0, 1)\nnormal = 0, 0, 1\n"
    "[boundary]\nfirst = clamped\n[joint]\nkind = rigid\n"
    "[gravity]\nacceleration = 0, 0, -9.81\n[time]\nstep = 2e-5\nend = 0.1\n[output]\nframes = 5\n";
constexpr const char* ring =
    "[rod]\nshape = ring\nelements = 30\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
    "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\ntotal_twist = 7\n"
    "[load]\nperturbation = 0.1\n[time]\nstep = 2e-5\nend = 0.1\n[output]\nframes = 5\n";

TEST(SinglePrecision, JointsAndRingsMoveAsInDouble) {
  const Both cantilever(MemberJob{make_member_spec(Deck::parse(joined_rods, "test.ini")), 7});
  EXPECT_LT(largest_distance(cantilever.exact, cantilever.rounded), 1e-6);
  cantilever.expect_close("bending_energy", 1e-4);
  const Both closed(MemberJob{make_member_spec(Deck::parse(ring, "test.ini")), 7});
  EXPECT_LT(largest_distance(closed.exact, closed.rounded), 1e-6);
  closed.expect_close("link", 1e-6);
}

TEST(SinglePrecision, RodsDrapeAsInDouble) {
  // Four of them over a thick one.
  const Both rods(shipped("studies/draped_rods.ini", {"time.end=0.1"}));
  EXPECT_LT(largest_distance(rods.exact, rods.rounded), 1e-5);
}

TEST(SinglePrecision, AVerySlowDriftIsNotLost) {
  // A node moves by 2.5e-10 of its distance from the origin in a step, far below what a float resolves.
  MemberJob job{
      make_member_spec(Deck::parse("[rod]\nelements = 12\nlength = 1\nradius = 0.05\ndensity = 1000\n"
                                   "young_modulus = 1e5\npoisson_ratio = 0.5\norigin = 100, 0, 0\n"
                                   "velocity = 0, 1e-3, 2e-3\n[time]\nstep = 2e-5\nend = 0.5\n"
                                   "[output]\nframes = 2\n",
                                   "test.ini")),
      7};
  const MemberOutcome drifted = run_members({single(job)}).front();
  EXPECT_EQ(drifted.status, MemberStatus::done);
  const std::size_t last = drifted.fields[0].size() - 3;
  EXPECT_NEAR(drifted.fields[0][last + 1], 5e-4, 5e-9);
  EXPECT_NEAR(drifted.fields[0][last + 2], 1.0 + 1e-3, 1e-8);
}

TEST(SinglePrecision, AVerySlowAccelerationIsNotLost) {
  // A step changes the velocity by 2e-8 of itself, which a float does not resolve, and the rate of the roll
  // by what a float rounds by a thousandth, always to the same side.
  MemberJob job{
      make_member_spec(Deck::parse("[rod]\nelements = 12\nlength = 1\nradius = 0.05\ndensity = 1000\n"
                                   "young_modulus = 1e5\npoisson_ratio = 0.5\ndirection = 1, 0, 0\n"
                                   "normal = 0, 0, 1\nvelocity = 0, 0, 10\n"
                                   "[load]\ndistributed_couple = 0.7, 0, 0\n"
                                   "[gravity]\nacceleration = 0, 0, 0.01\n"
                                   "[time]\nstep = 2e-5\nend = 0.5\n[output]\nframes = 2\n",
                                   "test.ini")),
      7};
  const MemberOutcome pushed = run_members({single(job)}).front();
  EXPECT_EQ(pushed.status, MemberStatus::done);
  EXPECT_NEAR(pushed.fields[0].back(), 10.0 * 0.5 + 0.5 * 0.01 * 0.25, 5e-7);
  const double inertia = 1000 * std::numbers::pi * 0.5 * std::pow(0.05, 4);  // kg m^2, about the axis
  const double energy = std::pow(0.7 * 0.5, 2) / (2 * inertia);
  EXPECT_NEAR(value(pushed, "rotational_energy"), energy, 2e-6 * energy);
}

TEST(SinglePrecision, AMembersResultDoesNotDependOnItsNeighbours) {
  const MemberJob swimmer = single(shipped("validation/swimmer_gait.ini", {"time.end=0.01"}));
  const MemberJob other =
      single(shipped("validation/swimmer_gait.ini", {"time.end=0.01", "rod.elements=33"}));
  const auto together = run_members({other, swimmer, other, swimmer});
  EXPECT_EQ(together[1].fields[0], run_members({swimmer}).front().fields[0]);
  EXPECT_EQ(together[1].fields[0], together[3].fields[0]);
  EXPECT_EQ(together[2].fields[0], run_members({other}).front().fields[0]);
}

TEST(SinglePrecision, IsPredictedToTakeLess) {
  const MemberJob swimmer = shipped("validation/swimmer_gait.ini", {});
  EXPECT_LT(predicted_cost(single(swimmer).spec), predicted_cost(swimmer.spec));
}

TEST(SinglePrecision, RoundedRodsKeepPositionsOrientationsAndSmallLosses) {
  MemberSpec spec = shipped("validation/swimmer_gait.ini", {"rod.damping=1e-6"}).spec;
  const int n = spec.rod.elements;
  std::vector<double> arrays(rod_size(n));
  std::vector<double> widened(rod_size(n));
  std::vector<float> floats(rod_size<float>(n));
  const RodView rod(arrays.data(), n, 1.0);
  const RodView back(widened.data(), n, 1.0);
  const BasicRodView<float> rounded(floats.data(), n, 1.0);
  build_rods(spec, rod);
  for (int i = 0; i <= n; ++i) {
    rod.set_vec3(field::position, i, {1.0 / (3.0 + i), 1e3 + 1.0 / 7.0, -1.0 / 9.0});
    rod.set_quaternion(i, {0.6, 0.0, 0.8 * std::cos(i), 0.8 * std::sin(i)});
  }
  round_rods(rod, rounded);
  widen_rods(rounded.as_const(), back, 0);
  const double loss = 1.0 - rod.array(field::velocity_decay)[3];
  EXPECT_GT(loss, 0.0);
  EXPECT_LT(loss, 1e-8);  // which 1 - loss would lose
  EXPECT_NEAR(rounded.array(field::velocity_decay)[3], loss, 1e-7 * loss);
  for (int i = 0; i <= n; ++i) {
    const Vec3 there = rod.vec3(field::position, i);
    const Vec3 here = back.vec3(field::position, i);
    EXPECT_NEAR(here.x, there.x, 1e-14);
    EXPECT_NEAR(here.y, there.y, 1e-11);
    EXPECT_NEAR(here.z, there.z, 1e-14);
    EXPECT_NEAR(back.quaternion(i).z, rod.quaternion(i).z, 1e-14);
    EXPECT_NEAR(back.array(field::mass)[i], rod.array(field::mass)[i], 1e-7 * rod.array(field::mass)[i]);
  }
}

}  // namespace
}  // namespace rodeo
