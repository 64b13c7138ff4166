#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>
#include <unistd.h>

#include <gtest/gtest.h>

#include "messages.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/input/shape_file.hpp"

namespace rodeo {
namespace {

using std::numbers::pi;
using test::complete_deck;
using test::message_of;
using test::says;

/// complete_deck for a shape whose nodes give its length and elements.
const std::string file_deck =
    "[rod]\n"
    "radius = 0.1\n"
    "density = 1000\n"
    "young_modulus = 1e6\n"
    "poisson_ratio = 0.25\n"
    "shape = file\n"
    "[time]\n"
    "step = 1e-3\n"
    "end = 1\n";

MemberSpec spec_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return make_member_spec(Deck::parse(text, "deck.ini", overrides));
}

std::string spec_error(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Deck deck = Deck::parse(text, "deck.ini", overrides);
  return message_of([&] { make_member_spec(deck); });
}

TEST(ShapeKeys, ARingIsClosedUnlessTheDeckOpensIt) {
  EXPECT_FALSE(spec_of(complete_deck).rod.closed);
  const RodSpec ring = spec_of(complete_deck, {"rod.shape=ring", "rod.total_twist=3"}).rod;
  EXPECT_EQ(ring.shape, RodShape::ring);
  EXPECT_TRUE(ring.closed);
  EXPECT_FALSE(ring.rests_straight);
  EXPECT_EQ(ring.total_twist, 3.0);
  EXPECT_FALSE(spec_of(complete_deck, {"rod.shape=ring", "rod.closed=no"}).rod.closed);
}

TEST(ShapeKeys, GiveNaturalShapeTaperAndMass) {
  const RodSpec rod =
      spec_of(complete_deck,
              {"rod.rest_shape=straight", "rod.intrinsic_curvature=1, -2", "rod.intrinsic_twist=0.5",
               "rod.end_radius=0.05", "rod.shape=helix", "rod.helix_radius=0.3", "rod.helix_pitch=-0.2"})
          .rod;
  EXPECT_TRUE(rod.rests_straight);
  EXPECT_EQ(rod.intrinsic_curvature.x, 1.0);
  EXPECT_EQ(rod.intrinsic_curvature.y, -2.0);
  EXPECT_EQ(rod.intrinsic_curvature.z, 0.5);
  EXPECT_EQ(rod.end_radius_ratio, 0.5);
  EXPECT_EQ(rod.helix_pitch, -0.2);
  std::string massive = complete_deck;
  massive.replace(massive.find("density = 1000"), 14, "mass = 3");
  // A frustum: pi L (a^2 + a b + b^2)/3.
  EXPECT_NEAR(spec_of(massive, {"rod.end_radius=0.05"}).rod.density, 3 / (pi * 2 * 0.0175 / 3), 1e-10);
}

TEST(ShapeKeys, RefuseWhatCannotBe) {
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.closed=yes"}),
                   {"command line: rod.closed", "rod.shape = straight", "do not meet"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.helix_radius=1"}),
                   {"rod.helix_radius", "no meaning with rod.shape = straight"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.shape=helix"}), {"rod.helix_radius is missing"}));
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"rod.shape=helix", "rod.helix_radius=0.01", "rod.helix_pitch=0.01"}),
           {"rod.helix_radius", "fewer than two", "50 elements"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.shape=ring", "rod.elements=2"}),
                   {"rod.elements", "2 elements", "at least 3"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.total_twist=160"}),
                   {"rod.total_twist", "half a turn or more an element"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.shape=ring", "rod.end_radius=0.2"}),
                   {"rod.end_radius", "closed"}));
  EXPECT_TRUE(says(test::parse_error(complete_deck, {"rod.intrinsic_curvature=1"}),
                   {"rod.intrinsic_curvature", "2 comma-separated"}));
}

TEST(ShapeKeys, RefuseEndsOfAClosedRod) {
  for (const char* const given : {"boundary.first=clamped", "boundary.last=pinned", "load.end_force=0, 0, 1",
                                  "load.end_couple=1, 0, 0", "load.axial_force=-1"}) {
    const std::string key(given, std::string(given).find('='));
    EXPECT_TRUE(says(spec_error(complete_deck, {"rod.shape=ring", given}),
                     {"command line: " + key, "closed rod has none"}));
    EXPECT_NO_THROW(spec_of(complete_deck, {"rod.shape=ring", "rod.closed=no", given}));
  }
}

TEST(ShapeKeys, PointMassesNeedAPlaceEach) {
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.point_masses=1"}),
                   {"rod.point_mass_positions is missing", "needed for rod.point_masses"}));
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"rod.point_mass_positions=1"}), {"rod.point_masses is missing"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.point_masses=1, 2", "rod.point_mass_positions=1"}),
                   {"rod.point_mass_positions", "holds 1 numbers, rod.point_masses 2"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.point_masses=1", "rod.point_mass_positions=2.5"}),
                   {"2.5 m is beyond the rod's 2 m"}));
  EXPECT_TRUE(says(test::parse_error(complete_deck, {"rod.point_masses=-1"}), {"out of range"}));
  Deck deck =
      Deck::parse(complete_deck, "deck.ini", {"rod.point_masses=1, 2", "rod.point_mass_positions=1, 2"});
  deck.set(parse_parameter_address("rod.point_masses[1]"), 5.0);
  EXPECT_EQ(make_member_spec(deck).rod.point_masses[1].mass, 5.0);
}

TEST(ShapeNodes, GiveLengthAndElements) {
  const RodSpec open = spec_of(file_deck, {"rod.shape_nodes=0,0,0, 0,0,1, 0,2,1"}).rod;
  EXPECT_EQ(open.elements, 2);
  EXPECT_EQ(open.length, 3.0);
  ASSERT_EQ(open.shape_nodes.size(), 3);
  EXPECT_EQ(open.shape_nodes[2].y, 2.0);
  const RodSpec closed =
      spec_of(file_deck, {"rod.closed=yes", "rod.shape_nodes=0,0,0, 0,0,3, 0,4,3", "rod.elements=3"}).rod;
  EXPECT_EQ(closed.elements, 3);
  EXPECT_EQ(closed.length, 12.0);
}

TEST(ShapeNodes, AreCheckedOneByOne) {
  const auto error = [](const char* nodes, std::vector<std::string> more = {}) {
    more.push_back(std::string("rod.shape_nodes=") + nodes);
    return spec_error(file_deck, more);
  };
  EXPECT_TRUE(says(spec_error(file_deck), {"rod.shape_file is missing", "rod.shape = file (deck.ini:6)"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0"), {"holds 5 numbers"}));
  EXPECT_TRUE(says(error("0,0,0"), {"holds 1 nodes", "an open rod needs at least 2"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0,1", {"rod.closed=yes"}), {"a closed rod needs at least 3"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0,1, 0,0,1, 1,0,1"), {"nodes 1 and 2 coincide"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0,1, 0,1,1, 0,0,0", {"rod.closed=yes"}),
                   {"nodes 3 and 0 coincide; a closed rod lists each node once"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0,1, 0,0,0.5"), {"folds back on itself at node 1"}));
  EXPECT_TRUE(says(error("0,0,0, 1,0,0, 1,1,0"), {"rod.normal", "parallel to the first element"}));
  EXPECT_TRUE(
      says(error("0,0,0, 0,0,1", {"rod.elements=2"}), {"rod.elements", "1 elements", "leave it out"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0,1", {"rod.length=1"}), {"rod.length", "no meaning"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0,1", {"rod.shape_file=a.csv"}), {"contradicts rod.shape_file"}));
}

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
  const std::optional<ShapeFile> file = awaited_shape_file(deck, "studies/deck.ini");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->path, "studies/shapes/wave.csv");
  EXPECT_EQ(file->dataset, "");
  deck.set_shape_nodes({0, 0, 0, 0, 0, 1.5, 0, 0, 1.5}, file->path);
  EXPECT_FALSE(awaited_shape_file(deck, "studies/deck.ini"));
  EXPECT_TRUE(says(message_of([&] { make_member_spec(deck); }),
                   {"studies/shapes/wave.csv: rod.shape_nodes: nodes 1 and 2 coincide"}));
  // The stored deck holds the nodes, and needs the file no more.
  deck.set_shape_nodes({0, 0, 0, 0, 0.1, 1.5}, file->path);
  const Deck stored = Deck::parse(deck.resolved(), "/deck");
  EXPECT_EQ(stored.resolved(), deck.resolved());
  EXPECT_EQ(deck.resolved().find("wave.csv"), std::string::npos);
  EXPECT_FALSE(awaited_shape_file(stored, "/deck"));
  EXPECT_EQ(make_member_spec(stored).rod.shape_nodes[1].z, 1.5);

  const Deck dataset = Deck::parse(file_deck, "deck.ini", {"rod.shape_file=/data/run.h5:/shapes/knot"});
  EXPECT_EQ(awaited_shape_file(dataset, "studies/deck.ini")->path, "/data/run.h5");
  EXPECT_EQ(awaited_shape_file(dataset, "studies/deck.ini")->dataset, "/shapes/knot");
}

}  // namespace
}  // namespace rodeo
