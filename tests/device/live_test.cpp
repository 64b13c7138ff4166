// Members that callers of the library advance on a device.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "library/library_support.hpp"

namespace rodeo {
namespace {

const std::string swinging_rod = R"(
[model]
device = gpu
[rod]
elements = 12
length = 0.2
radius = 0.004
density = 1100
young_modulus = 1e6
poisson_ratio = 0.5
direction = 1, 0, 0
[boundary]
first = clamped
[gravity]
acceleration = 0, 0, -9.81
[time]
step = 1e-5
end = 0.1
)";

class LiveOnDevice : public testing::Test {
 protected:
  /// Advances one member by so many steps; its state.
  std::vector<std::uint64_t> go_on(std::size_t member, int steps) {
    bool mask[2] = {member == 0, member == 1};
    simulation_.advance(steps * 1e-5, mask);
    std::vector<double> all = simulation_.field(member, "position");
    const std::vector<double> velocity = simulation_.field(member, "velocity");
    all.insert(all.end(), velocity.begin(), velocity.end());
    return bits(all);
  }

  Simulation simulation_{Problem::parse(swinging_rod), {}, {}, {.repeats = 2}};
};

TEST_F(LiveOnDevice, BeginsAgain) {
  const auto first = go_on(0, 30);
  EXPECT_FALSE(go_on(0, 30) == first);
  simulation_.reset();
  EXPECT_TRUE(go_on(0, 30) == first);
}

TEST_F(LiveOnDevice, GoesOnFromASavedState) {
  go_on(0, 20);
  const std::vector<std::byte> state = simulation_.save(0);
  go_on(1, 30);
  const auto end = go_on(0, 20);
  const auto end_of_other = go_on(1, 30);
  simulation_.restore(0, state);
  EXPECT_TRUE(go_on(0, 20) == end);
  simulation_.reset();
  go_on(1, 30);
  EXPECT_TRUE(go_on(1, 30) == end_of_other);
}

}  // namespace
}  // namespace rodeo
