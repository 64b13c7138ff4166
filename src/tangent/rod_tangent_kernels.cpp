#include <algorithm>

#include "rodeo/tangent/rod_tangent.hpp"

#include "pair_columns.hpp"

namespace rodeo::tangent {

namespace {

using Packs = BasicVec3<DoublePack>;
using PackMatrix = BasicMatrix3<DoublePack>;
constexpr int lanes = 8;
constexpr int groups = (pair_entries + lanes - 1) / lanes;  // of eight such entries

[[gnu::always_inline]] inline DoublePack load(const double* array, int i) {
  return DoublePack::load(array + i);
}
[[gnu::always_inline]] inline Packs load(const ConstVec3Array& array, int i) {
  return {load(array.x, i), load(array.y, i), load(array.z, i)};
}
[[gnu::always_inline]] inline void store(const Vec3Array& array, int i, const Packs& v) {
  v.x.store(array.x + i);
  v.y.store(array.y + i);
  v.z.store(array.z + i);
}

/// Lane by lane the numbers of the lane before; the first gets the last of the block before.
[[gnu::always_inline]] inline DoublePack of_lane_before(const DoublePack& before, const DoublePack& block) {
  return DoublePack::shuffle<7, 8, 9, 10, 11, 12, 13, 14>(before, block);
}
[[gnu::always_inline]] inline Packs of_lane_before(const Packs& before, const Packs& block) {
  return {of_lane_before(before.x, block.x), of_lane_before(before.y, block.y),
          of_lane_before(before.z, block.z)};
}

/// Values of the lane after; the last lane gets the first of the block after.
[[gnu::always_inline]] inline DoublePack of_lane_after(const DoublePack& block, const DoublePack& after) {
  return DoublePack::shuffle<1, 2, 3, 4, 5, 6, 7, 8>(block, after);
}
[[gnu::always_inline]] inline Packs of_lane_after(const Packs& block, const Packs& after) {
  return {of_lane_after(block.x, after.x), of_lane_after(block.y, after.y), of_lane_after(block.z, after.z)};
}

/// Eight packs of eight as a matrix, transposed.
[[gnu::always_inline]] inline void transpose(DoublePack* a) {
  DoublePack b[lanes];
  DoublePack c[lanes];
#pragma GCC unroll 8
  for (int i = 0; i < lanes; i += 2) {
    b[i] = DoublePack::shuffle<0, 8, 2, 10, 4, 12, 6, 14>(a[i], a[i + 1]);
    b[i + 1] = DoublePack::shuffle<1, 9, 3, 11, 5, 13, 7, 15>(a[i], a[i + 1]);
  }
#pragma GCC unroll 8
  for (int i = 0; i < lanes; i += 4) {
#pragma GCC unroll 2
    for (int k = 0; k < 2; ++k) {
      c[i + k] = DoublePack::shuffle<0, 1, 8, 9, 4, 5, 12, 13>(b[i + k], b[i + k + 2]);
      c[i + k + 2] = DoublePack::shuffle<2, 3, 10, 11, 6, 7, 14, 15>(b[i + k], b[i + k + 2]);
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < 4; ++k) {
    a[k] = DoublePack::shuffle<0, 1, 2, 3, 8, 9, 10, 11>(c[k], c[k + 4]);
    a[k + 4] = DoublePack::shuffle<4, 5, 6, 7, 12, 13, 14, 15>(c[k], c[k + 4]);
  }
}

/// One rod's arrays. Lanes beyond the last element, or region, are of one that is at rest and has no
/// stiffness.
struct Arrays {
  int elements;
  int regions;  ///< from 0, with the half region at the last end if it is there
  ConstVec3Array position;
  ConstQuaternionArray orientation;
  const double* rest_length;
  const double* inverse_rest_length;
  ConstVec3Array shear_stretch_stiffness;
  const double* natural_stretch;
  const double* inverse_rest_voronoi;
  ConstVec3Array bend_twist_stiffness;
  ConstVec3Array rest_curvature;

  Arrays(const ConstRodView& rod, ClampedEnds ends)
      : elements(rod.elements),
        regions(rod.elements - (ends.last ? 0 : 1)),
        position(rod.vec3_array(field::position)),
        orientation{rod.array(field::orientation, 0), rod.array(field::orientation, 1),
                    rod.array(field::orientation, 2), rod.array(field::orientation, 3)},
        rest_length(rod.array(field::rest_length)),
        inverse_rest_length(rod.array(field::inverse_rest_length)),
        shear_stretch_stiffness{rod.array(field::shear_stiffness),
                                rod.second_array(field::shear_stiffness, field::second_shear_stiffness),
                                rod.array(field::stretch_stiffness)},
        natural_stretch(rod.array(field::natural_stretch)),
        inverse_rest_voronoi(rod.array(field::inverse_rest_voronoi)),
        bend_twist_stiffness{rod.array(field::bend_stiffness),
                             rod.second_array(field::bend_stiffness, field::second_bend_stiffness),
                             rod.array(field::twist_stiffness)},
        rest_curvature(rod.vec3_array(field::rest_curvature)) {}

  [[gnu::always_inline]] BasicQuaternion<DoublePack> quaternions(int i) const {
    return {load(orientation.w, i), load(orientation.x, i), load(orientation.y, i), load(orientation.z, i)};
  }

  /// Elements i ... i + 7.
  [[gnu::always_inline]] ShearStretch<DoublePack> shear_stretch(int i) const {
    law::ShearStretch<DoublePack> law{load(rest_length, i), load(inverse_rest_length, i),
                                      load(shear_stretch_stiffness, i), load(natural_stretch, i)};
    BasicQuaternion<DoublePack> q = quaternions(i);
    Packs edge = load(position, i + 1) - load(position, i);
    if (i + lanes > elements) {
      const auto exists = below(elements - i);
      edge = keep(exists, edge);
      q = keep(exists, q);
      law = {select(exists, law.rest_length, 0.0), select(exists, law.inverse_rest_length, 0.0),
             keep(exists, law.stiffness), select(exists, law.natural_stretch, 0.0)};
    }
    return ShearStretch<DoublePack>::at(law, q, edge);
  }

  /// Regions i ... i + 7.
  [[gnu::always_inline]] BendTwist<DoublePack> bend_twist(int i) const {
    law::BendTwist<DoublePack> law{load(inverse_rest_voronoi, i), load(bend_twist_stiffness, i),
                                   load(rest_curvature, i)};
    BasicQuaternion<DoublePack> before = quaternions(i);
    BasicQuaternion<DoublePack> after = quaternions(i + 1);
    if (i + lanes > regions) {
      const auto exists = below(regions - i);
      before = keep(exists, before);
      after = keep(exists, after);
      law = {select(exists, law.inverse_rest_voronoi, 1.0), keep(exists, law.stiffness),
             keep(exists, law.rest_curvature)};
    }
    return BendTwist<DoublePack>::at(law, before, after);
  }

  /// Zero beyond so many lanes.
  [[gnu::always_inline]] static PackMatrix keep_below(int count, const PackMatrix& a) {
    const auto exists = below(count);
    return {keep(exists, a.row1), keep(exists, a.row2), keep(exists, a.row3)};
  }

  /// The half region at the first end.
  BendTwist<double> first_half() const {
    return BendTwist<double>::at({inverse_rest_voronoi[-1], bend_twist_stiffness(-1), rest_curvature(-1)},
                                 orientation(-1), orientation(0));
  }

 private:
  /// Lanes below `count`.
  [[gnu::always_inline]] static DoublePack::Mask below(int count) {
    constexpr double place[] = {0, 1, 2, 3, 4, 5, 6, 7};
    return DoublePack::load(place) < DoublePack(static_cast<double>(count));
  }
  [[gnu::always_inline]] static Packs keep(const DoublePack::Mask& exists, const Packs& v) {
    return {select(exists, v.x, 0.0), select(exists, v.y, 0.0), select(exists, v.z, 0.0)};
  }
  [[gnu::always_inline]] static BasicQuaternion<DoublePack> keep(const DoublePack::Mask& exists,
                                                                 const BasicQuaternion<DoublePack>& q) {
    return {select(exists, q.w, 1.0), select(exists, q.x, 0.0), select(exists, q.y, 0.0),
            select(exists, q.z, 0.0)};
  }
};

/// Contributions of the last element and region of the block before to the next node and element.
struct Carried {
  Packs force;
  Packs couple;
  PackMatrix edge_edge;
  PackMatrix after_after;
};

[[gnu::always_inline]] inline void set_last(DoublePack& pack, double x) { pack.set(lanes - 1, x); }
inline void set_last(Packs& packs, const Vec3& v) {
  set_last(packs.x, v.x);
  set_last(packs.y, v.y);
  set_last(packs.z, v.z);
}
inline void set_last(PackMatrix& packs, const Matrix3& m) {
  set_last(packs.row1, m.row1);
  set_last(packs.row2, m.row2);
  set_last(packs.row3, m.row3);
}
[[gnu::always_inline]] inline PackMatrix of_lane_before(const PackMatrix& before, const PackMatrix& block) {
  return {of_lane_before(before.row1, block.row1), of_lane_before(before.row2, block.row2),
          of_lane_before(before.row3, block.row3)};
}

/// Eight numbers of each lane, to places `pitch` apart.
[[gnu::always_inline]] inline void scatter(DoublePack* numbers, double* to, int pitch, int count) {
  transpose(numbers);
  if (count == lanes) {
#pragma GCC unroll 8
    for (int lane = 0; lane < lanes; ++lane) numbers[lane].store(to + lane * pitch);
  } else {
    for (int lane = 0; lane < count; ++lane) numbers[lane].store(to + lane * pitch);
  }
}

template <Order order>
double evaluate(const ConstRodView& rod, ClampedEnds ends, double* gradient, RodMatrix* hessian,
                const RodStress* stress) {
  const Arrays arrays(rod, ends);
  const int n = arrays.elements;
  Carried before{};
  double first_energy = 0.0;
  if (ends.first) {
    const BendTwist<double> half = arrays.first_half();
    first_energy = half.energy();
    set_last(before.couple, half.gradient().after);
    if constexpr (order == Order::hessian) {
      set_last(before.after_after, half.hessian(stress ? stress->couples()(-1) : half.couple).after_after);
    }
  }
  DoublePack energy(0.0);
  for (int i = 0; i <= n; i += lanes) {  // up to the last node
    const int pairs = std::min(lanes, n - i);
    const bool ends_here = i + lanes > n;
    const ShearStretch<DoublePack> element = arrays.shear_stretch(i);
    const BendTwist<DoublePack> region = arrays.bend_twist(i);
    energy += element.energy() + region.energy();
    if constexpr (order == Order::energy) continue;
    const ElementGradient<DoublePack> of_element = element.gradient();
    const RegionGradient<DoublePack> of_region = region.gradient();
    const Packs force = of_lane_before(before.force, of_element.edge) - of_element.edge;
    const Packs couple = of_element.turn + of_region.before + of_lane_before(before.couple, of_region.after);
    before.force = of_element.edge;
    before.couple = of_region.after;
    const DoublePack zero(0.0);
    DoublePack pair[lanes] = {force.x, force.y, force.z, couple.x, couple.y, couple.z, zero, zero};
    // The last two of a lane go where the next lane has its first.
    double* const to = gradient + pair_size * i;
    scatter(pair, to, pair_size, pairs);
    if (ends_here) {
      for (int c = 0; c < 3; ++c) to[pair_size * pairs + c] = pair[pairs][c];
    }
    if constexpr (order == Order::hessian) {
      const ElementHessian<DoublePack> second =
          element.hessian(stress ? load(stress->forces(), i) : element.stress);
      RegionHessian<DoublePack> bent = region.hessian(stress ? load(stress->couples(), i) : region.couple);
      // The frame after the last element is held at a clamp, and its turn no unknown.
      if (i + lanes >= n) bent.after_before = arrays.keep_below(n - 1 - i, bent.after_before);
      const PackMatrix node = second.edge_edge + of_lane_before(before.edge_edge, second.edge_edge);
      const PackMatrix turn =
          second.turn_turn + bent.before_before + of_lane_before(before.after_after, bent.after_after);
      before.edge_edge = second.edge_edge;
      before.after_after = bent.after_after;
      DoublePack entries[groups * lanes];
      for (int k = pair_entries; k < groups * lanes; ++k) entries[k] = zero;
      fill_columns(node, second, turn, bent.after_before, entries);
      double* const columns = hessian->column(pair_size * i);
      // From the last group down: two of its numbers in each lane land where the next lane has its first.
      for (int group = groups - 1; group >= 0; --group) {
        scatter(entries + lanes * group, columns + lanes * group, pair_entries, pairs);
      }
      if (ends_here) {
        for (int k = 0; k < pair_entries / 2; ++k) {
          columns[pair_entries * pairs + k] = entries[k / lanes * lanes + pairs][k % lanes];
        }
      }
    }
  }
  double sum = first_energy;
  for (int lane = 0; lane < lanes; ++lane) sum += energy[lane];
  return sum;
}

/// Unknowns of a step in eight lanes: of nodes i and on, and of the elements after them. Zero beyond the
/// last.
struct StepBlock {
  Packs node;
  Packs element;
};

StepBlock step_block(std::span<const double> step, int i) {
  alignas(64) double numbers[pair_size][lanes];
  const int count = static_cast<int>(step.size()) - pair_size * i;
  const double* const own = step.data() + pair_size * i;
  if (count >= pair_size * lanes) {
    for (int lane = 0; lane < lanes; ++lane) {
      for (int c = 0; c < pair_size; ++c) numbers[c][lane] = own[pair_size * lane + c];
    }
  } else {
    for (int lane = 0; lane < lanes; ++lane) {
      for (int c = 0; c < pair_size; ++c) {
        const int place = pair_size * lane + c;
        numbers[c][lane] = place < count ? own[place] : 0.0;
      }
    }
  }
  const auto at = [&](int c) { return DoublePack::load(numbers[c]); };
  return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}};
}

}  // namespace

RodStress::RodStress(int elements)
    : pitch_(front + element_lanes(elements) + 2 * lanes), numbers_(static_cast<std::size_t>(6 * pitch_)) {}

double elastic_energy(const ConstRodView& rod, ClampedEnds ends) {
  return evaluate<Order::energy>(rod, ends, nullptr, nullptr, nullptr);
}

double elastic_gradient(const ConstRodView& rod, ClampedEnds ends, std::span<double> gradient) {
  return evaluate<Order::gradient>(rod, ends, gradient.data(), nullptr, nullptr);
}

double elastic_hessian(const ConstRodView& rod, ClampedEnds ends, std::span<double> gradient,
                       RodMatrix& hessian, const RodStress* stress) {
  return evaluate<Order::hessian>(rod, ends, gradient.data(), &hessian, stress);
}

void predict_stress(const ConstRodView& rod, ClampedEnds ends, std::span<const double> step, double factor,
                    RodStress& stress) {
  const Arrays arrays(rod, ends);
  const double rest = 1.0 - factor;
  if (ends.first) {
    const Vec3 predicted = arrays.first_half().predicted({}, {step[3], step[4], step[5]});
    const Vec3 old = rest != 0.0 ? stress.couples()(-1) : Vec3{};
    stress.couples().set(-1, rest * old + factor * predicted);
  }
  const auto blend = [&](const Vec3Array& array, int i, const Packs& predicted) {
    const Packs old = rest != 0.0 ? load(array, i) : Packs{};
    store(array, i, DoublePack(rest) * old + DoublePack(factor) * predicted);
  };
  StepBlock here = step_block(step, 0);
  for (int i = 0; i < arrays.elements; i += lanes) {
    const StepBlock next = step_block(step, i + lanes);
    const Packs edge = of_lane_after(here.node, next.node) - here.node;
    blend(stress.forces(), i, arrays.shear_stretch(i).predicted(edge, here.element));
    // At a clamp the frame after the last element is held, and its turn zero.
    const Packs after = of_lane_after(here.element, next.element);
    blend(stress.couples(), i, arrays.bend_twist(i).predicted(here.element, after));
    here = next;
  }
}

void take_step(const RodView& rod, std::span<const double> step, double factor) {
  const BasicOrientationArray<double> orientation = rod.orientations();
  const Vec3Array position = rod.vec3_array(field::position);
  for (int i = 0; i < rod.nodes(); ++i) {
    const double* const s = step.data() + pair_size * i;
    position.add(i, factor * Vec3{s[0], s[1], s[2]});
    if (i == rod.elements) break;
    const Quaternion q = orientation(i) * small_rotation(factor * Vec3{s[3], s[4], s[5]});
    const double scale = 1.5 - 0.5 * squared_norm(q);  // Newton's step of 1/sqrt at 1
    orientation.set(i, {scale * q.w, scale * q.x, scale * q.y, scale * q.z});
  }
}

}  // namespace rodeo::tangent
