#include "rodeo/input/shape_file.hpp"

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
  EXPECT_TRUE(says(error("0,0,0\n0,zero,1\n"), {".csv:2: 'zero' is not a finite decimal number"}));
  EXPECT_TRUE(says(error("x,y,z\n0,0,0\nx,y,z\n"), {".csv:3: 'x'"}));
  EXPECT_TRUE(says(error("0,0,nan\n"), {".csv:1: 'nan'"}));
  EXPECT_TRUE(says(error("0,0,0\n\n1,2\n"), {".csv:3: 2 numbers"}));
  EXPECT_TRUE(says(error("1,2,3,4\n"), {".csv:1: 4 numbers"}));
  EXPECT_TRUE(says(error(std::string(5000, '1')), {"longer than 1000 bytes"}));
  std::string many;
  for (std::size_t i = 0; i <= most_shape_nodes; ++i) many += "1,2,3\n";
  EXPECT_TRUE(says(error(many), {"more than 10000 nodes"}));
  EXPECT_TRUE(says(message_of([] { read_csv_nodes("nowhere.csv"); }),
                   {"nowhere.csv: cannot read this rod.shape_file: No such file"}));
  EXPECT_TRUE(says(message_of([] { read_csv_nodes("/"); }), {"is a directory"}));
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
}

}  // namespace
}  // namespace rodeo
