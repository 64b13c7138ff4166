#include <string>

#include <gtest/gtest.h>

#include "member/measured.hpp"

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

}  // namespace
}  // namespace rodeo
