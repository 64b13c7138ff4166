#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "rodeo/observe/observables.hpp"

#include "plan/refinement.hpp"
#include "plan/study_kinds.hpp"

namespace rodeo {
namespace {

/// The observable of a member, by the places of its node along the axes and its repeat; 0 or 1 of maps that
/// say whether it is above. Without a number the member has diverged.
using Map = std::function<double(const Coordinates& at, std::uint32_t repeat)>;

Deck boundary_deck(const std::vector<int>& counts, const std::string& refine, int repeats = 1) {
  const char* const keys[] = {"rod.length", "load.axial_force", "rod.mass", "rod.radius"};
  std::string text = "[study]\nkind = boundary\nrepeats = " + std::to_string(repeats) + "\n[sweep]\n";
  for (std::size_t axis = 0; axis < counts.size(); ++axis) {
    text += std::string("axis = ") + keys[axis] + " : linspace(1,2," + std::to_string(counts[axis]) + ")\n";
  }
  return Deck::parse(text + "[refine]\nobservable = buckled\nlevel = 0.5\n" + refine, "test.ini");
}

NodeGrid boundary_grid(const std::vector<int>& counts) {
  return NodeGrid(std::vector<std::size_t>(counts.begin(), counts.end()));
}

Result member_result(std::uint64_t member, double value) {
  const MemberStatus status = std::isnan(value) ? MemberStatus::diverged : MemberStatus::done;
  Result result{member, status, std::vector<double>(observables.size(), 0.0)};
  result.observables[observable_index("buckled")] = value;
  return result;
}

/// What is left of a study: who ran, and the last rows of its map.
struct Refined {
  std::vector<std::uint64_t> members;  ///< in rising order
  std::vector<std::vector<double>> rows;
  std::size_t rounds = 0;  ///< times at which all that was asked for had ended
  std::size_t axes = 0;

  double number(std::size_t node, std::size_t behind_point) const { return rows[node][axes + behind_point]; }
  bool above(std::size_t node) const { return number(node, 0) == 1.0; }
  double probability(std::size_t node) const { return number(node, 1); }
  double error(std::size_t node) const { return number(node, 2); }
  double ran(std::size_t node) const { return number(node, 3); }
  bool evaluated(std::size_t node) const { return ran(node) > 0.0; }
};

/// Runs a study with so many workers that end in random order. `known` are members in the file beforehand;
/// with `kill_after` it stops after as many members.
Refined refined(const Deck& deck, const NodeGrid& grid, const Map& map, unsigned order = 1,
                std::size_t workers = 16, std::vector<std::uint64_t> known = {},
                std::size_t kill_after = SIZE_MAX) {
  const auto plan = make_plan(deck);
  EXPECT_TRUE(plan->asks_for_members());
  const auto repeats = static_cast<std::uint64_t>(deck.integer("study.repeats"_key));
  const auto result = [&](std::uint64_t member) {
    return member_result(member,
                         map(grid.at(member / repeats), static_cast<std::uint32_t>(member % repeats)));
  };
  Refined campaign;
  campaign.rows.resize(plan->candidates());
  campaign.axes = plan->parameters().size();
  std::vector<bool> committed(plan->candidates() * repeats, false);
  for (const std::uint64_t member : known) committed[member] = true;
  std::vector<std::uint64_t> waiting;
  std::vector<std::uint64_t> running;
  std::mt19937 random(order);
  const auto ask = [&] {
    const auto asked = plan->ask();
    std::ranges::copy_if(asked, std::back_inserter(waiting), [&](auto member) { return !committed[member]; });
    for (const TableRow& row : plan->take_rows()) {
      if (row.table == 0) campaign.rows[row.row] = row.numbers;
    }
  };
  ask();
  for (const std::uint64_t member : known) {
    const Result told = result(member);
    plan->tell({&told, 1});
    campaign.members.push_back(member);
    ask();
  }
  while (!waiting.empty() || !running.empty()) {
    EXPECT_FALSE(plan->done());
    while (running.size() < workers && !waiting.empty()) {
      running.push_back(waiting.front());
      waiting.erase(waiting.begin());
    }
    std::swap(running[random() % running.size()], running.back());
    const Result told = result(running.back());
    running.pop_back();
    campaign.members.push_back(told.candidate);
    plan->tell({&told, 1});
    if (waiting.empty() && running.empty()) ++campaign.rounds;
    ask();
    if (campaign.members.size() >= kill_after) break;
  }
  EXPECT_TRUE(plan->done() || kill_after < SIZE_MAX);
  std::ranges::sort(campaign.members);
  return campaign;
}

std::size_t wrong_nodes(const Refined& campaign, const NodeGrid& grid, const Map& map) {
  std::size_t wrong = 0;
  for (std::size_t node = 0; node < grid.nodes(); ++node) {
    if (campaign.above(node) != (map(grid.at(node), 0) >= 0.5)) ++wrong;
  }
  return wrong;
}

/// Euler's load over the bending stiffness, as in Fig. 14b of Gazzola et al. 2018.
Map euler_map(int count) {
  return [count](const Coordinates& at, std::uint32_t) {
    const double stiffness = 0.2 + 1.8 * at[0] / (count - 1.0);
    const double force = 1.0 + 24.0 * at[1] / (count - 1.0);
    return force >= M_PI * M_PI * stiffness;
  };
}

/// A curve from side to side, and an island of a radius in steps of the grid.
Map curve_and_island(double x, double y, double radius) {
  return [=](const Coordinates& at, std::uint32_t) {
    return at[1] > 90.0 + 12.0 * std::sin(at[0] / 15.0) || std::hypot(at[0] - x, at[1] - y) < radius;
  };
}

/// A product of the distances from a sine curve and from the rim of an island, over a square of a side of
/// one.
double curve_and_island_value(double x, double y) {
  return 0.5 + (y - 0.4 - 0.2 * std::sin(2.0 * M_PI * x)) * (std::hypot(x - 0.7, y - 0.75) - 0.12);
}

/// The share of the square where the map of a campaign, linear between nodes, is on the wrong side.
double wrong_area(const Refined& campaign, const NodeGrid& grid, const auto& value) {
  constexpr int parts = 6;  // of a step
  const int steps = grid.counts[0] - 1;
  int wrong = 0;
  for (int i = 0; i < steps * parts; ++i) {
    for (int j = 0; j < steps * parts; ++j) {
      const double x = (i + 0.5) / parts;
      const double y = (j + 0.5) / parts;
      const int left = i / parts;
      const int low = j / parts;
      const auto above = [&](int across, int up) {
        return campaign.number(grid.node({left + across, low + up, 0}), 4);
      };
      const double s = x - left;
      const double t = y - low;
      const double found = (1.0 - s) * ((1.0 - t) * above(0, 0) + t * above(0, 1)) +
                           s * ((1.0 - t) * above(1, 0) + t * above(1, 1));
      if ((found < 0.0) != (value(x / steps, y / steps) < 0.5)) ++wrong;
    }
  }
  return wrong / std::pow(steps * parts, 2.0);
}

double in_sphere(const Coordinates& at, std::uint32_t) {
  return std::hypot(at[0] - 15.3, at[1] - 17.1, at[2] - 14.6) < 10.4;
}

/// Repeats that are above with a probability that rises over `width` steps of the grid.
double smooth_probability(const Coordinates& at, double width) {
  return 0.5 * (1.0 + std::erf((at[1] - 20.0 - 0.4 * at[0]) / (std::sqrt(2.0) * width)));
}

std::string boundary_error(const std::string& sweep, const std::string& refine = "",
                           const std::string& study = "") {
  try {
    make_plan(Deck::parse("[study]\nkind = boundary\n" + study + "[sweep]\n" + sweep + "[refine]\n" + refine,
                          "test.ini"));
  } catch (const DeckError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Boundary, CellsFindTheMapOfTheGridFromASeventhOfIt) {
  const NodeGrid grid = boundary_grid({50, 50});
  const Refined cells = refined(boundary_deck({50, 50}, "stride = 10\n"), grid, euler_map(50));
  EXPECT_EQ(wrong_nodes(cells, grid, euler_map(50)), 0u);
  EXPECT_LE(cells.members.size(), 360u);
  const Refined predicted = refined(boundary_deck({50, 50}, "method = predict\n"), grid, euler_map(50));
  EXPECT_EQ(wrong_nodes(predicted, grid, euler_map(50)), 0u);
  EXPECT_LE(predicted.members.size(), 250u);
  EXPECT_LE(predicted.rounds, 12u);
}

TEST(Boundary, LargeGridsSpareMore) {
  const NodeGrid grid = boundary_grid({200, 200});
  for (const auto& [refine, most] :
       {std::pair("stride = 16\n", 1500u), std::pair("stride = 16\nmethod = predict\n", 1100u)}) {
    const Refined campaign = refined(boundary_deck({200, 200}, refine), grid, euler_map(200));
    EXPECT_EQ(wrong_nodes(campaign, grid, euler_map(200)), 0u) << refine;
    EXPECT_LE(campaign.members.size(), most) << refine;
  }
}

TEST(Boundary, ThreeAxesAreRefinedAsWell) {
  const NodeGrid grid = boundary_grid({33, 33, 33});
  for (const auto& [refine, most] : {std::pair("", 7986u), std::pair("method = predict\n", 4000u)}) {
    const Refined campaign = refined(boundary_deck({33, 33, 33}, refine), grid, in_sphere);
    EXPECT_EQ(wrong_nodes(campaign, grid, in_sphere), 0u) << refine;
    EXPECT_LE(campaign.members.size(), most) << refine;
  }
}

TEST(Boundary, IslandsOfOneAndAHalfStridesAreFoundWhereverTheyLie) {
  const NodeGrid grid = boundary_grid({129, 129});
  for (const double shift : {0.0, 1.7, 3.9, 4.0, 6.2}) {
    const Map map = curve_and_island(60.0 + shift, 40.0 + 0.7 * shift, 6.0);
    for (const char* const method : {"cells", "predict"}) {
      if (method == std::string("predict") && shift > 0.0) continue;  // which takes longer
      const Refined campaign =
          refined(boundary_deck({129, 129}, std::string("method = ") + method + "\n"), grid, map);
      EXPECT_EQ(wrong_nodes(campaign, grid, map), 0u) << method << " " << shift;
      EXPECT_LE(campaign.members.size(), 1300u);
    }
  }
}

/// The nearest node of the whole grid of 16641 members is wrong over 0.0040 of the square.
TEST(Boundary, ByValueARegionIsBetterThanAGridsFromATwentyFifthOfItsMembers) {
  const NodeGrid grid = boundary_grid({129, 129});
  const Map map = [](const Coordinates& at, std::uint32_t) {
    return curve_and_island_value(at[0] / 128.0, at[1] / 128.0);
  };
  const Refined campaign = refined(boundary_deck({129, 129}, "method = value\n"), grid, map);
  EXPECT_LE(campaign.members.size(), 620u);
  EXPECT_LE(campaign.rounds, 5u);
  EXPECT_LE(wrong_area(campaign, grid, curve_and_island_value), 0.0033);
  const Refined closer = refined(boundary_deck({129, 129}, "method = value\ntolerance = 0.02\n"), grid, map);
  EXPECT_LT(wrong_area(closer, grid, curve_and_island_value),
            0.3 * wrong_area(campaign, grid, curve_and_island_value));
  EXPECT_GT(closer.members.size(), campaign.members.size());
}

TEST(Boundary, ByValueThreeAxesTakeAQuarterOfWhatOutcomesDo) {
  const NodeGrid grid = boundary_grid({33, 33, 33});
  const Map map = [](const Coordinates& at, std::uint32_t) {
    return 0.5 + 10.4 - std::hypot(at[0] - 15.3, at[1] - 17.1, at[2] - 14.6);
  };
  const Refined campaign = refined(boundary_deck({33, 33, 33}, "method = value\n"), grid, map);
  EXPECT_LE(wrong_nodes(campaign, grid, map), grid.nodes() / 500);
  EXPECT_LE(campaign.members.size(), 2100u);
}

/// Where members diverge there is nothing between values: boxes are halved as those of outcomes are.
TEST(Boundary, ByValueBadEndsAreFoundAsByOutcomes) {
  const NodeGrid grid = boundary_grid({49, 49});
  const Map map = [](const Coordinates& at, std::uint32_t) {
    return std::hypot(at[0] - 12.0, at[1] - 30.0) < 9.0 ? std::nan("") : 0.02 * (at[0] + at[1]) - 0.7;
  };
  const Refined campaign = refined(boundary_deck({49, 49}, "method = value\n"), grid, map);
  std::size_t wrong = 0;
  for (std::size_t node = 0; node < grid.nodes(); ++node) {
    const double value = map(grid.at(node), 0);
    const double outcome = campaign.number(node, 0);
    wrong += std::isnan(value) ? outcome < 3.0 : outcome != (value < 0.5 ? 0.0 : 1.0);
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_LT(campaign.members.size(), grid.nodes() / 4);
}

TEST(Boundary, ByValueItNeedsALevelAndSingleMembers) {
  const std::string axes = "axis = rod.length : linspace(1,2,9)\naxis = rod.radius : linspace(1,2,9)\n";
  EXPECT_NE(boundary_error(axes, "method = value\n").find("give refine.observable and refine.level"),
            std::string::npos);
  EXPECT_NE(boundary_error(axes, "method = value\nobservable = buckled\nlevel = 1\n", "repeats = 2\n")
                .find("value takes outcomes as certain, and study.repeats is 2"),
            std::string::npos);
}

TEST(Boundary, WhoRunsDoesNotDependOnTheOrderInWhichMembersEnd) {
  const NodeGrid grid = boundary_grid({41, 37});
  const Map map = [](const Coordinates& at, std::uint32_t repeat) {
    // A third of the repeats near the curve are above, whichever they are.
    const double distance = at[1] - 20.0 - 6.0 * std::sin(at[0] / 5.0);
    return distance > 1.5 ||
           (distance > -1.5 && (at[0] * 7 + at[1] * 3 + static_cast<int>(repeat) * 5) % 3 == 0);
  };
  for (const auto& [refine, repeats] :
       {std::pair("", 1), std::pair("stride = 4\n", 5), std::pair("method = predict\n", 1),
        std::pair("method = value\n", 1)}) {
    const Deck deck = boundary_deck({41, 37}, refine, repeats);
    const Refined first = refined(deck, grid, map, 1, 1);
    for (const std::size_t workers : {2u, 16u, 256u}) {
      const Refined other = refined(deck, grid, map, static_cast<unsigned>(workers), workers);
      EXPECT_EQ(other.members, first.members) << refine << workers;
      for (std::size_t node = 0; node < grid.nodes(); ++node) {
        const bool same = std::ranges::equal(other.rows[node], first.rows[node], [](double a, double b) {
          return a == b || (std::isnan(a) && std::isnan(b));
        });
        ASSERT_TRUE(same) << refine << workers << ", node " << node;
      }
    }
  }
}

TEST(Boundary, GoesOnAfterAKillAsIfThereHadBeenNone) {
  const NodeGrid grid = boundary_grid({50, 50});
  for (const auto& [refine, repeats] :
       {std::pair("", 1), std::pair("", 3), std::pair("method = predict\n", 1),
        std::pair("method = value\n", 1)}) {
    const Deck deck = boundary_deck({50, 50}, refine, repeats);
    const Refined whole = refined(deck, grid, euler_map(50));
    for (const std::size_t kill : {1u, 60u, 70u, 130u, 200u}) {
      const Refined begun = refined(deck, grid, euler_map(50), 5, 8, {}, kill);
      EXPECT_EQ(begun.members.size(), kill);
      EXPECT_EQ(refined(deck, grid, euler_map(50), 6, 8, begun.members).members, whole.members)
          << refine << repeats << ", killed after " << kill;
    }
    const Refined again = refined(deck, grid, euler_map(50), 7, 8, whole.members);
    EXPECT_EQ(again.members, whole.members) << "which had ended";
  }
}

TEST(Boundary, AWholeGridNeedsNothingMore) {
  const NodeGrid grid = boundary_grid({20, 30});
  std::vector<std::uint64_t> all(grid.nodes());
  for (std::size_t node = 0; node < all.size(); ++node) all[node] = node;
  for (const char* const refine : {"", "method = predict\n", "method = value\n", "stride = 1\n"}) {
    const Refined campaign = refined(boundary_deck({20, 30}, refine), grid, euler_map(30), 1, 4, all);
    EXPECT_EQ(campaign.members, all) << refine;
    EXPECT_EQ(wrong_nodes(campaign, grid, euler_map(30)), 0u);
    EXPECT_TRUE(campaign.evaluated(17 * 30 + 4));
  }
  const Refined full = refined(boundary_deck({20, 30}, "stride = 1\n"), grid, euler_map(30));
  EXPECT_EQ(full.members, all) << "a stride of one evaluates all";
}

TEST(Boundary, RepeatsRunWhereOutcomesDisagree) {
  constexpr int repeats = 10;
  const NodeGrid grid = boundary_grid({49, 49});
  for (const auto& [width, fewer] : {std::pair(0.25, 10.0), std::pair(1.0, 6.0), std::pair(2.5, 3.5)}) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform;
    std::vector<bool> drawn;
    for (std::size_t node = 0; node < grid.nodes(); ++node) {
      for (int repeat = 0; repeat < repeats; ++repeat) {
        drawn.push_back(uniform(random) < smooth_probability(grid.at(node), width));
      }
    }
    const Map map = [&](const Coordinates& at, std::uint32_t repeat) {
      return drawn[grid.node(at) * repeats + repeat];
    };
    const Refined campaign = refined(boundary_deck({49, 49}, "stride = 4\n", repeats), grid, map);
    double ours = 0.0;
    double full = 0.0;
    for (std::size_t node = 0; node < grid.nodes(); ++node) {
      const double truth = smooth_probability(grid.at(node), width);
      int above = 0;
      for (std::size_t repeat = 0; repeat < repeats; ++repeat)
        above += drawn[node * repeats + repeat] ? 1 : 0;
      full += std::pow(above / static_cast<double>(repeats) - truth, 2);
      ours += std::pow(campaign.probability(node) - truth, 2);
    }
    EXPECT_LE(ours, 1.02 * 1.02 * full) << width;
    EXPECT_LE(fewer * static_cast<double>(campaign.members.size()), static_cast<double>(drawn.size()))
        << width;
  }
}

TEST(Boundary, MitchellsGridOfTenRepeatsTakesAQuarter) {
  const NodeGrid grid = boundary_grid({19, 26});
  const Map map = [](const Coordinates& at, std::uint32_t) {
    return (1.0 + at[1]) * (0.5 + 0.25 * at[0]) >= 2.0 * std::sqrt(3.0) * M_PI;
  };
  const Refined campaign = refined(boundary_deck({19, 26}, "", 10), grid, map);
  EXPECT_EQ(wrong_nodes(campaign, grid, map), 0u);
  EXPECT_LE(campaign.members.size(), 4940u / 4);
}

TEST(Boundary, TheMapTellsProbabilitiesAndWhatIsInferred) {
  const NodeGrid grid = boundary_grid({17, 17});
  const Map map = [](const Coordinates& at, std::uint32_t repeat) {
    return at[0] > 5 || (at[0] == 5 && repeat < 3);
  };
  const Refined campaign = refined(boundary_deck({17, 17}, "", 4), grid, map);
  const std::size_t node = grid.node({5, 9, 0});
  EXPECT_EQ(campaign.probability(node), 0.75);
  EXPECT_NEAR(campaign.error(node), std::sqrt(3.5 * 1.5 / (25.0 * 6.0)), 1e-15);
  EXPECT_TRUE(campaign.above(node));
  EXPECT_EQ(campaign.ran(node), 4.0);
  const std::size_t far = grid.node({13, 3, 0});
  EXPECT_FALSE(campaign.evaluated(far));
  EXPECT_TRUE(campaign.above(far));
  EXPECT_EQ(campaign.probability(far), 1.0);
  EXPECT_TRUE(std::isnan(campaign.error(far)));
  EXPECT_EQ(campaign.rows[far][0], 1.0 + 13.0 / 16.0) << "the point of an inferred node";
}

TEST(Boundary, HowMembersEndIsAnOutcome) {
  const auto rule = [](const std::string& refine) {
    return OutcomeRule::from_deck(Deck::parse("[study]\nkind = boundary\n[refine]\n" + refine, "test.ini"));
  };
  Result result = member_result(0, true);
  const OutcomeRule level = rule("observable = buckled\nlevel = 1\n");
  EXPECT_EQ(level.names()[static_cast<std::size_t>(level.outcome(result))], "above")
      << "which takes the level in";
  EXPECT_EQ(level.names()[static_cast<std::size_t>(level.outcome(member_result(0, false)))], "below");
  result.observables.assign(observables.size(), std::nan(""));
  EXPECT_EQ(level.names()[static_cast<std::size_t>(level.outcome(result))], "no number");
  for (const std::string refine : {"", "observable = status\n", "observable = buckled\nlevel = 1\n"}) {
    const OutcomeRule own = rule(refine);
    for (const MemberStatus status : {MemberStatus::diverged, MemberStatus::failed, MemberStatus::tangled,
                                      MemberStatus::too_stiff, MemberStatus::timed_out}) {
      result.status = status;
      EXPECT_EQ(own.names()[static_cast<std::size_t>(own.outcome(result))], to_string(status));
    }
  }
  result.status = MemberStatus::settled;
  EXPECT_EQ(rule("").names()[static_cast<std::size_t>(rule("").outcome(result))], "ended well");
  EXPECT_TRUE(rule("").counts(1));
  EXPECT_FALSE(level.counts(3));
}

TEST(Boundary, ASecondOutcomeAmongThreeIsRefinedToo) {
  const NodeGrid grid = boundary_grid({33, 33});
  const Deck deck = Deck::parse(
      "[study]\nkind = boundary\n[sweep]\naxis = rod.length : linspace(1,2,33)\n"
      "axis = load.axial_force : linspace(1,2,33)\n",
      "test.ini");
  const auto status = [&](std::size_t node) {
    const Coordinates at = grid.at(node);
    if (at[0] + at[1] < 20) return MemberStatus::done;
    return at[0] > at[1] ? MemberStatus::tangled : MemberStatus::diverged;
  };
  for (const char* const method : {"cells", "predict"}) {
    Deck own = Deck::parse(deck.resolved() + "\n", "test.ini", {std::string("refine.method=") + method});
    const auto plan = make_plan(own);
    std::vector<TableRow> rows;
    for (auto asked = plan->ask(); !asked.empty(); asked = plan->ask()) {
      for (const std::uint64_t node : asked) {
        const Result told{node, status(node), {}};
        plan->tell({&told, 1});
      }
    }
    ASSERT_TRUE(plan->done());
    const std::vector<std::string> names = plan->tables()[0].columns[1].names;
    for (const TableRow& row : plan->take_rows()) {
      if (row.table != 0) continue;
      const MemberStatus truth = status(row.row);
      const std::string& found = names[static_cast<std::size_t>(row.numbers[2])];
      EXPECT_EQ(found, truth == MemberStatus::done ? "ended well" : to_string(truth)) << method << row.row;
    }
  }
}

TEST(Boundary, NodesAreTheCandidatesOfTheSweep) {
  const auto plan = make_plan(boundary_deck({5, 7, 4}, ""));
  const auto sweep =
      make_plan(Deck::parse(boundary_deck({5, 7, 4}, "").resolved(), "test.ini", {"study.kind=sweep"}));
  ASSERT_EQ(plan->candidates(), sweep->candidates());
  for (std::uint64_t node = 0; node < plan->candidates(); ++node)
    EXPECT_EQ(plan->point(node), sweep->point(node));
  EXPECT_FALSE(plan->adaptive());
}

TEST(Boundary, WhatIsExpectedIsNearWhatRuns) {
  for (const auto& [count, refine] :
       {std::pair(50, ""), std::pair(200, ""), std::pair(50, "method = predict\n")}) {
    const Deck deck = boundary_deck({count, count}, refine);
    const double ran =
        static_cast<double>(refined(deck, boundary_grid({count, count}), euler_map(count)).members.size());
    EXPECT_NEAR(*make_plan(deck)->expected_members() / ran, 1.0, 0.3) << count << refine;
  }
  EXPECT_EQ(*make_plan(boundary_deck({10, 10}, "stride = 1\n", 3))->expected_members(), 300.0);
}

TEST(Boundary, ItsRowsTellHowFarItIs) {
  const auto plan = make_plan(boundary_deck({9, 9}, ""));
  const std::vector<Table> tables = plan->tables();
  EXPECT_EQ(tables[0].rows, 81u);
  EXPECT_TRUE(plan->take_rows().empty());
  EXPECT_EQ(boundary_state(tables[1], {}).line, "no node evaluated yet");
  std::optional<TableRow> newest;
  for (auto asked = plan->ask(); !asked.empty(); asked = plan->ask()) {
    for (const std::uint64_t member : asked) {
      const Result told = member_result(member, member / 9 > 3);
      plan->tell({&told, 1});
      for (const TableRow& row : plan->take_rows()) {
        if (row.table == 1) newest = row;
      }
      EXPECT_TRUE(plan->done() || !boundary_state(tables[1], newest).ended);
    }
  }
  const StudyState state = boundary_state(tables[1], newest);
  EXPECT_TRUE(state.ended);
  EXPECT_NE(state.line.find(" nodes evaluated, "), state.line.npos) << state.line;
  EXPECT_NE(plan->conclusion().find("below: 36 nodes\n  above: 45 nodes"), std::string::npos)
      << plan->conclusion();
  EXPECT_NE(plan->conclusion().find("radius below 3 steps"), std::string::npos) << plan->conclusion();
}

/// A boundary along a long axis for each of four values, which have nothing to do with each other.
TEST(Boundary, ListsAreCategoriesOfWhichEachIsRefinedByItself) {
  const auto deck = [](const std::string& refine) {
    return Deck::parse(
        "[study]\nkind = boundary\n[sweep]\naxis = load.axial_force : linspace(0,20,401)\n"
        "axis = rod.elements : list(20,60,40,80)\n[refine]\nobservable = buckled\nlevel = 0.5\n" +
            refine,
        "test.ini");
  };
  const int steps[] = {50, 301, 90, 222};
  const NodeGrid grid = boundary_grid({401, 4});
  const Map map = [&](const Coordinates& at, std::uint32_t) {
    return at[0] > steps[static_cast<std::size_t>(at[1])];
  };
  const Refined bisected = refined(deck("stride = 200\n"), grid, map);
  EXPECT_EQ(wrong_nodes(bisected, grid, map), 0u);
  EXPECT_LE(bisected.members.size(), 4u * 11u);
  for (const char* const refine : {"", "method = predict\n", "stride = 8, 1\n"}) {
    const Refined campaign = refined(deck(refine), grid, map);
    EXPECT_EQ(wrong_nodes(campaign, grid, map), 0u) << refine;
    EXPECT_LE(campaign.members.size(), 4u * 58u) << refine;
    const double ran = static_cast<double>(campaign.members.size());
    EXPECT_NEAR(*make_plan(deck(refine))->expected_members() / ran, 1.0, 0.3) << refine;
  }
  const auto plan = make_plan(deck("stride = 200\n"));
  EXPECT_EQ(plan->tables()[0].attributes.back(),
            (std::pair<std::string, std::string>{"categories", "rod.elements"}));
  // With a stride of its own a list is an axis of numbers.
  EXPECT_NE(boundary_error(
                "axis = load.axial_force : linspace(0,20,401)\naxis = rod.elements : list(20,60,40,80,90)\n",
                "stride = 8, 2\n")
                .find("neither rise nor fall"),
            std::string::npos);
}

/// A plane of the grid for each word, in the middle of the axes.
TEST(Boundary, WordsAreCategoriesBetweenTwoAxesOfNumbers) {
  const Deck deck = Deck::parse(
      "[study]\nkind = boundary\n[sweep]\naxis = load.axial_force : linspace(0,20,33)\n"
      "axis = contact.kind : list(penalty, none, imc)\naxis = rod.length : linspace(1,2,17)\n"
      "[refine]\nobservable = buckled\nlevel = 0.5\n",
      "test.ini");
  const NodeGrid grid = boundary_grid({33, 3, 17});
  const Map map = [](const Coordinates& at, std::uint32_t) {
    return at[1] == 1 ? at[0] > 20 : at[0] + at[1] * at[2] > 16;
  };
  const Refined campaign = refined(deck, grid, map);
  EXPECT_EQ(wrong_nodes(campaign, grid, map), 0u);
  EXPECT_LE(campaign.members.size(), grid.nodes() / 3);
}

TEST(Boundary, EachAxisHasAStrideOfItsOwn) {
  const NodeGrid grid = boundary_grid({401, 7});
  const Map map = [](const Coordinates& at, std::uint32_t) { return at[0] > 100 + 10 * at[1]; };
  // By default of 8 and of half the short axis.
  const Refined own = refined(boundary_deck({401, 7}, ""), grid, map);
  EXPECT_EQ(wrong_nodes(own, grid, map), 0u);
  EXPECT_LE(own.members.size(), 330u);  // of 2807
  const Refined wide = refined(boundary_deck({401, 7}, "stride = 100, 3\n"), grid, map);
  EXPECT_EQ(wrong_nodes(wide, grid, map), 0u);
  EXPECT_LE(wide.members.size(), 190u);
  const auto plan = make_plan(boundary_deck({401, 7}, "stride = 100, 3\n"));
  EXPECT_EQ(plan->tables()[0].attributes[1].second, "100 x 3");
  EXPECT_NE(plan->size_note().find("radius below 75 x 2.25 steps"), std::string::npos) << plan->size_note();
  const auto cube = make_plan(boundary_deck({33, 33, 33}, "stride = 10\n"));  // the middle is 8.66 steps away
  EXPECT_NE(cube->size_note().find("radius below 9 steps"), std::string::npos) << cube->size_note();
}

TEST(Boundary, WrongDecksAreOneSentence) {
  const std::string two = "axis = rod.length : linspace(1,2,9)\naxis = rod.mass : linspace(1,2,20)\n";
  const auto expect = [](const std::string& error, const std::string& part) {
    EXPECT_NE(error.find(part), error.npos) << error;
    EXPECT_EQ(error.rfind("test.ini", 0), 0u) << error;
    EXPECT_EQ(error.find('\n'), error.npos) << error;
  };
  expect(boundary_error(""), "sweep.axis is missing");
  expect(boundary_error("axis = rod.length : linspace(1,2,9)\n"),
         "makes 1 axis, and study.kind = boundary needs two or three");
  expect(boundary_error(two +
                        "axis = rod.radius : linspace(1,2,9)\naxis = load.axial_force : linspace(1,2,9)\n"),
         "makes 4 axes");
  expect(boundary_error("axis = rod.length : linspace(1,2,9)\naxis = contact.kind : list(none, imc)\n",
                        "stride = 4, 2\n"),
         "test.ini:5: sweep.axis: contact.kind takes words");
  expect(boundary_error("axis = rod.length : list(1,2,3)\naxis = contact.kind : list(none, imc)\n"),
         "has lists alone");
  expect(boundary_error("axis = rod.length : linspace(1,2,9)\naxis = rod.mass : linspace(1,2,3)\n"),
         "rod.mass has 3 values, and a boundary needs at least 4");
  expect(boundary_error("axis = rod.length : linspace(1,2,9) with rod.mass : linspace(1,2,9)\n"),
         "rod.mass moves together with rod.length");
  expect(boundary_error("axis = rod.length : list(1,3,2,4,5)\naxis = rod.mass : linspace(1,2,9)\n",
                        "stride = 2, 4\n"),
         "neither rise nor fall");
  expect(boundary_error(two, "stride = 2, 3, 4\n"), "has 3 numbers for 2 axes");
  expect(boundary_error(two, "stride = 2.5\n"), "no whole number");
  expect(boundary_error(two, "stride = 4, 10\n"), "is at most 9 here");
  expect(boundary_error(two, "observable = buckle\nlevel = 1\n"), "buckled");
  expect(boundary_error(two, "observable = buckled\n"), "refine.level is missing");
  expect(boundary_error(two, "level = 1\n"), "refine.observable names none");
  expect(boundary_error(two, "stride = 5\n"), "refine.stride: is at most 4 here");
  expect(boundary_error(two, "method = predict\n", "repeats = 2\n"), "study.repeats is 2");
  EXPECT_EQ(boundary_error(two, "stride = 4\n"), "no error");
  EXPECT_EQ(boundary_error(two, "stride = 4, 9\n"), "no error");
  EXPECT_EQ(boundary_error("axis = rod.length : list(9,7,4,1)\naxis = rod.mass : linspace(1,2,4)\n"),
            "no error");
}

}  // namespace
}  // namespace rodeo
