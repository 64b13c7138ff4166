#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/member/take_sample.hpp"

#include "test_rod.hpp"

namespace rodeo::cosserat {
namespace {

/// A short bar of 1 m, 20 by 60 cm across, so stiff that it hardly gives.
MemberSpec brick() {
  MemberSpec spec = soft_rod(2);
  spec.rod.circular = false;
  spec.rod.radius = std::sqrt(0.2 * 0.6 / M_PI);
  spec.rod.first_moment = M_PI;  // pi/3 times 60 over 20
  spec.rod.second_moment = M_PI / 9.0;
  spec.rod.bend_stiffness = 9e4;
  spec.rod.second_bend_ratio = 1.0 / 9.0;
  spec.rod.twist_stiffness = 1e4;
  spec.rod.shear_stiffness = 1e6;
  spec.rod.second_shear_ratio = 0.7;
  spec.rod.stretch_stiffness = 2e6;
  spec.sections_shrink = 0.0;
  spec.time.step = 2e-4;
  return spec;
}

/// Gives a rod at rest the velocities of a rigid turn about its middle.
void set_spinning(const RodView& rod, const Vec3& rate) {
  const Vec3 centre = 0.5 * (rod.vec3(field::position, 0) + rod.vec3(field::position, rod.elements));
  for (int i = 0; i <= rod.elements; ++i) {
    rod.set_vec3(field::velocity, i, cross(rate, rod.vec3(field::position, i) - centre));
  }
  for (int i = 0; i < rod.elements; ++i) {
    rod.set_vec3(field::angular_velocity, i, directors(rod.quaternion(i)).to_body(rate));
  }
}

// About the axis of its middle moment of inertia, so that it turns over and over.
TEST(TwoAxes, ABarThatTumblesKeepsEnergyAndMomentum) {
  TestRod bar(brick());
  set_spinning(bar.view(), {0.02, 2.0, 0.01});
  const Sample start = bar.sample();
  double worst_energy = 0.0;
  double least_spin = 1.0;
  double largest_across = 0.0;
  for (int k = 0; k < 100; ++k) {
    const Sample now = bar.advance(2000);
    worst_energy = std::max(worst_energy, std::abs(energy(now) / energy(start) - 1.0));
    const Vec3 rate = bar.view().vec3(field::angular_velocity, 0);
    least_spin = std::min(least_spin, rate.y / 2.0);
    largest_across = std::max(largest_across, std::hypot(rate.x, rate.z));
    EXPECT_LT(norm(now.angular_momentum - start.angular_momentum), 1e-5 * norm(start.angular_momentum));
  }
  EXPECT_LT(worst_energy, 2e-5);
  EXPECT_LT(least_spin, -0.8);  // it has turned over
  EXPECT_GT(largest_across, 0.5);
}

TEST(TwoAxes, EnergyOfASampleIsThatOfBothAxes) {
  TestRod bar(brick());
  const RodView rod = bar.view();
  const Quaternion bend_first = rotation({0.02, 0.0, 0.0});
  const Quaternion bend_second = rotation({0.0, 0.02, 0.0});
  const auto bend_energy = [&](const Quaternion& turn) {
    bar.reset();
    rod.set_quaternion(1, rod.quaternion(0) * turn);
    return bar.sample().bend_energy;
  };
  EXPECT_NEAR(bend_energy(bend_first), 0.5 * 9e4 * 0.02 * 0.02 / 0.5, 1e-9);
  EXPECT_NEAR(bend_energy(bend_second), 0.5 * 1e4 * 0.02 * 0.02 / 0.5, 1e-9);
  bar.reset();
  set_spinning(rod, {});
  for (int i = 0; i < 2; ++i) rod.set_vec3(field::angular_velocity, i, {3.0, 5.0, 7.0});
  // rho I over the length: I1 = w t^3/12 with w = 0.2 along d1, t = 0.6
  const double first = 1000.0 * 0.2 * std::pow(0.6, 3) / 12.0;
  const double second = 1000.0 * 0.6 * std::pow(0.2, 3) / 12.0;
  const Sample spinning = bar.sample();
  EXPECT_NEAR(spinning.rotational_energy, 0.5 * (9 * first + 25 * second + 49 * (first + second)), 1e-10);
  EXPECT_NEAR(spinning.spin.x, 3 * first, 1e-11);
  EXPECT_NEAR(spinning.spin.y, 5 * second, 1e-11);
  EXPECT_NEAR(spinning.spin.z, 7 * (first + second), 1e-11);
}

/// With two equal stiffnesses the further arrays say what one says.
TEST(TwoAxes, ARodOfTwoEqualAxesMovesAsACircularOne) {
  MemberSpec spec = soft_rod(8);
  spec.boundary.first = EndCondition::clamped;
  spec.load.gravity = {3.0, 2.0, -1.0};
  spec.rod.damping = 0.3;
  spec.rod.damping_decay_time = 0.2;
  TestRod circular(spec);
  spec.rod.circular = false;
  TestRod two(spec);
  circular.advance(4000);
  two.advance(4000);
  const std::vector<double> a = circular.state();
  const std::vector<double> b = two.state();
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-7);  // but for spins of second order
}

TEST(TwoAxes, DampingFadesTurnsAboutBothAxes) {
  MemberSpec spec = brick();
  spec.rod.elements = 1;
  spec.rod.rotational_damping = 2.0;
  for (const double decay_time : {0.0, 0.5}) {
    spec.rod.damping_decay_time = decay_time;
    TestRod bar(spec);
    set_spinning(bar.view(), {});
    const Vec3 inertia = bar.view().inertia(0);
    bar.view().set_vec3(field::angular_velocity, 0, {0.0, 1e-3, 0.0});
    bar.view().set_vec3(field::velocity, 0, {-0.5e-3, 0.0, 0.0});
    bar.view().set_vec3(field::velocity, 1, {0.5e-3, 0.0, 0.0});
    bar.advance(1);
    const double step = spec.time.step;
    const double rate = 2.0 / inertia.y * (decay_time > 0.0 ? std::exp(-0.5 * step / decay_time) : 1.0);
    EXPECT_NEAR(bar.view().vec3(field::angular_velocity, 0).y / 1e-3, std::exp(-rate * step), 1e-12);
  }
}

}  // namespace
}  // namespace rodeo::cosserat
