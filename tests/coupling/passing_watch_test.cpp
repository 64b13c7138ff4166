#include "rodeo/coupling/passing_watch.hpp"

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo::coupling {
namespace {

constexpr double radius = 0.01;

/// Two rods of half a metre across each other, one ten radii above the other.
struct Watched {
  Watched() : spec(make_spec()), test(spec), watch(test.view().as_const(), near(), radius) { watch.stand(); }

  static MemberSpec make_spec() {
    MemberSpec spec = cosserat::soft_rod(10);
    spec.rod.length = 0.5;
    spec.rod.radius = radius;
    spec.rod.origin = {-0.26, 0, 0};
    spec.rod.direction = {1, 0, 0};
    spec.rod.normal = {0, 0, 1};
    RodSetup across;
    across.rod = spec.rod;
    across.rod.origin = {0, -0.26, 10 * radius};
    across.rod.direction = {0, 1, 0};
    spec.further_rods.push_back(across);
    return spec;
  }
  contact::NearPairs near() { return {spec, test.view().as_const(), {}}; }

  void move(int rod, const Vec3& way) {
    const RodView view = test.rod(rod);
    for (int i = 0; i < view.nodes(); ++i)
      view.set_vec3(field::position, i, view.vec3(field::position, i) + way);
  }

  MemberSpec spec;
  cosserat::TestRod test;
  PassingWatch watch;
};

TEST(PassingWatch, SeesWhatCrossesOnTheWayHoweverFarItGoes) {
  for (const double way : {12.0, 20.0, 1e3, 1e5}) {
    Watched watched;
    watched.move(1, {0, 0, -way * radius});
    watched.watch.look();
    EXPECT_TRUE(watched.watch.has_passed()) << way;
  }
  for (const double way : {5.0, 9.5, -1e5}) {
    Watched watched;
    watched.move(1, {0, 0, -way * radius});
    watched.watch.look();
    EXPECT_FALSE(watched.watch.has_passed()) << way;
  }
}

TEST(PassingWatch, SeesWhatCrossesBitByBitAndWhereBothMove) {
  Watched watched;
  for (int k = 0; k < 100; ++k) {
    const double before = 10.0 - 0.2 * k;  // radii between the rods
    watched.move(1, {0, 0, -0.1 * radius});
    watched.move(0, {0, 0, 0.1 * radius});
    watched.watch.look();
    EXPECT_EQ(watched.watch.has_passed(), before < 0.2 + 1e-9) << k;
  }
}

/// A rod that goes round the end of another and then past it has not passed through it.
TEST(PassingWatch, LooksAtTheWholeWayAndNotAtItsEnds) {
  Watched watched;
  for (const Vec3 way : {Vec3{0.5, 0, 0}, Vec3{0, 0, -0.2}, Vec3{-0.5, 0, 0}}) {
    watched.move(1, way);
    watched.watch.look();
  }
  EXPECT_FALSE(watched.watch.has_passed());
  watched.move(1, {0, 0, 0.2});
  watched.watch.look();
  EXPECT_TRUE(watched.watch.has_passed());
}

TEST(PassingWatch, AStateThatStepsGoBackToIsNoWay) {
  Watched watched;
  watched.move(1, {0, 0, -20 * radius});
  watched.watch.stand();
  watched.watch.look();
  EXPECT_FALSE(watched.watch.has_passed());
}

}  // namespace
}  // namespace rodeo::coupling
