#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "rodeo/math/arrays.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo {

/// The arrays of the rods of a member, element (or node) index fastest, first those of a single rod. n
/// elements, n + 1 nodes, n - 1 Voronoi regions (region i lies between elements i and i + 1, around node i +
/// 1). At a clamp there is half a region more, entry -1 or n - 1, between the directors of the end (entry -1
/// or n of orientation) and those of the element there. On a closed rod node n is node 0, and region n - 1
/// lies between elements n - 1 and 0 (boundary::Closure). Laboratory frame unless "body" is said. SI units.
///
/// Several rods stand one after the other. Between two that are not joined lie three elements and the two
/// nodes between them that have neither stiffness nor gain: they never move and never pull, and give each rod
/// its own entries -1, n and n + 1. A loop over all entries of a member is then right for every rod in it.
/// Joined rods are next to each other, and the last node of one is the first of the next.
///
/// Rods whose sections are not alike about d1 and d2 have further arrays; of others the same stand for both.
///
/// Work arrays are set anew in each step. The parts that a thread takes one after the other share one place
/// for theirs, so that these stay in its cache (WorkPlaces). Parts whose constants are the same read those of
/// one of them for the same reason (RodsPart::constants).
///
/// In single precision all is float. Each number of the state has a second one, its compensation: the part
/// that rounding took from it, so that what a step adds is not lost. In place of a decay stands the loss, 1 -
/// decay, of which a decay in float would keep no digits.
namespace field {
enum Field : int {
  // State.
  position = 0,                        ///< node, 3, m
  velocity = position + 3,             ///< node, 3, m/s
  orientation = velocity + 3,          ///< element, 4 (w, x, y, z)
  angular_velocity = orientation + 4,  ///< element, 3, body, rad/s
  state_count = angular_velocity + 3,
  // Constants of a slice.
  velocity_decay = state_count,                ///< node: factor a free velocity keeps in a step
  velocity_gain = velocity_decay + 1,          ///< node: velocity per force of a step, s/kg
  bend_rate_decay = velocity_gain + 1,         ///< element: the same for the angular velocity about d1
  bend_rate_gain = bend_rate_decay + 1,        ///< element, s/(kg m^2)
  twist_rate_decay = bend_rate_gain + 1,       ///< element: about d3
  twist_rate_gain = twist_rate_decay + 1,      ///< element, s/(kg m^2)
  rest_length = twist_rate_gain + 1,           ///< element, m; zero beyond the ends
  inverse_rest_length = rest_length + 1,       ///< element, 1/m
  shear_stiffness = inverse_rest_length + 1,   ///< element, S1, N
  stretch_stiffness = shear_stiffness + 1,     ///< element, S3, N
  bend_stiffness = stretch_stiffness + 1,      ///< Voronoi region, B1, N m^2
  twist_stiffness = bend_stiffness + 1,        ///< Voronoi region, B3, N m^2
  inverse_rest_voronoi = twist_stiffness + 1,  ///< Voronoi region, 1/D_hat, 1/m
  rest_curvature = inverse_rest_voronoi + 1,   ///< Voronoi region, 3, body, 1/m
  mass = rest_curvature + 3,                   ///< node, kg
  bend_inertia = mass + 1,                     ///< element, J1 at rest, kg m^2
  contact_radius =
      bend_inertia + 1,  ///< element, radius times root of length (constant: the volume is), m^1.5
  force_share =
      contact_radius + 1,  ///< node: part of its mass and force that each of its elements has, 1/2, ends 1
  /// Amplitude beta cos(k s) of the muscles' wave (eq. 4.3): Voronoi region, N m, where muscles exert
  /// couples; element, N, where they exert forces.
  muscle_cosine = force_share + 1,
  muscle_sine = muscle_cosine + 1,  ///< as muscle_cosine, with sin(k s)
  half_drag = muscle_sine + 1,  ///< element, half the fluid's drag across, per length and velocity, kg/(m s)
  natural_stretch = half_drag + 1,  ///< element, natural length over rest length
  half_taper =
      natural_stretch +
      1,  ///< element, by how much it is thicker at its last node than in its middle, over its radius
  lasting_count = half_taper + 1,
  // Further constants of a slice where sections are not alike about d1 and d2 (double precision only).
  second_bend_rate_decay = lasting_count,              ///< element: of the angular velocity about d2
  second_bend_rate_gain = second_bend_rate_decay + 1,  ///< element, s/(kg m^2)
  second_shear_stiffness = second_bend_rate_gain + 1,  ///< element, S2, N
  second_bend_stiffness = second_shear_stiffness + 1,  ///< Voronoi region, B2, N m^2
  second_bend_inertia = second_bend_stiffness + 1,     ///< element, J2 at rest, kg m^2
  twist_inertia = second_bend_inertia + 1,             ///< element, J3 at rest, kg m^2; else 2 J1
  lasting_count_of_two = twist_inertia + 1,
  // Compensation of each array of the state, in the same order; in single precision only.
  compensation = lasting_count,
  lasting_count_single = compensation + state_count,
  // Work arrays of a step, which stand after all others or elsewhere.
  work = 64,
  length = work,                        ///< element, m
  inverse_length = length + 1,          ///< element, 1/m
  internal_force = inverse_length + 1,  ///< element, 3, Q^T S sigma/e, N
  shear_couple = internal_force + 3,    ///< element, 3, body, (Q t x S sigma) l_hat, N m
  bend_couple = shear_couple + 3,       ///< Voronoi region, 3, body, B kappa/E^3, N m
  transport_couple = bend_couple + 3,   ///< Voronoi region, 3, body, half of (kappa x B kappa) D_hat/E^3, N m
  middle_velocity = transport_couple + 3,  ///< node, 3, mean of the velocities before and after a kick, m/s
  external_force = middle_velocity + 3,    ///< node, 3, N
  external_couple = external_force + 3,    ///< element, 3, body, N m
  ground_force_on_first =
      external_couple + 3,  ///< element, 3, on its first node, N; zero beyond the ends of open rods
  work_end = ground_force_on_first + 3,
  work_count = work_end - work,
  // Arrays that share the place of another, which is not in use at the time.
  section_strain = ground_force_on_first,  ///< Voronoi region, kappa B kappa/E^4, N
  ground_force = middle_velocity  ///< element, 3, on its last node, N; zero beyond the ends of open rods
};
}  // namespace field

/// Entries of a cache line, which is also one AVX-512 vector.
template <class Real>
inline constexpr int line_entries = 64 / static_cast<int>(sizeof(Real));

/// Entries in front of each array's entry 0: entry -1 may be read (a boundary flux stands there), and entry 0
/// is aligned to a cache line, as every array's length is a multiple of one.
template <class Real>
inline constexpr int front_entries = line_entries<Real>;
inline constexpr int field_front = front_entries<double>;

/// Elements and nodes rounded up to whole vectors: the range of an element or node loop on a host core.
template <class Real = double>
KOKKOS_INLINE_FUNCTION constexpr int element_lanes(int elements) {
  return (elements + line_entries<Real> - 1) / line_entries<Real> * line_entries<Real>;
}
template <class Real = double>
KOKKOS_INLINE_FUNCTION constexpr int node_lanes(int elements) {
  return (elements + line_entries<Real>) / line_entries<Real> * line_entries<Real>;
}

/// Entries of one array, front included, for a rod of so many elements. A whole number of cache lines with
/// room for entry element_lanes, and an odd number of them, so that the arrays of a rod spread over all sets
/// of the cache whatever the element count.
template <class Real = double>
KOKKOS_INLINE_FUNCTION constexpr int field_pitch(int elements) {
  constexpr int line = line_entries<Real>;
  return ((front_entries<Real> + node_lanes<Real>(elements) + line) / line | 1) * line;
}

/// Arrays of a rod that last from step to step; `circular` says that its sections are alike about d1 and d2.
template <class Real>
KOKKOS_INLINE_FUNCTION constexpr int lasting_count(bool circular) {
  if (Precision<Real>::compensated) return field::lasting_count_single;
  return circular ? field::lasting_count : field::lasting_count_of_two;
}

/// Numbers in the arrays of a rod that last.
template <class Real = double>
KOKKOS_INLINE_FUNCTION constexpr std::size_t lasting_size(int elements, bool circular = true) {
  return static_cast<std::size_t>(lasting_count<Real>(circular)) *
         static_cast<std::size_t>(field_pitch<Real>(elements));
}

/// Numbers in work arrays of that pitch.
KOKKOS_INLINE_FUNCTION constexpr std::size_t work_size(int pitch) {
  return static_cast<std::size_t>(field::work_count) * static_cast<std::size_t>(pitch);
}

/// Numbers one rod takes.
template <class Real = double>
KOKKOS_INLINE_FUNCTION constexpr std::size_t rod_size(int elements, bool circular = true) {
  return lasting_size<Real>(elements, circular) + work_size(field_pitch<Real>(elements));
}

/// Places of the work arrays of a member that do not follow its others. The first place is for the member's
/// last part, whose last rod is read between slices; each thread has one of those after it.
struct WorkPlaces {
  std::size_t offset = 0;  ///< of the first, numbers
  int pitch = 0;           ///< of the arrays in each; 0: the work arrays follow the others
  int first = 0;           ///< element of the member to which entry 0 of the first place belongs
  int count = 0;           ///< of places, which stand one after the other
};

/// Numbers in all of them.
constexpr std::size_t work_size(const WorkPlaces& places) {
  return static_cast<std::size_t>(places.count) * work_size(places.pitch);
}

/// The arrays of a member's rods, or of one of them, inside a batch's storage, in double or single precision
/// (Real); of a const Real they are only read. A plain handle: copying it copies no data.
template <class Real>
struct BasicRodView {
  using Whole = typename Precision<Real>::Whole;

  Real* base = nullptr;
  Real* constants = nullptr;  ///< base of the arrays of which the constants of a slice are read
  Real* work = nullptr;       ///< where the work arrays begin
  int elements = 0;
  int pitch = 0;
  int work_pitch = 0;
  double shrink = 1.0;   ///< 1: sections shrink as elements stretch, whose volume stays; 0: they are rigid
  bool circular = true;  ///< sections are alike about d1 and d2, and there is one array for both

  KOKKOS_INLINE_FUNCTION BasicRodView(Real* storage, int element_count, double sections_shrink,
                                      bool circular_sections = true)
      : base(storage),
        constants(storage),
        work(storage + rodeo::lasting_size<Real>(element_count, circular_sections)),
        elements(element_count),
        pitch(field_pitch<Real>(element_count)),
        work_pitch(pitch),
        shrink(sections_shrink),
        circular(circular_sections) {}

  /// Read-only view of these arrays.
  KOKKOS_INLINE_FUNCTION BasicRodView<const Real> as_const() const {
    BasicRodView<const Real> rod(base, elements, shrink, circular);
    rod.constants = constants;
    rod.work = work;
    rod.pitch = pitch;
    rod.work_pitch = work_pitch;
    return rod;
  }
  KOKKOS_INLINE_FUNCTION operator BasicRodView<const Real>() const requires(!std::is_const_v<Real>) {
    return as_const();
  }

  /// One rod of a member: so many elements from element `first` on.
  KOKKOS_INLINE_FUNCTION BasicRodView part(int first, int element_count) const {
    BasicRodView rod = *this;
    rod.base += first;
    rod.constants += first;
    rod.work += first;
    rod.elements = element_count;
    return rod;
  }

  /// View of a member whose work arrays stand at `places` among `arrays`.
  KOKKOS_INLINE_FUNCTION BasicRodView with_work(Real* arrays, const WorkPlaces& places) const {
    if (places.pitch == 0) return *this;
    BasicRodView rod = *this;
    rod.work = arrays + places.offset - places.first;
    rod.work_pitch = places.pitch;
    return rod;
  }

  /// A part of a member, which starts at element `first`, with the constants of the part that starts at
  /// element `alike`, and the work arrays of thread `rank` unless it is the last part, which starts at
  /// element `last`.
  KOKKOS_INLINE_FUNCTION BasicRodView part_of_thread(int first, int element_count, int alike, int last,
                                                     int rank) const {
    BasicRodView rod = part(first, element_count);
    rod.constants = constants + alike;
    if (shares_work() && first != last)
      rod.work = work + last + static_cast<std::size_t>(rank + 1) * work_size(work_pitch);
    return rod;
  }

  /// True if there is room for the work arrays of parts, not for those of all rods.
  KOKKOS_INLINE_FUNCTION bool shares_work() const { return work_pitch < pitch; }

  KOKKOS_INLINE_FUNCTION int nodes() const { return elements + 1; }
  KOKKOS_INLINE_FUNCTION int element_lanes() const { return rodeo::element_lanes<Real>(elements); }
  KOKKOS_INLINE_FUNCTION int node_lanes() const { return rodeo::node_lanes<Real>(elements); }

  /// The value that holds for the section of an element (2.10 of Gazzola et al. 2018): that of the stretched
  /// rod where sections shrink, that of the rod at rest where they are rigid. Exact: one of the terms is
  /// zero.
  template <class Number>
  KOKKOS_INLINE_FUNCTION Number section_value(Number stretched, Number at_rest) const {
    const auto share = static_cast<Number>(shrink);
    return share * stretched + (Number(1) - share) * at_rest;
  }

  /// Array of component `component` of a field; entries -1 … pitch - line_entries - 1 exist.
  KOKKOS_INLINE_FUNCTION Real* array(int f, int component = 0) const {
    if (f < field::work) {
      const bool is_constant = f >= field::state_count && f < field::lasting_count;
      return (is_constant ? constants : base) + static_cast<std::ptrdiff_t>(f + component) * pitch +
             front_entries<Real>;
    }
    return work + static_cast<std::ptrdiff_t>(f - field::work + component) * work_pitch + front_entries<Real>;
  }

  /// Numbers in the arrays that last.
  KOKKOS_INLINE_FUNCTION std::size_t lasting_size() const {
    return static_cast<std::size_t>(lasting_count<Real>(circular)) * static_cast<std::size_t>(pitch);
  }

  /// Array along or about d2 of the quantity of `first`, along or about d1; its own field is `second`.
  KOKKOS_INLINE_FUNCTION Real* second_array(int first, int second) const {
    return array(circular ? first : second);
  }

  /// S1, S2 and S3 of an element, N.
  KOKKOS_INLINE_FUNCTION BasicVec3<Whole> shear_stretch_stiffness(int i) const {
    return whole(array(field::shear_stiffness)[i],
                 second_array(field::shear_stiffness, field::second_shear_stiffness)[i],
                 array(field::stretch_stiffness)[i]);
  }
  /// B1, B2 and B3 of a Voronoi region, N m^2.
  KOKKOS_INLINE_FUNCTION BasicVec3<Whole> bend_twist_stiffness(int i) const {
    return whole(array(field::bend_stiffness)[i],
                 second_array(field::bend_stiffness, field::second_bend_stiffness)[i],
                 array(field::twist_stiffness)[i]);
  }
  KOKKOS_INLINE_FUNCTION void set_bend_twist_stiffness(int i, const BasicVec3<Whole>& stiffness) const {
    array(field::bend_stiffness)[i] = static_cast<Real>(stiffness.x);
    second_array(field::bend_stiffness, field::second_bend_stiffness)[i] = static_cast<Real>(stiffness.y);
    array(field::twist_stiffness)[i] = static_cast<Real>(stiffness.z);
  }
  /// J1, J2 and J3 of an element at rest, kg m^2.
  KOKKOS_INLINE_FUNCTION BasicVec3<Whole> inertia(int i) const {
    const Real first = array(field::bend_inertia)[i];
    if (circular) return whole(first, first, 2 * first);
    return whole(first, array(field::second_bend_inertia)[i], array(field::twist_inertia)[i]);
  }

  /// The three arrays of a vector field.
  KOKKOS_FORCEINLINE_FUNCTION BasicVec3Array<Real> vec3_array(int f) const {
    return {array(f, 0), array(f, 1), array(f, 2)};
  }
  /// Array of component `component` of a field of the state, with its compensation in single precision.
  KOKKOS_FORCEINLINE_FUNCTION SummedArray<Real> state_array(int f, int component = 0) const {
    if constexpr (Precision<Real>::compensated) {
      return {array(f, component), array(field::compensation + f, component)};
    } else {
      return {array(f, component)};
    }
  }
  /// The three arrays of a vector field of the state.
  KOKKOS_FORCEINLINE_FUNCTION SummedVec3Array<Real> state_vec3_array(int f) const {
    return {state_array(f, 0), state_array(f, 1), state_array(f, 2)};
  }
  KOKKOS_FORCEINLINE_FUNCTION SummedVec3Array<Real> positions() const {
    return state_vec3_array(field::position);
  }
  KOKKOS_FORCEINLINE_FUNCTION SummedVec3Array<Real> velocities() const {
    return state_vec3_array(field::velocity);
  }
  KOKKOS_FORCEINLINE_FUNCTION SummedVec3Array<Real> angular_velocities() const {
    return state_vec3_array(field::angular_velocity);
  }
  KOKKOS_FORCEINLINE_FUNCTION BasicOrientationArray<Real> orientations() const {
    return {state_array(field::orientation, 0), state_array(field::orientation, 1),
            state_array(field::orientation, 2), state_array(field::orientation, 3)};
  }

  /// One entry of a vector field.
  KOKKOS_INLINE_FUNCTION BasicVec3<Whole> vec3(int f, int i) const {
    return f < field::state_count ? state_vec3_array(f).whole(i)
                                  : static_cast<BasicVec3<Whole>>(vec3_array(f)(i));
  }
  KOKKOS_INLINE_FUNCTION void set_vec3(int f, int i, const BasicVec3<Whole>& v) const {
    if (f < field::state_count) {
      state_vec3_array(f).set(i, v);
    } else {
      vec3_array(f).set(i, static_cast<BasicVec3<Real>>(v));
    }
  }
  KOKKOS_INLINE_FUNCTION BasicQuaternion<Whole> quaternion(int i) const { return orientations().whole(i); }
  KOKKOS_INLINE_FUNCTION void set_quaternion(int i, const BasicQuaternion<Whole>& q) const {
    orientations().set(i, q);
  }

 private:
  KOKKOS_INLINE_FUNCTION static BasicVec3<Whole> whole(Real x, Real y, Real z) {
    return {static_cast<Whole>(x), static_cast<Whole>(y), static_cast<Whole>(z)};
  }
};
using RodView = BasicRodView<double>;
using ConstRodView = BasicRodView<const double>;

/// Resets work arrays to their state before the first step. Padding may be divided by its lengths.
template <class Real>
void clear_work(Real* work, int pitch) {
  std::fill_n(work, work_size(pitch), Real(0));
  for (const int f : {field::length, field::inverse_length})
    std::fill_n(work + static_cast<std::ptrdiff_t>(f - field::work) * pitch, pitch, Real(1));
}

/// Resets the work arrays in all places of a member, which are among `arrays`.
template <class Real>
void clear_work(Real* arrays, const WorkPlaces& places) {
  for (int k = 0; k < places.count; ++k)
    clear_work(arrays + places.offset + static_cast<std::size_t>(k) * work_size(places.pitch), places.pitch);
}

/// Decay that an entry of field::velocity_decay and the like represents.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real decay_of(Real entry) {
  return Precision<Real>::compensated ? 1 - entry : entry;
}

}  // namespace rodeo
