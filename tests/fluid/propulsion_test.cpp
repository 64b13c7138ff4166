#include <array>
#include <cmath>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "rodeo/fluid/resistance.hpp"
#include "rodeo/linear/dense.hpp"

#include "fluid/flagella.hpp"
#include "fluid/mobility_matrix.hpp"
#include "member/run_members.hpp"

namespace rodeo::fluid {
namespace {

/// A rigid right-handed helix about x, as it may be turned and pulled.
struct Helix {
  double radius = 0.01;
  double pitch = 0.05;
  int turns = 4;

  double slope() const { return std::hypot(radius, pitch / (2 * M_PI)); }  ///< arc length over angle
  double length() const { return 2 * M_PI * turns * slope(); }
  Eigen::Vector3d place(double arc) const {
    const double angle = arc / slope();
    return {pitch * angle / (2 * M_PI), radius * std::cos(angle), radius * std::sin(angle)};
  }
  Eigen::Vector3d tangent(double arc) const {
    const double angle = arc / slope();
    return Eigen::Vector3d(pitch / (2 * M_PI), -radius * std::sin(angle), radius * std::cos(angle)) / slope();
  }
};

/// Force and torque along x over 8 pi mu: of a turn at 1 rad/s, and the force of a translation at 1 m/s.
struct Resistances {
  double thrust;
  double torque;
  double drag;
};

Eigen::Vector3d turning(const Eigen::Vector3d& place) { return {0.0, -place.z(), place.y()}; }

/// From forces of a turn and of a translation at places.
Resistances resistances(const std::vector<Eigen::Vector3d>& places, const Eigen::VectorXd& of_turn,
                        const Eigen::VectorXd& of_pull) {
  Resistances sum{};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(3 * i);
    sum.thrust += of_turn(k);
    sum.torque += turning(places[i]).dot(of_turn.segment<3>(k));
    sum.drag += of_pull(k);
  }
  return sum;
}

/// Lighthill's slender-body theory (1976), solved numerically as by Rodenborn et al. (PNAS 110, E338, 2013):
/// an element of length 2 delta = sqrt(e) a moves by f_n/(4 pi mu) of its own force across and the Stokeslets
/// of all others. Constant forces per length, six points of Gauss in each element.
Resistances slender_body_theory(const Helix& helix, int elements) {
  constexpr std::array abscissae = {0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
  constexpr std::array weights = {0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
  const double half = 0.5 * helix.length() / elements;
  std::vector<Eigen::Vector3d> middles;
  for (int i = 0; i < elements; ++i) middles.push_back(helix.place((2 * i + 1) * half));
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3 * elements, 3 * elements);
  Eigen::VectorXd turn(3 * elements);
  Eigen::VectorXd pull(3 * elements);
  for (int i = 0; i < elements; ++i) {
    const Eigen::Vector3d& x = middles[static_cast<std::size_t>(i)];
    const Eigen::Vector3d t = helix.tangent((2 * i + 1) * half);
    turn.segment<3>(3 * i) = turning(x);
    pull.segment<3>(3 * i) = Eigen::Vector3d::UnitX();
    matrix.block<3, 3>(3 * i, 3 * i) = 2 * (Eigen::Matrix3d::Identity() - t * t.transpose());
    for (int j = 0; j < elements; ++j) {
      if (j == i) continue;
      for (std::size_t k = 0; k < 6; ++k) {
        const double side = k < 3 ? 1.0 : -1.0;
        const Eigen::Vector3d r = x - helix.place((2 * j + 1) * half + side * half * abscissae[k % 3]);
        const double inverse = 1 / r.norm();
        matrix.block<3, 3>(3 * i, 3 * j) +=
            half * weights[k % 3] * inverse *
            (Eigen::Matrix3d::Identity() + inverse * inverse * r * r.transpose());
      }
    }
  }
  return resistances(middles, 2 * half * solved(matrix, turn), 2 * half * solved(matrix, pull));
}

Resistances stokeslet_segments(const Helix& helix, int elements, double regularization) {
  NodeVectors position(elements + 1);
  NodeVectors turn(elements + 1);
  NodeVectors pull(elements + 1);
  std::vector<Eigen::Vector3d> places;
  for (int i = 0; i <= elements; ++i) {
    const Eigen::Vector3d x = helix.place(i * helix.length() / elements);
    const Eigen::Vector3d u = turning(x);
    position.set(i, {x.x(), x.y(), x.z()});
    turn.set(i, {u.x(), u.y(), u.z()});
    pull.set(i, {1, 0, 0});
    places.push_back(x);
  }
  const Filament filament{elements + 1,
                          std::vector<double>(static_cast<std::size_t>(elements), regularization)};
  Resistance resistance({filament}, MobilityKind::full, 1e-12);
  resistance.solve(position, turn);
  const Eigen::VectorXd of_turn = vector_of(resistance.force());
  resistance.solve(position, pull);
  return resistances(places, of_turn, vector_of(resistance.force()));
}

/// Where an element of the theory is as long as it must be for the radius.
double radius_of(const Helix& helix, int elements) { return helix.length() / elements / std::sqrt(M_E); }

TEST(Propulsion, HelixThrustIsThatOfSlenderBodyTheory) {
  // The theory leaves out what is of the order of the radius over that of the helix, here 1/10 and 1/20.
  for (const Helix& helix : {Helix{0.01, 0.05, 4}, Helix{0.01, 0.12, 3}, Helix{0.02, 0.10, 3}}) {
    const int elements = static_cast<int>(helix.length() / (std::sqrt(M_E) * 1e-3));
    const double radius = radius_of(helix, elements);
    const Resistances theory = slender_body_theory(helix, elements);
    const Resistances segments = stokeslet_segments(helix, 150, std::sqrt(M_E) * radius);
    EXPECT_NEAR(segments.thrust, theory.thrust, 0.3e-3 / helix.radius * std::abs(theory.thrust));
    EXPECT_NEAR(segments.torque, theory.torque, 0.01 * theory.torque);
    EXPECT_NEAR(segments.drag, theory.drag, 0.01 * theory.drag);
    // A right-handed helix that turns to the right is driven backwards.
    EXPECT_LT(segments.thrust, 0.0);
  }
}

/// The discretisation of the paper: 5 mm, and 1.02 radii, which makes the flagellum thicker.
TEST(Propulsion, PublishedFlagellumIsNearSlenderBodyTheory) {
  const Helix helix;
  const int elements = static_cast<int>(helix.length() / (std::sqrt(M_E) * 1e-3));
  const Resistances theory = slender_body_theory(helix, elements);
  const Resistances published = stokeslet_segments(helix, 64, 1.02e-3);
  EXPECT_NEAR(published.thrust, theory.thrust, 0.15 * std::abs(theory.thrust));
  EXPECT_NEAR(published.torque, theory.torque, 0.15 * theory.torque);
}

/// One flagellum, so stiff that it turns as a whole.
TEST(Propulsion, StiffFlagellumThrustsAsARigidOne) {
  MemberSpec spec = flagella(1);
  for (double* const stiffness : {&spec.rod.bend_stiffness, &spec.rod.twist_stiffness}) *stiffness *= 1e5;
  spec.rod.stretch_stiffness *= 1e3;
  spec.time.steps = 200;
  spec.newton.tolerance = 1e-9;
  const MemberOutcome outcome = run_members({{spec, 1}}).back();
  ASSERT_EQ(outcome.status, MemberStatus::done);

  NodeVectors position(spec.rod.elements + 1);
  NodeVectors velocity(spec.rod.elements + 1);
  const double rate = -15 * 2 * M_PI / 60;
  for (int i = 0; i < position.nodes(); ++i) {
    const Vec3 place = spec.rod.shape_nodes[static_cast<std::size_t>(i)];
    position.set(i, place);
    velocity.set(i, {0.0, -rate * place.z, rate * place.y});
  }
  const Filament filament{position.nodes(), std::vector<double>(static_cast<std::size_t>(spec.rod.elements),
                                                                1.02 * spec.rod.radius)};
  Resistance resistance({filament}, MobilityKind::full, 1e-10);
  resistance.solve(position, velocity);
  Vec3 force;
  for (int i = 0; i < position.nodes(); ++i) force = force - 8 * M_PI * resistance.force().at(i);

  EXPECT_LT(force.x, 0.0);  // it swims towards its clamp
  EXPECT_NEAR(value(outcome, "fluid_force"), force.x, 2e-3 * std::abs(force.x));
  // The clamp bears it, but for what acts on its own node.
  const double at_clamp = -8 * M_PI * resistance.force().at(0).x;
  EXPECT_NEAR(value(outcome, "end_force"), force.x - at_clamp, 2e-3 * std::abs(force.x));
  EXPECT_LT(value(outcome, "fluid_iterations_per_step"), 2.0);
}

/// A heavy straight rod sinks at the speed at which the fluid bears its weight.
TEST(Propulsion, RodSinksAsItsWeightAndItsDragSay) {
  MemberSpec spec = flagella(1);
  spec.rod.shape = RodShape::straight;
  spec.rod.length = 0.2;
  spec.rod.elements = 40;
  spec.rod.bend_stiffness *= 1e4;
  spec.boundary = {};
  spec.load.gravity = {0, 0, -9.81};
  spec.newton.tolerance = 1e-8;
  spec.time = {.step = 1e-3, .steps = 400, .slice_steps = 400};
  spec.frames = 401;
  const MemberOutcome outcome = run_members({{spec, 1}}).back();
  ASSERT_EQ(outcome.status, MemberStatus::done);

  NodeVectors position(41);
  NodeVectors velocity(41);
  for (int i = 0; i < 41; ++i) {
    position.set(i, {0.005 * i, 0, 0});
    velocity.set(i, {0, 0, -1});
  }
  Resistance resistance({{41, std::vector<double>(40, 1.02e-3)}}, MobilityKind::full, 1e-10);
  resistance.solve(position, velocity);
  double drag = 0.0;
  for (int i = 0; i < 41; ++i) drag -= 8 * M_PI * resistance.force().at(i).z;
  const double weight = 9.81 * spec.rod.density * M_PI * 1e-6 * spec.rod.length;
  const auto height = [&](std::size_t frame) { return outcome.fields[0][(frame * 41 + 20) * 3 + 2]; };
  EXPECT_NEAR(height(399) - height(400), 1e-3 * weight / drag, 1e-3 * 1e-3 * weight / drag);
}

/// Neither neighbours in the batch nor where it runs change a member: alone it has all threads for its own
/// loops, in a batch one.
TEST(Propulsion, MembersDoNotDependOnTheirBatchNorOnThreads) {
  MemberSpec spec = flagella(4);
  // So near each other that they touch.
  spec.rod.origin = 0.105 * spec.rod.origin;
  for (RodSetup& setup : spec.further_rods) setup.rod.origin = 0.105 * setup.rod.origin;
  spec.contact = {.kind = ContactKind::imc, .tolerance = 1e-5, .friction = 0.3, .slip_tolerance = 1e-4};
  spec.time.steps = 20;
  spec.frames = 2;
  MemberSpec other = flagella(3);
  other.time = spec.time;
  other.frames = spec.frames;
  other.fluid.mobility = MobilityKind::lower_triangle;
  const MemberOutcome alone = run_members({{spec, 1}}).back();
  const MemberOutcome together = run_members({{other, 1}, {spec, 1}}).back();
  EXPECT_EQ(alone.status, MemberStatus::done);
  EXPECT_GT(value(alone, "contact_steps"), 0.0);
  EXPECT_EQ(alone.fields, together.fields);
}

}  // namespace
}  // namespace rodeo::fluid
