#include <cmath>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

ConnectionEnd at_node(int rod, int node) { return {.rod = rod, .node = node}; }
ConnectionEnd at_element(int rod, int element, double fraction = 0.5) {
  return {.rod = rod, .element = element, .fraction = fraction};
}

/// Two rods of 8 and 6 elements, side by side.
MemberSpec two_rods() {
  MemberSpec spec = soft_rod(8);
  RodSetup second{spec.rod, {}, {}, JointKind::none};
  second.rod.elements = 6;
  second.rod.bend_stiffness = 0.5;
  second.rod.origin = {0.11, 0, 0.1};
  second.rod.normal = normalized({0.6, 0.8, 0});
  spec.further_rods = {second};
  return spec;
}

/// Connections of every kind that has an energy, between the rods and of one with itself.
std::vector<ConnectionSpec> one_of_each() {
  using enum ConnectionKind;
  return {{.kind = spring, .ends = {at_node(0, 2), at_element(1, 4, 0.3)}, .stiffness = 70.0, .damping = 2.0},
          {.kind = spring, .ends = {at_node(0, 1), at_node(0, 7)}, .stiffness = 40.0, .length = 0.2},
          {.kind = spring,
           .ends = {at_node(0, 3), at_node(1, 1)},
           .stiffness = 30.0,
           .length = 0.0,
           .damping = 1.0},
          {.kind = ball, .ends = {at_node(0, 8), at_element(1, 5)}, .stiffness = 90.0, .damping = 3.0},
          {.kind = rigid,
           .ends = {at_element(0, 3), at_element(1, 2)},
           .damping = 1.0,
           .rotational_damping = 0.1},
          {.kind = hinge,
           .ends = {at_element(0, 6), at_element(1, 1)},
           .stiffness = 50.0,
           .rotational_damping = 0.2,
           .axis = normalized({1, 2, 3})},
          {.kind = bond,
           .ends = {at_node(0, 0), at_node(1, 0)},
           .stiffness = 500.0,
           .damping = 7.0,
           .arc = {0.2, 0.83}}};
}

MemberSpec connected() {
  MemberSpec spec = two_rods();
  spec.connections = one_of_each();
  return spec;
}

/// What connections do to the nodes and elements of the arrays.
void set_loads(const TestRod& test) {
  const RodView all = test.view();
  for (int i = 0; i <= all.elements; ++i) {
    all.set_vec3(field::external_force, i, {});
    all.set_vec3(field::external_couple, i, {});
  }
  test.connections().add(OneThread{}, all);
}

double stored(const TestRod& test) { return test.connections().energy(OneThread{}, test.view()); }

void stir_both(const TestRod& test) {
  stir(test.rod(0), 0.4);
  stir(test.rod(1), -0.7);
}

TEST(Links, AtTheStartPressNothing) {
  MemberSpec spec = connected();
  std::erase_if(spec.connections, [](const ConnectionSpec& c) { return c.length.has_value(); });
  TestRod test(spec);
  set_loads(test);
  EXPECT_NEAR(stored(test), 0.0, 1e-25);
  for (int i = 0; i <= test.view().elements; ++i) {
    EXPECT_LT(norm(test.view().vec3(field::external_force, i)), 1e-11) << i;
    EXPECT_LT(norm(test.view().vec3(field::external_couple, i)), 1e-11) << i;
  }
}

TEST(Links, ForcesAndCouplesAreTheSlopesOfTheEnergy) {
  for (std::size_t k = 0; k < one_of_each().size(); ++k) {
    MemberSpec spec = two_rods();
    spec.connections = {one_of_each()[k]};
    spec.connections[0].damping = spec.connections[0].rotational_damping = 0.0;
    TestRod test(spec);
    stir_both(test);
    set_loads(test);
    const RodView all = test.view();
    EXPECT_GT(stored(test), 1e-4);
    constexpr double h = 1e-5;
    const auto slope = [&](const auto& move) {
      move(h);
      const double up = stored(test);
      move(-2 * h);
      const double down = stored(test);
      move(h);
      return (up - down) / (2 * h);
    };
    double largest = 0.0;
    for (int i = 0; i <= all.elements; ++i) {
      const Vec3 force = all.vec3(field::external_force, i);
      const Vec3 couple = all.vec3(field::external_couple, i);
      largest = std::max({largest, norm(force), norm(couple)});
      for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const double by_move = slope(
            [&](double d) { all.set_vec3(field::position, i, all.vec3(field::position, i) + d * axis); });
        EXPECT_NEAR(-by_move, dot(force, axis), 1e-6) << k << " " << i;
        const Quaternion before = all.quaternion(i);
        const double by_turn =
            slope([&](double d) { all.set_quaternion(i, all.quaternion(i) * rotation(d * axis)); });
        all.set_quaternion(i, before);
        EXPECT_NEAR(-by_turn, dot(couple, axis), 1e-6) << k << " " << i;
      }
    }
    EXPECT_GT(largest, 0.1) << k;
  }
}

TEST(Links, LeaveNoForceAndNoCoupleOver) {
  for (std::size_t k = 0; k < one_of_each().size(); ++k) {
    MemberSpec spec = two_rods();
    spec.connections = {one_of_each()[k]};
    TestRod test(spec);
    stir_both(test);
    set_loads(test);
    const RodView all = test.view();
    Vec3 force;
    Vec3 couple;
    double size = 0.0;
    for (int i = 0; i <= all.elements; ++i) {
      const Vec3 f = all.vec3(field::external_force, i);
      size += norm(f);
      force = force + f;
      couple = couple + cross(all.vec3(field::position, i), f) +
               directors(all.quaternion(i)).to_laboratory(all.vec3(field::external_couple, i));
    }
    EXPECT_GT(size, 1.0) << k;
    EXPECT_LT(norm(force), 1e-14 * size) << k;
    EXPECT_LT(norm(couple), 1e-13 * size) << k;
  }
}

TEST(Links, DampersOnlyTakeEnergyAndOfWhatMovesAsOneNone) {
  for (std::size_t k = 0; k < one_of_each().size(); ++k) {
    MemberSpec spec = two_rods();
    spec.connections = {one_of_each()[k]};
    TestRod test(spec);
    const RodView all = test.view();
    const auto power = [&] {
      set_loads(test);
      double sum = 0.0;
      for (int i = 0; i <= all.elements; ++i) {
        sum += dot(all.vec3(field::external_force, i), all.vec3(field::velocity, i)) +
               dot(all.vec3(field::external_couple, i), all.vec3(field::angular_velocity, i));
      }
      return sum;
    };
    stir_both(test);
    const double damped = power();
    spec.connections[0].damping = spec.connections[0].rotational_damping = 0.0;
    TestRod undamped(spec);
    stir_both(undamped);
    const RodView without = undamped.view();
    set_loads(undamped);
    double elastic = 0.0;
    for (int i = 0; i <= without.elements; ++i) {
      elastic += dot(without.vec3(field::external_force, i), without.vec3(field::velocity, i)) +
                 dot(without.vec3(field::external_couple, i), without.vec3(field::angular_velocity, i));
    }
    const bool damps = one_of_each()[k].damping + one_of_each()[k].rotational_damping > 0.0;
    EXPECT_LE(damped, elastic + 1e-12) << k;
    EXPECT_EQ(damped < elastic - 1e-3, damps) << k;
    // All together as a rigid body.
    const Vec3 rate = {0.3, -0.2, 0.5};
    for (int i = 0; i <= all.elements; ++i) {
      all.set_vec3(field::velocity, i, Vec3{1, 2, 3} + cross(rate, all.vec3(field::position, i)));
      all.set_vec3(field::angular_velocity, i, directors(all.quaternion(i)).to_body(rate));
    }
    EXPECT_NEAR(power(), 0.0, 1e-10) << k;
  }
}

TEST(Bond, JoinsElementsThatFaceEachOther) {
  MemberSpec spec = two_rods();
  spec.connections = {
      {.kind = ConnectionKind::bond, .ends = {at_node(0, 0), at_node(1, 0)}, .stiffness = 100.0}};
  TestRod test(spec);
  const connection::Connections all = test.connections();
  // Rod 1 begins at z = 0.1: the middle of element 0, at 1/16, has nothing opposite.
  ASSERT_EQ(all.point_count, 7);
  for (int k = 0; k < all.point_count; ++k) {
    EXPECT_EQ(all.points[k].sites[0].entry, k + 1);
    EXPECT_NEAR(all.points[k].stiffness, 100.0 / 8, 1e-12);
    EXPECT_LT(norm(all.points[k].gap(test.view())), 1e-15);
    EXPECT_NEAR(norm(all.points[k].sites[0].arm), 0.055, 1e-12);
  }
}

TEST(Bond, CountsThePartsOfElementsWithinItsArc) {
  MemberSpec spec = two_rods();
  spec.connections = {{.kind = ConnectionKind::bond,
                       .ends = {at_node(0, 0), at_node(1, 0)},
                       .stiffness = 100.0,
                       .arc = {0.2, 0.83}}};
  TestRod test(spec);
  const connection::Connections all = test.connections();
  double sum = 0.0;
  for (int k = 0; k < all.point_count; ++k) sum += all.points[k].stiffness;
  EXPECT_NEAR(sum, 63.0, 1e-10);
  EXPECT_NEAR(all.points[0].sites[0].fraction, 0.8, 1e-12);
}

TEST(Bond, RefusesWhatDoesNotFaceAndWhatIsOne) {
  MemberSpec spec = two_rods();
  spec.connections = {{.kind = ConnectionKind::bond,
                       .ends = {at_node(0, 0), at_node(1, 0)},
                       .stiffness = 100.0,
                       .arc = {0.0, 0.5}}};
  EXPECT_THROW(TestRod test(spec), connection::Impossible);
  spec.connections[0].ends[1].rod = 0;
  EXPECT_THROW(TestRod test(spec), connection::Impossible);
  spec.connections[0].ends[1].rod = 1;
  spec.connections[0].arc[1] = 1.0;
  spec.further_rods[0].rod.origin = {0.1, 0, 3.0};
  EXPECT_THROW(TestRod test(spec), connection::Impossible);
}

TEST(Connections, RefuseWhatTheyCannotHold) {
  using enum ConnectionKind;
  MemberSpec spec = two_rods();
  const auto refused = [&](const ConnectionSpec& c) {
    spec.connections = {c};
    try {
      TestRod test(spec);
    } catch (const connection::Impossible& reason) {
      EXPECT_EQ(reason.number, 0u);
      return std::string(reason.what());
    }
    return std::string();
  };
  EXPECT_NE(refused({.kind = ball, .ends = {at_node(0, 8), at_node(1, 0)}}).find("stand 0.9"),
            std::string::npos);
  EXPECT_NE(
      refused({.kind = spring, .ends = {at_node(0, 8), at_node(0, 8)}, .stiffness = 1.0}).find("the same"),
      std::string::npos);
  EXPECT_NE(refused({.kind = rigid, .ends = {at_element(0, 3, 0.1), at_element(0, 3, 0.9)}}).find("angle"),
            std::string::npos);
  spec.further_rods[0].rod.origin = {0, 0, 1};
  EXPECT_EQ(refused({.kind = ball, .ends = {at_node(0, 8), at_node(1, 0)}}), "");
  EXPECT_NE(refused({.kind = ball, .ends = {at_node(0, 8), at_node(1, 0)}, .damping = 1.0}).find("as one"),
            std::string::npos);
  spec.boundary.last = EndCondition::clamped;
  EXPECT_EQ(refused({.kind = ball, .ends = {at_node(0, 8), at_node(1, 0)}}), "");
  spec.further_rods[0].boundary.first = EndCondition::pinned;
  EXPECT_NE(refused({.kind = ball, .ends = {at_node(0, 8), at_node(1, 0)}}).find("two boundary conditions"),
            std::string::npos);
}

}  // namespace
}  // namespace rodeo::cosserat
