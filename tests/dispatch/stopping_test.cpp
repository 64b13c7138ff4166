#include "rodeo/dispatch/stopping.hpp"

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

using namespace std::chrono_literals;

const TimeBudget::Instant start{};

// Of 100 s five are kept back, and members are taken to be a quarter slower than predicted.
TEST(DispatchTimeBudget, RoomShrinksWithTimeAndWithWhatWaits) {
  TimeBudget budget(start + 100s, start, {1, 2});
  EXPECT_NEAR(budget.room(0, start), 76e9, 1.0);
  EXPECT_NEAR(budget.room(0, start + 50s), 36e9, 1.0);
  budget.handed_out(0, 20e9, 5e9, start);
  EXPECT_NEAR(budget.room(0, start), 56e9, 1.0);
  EXPECT_NEAR(budget.room(1, start), 76e9, 1.0);
  // Side by side on two threads, but no faster than the longest.
  budget.handed_out(1, 20e9, 5e9, start);
  EXPECT_NEAR(budget.room(1, start), 66e9, 1.0);
  budget.handed_out(1, 20e9, 18e9, start);
  EXPECT_NEAR(budget.room(1, start), 48e9, 1.0);
  EXPECT_FALSE(budget.is_over(start + 94s));
  EXPECT_TRUE(budget.is_over(start + 95s));
}

TEST(DispatchTimeBudget, EndedChunksTellHowFastTheMachineIs) {
  TimeBudget budget(start + 100s, start, {1});
  budget.handed_out(0, 10e9, 1e9, start);
  budget.handed_out(0, 5e9, 1e9, start);
  budget.ended(0, start + 20s);  // twice as slow as predicted
  EXPECT_NEAR(budget.room(0, start + 20s), (75e9 - 12.5e9) / 2.5, 1.0);
  budget.ended(0, start + 25s);  // now 25 s for 15 s
  EXPECT_NEAR(budget.room(0, start + 25s), 70e9 / (1.25 * 25.0 / 15.0), 1.0);
}

TEST(DispatchTimeBudget, AChunkThatRunsTellsSoTooByWhatItHasComeTo) {
  TimeBudget budget(start + 100s, start, {1, 2});
  budget.handed_out(0, 40e9, 40e9, start);
  budget.advanced(0, 5e9, start + 10s);  // twice as slow as predicted
  EXPECT_NEAR(budget.room(1, start + 10s), 85e9 / 2.5, 1.0);
  EXPECT_NEAR(budget.room(0, start + 10s), (85e9 - (40e9 * 2.5 - 10e9)) / 2.5, 1.0);
  budget.advanced(0, 20e9, start + 20s);  // what it said before counts no more
  EXPECT_NEAR(budget.room(1, start + 20s), 75e9 / 1.25, 1.0);
  budget.ended(0, start + 60s);
  EXPECT_NEAR(budget.room(1, start + 60s), 35e9 / (1.25 * 1.5), 1.0);
  // On two threads side by side.
  budget.handed_out(1, 40e9, 20e9, start + 60s);
  budget.advanced(1, 20e9, start + 70s);
  EXPECT_NEAR(budget.room(0, start + 70s), 25e9 / (1.25 * 70.0 / 50.0), 1.0);
}

TEST(DispatchTimeBudget, AChunkThatIsLateTakesNoMoreThanTheTimeThatPassed) {
  TimeBudget budget(start + 100s, start, {1});
  budget.handed_out(0, 8e9, 8e9, start);
  EXPECT_NEAR(budget.room(0, start + 50s), 36e9, 1.0);
}

TEST(DispatchTimeBudget, WithoutAnEndThereIsAlwaysRoom) {
  const TimeBudget budget(std::nullopt, start, {1});
  EXPECT_TRUE(std::isinf(budget.room(0, start + 1000h)));
  EXPECT_FALSE(budget.is_over(start + 1000h));
}

TEST(DispatchTimeBudget, WhereWorkIsKeptThereIsRoomWhileItIsWorthKeeping) {
  const TimeBudget budget(start + 100s, start, {1}, 2s);
  EXPECT_TRUE(std::isinf(budget.room(0, start + 93s)));
  EXPECT_NEAR(budget.room(0, start + 94s), 1e9 / 1.25, 1.0);
}

TEST(DispatchTimeBudget, SlurmTellsTheEndInSecondsOfTheEpoch) {
  unsetenv("SLURM_JOB_END_TIME");
  EXPECT_FALSE(end_of_job().has_value());
  const auto later = std::chrono::system_clock::now() + 100s;
  setenv("SLURM_JOB_END_TIME", std::to_string(std::chrono::system_clock::to_time_t(later)).c_str(), 1);
  ASSERT_TRUE(end_of_job().has_value());
  const std::chrono::duration<double> left = *end_of_job() - std::chrono::steady_clock::now();
  EXPECT_NEAR(left.count(), 100.0, 2.0);
  setenv("SLURM_JOB_END_TIME", "soon", 1);
  EXPECT_FALSE(end_of_job().has_value());
  unsetenv("SLURM_JOB_END_TIME");
}

}  // namespace
}  // namespace rodeo
