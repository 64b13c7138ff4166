#include <cmath>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"
#include "profile/profiles.hpp"

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
  EXPECT_EQ(at(AnalyticReference::helix_envelope), "helix_envelope");
  EXPECT_EQ(at(AnalyticReference::twist_wave), "twist_wave");
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

TEST(Profiles, TimoshenkoOfAModelWithoutShearBendsAlone) {
  MemberSpec spec = cantilever(12);
  const TestRod rod(spec);
  const auto end = [&] { return profile::timoshenko.exact(spec, rod.view(), {3.0}, 0.0)[0]; };
  const double with_shear = end();
  spec.shears = false;
  EXPECT_DOUBLE_EQ(end(), 15.0 * 27.0 / (3.0 * spec.rod.bend_stiffness));
  EXPECT_NEAR(with_shear - end(), 15.0 * 3.0 / spec.rod.shear_stiffness, 1e-12);
}

TEST(Profiles, HoldWhereNothingElseActs) {
  const auto obstacle = [](const auto& change, MemberSpec spec) {
    spec.time = {.step = 0.1, .steps = 10};
    EXPECT_EQ(profile_obstacle(spec), "");
    change(spec);
    return profile_obstacle(spec);
  };
  const auto expect = [&](const char* what, const auto& change) {
    const std::string text = obstacle(change, cantilever(12));
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  expect("gravity.acceleration acts too", [](MemberSpec& s) { s.load.gravity = {0.0, 0.0, -1.0}; });
  expect("load.end_couple acts too", [](MemberSpec& s) { s.load.end_couple = {0.0, 0.0, 1.0}; });
  expect("load.axial_force acts too", [](MemberSpec& s) { s.load.axial_force = 1.0; });
  expect("must act across", [](MemberSpec& s) { s.load.end_force.z = 1.0; });
  expect("load.distributed_force", [](MemberSpec& s) { s.load.distributed_force = {1.0, 0.0, 0.0}; });
  expect("load.frequency", [](MemberSpec& s) { s.load.frequency = 0.25; });
  expect("load.ramp_time", [](MemberSpec& s) { s.load.ramp_time = 2.0; });
  expect("the tether", [](MemberSpec& s) { s.load.tether_stiffness = 1.0; });
  expect("load.middle_force", [](MemberSpec& s) { s.load.middle_force = {1.0, 0.0, 0.0}; });
  expect("actuation", [](MemberSpec& s) { s.actuation.emplace_back(); });
  expect("motion", [](MemberSpec& s) { s.motions.emplace_back(); });
  expect("ground", [](MemberSpec& s) { s.ground.has_plane = true; });
  const auto pushed = [](MemberSpec& s) {
    s.load.middle_force = {1.0, 0.0, 0.0};
    s.load.perturbation_duration = 0.5;
    s.load.ramp_time = 0.5;
  };
  EXPECT_EQ(obstacle(pushed, cantilever(12)), "");
}

/// The tension of a section at a stretch e, over its stiffness at rest.
struct SectionLaw {
  const char* name;
  double shrink;
  bool has_energy;
  double (*tension)(double e);
};

constexpr SectionLaw section_laws[] = {
    {"rigid", 0.0, false, [](double e) { return e - 1.0; }},
    {"incompressible", 1.0, true, [](double e) { return 0.5 * (1.0 - 1.0 / (e * e)); }},
    {"published", 1.0, false, [](double e) { return (e - 1.0) / e; }},
};

/// A soft rod that hangs from a clamp.
MemberSpec rod_that_hangs(const SectionLaw& law) {
  MemberSpec spec = soft_rod(8);
  spec.load.gravity = {0.0, 0.0, 100.0};
  spec.boundary.first = EndCondition::clamped;
  spec.reference = AnalyticReference::hanging;
  spec.sections_shrink = law.shrink;
  spec.sections_have_energy = law.has_energy;
  return spec;
}

TEST(Profiles, HangingSatisfiesTheLawOfEachSection) {
  // e = 1 + u' carries the weight below it, rho A g (L - s), and the free end carries none.
  for (const SectionLaw& law : section_laws) {
    const MemberSpec spec = rod_that_hangs(law);
    ASSERT_TRUE(profile_obstacle(spec).empty()) << law.name;
    const TestRod rod(spec);
    const auto u = [&](double s) { return profile::hanging.exact(spec, rod.view(), {s}, 0.0)[0]; };
    const double line_weight = 1000.0 * M_PI * 0.05 * 0.05 * 100.0;
    const double h = 1e-5;
    EXPECT_EQ(u(0.0), 0.0) << law.name;
    for (const double s : {0.1, 0.5, 0.9, 1.0}) {
      const double e = 1.0 + (u(s + h) - u(s - h)) / (2.0 * h);
      EXPECT_NEAR(spec.rod.stretch_stiffness * law.tension(e), line_weight * (1.0 - s), 1e-5 * line_weight)
          << law.name;
    }
  }
}

TEST(Profiles, HangingIsRefusedWhereTheSectionBearsNoMore) {
  for (const SectionLaw& law : section_laws) {
    MemberSpec spec = rod_that_hangs(law);
    const double weight = 1000.0 * M_PI * 0.05 * 0.05 * 100.0 * spec.rod.length;
    const double most = law.tension(1e9);
    for (const double share : {0.9, 1.1}) {
      spec.rod.stretch_stiffness = weight / (share * most);
      EXPECT_EQ(profile_obstacle(spec).empty(), share < 1.0 || law.shrink == 0.0) << law.name << share;
    }
  }
}

/// The rod of Figure 3: 27 turns and 3 m of slack on 100 m.
MemberSpec helix(int elements) {
  MemberSpec spec = soft_rod(elements);
  spec.rod.length = 100.0;
  spec.rod.bend_stiffness = 1.345;
  spec.rod.twist_stiffness = 0.789;
  spec.boundary.slack = 3.0;
  spec.boundary.twist = 27.0 * 2.0 * M_PI;
  spec.reference = AnalyticReference::helix_envelope;
  return spec;
}

TEST(Profiles, HelixTensionSolvesForSlackAndTwist) {
  const double tension = profile::detail::helix_tension(0.03, 27.0 * 2.0 * M_PI, 1.345 / 0.789);
  const double width = M_PI * tension * 0.03;  // sqrt(4 t_h - m_h^2)
  const double torque = std::sqrt(4.0 * tension - width * width);
  EXPECT_NEAR(std::sqrt(4.0 / (M_PI * M_PI * tension) * (1.0 - torque * torque / (4.0 * tension))), 0.03,
              1e-12);
  const double twist =
      2.0 * M_PI * torque * 1.345 / 0.789 + 4.0 * std::acos(torque / (2.0 * std::sqrt(tension)));
  EXPECT_NEAR(twist, 27.0 * 2.0 * M_PI, 1e-9);
  EXPECT_TRUE(std::isnan(profile::detail::helix_tension(0.03, 100.0 * 2.0 * M_PI, 1.345 / 0.789)));
}

TEST(Profiles, HelixEnvelopeIsThatOfEquation310) {
  // Nodes on eq. 3.10, turned about the axis by any angle, approach the envelope in second order.
  std::vector<double> errors;
  for (const int elements : {200, 400, 800}) {
    const MemberSpec spec = helix(elements);
    ASSERT_TRUE(profile_obstacle(spec).empty());
    const TestRod rod(spec);
    const double t = profile::detail::helix_tension(spec);
    const double w = M_PI * t * 0.03;
    const double m = std::sqrt(4.0 * t - w * w);
    for (int i = 0; i <= elements; ++i) {
      const double s = static_cast<double>(i) / elements - 0.5;
      const double radius = w / (2.0 * M_PI * t) / std::cosh(M_PI * s * w);
      const double angle = m * M_PI * s + 0.7;
      rod.view().set_vec3(field::position, i,
                          100.0 * Vec3{radius * std::sin(angle), -radius * std::cos(angle),
                                       s - w / (2.0 * M_PI * t) * std::tanh(M_PI * s * w)});
    }
    errors.push_back(profile_error(spec, rod.view(), 0.0).linf);
  }
  EXPECT_LT(errors[0], 0.05);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.1);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1);
}

/// The rod of Figure 16.
MemberSpec twist_rod(int elements) {
  MemberSpec spec = soft_rod(elements);
  spec.rod.length = std::sqrt(1e6 / 10.0) / 1.05;
  spec.rod.radius = 0.5;
  spec.rod.density = 10.0;
  spec.rod.twist_stiffness = 2e6 / 3.0 * M_PI * std::pow(0.5, 4) / 2.0;
  spec.load.end_couple = {0.0, 0.0, 1e3};
  spec.load.frequency = 1.0;
  spec.boundary.first = EndCondition::clamped;
  spec.reference = AnalyticReference::twist_wave;
  return spec;
}

TEST(Profiles, TwistWaveFollowsTheWaveEquationOfAStretchedRod) {
  // In rest coordinates rho I3/e theta_tt = G I3/e^3 theta_ss, theta(0) = 0, and the couple at the end.
  const MemberSpec spec = twist_rod(10);
  ASSERT_TRUE(profile_obstacle(spec).empty());
  const TestRod rod(spec);
  const double e = 1.05;
  for (int i = 0; i <= 10; ++i)
    rod.view().set_vec3(field::position, i, {0.0, 0.0, e * spec.rod.length * i / 10});
  const auto theta = [&](double s, double t) {
    return profile::twist_wave.exact(spec, rod.view(), {s}, t)[0];
  };
  const double inertia = 10.0 * M_PI * std::pow(0.5, 4) / 2.0;
  const double s = 0.3 * spec.rod.length;
  const double t = 0.2;
  const double h = 1e-3;
  const double ds = 0.1;
  const double in_time = (theta(s, t + h) - 2.0 * theta(s, t) + theta(s, t - h)) / (h * h);
  const double in_space = (theta(s + ds, t) - 2.0 * theta(s, t) + theta(s - ds, t)) / (ds * ds);
  EXPECT_EQ(theta(0.0, t), 0.0);
  EXPECT_NEAR(inertia / e * in_time, spec.rod.twist_stiffness / std::pow(e, 3) * in_space,
              1e-4 * std::abs(inertia * in_time));
  const double length = spec.rod.length;
  const double end_slope = (theta(length + ds, t) - theta(length - ds, t)) / (2.0 * ds);
  EXPECT_NEAR(spec.rod.twist_stiffness / std::pow(e, 3) * end_slope, 1e3 * std::sin(2.0 * M_PI * t), 1e-2);
}

TEST(Profiles, TwistWaveCountsWholeTurns) {
  MemberSpec spec = twist_rod(100);
  spec.load.end_couple = {0.0, 0.0, 8e3};
  const TestRod rod(spec);
  const std::vector<double> places = places_along(spec.rod, Sampling::elements);
  const std::vector<double> angles = profile::twist_wave.exact(spec, rod.view(), places, 0.25);
  EXPECT_GT(angles.back(), 2.0 * M_PI);
  for (int i = 0; i < 100; ++i) {
    rod.view().set_quaternion(i, rotation(Vec3{0.0, 0.0, angles[static_cast<std::size_t>(i)]}));
  }
  EXPECT_LT(profile_error(spec, rod.view(), 0.25).linf, 1e-12);
}

}  // namespace
}  // namespace rodeo
