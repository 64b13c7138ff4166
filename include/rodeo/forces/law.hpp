#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// A law: plain coefficients, copied to the device once.
///   acts(time)      whether it adds anything at a time (s);
///   steady_from()   the time from which it depends on the state alone, s;
///   does_work()     whether it may then put in energy that no potential in observe/drift.hpp counts.
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

namespace detail {

struct NoRods {
  template <class Team>
  void fill_ghost_elements(const Team&, const RodView&, int) const {}
};

}  // namespace detail

/// A law that answers the sum of all forces before it, which it finds in the same fields. `rods` are those of
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
  double steady_from() const { return std::max({get<Laws>().steady_from()...}); }
  bool does_work() const { return (get<Laws>().does_work() || ...); }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add([[maybe_unused]] const Team& team, const BasicRodView<Real>& rod,
                                  [[maybe_unused]] double time) const {
    (add_one(get<Laws>(), team, rod, time), ...);
  }

  template <class Team, class Real, class Rods>
  KOKKOS_INLINE_FUNCTION void answer(const Team& team, const BasicRodView<Real>& member, const Rods& rods,
                                     double time) const {
    (answer_one(get<Laws>(), team, member, rods, time), ...);
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

  template <ForceLaw L, class Team, class Real>
  KOKKOS_INLINE_FUNCTION static void add_one(const L& law, const Team& team, const BasicRodView<Real>& rod,
                                             double time) {
    if (law.acts(time)) law.add(team, rod, time);
  }

  template <ResponseLaw L, class Team, class Real, class Rods>
  KOKKOS_INLINE_FUNCTION static void answer_one(const L& law, const Team& team,
                                                const BasicRodView<Real>& member, const Rods& rods,
                                                double time) {
    if (law.acts(time)) law.answer(team, member, rods, time);
  }
};

}  // namespace rodeo
