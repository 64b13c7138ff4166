#include "rodeo/der/implicit_euler.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/der/elastic_energy.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo::der {
namespace {

/// A damped rod, held with its element at one end and sliding at the other, with couples on its elements,
/// after a step.
struct Stepped {
  static constexpr int elements = 6;
  cosserat::TestRod test{cosserat::soft_rod(elements)};
  ImplicitEuler solver{rods(), std::nullopt, {.force = 1e-9, .iterations = 50}};

  std::vector<RodStep> rods() const {
    const RodView rod = test.view();
    RodStep step(rod, 0);
    step.start_from_arrays();
    step.damping = {0.7, 0.6, 0.5, 0.4};
    step.ends[0].held = true;
    step.ends[0].element_held = true;
    step.ends[1].slides = true;
    step.ends[1].axis = {0, 0, 1};
    for (int i = 0; i <= elements; ++i) {
      rod.set_vec3(field::external_force, i, {0.2 - 0.1 * i, 0.1, -0.05 * i});
      if (i == elements) break;
      step.couple[static_cast<std::size_t>(i)] = {0.03, -0.02 * i, 0.01};
    }
    // Where the held element is at the end of the step.
    rod.set_quaternion(-1, rod.quaternion(0));
    return {step};
  }
};

/// The equations of a step by their factored Jacobian: for the step x that it answers p with, the residual
/// changes by p.
TEST(ImplicitEuler, JacobianIsThatOfTheResidual) {
  Stepped stepped;
  ASSERT_TRUE(stepped.solver.advance(1e-2).converged);
  const std::vector<double>& start = stepped.solver.rods().front().start;
  const auto size = start.size();
  std::vector<double> q = start;
  for (std::size_t i = 0; i < size; ++i) q[i] += 0.01 * std::sin(1.0 + 3.0 * static_cast<double>(i));
  for (std::size_t entry = 0; entry < size; ++entry) {
    if (entry < 7 || entry == size - 3 || entry == size - 2) continue;  // held: no force there is felt
    std::vector<double> p(size, 0.0);
    p[entry] = 1.0;
    ASSERT_TRUE(stepped.solver.factor(q));
    std::vector<double> x = p;
    stepped.solver.solve(x);
    double largest = 0.0;
    for (const double move : x) largest = std::max(largest, std::abs(move));
    const double step = 1e-4 / largest;
    const auto residual_at = [&](double part) {
      std::vector<double> moved = q;
      for (std::size_t i = 0; i < size; ++i) moved[i] += part * step * x[i];
      std::vector<double> force;
      stepped.solver.residual(moved, force);
      return force;
    };
    const std::vector<double> a = residual_at(1), b = residual_at(-1), c = residual_at(2),
                              d = residual_at(-2);
    for (std::size_t i = 0; i < size; ++i) {
      const double change = (8 * (a[i] - b[i]) - (c[i] - d[i])) / (12 * step);
      EXPECT_NEAR(change, p[i], 1e-6) << i << " by " << entry;
    }
  }
}

/// What is left of a motion after a step without forces but damping: 1/(1 + step times rate).
TEST(ImplicitEuler, DampingSlowsAFreeRodAtItsRates) {
  constexpr double step = 1e-3;
  constexpr double line_mass = 1000.0 * M_PI * 0.05 * 0.05;
  constexpr double twist_inertia = line_mass * 0.05 * 0.05 / 2;
  const struct {
    forces::DampingLaw law;
    double velocity_rate, twist_rate;
  } cases[] = {{forces::DampingLaw::of_sections(3.0, 1000.0), 3.0 / line_mass, 3.0 / line_mass},
               {{3.0, 0.02, 0.0, 0.0}, 3.0 / line_mass, 0.02 / twist_inertia},
               {{0.0, 0.0, 5.0, 0.0}, 5.0, 5.0}};
  for (const auto& expected : cases) {
    for (const int elements : {3, 24}) {
      cosserat::TestRod test(cosserat::soft_rod(elements));
      const RodView rod = test.view();
      RodStep rest(rod, 0);
      rest.start_from_arrays();
      rest.damping = expected.law;
      for (int i = 0; i <= elements; ++i) {
        rod.set_vec3(field::velocity, i, {0.4, 0, 0});
        if (i < elements) rod.set_vec3(field::angular_velocity, i, {0, 0, 0.3});
      }
      ImplicitEuler solver({rest}, std::nullopt, {.force = 1e-9, .iterations = 50});
      ASSERT_TRUE(solver.advance(step).converged);
      for (int i = 0; i < elements; ++i) {
        EXPECT_NEAR(rod.vec3(field::velocity, i).x, 0.4 / (1 + step * expected.velocity_rate), 1e-9);
        EXPECT_NEAR(rod.vec3(field::angular_velocity, i).z, 0.3 / (1 + step * expected.twist_rate), 1e-7);
      }
    }
  }
}

}  // namespace
}  // namespace rodeo::der
