#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/observe/observables.hpp"

#include "plan/study_kinds.hpp"

namespace rodeo {
namespace {

constexpr const char* column =
    "[study]\nkind = branch\n[time]\nmethod = static\n[rod]\nelements = 10\nlength = 1\nradius = 0.01\n"
    "density = 1000\nyoung_modulus = 1e7\npoisson_ratio = 0.5\n[boundary]\nfirst = pinned\n"
    "last = pinned_sliding\n[branch]\nkey = load.axial_force\nto = 10\nbifurcations = 2\nturns = 0, 0\n"
    "[output]\nframes = 102\nobservables = branch_value\n";

Result result_of_branch(std::uint64_t branch, double bifurcations) {
  Result result{.candidate = branch, .observables = unknown_observables()};
  result.observables[observable_index("bifurcations")] = bifurcations;
  return result;
}

TEST(BranchStudy, BranchesHaveNumbersByTheirTurns) {
  const auto plan = make_branch_study(Deck::parse(column, "test"));
  // One, two bifurcations with two sides, and as many of each of these.
  EXPECT_EQ(plan->candidates(), 1U + 4U + 16U);
  EXPECT_EQ(plan->point(0), (std::vector{0.0, 0.0}));
  EXPECT_EQ(plan->point(2), (std::vector{-1.0, 0.0}));
  EXPECT_EQ(plan->point(3), (std::vector{2.0, 0.0}));
  EXPECT_EQ(plan->point(5), (std::vector{1.0, 1.0}));
  EXPECT_EQ(plan->point(20), (std::vector{-2.0, -2.0}));
}

TEST(BranchStudy, AsksForBothSidesOfTheBifurcationsThatItIsTold) {
  const auto plan = make_branch_study(Deck::parse(column, "test"));
  EXPECT_EQ(plan->ask(), (std::vector<std::uint64_t>{0}));
  EXPECT_TRUE(plan->ask().empty());
  EXPECT_FALSE(plan->done());
  plan->tell(std::vector{result_of_branch(0, 1.0)});
  EXPECT_EQ(plan->ask(), (std::vector<std::uint64_t>{1, 2}));
  plan->tell(std::vector{result_of_branch(1, 5.0), result_of_branch(2, std::nan(""))});
  EXPECT_EQ(plan->ask(), (std::vector<std::uint64_t>{5, 6, 7, 8}));  // of five the first two
  EXPECT_FALSE(plan->done());
  plan->tell(std::vector{result_of_branch(5, 3.0), result_of_branch(6, 0.0), result_of_branch(7, 0.0),
                         result_of_branch(8, 0.0)});
  EXPECT_TRUE(plan->ask().empty());  // there are no further turns
  EXPECT_TRUE(plan->done());
  const Table table = plan->tables().front();
  const std::vector<TableRow> rows = plan->take_rows();
  ASSERT_EQ(rows.size(), 8U);
  EXPECT_EQ(rows[3].row, 5U);
  EXPECT_EQ(numbers_in(table, rows[3], "parent").front(), 1.0);
  EXPECT_EQ(numbers_in(table, rows[3], "turn").front(), 1.0);
  EXPECT_EQ(numbers_in(table, rows[4], "turn").front(), -1.0);
  const StudyState state = branch_state(plan->tables()[1], rows.back());
  EXPECT_TRUE(state.ended);
  EXPECT_EQ(state.line, "7 branches followed");
}

}  // namespace
}  // namespace rodeo
