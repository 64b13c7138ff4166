#include "rodeo/coupling/resting_ground.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/math/rotation.hpp"

#include "member/measured.hpp"
#include "member/run_members.hpp"
#include "statics/relaxed.hpp"
#include "statics/standing_member.hpp"

namespace rodeo::statics {
namespace {

/// A rod of 1 m with B = 0.126 N m^2 and a mass of 1.26 kg.
constexpr const char* soft_rod =
    "[rod]\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\npoisson_ratio = 0.5\n"
    "direction = 1, 0, 0\nnormal = 0, 1, 0\n[gravity]\nacceleration = 0, 0, -9.81\n";
constexpr double soft_rod_weight = M_PI * 4e-4 * 1000.0 * 9.81;

MemberSpec on_ground(const std::string& text, std::vector<std::string> overrides) {
  overrides.emplace_back("time.method=static");
  return make_member_spec(Deck::parse(text, "test", overrides));
}

TEST(RestingGround, DerivativesAreThoseOfItsEnergy) {
  const StandingMember member(on_ground(
      soft_rod, {"rod.elements=6", "ground.kind=plane", "ground.normal=0, 1, 5", "ground.stiffness=70",
                 "ground.origin=0, 0, -0.01", "ground.spheres=0.4, 0.02, -0.2, 0.19",
                 "ground.cylinders=0.5, 0, 0.48, 0, 1, 0.1, -0.5", "ground.planes=0, 0, 0.01, 0, 0, -1",
                 "ground.platen=1, 0, 0, -1, 0, 0 : -0.1 * t, 0, 0"}));
  coupling::RestingGround ground(member.spec());
  ground.set_time(2.0);
  const RodView& rod = member.arrays().all;
  for (int i = 0; i <= rod.elements; ++i) {
    const double place = static_cast<double>(i * i);
    rod.set_vec3(field::position, i,
                 rod.vec3(field::position, i) + 0.005 * Vec3{std::sin(place), std::cos(place), 0.0});
  }
  const auto size = static_cast<std::size_t>(tangent::unknowns(rod.elements));
  const auto gradient = [&] {
    std::vector<double> g(size);
    ground.add_gradient(rod, g);
    return g;
  };
  tangent::RodMatrix hessian(tangent::unknowns(rod.elements));
  hessian.set_zero();
  ground.add_hessian(rod, hessian);
  std::vector<double> way(size);
  for (std::size_t k = 0; k < size; ++k)
    way[k] = k % 6 < 3 ? std::sin(3.0 + static_cast<double>(k * k)) : 0.0;
  std::vector<double> product(size);
  hessian.multiply(way.data(), product.data());
  const auto move = [&](double part) { tangent::take_step(rod, way, part); };
  const double along = ground.slope(rod, way, 0.0);
  const double bend = ground.curvature(rod, way);
  constexpr double h = 1e-6;
  move(h);
  const std::vector<double> after = gradient();
  const double energy_after = ground.energy(rod);
  move(-2.0 * h);
  const std::vector<double> before = gradient();
  const double energy_before = ground.energy(rod);
  move(h);
  EXPECT_NEAR((energy_after - energy_before) / (2.0 * h) / along, 1.0, 1e-8);
  double by_gradient = 0.0;
  double by_hessian = 0.0;
  for (std::size_t k = 0; k < size; ++k) {
    EXPECT_NEAR((after[k] - before[k]) / (2.0 * h), product[k], 1e-6) << k;
    by_gradient += gradient()[k] * way[k];
    by_hessian += product[k] * way[k];
  }
  EXPECT_NEAR(by_gradient, along, 1e-12);
  EXPECT_NEAR(by_hessian, bend, 1e-10);
  EXPECT_NEAR(ground.slope(rod, way, 1e-4), along + 1e-4 * bend, 1e-2 * std::abs(1e-4 * bend));
  const std::vector<ConstRodView> rods = {rod};
  std::vector<bool> touches = ground.touches(rods);
  ASSERT_EQ(touches.size(), 6U * 5U * 3U);
  EXPECT_TRUE(touches.front());
  EXPECT_EQ(ground.rate_of_touching(rods, touches, way), 0.0);
  touches.front() = false;
  EXPECT_NEAR(ground.rate_of_touching(rods, touches, way),
              -dot(normalized({0, 1, 5}), Vec3{way[0], way[1], way[2]}), 1e-15);
  const std::vector<Vec3> on_platen = ground.forces_on_platen(rod);
  EXPECT_EQ(norm(on_platen.front()), 0.0);
  EXPECT_GT(on_platen.back().x, 0.0);
  EXPECT_NEAR(ground.platen_displacement(2.0).x, -0.2, 1e-15);
}

TEST(RestingGround, LetsNoElementThroughABall) {
  const StandingMember member(
      on_ground(soft_rod, {"rod.elements=2", "ground.spheres=0.25, 0, -0.5, 0.1, 0.75, 0, 0.5, -3"}));
  const coupling::RestingGround ground(member.spec());
  const RodView& rod = member.arrays().all;
  std::vector<double> way(static_cast<std::size_t>(tangent::unknowns(2)));
  way[2] = way[8] = -1.0;
  EXPECT_NEAR(ground.clear_part(rod, way), 0.9 * 0.5, 1e-12);
  way[2] = way[8] = -0.1;
  EXPECT_EQ(ground.clear_part(rod, way), 1.0);
}

/// Each element stands on a spring of its own, k, and bears its weight. A thin wire is free to go along the
/// ground and to roll, for which rounding is enough.
TEST(RestingGround, RodFallsOnAPlaneAndLiesThere) {
  for (const char* const young : {"1e6", "2e11"}) {
    for (const double tilt : {0.0, 0.3, -1.0}) {
      const double radius = *young == '1' ? 0.02 : 0.001;
      const double weight = M_PI * radius * radius * 1000.0 * 9.81;
      const MemberOutcome outcome = run_member(on_ground(
          soft_rod, {"rod.elements=20", "rod.origin=0, 0, 0.6", "rod.direction=1, 0, " + std::to_string(tilt),
                     "rod.radius=" + std::to_string(radius), std::string("rod.young_modulus=") + young,
                     "ground.kind=plane", "ground.normal=0, 0, 1", "ground.stiffness=100"}));
      ASSERT_EQ(outcome.status, MemberStatus::done) << tilt;
      EXPECT_LT(value(outcome, "newton_iterations"), 40.0) << tilt;
      EXPECT_NEAR(value(outcome, "end_z"), radius - weight / 20 / 100.0, 1e-9) << tilt;
      EXPECT_NEAR(value(outcome, "bending_energy"), 0.0, 1e-13) << tilt;
      EXPECT_EQ(value(outcome, "unstable_modes"), 0.0) << tilt;
    }
  }
}

TEST(RestingGround, NothingHoldsARodOnASlope) {
  const MemberOutcome outcome = run_member(on_ground(
      soft_rod, {"rod.elements=10", "ground.kind=plane", "ground.normal=0.1, 0, 1", "ground.stiffness=100"}));
  EXPECT_EQ(outcome.status, MemberStatus::no_equilibrium);
}

TEST(RestingGround, WeightBendsARodOverACylinder) {
  const std::vector<std::string> deck = {"rod.elements=20", "boundary.first=clamped",
                                         "ground.cylinders=0.4, 0, -0.2, 0, 1, 0, 0.15",
                                         "ground.stiffness=500"};
  expect_as_relaxed(soft_rod, deck,
                    {"model.section=rigid", "ground.response=springs", "ground.damping=0.5",
                     "rod.damping_ratio=1", "time.step=2e-4", "time.end=20"},
                    1e-6);
}

/// Between the ground and the platen each element is pushed by k (u - d) from below and k d from above, u the
/// overlap of both: weight and force above are what is below.
TEST(RestingGround, PlatenPressesAndTellsWhatItTakes) {
  const Measured pressed(
      std::string(soft_rod) +
          "[ground]\nkind = plane\nnormal = 0, 0, 1\nstiffness = 100\n"
          "platen = 0, 0, 0.05, 0, 0, -1 : 0, 0, -0.03 * t\n[time]\nmethod = static\n"
          "step = 0.125\n[measure]\ninterval = 0.125\ndefine = force [N] : platen_force_z\n"
          "define = element [N] : platen_force_z(element 3)\n"
          "define = work [J] : work_platen\n",
      {"rod.elements=10", "rod.origin=0, 0, 0.02"});
  const double force = 0.5 * (10.0 * 100.0 * 0.02 - soft_rod_weight);  // N
  EXPECT_NEAR(pressed["force"], force, 1e-8);
  EXPECT_NEAR(pressed["element"], 0.1 * force, 1e-8);
  // It goes against springs of 10 k/2 from where they touch on.
  EXPECT_NEAR(pressed["work"], 0.5 * force * force / 500.0, 3e-4);
}

/// A motion takes the clamp of a rod past a peg in long steps: the rod hangs over it, with its end as high as
/// the elastica's, or goes through it where its spring is far too soft.
TEST(RestingGround, NoMotionTakesARodThroughAPegUnseen) {
  const std::string deck = RODEO_SOURCE_DIR "/inputs/validation/faults/peg_in_the_way.ini";
  const auto run = [&](const std::vector<std::string>& overrides) {
    return run_member(make_member_spec(Deck::read(deck, overrides)));
  };
  for (const char* override : {"time.step=1", "time.step=0.5", "time.step=0.2", "model.kind=der"}) {
    const MemberOutcome outcome = run({override});
    ASSERT_EQ(outcome.status, MemberStatus::done) << override;
    EXPECT_NEAR(value(outcome, "end_z"), 0.0514496, 5e-5) << override;
  }
  EXPECT_EQ(run({"ground.stiffness=1e-3"}).status, MemberStatus::passed_through);
}

/// A column that a wall stops bends on as it is pressed: a branch goes through the kink.
TEST(RestingGround, BranchPassesTheKinkWhereAColumnMeetsAWall) {
  const std::string column =
      "[rod]\nelements = 40\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e8\n"
      "poisson_ratio = 0.3\n[boundary]\nfirst = pinned\nlast = pinned_sliding\n[load]\n"
      "middle_force = 0.5, 0, 0\n[ground]\nplanes = 0.06, 0, 0, -1, 0, 0\nstiffness = 1e4\n";
  const MemberOutcome branch =
      run_member(on_ground(column, {"branch.key=load.axial_force", "branch.to=7.5"}));
  ASSERT_EQ(branch.status, MemberStatus::done);
  EXPECT_EQ(value(branch, "branch_value"), 7.5);
  EXPECT_EQ(value(branch, "bifurcations"), 0.0);
  EXPECT_EQ(value(branch, "folds"), 0.0);
  EXPECT_LT(branch.steps, 60U);
  const MemberOutcome alone = run_member(on_ground(column, {"load.axial_force=7.5"}));
  ASSERT_EQ(alone.status, MemberStatus::done);
  EXPECT_NEAR(value(branch, "bending_energy"), value(alone, "bending_energy"), 1e-9);
  EXPECT_NEAR(value(branch, "end_z"), value(alone, "end_z"), 1e-10);
  const MemberOutcome without =
      run_member(on_ground(column, {"load.axial_force=7.5", "ground.stiffness=1e-9"}));
  EXPECT_GT(value(without, "bending_energy"), 2.0 * value(alone, "bending_energy"));
}

/// An arch that is pushed through meets a ball on its way back from the fold: there the force turns round at
/// once, and pushes it against the ball.
TEST(RestingGround, BranchTurnsRoundWhereAnArchMeetsABall) {
  const MemberSpec spec = on_ground(
      "[rod]\nelements = 40\nlength = 1\nradius = 0.01\ndensity = 1000\nbend_stiffness = 1\n"
      "twist_stiffness = 10\nshear_stiffness = 1e4\nstretch_stiffness = 1e4\nnormal = 0, 1, 0\n"
      "[boundary]\nfirst = clamped\nlast = clamped\nslack = 0.03\nmotion_time = 0.5\n[load]\n"
      "middle_force = 20, 0, 0\n[motion]\nposition = middle : free, 0, free\n[ground]\n"
      "spheres = -0.28, 0, 0.485, 0.3\nstiffness = 3000\n[time]\nstep = 0.25\n[branch]\n"
      "key = load.middle_force[0]\nfrom = 20\nto = -60\npoints = 60\nstep = 0.02\n",
      {});
  const MemberOutcome outcome = run_member(spec);
  ASSERT_EQ(outcome.status, MemberStatus::out_of_points);  // well past the ball
  EXPECT_EQ(value(outcome, "folds"), 2.0);
  EXPECT_LT(value(outcome, "branch_value"), -43.0);
  EXPECT_EQ(value(outcome, "unstable_modes"), 6.0);
}

}  // namespace
}  // namespace rodeo::statics
