#include <cmath>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"
#include "rodeo/profile/profiles.hpp"

namespace rodeo {
namespace {

using cosserat::soft_rod;
using cosserat::TestRod;

TEST(Profiles, StandInTheOrderOfTheirEnumeration) {
  const auto at = [](AnalyticReference reference) {
    return analytic_profiles[static_cast<std::size_t>(reference) - 1].name;
  };
  EXPECT_EQ(at(AnalyticReference::hanging), "hanging");
  EXPECT_EQ(at(AnalyticReference::timoshenko), "timoshenko");
}

TEST(Profiles, PlacesAreThoseOfNodesOrElements) {
  const RodSpec rod = soft_rod(4).rod;
  EXPECT_EQ(places_along(rod, Sampling::nodes), (std::vector<double>{0.0, 0.25, 0.5, 0.75, 1.0}));
  EXPECT_EQ(places_along(rod, Sampling::elements), (std::vector<double>{0.125, 0.375, 0.625, 0.875}));
}

TEST(Profiles, AMemberWithoutAReferenceHasNoError) {
  const MemberSpec spec = soft_rod(4);
  const TestRod rod(spec);
  EXPECT_TRUE(std::isnan(profile_error(spec, rod.view(), 0.0).l1));
  EXPECT_TRUE(profile_obstacle(spec).empty());
}

/// A cantilever of the figures of Figure 5 that is loaded along -x - y.
MemberSpec cantilever(int elements) {
  MemberSpec spec = soft_rod(elements);
  spec.rod.origin = {0.1, 0.2, 0.3};
  spec.rod.length = 3.0;
  spec.rod.bend_stiffness = 1e6 * M_PI * std::pow(0.25, 4) / 4.0;
  spec.rod.shear_stiffness = 4.0 / 3.0 * 1e4 * M_PI * 0.25 * 0.25;
  spec.load.end_force = {-9.0, -12.0, 0.0};
  spec.boundary.first = EndCondition::clamped;
  spec.reference = AnalyticReference::timoshenko;
  return spec;
}

/// Equation 3.14 with the numbers of Figure 5.
double figure_5(double s) {
  const double force = 15.0;
  const double shear = 4.0 / 3.0 * 1e4 * M_PI * 0.25 * 0.25;
  const double bend = 1e6 * M_PI * std::pow(0.25, 4) / 4.0;
  return -force / shear * s - force * 3.0 / (2.0 * bend) * s * s + force / (6.0 * bend) * s * s * s;
}

TEST(Profiles, TimoshenkoMeasuresTheDeflectionAlongTheForce) {
  const MemberSpec spec = cantilever(12);
  const TestRod rod(spec);
  for (int i = 0; i <= 12; ++i) {
    const double s = 0.25 * i;
    const Vec3 bent = -figure_5(s) * Vec3{-0.6, -0.8, 0.0};
    rod.view().set_vec3(field::position, i, spec.rod.origin + bent + Vec3{0.0, 0.0, s});
  }
  EXPECT_LT(profile_error(spec, rod.view(), 1.0).linf, 1e-15);
  for (int i = 0; i <= 12; ++i) {
    const Vec3 r = rod.view().vec3(field::position, i);
    rod.view().set_vec3(field::position, i,
                        r + Vec3{-0.6e-3, -0.8e-3, 0.5});  // along the rod nothing is measured
  }
  const ErrorNorms error = profile_error(spec, rod.view(), 1.0);
  for (const double norm : {error.l1, error.l2, error.linf}) EXPECT_NEAR(norm, 1e-3, 1e-14);
}

TEST(Profiles, TimoshenkoSatisfiesItsBeamEquations) {
  // y'''' = 0, y(0) = 0, shear F at the root's slope, no moment and the force F at the end.
  const MemberSpec spec = cantilever(12);
  const TestRod rod(spec);
  const double h = 0.01;
  const auto y = [&](double s) { return profile::timoshenko.exact(spec, rod.view(), {s}, 0.0)[0]; };
  const double bend = spec.rod.bend_stiffness;
  EXPECT_EQ(y(0.0), 0.0);
  EXPECT_NEAR((y(h) - y(-h)) / (2.0 * h), 15.0 / spec.rod.shear_stiffness, 1e-6);
  EXPECT_NEAR(bend * (y(3.0 + h) - 2.0 * y(3.0) + y(3.0 - h)) / (h * h), 0.0, 1e-6);
  EXPECT_NEAR(
      bend * (y(2.0 + 2 * h) - 2.0 * y(2.0 + h) + 2.0 * y(2.0 - h) - y(2.0 - 2 * h)) / (2.0 * h * h * h),
      -15.0, 1e-4);
}

TEST(Profiles, HangingSatisfiesTheLawOfAppendixB) {
  // e = 1 + u' carries the weight below it: S3 (e - 1)/e = rho A g (L - s), and the free end carries none.
  MemberSpec spec = soft_rod(8);
  spec.load.gravity = {0.0, 0.0, 100.0};
  spec.boundary.first = EndCondition::clamped;
  spec.reference = AnalyticReference::hanging;
  ASSERT_TRUE(profile_obstacle(spec).empty());
  const TestRod rod(spec);
  const auto u = [&](double s) { return profile::hanging.exact(spec, rod.view(), {s}, 0.0)[0]; };
  const double line_weight = 1000.0 * M_PI * 0.05 * 0.05 * 100.0;
  const double h = 1e-5;
  EXPECT_EQ(u(0.0), 0.0);
  for (const double s : {0.1, 0.5, 0.9, 1.0}) {
    const double e = 1.0 + (u(s + h) - u(s - h)) / (2.0 * h);
    EXPECT_NEAR(spec.rod.stretch_stiffness * (e - 1.0) / e, line_weight * (1.0 - s), 1e-5 * line_weight);
  }
}

}  // namespace
}  // namespace rodeo
