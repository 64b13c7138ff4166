#include "rodeo/observe/linking.hpp"

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/observe/writhe.hpp"

namespace rodeo::observe {
namespace {

using Curve = std::function<Vec3(double)>;  // over [0, 1]

std::vector<Vec3> polygon(int segments, const Curve& curve) {
  std::vector<Vec3> nodes;
  for (int i = 0; i <= segments; ++i) nodes.push_back(curve(static_cast<double>(i) / segments));
  return nodes;
}

constexpr int segments = 300;

/// The writhe of a polygon, pair of segments by pair.
double sum_of_own_pairs(const std::vector<Vec3>& nodes, bool closed) {
  const std::size_t count = nodes.size() - 1;
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 2; j < (closed && i == 0 ? count - 1 : count); ++j)
      sum += segment_writhe(nodes[i], nodes[i + 1], nodes[j], nodes[j + 1]);
  }
  return sum;
}

Vec3 helix(double s) {
  const double a = 40.0 * s;
  return {std::cos(a), std::sin(a), 0.1 * a};
}

Vec3 coiled_coil(double s) {
  const double a = 2 * M_PI * s;
  const double b = 25.0 * a;
  const Vec3 out = {std::cos(a), std::sin(a), 0.0};
  return (2.0 + 0.5 * std::cos(b)) * out + Vec3{0.0, 0.0, 0.5 * std::sin(b)};
}

Vec3 trefoil(double s) {
  const double a = 2 * M_PI * s;
  return {std::sin(a) + 2 * std::sin(2 * a), std::cos(a) - 2 * std::cos(2 * a), -std::sin(3 * a)};
}

std::vector<Vec3> closed_polygon(int count, const Curve& curve) {
  std::vector<Vec3> nodes = polygon(count, curve);
  nodes.back() = nodes.front();
  return nodes;
}

/// A path that turns at random by up to a quarter turn a segment, and so
/// crosses itself often.
std::vector<Vec3> tangle(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> one(-1.0, 1.0);
  std::vector<Vec3> nodes = {{0, 0, 0}};
  Vec3 tangent = {0, 0, 1};
  for (int i = 0; i < segments; ++i) {
    tangent = normalized(tangent + Vec3{one(random), one(random), one(random)});
    nodes.push_back(nodes.back() + tangent);
  }
  return nodes;
}

TEST(Linking, WritheByCrossingsOfOpenCurvesIsTheSumOverAllPairs) {
  for (const Curve& curve : {Curve(helix), Curve(coiled_coil), Curve(trefoil)}) {
    const std::vector<Vec3> nodes = polygon(segments, [&](double s) { return curve(0.97 * s); });
    const double sum = sum_of_own_pairs(nodes, false);
    EXPECT_GT(std::abs(sum), 1.0);
    EXPECT_NEAR(writhe_by_crossings(nodes, false), sum, 1e-11);
  }
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::vector<Vec3> nodes = tangle(seed);
    EXPECT_NEAR(writhe_by_crossings(nodes, false), sum_of_own_pairs(nodes, false), 1e-11) << seed;
  }
}

TEST(Linking, WritheByCrossingsOfClosedCurvesIsTheSumOverAllPairs) {
  for (const Curve& curve : {Curve(coiled_coil), Curve(trefoil)}) {
    const std::vector<Vec3> nodes = closed_polygon(segments, curve);
    const double sum = sum_of_own_pairs(nodes, true);
    EXPECT_GT(std::abs(sum), 1.0);
    EXPECT_NEAR(writhe_by_crossings(nodes, true), sum, 1e-11);
  }
}

TEST(Linking, WritheByCrossingsOfPlaneCurvesIsZero) {
  for (const Curve& curve : {Curve([](double s) {
                               return Vec3{s, 0.0, 0.0};
                             }),
                             Curve([](double s) {
                               return Vec3{0.0, s, 0.0};
                             }),
                             Curve([](double s) {
                               return Vec3{0.0, s, s};
                             }),
                             Curve([](double s) {
                               return Vec3{0.0, std::sin(9 * s), s};
                             }),
                             Curve([](double s) {
                               return Vec3{std::cos(5 * s), 0.0, std::sin(5 * s)};
                             })}) {
    EXPECT_NEAR(writhe_by_crossings(polygon(segments, curve), false), 0.0, 1e-11);
  }
}

TEST(Linking, GaussIntegralByCrossingsIsTheSumOverAllPairs) {
  const auto sum_of_pairs = [](const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < a.size(); ++i) {
      for (std::size_t j = 0; j + 1 < b.size(); ++j) {
        sum += 0.5 * segment_writhe(a[i], a[i + 1], b[j], b[j + 1]);
      }
    }
    return sum;
  };
  const auto strand = polygon(segments, [](double s) { return helix(s); });
  const auto partner = polygon(segments, [](double s) {
    return Vec3{-std::cos(40.0 * s), -std::sin(40.0 * s), 4.0 * s};
  });
  const double turns = sum_of_pairs(strand, partner);
  EXPECT_GT(turns, 4.0);
  EXPECT_NEAR(gauss_integral_by_crossings(strand, partner), turns, 1e-11);
  EXPECT_NEAR(gauss_integral_by_crossings(partner, strand), turns, 1e-11);

  const auto ring = closed_polygon(100, [](double s) {
    return Vec3{std::cos(2 * M_PI * s), std::sin(2 * M_PI * s), 0.0};
  });
  const auto link = closed_polygon(100, [](double s) {
    return Vec3{1.0 + std::cos(2 * M_PI * s), 0.1, std::sin(2 * M_PI * s)};
  });
  EXPECT_NEAR(std::abs(gauss_integral_by_crossings(ring, link)), 1.0, 1e-12);
  EXPECT_NEAR(gauss_integral_by_crossings(ring, link), sum_of_pairs(ring, link), 1e-11);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto a = tangle(2 * seed);
    const auto b = tangle(2 * seed + 1);
    std::vector<Vec3> moved;
    for (const Vec3& r : b) moved.push_back(r + Vec3{3.0, 1.0, -2.0});
    EXPECT_NEAR(gauss_integral_by_crossings(a, moved), sum_of_pairs(a, moved), 1e-11) << seed;
  }
}

TEST(Linking, ALongHelixHasTheWritheOfItsTurns) {
  // Fuller: 1 - cos(theta) a turn. The sum over pairs would take 1e10 of them.
  const auto writhe_of = [](int turns) {
    const auto nodes = polygon(200 * turns, [&](double s) {
      const double a = 2 * M_PI * turns * s;
      return Vec3{std::cos(a), std::sin(a), 0.5 * a};
    });
    return polygon_writhe(nodes);
  };
  EXPECT_NEAR((writhe_of(1000) - writhe_of(500)) / 500, 1.0 - 0.5 / std::sqrt(1.25), 1e-3);
}

}  // namespace
}  // namespace rodeo::observe
