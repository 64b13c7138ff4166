#include "dispatch/progress.hpp"

#include <gtest/gtest.h>

namespace rodeo {
namespace {

TEST(FittedLine, HasAsManyPartsAsThereIsRoomFor) {
  const std::vector<std::string> parts = {"7/100 members, 3 running", "7.0 %", "left 0:01:10", "2 members/s"};
  EXPECT_EQ(fitted_line(parts, 79), "7/100 members, 3 running  7.0 %  left 0:01:10  2 members/s");
  EXPECT_EQ(fitted_line(parts, 50), "7/100 members, 3 running  7.0 %  left 0:01:10");
  EXPECT_EQ(fitted_line(parts, 31), "7/100 members, 3 running  7.0 %");
  EXPECT_EQ(fitted_line(parts, 30), "7/100 members, 3 running");
  EXPECT_EQ(fitted_line(parts, 13), "7/100 members") << "a narrow terminal cuts the first part";
  EXPECT_EQ(fitted_line({}, 79), "");
}

}  // namespace
}  // namespace rodeo
