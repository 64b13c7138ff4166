#include "rodeo/contact/broad_phase.hpp"

#include <gtest/gtest.h>

#include "contact/test_shapes.hpp"

namespace rodeo::contact {
namespace {

using cosserat::on_team;
using cosserat::TestRod;

struct Cost {
  double box_tests = 0.0;
  double blocks_reached = 0.0;
};

/// What one listing of a coil's candidates takes.
Cost listing_cost(int elements) {
  TestRod test(contact_rod(elements));
  const RodView rod = test.view();
  lay(rod, [&](double s) { return coil(s, turns(rod)); });
  const PenaltyContact contact = test.contact();
  Cost cost;
  on_team([&](const auto& team) {
    contact.update_radii(team, rod);
    build_boxes(team, contact.view, contact.positions(rod));
    for (int i = 0; contact.view.first_partner()[i] < elements; ++i) {
      const Box reach = element_box(contact.view, contact.positions(rod), i, contact.skin);
      for_each_block_from(
          contact.view, contact.view.first_partner()[i] / block_size,
          [&](int node) {
            ++cost.box_tests;
            return reach.overlaps(box(contact.view, node));
          },
          [&](int) { ++cost.blocks_reached; });
    }
  });
  return cost;
}

TEST(BroadPhase, CostsNearlyLinearlyInTheElements) {
  // A coil that grows longer: pairs near each other grow with the elements, all pairs with their square.
  const Cost start = listing_cost(400);
  EXPECT_LT(start.box_tests, 30.0 * 400);
  for (const int elements : {1600, 6400}) {
    const Cost cost = listing_cost(elements);
    const double growth = elements / 400.0;
    EXPECT_LT(cost.blocks_reached, 1.1 * growth * start.blocks_reached);
    EXPECT_LT(cost.box_tests, 1.5 * growth * start.box_tests);  // n log n
    EXPECT_GT(cost.blocks_reached, 0.5 * elements);
  }
}

TEST(BroadPhase, VisitsEveryBlockFromTheFirstOnOnceAndInOrder) {
  for (const int elements : {1, 8, 9, 31, 64, 100, 1000}) {
    ContactView view;
    view.elements = elements;
    view.blocks = block_count(elements);
    view.leaves = leaf_count(elements);
    for (int first = 0; first < view.blocks; ++first) {
      int next = first;
      for_each_block_from(
          view, first, [](int) { return true; }, [&](int block) { EXPECT_EQ(block, next++); });
      EXPECT_EQ(next, view.leaves);
    }
  }
}

TEST(BroadPhase, ListsCandidatesByElementAndByBlock) {
  TestRod test(contact_rod(203));
  const RodView rod = test.view();
  lay(rod, [&](double s) { return coil(s, turns(rod)); });
  const PenaltyContact contact = test.contact();
  on_team([&](const auto& team) {
    contact.update_radii(team, rod);
    list_candidates(team, contact.view, contact.positions(rod), 0.005);
  });
  const ContactView& view = contact.view;
  const int count = view.list(list_entry::candidates);
  EXPECT_GT(count, 100);
  for (int i = 0; i < rod.elements; ++i) {
    for (int e = view.element_start()[i]; e < view.element_start()[i + 1]; ++e) {
      EXPECT_EQ(view.element()[e], i);
      if (e > view.element_start()[i]) {
        EXPECT_LT(view.block()[e - 1], view.block()[e]);
      }
    }
  }
  EXPECT_EQ(view.element_start()[rod.elements], count);
  EXPECT_EQ(view.block_start()[view.blocks], count);
  for (int b = 0; b < view.blocks; ++b) {
    for (int k = view.block_start()[b]; k < view.block_start()[b + 1]; ++k) {
      EXPECT_EQ(view.block()[view.by_block()[k]], b);
      if (k > view.block_start()[b]) {
        EXPECT_LT(view.by_block()[k - 1], view.by_block()[k]);
      }
    }
  }
}

TEST(BroadPhase, SaysWhenCandidatesDoNotFit) {
  TestRod test(contact_rod(100));
  const RodView rod = test.view();
  lay(rod, tangle);
  PenaltyContact contact = test.contact();
  const auto advance = [&](int capacity) {
    contact.view.capacity = capacity;
    build_contact(contact_rod(100), contact.view);
    ContactSample sample;
    on_team([&](const auto& team) {
      contact.add(team, rod, 0.0);
      sample = contact.sample(team);
    });
    return sample;
  };
  EXPECT_FALSE(advance(contact.view.capacity).overflowed);
  const int needed = contact.view.list(list_entry::candidates);
  EXPECT_FALSE(advance(needed).overflowed);
  EXPECT_TRUE(advance(needed - 1).overflowed);
  EXPECT_EQ(contact.view.list(list_entry::candidates), needed - 1);
}

}  // namespace
}  // namespace rodeo::contact
