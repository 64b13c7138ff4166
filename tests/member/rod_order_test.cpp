#include "rodeo/rod/rod_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "rodeo/rod/rod_places.hpp"

#include "member/run_members.hpp"

namespace rodeo {
namespace {

constexpr int many = 252;
constexpr int of_layer = 42;  // rods, in two rows

/// Layers of rods across each other, listed as `listed` says; `counted` is the number of that one in it whose
/// touching rods are counted.
MemberSpec layers(const std::vector<int>& listed, int elements, int counted) {
  std::ostringstream deck;
  deck << "[rod]\ncount = " << listed.size() << "\nelements = " << elements
       << "\nlength = 0.05\nradius = 0.002\ndensity = 1000\nyoung_modulus = 1e7\npoisson_ratio = 0.5\n"
          "damping = 0.02\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n";
  const auto each = [&](const std::string& key, const auto& of_rod) {
    deck << "each = rod." << key << " : list(";
    for (std::size_t k = 0; k < listed.size(); ++k) deck << (k > 0 ? ", " : "") << of_rod(listed[k]);
    deck << ")\n";
  };
  const auto layer = [](int rod) { return rod / of_layer; };
  const auto lengthwise = [](int rod) { return 0.0545 * (rod % 2); };
  const auto crosswise = [](int rod) { return 0.006 * (rod / 2 % (of_layer / 2)); };
  each("origin[0]", [&](int rod) { return layer(rod) % 2 == 0 ? lengthwise(rod) : crosswise(rod); });
  each("origin[1]", [&](int rod) { return layer(rod) % 2 == 0 ? crosswise(rod) : lengthwise(rod); });
  each("origin[2]", [&](int rod) { return 0.00399 * layer(rod); });
  each("direction[0]", [&](int rod) { return layer(rod) % 2 == 0 ? 1 : 0; });
  each("direction[1]", [&](int rod) { return layer(rod) % 2 == 0 ? 0 : 1; });
  each("velocity[2]", [&](int rod) { return 0.05 * (2.5 - layer(rod)); });
  each("velocity[0]", [&](int rod) { return layer(rod) % 2 == 0 ? 0.02 : -0.01; });
  deck << "[contact]\nkind = penalty\nstiffness = 500\ndamping = 0.05\nfriction = 0.5\n"
          "[time]\nstep = 1e-5\nend = 2e-3\n[output]\nframes = 2\n[measure]\n"
          "define = touched [1] : last(touching_rods(rod "
       << counted << "))\n";
  return make_member_spec(Deck::parse(deck.str(), "layers", {}));
}

std::vector<int> shuffled(unsigned seed) {
  std::vector<int> rods(many);
  std::iota(rods.begin(), rods.end(), 0);
  std::shuffle(rods.begin(), rods.end() - 1, std::mt19937_64(seed));
  return rods;
}

std::vector<int> as_listed() {
  std::vector<int> rods(many);
  std::iota(rods.begin(), rods.end(), 0);
  return rods;
}

/// Length of the way from rod to rod, m.
double way(const MemberSpec& spec, const std::vector<int>& order) {
  const auto start = [&](int k) {
    const RodSpec& rod = k == 0 ? spec.rod : spec.further_rods[static_cast<std::size_t>(k) - 1].rod;
    return rod.origin + 0.5 * rod.length * rod.direction;
  };
  double length = 0.0;
  for (std::size_t k = 1; k < order.size(); ++k) length += norm(start(order[k]) - start(order[k - 1]));
  return length;
}

TEST(RodOrder, FollowsACurveThroughSpaceInLargeMembers) {
  const MemberSpec spec = layers(shuffled(1), 8, 0);
  const std::vector<int> order = rod_order(spec);
  std::vector<int> sorted = order;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, as_listed());
  EXPECT_EQ(order.back(), many - 1);
  EXPECT_LT(way(spec, order), 0.3 * way(spec, as_listed()));

  const std::vector<RodPlace> places = rod_places(spec);
  int first = 0;
  for (const int k : order) {
    EXPECT_EQ(places[static_cast<std::size_t>(k)].first, first);
    first += 8 + elements_between_rods;
  }
  EXPECT_EQ(first - elements_between_rods, array_elements(spec));
}

TEST(RodOrder, IsThatOfTheDeckWhereItMatters) {
  EXPECT_EQ(rod_order(layers(shuffled(1), 7, 0)), as_listed());  // 1764 elements
  const MemberSpec large = layers(shuffled(1), 8, 0);
  const auto order_with = [&](const auto& change) {
    MemberSpec spec = large;
    change(spec);
    return rod_order(spec);
  };
  EXPECT_NE(rod_order(large), as_listed());
  EXPECT_EQ(order_with([](MemberSpec& spec) { spec.contact.kind = ContactKind::none; }), as_listed());
  EXPECT_EQ(order_with([](MemberSpec& spec) { spec.method = TimeMethod::implicit; }), as_listed());
  EXPECT_EQ(order_with([](MemberSpec& spec) { spec.model = ModelKind::der; }), as_listed());
  EXPECT_EQ(order_with([](MemberSpec& spec) { spec.load.perturbation = 1e-9; }), as_listed());
  EXPECT_EQ(order_with([](MemberSpec& spec) { spec.motions.emplace_back(); }), as_listed());
  EXPECT_EQ(order_with([](MemberSpec& spec) { spec.connections.emplace_back(); }), as_listed());
  EXPECT_EQ(order_with([](MemberSpec& spec) { spec.further_rods[5].joint = JointKind::ball; }), as_listed());
}

TEST(RodOrder, ResultsAreThoseOfEachRodHoweverTheyAreListed) {
  const std::vector<int> listed = shuffled(1);
  const std::vector<int> otherwise = shuffled(2);
  constexpr int counted = 130;
  const auto number_in = [](const std::vector<int>& list, int rod) {
    return static_cast<int>(std::ranges::find(list, rod) - list.begin());
  };
  const MemberOutcome first = run_member(layers(listed, 8, number_in(listed, counted)));
  const MemberOutcome second = run_member(layers(otherwise, 8, number_in(otherwise, counted)));
  ASSERT_EQ(first.status, MemberStatus::done);
  EXPECT_GT(first.observables.back(), 0.0);  // rods that the counted one touches
  for (std::size_t k = 0; k < first.observables.size(); ++k) {
    if (std::isnan(first.observables[k])) continue;
    // Some are sums in the order of the deck.
    EXPECT_NEAR(first.observables[k], second.observables[k], 1e-12 * std::abs(first.observables[k])) << k;
  }
  constexpr std::ptrdiff_t of_rod = 3 * 9;
  const std::vector<double>& places = first.fields[0];
  const std::vector<double>& other_places = second.fields[0];
  ASSERT_EQ(places.size(), static_cast<std::size_t>(2 * many * of_rod));
  double moved = 0.0;
  for (int frame = 0; frame < 2; ++frame) {
    for (int k = 0; k < many; ++k) {
      const auto one = places.begin() + of_rod * (frame * many + k);
      const int number = number_in(otherwise, listed[static_cast<std::size_t>(k)]);
      const auto same = other_places.begin() + of_rod * (frame * many + number);
      EXPECT_TRUE(std::equal(one, one + of_rod, same)) << "rod " << k << " of frame " << frame;
      if (frame == 1)
        moved = std::max(moved, std::abs(one[2] - places[static_cast<std::size_t>(of_rod * k + 2)]));
    }
  }
  EXPECT_GT(moved, 1e-5);
}

}  // namespace
}  // namespace rodeo
