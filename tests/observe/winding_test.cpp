#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/observe/writhe.hpp"

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

namespace rodeo::observe {
namespace {

using cosserat::soft_rod;
using cosserat::TestRod;

/// A ring of 24 elements about a centre, in the plane of two directions.
void set_ring(const RodView& rod, const Vec3& centre, const Vec3& u, const Vec3& v) {
  for (int i = 0; i <= 24; ++i) {
    const double a = 2 * M_PI * (i % 24) / 24;
    rod.set_vec3(field::position, i, centre + std::cos(a) * u + std::sin(a) * v);
  }
}

TEST(Winding, OfLinkedRingsIsAWholeNumber) {
  TestRod one(soft_rod(24));
  TestRod other(soft_rod(24));
  set_ring(one.view(), {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  set_ring(other.view(), {1, 0.1, 0.05}, {1, 0, 0}, {0, 0, 1});
  const double linked = gauss_integral(one.view(), other.view());
  EXPECT_NEAR(std::abs(linked), 1.0, 1e-12);
  EXPECT_NEAR(gauss_integral(other.view(), one.view()), linked, 1e-12);
  set_ring(other.view(), {1, 0.1, 0.05}, {1, 0, 0}, {0, 0, -1});  // runs the other way
  EXPECT_NEAR(gauss_integral(one.view(), other.view()), -linked, 1e-12);
  set_ring(other.view(), {3, 0.1, 0.05}, {1, 0, 0}, {0, 0, 1});
  EXPECT_NEAR(gauss_integral(one.view(), other.view()), 0.0, 1e-12);
}

TEST(Winding, OfTwoStrandsOfALongHelixIsTheirTurns) {
  const auto winding_of = [](int turns) {
    const int elements = 40 * turns;
    TestRod one(soft_rod(elements));
    TestRod other(soft_rod(elements));
    for (int i = 0; i <= elements; ++i) {
      const double a = 2 * M_PI * turns * i / elements;
      const Vec3 across = {std::cos(a), std::sin(a), 0};
      one.view().set_vec3(field::position, i, Vec3{0, 0, a} + across);
      other.view().set_vec3(field::position, i, Vec3{0, 0, a} - across);
    }
    return gauss_integral(one.view(), other.view());
  };
  // Right-handed; the open ends take a share that does not grow with the number of turns.
  EXPECT_NEAR(winding_of(12) - winding_of(6), 6.0, 0.01);
}

double winding_of(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  const auto rod_through = [](const std::vector<Vec3>& nodes) {
    auto rod = std::make_unique<TestRod>(soft_rod(static_cast<int>(nodes.size()) - 1));
    for (std::size_t i = 0; i < nodes.size(); ++i)
      rod->view().set_vec3(field::position, static_cast<int>(i), nodes[i]);
    return rod;
  };
  const auto one = rod_through(a);
  const auto other = rod_through(b);
  return winding_around(one->view(), {other->view()});
}

/// Straight rods in one plane, of which an end of one is joined to the other anywhere, however they are
/// turned.
TEST(Winding, OfJoinedRodsInAPlaneIsNone) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const auto direction = [&] { return Vec3{any(random), any(random), any(random)}; };
  for (int k = 0; k < 100; ++k) {
    const Vec3 joint = direction();
    const Vec3 along = direction();
    const Vec3 away = direction();
    const auto line = [&](int elements, const Vec3& start, const Vec3& edge) {
      std::vector<Vec3> nodes;
      for (int i = 0; i <= elements; ++i) nodes.push_back(start + (static_cast<double>(i) / elements) * edge);
      return nodes;
    };
    for (const int elements : {5, 15, 30}) {
      for (const double place : {0.0, 0.37, 0.4, 1.0}) {
        const std::vector<Vec3> rod = line(elements, joint - place * along, along);
        EXPECT_NEAR(winding_of(rod, line(elements, joint, away)), 0.0, 1e-9);
        EXPECT_NEAR(winding_of(line(elements, joint + away, -1.0 * away), rod), 0.0, 1e-9);
      }
    }
  }
}

/// The writhe of a curve that is cut in two is that of its parts and twice their Gauss integral.
TEST(Winding, OfPartsOfACurveIsWhatItsWritheHasOfBoth) {
  constexpr int segments = 60;
  std::vector<Vec3> whole;
  for (int i = 0; i <= segments; ++i) {
    const double a = 0.3 * i;
    whole.push_back({std::cos(a) * (1.0 + 0.02 * i), std::sin(a), 0.05 * a + 0.3 * std::sin(0.2 * a)});
  }
  for (const int cut : {1, 13, 30, segments - 2}) {
    const std::vector<Vec3> first(whole.begin(), whole.begin() + cut + 1);
    const std::vector<Vec3> second(whole.begin() + cut, whole.end());
    const double of_both =
        polygon_writhe(whole, false) - polygon_writhe(first, false) - polygon_writhe(second, false);
    EXPECT_NEAR(2.0 * winding_of(first, second), of_both, 1e-9) << cut;
  }
}

TEST(Winding, IsSummedOverTheOtherRodsOfAMember) {
  // The last of three straight rods crosses over the first and under the second: by symmetry nothing is left,
  // and over both of them twice the share of one.
  const auto winding_of = [](const char* heights) {
    const std::string deck =
        "[rod]\ncount = 3\nelements = 8\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
        "poisson_ratio = 0.5\nnormal = 0, 0, 1\ndirection = 1, 0, 0\n"
        "each = rod.direction[0] : list(1, 1, 0)\neach = rod.direction[1] : list(0, 0, 1)\n"
        "each = rod.origin[0] : list(-0.5, -0.5, 0)\neach = rod.origin[1] : list(0, 0, -0.5)\n"
        "each = rod.origin[2] : list(" +
        std::string(heights) + ", 0)\n[time]\nstep = 1e-5\nend = 1e-5\n";
    return value(run_member(make_member_spec(Deck::parse(deck, "test.ini", {}))), "winding");
  };
  EXPECT_NEAR(winding_of("-0.1, 0.1"), 0.0, 1e-9);
  const double both = winding_of("0.1, 0.1");
  EXPECT_GT(std::abs(both), 0.5);  // nearly half a turn with each
  EXPECT_NEAR(winding_of("-0.1, -0.1"), -both, 1e-9);
}

}  // namespace
}  // namespace rodeo::observe
