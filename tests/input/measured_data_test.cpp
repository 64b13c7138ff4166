#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::message_of;
using test::says;
using test::spec_error;
using test::spec_of;

std::string with_points(const std::string& lines) { return complete_deck + "[measure]\n" + lines; }

TEST(DataPoints, SayTimePlaceAndWhatIsKnown) {
  const MemberSpec spec =
      spec_of(with_points("point = t_end / 2, node -1 : 1, , 3\n"
                          "point = 0.9999, rod 0, s 0.25 : , 2, , 4\n"
                          "point = 0.0105, s 0.5 m : 1, 2, 3, 0\n"
                          "point = 1, middle : 0, 0, rod.length\n"));
  ASSERT_TRUE(spec.data);
  const MeasuredData& data = *spec.data;
  ASSERT_EQ(data.size(), 4u);
  EXPECT_EQ(data[0].at.kind, Place::Kind::node);
  EXPECT_EQ(data[0].at.index, 50);
  EXPECT_EQ(data[0].at.rod, 0);
  EXPECT_EQ(data[0].position.x, 1.0);
  EXPECT_TRUE(std::isnan(data[0].position.y));
  EXPECT_EQ(data[0].weight, 1.0);
  EXPECT_EQ(data[0].step, 500);
  EXPECT_EQ(data[0].share, 0.0);
  EXPECT_EQ(data[1].at.arc, 0.25);
  EXPECT_EQ(data[1].weight, 4.0);
  EXPECT_EQ(data[1].step, 999);
  EXPECT_NEAR(data[1].share, 0.9, 1e-9);
  EXPECT_EQ(data[2].at.arc, 0.25) << "of a rod of 2 m";
  EXPECT_EQ(data[2].step, 10);
  EXPECT_NEAR(data[2].share, 0.5, 1e-9);
  EXPECT_EQ(data[3].step, 1000);
  EXPECT_EQ(data[3].position.z, 2.0);
  EXPECT_FALSE(spec_of(complete_deck).data);
}

TEST(DataPoints, ThatAreNoneAreRefused) {
  const auto error = [](const std::string& line) {
    return spec_error(with_points("point = " + line + "\n"));
  };
  EXPECT_TRUE(
      says(error("0.1, node 3, 1, 2, 3"), {"deck.ini:12: measure.point: character 14", "a place should"}));
  EXPECT_TRUE(
      says(error("0.1, node 3 : 1, 2"), {"character 19, the end", "TIME, PLACE : X, Y, Z [, WEIGHT]"}));
  EXPECT_TRUE(says(error("0.1, node 3 : 1, 2, 3, 4, 5"), {"character 25"}));
  EXPECT_TRUE(says(error("now, node 3 : 1, 2, 3"), {"character 1", "now"}));
  EXPECT_TRUE(
      says(error("0.1, noda 3 : 1, 2, 3"), {"character 6, 'noda 3", "a place should stand here: node K, s"}));
  EXPECT_TRUE(says(error("0.1, element 3 : 1, 2, 3"), {"character 6", "a point is of nodes"}));
  EXPECT_TRUE(says(error("0.1, rod 0 : 1, 2, 3"), {"character 6", "where on the rod?"}));
  EXPECT_TRUE(says(error("0.1, node 51 : 1, 2, 3"), {"character 11", "this rod has 0 to 50"}));
  EXPECT_TRUE(says(error("0.1, s 1.5 : 1, 2, 3"), {"character 8", "a fraction from 0 to 1"}));
  EXPECT_TRUE(says(error("0.1, s 2.5 m : 1, 2, 3"), {"character 8", "the rod is 2 m long"}));
  EXPECT_TRUE(says(error("0.1, rod 1, end : 1, 2, 3"), {"character 10", "rod 0 is the only one"}));
  EXPECT_TRUE(
      says(error("1.5, end : 1, 2, 3"), {"character 1", "1.5 s is not within the simulated time, 0 to 1 s"}));
  EXPECT_TRUE(says(error("-0.1, end : 1, 2, 3"), {"-0.1 s is not within"}));
  EXPECT_TRUE(says(error("0.1, end : 1, y, 3"), {"character 15", "y"}));
  EXPECT_TRUE(says(error("0.1, end : 1, 2, 3, -1"), {"character 21", "a weight is not negative"}));
  EXPECT_TRUE(says(error("0.1, end : , , "), {"measure.point: no coordinate of any point is known"}));
  EXPECT_TRUE(says(spec_error(with_points("point = 0.1, end : 1, 2, 3\n[rod]\ncount = 2\n")),
                   {"of which rod? This deck has 2"}));
  EXPECT_TRUE(says(spec_error(with_points("data = track.csv\n")), {"measure.data", "this is none"}));
}

/// A deck with a file of data beside it.
class DataFile : public ::testing::Test {
 protected:
  DataFile() { std::filesystem::create_directory(folder_); }
  ~DataFile() override { std::filesystem::remove_all(folder_); }

  Deck deck(const std::string& data, const std::vector<std::string>& overrides = {}) const {
    std::ofstream(folder_ / "track.csv") << data;
    std::ofstream(folder_ / "deck.ini") << with_points("data = track.csv\npoint = 0.5, end : 1, 2, 3\n");
    return Deck::read((folder_ / "deck.ini").string(), overrides);
  }

  std::string error(const std::string& data, const std::vector<std::string>& overrides = {}) const {
    return message_of([&] { make_member_spec(deck(data, overrides)); });
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("rodeo-data-" + std::to_string(getpid()));
};

TEST_F(DataFile, BecomesLinesOfTheDeck) {
  const Deck read = deck(
      "# a track\nx, \"time\", s, weight, z\n0.25, 0.1, 0.5, 2, \n,0.2,1,1,nan # lost\n-1e-3,0.3,0,1,4\n");
  EXPECT_EQ(read.texts("measure.point"_key),
            (std::vector<std::string>{"0.1, s 0.5 : 0.25, , , 2", "0.2, s 1 : , , , 1",
                                      "0.3, s 0 : -0.001, , 4, 1", "0.5, end : 1, 2, 3"}));
  const Deck stored = Deck::parse(read.resolved(), "stored");
  EXPECT_EQ(stored.first_difference(read), no_key);
  EXPECT_EQ(make_member_spec(stored).data->size(), 4u);
  EXPECT_TRUE(says(read.printed(),
                   {"data = " + (folder_ / "track.csv").string() + "\n", "point = 0.5, end : 1, 2, 3\n"}));
  EXPECT_EQ(read.printed().find("s 0.5 :"), std::string::npos);
  const Deck arcs = deck("time,arc_length,rod,y\n0.1,0.4,0,7\n");
  EXPECT_EQ(arcs.texts("measure.point"_key)[0], "0.1, rod 0, s 0.4 m : , 7, ");
}

TEST_F(DataFile, SaysWhereItIsWrong) {
  const std::string nul(1, '\0');
  EXPECT_TRUE(says(error("time,s,x\n0.1,0.5,1\n0.2,0.5,one\n"), {"track.csv:3:9: x 'one' is not a finite"}));
  EXPECT_TRUE(says(error("time,s,x\n,0.5,1\n"), {"track.csv:2:1: time '' has no value"}));
  EXPECT_TRUE(says(error("time,s,x\n0.1,1.5,1\n"), {"track.csv:2:5: s '1.5' is above 1"}));
  EXPECT_TRUE(says(error("time,node,x\n0.1,1.5,1\n"), {"track.csv:2:5: node '1.5' is not a whole"}));
  EXPECT_TRUE(says(error("time,node,x\n0.1,99,1\n"),
                   {"track.csv:2:1: measure.point: ", "there is no such node: this rod has 0 to 50"}));
  EXPECT_TRUE(
      says(error("time,node,x\n7,9,1\n"), {"track.csv:2:1: measure.point: ", "the time 7 s is not within"}));
  EXPECT_TRUE(
      says(error("time,s,x\n0.1,0.5\n"), {"track.csv:2:8: 2 fields in this row, and 3 in the header"}));
  EXPECT_TRUE(
      says(error("time,s,x,weigth\n"), {"track.csv:1:10: 'weigth' is no column", "did you mean weight?"}));
  EXPECT_TRUE(says(error("time,x\n"), {"track.csv:1:1: ", "takes one of the columns node, s"}));
  EXPECT_TRUE(says(error("time,s,node,x\n"), {"takes one of the columns node, s"}));
  EXPECT_TRUE(says(error("s,x\n"), {"lacks the column time (s)"}));
  EXPECT_TRUE(says(error("time,s\n"), {"has none of the columns x, y and z (m)"}));
  EXPECT_TRUE(says(error("time,s,x,x\n"), {"track.csv:1:10: there is a column x already"}));
  EXPECT_TRUE(says(error("time;s;x\n0,1;0,5;1\n"), {"track.csv:1:5: a semicolon; commas stand"}));
  EXPECT_TRUE(says(error("time,s,x\n0.1,0.5,inf\n"), {"track.csv:2:9: x 'inf' is not a finite"}));
  EXPECT_TRUE(says(error("time,s,x\n0.1,0.5,1" + nul + "2\n"), {"track.csv:2: a control character"}));
  EXPECT_TRUE(
      says(error("time,s,x\n"), {"no row follows the header in this file of measured data (measure.data, "}));
  EXPECT_TRUE(says(error("time,s,x\n", {"measure.data=none.csv"}),
                   {"none.csv: cannot read this file of measured data (measure.data, command line)"}));
}

}  // namespace
}  // namespace rodeo
