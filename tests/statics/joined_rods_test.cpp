#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo::statics {
namespace {

/// How rods are joined end to end.
enum class Join { by_joint, by_connection };

std::string listed(int count, const std::string& first, const std::string& others) {
  std::string list = "list(" + first;
  for (int k = 1; k < count; ++k) list += ", " + others;
  return list + ")";
}

/// A column of 1 m that is clamped at its lower end, B = m' = 1, cut into equal rods, with a load on its
/// upper end.
std::string joined_column(const std::string& model, int rods, int elements, Join join) {
  const double length = 1.0 / rods;
  std::ostringstream deck;
  deck.precision(17);
  deck << "[model]\nkind = " << model << "\n[variable]\np = 0\n[rod]\nradius = 0.001\ndirection = 1, 0, 0\n"
       << "length = " << length << "\nmass = " << length << "\nelements = " << elements / rods
       << "\nbend_stiffness = 1\ntwist_stiffness = 1\nstretch_stiffness = 1e6\n";
  if (model == "cosserat") deck << "shear_stiffness = 1e6\n";
  if (rods > 1) {
    deck << "count = " << rods << "\neach = boundary.first : " << listed(rods, "clamped", "free") << "\n";
  } else {
    deck << "[boundary]\nfirst = clamped\n";
  }
  if (rods > 1 && join == Join::by_joint) deck << "[joint]\nkind = rigid\n";
  if (rods > 1 && join == Join::by_connection) {
    std::string origins = "0";
    for (int k = 1; k < rods; ++k) origins += ", " + std::to_string(k) + "/" + std::to_string(rods);
    deck << "[rod]\neach = rod.origin[0] : list(" << origins << ")\n[connection]\n";
    for (int k = 1; k < rods; ++k) deck << "rigid = rod " << k - 1 << ", end to rod " << k << ", start\n";
  }
  const std::string end = rods > 1 ? "rod " + std::to_string(rods - 1) + ", end" : "end";
  deck << "[actuation]\nforce = x, " << end << " : -variable.p\n[time]\nmethod = static\n";
  return deck.str();
}

class JoinedColumn : public testing::TestWithParam<std::tuple<const char*, int, Join>> {
 protected:
  static constexpr double as_one = 1e-6;

  std::string whole() const { return joined_column(std::get<0>(GetParam()), 1, 2 * rods(), Join::by_joint); }
  std::string cut() const {
    return joined_column(std::get<0>(GetParam()), rods(), 2 * rods(), std::get<2>(GetParam()));
  }

 private:
  int rods() const { return std::get<1>(GetParam()); }
};

TEST_P(JoinedColumn, HasTheModesOfOneRod) {
  const Measured one(whole(), {"modes.count=5"});
  const Measured many(cut(), {"modes.count=5"});
  for (int k = 1; k <= 5; ++k) {
    const std::string name = "frequency_" + std::to_string(k);
    EXPECT_NEAR(many[name] / one[name], 1.0, as_one) << name;
  }
  EXPECT_NEAR(many["least_stiffness"] / one["least_stiffness"], 1.0, as_one);
  EXPECT_EQ(many["unstable_modes"], 0.0);
}

/// Under four times the load of Euler.
TEST_P(JoinedColumn, IsUnstableWhereOneRodIs) {
  const auto loaded = [](const std::string& deck) {
    return run_member(make_member_spec(Deck::parse(deck, "test", {"variable.p=10"})));
  };
  const MemberOutcome one = loaded(whole());
  const MemberOutcome many = loaded(cut());
  EXPECT_EQ(many.status, MemberStatus::unstable);
  EXPECT_EQ(value(many, "unstable_modes"), 2.0);
  EXPECT_NEAR(value(many, "least_stiffness") / value(one, "least_stiffness"), 1.0, as_one);
}

TEST_P(JoinedColumn, BucklesWhereOneRodDoes) {
  const std::string branch = "[branch]\nkey = variable.p\nfrom = 0\nto = 10\nstop = first_bifurcation\n";
  const Measured one(whole() + branch);
  const Measured many(cut() + branch);
  EXPECT_EQ(many["bifurcations"], 1.0);
  EXPECT_NEAR(many["critical_value"] / one["critical_value"], 1.0, as_one);
  EXPECT_NEAR(many["critical_value"], M_PI * M_PI / 4.0, 1e-3);
}

/// Bent by a load along it a round rod may stand in any plane: to go from one to another costs nothing, which
/// is no vibration. A force from the side that fades says in which it stands.
TEST(JoinedRods, StandInAnyPlaneOnceTheyHaveBuckled) {
  const auto buckled = [](int rods, Join join) {
    std::string deck = joined_column("cosserat", rods, 24, join);
    const std::string end = rods > 1 ? "rod " + std::to_string(rods - 1) + ", end" : "end";
    deck += "step = 0.5\nend = 1\n[actuation]\nforce = y, " + end + " : 0.1 * (1 - t)\n[modes]\ncount = 3\n";
    return Measured(deck, {"variable.p=4"});
  };
  const Measured one = buckled(1, Join::by_joint);
  EXPECT_GT(one["theta_max"], 1.0);
  for (const int rods : {6, 24}) {
    for (const Join join : {Join::by_joint, Join::by_connection}) {
      const Measured many = buckled(rods, join);
      EXPECT_EQ(many["unstable_modes"], 0.0);
      EXPECT_NEAR(many["least_stiffness"] / one["least_stiffness"], 1.0, 1e-6);
      for (int k = 1; k <= 3; ++k) {
        const std::string name = "frequency_" + std::to_string(k);
        EXPECT_NEAR(many[name] / one[name], 1.0, 1e-6) << name << " of " << rods;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, JoinedColumn,
                         testing::Combine(testing::Values("cosserat", "der"), testing::Values(24, 40, 100),
                                          testing::Values(Join::by_joint, Join::by_connection)));

}  // namespace
}  // namespace rodeo::statics
