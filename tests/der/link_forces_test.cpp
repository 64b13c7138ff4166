#include "rodeo/der/link_forces.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/der/elastic_energy.hpp"
#include "rodeo/der/implicit_euler.hpp"
#include "rodeo/der/relative_frame.hpp"

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

namespace rodeo::der {
namespace {

ConnectionEnd link_node(int rod, int node) { return {.rod = rod, .node = node}; }
ConnectionEnd link_element(int rod, int element, double fraction = 0.5) {
  return {.rod = rod, .element = element, .fraction = fraction};
}

/// Two implicit rods of 5 and 4 elements, side by side.
MemberSpec two_implicit_rods() {
  MemberSpec spec = cosserat::soft_rod(5);
  spec.model = ModelKind::der;
  spec.sections_shrink = 0.0;
  spec.rod.radius = 0.01;
  RodSetup second{spec.rod, {}, {}, JointKind::none};
  second.rod.elements = 4;
  second.rod.origin = {0.021, 0, 0.1};
  second.rod.normal = normalized({0.6, 0.8, 0});
  spec.further_rods = {second};
  spec.time = {.step = 0.01, .steps = 100, .slice_steps = 10};
  spec.newton = {.tolerance = 1e-8, .iterations = 50, .halvings = 10};
  return spec;
}

std::vector<ConnectionSpec> all_kinds() {
  using enum ConnectionKind;
  return {
      {.kind = spring, .ends = {link_node(0, 2), link_element(1, 3, 0.3)}, .stiffness = 70.0, .damping = 2.0},
      {.kind = spring, .ends = {link_node(0, 1), link_node(0, 5)}, .stiffness = 40.0, .length = 0.2},
      {.kind = spring,
       .ends = {link_node(0, 3), link_node(1, 1)},
       .stiffness = 30.0,
       .length = 0.0,
       .damping = 1.0},
      {.kind = ball, .ends = {link_node(0, 5), link_element(1, 3)}, .stiffness = 90.0, .damping = 3.0},
      {.kind = rigid,
       .ends = {link_element(0, 3), link_element(1, 2)},
       .damping = 1.0,
       .rotational_damping = 0.1},
      {.kind = hinge,
       .ends = {link_element(0, 4), link_node(1, 1)},
       .stiffness = 50.0,
       .rotational_damping = 0.2,
       .axis = normalized({1, 2, 3})},
      {.kind = bond,
       .ends = {link_node(0, 0), link_node(1, 0)},
       .stiffness = 500.0,
       .damping = 7.0,
       .arc = {0.2, 0.9}}};
}

/// The arrays of a member, its links, and degrees of freedom far from where a step starts.
struct Linked {
  MemberSpec spec;
  std::vector<double> storage;
  RodView all;
  std::vector<int> first_dof;
  LinkForces links;
  std::vector<double> start;
  std::vector<double> q;

  explicit Linked(const ConnectionSpec& connection)
      : spec(with(connection)),
        storage(rod_size(array_elements(spec))),
        all(storage.data(), array_elements(spec), 0.0),
        first_dof(dofs()),
        links(made(), {}, all, first_dof) {
    for (const RodPlace& rod : rod_places(spec)) {
      cosserat::stir(all.part(rod.first, rod.elements), 0.2);
      for (int i = 0; i < rod.elements; ++i) {  // frames stand along their edges
        const Vec3 edge =
            all.vec3(field::position, rod.first + i + 1) - all.vec3(field::position, rod.first + i);
        const Quaternion frame = all.quaternion(rod.first + i);
        all.set_quaternion(rod.first + i, turned_frame(frame, turned_edge(frame, edge, 0.0)));
      }
      const std::vector<double> own = present(all.part(rod.first, rod.elements));
      start.insert(start.end(), own.begin(), own.end());
    }
    q = start;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.05 * std::sin(1.0 + 2.3 * static_cast<double>(i));
    links.begin_step(start, 0.01);
  }

  static MemberSpec with(const ConnectionSpec& connection) {
    MemberSpec spec = two_implicit_rods();
    spec.connections = {connection};
    return spec;
  }
  std::vector<int> dofs() const {
    std::vector<int> first(static_cast<std::size_t>(all.elements), -1);
    int next = 0;
    for (const RodPlace& rod : rod_places(spec)) {
      for (int i = 0; i < rod.elements; ++i) first[static_cast<std::size_t>(rod.first + i)] = next + 4 * i;
      next += degrees_of_freedom(rod.elements);
    }
    return first;
  }
  connection::Parts made() {
    build_rods(spec, all);
    return connection::build_connections(spec, all);
  }

  /// By the laws that explicit steps use.
  double energy_at(const std::vector<double>& at) const {
    std::vector<double> copy = storage;
    const RodView there(copy.data(), all.elements, 0.0);
    for (int i = 0; i < all.elements; ++i) {
      const int first = first_dof[static_cast<std::size_t>(i)];
      if (first < 0) continue;
      const double* const x = at.data() + first;
      there.set_vec3(field::position, i, {x[0], x[1], x[2]});
      there.set_vec3(field::position, i + 1, {x[4], x[5], x[6]});
      const Vec3 edge = {x[4] - x[0], x[5] - x[1], x[6] - x[2]};
      there.set_quaternion(i, turned_frame(all.quaternion(i), turned_edge(all.quaternion(i), edge, x[3])));
    }
    std::vector<double> rest(storage.size());
    const RodView at_rest(rest.data(), all.elements, 0.0);
    build_rods(spec, at_rest);
    connection::Parts parts = connection::build_connections(spec, at_rest);
    std::vector<Vec3> loads;
    return parts.view(loads).energy(OneThread{}, there);
  }

  std::vector<double> residual(const std::vector<double>& at) const {
    std::vector<double> force(at.size(), 0.0);
    links.add_residual(at, force);
    return force;
  }
};

TEST(LinkForces, AreTheSlopesOfTheEnergy) {
  for (ConnectionSpec connection : all_kinds()) {
    connection.damping = connection.rotational_damping = 0.0;
    const Linked test(connection);
    const std::vector<double> found = test.residual(test.q);
    constexpr double h = 1e-5;
    double largest = 0.0;
    for (std::size_t i = 0; i < test.q.size(); ++i) {
      std::vector<double> up = test.q;
      std::vector<double> down = test.q;
      up[i] += h;
      down[i] -= h;
      const double slope = (test.energy_at(up) - test.energy_at(down)) / (2 * h);
      // Rounding of the energy, 1e-16 E/h, and what h^2 leaves grow with the forces, of up to some 100 N.
      EXPECT_NEAR(found[i], slope, 1e-6 * (1.0 + std::abs(slope)))
          << static_cast<int>(connection.kind) << " " << i;
      largest = std::max(largest, std::abs(slope));
    }
    EXPECT_GT(largest, 0.1);
  }
}

TEST(LinkForces, HaveTheirExactAndSymmetricJacobian) {
  for (const ConnectionSpec& connection : all_kinds()) {
    const Linked test(connection);
    constexpr double h = 1e-5;
    for (std::size_t k = 0; k < test.links.spans().size(); ++k) {
      LinkMatrix block = {};
      test.links.set_jacobian(k, test.q, block);
      for (int i = 0; i < 2 * link_size; ++i) {
        for (int j = 0; j < i; ++j)
          EXPECT_NEAR(block[i][j], block[j][i], 1e-9 * (1.0 + std::abs(block[i][j])));
      }
      if (test.links.spans().size() > 1) continue;
      const coupling::SpanPair& spans = test.links.spans()[k];
      for (const coupling::Span& columns : spans) {
        for (int j = 0; j < columns.size; ++j) {
          const auto entry = static_cast<std::size_t>(columns.first + j);
          std::vector<double> up = test.q;
          std::vector<double> down = test.q;
          up[entry] += h;
          down[entry] -= h;
          const std::vector<double> above = test.residual(up);
          const std::vector<double> below = test.residual(down);
          for (const coupling::Span& rows : spans) {
            for (int i = 0; i < rows.size; ++i) {
              const auto row = static_cast<std::size_t>(rows.first + i);
              double expected = (above[row] - below[row]) / (2 * h);
              double found = 0.0;  // both spans may be of the same rod and share entries
              for (int a = 0; a < 2; ++a) {
                for (int b = 0; b < 2; ++b) {
                  const coupling::Span& of_row = spans[static_cast<std::size_t>(a)];
                  const coupling::Span& of_column = spans[static_cast<std::size_t>(b)];
                  const int r = rows.first + i - of_row.first;
                  const int c = columns.first + j - of_column.first;
                  if (r >= 0 && r < of_row.size && c >= 0 && c < of_column.size)
                    found += block[link_size * a + r][link_size * b + c];
                }
              }
              EXPECT_NEAR(found, expected, 1e-5 * (1.0 + std::abs(expected)))
                  << static_cast<int>(connection.kind) << " " << row << " " << entry;
            }
          }
        }
      }
    }
  }
}

/// A cantilever of 1 m along z with a side force at its end, at rest after some long steps.
MemberSpec implicit_cantilever(int elements, double force) {
  MemberSpec spec = cosserat::soft_rod(elements);
  spec.model = ModelKind::der;
  spec.sections_shrink = 0.0;
  spec.rod.radius = 0.01;
  spec.rod.stretch_stiffness = 3000.0;
  spec.rod.damping = 2.0;
  spec.boundary.first = EndCondition::clamped;
  spec.load.end_force = {force, 0, 0};
  spec.time = {.step = 0.2, .steps = 300, .slice_steps = 30};
  spec.newton = {.tolerance = 1e-9, .iterations = 50, .halvings = 10};
  return spec;
}

TEST(LinkForces, ARigidJointOfTwoHalvesMakesTheWholeCantilever) {
  const MemberSpec whole = implicit_cantilever(12, 0.02);
  MemberSpec halves = implicit_cantilever(6, 0.0);
  halves.rod.length = 0.5;
  RodSetup second{halves.rod, {}, whole.load, JointKind::none};
  second.rod.origin = {0, 0, 0.5};
  second.rod.normal = normalized({1, 1, 0});
  halves.further_rods = {second};
  halves.connections = {{.kind = ConnectionKind::rigid, .ends = {link_node(0, 6), link_node(1, 0)}}};
  const MemberOutcome one = run_member(whole);
  const MemberOutcome two = run_member(halves);
  EXPECT_EQ(two.status, MemberStatus::done);
  EXPECT_NEAR(value(one, "end_x"), 0.02 / (3 * 0.8), 1e-4);
  EXPECT_NEAR(value(two, "end_x"), value(one, "end_x"), 1e-3 * value(one, "end_x"));
  EXPECT_NEAR(value(two, "newton_iterations_per_step"), value(one, "newton_iterations_per_step"), 1.0);
}

TEST(LinkForces, BondedRodsBendAsOneBeam) {
  MemberSpec spec = implicit_cantilever(12, 0.1);
  RodSetup second{spec.rod, spec.boundary, {}, JointKind::none};
  second.rod.origin = {0.1, 0, 0};
  second.rod.normal = {0, 1, 0};
  spec.further_rods = {second};
  spec.connections = {
      {.kind = ConnectionKind::bond, .ends = {link_node(0, 0), link_node(1, 0)}, .stiffness = 4e6}};
  for (const TimeScheme scheme : {TimeScheme::backward_euler, TimeScheme::sdirk2}) {
    spec.scheme = scheme;
    const MemberOutcome outcome = run_member(spec);
    const double stiffness = 2 * 0.8 + 3000.0 * 0.1 * 0.1 / 2;
    EXPECT_NEAR(value(outcome, "end_x") - 0.1, 0.1 / (3 * stiffness), 0.02 * 0.1 / (3 * stiffness));
  }
}

/// A double pendulum that a ball joint in the middle of its second rod makes, with all other kinds around.
MemberSpec implicit_pendulum() {
  MemberSpec spec = implicit_cantilever(5, 0.0);
  spec.boundary.first = EndCondition::pinned;
  spec.rod.damping = 0.0;
  spec.load.gravity = {3, 1, -9.81};
  RodSetup second{spec.rod, {}, spec.load, JointKind::none};
  second.rod.elements = 4;
  second.rod.direction = {1, 0, 0};
  second.rod.normal = {0, 1, 0};
  second.rod.origin = {-0.25, 0, 1};
  spec.further_rods = {second};
  spec.connections = {{.kind = ConnectionKind::ball, .ends = {link_node(1, 1), link_node(0, 5)}}};
  spec.time = {.step = 1e-3, .steps = 400, .slice_steps = 20};
  spec.scheme = TimeScheme::sdirk2;
  return spec;
}

TEST(LinkForces, ABallJointSwingsAndKeepsEnergy) {
  MemberSpec spec = implicit_pendulum();
  const MemberOutcome outcome = run_member(spec);
  EXPECT_EQ(outcome.status, MemberStatus::done);
  EXPECT_GT(value(outcome, "translational_energy"), 0.5);
  EXPECT_LT(std::abs(value(outcome, "energy_drift")), 5e-3 * value(outcome, "translational_energy"));
}

TEST(LinkForces, GoOnBitwiseAfterARestartWithWhatBroke) {
  MemberSpec spec = implicit_pendulum();
  spec.scheme = TimeScheme::backward_euler;
  RodSetup third = spec.further_rods[0];
  third.rod.origin = {-0.25, 0.021, 1};
  spec.further_rods.push_back(third);
  spec.connections.push_back({.kind = ConnectionKind::bond,
                              .ends = {link_node(1, 0), link_node(2, 0)},
                              .stiffness = 3e3,
                              .damping = 1.0,
                              .strength = 2.0});
  spec.connections.push_back({.kind = ConnectionKind::hinge, .ends = {link_node(0, 2), link_element(1, 2)}});
  spec.contact.kind = ContactKind::none;
  const std::vector<MemberJob> jobs = {{spec, 1}};
  const auto whole = make_batch(jobs);
  const auto cut = make_batch(jobs);
  for (int slice = 0; slice < 12; ++slice) cut->advance();
  StateArchive saved;
  cut->visit_state(0, saved);
  const std::vector<std::byte> bytes = saved.take();
  const auto resumed = make_batch(jobs);
  StateArchive archive(bytes);
  resumed->visit_state(0, archive);
  archive.require_end();
  while (whole->advance()) {
  }
  while (resumed->advance()) {
  }
  EXPECT_EQ(whole->outcomes()[0].status, MemberStatus::done);
  for (const char* const name : {"end_x", "end_y", "connection_energy", "total_energy", "broken_bonds"})
    EXPECT_EQ(value(resumed->outcomes()[0], name), value(whole->outcomes()[0], name)) << name;
  EXPECT_GT(value(whole->outcomes()[0], "broken_bonds"), 0.0);
}

}  // namespace
}  // namespace rodeo::der
