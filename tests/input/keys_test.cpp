#include "rodeo/input/keys.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

#include "input/deck_checks.hpp"

namespace rodeo {
namespace {

TEST(Keys, KnowTheirPlacesInTheTable) {
  for (std::size_t place = 0; place < key_table().size(); ++place) {
    EXPECT_EQ(key_table()[place].key.place, place) << key_table()[place].name;
    EXPECT_EQ(find_key(key_table()[place].name), key_table()[place].key) << key_table()[place].name;
  }
  static_assert(key_info("study.kind"_key).name == "study.kind");
  static_assert("study.kind"_key == key_table().front().key);
  static_assert(key_info("rod.poisson_ratio"_key).name == "rod.poisson_ratio");
  EXPECT_EQ(key_info("output.precision"_key).name, "output.precision");
}

TEST(Keys, OfEachSectionStandTogether) {
  std::set<std::string_view> ended;
  std::string_view present;
  for (const KeyInfo& info : key_table()) {
    const std::string_view section = info.name.substr(0, info.name.find('.'));
    if (section == present) continue;
    EXPECT_TRUE(ended.insert(present).second && !ended.contains(section)) << info.name;
    present = section;
  }
}

TEST(Keys, NamesAreThoseOfTheContract) {
  for (const char* name : {"study.kind",
                           "study.seed",
                           "study.repeats",
                           "study.objective",
                           "study.sense",
                           "sweep.axis",
                           "sweep.sampler",
                           "sweep.samples",
                           "model.kind",
                           "rod.elements",
                           "rod.length",
                           "rod.radius",
                           "rod.density",
                           "rod.mass",
                           "rod.young_modulus",
                           "rod.shear_modulus",
                           "rod.poisson_ratio",
                           "rod.bend_stiffness",
                           "rod.twist_stiffness",
                           "rod.shear_stiffness",
                           "rod.stretch_stiffness",
                           "rod.damping",
                           "load.end_force",
                           "load.end_couple",
                           "load.axial_force",
                           "load.perturbation",
                           "gravity.acceleration",
                           "time.step",
                           "time.step_per_length",
                           "time.end",
                           "output.frames",
                           "output.precision"}) {
    EXPECT_NE(find_key(name), no_key) << name;
  }
  EXPECT_EQ(find_key("rod.lenght"), no_key);
  EXPECT_EQ(find_key(""), no_key);
}

TEST(Keys, EveryRowIsCompleteAndConsistent) {
  std::set<std::string_view> names;
  for (const KeyInfo& info : key_table()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name << " stands twice";
    EXPECT_EQ(std::ranges::count(info.name, '.'), 1) << info.name;
    EXPECT_FALSE(info.text.empty()) << info.name;
    EXPECT_EQ(info.text.find('\n'), std::string_view::npos) << info.name;
    EXPECT_LT(info.minimum, info.maximum) << info.name;
    EXPECT_EQ(info.choices.empty(), info.type != ValueType::choice) << info.name;
    const bool is_word = info.type == ValueType::choice || info.type == ValueType::text;
    const bool has_any_unit = info.key == "variable.NAME"_key;
    EXPECT_EQ(info.unit.empty(), is_word || has_any_unit) << info.name;
  }
}

TEST(Keys, FindsTheNearestKey) {
  EXPECT_EQ(nearest_key("rod.lenght"), "rod.length");
  EXPECT_EQ(nearest_key("rod.young_moduls"), "rod.young_modulus");
  EXPECT_EQ(nearest_key("rods.length"), "rod.length");
  EXPECT_EQ(nearest_key("time.stop"), "time.step");
  EXPECT_EQ(nearest_key("tmie.edn"), "time.end") << "two swaps are two slips, not four";
  EXPECT_EQ(nearest_key("length"), "rod.length") << "the section is forgotten";
  EXPECT_EQ(nearest_key("time.acceleration"), "gravity.acceleration") << "the section is wrong";
  EXPECT_EQ(nearest_key("weather.humidity"), "");
  EXPECT_EQ(nearest_key(""), "");
  EXPECT_EQ(nearest_key(std::string(1'000'000, 'x')), "");
}

TEST(Keys, AnUnknownKeyGetsWhatItMayStandFor) {
  EXPECT_EQ(unknown_key_message("rod.lenght"), "unknown key 'rod.lenght'; did you mean rod.length?");
  EXPECT_EQ(unknown_key_message("rod.pitch"), "unknown key 'rod.pitch'; did you mean rod.helix_pitch?");
  EXPECT_EQ(unknown_key_message("rod.diameter"), "unknown key 'rod.diameter'; did you mean rod.radius?");
  EXPECT_EQ(unknown_key_message("time.dt"), "unknown key 'time.dt'; did you mean time.step?");
  EXPECT_EQ(unknown_key_message("rod.bending_stiffness_of_second_axis"),
            "unknown key 'rod.bending_stiffness_of_second_axis'; did you mean rod.second_bend_stiffness, "
            "rod.second_shear_stiffness or rod.bend_stiffness?");
  EXPECT_EQ(unknown_key_message("weather.humidity"),
            "unknown key 'weather.humidity'; `rodeo keys` lists all keys");
}

TEST(Keys, DescribesAllowedValues) {
  EXPECT_EQ(allowed_values(key_info("rod.length"_key)), "real > 0");
  EXPECT_EQ(allowed_values(key_info("rod.damping"_key)), "real >= 0");
  EXPECT_EQ(allowed_values(key_info("load.axial_force"_key)), "real");
  EXPECT_EQ(allowed_values(key_info("rod.poisson_ratio"_key)), "real in (-1, 0.5]");
  EXPECT_EQ(allowed_values(key_info("rod.elements"_key)), "integer in [1, 1000000]");
  EXPECT_EQ(allowed_values(key_info("study.seed"_key)), "integer in [0, 18446744073709551615]");
  EXPECT_EQ(allowed_values(key_info("study.kind"_key)),
            "one of single|sweep|boundary|branch|convergence|optimize|sensitivity");
  EXPECT_EQ(allowed_values(key_info("rod.origin"_key)), "3 comma-separated reals");
  EXPECT_EQ(allowed_values(key_info("sweep.axis"_key)), "text, repeatable");
  EXPECT_EQ(allowed_with_unit(key_info("rod.length"_key)), "real > 0, m");
  EXPECT_EQ(allowed_with_unit(key_info("rod.poisson_ratio"_key)), "real in (-1, 0.5]");
}

TEST(ReferenceDeck, IsTheCommittedFile) {
  std::ifstream file(RODEO_SOURCE_DIR "/inputs/reference.ini", std::ios::binary);
  ASSERT_TRUE(file) << "inputs/reference.ini is missing";
  const std::string committed{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(committed, reference_deck());
}

TEST(ReferenceDeck, ParsesToTheDefaults) {
  const Deck reference = Deck::parse(reference_deck(), "reference.ini");
  const Deck empty = Deck::parse("", "empty.ini");
  EXPECT_EQ(reference.resolved(), empty.resolved());
  for (const KeyInfo& info : key_table()) {
    EXPECT_EQ(reference.is_given(info.key), !info.default_text.empty()) << info.name;
  }
}

TEST(ReferenceDeck, SaysTypeUnitRangeAndMeaningOfEveryKey) {
  const std::string deck = reference_deck();
  for (const KeyInfo& info : key_table()) {
    const std::string key(info.name.substr(info.name.find('.') + 1));
    const std::string line = info.default_text.empty()
                                 ? "\n# " + key + " =\n"
                                 : "\n" + key + " = " + std::string(info.default_text) + "\n";
    EXPECT_NE(deck.find(line), std::string::npos) << info.name;
    EXPECT_NE(deck.find("# " + std::string(info.text) + "\n# " + allowed_values(info)), std::string::npos)
        << info.name;
  }
  EXPECT_NE(deck.find("# real > 0; unit kg/m^3; no default\n# density =\n"), std::string::npos);
  EXPECT_NE(deck.find("# real >= 0; unit kg/(m s); default 0\ndamping = 0\n"), std::string::npos);
}

}  // namespace
}  // namespace rodeo
