#include "rodeo/coupling/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/der/elastic_energy.hpp"
#include "rodeo/der/loaded_rods.hpp"

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

namespace rodeo::der {
namespace {

constexpr double radius = 0.01;

/// A rod of half a metre with its middle at `middle`.
RodSetup rod_about(const Vec3& middle, const Vec3& direction, const Vec3& normal) {
  RodSetup setup;
  setup.rod = cosserat::soft_rod(10).rod;
  setup.rod.length = 0.5;
  setup.rod.radius = radius;
  setup.rod.stretch_stiffness = 1e4;
  setup.rod.origin = middle - 0.25 * direction;
  setup.rod.direction = direction;
  setup.rod.normal = normal;
  return setup;
}

MemberSpec member_of(const std::vector<RodSetup>& rods, ContactKind kind) {
  MemberSpec spec = cosserat::soft_rod(1);
  spec.model = ModelKind::der;
  spec.rod = rods.front().rod;
  spec.boundary = rods.front().boundary;
  spec.load = rods.front().load;
  spec.further_rods.assign(rods.begin() + 1, rods.end());
  spec.contact.kind = kind;
  spec.contact.tolerance = 0.01 * radius;
  spec.time = {.step = 1e-3, .steps = 200, .slice_steps = 20};
  spec.newton = {.tolerance = 1e-9, .iterations = 50, .halvings = 10};
  return spec;
}

/// The degrees of freedom of the rows of a pair's block.
std::vector<std::size_t> entries_of(const coupling::PairNodes& nodes, const contact::PairMatrix& block) {
  std::vector<std::size_t> entries;
  const coupling::PairPlaces places{nodes, block.turns()};
  for (int k = 0; k < places.count(); ++k) {
    for (int c = 0; c < places.size(k); ++c) entries.push_back(static_cast<std::size_t>(places.first(k) + c));
  }
  return entries;
}

/// Two rods across each other that overlap a little, after a step in which they slid and turned. Elements
/// have an angle or, with a `stride` of 6, a rotation vector.
struct Crossing {
  MemberSpec spec;
  cosserat::TestRod test;
  int stride;
  std::vector<double> start, q;
  coupling::Contacts contacts;

  explicit Crossing(ContactKind kind, double friction, int stride_of = layout.stride)
      : spec(make_spec(kind, friction)),
        test(spec),
        stride(stride_of),
        contacts(spec, test.view(), first_dofs(stride), stride) {
    for (int k = 0; k < 2; ++k) {
      const RodView rod = test.rod(k);
      for (int i = 0; i < rod.nodes(); ++i) {
        const Vec3 r = rod.vec3(field::position, i);
        const Vec3 before = r - 1e-4 * Vec3{0, k == 0 ? 1.0 : 0.0, k == 0 ? 0.3 : -0.5 - 0.01 * i};
        for (const double x : {r.x, r.y, r.z}) q.push_back(x);
        for (const double x : {before.x, before.y, before.z}) start.push_back(x);
        if (i == rod.elements) continue;
        for (int c = 3; c < stride; ++c) {
          q.push_back(k == 0 ? 0.004 : -0.007 + 0.002 * c);
          start.push_back(0.0);
        }
      }
    }
  }

  static MemberSpec make_spec(ContactKind kind, double friction) {
    const double gap = kind == ContactKind::imc ? -0.002 : 0.003;
    MemberSpec spec = member_of({rod_about({}, {0, 0, 1}, {1, 0, 0}),
                                 rod_about({(2.0 + gap) * radius, 0.012, 0.021}, {0, 1, 0}, {1, 0, 0})},
                                kind);
    spec.contact.friction = friction;
    spec.contact.slip_tolerance = 0.2;
    return spec;
  }
  static std::vector<int> first_dofs(int stride) {
    std::vector<int> first;
    for (int i = 0; i < 10; ++i) first.push_back(stride * i);
    for (int i = 0; i < elements_between_rods; ++i) first.push_back(-1);
    for (int i = 0; i < 10; ++i) first.push_back(of_rod(stride) + stride * i);
    return first;
  }
  static int of_rod(int stride) { return stride * 10 + 3; }

  /// With a stiffness that follows from a force of 0.01 N.
  void begin_step() {
    ASSERT_TRUE(contacts.begin_step(start, q, 1e-3));
    std::vector<double> force(q.size(), 0.0);
    force[static_cast<std::size_t>(5 * stride)] = 1e-2;
    contacts.set_stiffness(force);
  }

  std::vector<double> residual() {
    std::vector<double> force(q.size(), 0.0);
    contacts.add_residual(q, force);
    return force;
  }
};

void check_jacobian(Crossing& crossing) {
  ASSERT_NO_FATAL_FAILURE(crossing.begin_step());
  crossing.residual();
  ASSERT_TRUE(crossing.contacts.active());
  const std::size_t size = crossing.q.size();
  std::vector<double> jacobian(size * size, 0.0);
  crossing.contacts.for_each_jacobian([&](const coupling::PairNodes& nodes, contact::PairMatrix& block) {
    const std::vector<std::size_t> at = entries_of(nodes, block);
    for (int i = 0; i < block.size(); ++i) {
      for (int j = 0; j < block.size(); ++j)
        jacobian[at[static_cast<std::size_t>(i)] * size + at[static_cast<std::size_t>(j)]] += block[i][j];
    }
  });
  double largest = 0.0;
  for (const double entry : jacobian) largest = std::max(largest, std::abs(entry));
  ASSERT_GT(largest, 0.0);
  constexpr double step = 2e-8;
  for (std::size_t j = 0; j < size; ++j) {
    const double here = crossing.q[j];
    const auto at = [&](double move) {
      crossing.q[j] = here + move;
      return crossing.residual();
    };
    const std::vector<double> a = at(step), b = at(-step), c = at(2 * step), d = at(-2 * step);
    crossing.q[j] = here;
    for (std::size_t i = 0; i < size; ++i) {
      const double difference = (8 * (a[i] - b[i]) - (c[i] - d[i])) / (12 * step);
      EXPECT_NEAR(jacobian[i * size + j], difference, 1e-6 * largest) << i << ", " << j;
    }
  }
}

TEST(DerContacts, JacobianIsThatOfTheResidual) {
  for (const int stride : {4, 6}) {
    for (const ContactKind kind : {ContactKind::imc, ContactKind::ipc}) {
      for (const double friction : {0.0, 0.4}) {
        Crossing crossing(kind, friction, stride);
        check_jacobian(crossing);
      }
    }
  }
}

/// Entries by turns are far smaller than those by places, and compared with the largest of their own.
TEST(DerContacts, JacobianByTurnsIsThatOfTheResidual) {
  for (const int stride : {4, 6}) {
    Crossing crossing(ContactKind::imc, 0.4, stride);
    ASSERT_NO_FATAL_FAILURE(crossing.begin_step());
    crossing.residual();
    const std::size_t size = crossing.q.size();
    std::vector<std::vector<double>> columns(size, std::vector<double>(size, 0.0));
    double largest = 0.0;
    crossing.contacts.for_each_jacobian([&](const coupling::PairNodes& nodes, contact::PairMatrix& block) {
      const std::vector<std::size_t> at = entries_of(nodes, block);
      for (int j = contact::pair_size; j < block.size(); ++j) {
        for (int i = 0; i < block.size(); ++i) {
          columns[at[static_cast<std::size_t>(j)]][at[static_cast<std::size_t>(i)]] += block[i][j];
          largest = std::max(largest, std::abs(block[i][j]));
        }
      }
    });
    ASSERT_GT(largest, 0.0) << stride;
    for (std::size_t j = 0; j < size; ++j) {
      if (static_cast<int>(j) % Crossing::of_rod(stride) % stride < 3) continue;
      const double here = crossing.q[j];
      constexpr double step = 1e-5;
      crossing.q[j] = here + step;
      const std::vector<double> ahead = crossing.residual();
      crossing.q[j] = here - step;
      const std::vector<double> behind = crossing.residual();
      crossing.q[j] = here;
      for (std::size_t i = 0; i < size; ++i)
        EXPECT_NEAR(columns[j][i], (ahead[i] - behind[i]) / (2 * step), 1e-5 * largest) << i << ", " << j;
    }
  }
}

/// Forces on nodes and couples on elements leave momentum and angular momentum as they are.
TEST(DerContacts, ActionIsReaction) {
  for (const int stride : {4, 6}) {
    for (const ContactKind kind : {ContactKind::imc, ContactKind::ipc}) {
      for (const double friction : {0.0, 0.4}) {
        Crossing crossing(kind, friction, stride);
        ASSERT_NO_FATAL_FAILURE(crossing.begin_step());
        const std::vector<double> residual = crossing.residual();
        Vec3 force, moment;
        double largest = 0.0;
        for (int k = 0; k < 2; ++k) {
          const RodView rod = crossing.test.rod(k);
          const double* const f = residual.data() + k * Crossing::of_rod(stride);
          for (int i = 0; i < rod.nodes(); ++i) {
            const double* const own = f + stride * i;
            const Vec3 on_node = {own[0], own[1], own[2]};
            const Vec3 at = rod.vec3(field::position, i);
            force = force + on_node;
            moment = moment + cross(at, on_node);
            largest = std::max(largest, norm(on_node));
            if (i == rod.elements) continue;
            const Vec3 edge = rod.vec3(field::position, i + 1) - at;
            moment =
                moment + (stride == 4 ? own[3] * normalized(edge)
                                      : directors(rod.quaternion(i)).to_laboratory({own[3], own[4], own[5]}));
          }
        }
        EXPECT_NEAR(norm(force), 0.0, 1e-12 * largest);
        EXPECT_NEAR(norm(moment), 0.0, 1e-12 * largest * radius) << stride << " " << friction;
      }
    }
  }
}

TEST(DerContacts, TouchesAreThePairsOfTheResidualWithTheirForces) {
  for (const ContactKind kind : {ContactKind::imc, ContactKind::ipc}) {
    for (const double friction : {0.0, 0.4}) {
      Crossing crossing(kind, friction);
      ASSERT_NO_FATAL_FAILURE(crossing.begin_step());
      const std::vector<double> residual = crossing.residual();
      const std::vector<contact::Touch> touches = crossing.contacts.touches();
      ASSERT_EQ(touches.size(), 1U);
      EXPECT_EQ(touches[0].earlier, 5);  // 0.021 m beyond the middle node
      EXPECT_EQ(touches[0].later, 10 + elements_between_rods + 4);
      Vec3 on_second;
      for (auto i = static_cast<std::size_t>(degrees_of_freedom(10)); i < residual.size(); i += 4)
        on_second = on_second - Vec3{residual[i], residual[i + 1], residual[i + 2]};
      EXPECT_GT(touches[0].normal, 0.0);
      EXPECT_NEAR(touches[0].normal, on_second.x, 1e-12 * norm(on_second));
      EXPECT_NEAR(touches[0].friction, std::hypot(on_second.y, on_second.z), 1e-12 * norm(on_second));
      EXPECT_EQ(touches[0].friction > 0.0, friction > 0.0);
    }
  }
}

TEST(DerContacts, TheFirstIterateForeseesTheFrictionOfAPairThatGoesOnSliding) {
  Crossing crossing(ContactKind::imc, 0.4);
  const double step = 1e-3;
  std::vector<double> next = crossing.q;
  for (std::size_t i = 0; i < next.size(); ++i) next[i] += crossing.q[i] - crossing.start[i];
  std::size_t entry = 0;
  for (int k = 0; k < 2; ++k) {
    const RodView rod = crossing.test.rod(k);
    for (int i = 0; i < rod.nodes(); ++i, entry += 4) {
      const double* const from = crossing.q.data() + entry;
      const double* const to = next.data() + entry;
      rod.set_vec3(field::velocity, i, 1.0 / step * Vec3{to[0] - from[0], to[1] - from[1], to[2] - from[2]});
      if (i < rod.elements) rod.set_vec3(field::angular_velocity, i, {0, 0, (to[3] - from[3]) / step});
    }
    entry -= 1;  // no angle after the last node
  }
  ASSERT_TRUE(crossing.contacts.begin_step(crossing.q, crossing.q, step));
  std::vector<double> force(next.size(), 0.0);
  force[20] = 1e-2;
  crossing.contacts.set_stiffness(force);
  std::vector<double> foreseen = crossing.residual();
  crossing.contacts.for_each_jacobian([&](const coupling::PairNodes& nodes, contact::PairMatrix& block) {
    const std::vector<std::size_t> at = entries_of(nodes, block);
    for (int i = 0; i < block.size(); ++i) {
      for (int j = 0; j < block.size(); ++j) {
        const std::size_t column = at[static_cast<std::size_t>(j)];
        foreseen[at[static_cast<std::size_t>(i)]] += block[i][j] * (next[column] - crossing.q[column]);
      }
    }
  });
  crossing.q = next;
  const std::vector<double> found = crossing.residual();
  double largest = 0.0;
  for (std::size_t i = 0; i < found.size() / 2; i += 4)
    largest = std::max({largest, std::abs(found[i + 1]), std::abs(found[i + 2])});
  ASSERT_GT(largest, 0.0);  // friction lies across the normal, which is along x
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(foreseen[i], found[i], 0.02 * largest) << i;
}

TEST(DerContacts, BarrierBoundsStepsAndSeesWhatDrivenEndsDo) {
  Crossing crossing(ContactKind::ipc, 0.0);
  ASSERT_TRUE(crossing.contacts.begin_step(crossing.start, crossing.q, 1e-3));
  std::vector<double> towards(crossing.q.size(), 0.0);
  for (std::size_t i = 0; i < towards.size() / 2; i += 4) towards[i] = 0.5 * radius;
  const double bound = crossing.contacts.bound(crossing.q, towards);
  EXPECT_GT(bound * 0.5, 0.5 * 0.003);
  EXPECT_LT(bound * 0.5, 0.003);
  for (double& p : towards) p = -p;
  EXPECT_EQ(crossing.contacts.bound(crossing.q, towards), 1.0);
  // A first iterate on the other side of what is in the way.
  std::vector<double> beyond = crossing.q;
  for (std::size_t i = 0; i < beyond.size() / 2; i += 4) beyond[i] -= 5 * radius;
  EXPECT_FALSE(crossing.contacts.begin_step(beyond, crossing.q, 1e-3) &&
               crossing.contacts.begin_step(crossing.q, beyond, 1e-3));
}

/// Two rails along z, and a rod across them that gravity presses down along -x and pulls along z, or along
/// itself.
MemberSpec rod_on_rails(double friction, double slope, bool along = false) {
  const double touch = 2.0 * radius;
  RodSetup left = rod_about({0, -0.12, 0}, {0, 0, 1}, {1, 0, 0});
  left.boundary = {EndCondition::clamped, EndCondition::clamped};
  left.rod.bend_stiffness = 1e4;
  left.rod.twist_stiffness = 1e4;
  left.rod.stretch_stiffness = 1e7;
  RodSetup right = left;
  right.rod.origin.y = 0.12;
  RodSetup across = rod_about({touch + 0.002 * radius, 0, -0.02}, {0, 1, 0}, {1, 0, 0});
  across.rod.bend_stiffness = 1e4;
  MemberSpec spec = member_of({left, right, across}, ContactKind::imc);
  spec.contact.friction = friction;
  spec.contact.slip_tolerance = 1e-3;
  const double angle = std::atan(slope);
  const double pull = std::sin(angle);
  spec.load.gravity = 9.81 * Vec3{-std::cos(angle), along ? pull : 0.0, along ? 0.0 : pull};
  return spec;
}

TEST(DerContacts, SticksBelowCoulombsLimitAndSlidesAboveIt) {
  const double duration = 0.2;
  const double friction = 0.5;
  const double start = 0.25;
  const MemberOutcome slides = run_member(rod_on_rails(friction, 0.7, true));
  ASSERT_EQ(slides.status, MemberStatus::done);
  const double angle = std::atan(0.7);
  const double acceleration = 9.81 * (std::sin(angle) - friction * std::cos(angle));
  EXPECT_NEAR(value(slides, "end_y") - start, 0.5 * acceleration * duration * duration,
              0.03 * 0.5 * acceleration * duration * duration);
  const MemberOutcome sticks = run_member(rod_on_rails(friction, 0.4, true));
  ASSERT_EQ(sticks.status, MemberStatus::done);
  EXPECT_GE(value(sticks, "end_y") - start, 0.0);
  EXPECT_LT(value(sticks, "end_y") - start, 1e-3 * duration);  // it creeps below the slip tolerance
  EXPECT_EQ(value(sticks, "contact_count"), 2.0);
  EXPECT_GT(value(sticks, "contact_gap_min"), -0.01);
  EXPECT_EQ(value(sticks, "contact_steps"), 200.0);
}

/// What rolls without slipping falls at two thirds of the slope's acceleration, and needs a third of it as
/// friction.
TEST(DerContacts, ARodRollsDownRailsAndSlipsOnSteeperOnes) {
  const double duration = 0.2;
  const double friction = 0.1;
  for (const double slope : {0.2, 0.6}) {
    const MemberOutcome outcome = run_member(rod_on_rails(friction, slope));
    ASSERT_EQ(outcome.status, MemberStatus::done);
    const double angle = std::atan(slope);
    const double acceleration = slope < 3.0 * friction
                                    ? 2.0 / 3.0 * 9.81 * std::sin(angle)
                                    : 9.81 * (std::sin(angle) - friction * std::cos(angle));
    const double way = 0.5 * acceleration * duration * duration;
    EXPECT_NEAR(value(outcome, "end_z") + 0.02, way, 0.02 * way) << slope;
  }
}

/// Two free rods that fly at each other askew.
MemberSpec collision(ContactKind kind, double friction, double speed) {
  RodSetup first = rod_about({}, {0, 0, 1}, {1, 0, 0});
  RodSetup second = rod_about({2.5 * radius, 0.03, 0.02}, {0, 1, 0}, {1, 0, 0});
  first.rod.velocity = {speed, 0, 0};
  second.rod.velocity = {-speed, 0.3 * speed, 0.2 * speed};
  MemberSpec spec = member_of({first, second}, kind);
  spec.contact.friction = friction;
  spec.contact.slip_tolerance = 1e-3;
  return spec;
}

TEST(DerContacts, CollisionKeepsMomentumAndLosesEnergy) {
  for (const ContactKind kind : {ContactKind::imc, ContactKind::ipc}) {
    for (const double friction : {0.0, 0.3}) {
      const MemberOutcome outcome = run_member(collision(kind, friction, 0.2));
      ASSERT_EQ(outcome.status, MemberStatus::done);
      EXPECT_GT(value(outcome, "contact_steps"), 0.0);
      EXPECT_LT(value(outcome, "momentum_drift"), 1e-8);
      EXPECT_LT(value(outcome, "energy_drift"), 0.0);
    }
  }
}

TEST(DerContacts, BarrierIsNeverCrossedHoweverFastRodsMeet) {
  for (const double speed : {0.1, 1.0, 10.0}) {
    MemberSpec spec = collision(ContactKind::ipc, 0.0, speed);
    spec.time.steps = 50;
    spec.time.slice_steps = 1;
    const MemberOutcome outcome = run_member(spec);
    EXPECT_TRUE(outcome.status == MemberStatus::done || outcome.status == MemberStatus::tangled);
    EXPECT_GT(value(outcome, "contact_steps"), 0.0) << speed;
    EXPECT_EQ(value(outcome, "contact_depth_max"), 0.0);
    EXPECT_GT(value(outcome, "contact_gap_min"), 0.0);
  }
}

TEST(DerContacts, ABarrierThatIsCrossedAtTheStartIsTold) {
  MemberSpec spec = Crossing::make_spec(ContactKind::ipc, 0.0);  // 0.003 radii apart
  EXPECT_FALSE(coupling::overlap_at_start(spec));
  spec.further_rods.front().rod.origin.x -= 0.005 * radius;
  EXPECT_NEAR(coupling::overlap_at_start(spec).value_or(0.0), 0.002 * radius, 1e-9 * radius);
  spec.contact.kind = ContactKind::penalty;
  EXPECT_FALSE(coupling::overlap_at_start(spec));
}

TEST(DerContacts, RodsDoNotPassThroughEachOtherInOneStep) {
  MemberSpec spec = collision(ContactKind::imc, 0.0, 5.0);
  spec.time = {
      .step = 0.01, .steps = 3, .slice_steps = 1};  // 5 cm towards each other a step, of 2 mm between
  const MemberOutcome outcome = run_member(spec);
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_GT(value(outcome, "contact_steps"), 0.0);
  EXPECT_GT(value(outcome, "contact_gap_min"), -1.0);
}

TEST(DerContacts, AStepThatCannotConvergeInContactIsTangled) {
  MemberSpec spec = rod_on_rails(0.5, 0.4);
  spec.newton.iterations = 1;
  spec.newton.halvings = 0;
  const MemberOutcome outcome = run_member(spec);
  EXPECT_EQ(outcome.status, MemberStatus::tangled);
}

TEST(DerContacts, ElementsThatAreHeldTurnTheRod) {
  MemberSpec spec = member_of({rod_about({}, {0, 0, 1}, {1, 0, 0})}, ContactKind::none);
  spec.boundary = {EndCondition::clamped_element, EndCondition::free, -3.0, 0.0, 0.3, DrivenEnds::first};
  spec.rod.damping = 0.5;
  spec.rod.rotational_damping = 0.5;
  spec.time = {.step = 1e-2, .steps = 300, .slice_steps = 10};
  const MemberOutcome turned = run_member(spec);
  ASSERT_EQ(turned.status, MemberStatus::done);
  EXPECT_NEAR(value(turned, "end_x"), 0.0, 1e-9);
  EXPECT_LT(value(turned, "twist_energy"), 1e-6);
  // Bent by its weight, a rod is a cantilever from the middle of the element on: the hinge at the element's
  // other node bends over a whole Voronoi region.
  spec.boundary = {EndCondition::clamped_element, EndCondition::free};
  spec.load.gravity = {-0.1, 0, 0};
  const MemberOutcome bent = run_member(spec);
  const double weight = 0.1 * 1000 * M_PI * radius * radius;
  const double drop = weight * std::pow(0.5 - 0.025, 4) / (8 * spec.rod.bend_stiffness);
  EXPECT_NEAR(value(bent, "end_x"), -drop, 0.03 * drop);
}

}  // namespace
}  // namespace rodeo::der
