#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/member/function_batch.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"

namespace rodeo {
namespace {

TEST(Function, HasTheValuesOfItsFormula) {
  const auto value = [](FunctionKind kind, std::vector<double> x) {
    return function_value({.kind = kind, .x = std::move(x), .seconds = 0.0, .slowest = 1.0}, 1);
  };
  EXPECT_EQ(value(FunctionKind::sphere, {1, 2, 3}), 14.0);
  EXPECT_NEAR(value(FunctionKind::ellipsoid, {1, 2, 3}), 1.0 + 4e3 + 9e6, 1e-6);
  EXPECT_EQ(value(FunctionKind::ellipsoid, {2}), 4.0);
  EXPECT_EQ(value(FunctionKind::rosenbrock, {1, 1, 1}), 0.0);
  EXPECT_EQ(value(FunctionKind::rosenbrock, {0, 2, 1}), 100.0 * 4.0 + 1.0 + 100.0 * 9.0 + 1.0);
  EXPECT_EQ(value(FunctionKind::rastrigin, {0, 0}), 0.0);
  EXPECT_NEAR(value(FunctionKind::rastrigin, {0.5, 0}), 20.25, 1e-12);
  EXPECT_EQ(value(FunctionKind::cigar, {2, 1, 1}), 4.0 + 2e6);
  EXPECT_EQ(value(FunctionKind::tablet, {2, 1, 1}), 4e6 + 2.0);
}

TEST(Function, NoiseDependsOnTheSeedAlone) {
  FunctionSpec noise;
  noise.kind = FunctionKind::noise;
  noise.x = {1.0};
  const double first = function_value(noise, 1);
  noise.x = {2.0};
  EXPECT_EQ(function_value(noise, 1), first);
  EXPECT_NE(function_value(noise, 2), first);
}

TEST(Function, NormalNoiseIsAddedToTheValue) {
  double sum = 0.0;
  double squares = 0.0;
  constexpr int count = 10000;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const double noise = function_value({.x = {3.0}, .deviation = 2.0}, seed) - 9.0;
    sum += noise;
    squares += noise * noise;
  }
  EXPECT_NEAR(sum / count, 0.0, 4.0 * 2.0 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 4.0, 4.0 * 4.0 * std::sqrt(2.0 / count));
}

TEST(Function, MembersReportItsValueAndNothingElse) {
  MemberJob job;
  job.spec.model = ModelKind::function;
  job.spec.function.x = {1.0, 2.0};
  job.spec.function.seconds = 0.001;
  job.spec.function.slowest = 4.0;
  job.seed = 3;
  const std::vector<MemberJob> jobs = {job, job};
  const auto batch = make_batch(jobs);
  while (batch->advance()) {
  }
  for (const MemberOutcome& outcome : batch->outcomes()) {
    EXPECT_EQ(outcome.status, MemberStatus::done);
    EXPECT_GE(outcome.wall_seconds, 0.001);
    EXPECT_LE(outcome.wall_seconds, 0.004);
    for (std::size_t k = 0; k < observables.size(); ++k) {
      const bool reported = observables[k].name == observe::function_value.name;
      EXPECT_EQ(std::isnan(outcome.observables[k]), !reported);
      if (reported) {
        EXPECT_EQ(outcome.observables[k], 5.0);
      }
    }
  }
}

TEST(Function, AValueThatIsNotFiniteIsADivergedMember) {
  MemberJob job;
  job.spec.model = ModelKind::function;
  job.spec.function.x = {1e200};
  const std::vector<MemberJob> jobs = {job};
  const auto batch = make_batch(jobs);
  while (batch->advance()) {
  }
  EXPECT_EQ(batch->outcomes()[0].status, MemberStatus::diverged);
}

}  // namespace
}  // namespace rodeo
