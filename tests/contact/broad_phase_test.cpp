#include "rodeo/contact/broad_phase.hpp"

#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "contact/test_shapes.hpp"

namespace rodeo::contact {
namespace {

using cosserat::on_team;
using cosserat::TestRod;

/// Pairs of a member that are listed, and all within the margins, each looked at by itself.
struct Found {
  std::vector<std::pair<int, int>> listed;
  std::vector<std::pair<int, int>> expected;
};

Found find(const TestRod& test, double margin) {
  const RodView rod = test.view();
  const PenaltyContact contact = test.contact();
  const ContactView& view = contact.view;
  on_team([&](const auto& team) {
    contact.update_radii(team, rod);
    set_margins(team, view, contact.velocities(rod), {margin, margin, 0.0});
    list_pairs(team, view, contact.positions(rod));
  });
  Found found;
  for (int p = 0; p < view.list(list_entry::pairs); ++p) {
    found.listed.emplace_back(view.earlier()[p], view.later()[p]);
  }
  const double* const radius = view.lanes(lane_array::radius);
  for (int i = 0; i < view.elements; ++i) {
    for (int j = i + 1; j < view.elements; ++j) {
      if (!view.are_partners(i, j) || radius[i] < 0.0 || radius[j] < 0.0) continue;
      const Vec3 gap = closest_points(segment(view, i), segment(view, j)).gap;
      if (norm(gap) <= radius[i] + radius[j] + 2.0 * margin) found.expected.emplace_back(i, j);
    }
  }
  return found;
}

TEST(BroadPhase, ListsAllPairsWithinTheirMarginsInOrder) {
  for (const double margin : {0.0, 0.0025, 0.02}) {
    TestRod test(contact_rod(203));
    lay(test.view(), [&](double s) { return coil(s, turns(test.view())); });
    const Found found = find(test, margin);
    EXPECT_GT(found.listed.size(), 100U);
    EXPECT_EQ(found.listed, found.expected) << margin;
  }
}

TEST(BroadPhase, ListsPairsOfRodsOfUnequalSizesWhereverTheyAre) {
  // Long thick rods and short thin ones, some of them farther away than cells are told apart.
  MemberSpec spec = contact_rod(6);
  spec.rod.length = 1.0;
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int k = 0; k < 200; ++k) {
    RodSetup further;
    further.rod = spec.rod;
    further.boundary = spec.boundary;
    further.rod.elements = k % 3 == 0 ? 3 : 12;
    further.rod.length = 0.2 + 0.1 * uniform(engine);
    further.rod.radius = k % 3 == 0 ? 0.02 : 0.005;
    further.rod.direction = k % 2 == 0 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    further.rod.normal = {0, 0, 1};
    further.rod.origin = 0.05 * Vec3{uniform(engine), uniform(engine), uniform(engine)};
    if (k % 10 == 1) further.rod.origin.x -= 1e6;
    if (k % 10 == 5) further.rod.origin = {0.01 * k, 2e5, -3e5};
    spec.further_rods.push_back(further);
  }
  const TestRod test(spec);
  const Found found = find(test, 0.001);
  EXPECT_GT(found.listed.size(), 30U);
  EXPECT_EQ(found.listed, found.expected);
}

TEST(BroadPhase, ListsEachPairOnceMoreByTheLaterElement) {
  TestRod test(contact_rod(203));
  lay(test.view(), [&](double s) { return coil(s, turns(test.view())); });
  find(test, 0.0025);
  const PenaltyContact contact = test.contact();
  const ContactView& view = contact.view;
  EXPECT_EQ(view.element_start()[view.elements], view.list(list_entry::pairs));
  EXPECT_EQ(view.later_start()[view.elements], view.list(list_entry::pairs));
  for (int j = 0; j < view.elements; ++j) {
    for (int k = view.later_start()[j]; k < view.later_start()[j + 1]; ++k) {
      EXPECT_EQ(view.later()[view.by_later()[k]], j);
      if (k > view.later_start()[j]) {
        EXPECT_LT(view.by_later()[k - 1], view.by_later()[k]);
      }
    }
  }
}

TEST(BroadPhase, KeepsTheListWhileNoElementLeavesItsOwnMargin) {
  // One element falls fast, and its margin with it; the others stand still with theirs.
  TestRod test(contact_rod(100));
  const RodView rod = test.view();
  PenaltyContact contact = test.contact();
  contact.margins = {1e-4, 1e-2, 0.01};
  rod.set_vec3(field::velocity, 50, {0, 0, -0.5});
  const auto builds = [&] {
    on_team([&](const auto& team) { contact.add(team, rod, 0.0); });
    return contact.view.list(list_entry::builds);
  };
  const Vec3 start = rod.vec3(field::position, 50);
  EXPECT_EQ(builds(), 1);
  rod.set_vec3(field::position, 50, start - Vec3{0, 0, 0.004});
  EXPECT_EQ(builds(), 1);
  rod.set_vec3(field::position, 50, start - Vec3{0, 0, 0.006});
  EXPECT_EQ(builds(), 2);
  rod.set_vec3(field::position, 20, rod.vec3(field::position, 20) + Vec3{0, 0, 0.0002});
  EXPECT_EQ(builds(), 3);
}

TEST(BroadPhase, MakesRoomForPairsAsTheyAreFound) {
  TestRod test(contact_rod(100));
  lay(test.view(), tangle);
  TestRod cramped(contact_rod(100));
  lay(cramped.view(), tangle);
  const PairRooms::Size small = {8, false};
  const PairRooms rooms(std::span(&small, 1));
  PenaltyContact contact = cramped.contact();
  contact.view.room = rooms.data();
  on_team([&](const auto& team) {
    test.contact().add(team, test.view(), 0.0);
    contact.add(team, cramped.view(), 0.0);
  });
  const ContactView roomy = test.contact().view;
  const int pairs = roomy.list(list_entry::pairs);
  EXPECT_GT(pairs, 8);
  ASSERT_EQ(contact.view.list(list_entry::pairs), pairs);
  EXPECT_GE(contact.view.capacity(), pairs);
  EXPECT_EQ(contact.view.list(list_entry::overflowed), 0);
  for (int p = 0; p < pairs; ++p) {
    EXPECT_EQ(contact.view.earlier()[p], roomy.earlier()[p]);
    EXPECT_EQ(contact.view.later()[p], roomy.later()[p]);
  }
  for (int i = 0; i < test.view().nodes(); ++i) {
    const Vec3 force = test.view().vec3(field::external_force, i);
    const Vec3 cramped_force = cramped.view().vec3(field::external_force, i);
    EXPECT_EQ(norm(force - cramped_force), 0.0);
  }
}

}  // namespace
}  // namespace rodeo::contact
