#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"

#include "member/run_members.hpp"

namespace rodeo {
namespace {

constexpr double fall = 9.81;

/// A rod of 1 m along z and 20 elements that falls freely from z = 0 on.
std::string falling(const std::string& model, const std::string& points) {
  return "[model]\nkind = " + model +
         "\n[rod]\nelements = 20\nlength = 1\nradius = 0.02\nmass = 1\nyoung_modulus = 1e6\npoisson_ratio = "
         "0.5\ndirection = 0, 0, 1\nnormal = 1, 0, 0\n[gravity]\nacceleration = 0, 0, -9.81\n[time]\nstep = "
         "1e-4\nend = 0.5\n[measure]\n" +
         points;
}

std::string point(double time, const std::string& place, const std::string& rest) {
  return "point = " + std::to_string(time) + ", " + place + " : " + rest + "\n";
}

std::string height(double z0, double time, double error) {
  return std::to_string(z0 - 0.5 * fall * time * time + error);
}

TEST(Data, AreComparedWithTheRodAtTheirTimesAndPlaces) {
  // Times at a step, between two, at the start and at the end; each is off by something known.
  const std::string points =
      point(0.0, "node 0", "0.03, 0.04, 0") + point(0.12345, "s 0.33", ", , " + height(0.33, 0.12345, 0.02)) +
      point(0.2, "s 0.125 m", "0, 0.01, " + height(0.125, 0.2, 0.0) + ", 3") +
      point(0.5, "end", "0, 0, " + height(1.0, 0.5, -0.1) + ", 0") + point(0.30007, "node -2", ", , , 5");
  const double squares = 0.03 * 0.03 + 0.04 * 0.04 + 0.02 * 0.02 + 3 * 0.01 * 0.01;
  for (const char* const model : {"cosserat", "der"}) {
    const MemberOutcome outcome =
        run_member(make_member_spec(Deck::parse(falling(model, points), "test.ini")));
    ASSERT_EQ(outcome.status, MemberStatus::done);
    // Backward Euler falls too far by g t h/2; six digits of the points are read.
    const double off = std::string(model) == "der" ? 3e-4 : 2e-6;
    EXPECT_NEAR(value(outcome, "misfit"), std::sqrt(squares / 5.0), off) << model;
    EXPECT_NEAR(value(outcome, "misfit_weighted"), std::sqrt(squares / 7.0), off) << model;
    EXPECT_NEAR(value(outcome, "misfit_max"), 0.1, off) << model << ", whatever its weight";
    EXPECT_EQ(value(outcome, "misfit_coordinates"), 7.0);
    ASSERT_EQ(outcome.at_data.size(), 15u);
    EXPECT_NEAR(outcome.at_data[5], 0.33 - 0.5 * fall * 0.12345 * 0.12345, off) << model;
    EXPECT_NEAR(outcome.at_data[14], 0.95 - 0.5 * fall * 0.30007 * 0.30007, off)
        << "of points without data too";
  }
}

TEST(Data, BetweenTwoStepsAreInterpolated) {
  const auto at = [](double time) {
    std::string text = falling("cosserat", point(time, "node 3", "0, 0, 0"));
    text.replace(text.find("step = 1e-4"), 11, "step = 1e-2");
    return run_member(make_member_spec(Deck::parse(text, "test.ini", {"time.slice_steps=7"}))).at_data.at(2);
  };
  EXPECT_EQ(at(0.04), at(0.04 + 1e-13)) << "rounding of a time is no part of a step";
  EXPECT_NEAR(at(0.0425), 0.75 * at(0.04) + 0.25 * at(0.05), 1e-15);
  EXPECT_GT(std::abs(at(0.0425) - (at(0.04))), 1e-4);
}

TEST(Data, OfSeveralRodsAndOfClosedOnes) {
  const std::string ring =
      falling("cosserat", point(0.1, "rod 1, s 1", "0, 0, 0") + point(0.1, "rod 1, node 0", "0, 0, 0") +
                              point(0.1, "rod 0, s 0.99", "0, 0, 0") +
                              "[rod]\ncount = 2\nshape = ring\neach = rod.origin[0] : list(0, 5)\n");
  const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(ring, "test.ini")));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  for (const std::size_t k : {0u, 1u, 2u}) EXPECT_NEAR(outcome.at_data[k], outcome.at_data[3 + k], 1e-14);
  EXPECT_GT(outcome.at_data[0], 4.0);
  EXPECT_LT(outcome.at_data[6], 1.0);
}

TEST(Data, OfAMemberThatEndsBeforeTheLastSayNothing) {
  const std::string text = falling("cosserat", point(0.1, "end", "0, 0, 0") + point(0.4, "end", "0, 0, 0") +
                                                   "[observe]\nbuckling_translational_energy = 1\n[output]\n"
                                                   "frames = 6\nobservables = misfit, misfit_coordinates\n");
  const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(text, "test.ini")));
  ASSERT_EQ(outcome.status, MemberStatus::stopped_early);
  EXPECT_TRUE(std::isnan(value(outcome, "misfit")));
  EXPECT_EQ(value(outcome, "misfit_coordinates"), 3.0);
  EXPECT_TRUE(std::isnan(outcome.at_data[3]));
  // A frame has that of the points so far.
  EXPECT_TRUE(std::isnan(outcome.fields[1][0]));
  EXPECT_NEAR(outcome.fields[1][1], 1.0 - 0.5 * fall * 0.01, 1e-9);
}

TEST(Data, GoOnFromASavedState) {
  std::string points;
  for (int k = 0; k <= 40; ++k) points += point(0.012347 * k, "s 0.4", "0.1, 0, 0.2");
  const MemberSpec spec = make_member_spec(
      Deck::parse(falling("cosserat", points + "[boundary]\nfirst = pinned\n[load]\nend_force = 1, 0, 0\n"),
                  "test.ini", {"time.slice_steps=70"}));
  const std::vector<MemberJob> jobs = {{spec, 1}};
  const MemberOutcome whole = run_member(spec);
  const auto first = make_batch(jobs);
  for (int k = 0; k < 60; ++k) first->advance();
  StateArchive saved;
  first->visit_state(0, saved);
  const std::vector<std::byte> bytes = saved.take();
  const auto second = make_batch(jobs);
  StateArchive restored(bytes);
  second->visit_state(0, restored);
  restored.require_end();
  while (second->advance()) {
  }
  const MemberOutcome& outcome = second->outcomes()[0];
  EXPECT_EQ(outcome.at_data, whole.at_data);
  EXPECT_EQ(value(outcome, "misfit"), value(whole, "misfit"));
  EXPECT_TRUE(std::isfinite(value(whole, "misfit")));
}

}  // namespace
}  // namespace rodeo
