#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "rodeo/plan/plan.hpp"

#include "input/csv_lines.hpp"
#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::message_of;
using test::says;

/// A deck of a sweep over the points of a file beside it, in a folder of the test's own.
class PointsFile : public ::testing::Test {
 protected:
  PointsFile() { std::filesystem::create_directory(folder_); }
  ~PointsFile() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  Deck deck(const std::string& points, const std::vector<std::string>& overrides = {},
            const std::string& lines = "") const {
    write("points.csv", points);
    return Deck::read(
        write("deck.ini", complete_deck + "[study]\nkind = sweep\n[sweep]\npoints = points.csv\n" + lines),
        overrides);
  }

  std::vector<std::vector<double>> points_of(const std::string& text) const {
    const auto plan = make_plan(deck(text));
    std::vector<std::vector<double>> points;
    for (const std::uint64_t candidate : plan->ask()) points.push_back(plan->point(candidate));
    return points;
  }

  std::string error(const std::string& points, const std::vector<std::string>& overrides = {},
                    const std::string& lines = "") const {
    return message_of([&] { deck(points, overrides, lines); });
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("rodeo-points-" + std::to_string(getpid()));
};

using Points = std::vector<std::vector<double>>;

TEST_F(PointsFile, HasAHeaderOfKeysAndARowForEachCandidate) {
  EXPECT_EQ(points_of("rod.length, rod.origin[1], rod.elements\n1, 0.5, 10\n2,-1e-3,+20\n1, 0.5, 10"),
            (Points{{1, 0.5, 10}, {2, -1e-3, 20}, {1, 0.5, 10}}));
  EXPECT_EQ(points_of("rod.length\n3\n"), (Points{{3}}));
}

TEST_F(PointsFile, MayHaveCommentsBlankLinesQuotesAndWords) {
  const std::string text =
      "\xef\xbb\xbf# of a table\r\n\r\n \"rod.length\" ,contact.kind,\"load.end_force[2]\" # N\r\n"
      "  1.5,\"imc\", -3 # the first\r\n#2, ipc, 4\r\n\t\r\n2 , none,\"4\"\r\n";
  EXPECT_EQ(points_of(text), (Points{{1.5, 2, -3}, {2, 0, 4}}));
}

TEST_F(PointsFile, IsAnAxisWhoseKeysMoveTogether) {
  const std::string text = "rod.length,contact.kind\n0.1,imc\n2,none\n";
  const Deck own = deck(text, {}, "axis = rod.radius : list(0.01, 0.02)\n");
  ASSERT_EQ(own.texts("sweep.axis"_key).size(), 2u);
  EXPECT_EQ(own.texts("sweep.axis"_key)[0], "rod.length : list(0.1, 2) with contact.kind : list(imc, none)");
  EXPECT_EQ(own.points_file(), (folder_ / "points.csv").string());
  const auto plan = make_plan(own);
  EXPECT_EQ(plan->candidates(), 4u);
  EXPECT_EQ(plan->point(1), (std::vector<double>{0.1, 2, 0.02}));
  // The stored deck holds the points, and needs the file no more; what people read names it.
  const Deck stored = Deck::parse(own.resolved(), "/deck");
  EXPECT_EQ(stored.resolved(), own.resolved());
  EXPECT_EQ(own.resolved().find("points.csv"), std::string::npos);
  EXPECT_EQ(make_plan(stored)->point(2), plan->point(2));
  EXPECT_EQ(own.first_difference(stored), no_key);
  const std::string printed = own.printed();
  EXPECT_NE(printed.find("\npoints = " + own.points_file() + "\n"), std::string::npos);
  EXPECT_EQ(printed.find("contact.kind :"), std::string::npos);
  EXPECT_EQ(Deck::read(write("printed.ini", printed)).resolved(), own.resolved());
  EXPECT_EQ(own.first_difference(deck("rod.length,contact.kind\n0.1,imc\n2.5,none\n", {},
                                      "axis = rod.radius : list(0.01, 0.02)\n")),
            "sweep.axis"_key);
}

TEST_F(PointsFile, MayStandAnywhere) {
  const std::string other = write("other.csv", "rod.length\n7\n");
  EXPECT_EQ(make_plan(deck("rod.length\n3\n", {"sweep.points=other.csv"}))->point(0),
            (std::vector<double>{7}));
  EXPECT_EQ(make_plan(deck("rod.length\n3\n", {"sweep.points=" + other}))->point(0),
            (std::vector<double>{7}));
  // It is read for a sweep alone, and one run of the deck needs none.
  EXPECT_NO_THROW(deck("no points", {"study.kind=single"}));
}

TEST_F(PointsFile, GivesKeysTheirEffect) {
  const std::string stiffness = "[contact]\nstiffness = 3\n";
  EXPECT_NO_THROW(deck("contact.kind\nnone\npenalty\n", {}, stiffness));
  EXPECT_TRUE(says(error("rod.length\n1\n", {}, stiffness), {"contact.stiffness: has no effect"}));
  // What has its effect in the deck alone may be switched off by the command line.
  write("other.csv", "rod.length\n7\n");
  EXPECT_NO_THROW(deck("contact.kind\nnone\npenalty\n", {"sweep.points=other.csv"}, stiffness));
  EXPECT_TRUE(says(error("rod.length\n1\n", {"rod.length=3"}),
                   {"command line: rod.length: has no effect: sweep.axis", "points.csv) varies it"}));
}

TEST_F(PointsFile, SaysWhereItIsWrong) {
  const std::string nul(1, '\0');
  EXPECT_TRUE(says(error(""), {"points.csv:1:1: no header of keys", "sweep.points", "deck.ini:14"}));
  EXPECT_TRUE(says(error("# nothing\n\n"), {"no header of keys"}));
  EXPECT_TRUE(
      says(error("rod.length, rod.radius\n# none\n"), {"points.csv:2:", "no row follows the header"}));
  EXPECT_TRUE(says(error("rod.radius, rod.lenght\n1, 2\n"),
                   {"points.csv:1:13: unknown key 'rod.lenght'; did you mean rod.length?"}));
  EXPECT_TRUE(says(error("1, 2\n3, 4\n"), {"points.csv:1:1: unknown key '1'"}));
  EXPECT_TRUE(says(error("rod.length, study.seed\n1, 2\n"), {"points.csv:1:13: study.seed", "as a whole"}));
  EXPECT_TRUE(says(error("rod.origin\n1\n"), {"points.csv:1:1: rod.origin is a list", "rod.origin[0]"}));
  EXPECT_TRUE(says(error("rod.length,rod.radius, rod.length\n1, 2, 3\n"),
                   {"points.csv:1:24: rod.length has a column already, at ", "points.csv:1:1"}));
  EXPECT_TRUE(says(error("rod.length,rod.radius\n1, 2\n\n3\n"),
                   {"points.csv:4:2: 1 value in this row, and the header names 2 keys"}));
  EXPECT_TRUE(says(error("rod.length\n1\n2, 3\n"),
                   {"points.csv:3:4: 2 values in this row, and the header names 1 key"}));
  EXPECT_TRUE(says(error("rod.length,rod.radius\n1, 2,\n"), {"points.csv:2:6: 3 values in this row"}));
  EXPECT_TRUE(
      says(error("rod.length,rod.radius\n1,0.1\n2, ten\n"),
           {"points.csv:3:4: rod.radius = 'ten' is not allowed (real > 0, m): not a finite decimal"}));
  EXPECT_TRUE(says(error("rod.length,rod.radius\n1,\n"), {"points.csv:2:3: rod.radius = ''", "no value"}));
  EXPECT_TRUE(
      says(error("rod.length\n-1\n"), {"points.csv:2:1: rod.length = '-1'", "real > 0, m", "out of range"}));
  EXPECT_TRUE(
      says(error("rod.elements\n1.5\n"), {"points.csv:2:1: rod.elements = '1.5'", "not a whole number"}));
  EXPECT_TRUE(says(error("contact.kind\nimc\nsoft\n"),
                   {"points.csv:3:1: contact.kind = 'soft'", "none|penalty|imc|ipc", "no such choice"}));
  EXPECT_TRUE(says(error("rod.length;rod.radius\n1;2\n"), {"points.csv:1:11: a semicolon; commas stand"}));
  EXPECT_TRUE(says(error("rod.length\n1" + nul + "2\n"), {"points.csv:2: a control character"}));
  EXPECT_TRUE(says(error("rod.length\n\"1\n"), {"points.csv:2:1: the quote that begins here"}));
  EXPECT_TRUE(says(error("rod.length\n\"1\"2\n"), {"points.csv:2:4: no comma follows the closing quote"}));
  EXPECT_TRUE(says(error("rod.length\n\"\"\"1\"\n"), {"rod.length = '\"1'"}));
  EXPECT_TRUE(
      says(error("rod.length\n1\n", {"sweep.points=none.csv"}),
           {"none.csv: cannot read this file of candidates (sweep.points, command line): No such file"}));
  EXPECT_TRUE(says(error("rod.length\n1\n", {"sweep.points=."}), {"is a directory"}));
}

TEST_F(PointsFile, MayNotContradictTheDeck) {
  EXPECT_TRUE(says(error("rod.length\n1\n", {}, "axis = rod.length : list(1, 2)\n"),
                   {"deck.ini:15: sweep.axis: rod.length has an axis already, in ", "points.csv"}));
  EXPECT_TRUE(says(error("rod.length\n1\n", {}, "sampler = sobol\nsamples = 3\n"),
                   {"deck.ini:14: sweep.points: lists the candidates themselves", "sobol", "deck.ini:15"}));
  EXPECT_TRUE(says(error("rod.radius,rod.length\n1,1\n", {"rod.count=2", "rod.each=rod.length : list(1, 2)"}),
                   {"points.csv:1:12: rod.length has a value for each rod"}));
  const Deck text = Deck::parse("[study]\nkind = sweep\n[sweep]\npoints = points.csv\n", "text");
  EXPECT_TRUE(
      says(message_of([&] { make_plan(text); }), {"text:4: sweep.points: is read with the file of a deck"}));
}

}  // namespace
}  // namespace rodeo
