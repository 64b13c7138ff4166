#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/plan/plan.hpp"

#include "input/messages.hpp"
#include "plan/convergence_table.hpp"

namespace rodeo {
namespace {

using test::message_of;
using test::says;

/// A soft rod that hangs at rest: its own weight stretches it by a fifth, and damping brings it there.
const std::string hanging_rod = R"([study]
kind = convergence
[rod]
elements = 8
length = 1
radius = 0.05
density = 1000
young_modulus = 5e4
poisson_ratio = 0.5
damping = 100
direction = 0, 0, -1
[boundary]
first = clamped
[gravity]
acceleration = 0, 0, -15
[time]
step_per_length = 0.02
end = 3
[output]
frames = 2
)";

Deck deck(const std::vector<std::string>& overrides) {
  return Deck::parse(hanging_rod, "deck.ini", overrides);
}

std::string error(const std::vector<std::string>& overrides) {
  return message_of([&] { make_plan(deck(overrides)); });
}

/// The levels that a plan has to hand over.
ConvergenceTable levels_of(Plan& plan) {
  const Table table = plan.tables().front();
  ConvergenceTable levels{
      .key = table.attributes[0].second, .reference = table.attributes[1].second, .rows = {}};
  for (const TableRow& row : plan.take_rows()) {
    const auto number = [&](const char* column) { return numbers_in(table, row, column).front(); };
    const std::span<const double> order = numbers_in(table, row, "observed_order");
    levels.rows.push_back({.elements = static_cast<std::int64_t>(number("n")),
                           .step = number("step"),
                           .spacing = number("spacing"),
                           .error = {number("L1"), number("L2"), number("Linf")},
                           .order = {order[0], order[1], order[2]}});
  }
  return levels;
}

const std::string ladder_axis = "convergence.axis=rod.elements : list(4, 8, 16, 32)";

TEST(Convergence, LevelsRunFromCoarseToFineWhateverTheList) {
  const auto plan = make_plan(deck({"convergence.axis=rod.elements : list(16, 4, 32, 8)"}));
  ASSERT_EQ(plan->candidates(), 4u);
  EXPECT_EQ(plan->parameters()[0].name(), "rod.elements");
  EXPECT_EQ(plan->tables().front().rows, 4u);
  const ConvergenceTable ladder = levels_of(*plan);
  EXPECT_EQ(ladder.reference, "finest");
  EXPECT_EQ(ladder.key, "rod.elements");
  for (std::size_t k = 0; k < 4; ++k) {
    const double elements = std::pow(2.0, 2.0 + static_cast<double>(k));
    EXPECT_EQ(plan->point(k), std::vector<double>{elements});
    EXPECT_EQ(static_cast<double>(ladder.rows[k].elements), elements);
    EXPECT_DOUBLE_EQ(ladder.rows[k].spacing, 1.0 / elements);
    EXPECT_DOUBLE_EQ(ladder.rows[k].step, 0.02 / elements);
    EXPECT_TRUE(std::isnan(ladder.rows[k].error.l1));
  }
  EXPECT_EQ(plan->ask().size(), 4u);
  EXPECT_TRUE(plan->ask().empty());
  EXPECT_TRUE(plan->take_rows().empty());
  EXPECT_FALSE(plan->done());  // it is to be told all levels
}

TEST(Convergence, RefinesTimeAlone) {
  const auto plan = make_plan(deck({"convergence.axis=time.step_per_length : list(0.005, 0.01, 0.02)"}));
  EXPECT_EQ(plan->point(0), std::vector<double>{0.02});
  const ConvergenceTable ladder = levels_of(*plan);
  EXPECT_DOUBLE_EQ(ladder.rows[2].spacing, 0.005 / 8.0);
  EXPECT_EQ(ladder.rows[2].elements, 8);
  EXPECT_EQ(plan->tables().front().columns[2].unit, "s");
}

TEST(Convergence, OtherStudiesHaveNoSuchTable) {
  EXPECT_TRUE(make_plan(Deck::parse("[study]\nkind = single\n", "deck.ini"))->tables().empty());
}

TEST(Convergence, NeedsFramesToCompareLevelsWithTheFinest) {
  EXPECT_TRUE(make_plan(deck({ladder_axis}))->needs_frames());
  EXPECT_FALSE(make_plan(deck({ladder_axis, "convergence.reference=hanging"}))->needs_frames());
}

TEST(Convergence, ExplainsLaddersThatMeasureNothing) {
  EXPECT_TRUE(says(error({}), {"deck.ini: convergence.axis is missing", "study.kind = convergence"}));
  EXPECT_TRUE(says(error({"convergence.axis=rod.elements : list(8)"}),
                   {"command line: convergence.axis: ", "1 level"}));
  EXPECT_TRUE(says(error({"convergence.axis=rod.elements : list(8, 16)"}), {"2 level", "at least three"}));
  EXPECT_TRUE(says(error({"convergence.axis=boundary.first : list(free, clamped)"}),
                   {"boundary.first is not a number"}));
  EXPECT_TRUE(
      says(error({"convergence.axis=convergence.reference : list(finest)"}), {"the study as a whole"}));
  EXPECT_TRUE(says(error({"convergence.axis=rod.elments : list(1, 2)"}), {"did you mean rod.elements?"}));
  EXPECT_TRUE(
      says(error({"convergence.axis=rod.elements : list(0, 2, 4)"}), {"rod.elements = '0'", "[1, 1000000]"}));
  EXPECT_TRUE(says(error({"convergence.axis=rod.elements : list(4, 8, 8)"}), {"same resolution", "8"}));
  EXPECT_TRUE(says(error({"convergence.axis=rod.density : list(1, 2, 3)"}),
                   {"rod.density changes neither the elements nor the step", "rod.elements"}));
  EXPECT_TRUE(says(error({ladder_axis, "study.repeats=2"}), {"study.repeats: must be 1"}));
  EXPECT_TRUE(says(error({ladder_axis, "model.kind=noop"}), {"model.kind", "noop"}));
  EXPECT_TRUE(says(error({ladder_axis, "rod.count=2"}), {"rod.count: must be 1"}));
  EXPECT_TRUE(says(error({ladder_axis, "rod.count=2", "rod.each=rod.elements : list(1, 2)"}),
                   {"command line: convergence.axis", "rod.elements has a value for each rod"}));
}

TEST(Convergence, ComparesLevelsOnlyWhereTheyCanBeCompared) {
  EXPECT_TRUE(says(error({"convergence.axis=rod.length : list(0.1, 0.2, 0.4)"}),
                   {"convergence.axis: rod.length makes other rods of the levels"}));
  EXPECT_TRUE(says(error({ladder_axis, "output.frames=0"}), {"output.frames: must be at least 2", "finest"}));
  EXPECT_TRUE(says(error({ladder_axis, "output.precision=float"}), {"output.precision: float"}));
  EXPECT_TRUE(says(error({ladder_axis, "time.end=3.0001"}), {"time.end: is no whole number of steps"}));
  // With a solution in closed form each level has its own instant, and no frame is needed.
  const std::vector<std::string> closed = {ladder_axis, "output.frames=0", "time.end=3.0001",
                                           "convergence.reference=hanging"};
  EXPECT_EQ(make_plan(deck(closed))->candidates(), 4u);
}

TEST(Convergence, RefusesASolutionOfAnotherProblem) {
  const auto hanging = [](const std::string& other) {
    return error({ladder_axis, "convergence.reference=hanging", other});
  };
  EXPECT_TRUE(
      says(hanging("boundary.first=free"), {"convergence.reference", "hanging", "boundary.first must be"}));
  EXPECT_TRUE(says(hanging("boundary.last=pinned"), {"boundary.last must be free"}));
  EXPECT_TRUE(says(hanging("gravity.acceleration=0,0,9.81"), {"gravity.acceleration must point along"}));
  EXPECT_TRUE(says(error({ladder_axis, "convergence.reference=hanging", "model.section=published",
                          "rod.young_modulus=1e4"}),
                   {"weight must be below rod.stretch_stiffness"}));
  EXPECT_TRUE(
      says(error({ladder_axis, "convergence.reference=timoshenko"}), {"timoshenko", "load.end_force must"}));
  EXPECT_TRUE(says(hanging("load.end_force=0,0,-5"), {"hanging", "load.end_force acts too"}));
  EXPECT_TRUE(says(message_of([] { deck({"convergence.reference=tomoshenko"}); }),
                   {"finest|hanging|timoshenko|helix_envelope|twist_wave"}));
}

TEST(Convergence, FollowsObservablesToTheFinestLevelOrAnExactValue) {
  const std::vector<std::string> followed = {"convergence.axis=rod.elements : list(10, 20, 40, 80)",
                                             "convergence.observables=end_z, total_energy",
                                             "output.frames=0",
                                             "output.precision=float",
                                             "rod.count=2",
                                             "rod.each=rod.origin[0] : list(0, 1)"};
  // 3 + 2 h^2, and 5 + h.
  const auto told = [](Plan& plan) {
    for (std::uint64_t level = 0; level < plan.candidates(); ++level) {
      const double h = 1.0 / plan.point(level)[0];
      Result result{.candidate = level, .observables = unknown_observables()};
      result.observables[observable_index("end_z")] = 3.0 + 2.0 * h * h;
      result.observables[observable_index("total_energy")] = 5.0 + h;
      plan.tell({&result, 1});
    }
    return plan.take_rows();
  };
  std::vector<std::string> with_exact = followed;
  with_exact.emplace_back("convergence.exact=3, 5");
  const auto exact = make_plan(deck(with_exact));
  EXPECT_FALSE(exact->needs_frames());
  const Table table = exact->tables().front();
  EXPECT_EQ(table.attributes[1].second, "exact");
  std::vector<TableRow> rows = told(*exact);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_NEAR(numbers_in(table, rows[0], "error")[0], 0.02, 1e-15);
  EXPECT_NEAR(numbers_in(table, rows[3], "value")[1], 5.0125, 1e-15);
  for (std::size_t k = 1; k < 4; ++k) {
    EXPECT_NEAR(numbers_in(table, rows[k], "observed_order")[0], 2.0, 1e-9);
    EXPECT_NEAR(numbers_in(table, rows[k], "observed_order")[1], 1.0, 1e-9);
  }
  EXPECT_TRUE(
      says(exact->conclusion(), {"convergence of end_z (m) over rod.elements against exact", "2.000"}));
  const auto finest = make_plan(deck(followed));
  rows = told(*finest);
  EXPECT_TRUE(std::isnan(numbers_in(table, rows[3], "error")[0]));
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_NEAR(numbers_in(table, rows[k], "observed_order")[0], 2.0, 1e-9);
    EXPECT_NEAR(numbers_in(table, rows[k], "observed_order")[1], 1.0, 1e-9);
  }
}

TEST(Convergence, ExplainsWhatObservablesItCannotFollow) {
  const std::string of_end = "convergence.observables=end_z";
  EXPECT_TRUE(says(error({ladder_axis, "convergence.observables=end_y, end_zz"}),
                   {"convergence.observables", "end_z"}));
  EXPECT_TRUE(says(error({ladder_axis, "convergence.observables=end_z, end_z"}), {"stands there twice"}));
  EXPECT_TRUE(
      says(error({ladder_axis, of_end, "convergence.exact=1, 2"}), {"has 2 numbers for 1 observables"}));
  EXPECT_TRUE(says(error({ladder_axis, of_end, "convergence.reference=hanging"}),
                   {"a profile", "convergence.exact"}));
  EXPECT_TRUE(
      says(error({ladder_axis, of_end, "time.end=3.0001"}), {"time.end: is no whole number of steps"}));
}

/// Profiles r(s) + h^2 d(s) at nodes, whose error is known.
std::vector<double> synthetic_frame(int elements, int order) {
  std::vector<double> frame;
  for (int i = 0; i <= elements; ++i) {
    const double s = static_cast<double>(i) / elements;
    const double h = std::pow(1.0 / elements, order);
    frame.insert(frame.end(), {std::sin(3.0 * s), 0.2 * s * s + h * std::cos(s), s + h * s});
  }
  return frame;
}

ConvergenceTable synthetic_table(const std::vector<int>& elements, const std::string& reference) {
  ConvergenceTable table{.key = "rod.elements", .reference = reference, .rows = {}};
  for (const int n : elements) table.rows.push_back({.elements = n, .step = 1e-3, .spacing = 1.0 / n});
  return table;
}

TEST(ConvergenceTable, FindsTheOrderOfLevelsWhoseNodesCoincideOrNot) {
  const std::vector<std::vector<int>> ladders = {{10, 20, 40, 80, 160}, {10, 15, 24, 37, 160}};
  for (const std::vector<int>& elements : ladders) {
    for (const int order : {1, 2}) {
      ConvergenceTable table = synthetic_table(elements, "finest");
      std::vector<LevelResult> levels;
      for (const int n : elements) levels.push_back({true, {}, synthetic_frame(n, order)});
      set_errors(table, levels);
      const double h = std::pow(0.1, order) - std::pow(1.0 / 160.0, order);
      EXPECT_NEAR(table.rows[0].error.linf, h * std::hypot(std::cos(1.0), 1.0), 1e-5 * h);
      EXPECT_TRUE(std::isnan(table.rows[0].order.l1));
      EXPECT_TRUE(std::isnan(table.rows[4].error.l1));
      for (std::size_t k = 1; k < 4; ++k) {
        EXPECT_NEAR(table.rows[k].order.l1, order, 2e-2) << elements[k];
        EXPECT_NEAR(table.rows[k].order.l2, order, 2e-2) << elements[k];
        EXPECT_NEAR(table.rows[k].order.linf, order, 1e-3) << elements[k];
      }
    }
  }
}

TEST(ConvergenceTable, LeavesLevelsThatDidNotEndWellUnknown) {
  ConvergenceTable table = synthetic_table({10, 20, 40}, "finest");
  std::vector<LevelResult> levels;
  for (const int n : {10, 20, 40}) levels.push_back({true, {}, synthetic_frame(n, 2)});
  levels[0].done = false;
  set_errors(table, levels);
  EXPECT_TRUE(std::isnan(table.rows[0].error.l2));
  EXPECT_GT(table.rows[1].error.l2, 0.0);
  EXPECT_TRUE(std::isnan(table.rows[1].order.l2));
  levels[2].done = false;
  set_errors(table, levels);
  EXPECT_TRUE(std::isnan(table.rows[1].error.l2));
}

TEST(ConvergenceTable, TakesErrorsAgainstAClosedFormAsReported) {
  ConvergenceTable table = synthetic_table({10, 20}, "timoshenko");
  set_errors(table, {{true, {4e-3, 8e-3, 1e-2}, {}}, {true, {1e-3, 4e-3, 1e-2}, {}}});
  EXPECT_EQ(table.rows[1].error.l1, 1e-3);
  EXPECT_NEAR(table.rows[1].order.l1, 2.0, 1e-12);
  EXPECT_NEAR(table.rows[1].order.l2, 1.0, 1e-12);
  EXPECT_TRUE(std::isnan(table.rows[1].order.linf));
  const std::string text = to_text(table);
  EXPECT_NE(text.find("rod.elements against timoshenko"), std::string::npos);
  EXPECT_NE(text.find("2.000"), std::string::npos);
}

/// Runs a ladder as a campaign does, without its file.
ConvergenceTable run_ladder(const Deck& study) {
  const auto plan = make_plan(study);
  std::vector<MemberJob> jobs;
  Deck scratch = study;
  for (std::uint64_t level = 0; level < plan->candidates(); ++level) {
    scratch.set(plan->parameters()[0], plan->point(level)[0]);
    jobs.push_back({make_member_spec(scratch), 1});
  }
  const auto batch = make_batch(jobs);
  while (batch->advance()) {
  }
  for (std::uint64_t level = plan->candidates(); level-- > 0;) {  // in any order
    const MemberOutcome& outcome = batch->outcomes()[level];
    Result result{.candidate = level, .status = outcome.status, .observables = outcome.observables};
    const auto frame_size = static_cast<std::ptrdiff_t>(outcome.fields[0].size() / 2);
    result.last_frame.assign(outcome.fields[0].begin() + frame_size, outcome.fields[0].end());
    EXPECT_FALSE(plan->done());
    plan->tell({&result, 1});
  }
  EXPECT_TRUE(plan->done());
  EXPECT_NE(plan->conclusion().find("rod.elements"), std::string::npos);
  return levels_of(*plan);
}

TEST(Convergence, AHangingRodConvergesInSecondOrderToItsClosedForm) {
  for (const std::string law : {"incompressible", "published"}) {
    const ConvergenceTable table =
        run_ladder(deck({ladder_axis, "convergence.reference=hanging", "model.section=" + law}));
    EXPECT_LT(table.rows[0].error.linf, 2e-2) << law;
    EXPECT_GT(table.rows[0].error.linf, 1e-4) << law;
    for (std::size_t k = 1; k < 4; ++k) {
      EXPECT_NEAR(table.rows[k].order.l1, 2.0, 0.05) << law;
      EXPECT_NEAR(table.rows[k].order.l2, 2.0, 0.05) << law;
      EXPECT_NEAR(table.rows[k].order.linf, 2.0, 0.05) << law;
    }
  }
}

TEST(Convergence, AHangingRodOfRigidSectionsStandsOnItsClosedFormAtAnyNumberOfElements) {
  const ConvergenceTable table = run_ladder(deck({ladder_axis, "convergence.reference=hanging"}));
  for (const ConvergenceRow& row : table.rows) EXPECT_LT(row.error.linf, 1e-9);
}

TEST(Convergence, AHangingRodConvergesInSecondOrderToItsFinestLevel) {
  const std::string narrowing = "model.section=incompressible";
  const ConvergenceTable closed = run_ladder(deck({ladder_axis, "convergence.reference=hanging", narrowing}));
  const ConvergenceTable table = run_ladder(deck({ladder_axis, narrowing}));
  EXPECT_TRUE(std::isnan(table.rows[3].error.l1));
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_NEAR(table.rows[k].order.l2, 2.0, 0.05);
    EXPECT_NEAR(table.rows[k].order.linf, 2.0, 0.05);
  }
  EXPECT_NEAR(table.rows[0].error.linf, closed.rows[0].error.linf - closed.rows[3].error.linf,
              1e-3 * closed.rows[0].error.linf);
}

/// Observables that are told, of levels of 4, 8, 20 and 40 elements.
FollowedObservable followed(const std::vector<double>& values) {
  FollowedObservable observable{.name = "tip", .unit = "m", .values = values};
  std::vector<ConvergenceRow> levels;
  for (const double elements : {4.0, 8.0, 20.0, 40.0}) levels.push_back({.spacing = 1.0 / elements});
  set_errors(observable, levels);
  return observable;
}

TEST(Convergence, ThreeLevelsSayWhatAnObservableConvergesToAndHowSurely) {
  const auto value = [](double elements, double order) { return 3.0 - 0.7 * std::pow(elements, -order); };
  for (const double order : {1.0, 2.0, 4.0}) {
    const FollowedObservable found =
        followed({value(4.0, order), value(8.0, order), value(20.0, order), value(40.0, order)});
    EXPECT_TRUE(std::isnan(found.extrapolated[1]));
    for (const std::size_t k : {2u, 3u}) {
      EXPECT_NEAR(found.extrapolated[k], 3.0, 1e-9) << order;
      EXPECT_NEAR(found.bands[k], 1.25 * (3.0 - found.values[k]), 1e-9) << order;
    }
  }
}

TEST(Convergence, NothingIsExtrapolatedFromWhatDoesNotConverge) {
  for (const std::vector<double>& values :
       {std::vector{1.0, 2.0, 1.5, 1.6}, std::vector{1.0, 1.1, 1.3, 1.7}, std::vector{1.0, 1.0, 1.0, 1.0},
        std::vector{1.0, 1.5, 1.7, std::nan("")}}) {
    EXPECT_TRUE(std::isnan(followed(values).extrapolated.back()));
    EXPECT_TRUE(std::isnan(followed(values).bands.back()));
  }
}

}  // namespace
}  // namespace rodeo
