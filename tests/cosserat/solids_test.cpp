#include <cmath>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

constexpr double inertia_ratio = 0.5;  // J/(m r^2) of a homogeneous rod

/// A rod along z that touches nothing yet.
MemberSpec rod_on(const SolidSpec& solid, int elements) {
  MemberSpec spec = soft_rod(elements);
  spec.ground.stiffness = 10.0;
  spec.ground.damping = 1e-4;
  spec.ground.velocity_threshold = 1e-6;
  spec.ground.solids[0] = solid;
  spec.ground.solid_count = 1;
  return spec;
}

/// A rod along z that rolls without slip: all of it beside a cylinder, its middle beside a sphere, and both
/// ends of a short one in a hollow sphere.
MemberSpec rolling_rod(const SolidSpec& solid, double angle) {
  const double side = solid.radius > 0.0 ? 1.0 : -1.0;
  const bool is_sphere = dot(solid.axis, solid.axis) == 0.0;
  MemberSpec spec = rod_on(solid, is_sphere ? 1 : 8);
  if (is_sphere && side < 0.0) spec.rod.length = 0.01;
  const double half = 0.5 * spec.rod.length;
  const double aside = is_sphere && side < 0.0 ? half : 0.0;
  const double reach = std::abs(solid.radius + soft_radius);
  const double distance = std::sqrt(reach * reach - aside * aside);
  spec.ground.static_friction = spec.ground.kinetic_friction = {100.0, 100.0, 100.0};
  spec.rod.origin =
      solid.centre + distance * Vec3{std::sin(angle), side * std::cos(angle), 0.0} - Vec3{0, 0, half};
  spec.load.gravity = {0, -g, 0};
  return spec;
}

constexpr Vec3 centre = {0.2, -0.3, 0.6};
constexpr Vec3 along = {0, 0, 1};

const forces::RoundSurface surfaces[] = {{centre, {}, 0.4, 1.0},
                                         {centre, {}, 0.9, -1.0},
                                         {centre, normalized({1, 2, -0.5}), 0.4, 1.0},
                                         {centre, normalized({1, 2, -0.5}), 0.9, -1.0}};

TEST(RoundSurface, NormalIsTheGradientOfTheHeight) {
  constexpr double h = 1e-5;
  for (const forces::RoundSurface& surface : surfaces) {
    for (const Vec3& point : {Vec3{0.5, 0.2, 0.1}, Vec3{-0.1, -0.6, 0.9}}) {
      const auto height = [&](const Vec3& p) { return surface.nearest(p, {}).height; };
      const Vec3 gradient = {(height(point + Vec3{h, 0, 0}) - height(point - Vec3{h, 0, 0})) / (2 * h),
                             (height(point + Vec3{0, h, 0}) - height(point - Vec3{0, h, 0})) / (2 * h),
                             (height(point + Vec3{0, 0, h}) - height(point - Vec3{0, 0, h})) / (2 * h)};
      EXPECT_NEAR(norm(gradient - surface.nearest(point, {}).normal), 0.0, 1e-9);
      EXPECT_NEAR(norm(gradient), 1.0, 1e-9);
    }
  }
}

TEST(RoundSurface, FallsAwayAsItsHeightCurves) {
  constexpr double h = 1e-4;
  const Vec3 velocity = {0.7, -1.1, 0.4};
  for (const forces::RoundSurface& surface : surfaces) {
    for (const Vec3& point : {Vec3{0.5, 0.2, 0.1}, Vec3{-0.1, -0.6, 0.9}}) {
      const auto height = [&](double t) { return surface.nearest(point + t * velocity, {}).height; };
      const double expected = (height(h) - 2.0 * height(0.0) + height(-h)) / (h * h);
      EXPECT_NEAR(surface.nearest(point, velocity).falling, expected, 1e-6);
    }
  }
}

tangent::Capsule element_of(const RodView& rod, int i, double radius) {
  return {rod.vec3(field::position, i), rod.vec3(field::position, i + 1), radius};
}

/// Elastic energy of a rod in what it touches.
double wall_energy(const forces::Ground& ground, const RodView& rod) {
  double squares = 0.0;
  for (int i = 0; i < rod.elements; ++i) {
    const tangent::Capsule element = element_of(rod, i, soft_radius);
    squares += ground.has_plane ? tangent::touch(ground.plane, element).square
                                : tangent::touch(ground.solids[0], element).square;
  }
  return 0.5 * ground.wall.stiffness * squares;
}

void evaluate_forces(TestRod& test) {
  const RodView rod = test.view();
  on_team([&](const auto& team) {
    shear_and_stretch(team, rod);
    bend_and_twist(team, rod);
    test.data().forces.evaluate(team, rod, test.rods(), 0.0);
  });
}

TEST(Ground, ElasticForceIsTheGradientOfItsEnergy) {
  // Shifts and turns of the whole rod, which strain nothing, so that the wall's force is all there is. It
  // acts where elements would touch that are thicker by the margin.
  std::vector<MemberSpec> cases = {rod_on({{0.1, -0.1, 0.45}, {}, 0.13}, 11),
                                   rod_on({{0.3, 0.2, 0.4}, {}, -0.7}, 11),
                                   rod_on({{0.1, -0.2, 0.45}, normalized({1, 0.3, 0.6}), 0.2}, 11),
                                   rod_on({{0.1, -0.2, 0.45}, normalized({0.2, -0.1, 1}), -0.22}, 11)};
  cases.push_back(soft_rod(11));
  cases.back().ground.has_plane = true;
  cases.back().ground.normal = normalized({0.3, 1, 0.1});
  cases.back().ground.stiffness = 10.0;
  cases.back().ground.velocity_threshold = 1e-6;
  for (const MemberSpec& spec : cases) {
    TestRod test(spec);
    const RodView rod = test.view();
    const forces::Ground ground = test.data().forces.ground();
    evaluate_forces(test);
    ASSERT_GT(wall_energy(ground, rod), 1e-5);
    std::vector<Vec3> places;
    for (int i = 0; i < rod.nodes(); ++i) places.push_back(rod.vec3(field::position, i));
    constexpr double h = 1e-6;
    for (const bool turns : {false, true}) {
      for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const auto energy_at = [&](double amount) {
          for (int i = 0; i < rod.nodes(); ++i) {
            const Vec3& r = places[static_cast<std::size_t>(i)];
            const Vec3 moved =
                turns ? directors(rotation(amount * axis)).to_laboratory(r) : r + amount * axis;
            rod.set_vec3(field::position, i, moved);
          }
          return wall_energy(ground, rod);
        };
        double work = 0.0;
        for (int i = 0; i < rod.nodes(); ++i) {
          const Vec3 path = turns ? cross(axis, places[static_cast<std::size_t>(i)]) : axis;
          work += dot(rod.vec3(field::external_force, i), path);
        }
        const double of_margin = spec.ground.stiffness * ground.wall.touch_margin;
        EXPECT_NEAR(work, (energy_at(-h) - energy_at(h)) / (2.0 * h), of_margin);
      }
    }
  }
}

TEST(Solids, RodRollsInATubeAndABowlAsAPendulum) {
  // Small swings of angular frequency sqrt(g/((1 + j) (R - r))).
  for (const Vec3& axis : {along, Vec3{}}) {
    constexpr double start = 0.02;
    TestRod test(rolling_rod({centre, axis, -0.45}, start));
    const double arm_length = axis.z > 0.0 ? 0.4 : std::sqrt(0.4 * 0.4 - 0.005 * 0.005);
    const double frequency = std::sqrt(g / ((1.0 + inertia_ratio) * 0.4));
    for (const double time : {0.2, 0.5, 1.0}) {
      const Sample sample = test.advance(std::llround(time / 1e-4) - test.taken());
      const Vec3 arm = (1.0 / sample.mass) * sample.first_moment - centre;
      EXPECT_NEAR(arm.x, 0.4 * start * std::cos(frequency * time), 1e-5) << time;
      EXPECT_NEAR(norm(arm), arm_length, 1e-7) << time;
    }
  }
}

TEST(Solids, RodRollsDownACylinderAndASphereUntilItLeavesThem) {
  for (const Vec3& axis : {along, Vec3{}}) {
    TestRod test(rolling_rod({centre, axis, 0.35}, 0.3));
    for (const double angle : {0.4, 0.6, 0.8}) {
      Vec3 arm;
      Sample sample;
      do {
        sample = test.advance(1);
        arm = (1.0 / soft_mass) * sample.first_moment - centre;
      } while (std::atan2(arm.x, arm.y) < angle);
      const double work = soft_mass * g * 0.4 * (std::cos(0.3) - std::cos(std::atan2(arm.x, arm.y)));
      EXPECT_NEAR(norm(arm), 0.4, 5e-5) << angle;
      EXPECT_NEAR((sample.translational_energy + sample.rotational_energy) / work, 1.0, 1e-3) << angle;
      EXPECT_NEAR(sample.rotational_energy / sample.translational_energy, inertia_ratio, 1e-4) << angle;
    }
    // cos(angle) = 2 cos(0.3)/(3 + j) where nothing presses any more (0.989 rad): then it flies.
    const double leaving = std::acos(2.0 * std::cos(0.3) / (3.0 + inertia_ratio));
    Vec3 arm;
    do {
      const Sample sample = test.advance(1);
      arm = (1.0 / soft_mass) * sample.first_moment - centre;
    } while (norm(arm) < 0.4 + 3e-4 && arm.y > 0.0);
    EXPECT_NEAR(std::atan2(arm.x, arm.y), leaving, 0.15);
    EXPECT_GT(arm.y, 0.0);
  }
}

TEST(Solids, RodBalancedOnACylinderAndASphereSagsAsTwoCantilevers) {
  // w a^4/(8 B) + w a^2/(2 S) with the weight w of a unit length and the arm a.
  for (const Vec3& across : {Vec3{1, 0, 0}, Vec3{}}) {
    MemberSpec spec = rod_on({{0, -0.3 - soft_radius, 0.5}, across, 0.3}, 21);
    spec.ground.static_friction = spec.ground.kinetic_friction = {1.0, 1.0, 1.0};
    spec.load.gravity = {0, -0.01, 0};
    spec.rod.damping = 3.0;
    spec.rod.rotational_damping = 3.0;
    spec.ground.stiffness = 1000.0;
    TestRod test(spec);
    const Sample end = test.advance(100000);
    const double weight = 0.01 * soft_mass;
    const double expected = weight * (0.0625 / (8 * 0.8) + 0.25 / (2 * 2000.0));
    const double middle =
        0.5 * (test.view().vec3(field::position, 10).y + test.view().vec3(field::position, 11).y);
    EXPECT_NEAR(end.end.y - middle, -expected, 0.01 * expected);
    EXPECT_NEAR(test.view().vec3(field::position, 0).y, end.end.y, 1e-3 * expected);
    // An element answers its half of what its nodes bring, and its spring the rest.
    EXPECT_NEAR(middle, -0.5 * weight / spec.ground.stiffness, 1e-8);
    EXPECT_LT(end.translational_energy, 1e-12);
  }
}

TEST(Solids, PressAlongTheNormalAndRubAcrossIt) {
  MemberSpec spec = rod_on({{0.1, -0.3, 0.5}, normalized({1, 0.3, 0.4}), 0.3}, 1);
  spec.ground.stiffness = 0.0;
  spec.ground.damping = 0.0;
  spec.ground.static_friction = {0.6, 0.8, 0.9};
  spec.ground.kinetic_friction = {0.2, 0.3, 0.4};
  spec.rod.velocity = {0.5, 0.1, 0.7};
  spec.load.gravity = {0.4, -g, 0.3};
  int touching = 0;
  for (const double along_rod : {-0.6, -0.3, 0.0, 0.2, 0.45, 0.6}) {
    spec.rod.origin = {0, 0, along_rod};
    TestRod test(spec);
    const RodView rod = test.view();
    const forces::Ground ground = test.data().forces.ground();
    evaluate_forces(test);
    const tangent::Capsule element = element_of(rod, 0, soft_radius + ground.wall.touch_margin);
    const tangent::Touch touch = tangent::touch(ground.solids[0], element);
    const Vec3 push = rod.vec3(field::external_force, 0) + rod.vec3(field::external_force, 1) -
                      soft_mass * spec.load.gravity;
    if (touch.overlap == 0.0) {
      EXPECT_NEAR(norm(push), 0.0, 1e-12) << along_rod;
      continue;
    }
    ++touching;
    const double falling = ground.solids[0].nearest(element.at(touch.weight), spec.rod.velocity).falling;
    const double load = -touch.share * soft_mass * (dot(touch.up, spec.load.gravity) + falling);
    const Vec3 friction = push - dot(touch.up, push) * touch.up;
    EXPECT_NEAR(dot(touch.up, push), std::max(0.0, load), 1e-12) << along_rod;
    EXPECT_NEAR(dot(friction, {0, 0, 1}) / (load * norm(cross(touch.up, {0, 0, 1}))), -0.2, 1e-9)
        << along_rod;
    EXPECT_LT(dot(friction, spec.rod.velocity), 0.0) << along_rod;
  }
  EXPECT_GT(touching, 2);
}

TEST(Solids, CarryARodBetweenThem) {
  // In the groove of two cylinders that press at right angles.
  MemberSpec spec = rod_on({{0.3, -0.3, 7.0}, along, 0.3 * std::sqrt(2.0) - soft_radius}, 9);
  spec.ground.solids[1] = {{-0.3, -0.3, -2.0}, along, 0.3 * std::sqrt(2.0) - soft_radius};
  spec.ground.solid_count = 2;
  spec.load.gravity = {0, -g, 0};
  TestRod test(spec);
  const std::vector<double> before = test.state();
  test.advance(2000);
  const std::vector<double> after = test.state();
  for (std::size_t k = 0; k < before.size(); ++k) ASSERT_NEAR(after[k], before[k], 1e-10);
}

}  // namespace
}  // namespace rodeo::cosserat
