#pragma once

#include <algorithm>
#include <concepts>
#include <string_view>
#include <type_traits>

#include "rodeo/math/dual.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"
#include "rodeo/tangent/unknowns.hpp"

namespace rodeo {

/// A law: plain coefficients, copied to the device once.
///   acts(time)      whether it adds anything at a time (s);
///   steady_from()   the time from which it depends on the state alone, s;
///   does_work()     whether it may then put in energy that no potential in observe/energies.hpp counts.
/// A law on single rods stays as it is while its rod moves, unless it says otherwise to implicit steps,
/// equilibria and the ledger of energy, by any of these:
///   has_energy()                              whether what it exerts is the gradient of an energy;
///   follows_rod(time)                         whether it changes as the rod moves and turns;
///   add_hessian(rod, time, part, matrix)      adds such a part of the second derivatives of that energy, by
///                                             the unknowns of tangent/unknowns.hpp, on and below the
///                                             diagonal;
///   add_derivatives(rod, time, part, add)     calls add(row, column, matrix) for those of minus the load,
///                                             where there is no energy (tangent/follower_load.hpp);
///   potential(team, rod)                      its energy in a sample, J.
template <class L>
concept Law = std::is_trivially_copyable_v<L> && requires(const L& law, double time) {
  { law.acts(time) } -> std::same_as<bool>;
  { law.steady_from() } -> std::same_as<double>;
  { law.does_work() } -> std::same_as<bool>;
};

/// A law that adds to field::external_force and field::external_couple.
template <class L>
concept ForceLaw = Law<L> && requires(const L& law, const OneThread& team, const RodView& rod, double time) {
  law.add(team, rod, time);
};

/// A steady law that holds single nodes by a force which depends on where each is. It gives
///   first_node(elements), end_node(elements)  the nodes that it acts on;
///   energy(position)                          J;
///   force(position)                           N, of vectors of any scalar: Dual finds the derivative;
///   stiffness(position)                       the largest derivative of the force that a node which starts
///                                             there is to meet, N/m;
///   stiffness_key                             the key of the deck that it comes from.
/// All else follows: its energy is counted, implicit steps and equilibria solve for its force, and explicit
/// steps are bounded by its stiffness.
template <class L>
concept NodeLaw = Law<L> && requires(const L& law, const Vec3& position, int elements) {
  { law.first_node(elements) } -> std::same_as<int>;
  { law.end_node(elements) } -> std::same_as<int>;
  { law.energy(position) } -> std::same_as<double>;
  { law.force(position) } -> std::same_as<Vec3>;
  { law.stiffness(position) } -> std::same_as<double>;
  { L::stiffness_key } -> std::convertible_to<std::string_view>;
};

/// The derivative of the force of a law on a node by its position, N/m.
template <NodeLaw L>
Matrix3 force_derivative(const L& law, const Vec3& x) {
  using D = Dual<3>;
  const BasicVec3<D> f =
      law.force(BasicVec3<D>{D::variable(x.x, 0), D::variable(x.y, 1), D::variable(x.z, 2)});
  const auto row = [](const D& component) {
    return Vec3{component.slope[0], component.slope[1], component.slope[2]};
  };
  return {row(f.x), row(f.y), row(f.z)};
}

namespace detail {

struct NoRods {
  template <class Team>
  void fill_ghost_elements(const Team&, const RodView&, int) const {}
};

}  // namespace detail

/// A law that responds to the sum of all forces before it, which is in the same fields. `rods` are those of
/// the member, whose ghosts it may have to fill.
template <class L>
concept ResponseLaw = Law<L> && requires(const L& law, const OneThread& team, const RodView& member,
                                         const detail::NoRods& rods, double time) {
  law.answer(team, member, rods, time);
};

/// Laws of one kind, in the order in which they are evaluated. Each is made by its own of(spec), or of(spec,
/// seed) if it is random.
template <Law... Laws>
struct LawList : Laws... {
  template <class... Seed>
  static LawList of(const MemberSpec& spec, Seed... seed) {
    return {make<Laws>(spec, seed...)...};
  }

  template <class L>
  KOKKOS_INLINE_FUNCTION L& get() {
    return *this;
  }
  template <class L>
  KOKKOS_INLINE_FUNCTION const L& get() const {
    return *this;
  }

  KOKKOS_INLINE_FUNCTION bool acts([[maybe_unused]] double time) const {
    return (get<Laws>().acts(time) || ...);
  }
  /// True if any law acts on elements that reach no more than these surfaces.
  template <class Reach>
  KOKKOS_INLINE_FUNCTION bool acts([[maybe_unused]] double time, const Reach& reach) const {
    return (acts_in(get<Laws>(), time, reach) || ...);
  }
  double steady_from() const { return std::max({get<Laws>().steady_from()...}); }
  bool does_work() const { return (get<Laws>().does_work() || ...); }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add([[maybe_unused]] const Team& team, const BasicRodView<Real>& rod,
                                  [[maybe_unused]] double time) const {
    (add_one(get<Laws>(), team, rod, time), ...);
  }

  /// `reach` is for laws that ask which surfaces elements can reach (EverythingInReach).
  template <class Team, class Real, class Rods, class Reach>
  KOKKOS_INLINE_FUNCTION void answer(const Team& team, const BasicRodView<Real>& member, const Rods& rods,
                                     double time, const Reach& reach) const {
    (answer_one(get<Laws>(), team, member, rods, time, reach), ...);
  }

  // Optional properties of laws; see Law.

  bool has_energy() const { return (energy_of_one(get<Laws>()) && ...); }
  bool follows_rod(double time) const { return (follows_one(get<Laws>(), time) || ...); }

  template <class Matrix>
  void add_hessian(const ConstRodView& rod, double time, double part, Matrix& hessian) const {
    (add_hessian_of_one(get<Laws>(), rod, time, part, hessian), ...);
  }

  template <class Add>
  void add_derivatives(const ConstRodView& rod, double time, double part, const Add& add) const {
    (add_derivatives_of_one(get<Laws>(), rod, time, part, add), ...);
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION double potential(const Team& team, const BasicRodView<Real>& rod) const {
    double total = 0.0;
    (add_potential_of_one(get<Laws>(), team, rod, total), ...);
    return total;
  }

  // Properties of laws that hold nodes; see NodeLaw.

  bool hold_nodes() const { return ((NodeLaw<Laws> && get<Laws>().acts(0.0)) || ...); }

  /// Adds such a part of the second derivatives of their energies, on and below the diagonal.
  template <class Matrix>
  void add_hessian_of_nodes(const ConstRodView& rod, double part, Matrix& hessian) const {
    for_each_held_node(rod.elements, [&](int node, const auto& law) {
      const Matrix3 derivative = force_derivative(law, rod.vec3(field::position, node));
      const int first = tangent::node_unknown(node);
      for (int column = 0; column < 3; ++column) {
        for (int row = column; row < 3; ++row)
          hessian.at(first + row, first + column) -= part * derivative(row, column);
      }
    });
  }

  /// Calls visit(node, law) for every law that holds a node, of a rod of so many elements.
  template <class Visit>
  void for_each_held_node(int elements, const Visit& visit) const {
    (visit_held_nodes(get<Laws>(), elements, visit), ...);
  }

 private:
  template <class L, class... Seed>
  static L make(const MemberSpec& spec, Seed... seed) {
    // Not `requires { L::of(spec, seed...); }`, which nvcc 13 takes for false.
    if constexpr (std::is_invocable_v<decltype(&L::of), const MemberSpec&, Seed...>) {
      return L::of(spec, seed...);
    } else {
      return L::of(spec);
    }
  }

  template <class L, class Reach>
  KOKKOS_INLINE_FUNCTION static bool acts_in(const L& law, double time, const Reach& reach) {
    if constexpr (requires { law.acts(time, reach); }) {
      return law.acts(time, reach);
    } else {
      return law.acts(time);
    }
  }

  template <ForceLaw L, class Team, class Real>
  KOKKOS_INLINE_FUNCTION static void add_one(const L& law, const Team& team, const BasicRodView<Real>& rod,
                                             double time) {
    if (law.acts(time)) law.add(team, rod, time);
  }

  /// One thread adds them: such laws are few, and hold few nodes.
  template <NodeLaw L, class Team, class Real>
  KOKKOS_INLINE_FUNCTION static void add_one(const L& law, const Team& team, const BasicRodView<Real>& rod,
                                             double time) {
    if (!law.acts(time)) return;
    once(team, [&] {
      for (int i = law.first_node(rod.elements); i < law.end_node(rod.elements); ++i) {
        const Vec3 force = law.force(rod.vec3(field::position, i));
        rod.set_vec3(field::external_force, i, rod.vec3(field::external_force, i) + force);
      }
    });
  }

  template <class L>
  static bool energy_of_one(const L& law) {
    if constexpr (requires { law.has_energy(); }) {
      return law.has_energy();
    } else {
      return true;
    }
  }

  template <class L>
  static bool follows_one([[maybe_unused]] const L& law, [[maybe_unused]] double time) {
    if constexpr (requires { law.follows_rod(time); }) {
      return law.follows_rod(time);
    } else {
      return false;
    }
  }

  template <class L, class Matrix>
  static void add_hessian_of_one([[maybe_unused]] const L& law, const ConstRodView& rod, double time,
                                 double part, Matrix& hessian) {
    if constexpr (requires { law.add_hessian(rod, time, part, hessian); }) {
      if (law.acts(time)) law.add_hessian(rod, time, part, hessian);
    }
  }

  template <class L, class Add>
  static void add_derivatives_of_one([[maybe_unused]] const L& law, const ConstRodView& rod, double time,
                                     double part, const Add& add) {
    if constexpr (requires { law.add_derivatives(rod, time, part, add); }) {
      if (law.acts(time)) law.add_derivatives(rod, time, part, add);
    }
  }

  template <class L, class Team, class Real>
  KOKKOS_INLINE_FUNCTION static void add_potential_of_one(const L& law, const Team& team,
                                                          const BasicRodView<Real>& rod, double& total) {
    if constexpr (NodeLaw<L>) {
      if (!law.acts(0.0)) return;
      for (int i = law.first_node(rod.elements); i < law.end_node(rod.elements); ++i)
        total += law.energy(rod.vec3(field::position, i));
    } else if constexpr (requires { law.potential(team, rod); }) {
      if (law.acts(0.0)) total += law.potential(team, rod);
    }
  }

  template <class L, class Visit>
  static void visit_held_nodes([[maybe_unused]] const L& law, int elements, const Visit& visit) {
    if constexpr (NodeLaw<L>) {
      if (!law.acts(0.0)) return;
      for (int i = law.first_node(elements); i < law.end_node(elements); ++i) visit(i, law);
    }
  }

  template <ResponseLaw L, class Team, class Real, class Rods, class Reach>
  KOKKOS_INLINE_FUNCTION static void answer_one(const L& law, const Team& team,
                                                const BasicRodView<Real>& member, const Rods& rods,
                                                double time, const Reach& reach) {
    if (!law.acts(time)) return;
    if constexpr (requires { law.answer(team, member, rods, time, reach); }) {
      law.answer(team, member, rods, time, reach);
    } else {
      law.answer(team, member, rods, time);
    }
  }
};

namespace detail {

template <class First, class Second>
struct Joined;
template <class... First, class... Second>
struct Joined<LawList<First...>, LawList<Second...>> {
  using List = LawList<First..., Second...>;
};

}  // namespace detail

/// Two lists as one.
template <class First, class Second>
using JoinedLaws = typename detail::Joined<First, Second>::List;

}  // namespace rodeo
