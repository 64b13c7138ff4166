#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/forces/law.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/member/build_rod.hpp"

#include "rod/soft_rod.hpp"

// What a law on single rods says of itself, against what it does: for any law. Own ones call check_law.
namespace rodeo {

/// A rod with loads, bent and moved by chance.
struct LoadedRod {
  MemberSpec spec = cosserat::soft_rod(6);
  std::vector<double> storage;
  std::mt19937_64 engine{7};

  explicit LoadedRod(const LoadSpec& load) {
    spec.load = load;
    storage.resize(rod_size(spec.rod.elements, true));
    build_rods(spec, view());
    for (int i = 0; i < view().nodes(); ++i) move(i, 0.05 * draw());
    for (int i = 0; i < view().elements; ++i) turn(i, 0.3 * draw());
  }

  RodView view() { return {storage.data(), spec.rod.elements, 0.0, true}; }

  Vec3 draw() {
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    const double x = number(engine);
    const double y = number(engine);
    return {x, y, number(engine)};
  }
  void move(int node, const Vec3& way) {
    view().set_vec3(field::position, node, view().vec3(field::position, node) + way);
  }
  void turn(int element, const Vec3& way) {
    view().set_quaternion(element, view().quaternion(element) * rotation(way));
  }
  void change(int unknown, double way) {
    const Vec3 axis = unknown % 3 == 0   ? Vec3{way, 0, 0}
                      : unknown % 3 == 1 ? Vec3{0, way, 0}
                                         : Vec3{0, 0, way};
    unknown % 6 < 3 ? move(unknown / 6, axis) : turn(unknown / 6, axis);
  }

  /// What a law exerts, by unknowns.
  template <class L>
  std::vector<double> loads(const L& law) {
    const RodView rod = view();
    for (int i = 0; i <= rod.elements; ++i) {
      rod.set_vec3(field::external_force, i, {});
      rod.set_vec3(field::external_couple, i, {});
    }
    law.add(OneThread{}, rod, 1.0);
    std::vector<double> all;
    for (int i = 0; i <= rod.elements; ++i) {
      for (const int f : {field::external_force, field::external_couple}) {
        const Vec3 load = rod.vec3(f, i);
        if (f == field::external_force || i < rod.elements) all.insert(all.end(), {load.x, load.y, load.z});
      }
    }
    return all;
  }

  template <class Function>
  auto difference(int unknown, const Function& function) {
    constexpr double way = 1e-5;
    const std::vector<double> state = storage;
    change(unknown, way);
    auto after = function();
    storage = state;
    change(unknown, -way);
    const auto before = function();
    storage = state;
    for (std::size_t i = 0; i < after.size(); ++i) after[i] = (after[i] - before[i]) / (2.0 * way);
    return after;
  }
};

/// Its derivatives, as a matrix that is full.
struct FullMatrix {
  int size;
  std::vector<double> entries = std::vector<double>(static_cast<std::size_t>(size * size));

  double& at(int row, int column) { return entries[static_cast<std::size_t>(row * size + column)]; }
};

template <class L>
void expect_minus_the_gradient_of_the_potential(const LoadSpec& load) {
  LoadedRod rod(load);
  const LawList<L> law = LawList<L>::of(rod.spec);
  if (!NodeLaw<L> && (law.does_work() || law.potential(OneThread{}, rod.view()) == 0.0))
    return;  // it counts none
  const std::vector<double> loads = rod.loads(law);
  for (std::size_t unknown = 0; unknown < loads.size(); ++unknown) {
    const auto slope = rod.difference(static_cast<int>(unknown), [&] {
      return std::vector<double>{law.potential(OneThread{}, rod.view())};
    });
    EXPECT_NEAR(loads[unknown], -slope[0], 1e-8) << unknown;
  }
}

/// Half of the couple on an element is left out of its derivative by its own turn
/// (tangent/follower_load.hpp).
template <class L>
void expect_derivatives_of_the_force(const LoadSpec& load) {
  LoadedRod rod(load);
  const LawList<L> law = LawList<L>::of(rod.spec);
  const std::vector<double> loads = rod.loads(law);
  const int size = static_cast<int>(loads.size());
  FullMatrix below{size};
  const ConstRodView state = rod.view();
  law.add_hessian(state, 1.0, 1.0, below);
  law.add_hessian_of_nodes(state, 1.0, below);
  FullMatrix whole{size};
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column)
      whole.at(row, column) = below.at(std::max(row, column), std::min(row, column));
  }
  law.add_derivatives(state, 1.0, 1.0, [&](int row, int column, const Matrix3& block) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) whole.at(row + i, column + j) += block(i, j);
    }
  });
  for (int element = 0; element < state.elements; ++element) {
    const int own = tangent::element_unknown(element);
    const auto* const g = loads.data() + own;
    const Matrix3 half = cross_matrix(Vec3{0.5 * g[0], 0.5 * g[1], 0.5 * g[2]});
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) whole.at(own + i, own + j) -= half(i, j);
    }
  }
  for (int column = 0; column < size; ++column) {
    const std::vector<double> slope = rod.difference(column, [&] { return rod.loads(law); });
    for (int row = 0; row < size; ++row)
      EXPECT_NEAR(whole.at(row, column), -slope[static_cast<std::size_t>(row)], 1e-7) << row << ' ' << column;
  }
}

template <class L>
void expect_nothing_where_it_does_not_act() {
  LoadedRod rod({});
  const LawList<L> law = LawList<L>::of(rod.spec);
  EXPECT_FALSE(law.acts(1.0) || law.does_work() || law.follows_rod(1.0) || law.hold_nodes());
  EXPECT_TRUE(law.has_energy());
  for (const double load : rod.loads(law)) EXPECT_EQ(load, 0.0);
}

/// Wherever a node starts, it meets the derivative there at least.
template <class L>
void expect_stiffness_of_the_force(const LoadSpec& load) {
  if constexpr (NodeLaw<L>) {
    LoadedRod rod(load);
    const L law = LawList<L>::of(rod.spec).template get<L>();
    for (int k = 0; k < 1000; ++k) {
      const Vec3 place = 2.0 * rod.spec.rod.length * rod.draw();
      const Matrix3 derivative = force_derivative(law, place);
      const double met = norm(derivative * normalized(rod.draw()));
      ASSERT_GE(law.stiffness(place) * (1.0 + 1e-9), met)
          << "stiffness() at " << place.x << ", " << place.y << ", " << place.z;
    }
  }
}

/// Whether a law acts on nodes that there are, of any rod; expects it.
template <class L>
bool acts_on_nodes_of_the_rod(const LoadSpec& load) {
  bool all = true;
  if constexpr (NodeLaw<L>) {
    for (const int elements : {1, 2, 6, 50}) {
      MemberSpec spec = cosserat::soft_rod(elements);
      spec.load = load;
      const L law = LawList<L>::of(spec).template get<L>();
      EXPECT_GE(law.first_node(elements), 0) << elements << " elements";
      EXPECT_LE(law.end_node(elements), elements + 1)
          << elements << " elements, whose last node is " << elements;
      all = all && law.first_node(elements) >= 0 && law.end_node(elements) <= elements + 1;
    }
  }
  return all;
}

/// What depends on velocities takes energy, unless the law says that it does work.
template <class L>
void expect_no_power_from_velocities(const LoadSpec& load) {
  LoadedRod rod(load);
  const LawList<L> law = LawList<L>::of(rod.spec);
  if (law.does_work()) return;
  const std::vector<double> still = rod.loads(law);
  for (int k = 0; k < 10; ++k) {
    std::vector<double> rates;  // by unknowns
    for (int i = 0; i <= rod.view().elements; ++i) {
      const Vec3 velocity = rod.draw();
      rod.view().set_vec3(field::velocity, i, velocity);
      rates.insert(rates.end(), {velocity.x, velocity.y, velocity.z});
      if (i == rod.view().elements) break;
      const Vec3 rate = rod.draw();
      rod.view().set_vec3(field::angular_velocity, i, rate);
      rates.insert(rates.end(), {rate.x, rate.y, rate.z});
    }
    const std::vector<double> moving = rod.loads(law);
    double power = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      power += (moving[i] - still[i]) * rates[i];
      size += std::abs(moving[i] * rates[i]);
    }
    ASSERT_LE(power, 1e-12 * size) << "W; a law that puts in energy as the rod moves has does_work()";
  }
}

/// All of this of a law of one's own with such numbers, by which it should act.
template <class L>
void check_law(const L& law) {
  LoadSpec load;
  load.own.change<L>() = law;
  LoadedRod rod(load);
  EXPECT_TRUE(LawList<L>::of(rod.spec).acts(1.0)) << "give it numbers by which it acts";
  if (!acts_on_nodes_of_the_rod<L>(load)) return;
  expect_minus_the_gradient_of_the_potential<L>(load);
  expect_derivatives_of_the_force<L>(load);
  expect_stiffness_of_the_force<L>(load);
  expect_no_power_from_velocities<L>(load);
  expect_nothing_where_it_does_not_act<L>();
  // In single precision too, which kernels are compiled for.
  std::vector<float> storage(rod.storage.size());
  const BasicRodView<float> single(storage.data(), rod.spec.rod.elements, 0.0F, true);
  LawList<L>{}.add(HostTeam{}, single, 1.0);
}

}  // namespace rodeo
