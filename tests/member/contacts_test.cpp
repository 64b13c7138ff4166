#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "member/measured.hpp"
#include "member/run_in_pieces.hpp"

namespace rodeo {
namespace {

/// Two rods cross a third, which they overlap by 1 mm and by half of that: 10 N and 5 N.
std::string crossing(const std::string& more, const std::string& speed = "0, 0, 0") {
  return "[rod]\ncount = 3\nlength = 0.5\nelements = 5\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e8\n"
         "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
         "each = rod.origin[0] : list(-0.25, -0.12, 0.11)\neach = rod.origin[1] : list(0, -0.25, -0.26)\n"
         "each = rod.origin[2] : list(0, 0.039, -0.0395)\n"
         "each = rod.direction[0] : list(1, 0, 0)\neach = rod.direction[1] : list(0, 1, 1)\n"
         "each = rod.velocity[0] : list(" +
         speed +
         ")\n[contact]\nkind = penalty\nstiffness = 1e4\nfriction = 0.5\n"
         "[time]\nstep = 2e-6\nend = 1e-3\n[measure]\n" +
         more;
}

TEST(Contacts, AreCountedAndTheirForcesSummed) {
  for (const char* precision : {"double", "single"}) {
    const Measured crossed(crossing("define = coordination [1] : at(0, touching_rods) / rod.count\n"
                                    "define = neighbours [1] : at(0, touching_rods(rod 0))\n"
                                    "define = pairs [1] : at(0, contact_pairs)\n"
                                    "define = force [N] : at(0, contact_force)\n"
                                    "define = largest [N] : at(0, max_along(contact_force_largest))\n"
                                    "define = second [N] : at(0, contact_force_largest(rod 0, element 3))\n"
                                    "define = slipping [1] : last(contact_slipping)\n"),
                           {"model.precision=" + std::string(precision)});
    const double rounding = std::string(precision) == "single" ? 1e-3 : 1e-9;
    EXPECT_EQ(crossed["coordination"], 4.0 / 3.0);
    EXPECT_EQ(crossed["neighbours"], 2.0);
    EXPECT_EQ(crossed["pairs"], 2.0);
    EXPECT_NEAR(crossed["force"], 15.0, rounding);
    EXPECT_NEAR(crossed["largest"], 10.0, rounding);
    EXPECT_NEAR(crossed["second"], 5.0, rounding);
    EXPECT_EQ(crossed["slipping"], 0.0);
  }
}

TEST(Contacts, SlipWhereRodsSlideFurtherThanSpringsHoldThem) {
  // Friction holds up to a stretch of 0.5 N/(0.8 k) = 0.6 mm. One of the two rods comes further.
  const Measured sliding(
      crossing("define = slipping [1] : last(contact_slipping)\n"
               "define = pairs [1] : last(contact_pairs)\n",
               "0, 2, 0.1"));
  EXPECT_EQ(sliding["pairs"], 2.0);
  EXPECT_EQ(sliding["slipping"], 1.0);
}

TEST(Contacts, AreAskedForOnlyWhereThereAreAny) {
  const std::string alone =
      "[rod]\nlength = 0.5\nelements = 5\nradius = 0.02\ndensity = 1000\n"
      "young_modulus = 1e8\npoisson_ratio = 0.5\n[time]\nstep = 1e-6\nend = 1e-4\n"
      "[measure]\ndefine = pairs [1] : last(contact_pairs)\n";
  try {
    make_member_spec(Deck::parse(alone, "deck.ini"));
    FAIL();
  } catch (const DeckError& error) {
    EXPECT_NE(std::string(error.what()).find("'contact_pairs' needs contact.kind = penalty"),
              std::string::npos)
        << error.what();
  }
}

/// A stiff rod lies across two that are held, on the middles of elements, and may slide along them. It weighs
/// 6.164 N.
std::string on_rails(const std::string& more) {
  return "[rod]\ncount = 3\nlength = 0.5\nelements = 10\nradius = 0.01\ndensity = 4000\ndirection = 1, 0, 0\n"
         "bend_stiffness = 1e4\ntwist_stiffness = 1e4\nstretch_stiffness = 1e7\nshear_stiffness = "
         "1e6\nnormal = 0, 0, 1\n"
         "each = rod.origin[0] : list(0, 0, 0.12)\neach = rod.origin[1] : list(-0.12, 0.11, -0.25)\n"
         "each = rod.origin[2] : list(0, 0, 0.02005)\neach = rod.direction[0] : list(1, 1, 0)\n"
         "each = rod.direction[1] : list(0, 0, 1)\nrelaxation_time = 0.01\n"
         "each = boundary.first : list(clamped, clamped, free)\n"
         "each = boundary.last : list(clamped, clamped, free)\n"
         "[contact]\ntolerance = 1e-4\n[newton]\ntolerance = 1e-10\n[time]\nstep = 1e-3\nend = "
         "0.1\n[measure]\n"
         "define = coordination [1] : last(touching_rods) / rod.count\n"
         "define = pairs [1] : last(contact_pairs)\ndefine = force [N] : last(contact_force)\n"
         "define = on_rail [N] : last(contact_force_largest(rod 2, element 2))\n" +
         more;
}

constexpr double rail_load = 4000.0 * std::numbers::pi * 1e-4 * 0.5 * 9.81;

TEST(Contacts, OfImplicitStepsAndEquilibriaCarryTheWeightOfARod) {
  const std::vector<std::vector<std::string>> ways = {{"model.kind=der"},
                                                      {"time.method=implicit"},
                                                      {"time.method=static"},
                                                      {"time.method=static", "model.kind=der"}};
  for (const char* kind : {"imc", "ipc"}) {
    for (std::vector<std::string> overrides : ways) {
      SCOPED_TRACE(kind + (" " + overrides.front()) + " " + overrides.back());
      const bool is_held = overrides.front() == "time.method=static";
      if (is_held) {
        // Or it would be free to go along the others and to roll. It does not tilt then.
        overrides.emplace_back("motion.position=rod 2, start : 0, 0, free");
        overrides.emplace_back("motion.position=rod 2, end : 0, 0, free");
        overrides.emplace_back("motion.rotation=rod 2, element 5 about 0 1 0 : 0");
      }
      overrides.push_back("contact.kind=" + std::string(kind));
      overrides.emplace_back("gravity.acceleration=0, 0, -9.81");
      const Measured resting(on_rails("define = at_start [N] : at(0, contact_force)\n"), overrides);
      EXPECT_EQ(resting["coordination"], 4.0 / 3.0);
      EXPECT_EQ(resting["pairs"], 2.0);
      EXPECT_EQ(resting["contact_count"], 2.0);
      EXPECT_NEAR(resting["force"], rail_load, 1e-4 * rail_load);
      EXPECT_NEAR(resting["on_rail"], rail_load * (is_held ? 0.5 : 0.11 / 0.23), 1e-3 * rail_load);
      EXPECT_EQ(resting["at_start"], 0.0) << "no step has found any yet";
    }
  }
}

/// Where the rod lies on nodes, each crossing is four pairs that share its force.
TEST(Contacts, OfImplicitStepsShareTheirForceAtNodes) {
  const Measured resting(
      on_rails("define = most [N] : last(max_along(contact_force_largest))\n"),
      {"contact.kind=imc", "model.kind=der", "gravity.acceleration=0, 0, -9.81",
       "rod.each=rod.origin[0] : list(0, 0, 0.1)", "rod.each=rod.origin[1] : list(-0.1, 0.1, -0.25)"});
  EXPECT_EQ(resting["coordination"], 4.0 / 3.0);
  EXPECT_EQ(resting["pairs"], 8.0);
  EXPECT_NEAR(resting["force"], rail_load, 1e-4 * rail_load);
  EXPECT_NEAR(resting["most"], rail_load / 8.0, 1e-3 * rail_load);
}

TEST(Contacts, OfImplicitStepsSlideAboveCoulombsLimitAndHoldBelowIt) {
  for (const char* kind : {"imc", "ipc"}) {
    for (const char* steps : {"model.kind=der", "time.method=implicit"}) {
      SCOPED_TRACE(kind + std::string(" ") + steps);
      for (const double tangent : {0.3, 0.7}) {
        const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
        const Measured rod(on_rails("define = slipping [1] : last(contact_slipping)\n"
                                    "define = of_rod [1] : last(contact_slipping(rod 2))\n"),
                           {"contact.kind=" + std::string(kind), steps, "contact.friction=0.5",
                            "contact.slip_tolerance=1e-3",
                            "gravity.acceleration=0, " + std::to_string(9.81 * tangent * cosine) + ", " +
                                std::to_string(-9.81 * cosine)});
        EXPECT_EQ(rod["pairs"], 2.0);
        EXPECT_NEAR(rod["force"], rail_load * cosine, 1e-3 * rail_load);
        EXPECT_EQ(rod["slipping"], tangent < 0.5 ? 0.0 : 2.0);
        EXPECT_EQ(rod["of_rod"], tangent < 0.5 ? 0.0 : 1.0);
      }
    }
  }
}

TEST(Contacts, OfImplicitStepsAreTheSameWhereAnotherBatchGoesOn) {
  for (const char* steps : {"model.kind=der", "time.method=implicit"}) {
    const Deck deck = Deck::parse(on_rails("define = mean [N] : mean(contact_force)\n"
                                           "define = slipping [1] : mean(contact_slipping)\n"),
                                  "test.ini",
                                  {"contact.kind=imc", steps, "contact.friction=0.5", "time.slice_steps=7",
                                   "contact.slip_tolerance=1e-3", "gravity.acceleration=0, 5, -9.81"});
    const MemberJob job{make_member_spec(deck), 1};
    const MemberOutcome whole = run_member(job.spec);
    ASSERT_EQ(whole.status, MemberStatus::done);
    const MemberOutcome pieces = run_in_pieces(job);
    const ObservableList list = observables_of(deck);
    for (const char* name : {"force", "on_rail", "mean", "slipping"}) {
      EXPECT_EQ(pieces.observables.at(list.index(name)), whole.observables.at(list.index(name)))
          << steps << ' ' << name;
    }
    EXPECT_GT(whole.observables.at(list.index("mean")), 0.9 * rail_load) << steps;
  }
}

}  // namespace
}  // namespace rodeo
