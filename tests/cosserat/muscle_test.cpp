#include "rodeo/forces/muscle.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/forces/muscle_profile.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

using forces::muscle_profile;

constexpr std::array gait = {17.4, 48.5, 5.4, 14.7};

/// soft_rod with the wave of `gait`, period 2 s, wave number 6 rad/m, phase 0.3 rad.
MemberSpec active_rod(int elements, MuscleKind kind, const Vec3& axis, bool in_laboratory = false) {
  MemberSpec spec = soft_rod(elements);
  spec.muscle.kind = kind;
  std::ranges::copy(gait, spec.muscle.amplitudes.begin());
  spec.muscle.amplitude_count = gait.size();
  spec.muscle.period = 2.0;
  spec.muscle.wave_number = 6.0;
  spec.muscle.phase = 0.3;
  spec.muscle.axis = axis;
  spec.muscle.in_laboratory = in_laboratory;
  return spec;
}

/// Eq. 4.3 for active_rod, its amplitude ramped over the first period.
double wave(double s, double time) {
  const double ramp = std::min(1.0, time / 2.0);
  return ramp * muscle_profile(gait, s) * std::sin(2 * M_PI * time / 2.0 + 6.0 * s + 0.3);
}

/// Adds what the muscles alone exert.
void apply_muscles(TestRod& test, double time) {
  const RodView rod = test.view();
  const forces::Muscle& muscle = test.data().muscle;
  muscle.with_couples(rod, time, [&](const auto& couples) {
    for (int i = 0; i + 1 < rod.elements; ++i) {
      law::RegionLoad load{rod.vec3(field::bend_couple, i), rod.vec3(field::transport_couple, i)};
      couples.add(load, i, conjugate(rod.quaternion(i)) * rod.quaternion(i + 1));
      rod.set_vec3(field::bend_couple, i, load.couple);
      rod.set_vec3(field::transport_couple, i, load.transport);
    }
  });
  on_team([&](const auto& team) { muscle.add_forces(team, rod, time); });
}

/// What the kick would apply to an element (body components) and to a node.

TEST(MuscleProfile, IsTheClampedCubicBSpline) {
  // Three spans of the six control points with abscissae 0, 0, 1/3, 2/3, 1, 1; the basis of the first span
  // written out.
  for (const double u : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    const double u2 = u * u;
    const double u3 = u2 * u;
    const double b1 = 7.0 / 4 * u3 - 9.0 / 2 * u2 + 3 * u;
    const double b2 = -11.0 / 12 * u3 + 3.0 / 2 * u2;
    const double b3 = u3 / 6;
    const double s = b2 / 3 + 2 * b3 / 3;
    EXPECT_NEAR(muscle_profile(gait, s), 17.4 * b1 + 48.5 * b2 + 5.4 * b3, 1e-6) << s;
    const double mirrored = 14.7 * b1 + 5.4 * b2 + 48.5 * b3;
    EXPECT_NEAR(muscle_profile(gait, 1 - s), mirrored, 1e-6) << s;
  }
  EXPECT_NEAR(muscle_profile(gait, 0.5), (17.4 + 15 * 48.5 + 15 * 5.4 + 14.7) / 32, 1e-12);
}

TEST(MuscleProfile, IsABezierCurveForTwoAmplitudes) {
  for (const double u : {0.2, 0.5, 0.8}) {
    const double v = 1 - u;
    const double s = 3 * u * u * v + u * u * u;
    EXPECT_NEAR(muscle_profile(std::array{2.0, -5.0}, s), 3 * u * v * (2.0 * v - 5.0 * u), 1e-13);
  }
}

TEST(MuscleProfile, VanishesAtBothEndsAndKeepsAPlateau) {
  EXPECT_NEAR(muscle_profile(gait, 0.0), 0.0, 1e-14);
  EXPECT_EQ(muscle_profile(gait, 1.0), 0.0);
  for (const double s : {11.0 / 36, 0.4, 0.5, 25.0 / 36}) {
    EXPECT_NEAR(muscle_profile(std::array{50.0, 50.0, 50.0, 50.0}, s), 50.0, 1e-12) << s;
  }
}

TEST(Muscle, CouplesAreTheTravellingWave) {
  // On a straight rod: -tau_i on element i - 1 and +tau_i on element i for the interior nodes.
  TestRod test(active_rod(11, MuscleKind::couple, {1, 0, 0}));
  for (const double time : {0.0, 0.4, 1.9, 2.7, 40.3}) {
    test.reset();
    apply_muscles(test, time);
    for (int i = 0; i < 11; ++i) {
      const double before = i > 0 ? wave(i / 11.0, time) : 0.0;
      const double behind = i < 10 ? wave((i + 1) / 11.0, time) : 0.0;
      const Vec3 couple = couple_on(test.view(), i);
      EXPECT_NEAR(couple.x, before - behind, 1e-12) << i << " at " << time;
      EXPECT_EQ(couple.y, 0.0);
      EXPECT_EQ(couple.z, 0.0);
    }
  }
}

TEST(Muscle, ForcesAreTheTravellingWave) {
  // n = A_m d3 in every element, taken at its middle; a positive one pulls its nodes together.
  TestRod test(active_rod(9, MuscleKind::force, {0, 0, 1}));
  apply_muscles(test, 2.7);
  for (int i = 0; i < 10; ++i) {
    const double before = i > 0 ? wave((i - 0.5) / 9.0, 2.7) : 0.0;
    const double behind = i < 9 ? wave((i + 0.5) / 9.0, 2.7) : 0.0;
    EXPECT_NEAR(force_on(test.view(), i).z, behind - before, 1e-12) << i;
  }
}

TEST(Muscle, WaveRunsFromTheLastNodeToTheFirst) {
  // With equal amplitudes the wave is a function of s + omega t/k: a quarter of a period later the couple of
  // node i stands at the node a quarter of a wavelength nearer to node 0.
  MemberSpec spec = active_rod(40, MuscleKind::couple, {1, 0, 0});
  spec.muscle.amplitudes.fill(3.0);
  spec.muscle.wave_number = 2 * M_PI / 0.4;
  TestRod test(spec);
  apply_muscles(test, 4.1);
  const double before = test.view().array(field::bend_couple)[22];
  test.reset();
  apply_muscles(test, 4.6);
  EXPECT_NEAR(test.view().array(field::bend_couple)[18], before, 1e-12);
  EXPECT_GT(std::abs(test.view().array(field::bend_couple)[26] - before), 0.1);
}

TEST(Muscle, CoupleIsThatOfARestCurvature) {
  const MemberSpec spec = active_rod(12, MuscleKind::couple, {1, 0, 0});
  TestRod active(spec);
  apply_muscles(active, 3.3);
  TestRod curved(soft_rod(12));
  for (int i = 0; i < 11; ++i) {
    curved.view().array(field::rest_curvature, 0)[i] = wave((i + 1) / 12.0, 3.3) / spec.rod.bend_stiffness;
  }
  on_team([&](const auto& team) {
    shear_and_stretch(team, curved.view());
    bend_and_twist(team, curved.view());
  });
  for (int i = 0; i < 12; ++i) {
    EXPECT_NEAR(couple_on(active.view(), i).x, couple_on(curved.view(), i).x, 1e-12) << i;
  }
}

TEST(Muscle, HasNoResultantOnADeformedRod) {
  for (const MuscleKind kind : {MuscleKind::couple, MuscleKind::force}) {
    for (const bool in_laboratory : {false, true}) {
      for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0.6, 0, -0.8}}) {
        TestRod test(active_rod(13, kind, axis, in_laboratory));
        const RodView rod = test.view();
        stir(rod, 1.0);
        apply_muscles(test, 2.7);
        Vec3 force;
        Vec3 moment;
        double force_size = 0.0;
        double moment_size = 0.0;
        for (int i = 0; i < rod.nodes(); ++i) {
          force = force + force_on(rod, i);
          force_size += norm(force_on(rod, i));
          moment = moment + cross(rod.vec3(field::position, i), force_on(rod, i));
        }
        for (int i = 0; i < rod.elements; ++i) {
          moment = moment + directors(rod.quaternion(i)).to_laboratory(couple_on(rod, i));
          moment_size += norm(couple_on(rod, i));
        }
        EXPECT_NEAR(norm(force), 0.0, 1e-13 * force_size);
        EXPECT_NEAR(norm(moment), 0.0, 1e-13 * (moment_size + force_size));
        EXPECT_GT(force_size + moment_size, 1.0);
      }
    }
  }
}

TEST(Muscle, PlanarCouplesAreTheSameAboutADirectorAndALaboratoryAxis) {
  TestRod about_director(active_rod(12, MuscleKind::couple, {1, 0, 0}));
  TestRod about_axis(active_rod(12, MuscleKind::couple, {1, 0, 0}, true));
  const std::vector<double> start = about_axis.state();
  about_director.advance(200);
  about_axis.advance(200);
  const std::vector<double> a = about_director.state();
  const std::vector<double> b = about_axis.state();
  double motion = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_NEAR(a[k], b[k], 1e-12);
    motion = std::max(motion, std::abs(a[k] - start[k]));
  }
  EXPECT_GT(motion, 1e-3);
}

}  // namespace
}  // namespace rodeo::cosserat
