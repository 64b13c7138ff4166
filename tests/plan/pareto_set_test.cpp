#include "rodeo/plan/pareto_set.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/observe/observables.hpp"

namespace rodeo {
namespace {

ParetoSet pareto_set(const std::string& objectives = "forward_speed max, total_energy min") {
  const Deck deck =
      Deck::parse("[study]\npareto = " + objectives + "\n[model]\nkind = function\n", "test.ini", {});
  return *ParetoSet::from_deck(deck, 100);
}

std::string pareto_error(const std::string& objectives) {
  try {
    pareto_set(objectives);
  } catch (const DeckError& error) {
    return error.what();
  }
  return "(no error)";
}

Result with_values(std::uint64_t candidate, double speed, double energy) {
  Result result{.candidate = candidate, .observables = unknown_observables()};
  result.observables[observable_index(observe::forward_speed.name)] = speed;
  result.observables[observable_index(observe::total_energy.name)] = energy;
  return result;
}

/// Candidates in the set after all results were told, from the newest row of each.
std::vector<std::uint64_t> members_of(ParetoSet set, const std::vector<Result>& results) {
  std::map<std::uint64_t, bool> in_set;
  const Table table = set.table();
  for (const Result& result : results) {
    set.tell(std::span(&result, 1));
    for (const TableRow& row : set.take_rows())
      in_set[row.row] = numbers_in(table, row, "in_set").front() == 1.0;
  }
  std::vector<std::uint64_t> members;
  for (const auto& [candidate, is_in] : in_set) {
    if (is_in) members.push_back(candidate);
  }
  return members;
}

TEST(ParetoSet, HasThoseOfWhichNoneIsBetterInAll) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Result> results = {with_values(0, 1.0, 5.0), with_values(1, 2.0, 6.0),  // faster, and dearer
                                 with_values(2, 1.5, 7.0),                            // worse than 1 in both
                                 with_values(3, 2.0, 6.0),                            // the same as 1
                                 with_values(4, 1.0, 4.0),                            // better than 0
                                 with_values(5, nan, 0.0)};
  const std::vector<std::uint64_t> expected = {1, 3, 4};
  std::ranges::sort(results, {}, &Result::candidate);
  EXPECT_EQ(members_of(pareto_set(), results), expected);
  std::ranges::reverse(results);
  EXPECT_EQ(members_of(pareto_set(), results), expected);
}

TEST(ParetoSet, ReportsValuesInTheirOwnSense) {
  ParetoSet set = pareto_set();
  const Result result = with_values(7, 1.5, 2.5);
  set.tell(std::span(&result, 1));
  const std::vector<TableRow> rows = set.take_rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].row, 7U);
  EXPECT_EQ(rows[0].numbers, (std::vector{1.5, 2.5, 1.0}));
  EXPECT_TRUE(set.take_rows().empty());
}

TEST(ParetoSet, IsAskedForInOneSentence) {
  EXPECT_NE(pareto_error("forward_speed max").find("two objectives or more"), std::string::npos);
  EXPECT_NE(pareto_error("forward_speed, total_energy min").find("NAME max or NAME min"), std::string::npos);
  EXPECT_NE(pareto_error("forwardspeed max, total_energy min").find("did you mean forward_speed?"),
            std::string::npos);
  EXPECT_NE(pareto_error("total_energy max, total_energy min").find("stands there twice"), std::string::npos);
}

}  // namespace
}  // namespace rodeo
