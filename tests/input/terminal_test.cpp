#include "rodeo/input/terminal.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

TEST(Terminal, BarsAreAsWideAsAsked) {
  EXPECT_EQ(bar(0.0, 12), "[>         ]");
  EXPECT_EQ(bar(0.5, 12), "[=====>    ]");
  EXPECT_EQ(bar(1.0, 12), "[==========]");
  EXPECT_EQ(bar(7.0, 5), "[===]");
  EXPECT_EQ(bar(std::nan(""), 4), "[> ]");
  EXPECT_EQ(bar(0.5, 2), "");
}

TEST(Terminal, RatesHaveAUnitOfWhichThereIsOne) {
  EXPECT_EQ(format_rate(2.134, "members"), "2.13 members/s");
  EXPECT_EQ(format_rate(0.2, "members"), "12 members/min");
  EXPECT_EQ(format_rate(0.001, "members"), "3.6 members/h");
  EXPECT_EQ(format_rate(3.4e5, "steps"), "340 k steps/s");
  EXPECT_EQ(format_rate(1.26e6, "steps"), "1.26 M steps/s");
  EXPECT_EQ(format_rate(999.7, "steps"), "1 k steps/s");
  EXPECT_EQ(format_rate(59.99 / 60.0, "members"), "1 members/s");
  EXPECT_EQ(format_rate(0.0, "members"), "0 members/s");
}

TEST(Terminal, PaintsWhereThereAreColours) {
  const Screen file;
  EXPECT_FALSE(file.is_terminal());
  EXPECT_EQ(file.painted(Tone::bad, "diverged 3\n"), "diverged 3\n");
  const Screen screen{.columns = 80, .rows = 24, .colours = true};
  EXPECT_EQ(screen.painted(Tone::bad, "diverged 3\n"), "\033[1;31mdiverged 3\033[0m\n");
  EXPECT_EQ(screen.painted(Tone::plain, "done 3"), "done 3");
  EXPECT_EQ(screen.painted(Tone::good, ""), "");
}

TEST(Terminal, DrawsOverWhatItDrewLast) {
  const Screen screen{.columns = 80, .rows = 4};
  Redrawn drawn;
  EXPECT_EQ(drawn.over("one\ntwo\n", screen), "\033[?7lone\033[K\ntwo\033[K\n\033[J\033[?7h");
  EXPECT_EQ(drawn.over("  three\n", screen), "\033[?7l\033[2F  three\033[K\n\033[J\033[?7h");
  EXPECT_EQ(drawn.over("1\n2\n3\n4\n5\n", screen),
            "\033[?7l\033[1F1\033[K\n2\033[K\n... and 3 lines more\033[K\n\033[J\033[?7h");
  drawn.leave();
  EXPECT_EQ(drawn.over("next\n", screen), "\033[?7lnext\033[K\n\033[J\033[?7h");
}

}  // namespace
}  // namespace rodeo
