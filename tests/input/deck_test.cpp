#include "rodeo/input/deck.hpp"

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "rodeo/input/number_text.hpp"

#include "input/deck_checks.hpp"
#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::message_of;
using test::parse_error;
using test::says;

std::string in_rod(const std::string& line) { return "[rod]\n" + line + "\n"; }

TEST(Deck, ReadsEveryType) {
  const Deck deck = Deck::parse(
      "# a comment\n"
      "[study]\n"
      "kind = sweep\n"
      "objective = forward_speed  # and a comment\n"
      "\n"
      "[rod]\n"
      "  length=2.5\n"
      "elements\t=\t1e3\n"
      "origin = 1, -2 ,3e-3\n",
      "deck.ini");
  EXPECT_EQ(deck.choice("study.kind"_key), "sweep");
  EXPECT_EQ(deck.texts("study.objective"_key), std::vector<std::string>{"forward_speed"});
  EXPECT_EQ(deck.number("rod.length"_key), 2.5);
  EXPECT_EQ(deck.integer("rod.elements"_key), 1000);
  EXPECT_EQ(deck.number("rod.elements"_key), 1000.0);
  EXPECT_EQ(deck.list("rod.origin"_key), (std::vector<double>{1.0, -2.0, 3e-3}));
  const Vec3 origin = deck.vec3("rod.origin"_key);
  EXPECT_EQ(origin.x, 1.0);
  EXPECT_EQ(origin.y, -2.0);
  EXPECT_EQ(origin.z, 3e-3);
}

TEST(Deck, TellsGivenFromDefaultFromAbsent) {
  const Deck deck = Deck::parse(in_rod("length = 1"), "deck.ini", {"study.repeats=3"});
  EXPECT_TRUE(deck.is_given("rod.length"_key));
  EXPECT_TRUE(deck.is_given("study.repeats"_key));
  EXPECT_FALSE(deck.is_given("rod.damping"_key));
  EXPECT_TRUE(deck.has_value("rod.damping"_key));
  EXPECT_FALSE(deck.has_value("rod.mass"_key));
  EXPECT_TRUE(deck.texts("sweep.axis"_key).empty());
  EXPECT_TRUE(says(message_of([&] { deck.number("rod.mass"_key); }),
                   {"deck.ini: ", "rod.mass is missing", "real > 0, kg", "mass of the whole rod"}));
}

TEST(Deck, HasTheDefaultsOfTheContract) {
  const Deck deck = Deck::parse("", "deck.ini");
  EXPECT_EQ(deck.choice("study.kind"_key), "single");
  EXPECT_EQ(deck.seed(), 1u);
  EXPECT_EQ(deck.integer("study.repeats"_key), 1);
  EXPECT_EQ(deck.choice("study.sense"_key), "max");
  EXPECT_EQ(deck.choice("sweep.sampler"_key), "grid");
  EXPECT_EQ(deck.choice("model.kind"_key), "cosserat");
  EXPECT_EQ(deck.vec3("rod.direction"_key).z, 1.0);
  EXPECT_FALSE(deck.has_value("rod.normal"_key));
  EXPECT_EQ(deck.choice("boundary.first"_key), "free");
  EXPECT_EQ(deck.integer("time.slice_steps"_key), 1000);
  EXPECT_EQ(deck.integer("output.frames"_key), 0);
  EXPECT_EQ(deck.choice("output.precision"_key), "double");
}

TEST(Deck, ToleratesCarriageReturnsAndAByteOrderMark) {
  const Deck deck = Deck::parse("\xef\xbb\xbf[rod]\r\nlength = 2\r\n\r\nradius = 0.5\r\n", "deck.ini");
  EXPECT_EQ(deck.number("rod.length"_key), 2.0);
  EXPECT_EQ(deck.number("rod.radius"_key), 0.5);
  EXPECT_TRUE(says(parse_error("\xef\xbb\xbf[rod]\r\n\r\nlength = x\r\n"), {"deck.ini:3: ", "'x'"}));
}

TEST(Deck, KeepsSeedsBeyondTheDoubles) {
  const std::string own = "[study]\nmember_seed = 16504019988892878449\n";
  EXPECT_EQ(Deck::parse(own, "deck.ini").member_seed(), 16504019988892878449u);
  const Deck again = Deck::parse(Deck::parse(own, "deck.ini").resolved(), "deck.ini");
  EXPECT_EQ(again.member_seed(), 16504019988892878449u);
  EXPECT_EQ(again.first_difference(Deck::parse("[study]\nkind = single\n", "deck.ini")),
            "study.member_seed"_key);
  const Deck deck = Deck::parse("[study]\nseed = 18446744073709551615\n", "deck.ini");
  EXPECT_EQ(deck.seed(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(Deck::parse(deck.resolved(), "resolved").seed(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(Deck::parse("", "deck.ini", {"study.seed=9007199254740993"}).seed(), 9007199254740993u);
  EXPECT_TRUE(
      says(parse_error("[study]\nseed = 18446744073709551616\n"),
           {"deck.ini:2: ", "study.seed", "'18446744073709551616'", "integer in [0, 18446744073709551615]"}));
}

TEST(DeckErrors, NameFileLineKeyValueAndWhatIsAllowed) {
  EXPECT_TRUE(says(parse_error("# first\n[rod]\n\nlength = 1 m\n"),
                   {"deck.ini:4: ", "rod.length = '1 m'", "real > 0, m", "without its unit"}));
  EXPECT_TRUE(
      says(parse_error(in_rod("length = -1")), {"deck.ini:2: ", "'-1'", "real > 0, m", "out of range"}));
  EXPECT_TRUE(says(parse_error(in_rod("length = 0")), {"out of range"}));
  EXPECT_TRUE(says(parse_error(in_rod("length =")), {"deck.ini:2: ", "rod.length = ''", "no value"}));
  EXPECT_TRUE(says(parse_error(in_rod("poisson_ratio = 0.6")), {"(-1, 0.5]", "out of range"}));
  EXPECT_TRUE(says(parse_error(in_rod("poisson_ratio = -1")), {"(-1, 0.5]", "out of range"}));
  EXPECT_TRUE(says(parse_error(in_rod("elements = 1.5")), {"integer in [1, 1000000]", "not a whole number"}));
  EXPECT_TRUE(says(parse_error(in_rod("elements = 0")), {"integer in [1, 1000000]", "out of range"}));
  EXPECT_TRUE(says(parse_error(in_rod("elements = 1000001")), {"out of range"}));
  EXPECT_TRUE(says(parse_error(in_rod("origin = 1, 2")), {"3 comma-separated reals, m", "has 2 entries"}));
  EXPECT_TRUE(says(parse_error(in_rod("origin = 1, 2, nan")), {"rod.origin", "3 comma-separated reals"}));
  EXPECT_TRUE(says(parse_error(in_rod("origin = 1,,2")), {"rod.origin", "3 comma-separated reals"}));
  EXPECT_TRUE(says(parse_error("[study]\nkind = swep\n"), {"study.kind = 'swep'", "one of single|sweep"}));
  EXPECT_TRUE(says(parse_error("[study]\nkind = single|sweep\n"), {"study.kind", "one of single|sweep"}));
}

TEST(Deck, HasExpressionsOfNumbers) {
  const Deck deck = Deck::parse(
      "[rod]\nyoung_modulus = 2e6*pi\nelements = 2*(20 + 5)\ndirection = cos(pi/3), max(0, 1), -2^2\n"
      "[variable]\nturns = 2*pi, 1\n",
      "deck.ini");
  EXPECT_EQ(deck.number("rod.young_modulus"_key), 2e6 * std::numbers::pi);
  EXPECT_EQ(deck.integer("rod.elements"_key), 50);
  EXPECT_EQ(deck.list("rod.direction"_key), (std::vector<double>{std::cos(std::numbers::pi / 3), 1.0, -4.0}));
  EXPECT_EQ(deck.variables().front().numbers.front(), 2 * std::numbers::pi);
  EXPECT_EQ(Deck::parse(deck.resolved(), "again").resolved(), deck.resolved());
  const auto error = [](const std::string& length) {
    return parse_error("[rod]\nlength = " + length + "\n");
  };
  EXPECT_TRUE(says(error("2 m"), {"deck.ini:2: rod.length = '2 m' is not allowed (real > 0, m)",
                                  "written without its unit", "character 3, 'm'"}));
  EXPECT_TRUE(says(error("2*rod.radius"), {"'rod.radius' is no number: numbers, pi and functions alone"}));
  EXPECT_TRUE(says(error("sqr(2)"), {"'sqr' is no function; did you mean sqrt?"}));
  EXPECT_TRUE(says(error("1 - 1"), {"rod.length = '1 - 1'", "out of range"}));
  EXPECT_TRUE(says(error("1e300*1e300"), {"this is no number"}));
}

TEST(DeckErrors, AcceptTheEndsOfClosedRanges) {
  EXPECT_EQ(Deck::parse(in_rod("poisson_ratio = 0.5"), "deck.ini").number("rod.poisson_ratio"_key), 0.5);
  EXPECT_EQ(Deck::parse(in_rod("elements = 1000000"), "deck.ini").integer("rod.elements"_key), 1000000);
  EXPECT_EQ(Deck::parse(in_rod("elements = 1"), "deck.ini").integer("rod.elements"_key), 1);
  EXPECT_EQ(Deck::parse(in_rod("damping = 0"), "deck.ini").number("rod.damping"_key), 0.0);
}

TEST(DeckErrors, SuggestTheNearestKey) {
  EXPECT_TRUE(says(parse_error("[time]\nend = 1\n[rod]\nlenght = 1\n"),
                   {"deck.ini:4: ", "unknown key 'rod.lenght'", "did you mean rod.length?"}));
  EXPECT_TRUE(says(parse_error("length = 1\n"), {"deck.ini:1: ", "'length'", "did you mean rod.length?"}));
  EXPECT_TRUE(says(parse_error("[weather]\nhumidity = 1\n"), {"'weather.humidity'", "`rodeo keys`"}));
}

TEST(DeckErrors, NameBothLinesOfARepeatedKey) {
  EXPECT_TRUE(says(parse_error("[rod]\nlength = 1\nradius = 1\nlength = 1\n"),
                   {"deck.ini:4: ", "rod.length is given twice", "first at deck.ini:2"}));
  EXPECT_TRUE(says(parse_error("", {"rod.length=1", "rod.length=2"}),
                   {"command line: ", "rod.length is given twice", "first at command line"}));
}

TEST(DeckErrors, NameTheLineOfBadSyntax) {
  EXPECT_TRUE(
      says(parse_error("[rod]\nlength 1\n"), {"deck.ini:2: ", "'length 1'", "neither [section] nor key"}));
  EXPECT_TRUE(says(parse_error("\n[rod\n"), {"deck.ini:2: ", "'[rod'"}));
  EXPECT_TRUE(says(parse_error("[]\nlength = 1\n"), {"deck.ini:1: ", "'[]'", "not a section"}));
  EXPECT_TRUE(says(parse_error("[ rod ]\nlength = 1\n"), {"deck.ini:1: ", "'[ rod ]'", "not a section"}));
  EXPECT_TRUE(says(parse_error("[rod] length = 1\n"), {"deck.ini:1: ", "unknown key"}));
}

TEST(DeckErrors, PutPlaceAndKeyInFront) {
  const Deck deck = Deck::parse("[rod]\nlength = 1\n", "deck.ini", {"rod.radius=1"});
  EXPECT_STREQ(deck.error("rod.length"_key, "is short").what(), "deck.ini:2: rod.length: is short");
  EXPECT_STREQ(deck.error("rod.radius"_key, "is large").what(), "command line: rod.radius: is large");
  EXPECT_STREQ(deck.error("rod.mass"_key, "is absent").what(), "deck.ini (not given): rod.mass: is absent");
}

TEST(DeckOverrides, ReplaceValuesOfTheDeck) {
  for (const char* text : {"rod.length=2", "--rod.length=2", " rod.length = 2 "}) {
    const Deck deck = Deck::parse(in_rod("length = 1"), "deck.ini", {text});
    EXPECT_EQ(deck.number("rod.length"_key), 2.0) << text;
    EXPECT_EQ(deck.place("rod.length"_key), "command line") << text;
  }
  EXPECT_EQ(Deck::parse("", "deck.ini", {"load.end_force=1,2,3"}).vec3("load.end_force"_key).y, 2.0);
}

TEST(DeckOverrides, ReplaceAllLinesOfARepeatableKey) {
  const std::string text = "[sweep]\naxis = rod.length : list(1)\naxis = rod.radius : list(2)\n";
  EXPECT_EQ(Deck::parse(text, "deck.ini").texts("sweep.axis"_key).size(), 2u);
  const Deck deck =
      Deck::parse(text, "deck.ini", {"sweep.axis=time.end : list(3)", "sweep.axis=rod.mass : list(4)"});
  EXPECT_EQ(deck.texts("sweep.axis"_key),
            (std::vector<std::string>{"time.end : list(3)", "rod.mass : list(4)"}));
}

TEST(DeckOverrides, NameTheCommandLineInErrors) {
  EXPECT_TRUE(
      says(parse_error("", {"rod.length=-2"}), {"command line: ", "rod.length = '-2'", "real > 0, m"}));
  EXPECT_TRUE(says(parse_error("", {"--rod.lenght=2"}),
                   {"command line: ", "unknown key 'rod.lenght'", "did you mean rod.length?"}));
  EXPECT_TRUE(says(parse_error("", {"--verbose"}), {"command line: ", "'--verbose'", "section.key=value"}));
  EXPECT_TRUE(says(parse_error("", {""}), {"command line: ", "section.key=value"}));
  EXPECT_TRUE(says(parse_error("", {"rod.length="}), {"command line: ", "rod.length", "no value"}));
}

TEST(DeckOverrides, RefuseWhatTheResolvedDeckCouldNotHold) {
  EXPECT_TRUE(says(parse_error("", {"study.objective=a#b"}), {"command line: ", "study.objective", "'#'"}));
  EXPECT_TRUE(
      says(parse_error("", {"study.objective=a\n[rod]\nlength=1"}), {"command line: ", "study.objective"}));
}

TEST(DeckSet, ChangesANumberOrAnEntry) {
  Deck deck = Deck::parse(complete_deck, "deck.ini");
  deck.set({"rod.length"_key, -1}, 3.5);
  deck.set({"rod.mass"_key, -1}, 7.0);
  deck.set({"load.end_force"_key, 1}, -4.0);
  deck.set({"rod.elements"_key, -1}, 20.0);
  EXPECT_EQ(deck.number("rod.length"_key), 3.5);
  EXPECT_EQ(deck.number("rod.mass"_key), 7.0);
  EXPECT_TRUE(deck.is_given("rod.mass"_key));
  EXPECT_EQ(deck.list("load.end_force"_key), (std::vector<double>{0.0, -4.0, 0.0}));
  EXPECT_EQ(deck.integer("rod.elements"_key), 20);
  EXPECT_EQ(deck.place("rod.length"_key), "the study");
}

TEST(DeckSet, RefusesWhatTheKeyDoesNotAllow) {
  Deck deck = Deck::parse(complete_deck, "deck.ini");
  EXPECT_TRUE(says(message_of([&] {
                     deck.set({"rod.length"_key, -1}, -1.0);
                   }),
                   {"the study: ", "rod.length = '-1'", "real > 0, m", "out of range"}));
  EXPECT_TRUE(says(message_of([&] { deck.set({"rod.elements"_key, -1}, 2.5); }), {"not a whole number"}));
  EXPECT_TRUE(says(message_of([&] { deck.set({"rod.length"_key, -1}, std::nan("")); }), {"not finite"}));
  EXPECT_TRUE(says(message_of([&] { deck.set({"rod.origin"_key, 3}, 1.0); }), {"rod.origin[3]", "no entry"}));
  EXPECT_EQ(deck.number("rod.length"_key), 2.0) << "a refused value must leave the deck as it was";
}

TEST(DeckResolved, ReadsBackToTheSameDeck) {
  const Deck deck =
      Deck::parse(complete_deck +
                      "[sweep]\naxis = rod.length : list(1, 2)\naxis = rod.origin[2] : linspace(0,1,3)\n"
                      "[study]\nobjective = tip_deflection\nkind = sweep\n",
                  "deck.ini", {"boundary.first=clamped", "rod.normal=0.1,-0.0,1e-300"});
  const Deck read_back = Deck::parse(deck.resolved(), "resolved");
  EXPECT_EQ(read_back.resolved(), deck.resolved());
  for (const KeyInfo& info : key_table()) {
    EXPECT_EQ(read_back.is_given(info.key), deck.has_value(info.key)) << info.name;
    EXPECT_EQ(read_back.texts(info.key), deck.texts(info.key)) << info.name;
    if (!deck.has_value(info.key)) continue;
    const std::vector<double>& numbers = deck.list(info.key);
    const std::vector<double>& numbers_back = read_back.list(info.key);
    ASSERT_EQ(numbers_back.size(), numbers.size()) << info.name;
    for (std::size_t index = 0; index < numbers.size(); ++index) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(numbers_back[index]),
                std::bit_cast<std::uint64_t>(numbers[index]))
          << info.name;
    }
  }
  EXPECT_EQ(read_back.texts("sweep.axis"_key).size(), 2u);
  EXPECT_EQ(read_back.choice("boundary.first"_key), "clamped");
  EXPECT_TRUE(std::signbit(read_back.vec3("rod.normal"_key).y));
}

TEST(DeckResolved, KeepsEveryBitOfRandomNumbers) {
  std::mt19937_64 bits(12345);
  Deck deck = Deck::parse("", "deck.ini");
  for (int trial = 0; trial < 2000; ++trial) {
    const double value = std::bit_cast<double>(bits());
    if (!std::isfinite(value)) continue;
    deck.set({"load.axial_force"_key, -1}, value);
    const double read_back = Deck::parse(deck.resolved(), "resolved").number("load.axial_force"_key);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read_back), std::bit_cast<std::uint64_t>(value))
        << format_real(value);
  }
}

TEST(DeckResolved, WritesDefaultsOutAndOmitsAbsentKeys) {
  const std::string text = Deck::parse(in_rod("length = 0.1"), "deck.ini").resolved();
  EXPECT_NE(text.find("[rod]\ncount = 1\nplacement = each\n"), std::string::npos) << text;
  EXPECT_NE(text.find("polygon_side = 0\nlength = 0.1\nsection = circle\ndamping = 0\ndamping_law = "
                      "separate\nretardation_time = 0\norigin = 0, 0, 0\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("slice_steps = 1000\n"), std::string::npos);
  EXPECT_EQ(text.find("\nmass ="), std::string::npos);
}

/// A folder of its own for each test, removed afterwards.
class DeckFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "rodeo_deck_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& text) const {
    const std::string path = folder_ / "deck.ini";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::filesystem::path folder_;
};

TEST_F(DeckFile, IsReadWithOverrides) {
  const std::string path = write(complete_deck);
  const Deck deck = Deck::read(path, {"rod.length=5"});
  EXPECT_EQ(deck.number("rod.length"_key), 5.0);
  EXPECT_EQ(deck.integer("rod.elements"_key), 50);
  EXPECT_EQ(deck.place("rod.elements"_key), path + ":2");
}

TEST_F(DeckFile, IsNamedWhenMissing) {
  const std::string path = folder_ / "absent.ini";
  EXPECT_TRUE(says(message_of([&] { Deck::read(path); }), {path, "No such file"}));
}

TEST_F(DeckFile, MayNotBeADirectory) {
  EXPECT_TRUE(says(message_of([&] { Deck::read(folder_); }), {folder_.string(), "is a directory"}));
}

TEST_F(DeckFile, MayNotBeBinary) {
  const std::string path =
      write(std::string("[rod]\nlength = 1\n\x7f"
                        "ELF\0\0\1",
                        24));
  EXPECT_TRUE(says(message_of([&] { Deck::read(path); }), {path + ":3: ", "not a text file"}));
}

TEST_F(DeckFile, MayNotBeHuge) {
  EXPECT_TRUE(says(message_of([] { Deck::read("/dev/zero"); }), {"/dev/zero", "268435456 bytes"}));
  EXPECT_NO_THROW(Deck::read(write(std::string(2U << 20, '\n'))));
}

TEST(HostileDeck, HasABoundedNumberOfLines) {
  std::string text = "[sweep]\n";
  for (int line = 0; line < 10'001; ++line) text += "axis=x\n";
  EXPECT_TRUE(says(parse_error(text), {"deck.ini:10002: ", "more than 10000 lines"}));
}

/// Random mixtures of what decks are made of: each is read or refused with a DeckError, never anything else.
TEST(HostileDeck, IsReadOrRefused) {
  const std::vector<std::string> pieces = {"[",
                                           "]",
                                           "=",
                                           "#",
                                           "\n",
                                           "\r\n",
                                           " ",
                                           ".",
                                           ",",
                                           "rod",
                                           ":",
                                           "(",
                                           ")",
                                           "\n",
                                           "1",
                                           "-",
                                           "[rod]\n",
                                           "e9",
                                           "axis",
                                           "\t",
                                           "study",
                                           "seed",
                                           "\n",
                                           "nan",
                                           "0x1",
                                           "length =",
                                           "\xff",
                                           "*",
                                           "[sweep]\naxis = ",
                                           "rod.origin[",
                                           "linspace(",
                                           "list("};
  std::mt19937 generator(1);
  std::uniform_int_distribution<std::size_t> piece(0, pieces.size() - 1);
  int read = 0;
  int refused = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::string text;
    for (int count = trial % 12; count >= 0; --count) text += pieces[piece(generator)];
    try {
      Deck::parse(text, "deck.ini").sweep_axes();
      ++read;
    } catch (const DeckError&) {
      ++refused;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace rodeo
