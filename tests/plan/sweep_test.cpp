#include "rodeo/plan/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "plan/samplers.hpp"

namespace rodeo {
namespace {

Deck deck(const std::string& sweep) {
  return Deck::parse("[study]\nkind = sweep\n[sweep]\n" + sweep, "test.ini");
}

TEST(Sweep, GridRunsThroughAllCombinationsLastAxisFastest) {
  const auto plan =
      make_plan(deck("axis = rod.length : list(1, 2)\naxis = load.axial_force : linspace(0, 4, 3)\n"));
  ASSERT_EQ(plan->candidates(), 6u);
  EXPECT_EQ(plan->point(0), (std::vector<double>{1, 0}));
  EXPECT_EQ(plan->point(1), (std::vector<double>{1, 2}));
  EXPECT_EQ(plan->point(5), (std::vector<double>{2, 4}));
  EXPECT_EQ(plan->ask().size(), 6u);
  EXPECT_TRUE(plan->ask().empty());
  EXPECT_TRUE(plan->done());
}

TEST(Sweep, KeysOfOneLineMoveTogether) {
  const auto plan =
      make_plan(deck("axis = rod.length : list(1, 2, 3) with rod.radius : list(5, 6, 4)\n"
                     "axis = load.axial_force : list(0, 7)\n"));
  ASSERT_EQ(plan->candidates(), 6u);
  ASSERT_EQ(plan->parameters().size(), 3u);
  EXPECT_EQ(plan->point(0), (std::vector<double>{1, 5, 0}));
  EXPECT_EQ(plan->point(1), (std::vector<double>{1, 5, 7}));
  EXPECT_EQ(plan->point(2), (std::vector<double>{2, 6, 0}));
  EXPECT_EQ(plan->point(5), (std::vector<double>{3, 4, 7}));
  EXPECT_EQ(plan->variation(), (std::vector<std::string>{"rod.length 1 to 3 with rod.radius 4 to 6: 3 points",
                                                         "load.axial_force 0 to 7: 2 points"}));
  EXPECT_EQ(make_plan(deck("axis = contact.kind : list(ipc, none)\n"))->variation().front(),
            "contact.kind none|ipc: 2 points");
}

TEST(Sweep, KeysThatMoveTogetherAreSampledAtOneCoordinate) {
  for (const char* sampler : {"latin_hypercube", "sobol"}) {
    const auto plan = make_plan(
        deck(std::string("sampler = ") + sampler +
             "\nsamples = 32\naxis = rod.length : linspace(1, 3, 2) with rod.radius : linspace(9, 5, 2) with "
             "rod.mass : logspace(100, 1, 2) with rod.elements : linspace(12, 9, 2)\n"
             "axis = load.axial_force : linspace(0, 1, 2)\n"));
    std::set<double> elements;
    std::set<double> forces;
    for (std::uint64_t k = 0; k < 32; ++k) {
      const auto point = plan->point(k);
      const double u = 0.5 * (point[0] - 1.0);
      EXPECT_NEAR(point[1], 9.0 - 4.0 * u, 1e-14);
      EXPECT_NEAR(point[2], std::pow(10.0, 2.0 - 2.0 * u), 1e-12);
      EXPECT_EQ(point[3], 12.0 - std::floor(4.0 * u));
      elements.insert(point[3]);
      forces.insert(point[4]);
    }
    EXPECT_EQ(elements, (std::set<double>{9, 10, 11, 12}));
    EXPECT_EQ(forces.size(), 32u) << "which has a coordinate of its own";
  }
}

TEST(Sweep, SingleHasOneCandidateWithoutParameters) {
  const auto plan = make_plan(Deck::parse("[study]\nkind = single\n", "test.ini"));
  EXPECT_EQ(plan->candidates(), 1u);
  EXPECT_TRUE(plan->parameters().empty());
  EXPECT_TRUE(plan->point(0).empty());
}

TEST(Sweep, SamplersNeedSamples) {
  EXPECT_THROW(make_plan(deck("sampler = sobol\naxis = rod.length : list(1, 2)\n")), DeckError);
}

TEST(Sweep, SamplersStayInsideTheirAxes) {
  for (const char* sampler : {"latin_hypercube", "sobol"}) {
    const auto plan = make_plan(deck(std::string("sampler = ") + sampler +
                                     "\nsamples = 64\naxis = rod.length : logspace(0.01, 100, 2)\n"
                                     "axis = rod.elements : linspace(10, 12, 2)\n"));
    ASSERT_EQ(plan->candidates(), 64u);
    int below_one = 0;
    std::set<double> elements;
    for (std::uint64_t k = 0; k < 64; ++k) {
      const auto point = plan->point(k);
      EXPECT_GE(point[0], 0.01);
      EXPECT_LE(point[0], 100.0);
      below_one += point[0] < 1.0;
      elements.insert(point[1]);
    }
    EXPECT_NEAR(below_one, 32, 1) << sampler;  // uniform in the logarithm
    EXPECT_EQ(elements, (std::set<double>{10, 11, 12}));
  }
}

TEST(Samplers, LatinHypercubeHasOnePointInEveryCellOfEveryAxis) {
  constexpr std::size_t count = 37;
  const auto points = latin_hypercube(count, 3, 11);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::set<int> cells;
    for (std::size_t i = 0; i < count; ++i) cells.insert(static_cast<int>(points[i * 3 + axis] * count));
    EXPECT_EQ(cells.size(), count);
  }
  EXPECT_NE(points, latin_hypercube(count, 3, 12));
  EXPECT_EQ(points, latin_hypercube(count, 3, 11));
}

TEST(Samplers, SobolFillsDyadicBoxesEvenly) {
  constexpr std::size_t count = 64;
  const auto points = sobol(count, 2, 5);
  int boxes[8][8] = {};
  for (std::size_t i = 0; i < count; ++i) {
    ++boxes[static_cast<int>(points[2 * i] * 8)][static_cast<int>(points[2 * i + 1] * 8)];
  }
  for (const auto& row : boxes) {
    for (const int held : row) EXPECT_EQ(held, 1);  // a (0, 6, 2)-net
  }
}

}  // namespace
}  // namespace rodeo
