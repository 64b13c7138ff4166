#include <algorithm>

#include "rodeo/tangent/rod_pack.hpp"

#include "pair_columns.hpp"

namespace rodeo::tangent {

namespace {

using Vectors = RodPack::Vectors;
using Matrices = BasicMatrix3<DoublePack>;

[[gnu::always_inline]] inline Vectors at(std::span<const DoublePack> step, int unknown) {
  const DoublePack* const s = step.data() + unknown;
  return {s[0], s[1], s[2]};
}

[[gnu::always_inline]] inline void set(DoublePack* to, const Vectors& v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

inline void set_lane(Vectors& packs, int lane, const Vec3& v) {
  packs.x.set(lane, v.x);
  packs.y.set(lane, v.y);
  packs.z.set(lane, v.z);
}

inline void set_lane(RodPack::Quaternions& packs, int lane, const Quaternion& q) {
  packs.w.set(lane, q.w);
  packs.x.set(lane, q.x);
  packs.y.set(lane, q.y);
  packs.z.set(lane, q.z);
}

/// Stand-ins beyond the last element, and beyond the last region where no half region follows: at rest,
/// without stiffness, as in the lanes of a rod alone.
const law::ShearStretch<DoublePack> no_element = {0.0, 0.0, {}, 0.0};
const law::BendTwist<DoublePack> no_region = {1.0, {}, {}};

[[gnu::always_inline]] inline ShearStretch<DoublePack> element_of(const RodPack& rods, int i) {
  return ShearStretch<DoublePack>::at(rods.element(i), rods.orientation(i),
                                      rods.position(i + 1) - rods.position(i));
}

[[gnu::always_inline]] inline BendTwist<DoublePack> region_of(const RodPack& rods, int i) {
  return BendTwist<DoublePack>::at(rods.region(i), rods.orientation(i), rods.orientation(i + 1));
}

/// Operations and their order are those of a rod alone (rod_tangent_kernels.cpp).
template <Order order>
DoublePack evaluate(const RodPack& rods, ClampedEnds ends, DoublePack* gradient, RodPackMatrix* hessian,
                    const RodPackStress* stress) {
  const int n = rods.elements();
  const int regions = n - (ends.last ? 0 : 1);
  DoublePack energy(0.0);
  // Contributions of the element and region before to the next node and element.
  Vectors force_before;
  Vectors couple_before;
  Matrices edge_edge_before;
  Matrices after_after_before;
  if (ends.first) {
    const BendTwist<DoublePack> half = region_of(rods, -1);
    energy += half.energy();
    couple_before = half.gradient().after;
    if constexpr (order == Order::hessian) {
      after_after_before = half.hessian(stress ? stress->couple(-1) : half.couple).after_after;
    }
  }
  for (int i = 0; i <= n; ++i) {
    const ShearStretch<DoublePack> element =
        i < n ? element_of(rods, i) : ShearStretch<DoublePack>::at(no_element, {}, {});
    const BendTwist<DoublePack> region =
        i < regions ? region_of(rods, i) : BendTwist<DoublePack>::at(no_region, {}, {});
    energy += element.energy() + region.energy();
    if constexpr (order == Order::energy) continue;
    const ElementGradient<DoublePack> of_element = element.gradient();
    const RegionGradient<DoublePack> of_region = region.gradient();
    set(gradient + node_unknown(i), force_before - of_element.edge);
    if (i < n) set(gradient + element_unknown(i), of_element.turn + of_region.before + couple_before);
    force_before = of_element.edge;
    couple_before = of_region.after;
    if constexpr (order == Order::hessian) {
      const ElementHessian<DoublePack> second =
          element.hessian(stress && i < n ? stress->force(i) : element.stress);
      RegionHessian<DoublePack> bent =
          region.hessian(stress && i < regions ? stress->couple(i) : region.couple);
      // The frame after the last element is held at a clamp, and its turn no unknown.
      if (i + 1 >= n) bent.after_before = {};
      const Matrices node = second.edge_edge + edge_edge_before;
      const Matrices turn = second.turn_turn + bent.before_before + after_after_before;
      edge_edge_before = second.edge_edge;
      after_after_before = bent.after_after;
      if (i < n) {
        fill_columns(node, second, turn, bent.after_before, hessian->column(node_unknown(i)));
      } else {
        DoublePack entries[pair_entries];
        fill_columns(node, second, turn, bent.after_before, entries);
        std::copy_n(entries, pair_entries / 2, hessian->column(node_unknown(n)));
      }
    }
  }
  return energy;
}

}  // namespace

RodPack::RodPack(int elements)
    : elements_(elements),
      positions_(static_cast<std::size_t>(elements + 1)),
      orientations_(static_cast<std::size_t>(elements + 2)),
      laws_(static_cast<std::size_t>(elements)),
      regions_(static_cast<std::size_t>(elements + 1)) {}

void RodPack::load(int lane, const ConstRodView& rod) {
  for (int i = 0; i <= elements_; ++i) set_lane(position(i), lane, rod.vec3(field::position, i));
  for (int i = -1; i <= elements_; ++i) set_lane(orientation(i), lane, rod.quaternion(i));
  for (int i = 0; i < elements_; ++i) {
    law::ShearStretch<DoublePack>& law = element(i);
    law.rest_length.set(lane, rod.array(field::rest_length)[i]);
    law.inverse_rest_length.set(lane, rod.array(field::inverse_rest_length)[i]);
    set_lane(law.stiffness, lane, rod.shear_stretch_stiffness(i));
  }
  for (int i = -1; i < elements_; ++i) {
    law::BendTwist<DoublePack>& law = region(i);
    law.inverse_rest_voronoi.set(lane, rod.array(field::inverse_rest_voronoi)[i]);
    set_lane(law.stiffness, lane, rod.bend_twist_stiffness(i));
  }
  load_natural_strains(lane, rod);
}

void RodPack::load_natural_strains(int lane, const ConstRodView& rod) {
  for (int i = 0; i < elements_; ++i)
    element(i).natural_stretch.set(lane, rod.array(field::natural_stretch)[i]);
  for (int i = -1; i < elements_; ++i)
    set_lane(region(i).rest_curvature, lane, rod.vec3(field::rest_curvature, i));
}

void RodPackStress::load(int lane, const RodStress& stress) {
  const int n = static_cast<int>(forces_.size());
  for (int i = 0; i < n; ++i) set_lane(force(i), lane, stress.forces()(i));
  for (int i = -1; i < n; ++i) set_lane(couple(i), lane, stress.couples()(i));
}

void RodPackStress::store(int lane, RodStress& stress) const {
  const auto of_lane = [lane](const Vectors& v) { return Vec3{v.x[lane], v.y[lane], v.z[lane]}; };
  const int n = static_cast<int>(forces_.size());
  for (int i = 0; i < n; ++i) stress.forces().set(i, of_lane(force(i)));
  for (int i = -1; i < n; ++i) stress.couples().set(i, of_lane(couple(i)));
}

void RodPack::store(int lane, const RodView& rod) const {
  for (int i = 0; i <= elements_; ++i) {
    const Vectors& x = position(i);
    rod.set_vec3(field::position, i, {x.x[lane], x.y[lane], x.z[lane]});
  }
  for (int i = 0; i < elements_; ++i) {
    const Quaternions& q = orientation(i);
    rod.set_quaternion(i, {q.w[lane], q.x[lane], q.y[lane], q.z[lane]});
  }
}

DoublePack elastic_energy(const RodPack& rods, ClampedEnds ends) {
  return evaluate<Order::energy>(rods, ends, nullptr, nullptr, nullptr);
}

DoublePack elastic_gradient(const RodPack& rods, ClampedEnds ends, std::span<DoublePack> gradient) {
  return evaluate<Order::gradient>(rods, ends, gradient.data(), nullptr, nullptr);
}

DoublePack elastic_hessian(const RodPack& rods, ClampedEnds ends, std::span<DoublePack> gradient,
                           RodPackMatrix& hessian, const RodPackStress* stress) {
  return evaluate<Order::hessian>(rods, ends, gradient.data(), &hessian, stress);
}

void predict_stress(const RodPack& rods, ClampedEnds ends, std::span<const DoublePack> step,
                    DoublePack factor, RodPackStress& stress) {
  const DoublePack zero(0.0);
  const DoublePack rest = DoublePack(1.0) - factor;
  const auto counts = rest > zero;  // the old value may be NaN
  const auto blend = [&](Vectors& stored, const Vectors& predicted) {
    const Vectors old = {select(counts, stored.x, zero), select(counts, stored.y, zero),
                         select(counts, stored.z, zero)};
    stored = rest * old + factor * predicted;
  };
  const int n = rods.elements();
  for (int i = ends.first ? -1 : 0; i < n - (ends.last ? 0 : 1); ++i) {
    const Vectors before = i < 0 ? Vectors{} : at(step, element_unknown(i));
    const Vectors after = i + 1 == n ? Vectors{} : at(step, element_unknown(i + 1));
    blend(stress.couple(i), region_of(rods, i).predicted(before, after));
  }
  for (int i = 0; i < n; ++i) {
    blend(stress.force(i),
          element_of(rods, i).predicted(at(step, node_unknown(i + 1)) - at(step, node_unknown(i)),
                                        at(step, element_unknown(i))));
  }
}

void take_step(RodPack& rods, std::span<const DoublePack> step, DoublePack factor) {
  const int n = rods.elements();
  for (int i = 0; i <= n; ++i) {
    rods.position(i) = rods.position(i) + factor * at(step, node_unknown(i));
    if (i == n) break;
    const RodPack::Quaternions q =
        rods.orientation(i) * small_rotation<DoublePack>(factor * at(step, element_unknown(i)));
    const DoublePack scale =
        DoublePack(1.5) - DoublePack(0.5) * squared_norm(q);  // Newton's step of 1/sqrt at 1
    rods.orientation(i) = {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
  }
}

}  // namespace rodeo::tangent
