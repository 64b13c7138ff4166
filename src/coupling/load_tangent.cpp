#include "rodeo/coupling/load_tangent.hpp"

#include <algorithm>

#include "rodeo/tangent/follower_load.hpp"

namespace rodeo::coupling {

namespace {

using tangent::element_unknown;
using tangent::node_unknown;

bool differs_from_zero(const Vec3& v) { return dot(v, v) > 0.0; }

/// A couple on an element (body, N m) that does not turn with anything else: half of what is left out of the
/// Hessians of energies (tangent/follower_load.hpp) is all that it adds.
void add_body_couple(int element, const Vec3& couple, std::vector<LoadBlock>& blocks) {
  const int own = element_unknown(element);
  blocks.push_back({own, own, cross_matrix(0.5 * couple)});
}

void add_laboratory_couple(const ConstRodView& rod, int element, const Vec3& couple,
                           std::vector<LoadBlock>& blocks) {
  const int own = element_unknown(element);
  blocks.push_back({own, own, tangent::fixed_couple(rod.quaternion(element), couple).turn_turn});
}

/// A couple of element i on the next (forces::InternalCouples), either of which may be a clamp. Along the
/// mean of a director a of both it is -size (a + T a)/2 to the first and size (a + T' a)/2 to the second, T
/// the rotation from one to the other.
void add_internal_couple(const ConstRodView& rod, int i, double size, const Vec3& a, bool in_laboratory,
                         std::vector<LoadBlock>& blocks) {
  const bool has_first = i >= 0;
  const bool has_second = i + 1 < rod.elements;
  if (in_laboratory) {
    if (has_first) add_laboratory_couple(rod, i, (-size) * a, blocks);
    if (has_second) add_laboratory_couple(rod, i + 1, size * a, blocks);
    return;
  }
  const Matrix3 turn = to_laboratory_matrix(directors(conjugate(rod.quaternion(i)) * rod.quaternion(i + 1)));
  const Matrix3 back = transpose(turn);
  if (has_first) add_body_couple(i, (0.5 * size) * (turn * a - a), blocks);
  if (has_second) add_body_couple(i + 1, (0.5 * size) * (a - back * a), blocks);
  if (!has_first || !has_second) return;
  const Matrix3 half = cross_matrix((0.5 * size) * a);
  blocks.push_back({element_unknown(i), element_unknown(i + 1), -1.0 * (turn * half)});
  blocks.push_back({element_unknown(i + 1), element_unknown(i), back * half});
}

}  // namespace

bool LoadTangent::has_energy() const {
  return !differs_from_zero(rod_->end_load.couple) && rod_->forces.has_energy() && !formulas_have_none() &&
         (muscle_.kind == MuscleKind::none || (muscle_.kind == MuscleKind::force && !muscle_.in_laboratory));
}

bool LoadTangent::follows_rod(double time) const {
  const auto turns = [](const forces::Actuator& actuator) {
    return !actuator.in_laboratory &&
           (actuator.kind == ActuationKind::force || actuator.kind == ActuationKind::couple ||
            actuator.kind == ActuationKind::internal_couple);
  };
  const forces::Actuation& formulas = rod_->actuation;
  return rod_->forces.follows_rod(time) || muscle_.kind != MuscleKind::none ||
         std::any_of(formulas.actuators, formulas.actuators + formulas.count, turns);
}

bool LoadTangent::formulas_have_none() const {
  for (int k = 0; k < rod_->actuation.count; ++k) {
    const forces::Actuator& actuator = rod_->actuation.actuators[k];
    const bool turns = actuator.kind == ActuationKind::force && !actuator.in_laboratory;
    if (turns || actuator.kind == ActuationKind::couple || actuator.kind == ActuationKind::internal_couple)
      return true;
  }
  return false;
}

template <class Matrix>
void LoadTangent::add(const ConstRodView& rod, double time, double part, Matrix& hessian) const {
  if (muscle_.kind == MuscleKind::force && !muscle_.in_laboratory) add_muscle_stress(rod, part, hessian);
  rod_->forces.add_hessian(rod, time, part, hessian);
}

template void LoadTangent::add(const ConstRodView&, double, double, tangent::RodMatrix&) const;
template void LoadTangent::add(const ConstRodView&, double, double, tangent::MixedMatrix&) const;
template void LoadTangent::add(const ConstRodView&, double, double, LaneMatrix&) const;

/// Adds the derivatives of p . b, b = R' (x+ - x): those of tangent::ShearStretch without stiffness.
template <class Matrix>
void LoadTangent::add_muscle_stress(const ConstRodView& rod, double part, Matrix& hessian) const {
  for (int i = 0; i < rod.elements; ++i) {
    const Directors frame = directors(rod.quaternion(i));
    const Vec3 p = part * frame.to_body(rod.vec3(field::internal_force, i));
    const Vec3 b = frame.to_body(rod.vec3(field::position, i + 1) - rod.vec3(field::position, i));
    const Matrix3 edge_turn = to_laboratory_matrix(frame) * cross_matrix(-1.0 * p);
    const Matrix3 pb = outer(p, b);
    const int turn = element_unknown(i);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        hessian.at(turn + row, node_unknown(i) + column) -= edge_turn(column, row);
        hessian.at(node_unknown(i + 1) + row, turn + column) += edge_turn(row, column);
        if (column > row) continue;
        hessian.at(turn + row, turn + column) +=
            0.5 * (pb(row, column) + pb(column, row)) - (row == column ? dot(p, b) : 0.0);
      }
    }
  }
}

void LoadTangent::set_blocks(const ConstRodView& rod, double time, double part,
                             std::vector<LoadBlock>& blocks) const {
  blocks.clear();
  set_blocks_of_formulas(rod, part, blocks);
  set_blocks_of_muscles(rod, time, part, blocks);
  const forces::EndLoad& end = rod_->end_load;
  if (differs_from_zero(end.couple))
    add_laboratory_couple(rod, rod.elements - 1, part * end.couple_on(rod, time), blocks);
  rod_->forces.add_derivatives(rod, time, part, [&](int row, int column, const Matrix3& derivative) {
    blocks.push_back({row, column, derivative});
  });
}

void LoadTangent::set_blocks_of_formulas(const ConstRodView& rod, double part,
                                         std::vector<LoadBlock>& blocks) const {
  for (int k = 0; k < rod_->actuation.count; ++k) {
    const forces::Actuator& actuator = rod_->actuation.actuators[k];
    const auto array = [&](std::size_t begin) { return rod_->actuation.numbers + begin + 1; };
    const double* const size = array(actuator.size);
    const auto of_share = [&](std::size_t share, int i) { return part * size[i] * array(share)[i]; };
    const auto add_force = [&](int node, int element, double force) {
      const Quaternion& orientation = rod.quaternion(element);
      blocks.push_back({node_unknown(node), element_unknown(element),
                        tangent::follower_force(orientation, force * actuator.axis).node_turn});
    };
    if (actuator.kind == ActuationKind::internal_couple) {
      for (int i = -1; i < rod.elements; ++i) {
        add_internal_couple(rod, i, of_share(actuator.share, i), actuator.axis, actuator.in_laboratory,
                            blocks);
      }
    } else if (actuator.kind == ActuationKind::couple) {
      for (int i = 0; i < rod.elements; ++i) {
        const Vec3 couple = of_share(actuator.share, i) * actuator.axis;
        if (actuator.in_laboratory) {
          add_laboratory_couple(rod, i, couple, blocks);
        } else {
          add_body_couple(i, couple, blocks);
        }
      }
    } else if (actuator.kind == ActuationKind::force && !actuator.in_laboratory) {
      for (int i = 0; i < rod.elements; ++i) {
        add_force(i, i, of_share(actuator.share, i));
        add_force(i + 1, i, of_share(actuator.end_share, i));
      }
    }
  }
}

void LoadTangent::set_blocks_of_muscles(const ConstRodView& rod, double time, double part,
                                        std::vector<LoadBlock>& blocks) const {
  if (muscle_.kind == MuscleKind::couple) {
    muscle_.with_couples(rod, time, [&](const auto& couples) {
      if constexpr (requires { couples.size(0); }) {
        for (int i = 0; i + 1 < rod.elements; ++i)
          add_internal_couple(rod, i, part * couples.size(i), muscle_.axis, muscle_.in_laboratory, blocks);
      }
    });
  } else if (muscle_.kind == MuscleKind::force && muscle_.in_laboratory) {
    for (int i = 0; i < rod.elements; ++i) {
      const Vec3 force = part * rod.vec3(field::internal_force, i);
      const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
      add_laboratory_couple(rod, i, cross(edge, force), blocks);
      const Matrix3 by_edge =
          transpose(to_laboratory_matrix(directors(rod.quaternion(i)))) * cross_matrix(force);
      blocks.push_back({element_unknown(i), node_unknown(i + 1), by_edge});
      blocks.push_back({element_unknown(i), node_unknown(i), -1.0 * by_edge});
    }
  }
}

}  // namespace rodeo::coupling
