#include "rodeo/forces/law.hpp"

#include <gtest/gtest.h>

#include "rodeo/forces/forces.hpp"

#include "forces/law_checks.hpp"

namespace rodeo {
namespace {

/// With numbers for every law.
LoadSpec every_load() {
  LoadSpec load;
  load.distributed_force = {0.3, -0.2, 0.7};
  load.distributed_couple = {0.02, 0.05, -0.03};
  load.follower_force = {0.1, 0.3, -0.4};
  load.magnetization = 3e3;
  load.magnetic_flux_density = {0.02, -0.01, 0.03};
  load.tether_point = {0.3, -0.1, 0.2};
  load.tether_stiffness = 2.0;
  load.tether_hardening = 5.0;
  load.tether_length = 0.05;
  load.tether_place = 0.5;
  return load;
}

template <class L>
class LawOfRods : public testing::Test {};

using AllLaws = testing::Types<forces::MiddleForce, forces::DistributedLoad, forces::FollowerForce,
                               forces::MagneticCouple, forces::Tether>;
TYPED_TEST_SUITE(LawOfRods, AllLaws);

TYPED_TEST(LawOfRods, ForceIsMinusTheGradientOfThePotential) {
  LoadSpec load = every_load();
  load.distributed_couple = {};
  expect_minus_the_gradient_of_the_potential<TypeParam>(load);
}

TYPED_TEST(LawOfRods, DerivativesAreThoseOfTheForce) {
  expect_derivatives_of_the_force<TypeParam>(every_load());
}

TYPED_TEST(LawOfRods, StiffnessIsThatOfTheForce) {
  EXPECT_TRUE(acts_on_nodes_of_the_rod<TypeParam>(every_load()));
  expect_stiffness_of_the_force<TypeParam>(every_load());
}

TYPED_TEST(LawOfRods, TakesEnergyFromWhatMoves) { expect_no_power_from_velocities<TypeParam>(every_load()); }

TYPED_TEST(LawOfRods, ExertsNothingWhereItDoesNotAct) { expect_nothing_where_it_does_not_act<TypeParam>(); }

}  // namespace
}  // namespace rodeo
