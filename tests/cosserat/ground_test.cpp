#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"

#include "cosserat/step.hpp"
#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

constexpr double length = 1.0;

Vec3 turned(const Quaternion& frame, const Vec3& v) { return directors(frame).to_laboratory(v); }

/// A rod along z on the plane y = -soft_radius, with every coefficient different; then all of it turned by
/// `frame`.
MemberSpec grounded_rod(int elements, const Vec3& gravity, const Quaternion& frame = {}) {
  MemberSpec spec = soft_rod(elements);
  spec.load.gravity = turned(frame, gravity);
  spec.rod.direction = turned(frame, {0, 0, 1});
  spec.rod.normal = turned(frame, {1, 0, 0});
  spec.ground.has_plane = true;
  spec.ground.normal = turned(frame, {0, 1, 0});
  spec.ground.origin = turned(frame, {3.0, -soft_radius, -7.0});
  spec.ground.stiffness = 10.0;
  spec.ground.damping = 1e-4;
  spec.ground.static_friction = {0.3, 0.5, 0.7};
  spec.ground.kinetic_friction = {0.2, 0.3, 0.4};
  spec.ground.velocity_threshold = 1e-6;
  return spec;
}

const Quaternion tilt = rotation({0.4, -1.1, 2.0});

TEST(Coulomb, ArrestsUpToItsLimits) {
  const forces::Coulomb law{0.5, 0.8, 0.25, 0.4};
  EXPECT_EQ(law.friction(-3.0, 0.0, 10.0), -3.0);
  EXPECT_EQ(law.friction(-6.0, 0.0, 10.0), -5.0);
  EXPECT_EQ(law.friction(9.0, 0.0, 10.0), 8.0);
  EXPECT_EQ(law.friction(-6.0, 1.0, 10.0), -2.5);
  EXPECT_EQ(law.friction(6.0, 1.0, 10.0), 4.0);
  EXPECT_DOUBLE_EQ(law.friction(5.9, 0.5, 10.0), 5.9);
  EXPECT_DOUBLE_EQ(law.friction(7.0, 0.5, 10.0), 6.0);
  EXPECT_EQ(law.friction(6.0, 0.5, 0.0), 0.0);
}

TEST(Ground, CarriesTheWeightOfARodAtRest) {
  for (const int elements : {1, 7, 8, 16, 17}) {
    TestRod test(grounded_rod(elements, {0, -g, 0}, tilt));
    const std::vector<double> before = test.state();
    test.advance(2000);
    const std::vector<double> after = test.state();
    for (std::size_t k = 0; k < before.size(); ++k) ASSERT_NEAR(after[k], before[k], 1e-10) << elements;
  }
}

TEST(Ground, AnswersTheWholeForceOnARod) {
  // Weight, a load at one end and what a bent rod does: none of it sets the centre of soft_mass in motion.
  MemberSpec spec = grounded_rod(20, {0, -g, 0});
  spec.load.end_force = {0, -2.0, 0};
  spec.ground.stiffness = 0.0;
  TestRod test(spec);
  const RodView rod = test.view();
  for (int i = 0; i < rod.nodes(); ++i) {
    rod.set_vec3(field::position, i, rod.vec3(field::position, i) - Vec3{0, 1e-6 * i * i, 0});
  }
  EXPECT_NEAR(test.advance(1).momentum.y, 0.0, 1e-15);
}

TEST(Ground, DoesNothingToARodThatDoesNotTouch) {
  MemberSpec spec = grounded_rod(11, {0, -g, 0}, tilt);
  spec.rod.origin = turned(tilt, {0, 1e-3, 0});
  spec.rod.velocity = turned(tilt, {0.3, 0, 0.2});
  TestRod above(spec);
  spec.ground.has_plane = false;
  TestRod alone(spec);
  above.advance(100);
  alone.advance(100);
  EXPECT_EQ(above.state(), alone.state());
}

TEST(Ground, ResistsBeingEntered) {
  // 10 elements of k_w = 10 N/m and gamma_w on a soft_mass m: a damped spring, from rest at a depth d.
  MemberSpec spec = grounded_rod(10, {});
  spec.ground.damping = 3.0;
  spec.rod.origin = {0, -0.02, 0};
  TestRod test(spec);
  const Sample end = test.advance(2000);
  const double rate = 10 * 3.0 / (2.0 * soft_mass);
  const double frequency = std::sqrt(10 * 10.0 / soft_mass - rate * rate);
  const double t = 0.2;
  const double depth =
      0.02 * std::exp(-rate * t) * (std::cos(frequency * t) + rate / frequency * std::sin(frequency * t));
  ASSERT_GT(depth, 0.0);
  EXPECT_NEAR(end.first_moment.y / soft_mass, -depth, 2e-6);
}

TEST(Ground, NeverPulls) {
  MemberSpec spec = grounded_rod(10, {});
  spec.rod.velocity = {0, 0.5, 0};
  spec.rod.origin = {0, -0.01, 0};
  spec.ground.stiffness = 0.0;
  spec.ground.damping = 100.0;
  TestRod test(spec);
  EXPECT_NEAR(test.advance(2000).momentum.y, 0.5 * soft_mass, 1e-12);
}

TEST(Ground, HoldsOrReleasesARodPulledAlongItself) {
  struct Case {
    double pull;         // over the weight
    double first_step;   // what friction leaves of it from rest
    double later_steps;  // and in motion
  };
  for (const Case& c :
       {Case{0.29, 0.0, 0.0}, Case{0.31, 0.01, 0.11}, Case{-0.49, 0.0, 0.0}, Case{-0.51, -0.01, -0.21}}) {
    TestRod test(grounded_rod(10, {0, -g, c.pull * g}, tilt));
    const Sample end = test.advance(2000);
    const double expected = soft_mass * g * 1e-4 * (c.first_step + 1999 * c.later_steps);
    const double along = dot(end.momentum, turned(tilt, {0, 0, 1}));
    EXPECT_NEAR(along, expected, 1e-9) << c.pull;
    EXPECT_NEAR(norm(end.momentum), std::abs(along), 1e-9) << c.pull;
  }
}

TEST(Ground, LetsARodRollDownAnInclineAsItsInertiaSays) {
  for (const double ratio : {0.5, 1.0, 2.0}) {
    for (const int elements : {1, 8, 13}) {
      MemberSpec spec = grounded_rod(elements, {0.5 * g, -g, 0}, tilt);
      spec.rod.inertia_ratio = ratio;
      TestRod test(spec);
      const Sample end = test.advance(2000);
      const double j = 0.5 * ratio;  // J/(m r^2)
      const double speed = 0.5 * g / (1.0 + j) * 0.2;
      EXPECT_NEAR(dot(end.momentum, turned(tilt, {1, 0, 0})), soft_mass * speed, 1e-9) << ratio;
      EXPECT_NEAR(end.translational_energy, 0.5 * soft_mass * speed * speed, 1e-8) << ratio;
      EXPECT_NEAR(end.rotational_energy, 0.5 * j * soft_mass * speed * speed, 1e-8) << ratio;
    }
  }
}

TEST(Ground, RollingLosesNoEnergy) {
  TestRod test(grounded_rod(10, {0.5 * g, -g, 0}));
  const Sample start = test.sample();
  const Sample end = test.advance(5000);
  const double work = dot({0.5 * g, -g, 0}, end.first_moment - start.first_moment);
  EXPECT_NEAR(energy(end) / work, 1.0, 1e-9);
}

TEST(Ground, SlipsDownASteepInclineAndTurnsByFriction) {
  // tan(a) = 4 is beyond 3 mu_s.
  TestRod test(grounded_rod(10, {4.0 * g, -g, 0}, tilt));
  const Sample end = test.advance(2000);
  const double speed = (4.0 - 0.4) * g * 0.2;
  const double spin = 0.4 * soft_mass * g * soft_radius / (0.5 * soft_mass * soft_radius * soft_radius) * 0.2;
  EXPECT_NEAR(end.translational_energy, 0.5 * soft_mass * speed * speed, 1e-3 * soft_mass * speed * speed);
  EXPECT_NEAR(end.rotational_energy, 0.25 * soft_mass * soft_radius * soft_radius * spin * spin,
              1e-3 * end.rotational_energy);
}

TEST(Ground, SlidingLosesWhatFrictionTakesInEachDirection) {
  struct Case {
    Vec3 velocity;
    double kinetic;
  };
  for (const Case& c : {Case{{0, 0, 0.5}, 0.2}, Case{{0, 0, -0.5}, 0.3}}) {
    MemberSpec spec = grounded_rod(10, {0, -g, 0}, tilt);
    spec.rod.velocity = turned(tilt, c.velocity);
    TestRod test(spec);
    const Sample start = test.sample();
    const Sample half = test.advance(1000);
    const double distance = norm(half.first_moment - start.first_moment) / soft_mass;
    EXPECT_NEAR(start.translational_energy - energy(half), c.kinetic * soft_mass * g * distance, 1e-4);
    // Then it stops where it should, and stays.
    const Sample end = test.advance(3000);
    EXPECT_NEAR(norm(end.first_moment - start.first_moment) / soft_mass, 0.5 * 0.25 / (c.kinetic * g), 1e-4);
    EXPECT_LT(energy(end), 1e-16);
  }
}

TEST(Ground, SlowsASlippingRodUntilItRolls) {
  // Figure 17e: v = V/(1 + j), E_R/E_T = j, and from then on nothing is lost.
  for (const double ratio : {0.4, 1.0, 1.6}) {
    MemberSpec spec = grounded_rod(10, {0, -g, 0}, tilt);
    spec.rod.inertia_ratio = ratio;
    spec.rod.velocity = turned(tilt, {0.5, 0, 0});
    TestRod test(spec);
    const Sample end = test.advance(4000);
    const double j = 0.5 * ratio;
    const double speed = 0.5 / (1.0 + j);
    EXPECT_NEAR(end.translational_energy, 0.5 * soft_mass * speed * speed, 1e-5) << ratio;
    EXPECT_NEAR(end.rotational_energy, 0.5 * j * soft_mass * speed * speed, 1e-5) << ratio;
    const Sample later = test.advance(4000);
    EXPECT_NEAR(energy(later), energy(end), 1e-12) << ratio;
  }
}

TEST(Ground, FrictionOnlyTakesEnergy) {
  // A lively rod in the plane: between any two looks the energy may fall, not rise.
  MemberSpec spec = grounded_rod(20, {0, -g, 0});
  spec.time.step = 2e-5;
  TestRod test(spec);
  const RodView rod = test.view();
  for (int i = 0; i < rod.nodes(); ++i) {
    const double s = static_cast<double>(i) / rod.elements;
    rod.set_vec3(field::velocity, i, {std::sin(4.0 * s), 0.0, 0.3 * std::cos(2.0 * s)});
  }
  const double start = energy(test.sample());
  double last = start;
  for (int k = 0; k < 100; ++k) {
    const double now = energy(test.advance(100));
    EXPECT_LT(now, last + 1e-5 * start) << k;
    last = now;
  }
  EXPECT_LT(last, 0.5 * start);
}

TEST(Ground, StaysFiniteWhereAnElementStandsUpright) {
  MemberSpec spec = grounded_rod(5, {0, -g, 0});
  spec.rod.direction = {0, 1, 0};
  spec.rod.normal = {1, 0, 0};
  spec.rod.origin = {0, -2.0 * soft_radius, 0};
  TestRod test(spec);
  const Sample end = test.advance(100);
  EXPECT_TRUE(std::isfinite(energy(end)));
  EXPECT_NEAR(end.momentum.x, 0.0, 1e-12);
  EXPECT_NEAR(end.momentum.z, 0.0, 1e-12);
}

/// A rod that is thrown at a ball and falls back on a plane and, last, on a platen that rises from far below.
struct Throw {
  std::string response = "net_force";
  int elements = 20;
  int slices = 1;
  std::int64_t steps = 1000;  ///< in a slice
  double speed = 4.0;         ///< m/s
};

/// All that it and the ground remember at the end.
template <class Reach>
std::vector<double> thrown_rod(const Throw& how) {
  const MemberSpec spec = make_member_spec(Deck::parse(
      "[rod]\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 0, 1, 0\nnormal = 1, 0, 0\n"
      "end_radius = 0.016\n[gravity]\nacceleration = -9.81, 0, 0\n[ground]\nstiffness = 2000\n"
      "damping = 0.5\nstatic_friction = 0.3, 0.3, 0.3\nkinetic_friction = 0.3, 0.3, 0.3\n"
      "spheres = 0.5, 0.4, 0, 0.1,  3, 0, 0, 0.2\ncylinders = 0, 0, 9, 0, 1, 0, 0.5\n"
      "planes = -0.3, 0, 0, 1, 0, 0,  -50, 0, 0, 1, 0, 0\n"
      "platen = -9, 0, 0, 1, 0, 0 : 9 * smooth(t, 0.1, 0.5), 0, 0\n[time]\nstep = 1e-4\nend = 1\n",
      "test.ini",
      {"ground.response=" + how.response, "rod.elements=" + std::to_string(how.elements),
       "rod.velocity=" + std::to_string(how.speed) + ", 0, 0.5"}));
  TestRod test(spec);
  std::vector<double> tables;
  const forces::FurtherGround further = forces::FurtherGround::of(spec, tables);
  std::vector<double> record(
      static_cast<std::size_t>(how.elements * forces::FurtherGround::records(spec.ground)));
  FurtherParts parts;
  parts.ground = {&further, tables.data(), record.data(), how.elements};
  for (int k = 0; k < how.slices; ++k) {
    advance(HostTeam{}, test.view(), test.rods(), test.data(), SliceTask{0, k * how.steps, how.steps}, parts,
            Reach{});
  }
  std::vector<double> all = test.state();
  all.insert(all.end(), record.begin(), record.end());
  all.push_back(parts.ground.loss(HostTeam{}));
  const std::int64_t steps = how.slices * how.steps;
  if constexpr (std::is_same_v<Reach, forces::GroundReach>) {
    const forces::Plane platen = parts.ground.platen(steps, spec.time.step);
    Reach reach;
    reach.look_at(test.view(), test.data().forces.ground(), &further, platen);
    all.push_back(parts.ground.energy(HostTeam{}, test.view(), steps, spec.time.step, reach));
    all.push_back(test.data().forces.ground().energy(HostTeam{}, test.view(), reach));
  } else {
    all.push_back(parts.ground.energy(HostTeam{}, test.view(), steps, spec.time.step, Reach{}));
    all.push_back(test.data().forces.ground().energy(HostTeam{}, test.view(), Reach{}));
  }
  return all;
}

TEST(Ground, SurfacesOutOfReachAreLeftOutWithoutATrace) {
  const std::vector<Throw> throws = {{.slices = 1},
                                     {.slices = 2},
                                     {.slices = 4},
                                     {.slices = 6},
                                     {.elements = 70, .slices = 4},
                                     {.elements = 70, .slices = 90, .steps = 10},
                                     // Within a step it comes to the ball and past it, in another slice too.
                                     {.steps = 20, .speed = 5000.0},
                                     {.slices = 20, .steps = 1, .speed = 5000.0},
                                     {.slices = 20, .steps = 1, .speed = 30000.0}};
  for (Throw how : throws) {
    for (const char* const response : {"net_force", "springs"}) {
      how.response = response;
      const std::vector<double> looked = thrown_rod<forces::GroundReach>(how);
      const std::vector<double> expected = thrown_rod<forces::EverythingInReach>(how);
      ASSERT_EQ(looked.size(), expected.size());
      for (std::size_t i = 0; i < looked.size(); ++i)
        ASSERT_EQ(looked[i], expected[i]) << response << ' ' << how.elements << ' ' << how.speed << ' ' << i;
    }
  }
}

/// Of a long rod that lies by its end on a plane and by its middle on a ball.
TEST(Ground, SurfacesAreInReachOfElementsThatAreNear) {
  MemberSpec spec = soft_rod(200);
  spec.rod.direction = {0, 0, 1};
  spec.ground.has_plane = true;
  spec.ground.normal = normalized(Vec3{0, 1, 0.5});
  spec.ground.origin = {0, -soft_radius, 0};
  spec.ground.stiffness = 10.0;
  spec.ground.solid_count = 1;
  spec.ground.solids[0] = {{0, 0.1 + soft_radius, 0.5 * length}, {}, 0.1};
  TestRod test(spec);
  forces::GroundReach reach;
  reach.look_at(test.view(), test.data().forces.ground(), nullptr, forces::Plane{});
  const forces::ElementSpan on_plane = reach.elements(forces::surface_bit::plane);
  EXPECT_EQ(on_plane.first, 0);
  EXPECT_LT(on_plane.end, 60);
  const forces::ElementSpan on_ball = reach.elements(forces::surface_bit::solids);
  EXPECT_GT(on_ball.first, 40);
  EXPECT_LE(on_ball.first, 99);
  EXPECT_GE(on_ball.end, 101);
  EXPECT_LT(on_ball.end, 160);
}

TEST(Ground, SurfacesAreInReachWhereElementsMayTouchThem) {
  MemberSpec spec = soft_rod(20);
  spec.rod.direction = {0, 0, 1};
  spec.ground.has_plane = true;
  spec.ground.normal = {0, 1, 0};
  spec.ground.stiffness = 10.0;
  spec.ground.solid_count = 2;
  spec.ground.solids[0] = {{0, 10.0, 0.5}, {}, 1.0};
  spec.ground.solids[1] = {{0, 10.0, 0.5}, {}, -40.0};
  TestRod test(spec);
  forces::GroundReach reach;
  double pressed = 1.0;  // by how much shorter the rod becomes
  const auto look = [&](double height) {
    for (int i = 0; i <= 20; ++i) {
      Vec3 x = test.view().vec3(field::position, i);
      x.y = height;
      x.z *= pressed;
      test.view().set_vec3(field::position, i, x);
    }
    for (int i = 0; i < 20; ++i) test.view().array(field::inverse_length)[i] = 20.0 / length / pressed;
    reach.look(HostTeam{}, test.view(), 0.0, test.data().forces.ground(), nullptr);
    return std::vector<bool>{reach.has(forces::surface_bit::plane), reach.has(forces::surface_bit::solids),
                             reach.has(forces::surface_bit::solids + 1)};
  };
  using Found = std::vector<bool>;
  EXPECT_EQ(look(4.0), (Found{false, false, false}));
  EXPECT_EQ(look(4.1), (Found{false, false, false}));
  EXPECT_EQ(look(soft_radius), (Found{true, false, false}));
  EXPECT_EQ(look(4.0), (Found{false, false, false}));
  EXPECT_EQ(look(9.0 - soft_radius), (Found{false, true, false}));
  EXPECT_EQ(look(50.0 - soft_radius), (Found{false, false, true}));
  // Elements that are pressed together are thicker.
  EXPECT_EQ(look(2.0), (Found{false, false, false}));
  pressed = 1e-4;
  EXPECT_TRUE(look(2.0)[0]);
}

TEST(DistributedCouple, TurnsEveryElementAlike) {
  MemberSpec spec = soft_rod(9);
  spec.load.distributed_couple = {0, 0, 0.03};
  TestRod test(spec);
  test.advance(1000);
  const double spin = 0.03 / (0.5 * soft_mass * soft_radius * soft_radius) * 0.1;
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(test.view().vec3(field::angular_velocity, i).z, spin, 1e-12);
}

}  // namespace
}  // namespace rodeo::cosserat
