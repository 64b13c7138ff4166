#pragma once

#include <cstddef>
#include <type_traits>

#include "rodeo/boundary/closure.hpp"
#include "rodeo/forces/internal_couple.hpp"
#include "rodeo/math/formula_program.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/drives_and_connections.hpp"

namespace rodeo::forces {

/// An ActuationSpec for kernels: plain, with its arrays elsewhere (Actuation::numbers). The entries of
/// its arrays are elements -1 to n, or Voronoi regions where it acts on those. Its formula is cut into
/// products of functions of time and of place, and a rest (SeparatedFormula).
struct Actuator {
  ActuationKind kind = ActuationKind::force;
  bool in_laboratory = false;  ///< frame of `axis`: the laboratory's or the directors'
  bool has_rest = false;
  bool is_steady = false;  ///< the values stand in `size`: from the start, or since live numbers were set
  bool is_live = false;    ///< it is steady between the times at which live numbers are set
  Vec3 axis;
  int products = 0;
  int first = 0;  ///< of the entries on which it acts
  int count = 0;
  FormulaProgram time;  ///< leaves the factors of the products, and then the slots of the rest
  FormulaProgram rest;
  // Positions at which its arrays begin.
  std::size_t profiles = 0;   ///< the factors that depend on place, an array for each product
  std::size_t places = 0;     ///< the arrays of the rest
  std::size_t share = 0;      ///< by what the formula's value is multiplied at an entry
  std::size_t end_share = 0;  ///< of a force, whose `share` is that of an element's first node: its second's
  std::size_t size = 0;       ///< the formula's values at an instant
};

/// Actuation of one rod by formulas of time and place. Its functions are not inlined, so that steps without
/// it keep every bit. Plain, copied to the device once; an ActuationTable owns the memory it points to.
struct Actuation {
  const Actuator* actuators = nullptr;
  double* numbers = nullptr;  ///< the arrays of all rods of a member, and what formulas tabulate
  int count = 0;
  int pitch = 0;                  ///< entries of an array: n + 2
  std::size_t own_curvature = 0;  ///< where three arrays with the rod's own natural curvature begin
  bool loads = false;             ///< has external forces or couples
  bool couples = false;           ///< has internal couples
  bool curves = false;            ///< sets natural curvatures
  bool stretches = false;         ///< sets natural lengths
  bool strains_stay = false;      ///< in the arrays, where they stand: all that sets them is steady

  /// Sets the natural strains of an instant, field::rest_curvature and field::natural_stretch, where they do
  /// not stay in the arrays.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_natural_strains(const Team& team,
                                                                    const BasicRodView<Real>& rod,
                                                                    double time) const {
    if (!strains_stay) renew_natural_strains(team, rod, time);
  }

  /// Sets the natural strains of an instant, also those that stay in the arrays.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void renew_natural_strains(const Team& team,
                                                                      const BasicRodView<Real>& rod,
                                                                      double time) const {
    if (curves) set_curvature(team, rod, time);
    if (stretches) set_stretch(team, rod, time);
  }

  /// Adds to field::external_force and field::external_couple.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void add_loads(const Team& team, const BasicRodView<Real>& rod,
                                                          double time) const {
    for (int k = 0; k < count; ++k) {
      const Actuator& actuator = actuators[k];
      if (actuator.kind == ActuationKind::force) {
        update(team, actuator, time);
        add_force(team, rod, actuator);
      } else if (actuator.kind == ActuationKind::couple) {
        update(team, actuator, time);
        add_couple(team, rod, actuator);
      }
    }
  }

  /// Adds internal couples, and the change of elastic forces due to the natural lengths set, to the fluxes
  /// through regions and elements of a rod that shears.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void add_fluxes(const Team& team, const BasicRodView<Real>& rod,
                                                           double time) const {
    if (stretches) add_stretch_force(team, rod);
    if (!couples) return;
    for_each_internal_couple(team, rod, time, [&](const auto& of_region) {
      const BasicOrientationArray<Real> orientation = rod.orientations();
      const BasicVec3Array<Real> bend_couple = rod.vec3_array(field::bend_couple);
      const BasicVec3Array<Real> transport_couple = rod.vec3_array(field::transport_couple);
      for_each_lane(team, rod.elements + 1, [=](int k) {
        const int i = k - 1;
        law::BasicRegionLoad<Real> load{};
        of_region.add(load, i, orientation.turn(i));
        bend_couple.add(i, load.couple);
        transport_couple.add(i, load.transport);
      });
    });
  }

  /// Adds internal couples to field::external_couple, as they act on elements, for models without fluxes. On
  /// the host.
  void add_internal_couples(const RodView& rod, const boundary::Closure& closure, double time) const {
    if (!couples) return;
    const int n = rod.elements;
    const auto add = [&](int i, const Vec3& couple) {
      rod.set_vec3(field::external_couple, i, rod.vec3(field::external_couple, i) + couple);
    };
    for_each_internal_couple(OneThread{}, rod, time, [&](const auto& of_region) {
      for (int i = -1; i < n; ++i) {
        law::RegionLoad load{};
        of_region.add(load, i, conjugate(rod.quaternion(i)) * rod.quaternion(i + 1));
        const Vec3 after = load.transport - load.couple;
        if (i >= 0) add(i, load.transport + load.couple);
        if (i + 1 < n) add(i + 1, after);
        if (i + 1 == n && closure.closed) add(0, directors(closure.seam).to_laboratory(after));
      }
    });
  }

  /// Calls body(couples) for each actuator of internal couples, whose couples.add(load, i, turn) adds to the
  /// load of region i.
  template <class Team, class Real, class Body>
  KOKKOS_INLINE_FUNCTION void for_each_internal_couple(const Team& team, const BasicRodView<Real>& rod,
                                                       double time, const Body& body) const {
    for (int k = 0; k < count; ++k) {
      const Actuator& actuator = actuators[k];
      if (actuator.kind != ActuationKind::internal_couple) continue;
      update(team, actuator, time);
      const Size<Real> size = sizes<Real>(actuator);
      const auto axis = static_cast<BasicVec3<Real>>(actuator.axis);
      if (actuator.in_laboratory) {
        body(InternalCouples<true, Real, Size<Real>>{axis, size, rod.orientations()});
      } else {
        body(InternalCouples<false, Real, Size<Real>>{axis, size, rod.orientations()});
      }
    }
  }

  /// Sets the values of an actuator's formula where it acts.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void evaluate(const Team& team, const Actuator& actuator, double time) const {
    struct {
      double of_time[FormulaProgram::most_results] = {};
    } factors;
    actuator.time.run({.t = time, .tables = numbers}, factors.of_time);
    const int first = actuator.first;
    double* const size = array(actuator.size);
    for (int k = 0; k < actuator.products; ++k) {
      const double factor = factors.of_time[k];
      const double before = k == 0 ? 0.0 : 1.0;
      const double* const profile = array(actuator.profiles + static_cast<std::size_t>(k * pitch));
      for_each_lane(team, actuator.count, [=](int entry) {
        const int i = first + entry;
        size[i] = before * size[i] + factor * profile[i];
      });
    }
    if (!actuator.has_rest) return;
    const FormulaProgram* const rest = &actuator.rest;
    const double before = actuator.products == 0 ? 0.0 : 1.0;
    const int slots = actuator.products;
    const FormulaInputs inputs = {
        .t = time, .tables = numbers, .arrays = array(actuator.places), .pitch = pitch};
    for_each_lane(team, actuator.count, [=](int entry) {
      const int i = first + entry;
      FormulaInputs here = inputs;
      here.slots = factors.of_time + slots;
      here.entry = i;
      double value = 0.0;
      rest->run(here, &value);
      size[i] = before * size[i] + value;
    });
  }

 private:
  /// Evaluates an actuator whose formula depends on time.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void update(const Team& team, const Actuator& actuator, double time) const {
    if (!actuator.is_steady) evaluate(team, actuator, time);
  }

  /// The values of a formula with their share.
  template <class Real>
  struct Size {
    const double* size;
    const double* share;

    KOKKOS_FORCEINLINE_FUNCTION Real operator()(int i) const { return static_cast<Real>(share[i] * size[i]); }
  };

  template <class Real>
  KOKKOS_INLINE_FUNCTION Size<Real> sizes(const Actuator& actuator) const {
    return {array(actuator.size), array(actuator.share)};
  }

  /// Entry 0 of an array.
  KOKKOS_INLINE_FUNCTION double* array(std::size_t begin) const { return numbers + begin + 1; }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_force(const Team& team, const BasicRodView<Real>& rod,
                                        const Actuator& actuator) const {
    const BasicOrientationArray<Real> orientation = rod.orientations();
    const BasicVec3Array<Real> external_force = rod.vec3_array(field::external_force);
    const double* const size = array(actuator.size);
    const double* const share = array(actuator.share);
    const double* const end_share = array(actuator.end_share);
    const auto axis = static_cast<BasicVec3<Real>>(actuator.axis);
    const bool in_laboratory = actuator.in_laboratory;
    for_each_lane(team, rod.nodes(), [=](int i) {
      const auto before = static_cast<Real>(end_share[i - 1] * size[i - 1]);
      const auto after = static_cast<Real>(share[i] * size[i]);
      if (in_laboratory) {
        external_force.add(i, (before + after) * axis);
      } else {
        external_force.add(i, directors(orientation(i - 1)).to_laboratory(before * axis) +
                                  directors(orientation(i)).to_laboratory(after * axis));
      }
    });
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_couple(const Team& team, const BasicRodView<Real>& rod,
                                         const Actuator& actuator) const {
    const BasicOrientationArray<Real> orientation = rod.orientations();
    const BasicVec3Array<Real> external_couple = rod.vec3_array(field::external_couple);
    const Size<Real> size = sizes<Real>(actuator);
    const auto axis = static_cast<BasicVec3<Real>>(actuator.axis);
    const bool in_laboratory = actuator.in_laboratory;
    for_each_lane(team, rod.elements, [=](int i) {
      external_couple.add(i, size(i) * (in_laboratory ? directors(orientation(i)).to_body(axis) : axis));
    });
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void set_curvature(const Team& team, const BasicRodView<Real>& rod,
                                            double time) const {
    const BasicVec3Array<Real> rest_curvature = rod.vec3_array(field::rest_curvature);
    const BasicVec3Array<const double> own = {array(own_curvature),
                                              array(own_curvature + static_cast<std::size_t>(pitch)),
                                              array(own_curvature + static_cast<std::size_t>(2 * pitch))};
    for_each_lane(team, rod.elements + 1,
                  [=](int k) { rest_curvature.set(k - 1, static_cast<BasicVec3<Real>>(own(k - 1))); });
    for (int k = 0; k < count; ++k) {
      const Actuator& actuator = actuators[k];
      if (actuator.kind != ActuationKind::curvature) continue;
      update(team, actuator, time);
      const Size<Real> size = sizes<Real>(actuator);
      const auto axis = static_cast<BasicVec3<Real>>(actuator.axis);
      for_each_lane(team, rod.elements + 1,
                    [=](int entry) { rest_curvature.add(entry - 1, size(entry - 1) * axis); });
    }
  }

  /// Several on one element add what they lengthen it by.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void set_stretch(const Team& team, const BasicRodView<Real>& rod,
                                          double time) const {
    Real* const natural_stretch = rod.array(field::natural_stretch);
    for_each_lane(team, rod.elements, [=](int i) { natural_stretch[i] = Real(1); });
    for (int k = 0; k < count; ++k) {
      const Actuator& actuator = actuators[k];
      if (actuator.kind != ActuationKind::stretch) continue;
      update(team, actuator, time);
      const double* const size = array(actuator.size);
      const double* const share = array(actuator.share);
      for_each_lane(team, rod.elements,
                    [=](int i) { natural_stretch[i] += static_cast<Real>(share[i] * (size[i] - 1.0)); });
    }
  }

  /// The strain of stretch is less by lambda - 1, with a natural stretch lambda: internal forces -S3 (lambda
  /// - 1)/e along d3, with their couples (third term of 3.9 of Gazzola et al. 2018).
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_stretch_force(const Team& team, const BasicRodView<Real>& rod) const {
    using Vector = BasicVec3<Real>;
    const SummedVec3Array<Real> position = rod.positions();
    const BasicOrientationArray<Real> orientation = rod.orientations();
    const Real* const natural_stretch = rod.array(field::natural_stretch);
    const Real* const rest_length = rod.array(field::rest_length);
    const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
    const Real* const inverse_length = rod.array(field::inverse_length);
    const Real* const stretch_stiffness = rod.array(field::stretch_stiffness);
    const BasicVec3Array<Real> internal_force = rod.vec3_array(field::internal_force);
    const BasicVec3Array<Real> shear_couple = rod.vec3_array(field::shear_couple);
    for_each_lane(team, rod.elements, [=](int i) {
      const BasicDirectors<Real> d = directors(orientation(i));
      const Real inverse_section_length = rod.section_value(inverse_length[i], inverse_rest_length[i]);
      const Vector load = {
          0, 0, stretch_stiffness[i] * inverse_section_length * rest_length[i] * (1 - natural_stretch[i])};
      internal_force.add(i, d.to_laboratory(load));
      shear_couple.add(i, cross(d.to_body(position.edge(i)), load));
    });
  }
};
static_assert(std::is_trivially_copyable_v<Actuation> && std::is_trivially_copyable_v<Actuator>);

}  // namespace rodeo::forces
