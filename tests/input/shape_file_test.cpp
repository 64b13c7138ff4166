#include "rodeo/input/shape_file.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::file_deck;
using test::message_of;
using test::says;

/// A file of the test's own that is gone at its end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("rodeo-shape-" + std::to_string(getpid()) + ".csv")) {
    std::ofstream(path_) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(ShapeFile, IsReadLineByLine) {
  const TemporaryFile file("# a curve\nx, y, z\n0, 0, 0\n\n 1e-1,+2 ,-3 # second\r\n4,5,6");
  EXPECT_EQ(read_csv_nodes(file.path()), (std::vector<double>{0, 0, 0, 0.1, 2, -3, 4, 5, 6}));
}

TEST(ShapeFile, SaysWhereItIsWrong) {
  const auto error = [](const std::string& text) {
    const TemporaryFile file(text);
    return message_of([&] { read_csv_nodes(file.path()); });
  };
  EXPECT_TRUE(says(error("0,0,0\n0,zero,1\n"), {".csv:2:3: 'zero' is not a finite decimal number"}));
  EXPECT_TRUE(says(error("x,y,z\n0,0,0\nx,y,z\n"), {".csv:3:1: 'x'"}));
  EXPECT_TRUE(says(error("0,0,nan\n"), {".csv:1:5: 'nan'"}));
  EXPECT_TRUE(says(error("0,0,0\n\n1,2\n"), {".csv:3:1: 2 numbers"}));
  EXPECT_TRUE(says(error("1,2,3,4\n"), {".csv:1:1: 4 numbers"}));
  EXPECT_TRUE(says(error(std::string(5000, '1')), {".csv:1:1: '1111", "is not a finite decimal number"}));
  std::string many;
  for (std::size_t i = 0; i <= most_shape_nodes; ++i) many += "1,2,3\n";
  EXPECT_TRUE(says(error(many), {"more than 1000001 nodes"}));
  EXPECT_TRUE(says(message_of([] { read_csv_nodes("nowhere.csv"); }),
                   {"nowhere.csv: cannot read this file of numbers (rod.shape_file): No such file"}));
  EXPECT_TRUE(says(message_of([] { read_csv_nodes("/"); }), {"is a directory"}));
}

TEST(ShapeFile, DropsNoLineInSilence) {
  const auto error = [](const std::string& text) {
    const TemporaryFile file(text);
    return message_of([&] { read_csv_nodes(file.path()); });
  };
  for (const std::string word : {"nan", "NaN", "inf", "-inf", "1e999"}) {
    EXPECT_TRUE(says(error(word + ", " + word + ", " + word + "\n0,0,0\n1,0,0\n"),
                     {".csv:1:1: '" + word + "' is not a finite decimal number"}));
  }
  EXPECT_TRUE(says(error("none, none, none\n0,0,0\n"), {".csv:1:7: there is a column none already"}));
  EXPECT_TRUE(says(error("y, x, z\n0,0,0\n"), {".csv:1:1: a column 'y'", "x, y and z", "in this order"}));
  EXPECT_TRUE(says(error("x, y\n0,0,0\n"), {".csv:1:1: 2 names on this line"}));
  EXPECT_TRUE(says(error("0 0 0\n1 0 0\n"), {".csv:1:1: '0 0 0' is not a finite decimal number"}));
  EXPECT_TRUE(says(error("0;0;0\n1;0;0\n"), {".csv:1:2: a semicolon; commas"}));
  EXPECT_TRUE(says(error("x;y;z\n1,5;0;0\n"), {".csv:1:2: a semicolon; commas"}));
}

TEST(ShapeFile, IsText) {
  const auto error = [](const std::string& text) {
    const TemporaryFile file(text);
    return message_of([&] { read_csv_nodes(file.path()); });
  };
  const std::string nul(1, '\0');
  EXPECT_TRUE(
      says(error("0,0,0\n1,0,0" + nul + "5\n2,0,0\n"), {".csv:2: a control character", "plain text"}));
  EXPECT_TRUE(says(error(nul + "x,y,z\n0,0,0\n"), {".csv:1: a control character"}));
  EXPECT_TRUE(says(message_of([] { read_csv_nodes("/dev/zero"); }), {"/dev/zero:1: a control character"}));
  const TemporaryFile of_another_system("\xef\xbb\xbfX (m), Y (m), Z (m)\r\n0,0,0\r\n\"1\",0,0\r\n");
  EXPECT_EQ(read_csv_nodes(of_another_system.path()), (std::vector<double>{0, 0, 0, 1, 0, 0}));
}

TEST(ShapeFile, HoldsLengthsThatRodsMayHave) {
  const auto numbers = [](const std::string& text) {
    const TemporaryFile file(text);
    return read_csv_numbers({"rod.rest_length_file"_key, "rod.rest_lengths"_key, -1, {file.path(), ""}});
  };
  EXPECT_EQ(numbers("length\n0.1\n0.2\n"), (std::vector<double>{0.1, 0.2}));
  EXPECT_TRUE(
      says(message_of([&] { numbers("0.1\n-0.2\n"); }), {".csv:2:1: rod.rest_lengths = '-0.2'", "> 0"}));
  EXPECT_TRUE(says(message_of([&] { numbers("nan\n0.1\n"); }), {".csv:1:1: 'nan' is not a finite"}));
}

TEST(ShapeFile, StandsBesideItsDeckAndGivesWayToItsNodes) {
  Deck deck = Deck::parse(file_deck, "studies/deck.ini", {"rod.shape_file=shapes/wave.csv"});
  const std::vector<AwaitedFile> awaited = awaited_files(deck, "studies/deck.ini");
  ASSERT_EQ(awaited.size(), 1U);
  const ShapeFile& file = awaited.front().file;
  EXPECT_EQ(file.path, "studies/shapes/wave.csv");
  EXPECT_EQ(file.dataset, "");
  deck.set_shape_nodes({0, 0, 0, 0, 0, 1.5, 0, 0, 1.5}, file.path);
  EXPECT_TRUE(awaited_files(deck, "studies/deck.ini").empty());
  EXPECT_TRUE(says(message_of([&] { make_member_spec(deck); }),
                   {"studies/shapes/wave.csv: rod.shape_nodes: nodes 1 and 2 coincide"}));
  // The stored deck holds the nodes, and needs the file no more.
  deck.set_shape_nodes({0, 0, 0, 0, 0.1, 1.5}, file.path);
  const Deck stored = Deck::parse(deck.resolved(), "/deck");
  EXPECT_EQ(stored.resolved(), deck.resolved());
  EXPECT_EQ(deck.resolved().find("wave.csv"), std::string::npos);
  EXPECT_TRUE(awaited_files(stored, "/deck").empty());
  EXPECT_EQ(make_member_spec(stored).rod.shape_nodes[1].z, 1.5);

  const Deck dataset = Deck::parse(file_deck, "deck.ini", {"rod.shape_file=/data/run.h5:/shapes/knot"});
  EXPECT_EQ(awaited_files(dataset, "studies/deck.ini").front().file.path, "/data/run.h5");
  EXPECT_EQ(awaited_files(dataset, "studies/deck.ini").front().file.dataset, "/shapes/knot");
  // Whoever reads the dataset.
  Deck taking = dataset;
  const ShapeReader reader = [](const std::string&, const std::string&) {
    return std::vector<double>{0, 0, 0, 1, NAN, 0};
  };
  EXPECT_TRUE(says(message_of([&] { take_files(awaited_files(dataset, ""), reader, taking); }),
                   {"/data/run.h5:/shapes/knot: number 4 (from 0) is not finite"}));
}

}  // namespace
}  // namespace rodeo
