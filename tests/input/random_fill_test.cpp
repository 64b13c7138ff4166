#include "input/random_fill.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

using std::numbers::pi;

/// Shortest distance of two segments: the smallest of those with an end of one, and that of the lines where
/// they pass each other within both.
double distance_of_segments(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto to_point = [](const Vec3& p, const Vec3& from, const Vec3& to) {
    const Vec3 edge = to - from;
    const double s = std::clamp(dot(p - from, edge) / dot(edge, edge), 0.0, 1.0);
    return norm(p - from - s * edge);
  };
  double shortest = std::min({to_point(a, c, d), to_point(b, c, d), to_point(c, a, b), to_point(d, a, b)});
  const Vec3 normal = cross(b - a, d - c);
  const double square = dot(normal, normal);
  if (square == 0.0) return shortest;
  const double s = dot(cross(c - a, d - c), normal) / square;
  const double t = dot(cross(c - a, b - a), normal) / square;
  if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)
    shortest = std::min(shortest, std::abs(dot(c - a, normal)) / std::sqrt(square));
  return shortest;
}

LooseRod straight(double length, double radius) { return {{{0, 0, 0}, {0, 0, length}}, {radius, radius}}; }

/// An arc of half a circle, which has corners.
LooseRod half_ring(double ring, double radius) {
  LooseRod rod;
  for (int i = 0; i <= 8; ++i) {
    rod.nodes.push_back({ring * std::cos(pi * i / 8), ring * std::sin(pi * i / 8), 0});
    rod.radii.push_back(radius);
  }
  return rod;
}

/// Rods of three kinds, put into a region as long as they fit, `most` of them at most.
struct Filled {
  std::vector<LooseRod> rods;  ///< where they stand
  std::vector<Placed> placed;
};

LooseRod kind_of_rod(std::size_t k) {
  if (k % 3 == 0) return straight(0.5, 0.02);
  return k % 3 == 1 ? straight(0.2, 0.04) : half_ring(0.12, 0.02);
}

Filled fill_region(const Region& region, std::size_t most, std::uint64_t seed, const OrientationLaw& law) {
  Filled filled;
  RandomFill fill(region, seed, 0.04, 0.3 * static_cast<double>(most));
  for (std::size_t k = 0; k < most; ++k) {
    LooseRod rod = kind_of_rod(k);
    const auto placed = fill.add(rod, {0, 0, 1}, law);
    if (!placed) break;
    const Directors axes = directors(placed->turn);
    for (Vec3& node : rod.nodes) node = axes.to_laboratory(node) + placed->shift;
    filled.rods.push_back(rod);
    filled.placed.push_back(*placed);
  }
  return filled;
}

Region box(const Vec3& size, const Vec3& centre = {}) {
  Region region;
  region.half_size = 0.5 * size;
  region.centre = centre;
  return region;
}

Region sphere(double radius) {
  Region region;
  region.kind = Region::Kind::sphere;
  region.radius = radius;
  region.centre = {1, 2, 3};
  return region;
}

Region slanted_cylinder() {
  Region region;
  region.kind = Region::Kind::cylinder;
  region.radius = 0.5;
  region.half_length = 0.8;
  region.axis = normalized({1, 1, 0.5});
  region.centre = {-3, 0, 0.25};
  return region;
}

double smallest_gap(const std::vector<LooseRod>& rods) {
  double smallest = 1.0;
  for (std::size_t i = 0; i < rods.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t a = 1; a < rods[i].nodes.size(); ++a) {
        for (std::size_t b = 1; b < rods[j].nodes.size(); ++b) {
          const double distance = distance_of_segments(rods[i].nodes[a - 1], rods[i].nodes[a],
                                                       rods[j].nodes[b - 1], rods[j].nodes[b]);
          smallest = std::min(smallest, distance - rods[i].radii[a] - rods[j].radii[b]);
        }
      }
    }
  }
  return smallest;
}

TEST(RandomFill, KeepsRodsApart) {
  const Filled filled = fill_region(box({1, 1, 1}), 150, 3, {OrientationLaw::Kind::uniform});
  ASSERT_EQ(filled.rods.size(), 150u);
  EXPECT_GT(smallest_gap(filled.rods), -1e-12);
  EXPECT_LT(smallest_gap(filled.rods), 0.01) << "so dense that overlap was to be avoided";
  // A few long rods in much space, whose cells are large.
  EXPECT_GT(smallest_gap(fill_region(box({9, 9, 0.2}), 40, 3, {OrientationLaw::Kind::uniform}).rods), -1e-12);
}

TEST(RandomFill, KeepsWholeRodsInTheRegion) {
  for (const Region& region : {box({0.7, 1.2, 0.6}, {5, -1, 0}), sphere(0.6), slanted_cylinder()}) {
    const Filled filled = fill_region(region, 60, 1, {OrientationLaw::Kind::uniform});
    ASSERT_EQ(filled.rods.size(), 60u);
    double nearest = 1.0;
    for (const LooseRod& rod : filled.rods) {
      for (std::size_t i = 0; i < rod.nodes.size(); ++i) {
        const Vec3 from = rod.nodes[i] - region.centre;
        double room = 0.0;
        if (region.kind == Region::Kind::box) {
          room = std::min({region.half_size.x - std::abs(from.x), region.half_size.y - std::abs(from.y),
                           region.half_size.z - std::abs(from.z)});
        } else if (region.kind == Region::Kind::sphere) {
          room = region.radius - norm(from);
        } else {
          const double along = dot(from, region.axis);
          room = std::min(region.half_length - std::abs(along),
                          region.radius - norm(from - along * region.axis));
        }
        nearest = std::min(nearest, room - rod.radii[i]);
      }
    }
    EXPECT_GT(nearest, -1e-9);
    EXPECT_LT(nearest, 0.03) << "rods come near the walls";
  }
}

TEST(RandomFill, IsTheSameForASeedHoweverManyFollow) {
  const OrientationLaw law{OrientationLaw::Kind::uniform};
  const Filled few = fill_region(sphere(0.8), 20, 5, law);
  const Filled again = fill_region(sphere(0.8), 20, 5, law);
  const Filled other = fill_region(sphere(0.8), 20, 6, law);
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_EQ(few.placed[k].shift.x, again.placed[k].shift.x);
    EXPECT_EQ(few.placed[k].turn.w, again.placed[k].turn.w);
    EXPECT_NE(few.placed[k].shift.x, other.placed[k].shift.x);
  }
  RandomFill cells_of_another_size(sphere(0.8), 5, 0.2, 100.0);
  for (std::size_t k = 0; k < 20; ++k) {
    const auto placed = cells_of_another_size.add(kind_of_rod(k), {0, 0, 1}, law);
    ASSERT_TRUE(placed);
    EXPECT_EQ(placed->shift.y, few.placed[k].shift.y) << "cells find the same overlaps, whatever their size";
  }
}

TEST(RandomFill, TurnsRodsToAnywhereUniformly) {
  constexpr int count = 4000;
  RandomFill fill(box({100, 100, 100}), 11, 1e-3, count * 0.1);
  Vec3 mean;
  Vec3 squares;
  Vec3 normals;
  for (int k = 0; k < count; ++k) {
    const auto placed = fill.add(straight(0.1, 1e-3), {0, 0, 1}, {OrientationLaw::Kind::uniform});
    ASSERT_TRUE(placed);
    const Directors axes = directors(placed->turn);
    const Vec3 along = axes.to_laboratory({0, 0, 1});
    mean = mean + (1.0 / count) * along;
    squares = squares + (1.0 / count) * Vec3{along.x * along.x, along.y * along.y, along.z * along.z};
    normals = normals + (1.0 / count) * axes.to_laboratory({1, 0, 0});
  }
  // Four standard deviations, of 1/sqrt(3) and sqrt(4/45) for one rod.
  const double of_mean = 4.0 / std::sqrt(3.0 * count);
  const double of_square = 4.0 * std::sqrt(4.0 / 45.0 / count);
  for (const Vec3& v : {mean, normals}) {
    EXPECT_NEAR(v.x, 0.0, of_mean);
    EXPECT_NEAR(v.y, 0.0, of_mean);
    EXPECT_NEAR(v.z, 0.0, of_mean);
  }
  EXPECT_NEAR(squares.x, 1.0 / 3.0, of_square);
  EXPECT_NEAR(squares.y, 1.0 / 3.0, of_square);
  EXPECT_NEAR(squares.z, 1.0 / 3.0, of_square);
}

TEST(RandomFill, TurnsRodsByTheFisherDistribution) {
  constexpr int count = 4000;
  const Vec3 axis = normalized({1, -2, 0.5});
  const Vec3 aside = normalized(cross(axis, {0, 0, 1}));
  for (const double kappa : {0.01, 1.0, 11.0, 1e8}) {
    RandomFill fill(box({100, 100, 100}), 2, 1e-3, count * 0.1);
    double cosine = 0.0;
    double sideways = 0.0;
    double spin = 0.0;
    for (int k = 0; k < count; ++k) {
      const auto placed = fill.add(straight(0.1, 1e-3), axis, {OrientationLaw::Kind::distributed, kappa});
      ASSERT_TRUE(placed);
      const Directors axes = directors(placed->turn);
      cosine += dot(axes.to_laboratory(axis), axis) / count;
      sideways += dot(axes.to_laboratory(axis), aside) / count;
      spin += dot(axes.to_laboratory(aside), aside) / count;
    }
    // The mean of the cosine is coth(kappa) - 1/kappa, its variance 1 - coth^2 + 1/kappa^2.
    const double coth = 1.0 / std::tanh(kappa);
    const double exact = coth - 1.0 / kappa;
    const double variance = std::max(1.0 - coth * coth + 1.0 / (kappa * kappa), 0.0);
    const double half_of_rest = 0.5 * (1.0 - variance - exact * exact);  // the mean square to one side
    EXPECT_NEAR(cosine, exact, 4.0 * std::sqrt(variance / count) + 1e-12) << kappa;
    EXPECT_NEAR(sideways, 0.0, 4.0 * std::sqrt(half_of_rest / count)) << kappa;
    EXPECT_NEAR(spin, 0.0, 4.0 * std::sqrt(0.5 / count)) << "rods are turned about themselves too";
  }
}

TEST(RandomFill, LeavesAlignedRodsAsTheyAre) {
  const Filled filled = fill_region(box({1, 1, 1}), 30, 1, {});
  ASSERT_EQ(filled.rods.size(), 30u);
  for (std::size_t k = 0; k < 30; ++k) {
    EXPECT_EQ(filled.placed[k].turn.w, 1.0);
    EXPECT_NEAR(filled.rods[k].nodes[1].z - filled.placed[k].shift.z, kind_of_rod(k).nodes[1].z, 1e-15);
  }
}

TEST(RandomFill, SaysWhetherARodDoesNotFitAtAllOrNoMore) {
  RandomFill narrow(box({1, 1, 0.05}), 1, 0.04, 1.0);
  EXPECT_FALSE(narrow.add(straight(0.2, 0.04), {0, 0, 1}, {OrientationLaw::Kind::uniform}));
  EXPECT_FALSE(narrow.was_inside());
  // Balls side by side in a row that they just fill across.
  RandomFill row(box({1, 0.2, 0.2}), 1, 0.1, 1.0);
  const LooseRod ball{{{0, 0, 0}, {1e-6, 0, 0}}, {0.1, 0.1}};
  int count = 0;
  while (row.add(ball, {1, 0, 0}, {})) ++count;
  EXPECT_TRUE(row.was_inside());
  EXPECT_GE(count, 2);
  EXPECT_LE(count, 4);
}

TEST(RandomFill, GivesUpAfterSoManyPlaces) {
  RandomFill fill(box({1, 1, 1}), 1, 0.01, 10.0);
  LooseRod large;
  for (int i = 0; i < 4000; ++i) large.nodes.push_back({1e-3 * i, 0, 0});
  large.radii.assign(large.nodes.size(), 0.01);
  EXPECT_TRUE(fill.add(straight(0.1, 0.01), {0, 0, 1}, {}));
  EXPECT_FALSE(fill.add(large, {0, 0, 1}, {}));
  EXPECT_TRUE(fill.has_given_up());
  EXPECT_FALSE(fill.add(straight(0.1, 0.01), {0, 0, 1}, {})) << "which would find a place";
}

TEST(RandomFill, KnowsTheVolumeAndReachOfRegions) {
  EXPECT_DOUBLE_EQ(box({1, 2, 3}).volume(), 6.0);
  EXPECT_DOUBLE_EQ(sphere(2.0).volume(), 32.0 / 3.0 * pi);
  Region region = slanted_cylinder();
  EXPECT_DOUBLE_EQ(region.volume(), 0.4 * pi);
  region.axis = {0, 1, 0};
  EXPECT_DOUBLE_EQ(region.half_extent().x, 0.5);
  EXPECT_DOUBLE_EQ(region.half_extent().y, 0.8);
  region.axis = {0.6, 0.8, 0};
  EXPECT_NEAR(region.half_extent().x, 0.8 * 0.6 + 0.5 * 0.8, 1e-15);
}

}  // namespace
}  // namespace rodeo
