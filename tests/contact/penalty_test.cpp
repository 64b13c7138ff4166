#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "rodeo/contact/pair_contact.hpp"
#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/observe/observables.hpp"

#include "contact/test_shapes.hpp"

namespace rodeo::contact {
namespace {

using cosserat::on_team;
using cosserat::TestRod;

void set_velocities(const RodView& rod, double speed) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> uniform(-speed, speed);
  for (int i = 0; i < rod.nodes(); ++i) {
    rod.set_vec3(field::velocity, i, {uniform(engine), uniform(engine), uniform(engine)});
  }
}

std::vector<Vec3> forces(const PenaltyContact& contact, const RodView& rod) {
  std::vector<Vec3> result;
  on_team([&](const auto& team) {
    for (int i = 0; i < rod.nodes(); ++i) rod.set_vec3(field::external_force, i, {});
    contact.add(team, rod, 0.0);
  });
  for (int i = 0; i < rod.nodes(); ++i) result.push_back(rod.vec3(field::external_force, i));
  return result;
}

/// Without what the change of the radii adds.
std::vector<Vec3> normal_forces(const PenaltyContact& contact, const RodView& rod) {
  std::vector<Vec3> result;
  on_team([&](const auto& team) {
    for (int i = 0; i < rod.nodes(); ++i) rod.set_vec3(field::external_force, i, {});
    contact.update_radii(team, rod);
    update_pairs(team, contact.view, contact.positions(rod), contact.velocities(rod), contact.margins);
    contact.press_pairs(team, rod);
    RodView unsqueezed = rod;
    unsqueezed.shrink = 0.0;
    contact.load_elements(team, unsqueezed);
  });
  for (int i = 0; i < rod.nodes(); ++i) result.push_back(rod.vec3(field::external_force, i));
  return result;
}

struct Overlap {
  int first, second;
  double depth;
  ClosestPoints at;
};

/// Radius of an element whose volume stays.
double radius_of(const RodView& rod, int i) {
  const double length = norm(rod.vec3(field::position, i + 1) - rod.vec3(field::position, i));
  return rod.array(field::contact_radius)[i] / std::sqrt(length);
}

/// All pairs in contact, found by trying all.
std::vector<Overlap> all_overlaps(const PenaltyContact& contact, const RodView& rod) {
  std::vector<Overlap> found;
  for (int i = 0; i < rod.elements; ++i) {
    for (int j = contact.view.first_partner()[i]; j < rod.elements; ++j) {
      const Vec3 p = rod.vec3(field::position, i);
      const Vec3 q = rod.vec3(field::position, j);
      const ClosestPoints at = closest_points(segment_of(p, rod.vec3(field::position, i + 1) - p),
                                              segment_of(q, rod.vec3(field::position, j + 1) - q));
      const double depth = radius_of(rod, i) + radius_of(rod, j) - norm(at.gap);
      if (depth > 0.0) found.push_back({i, j, depth, at});
    }
  }
  return found;
}

double energy(const PenaltyContact& contact, const RodView& rod) {
  double sum = 0.0;
  for (const Overlap& pair : all_overlaps(contact, rod))
    sum += 0.5 * contact.law.stiffness * pair.depth * pair.depth;
  return sum;
}

TEST(Penalty, SkipsTheNeighboursThePaperDoes) {
  // r/dl = 2.5: ceil(0.8 pi 2.5) + 1 = 8
  TestRod test(contact_rod(100));
  const int* const first_partner = test.contact().view.first_partner();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(first_partner[i], std::min(i + 8 + 1, 100));
  lay(test.view(), [](double s) { return Vec3{0, 0, s}; });
  for (const Vec3& force : forces(test.contact(), test.view())) EXPECT_EQ(norm(force), 0.0);
}

TEST(Penalty, FindsAllPairsInContactAndRepelsAsEquation47AndSqueezes) {
  for (const bool tangled : {false, true}) {
    TestRod test(contact_rod(90));
    const RodView rod = test.view();
    lay(rod, [&](double s) { return tangled ? tangle(s) : coil(s, turns(rod)); });
    set_velocities(rod, 1.0);
    PenaltyContact contact = test.contact();
    contact.law.damping = 10.0;
    const std::vector<Vec3> found = forces(contact, rod);
    const std::vector<Overlap> overlaps = all_overlaps(contact, rod);
    EXPECT_GT(overlaps.size(), 100u);
    std::vector<Vec3> expected(found.size());
    double largest = 0.0;
    for (const Overlap& pair : overlaps) {
      const Vec3 d = normalized(pair.at.gap);
      const auto at = [&](int f, int i, double t) {
        return (1 - t) * rod.vec3(f, i) + t * rod.vec3(f, i + 1);
      };
      const Vec3 approach =
          at(field::velocity, pair.first, pair.at.first) - at(field::velocity, pair.second, pair.at.second);
      const Vec3 force =
          std::max(contact.law.stiffness * pair.depth + contact.law.damping * dot(approach, d), 0.0) * d;
      const auto i = static_cast<std::size_t>(pair.first);
      const auto j = static_cast<std::size_t>(pair.second);
      expected[i] = expected[i] - (1 - pair.at.first) * force;
      expected[i + 1] = expected[i + 1] - pair.at.first * force;
      expected[j] = expected[j] + (1 - pair.at.second) * force;
      expected[j + 1] = expected[j + 1] + pair.at.second * force;
      for (const int element : {pair.first, pair.second}) {
        const Vec3 edge = rod.vec3(field::position, element + 1) - rod.vec3(field::position, element);
        const double push =
            contact.law.stiffness * pair.depth * radius_of(rod, element) / (2 * dot(edge, edge));
        const auto e = static_cast<std::size_t>(element);
        expected[e] = expected[e] - push * edge;
        expected[e + 1] = expected[e + 1] + push * edge;
      }
      largest = std::max(largest, norm(force));
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(norm(found[i] - expected[i]), 0.0, 1e-11 * largest) << i;
    }
    const ContactSample sample = [&] {
      ContactSample s;
      on_team([&](const auto& team) { s = contact.sample(team); });
      return s;
    }();
    double deepest = 0.0;
    for (const Overlap& pair : overlaps) deepest = std::max(deepest, pair.depth);
    EXPECT_EQ(sample.touching, static_cast<double>(overlaps.size()));
    EXPECT_NEAR(sample.deepest, deepest, 1e-14);
    double stored = 0.0;
    on_team([&](const auto& team) { stored = contact.energy(team, rod); });
    EXPECT_NEAR(stored, energy(contact, rod), 1e-12 * stored);
    EXPECT_FALSE(sample.overflowed);
  }
}

TEST(Penalty, ExertsNoResultantAndNoTorque) {
  TestRod test(contact_rod(100));
  const RodView rod = test.view();
  lay(rod, tangle);
  set_velocities(rod, 1.0);
  PenaltyContact contact = test.contact();
  contact.law.damping = 10.0;
  Vec3 sum;
  Vec3 torque;
  double size = 0.0;
  const std::vector<Vec3> found = forces(contact, rod);
  for (int i = 0; i < rod.nodes(); ++i) {
    const Vec3 force = found[static_cast<std::size_t>(i)];
    sum = sum + force;
    torque = torque + cross(rod.vec3(field::position, i), force);
    size += norm(force);
  }
  EXPECT_GT(size, 100.0);
  EXPECT_NEAR(norm(sum), 0.0, 1e-13 * size);
  EXPECT_NEAR(norm(torque), 0.0, 1e-13 * size);
}

TEST(Penalty, IsTheGradientOfItsEnergy) {
  // Radii follow the lengths of the elements, and the energy with them.
  TestRod test(contact_rod(60));
  const RodView rod = test.view();
  lay(rod, [&](double s) { return coil(s, turns(rod)); });
  const PenaltyContact contact = test.contact();
  const std::vector<Vec3> found = forces(contact, rod);
  double largest = 0.0;
  for (const Vec3& force : found) largest = std::max(largest, norm(force));
  EXPECT_GT(largest, 10.0);
  for (const int i : {0, 13, 30, 47, 60}) {
    for (int c = 0; c < 3; ++c) {
      constexpr double h = 1e-7;
      double& x = rod.array(field::position, c)[i];
      const double here = x;
      x = here + h;
      const double after = energy(contact, rod);
      x = here - h;
      const double before = energy(contact, rod);
      x = here;
      const Vec3 force = found[static_cast<std::size_t>(i)];
      const double component = c == 0 ? force.x : c == 1 ? force.y : force.z;
      EXPECT_NEAR(component, -(after - before) / (2 * h), 1e-6 * largest) << i << " " << c;
    }
  }
}

/// A hairpin: two straight strands at a distance, joined by a half circle.
Vec3 hairpin(double s, double distance) {
  constexpr double length = 0.5;
  const double arc = 0.5 * M_PI * distance;
  const double along = s * (2 * length + arc);
  if (along < length) return {0, 0, along};
  if (along > length + arc) return {distance, 0, 2 * length + arc - along};
  const double a = 2 * (along - length) / distance;
  return {0.5 * distance * (1 - std::cos(a)), 0, length + 0.5 * distance * std::sin(a)};
}

TEST(Penalty, NeverAttracts) {
  // The strands overlap by a fiftieth of the radius and fly apart, so fast that gamma v exceeds k eps.
  TestRod test(contact_rod(108));
  const RodView rod = test.view();
  lay(rod, [](double s) { return hairpin(s, 0.0495); });
  PenaltyContact contact = test.contact();
  const std::vector<Vec3> pressing = normal_forces(contact, rod);
  EXPECT_LT(pressing[20].x, -1.0);
  EXPECT_GT(pressing[88].x, 1.0);
  for (int i = 0; i < rod.nodes(); ++i) rod.set_vec3(field::velocity, i, {i < 54 ? -1.0 : 1.0, 0, 0});
  contact.law.damping = 100.0;
  for (const Vec3& force : normal_forces(contact, rod)) EXPECT_EQ(norm(force), 0.0);
  for (int i = 0; i < rod.nodes(); ++i) rod.set_vec3(field::velocity, i, {i < 54 ? 1.0 : -1.0, 0, 0});
  EXPECT_LT(normal_forces(contact, rod)[20].x, 2.0 * pressing[20].x);
}

TEST(Penalty, ListsNeverChangeTheForces) {
  // The rod wriggles for many steps; the list of the contact, which lives many of them, gives the same bits
  // as one of pairs that are far apart too.
  TestRod test(contact_rod(100));
  TestRod other(contact_rod(100));
  const RodView rod = test.view();
  const RodView twin = other.view();
  PenaltyContact contact = test.contact();
  PenaltyContact all = other.contact();
  contact.law.damping = all.law.damping = 10.0;
  constexpr int steps = 100;
  double largest = 0.0;
  for (int k = 0; k < steps; ++k) {
    const double time = static_cast<double>(k) / (3 * steps);
    for (const RodView& one : {rod, twin}) {
      lay(one, [&](double s) {
        return coil(s, turns(one)) + 0.01 * Vec3{std::sin(3 * time + 9 * s), std::sin(5 * time + 7 * s), 0};
      });
      set_velocities(one, 1.0);
    }
    const std::vector<Vec3> listed = forces(contact, rod);
    on_team([&](const auto& team) {
      all.update_radii(team, twin);
      set_margins(team, all.view, all.velocities(twin), {0.03, 0.03, 0.0});
      list_pairs(team, all.view, all.positions(twin));
      clear_pairs(team, all.view);
      for (int i = 0; i < twin.nodes(); ++i) twin.set_vec3(field::external_force, i, {});
      all.press_pairs(team, twin);
      all.load_elements(team, twin);
    });
    for (int i = 0; i < rod.nodes(); ++i) {
      const Vec3 a = listed[static_cast<std::size_t>(i)];
      const Vec3 b = twin.vec3(field::external_force, i);
      ASSERT_TRUE(a.x == b.x && a.y == b.y && a.z == b.z) << k << " " << i;
      largest = std::max(largest, norm(a));
    }
  }
  EXPECT_GT(largest, 10.0);
  EXPECT_EQ(all.view.list(list_entry::overflowed), 0);
  EXPECT_GT(all.view.list(list_entry::pairs), 2 * contact.view.list(list_entry::pairs));
  EXPECT_LT(contact.view.list(list_entry::builds), steps / 4);
  EXPECT_GT(contact.view.list(list_entry::builds), 3);
}

TEST(Penalty, TwoStrandsThatCollideKeepTheirEnergy) {
  // The arms of a hairpin are thrown at each other and bounce: without damping next to nothing is lost.
  MemberSpec spec = contact_rod(108);
  spec.rod.shear_stiffness = 2e4;
  spec.rod.stretch_stiffness = 3e4;
  spec.time.step = 2e-5;
  TestRod test(spec);
  const RodView rod = test.view();
  lay(rod, [](double s) { return hairpin(s, 0.08); });
  for (int i = 0; i < rod.elements; ++i) {
    const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    rod.set_quaternion(i, orientation(normalized(edge), {0, 1, 0}));
  }
  for (int i = 0; i + 1 < rod.elements; ++i) {
    const Vec3 turn = rotation_vector(conjugate(rod.quaternion(i)) * rod.quaternion(i + 1));
    rod.set_vec3(field::rest_curvature, i, rod.array(field::inverse_rest_voronoi)[i] * turn);
  }
  for (int i = 0; i < rod.nodes(); ++i) {
    const double height = rod.vec3(field::position, i).z;
    const double speed = height < 0.5 ? 2.0 * (0.5 - height) : 0.0;
    rod.set_vec3(field::velocity, i, {i < 54 ? speed : -speed, 0, 0});
  }
  const auto total = [](const Sample& s) { return observe::stored_energy(s); };
  const double before = total(test.sample());
  bool touched = false;
  double largest = 0.0;
  Sample now;
  for (int k = 0; k < 400; ++k) {
    now = test.advance(25);
    touched = touched || now.contact.touching > 0.0;
    largest = std::max(largest, now.contact_energy);
    EXPECT_LT(std::abs(total(now) / before - 1.0), 2e-3) << k;
    if (touched && now.contact.touching == 0.0) break;
  }
  EXPECT_TRUE(touched);
  EXPECT_EQ(now.contact.touching, 0.0);
  EXPECT_GT(now.contact.deepest, 1e-4);
  EXPECT_GT(largest, 0.01 * before);
}

}  // namespace
}  // namespace rodeo::contact
