#include "rodeo/input/number_text.hpp"

#include <bit>
#include <clocale>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

TEST(NumberText, ReadsDecimalNumbers) {
  EXPECT_EQ(parse_real("0.25"), 0.25);
  EXPECT_EQ(parse_real("1e-5"), 1e-5);
  EXPECT_EQ(parse_real("-3"), -3.0);
  EXPECT_EQ(parse_real("+3"), 3.0);
  EXPECT_EQ(parse_real(".5"), 0.5);
  EXPECT_EQ(parse_real("5e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(NumberText, RefusesAllElse) {
  for (const char* text :
       {"",    "1 m", "1m", "nan", "inf", "-inf", "infinity", "0x10", "1,5", "1e999", "1e-999",
        "+-1", "--1", "+",  "-",   ".",   "e5",   "1e",       " 1",   "1 ",  "one"}) {
    EXPECT_FALSE(parse_real(text).has_value()) << "'" << text << "'";
  }
}

TEST(NumberText, ReadsTheSameInEveryLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    std::setlocale(LC_ALL, locale);
    EXPECT_EQ(parse_real("1.5"), 1.5);
    EXPECT_EQ(format_real(1.5), "1.5");
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST(NumberText, WritesTheShortestTextThatReadsBackToTheSameBits) {
  EXPECT_EQ(format_real(0.1), "0.1");
  EXPECT_EQ(format_real(1e-5), "1e-05");
  for (const double value : {0.1, 1.0 / 3.0, 2.0 / 3.0 * 1e-7, 6.02214076e23, -0.0, 5e-324,
                             std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()}) {
    const std::optional<double> read_back = parse_real(format_real(value));
    ASSERT_TRUE(read_back.has_value()) << format_real(value);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*read_back), std::bit_cast<std::uint64_t>(value))
        << format_real(value);
  }
}

TEST(NumberText, ReadsSeedsExactly) {
  EXPECT_EQ(parse_seed("0"), 0u);
  EXPECT_EQ(parse_seed("9007199254740993"), 9007199254740993u);  // 2^53 + 1, which no double holds
  EXPECT_EQ(parse_seed("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_seed("1e3"), 1000u);
  for (const char* text : {"-1", "1.5", "18446744073709551616", "1e19", "seed", "", "0x1"}) {
    EXPECT_FALSE(parse_seed(text).has_value()) << "'" << text << "'";
  }
}

TEST(NumberText, QuotesWithoutControlCharacters) {
  EXPECT_EQ(in_quotes("1 m"), "'1 m'");
  EXPECT_EQ(in_quotes(std::string("a\x1b[2J")), "'a\\x1b[2J'");
  EXPECT_EQ(in_quotes("\xc3\xa9"), "'\\xc3\\xa9'");
  const std::string cut = in_quotes(std::string(1000, 'x'));
  EXPECT_LT(cut.size(), 80u);
  EXPECT_TRUE(cut.ends_with("...'"));
}

TEST(NumberText, PrintableTextCannotSteerATerminal) {
  EXPECT_EQ(printable("größe 1\n"), "größe 1\n");
  EXPECT_EQ(printable(std::string("a\x1b[2J\x7f\r")), "a\\x1b[2J\\x7f\\x0d");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");  // the control sequence introducer as one character
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
}

TEST(NumberText, SplitsAndTrims) {
  EXPECT_EQ(split("1, 2 ,3", ','), (std::vector<std::string_view>{"1", "2", "3"}));
  EXPECT_EQ(split("1,,", ','), (std::vector<std::string_view>{"1", "", ""}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \t "), "");
}

TEST(NumberText, WritesTimesAndSizesForPeople) {
  EXPECT_EQ(format_duration(0.0), "0:00:00");
  EXPECT_EQ(format_duration(59.2), "0:01:00");
  EXPECT_EQ(format_duration(360000.0), "100:00:00");
  EXPECT_EQ(format_time(0.00053), "0.53 ms");
  EXPECT_EQ(format_time(0.0828), "0.083 s");
  EXPECT_EQ(format_time(103.2), "103 s");
  EXPECT_EQ(format_time(144.0), "2.4 min");
  EXPECT_EQ(format_time(7200.0), "2 h");
  EXPECT_EQ(format_time(5e6), "1389 h");
  EXPECT_EQ(format_bytes(1023.0), "1023 B");
  EXPECT_EQ(format_bytes(1536.0), "1.5 KiB");
  EXPECT_EQ(format_bytes(0x1p22), "4.0 MiB");
  EXPECT_EQ(format_bytes(0x1p61), "2048.0 PiB");
}

}  // namespace
}  // namespace rodeo
