#include "rodeo/input/placement.hpp"

#include <filesystem>
#include <fstream>
#include <numbers>
#include <unistd.h>

#include <gtest/gtest.h>

#include "rodeo/rod/initial_shape.hpp"

#include "messages.hpp"

namespace rodeo {
namespace {

using test::message_of;
using test::rod_deck;
using test::says;
using test::spec_error;
using test::spec_of;

const RodSetup& setup_of(const MemberSpec& spec, int k) {
  return k == 0 ? static_cast<const RodSetup&>(spec) : spec.further_rods[static_cast<std::size_t>(k) - 1];
}

std::string placed_rods(const std::string& lines) { return rod_deck({}, lines); }

const std::string lattice_lines =
    "placement = lattice\nlattice = 2, 3, 2\nlattice_spacing = 0.5, 1, 3\norigin = 1, 0, -1\n";
const std::string random_lines = "placement = random\nregion_size = 8, 8, 8\ncount = 10\n";

TEST(Placement, OnALatticeBeginsAtTheOrigin) {
  const MemberSpec spec = spec_of(placed_rods(lattice_lines));
  ASSERT_EQ(spec.rod_count(), 12);
  const Vec3 second = setup_of(spec, 1).rod.origin;
  const Vec3 ninth = setup_of(spec, 8).rod.origin;  // 0 + 2 (1 + 3 1)
  EXPECT_EQ(spec.rod.origin.x, 1.0);
  EXPECT_EQ(second.x, 1.5);
  EXPECT_EQ(second.y, 0.0);
  EXPECT_EQ(ninth.x, 1.0);
  EXPECT_EQ(ninth.y, 1.0);
  EXPECT_EQ(ninth.z, 2.0);
  // rod.count may say the same; rods may be moved from their places, and differ.
  const MemberSpec moved =
      spec_of(placed_rods("count = 2\nplacement = lattice\nlattice = 2, 1, 1\nlattice_spacing = 0.5, 0, 0\n"
                          "each = rod.origin[1] : list(0, 7)\neach = rod.radius : list(0.1, 0.05)\n"));
  EXPECT_EQ(setup_of(moved, 1).rod.origin.x, 0.5);
  EXPECT_EQ(setup_of(moved, 1).rod.origin.y, 7.0);
  EXPECT_EQ(setup_of(moved, 1).rod.radius, 0.05);
}

/// What follows from rod.placement is what measures and the numbers of rods read of it.
TEST(Placement, SaysWhatRodCountIsInFormulas) {
  const auto count = [](const std::string& lines, const std::vector<std::string>& overrides = {}) {
    const Deck deck = Deck::parse(placed_rods(lines), "deck.ini", overrides);
    return deck.number(parse_parameter_address("rod.count"));
  };
  EXPECT_EQ(count(lattice_lines), 12.0);
  EXPECT_EQ(count(random_lines), 10.0);
  const std::string by_share = "placement = random\nregion_size = 8, 8, 8\nvolume_share = 0.002\n";
  EXPECT_EQ(count(by_share), 16.0);
  EXPECT_EQ(count(lattice_lines, {"rod.lattice=2, 1, 1"}), 2.0);
  const MemberSpec named =
      spec_of(placed_rods("placement = lattice\nlattice = 3, 1, 1\nlattice_spacing = 1, 0, 0\n"
                          "each = rod.radius : list(0.1, 0.1, 0.3/rod.count)\n"));
  EXPECT_NEAR(setup_of(named, 2).rod.radius, 0.1, 1e-16);
  EXPECT_TRUE(says(spec_error(placed_rods(by_share), {"rod.each=rod.length : uniform(1, rod.count)"}),
                   {"rod.count follows from these rods"}));
}

TEST(Placement, OnALatticeIsRefusedWhereItIsNone) {
  EXPECT_TRUE(says(spec_error(placed_rods("count = 5\n" + lattice_lines)),
                   {"deck.ini:12: rod.count", "12 rods of rod.lattice (deck.ini:14)", "leave it out"}));
  EXPECT_TRUE(says(spec_error(placed_rods("placement = lattice\nlattice = 2, 1, 1\n")),
                   {"rod.lattice_spacing", "0 along x", "rod.lattice (deck.ini:13)", "one place"}));
  EXPECT_TRUE(says(spec_error(placed_rods("placement = lattice\nlattice = 1.5, 1, 1\n")),
                   {"deck.ini:13: rod.lattice", "1.5 is not a whole number"}));
  EXPECT_TRUE(says(spec_error(placed_rods("placement = lattice\nlattice = 100, 101, 1\n")),
                   {"deck.ini:13: rod.lattice", "gives 10100 rods", "at most 10000"}));
  EXPECT_TRUE(says(test::parse_error(placed_rods("lattice_spacing = 1, -1, 0\n")),
                   {"deck.ini:12", "rod.lattice_spacing", "-1", "out of range"}));
  EXPECT_TRUE(says(test::parse_error(placed_rods("lattice = 0, 1, 1\n")), {"rod.lattice", "out of range"}));
  EXPECT_TRUE(says(spec_error(placed_rods(lattice_lines + "each = rod.length : list(1, 2)\n")),
                   {"deck.ini:16: rod.each", "2 values for rod.count = 12 (deck.ini:13)"}));
}

TEST(Placement, AtRandomIsRepeatableAndVariedByItsSeedAlone) {
  const std::string text = placed_rods(random_lines);
  const MemberSpec spec = spec_of(text);
  const MemberSpec again = spec_of(text, {"study.seed=99", "rod.young_modulus=2e6"});
  const MemberSpec other = spec_of(text, {"rod.placement_seed=1"});
  ASSERT_EQ(spec.rod_count(), 10);
  for (int k = 0; k < 10; ++k) {
    const RodSpec& rod = setup_of(spec, k).rod;
    EXPECT_EQ(rod.origin.x, setup_of(again, k).rod.origin.x);
    EXPECT_EQ(rod.direction.z, setup_of(again, k).rod.direction.z);
    EXPECT_EQ(rod.normal.y, setup_of(again, k).rod.normal.y);
    EXPECT_NE(rod.origin.x, setup_of(other, k).rod.origin.x);
    EXPECT_NEAR(norm(rod.direction), 1.0, 1e-15);
    EXPECT_NEAR(dot(rod.direction, rod.normal), 0.0, 1e-15);
    for (const Vec3& node : initial_shape(rod).nodes) {
      for (const double x : {node.x, node.y, node.z}) EXPECT_LT(std::abs(x) + rod.radius, 4.0 + 1e-9);
    }
  }
  // What was made before does not matter, and a deck that was stored gives the same rods.
  Deck deck = Deck::parse(text, "deck.ini");
  deck.set({"rod.placement_seed"_key, -1}, 1.0);
  make_member_spec(deck);
  deck.set({"rod.placement_seed"_key, -1}, 0.0);
  const MemberSpec stored = make_member_spec(Deck::parse(deck.resolved(), "stored"));
  EXPECT_EQ(setup_of(stored, 9).rod.origin.z, setup_of(spec, 9).rod.origin.z);
  EXPECT_NEAR(*volume_share(deck, spec), 10 * std::numbers::pi * 0.01 * 2.0 / 512.0, 1e-15);
  EXPECT_FALSE(volume_share(Deck::parse(test::complete_deck, "deck.ini"), spec_of(test::complete_deck)));
}

TEST(Placement, AtRandomCountsRodsByTheirVolume) {
  // pi r^2 L = 0.0628 m^3 in 512 m^3.
  const std::string by_share =
      placed_rods("placement = random\nregion_size = 8, 8, 8\nvolume_share = 0.002\n");
  EXPECT_EQ(spec_of(by_share).rod_count(), 16);
  EXPECT_EQ(spec_of(by_share, {"rod.count=16"}).rod_count(), 16);
  EXPECT_EQ(spec_of(by_share, {"rod.volume_share=1e-9"}).rod_count(), 1);
  const MemberSpec lengths = spec_of(by_share, {"rod.each=rod.length : uniform(1, 3)"});
  double share = 0.0;
  for (int k = 0; k < lengths.rod_count(); ++k)
    share += std::numbers::pi * 0.01 * setup_of(lengths, k).rod.length / 512.0;
  EXPECT_NEAR(share, 0.002, 0.5 * std::numbers::pi * 0.01 * 3.0 / 512.0);
  EXPECT_TRUE(says(spec_error(by_share, {"rod.count=3"}),
                   {"command line: rod.count", "16 rods of rod.volume_share (deck.ini:14)"}));
  EXPECT_TRUE(says(spec_error(by_share, {"rod.each=rod.length : list(1, 2)"}),
                   {"deck.ini:14: rod.volume_share", "rod.each (command line)", "rod.count in its place"}));
  EXPECT_TRUE(
      says(spec_error(by_share, {"rod.radius=1e-3"}), {"deck.ini:14: rod.volume_share", "at most 10000"}));
}

TEST(Placement, AtRandomTurnsShapesOfFilesToo) {
  const std::string hook = test::file_deck + "[rod]\nshape_nodes = 0,0,0, 0,0,1, 0,1,1\n" + random_lines;
  const MemberSpec spec = spec_of(hook);
  const MemberSpec aligned = spec_of(hook, {"rod.orientation=aligned"});
  for (int k = 0; k < 10; ++k) {
    const RodSpec& rod = setup_of(spec, k).rod;
    const std::vector<Vec3> nodes = initial_shape(rod).nodes;
    EXPECT_NEAR(norm(nodes[1] - nodes[0]), 1.0, 1e-14);
    EXPECT_NEAR(dot(nodes[1] - nodes[0], nodes[2] - nodes[1]), 0.0, 1e-14);
    EXPECT_GT(norm(nodes[1] - nodes[0] - Vec3{0, 0, 1}), 1e-3);
    EXPECT_EQ(setup_of(aligned, k).rod.shape_nodes[1].z, 1.0);
  }
}

TEST(Placement, AtRandomSaysWhyRodsDoNotFit) {
  const std::string text = placed_rods(random_lines);
  EXPECT_TRUE(says(spec_error(text, {"rod.region_size=1, 1, 1"}),
                   {"command line: rod.region_size", "too small for rod 0, 2 m long with a radius of 0.1 m",
                    "make it larger"}));
  EXPECT_TRUE(
      says(spec_error(text, {"rod.region_size=3, 3, 0.3", "rod.count=100"}),
           {"command line: rod.count: only ",
            " of 100 rods found a place in rod.region, at a volume share of 0.", "ask for fewer rods"}));
  EXPECT_TRUE(says(spec_error(placed_rods("placement = random\n")),
                   {"rod.region_size is missing", "rod.region = box needs it"}));
  EXPECT_TRUE(says(spec_error(text, {"rod.region=cylinder", "rod.region_radius=2"}),
                   {"rod.region_length is missing"}));
  EXPECT_TRUE(says(spec_error(text, {"rod.orientation=distributed"}), {"rod.orientation_spread is missing"}));
  EXPECT_TRUE(
      says(test::parse_error(text, {"rod.region_size=1, 0, 1"}), {"rod.region_size", "out of range"}));
}

TEST(Placement, RefusesKeysWithoutEffect) {
  using test::effects_error;
  EXPECT_TRUE(says(effects_error(placed_rods("lattice = 2, 1, 1\n")),
                   {"deck.ini:12: rod.lattice", "it needs rod.placement = lattice"}));
  EXPECT_TRUE(says(effects_error(placed_rods(random_lines + "origin = 1, 0, 0\n")),
                   {"deck.ini:15: rod.origin", "rod.placement is random (deck.ini:12)"}));
  EXPECT_TRUE(says(effects_error(placed_rods(random_lines + "direction = 1, 0, 0\n")),
                   {"deck.ini:15: rod.direction", "rod.orientation = aligned|distributed"}));
  EXPECT_TRUE(says(effects_error(placed_rods(random_lines + "region_radius = 1\n")),
                   {"rod.region_radius", "it needs rod.region = cylinder|sphere"}));
  EXPECT_TRUE(says(effects_error(placed_rods(lattice_lines + "[joint]\nkind = ball\n")),
                   {"joint.kind", "it needs rod.placement = each"}));
  EXPECT_TRUE(says(effects_error(placed_rods(random_lines + "[joint]\nkind = ball\n")),
                   {"joint.kind", "it needs rod.placement = each"}));
  const std::string seeded = "count = 2\nplacement_seed = 3\neach = rod.length : ";
  const std::string needed = "it needs rod.placement = random or a distribution in rod.each";
  EXPECT_TRUE(says(effects_error(placed_rods("placement_seed = 3\n")), {"rod.placement_seed", needed}));
  EXPECT_TRUE(says(effects_error(placed_rods(seeded + "list(1, 2)\n")), {"rod.placement_seed", needed}));
  const Deck drawn = Deck::parse(rod_deck({"length"}, seeded + "uniform(1, 2)\n"), "deck.ini");
  EXPECT_NO_THROW(check_effects(drawn, drawn));
  EXPECT_TRUE(says(test::parse_error(placed_rods("each = rod.region : list(box)\n")), {"as a whole"}));
}

/// A deck with the file of a scene beside it.
class SceneFile : public ::testing::Test {
 protected:
  SceneFile() { std::filesystem::create_directory(folder_); }
  ~SceneFile() override { std::filesystem::remove_all(folder_); }

  Deck deck(const std::string& scene, const std::vector<std::string>& overrides = {}) const {
    std::ofstream(folder_ / "scene.csv") << scene;
    std::ofstream(folder_ / "deck.ini") << rod_deck({"length"}, "placement = file\nscene = scene.csv\n");
    return Deck::read((folder_ / "deck.ini").string(), overrides);
  }

  std::string error(const std::string& scene, const std::vector<std::string>& overrides = {}) const {
    return message_of([&] { make_member_spec(deck(scene, overrides)); });
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("rodeo-scene-" + std::to_string(getpid()));
};

TEST_F(SceneFile, GivesEachRodARow) {
  const Deck read =
      deck("rod.length, rod.origin[0], boundary.first\n1, 0, free\n# and\n2, 0.5, clamped\n3, 1, free\n",
           {"rod.each=rod.radius : list(0.1, 0.2, 0.3)"});
  const MemberSpec spec = make_member_spec(read);
  ASSERT_EQ(spec.rod_count(), 3);
  EXPECT_EQ(setup_of(spec, 1).rod.length, 2.0);
  EXPECT_EQ(setup_of(spec, 1).boundary.first, EndCondition::clamped);
  EXPECT_EQ(setup_of(spec, 2).rod.origin.x, 1.0);
  EXPECT_EQ(setup_of(spec, 2).rod.radius, 0.3);
  // The stored deck has no need of the file; people see its name.
  const Deck stored = Deck::parse(read.resolved(), "stored");
  EXPECT_EQ(stored.resolved(), read.resolved());
  EXPECT_EQ(stored.first_difference(read), no_key);
  EXPECT_EQ(make_member_spec(stored).further_rods[1].rod.length, 3.0);
  EXPECT_TRUE(
      says(read.printed(), {"placement = file\n", "scene = " + (folder_ / "scene.csv").string() + "\n",
                            "count = 3\n", "each = rod.radius : list(0.1, 0.2, 0.3)\n"}));
  EXPECT_EQ(read.printed().find("rod.length : list"), std::string::npos);
  EXPECT_TRUE(says(read.resolved(), {"placement = each\n", "each = rod.length : list(1, 2, 3)\n"}));
}

TEST_F(SceneFile, SaysWhereItIsWrong) {
  const std::string two = "rod.length, rod.radius\n1, 0.1\n2, 0.1\n";
  EXPECT_TRUE(says(error("rod.length, rod.radios\n1, 0.1\n"), {"scene.csv:1:13", "did you mean rod.radius"}));
  EXPECT_TRUE(says(error("rod.length\n1\n-1\n"), {"scene.csv:3:1", "rod.length = '-1'", "real > 0"}));
  EXPECT_TRUE(says(error("time.end\n1\n"), {"scene.csv:1:1", "time.end holds for a member as a whole"}));
  EXPECT_TRUE(
      says(error("rod.length\n"), {"scene.csv:1", "no row follows the header in this scene (rod.scene, "}));
  EXPECT_TRUE(says(error(two, {"rod.count=3"}),
                   {"command line: rod.count", "2 rods of ", "scene.csv; leave it out"}));
  EXPECT_TRUE(says(error(two, {"rod.each=rod.radius : list(1, 2)"}),
                   {"scene.csv:1:13", "rod.radius has a value for each rod", "command line"}));
  EXPECT_TRUE(says(error(two, {"sweep.axis=rod.radius : list(1, 2)", "study.kind=sweep"}),
                   {"rod.radius has a value for each rod", "scene.csv:1:13"}));
  EXPECT_TRUE(says(error(two, {"rod.scene=none.csv"}),
                   {"none.csv: cannot read this scene (rod.scene, command line)"}));
  std::string many = "rod.length\n";
  for (int k = 0; k <= 10000; ++k) many += "1\n";
  EXPECT_TRUE(says(error(many), {"10001 rods", "rod.count: "}));
  EXPECT_TRUE(says(spec_error(rod_deck({}, "placement = file\nscene = scene.csv\n")),
                   {"rod.placement", "this is none"}));
  EXPECT_TRUE(says(test::effects_error(rod_deck({}, "scene = scene.csv\n")),
                   {"rod.scene", "it needs rod.placement = file"}));
}

TEST(EachRod, TakesNumbersFromDistributions) {
  const std::string text = rod_deck({},
                                    "count = 2000\nelements_per_length = 1\n"
                                    "each = rod.length : uniform(1, 3)\n"
                                    "each = rod.young_modulus : normal(1e6, 1e5)\n"
                                    "each = rod.origin[2] : normal(0, 2)\n");
  const std::string deck = text.substr(0, text.find("elements")) + text.substr(text.find("length = 2"));
  const MemberSpec spec = spec_of(deck);
  ASSERT_EQ(spec.rod_count(), 2000);
  double mean = 0.0;
  double height = 0.0;
  double square = 0.0;
  for (int k = 0; k < 2000; ++k) {
    const RodSpec& rod = setup_of(spec, k).rod;
    EXPECT_TRUE(rod.length >= 1.0 && rod.length <= 3.0);
    mean += rod.length / 2000;
    height += rod.origin.z / 2000;
    square += rod.origin.z * rod.origin.z / 2000;
  }
  EXPECT_NEAR(mean, 2.0, 4.0 / std::sqrt(3.0 * 2000));
  EXPECT_NEAR(height, 0.0, 4.0 * 2.0 / std::sqrt(2000.0));
  EXPECT_NEAR(square, 4.0, 4.0 * 4.0 * std::sqrt(2.0 / 2000));
  EXPECT_EQ(setup_of(spec_of(deck), 7).rod.length, setup_of(spec, 7).rod.length);
  EXPECT_EQ(setup_of(spec_of(deck, {"rod.count=10"}), 7).rod.length, setup_of(spec, 7).rod.length);
  EXPECT_NE(setup_of(spec_of(deck, {"rod.placement_seed=5"}), 7).rod.length, setup_of(spec, 7).rod.length);
  const Deck read = Deck::parse(deck, "deck.ini");
  EXPECT_EQ(setup_of(make_member_spec(Deck::parse(read.resolved(), "stored")), 7).rod.length,
            setup_of(spec, 7).rod.length);
}

TEST(EachRod, RefusesDistributionsThatAreNone) {
  const auto error = [](const std::string& each) {
    return test::parse_error(rod_deck({}, "each = " + each + "\n"));
  };
  EXPECT_TRUE(says(error("rod.length : gauss(1, 2)"),
                   {"deck.ini:12", "'gauss' is none of", "normal(mean,deviation)"}));
  EXPECT_TRUE(says(error("rod.length : uniform(1)"), {"uniform(lower,upper) takes two numbers", "not 1"}));
  EXPECT_TRUE(says(error("rod.length : uniform(2, 1)"), {"an upper number above the lower one, not 1"}));
  EXPECT_TRUE(says(error("rod.length : uniform(-1, 1)"), {"rod.length = '-1'", "real > 0"}));
  EXPECT_TRUE(says(error("rod.length : normal(1, 0)"), {"a deviation above 0, not 0"}));
  EXPECT_TRUE(says(error("rod.elements : uniform(1, 9)"), {"rod.elements takes none: give a list"}));
  EXPECT_TRUE(says(error("boundary.first : uniform(1, 2)"), {"boundary.first takes none"}));
}

}  // namespace
}  // namespace rodeo
