#include "rodeo/rod/rod_properties.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "rodeo/rod/section.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo {
namespace {

using cosserat::soft_rod;

template <class Function>
double mean(double a, double b, const Function& f) {
  constexpr int points = 20000;
  double sum = 0.0;
  for (int i = 0; i < points; ++i) sum += f(a + (b - a) * (i + 0.5) / points);
  return sum / points;
}

TEST(Section, MeansAreThoseOfALinearRadius) {
  for (const double b : {0.3, 0.7, 1.9}) {
    const double a = 0.7;
    EXPECT_NEAR(section::mean_square(a, b), mean(a, b, [](double r) { return r * r; }), 1e-8);
    EXPECT_NEAR(section::mean_fourth(a, b), mean(a, b, [](double r) { return std::pow(r, 4); }), 1e-8);
    EXPECT_NEAR(section::harmonic_square(a, b), 1 / mean(a, b, [](double r) { return 1 / (r * r); }), 1e-8);
    EXPECT_NEAR(section::harmonic_fourth(a, b), 1 / mean(a, b, [](double r) { return std::pow(r, -4); }),
                1e-8);
  }
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(RodProperties, OfATaperedRodAddUpToItsFrustum) {
  RodSpec rod = soft_rod(7).rod;
  rod.end_radius_ratio = 0.4;
  const RodProperties made = rod_properties(rod, initial_shape(rod));
  const double a = 0.05;
  const double b = 0.02;
  EXPECT_NEAR(sum(made.masses), 1000.0 * M_PI * section::mean_square(a, b), 1e-13);
  EXPECT_NEAR(sum(made.bend_inertias), 1000.0 * M_PI / 4 * section::mean_fourth(a, b), 1e-17);
  // In series, elements are as soft as the whole.
  double flexibility = 0.0;
  for (const double stiffness : made.stretch_stiffnesses) flexibility += 1.0 / 7 / stiffness;
  EXPECT_NEAR(flexibility, a * a / (a * b) / rod.stretch_stiffness, 1e-15);
  double bend_flexibility = 0.5 / 7 / made.bend_stiffnesses.front() + 0.5 / 7 / made.bend_stiffnesses.back();
  for (std::size_t i = 1; i < 7; ++i) bend_flexibility += 1.0 / 7 / made.bend_stiffnesses[i];
  EXPECT_NEAR(bend_flexibility, std::pow(a, 4) / section::harmonic_fourth(a, b) / rod.bend_stiffness, 1e-12);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(made.twist_stiffnesses[i] / made.bend_stiffnesses[i], 0.5 / 0.8, 1e-15);
    EXPECT_NEAR(made.shear_stiffnesses[i] / made.stretch_stiffnesses[i], 2.0 / 3.0, 1e-15);
    EXPECT_NEAR(made.radii[i], radius_at(rod, (static_cast<double>(i) + 0.5) / 7), 1e-4);
  }
}

TEST(RodProperties, PointMassesStandOnTheNearestNode) {
  RodSpec rod = soft_rod(10).rod;
  const RodProperties bare = rod_properties(rod, initial_shape(rod));
  rod.point_masses = {{2.0, 0.34}, {3.0, 1.0}, {0.5, 0.0}, {1.0, 0.31}};
  const RodProperties made = rod_properties(rod, initial_shape(rod));
  const double expected[11] = {0.5, 0, 0, 3.0, 0, 0, 0, 0, 0, 0, 3.0};
  for (std::size_t i = 0; i < 11; ++i) EXPECT_NEAR(made.masses[i] - bare.masses[i], expected[i], 1e-13);
}

TEST(RodProperties, OfAClosedRodGiveTheSharedNodeBothHalves) {
  RodSpec rod = soft_rod(10).rod;
  rod.shape = RodShape::ring;
  rod.closed = true;
  rod.point_masses = {{2.0, 1.0}};
  const RodProperties made = rod_properties(rod, initial_shape(rod));
  EXPECT_NEAR(made.masses[0], made.masses[1] + 2.0, 1e-13);
  EXPECT_EQ(made.masses[10], made.masses[0]);
  EXPECT_NEAR(made.bend_stiffnesses[10], 0.8, 1e-15);
}

}  // namespace
}  // namespace rodeo
