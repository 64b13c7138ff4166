#include "load_tangent.hpp"

#include "rodeo/tangent/follower_load.hpp"

namespace rodeo::statics {

namespace {

using tangent::element_unknown;
using tangent::node_unknown;

bool differs_from_zero(const Vec3& v) { return dot(v, v) > 0.0; }

}  // namespace

bool LoadTangent::has_energy() const {
  return !differs_from_zero(rod_->end_load.couple) &&
         !differs_from_zero(rod_->forces.get<forces::DistributedLoad>().couple) &&
         !rod_->forces.get<forces::FollowerForce>().acts(0.0);
}

void LoadTangent::add(const ConstRodView& rod, double time, double part, tangent::RodMatrix& hessian) const {
  const auto& magnet = rod_->forces.get<forces::MagneticCouple>();
  if (!magnet.acts(time)) return;
  for (int i = 0; i < rod.elements; ++i) {
    // Of the energy -b . e3, with b = M V R' B: its second derivative is (b . e3) - sym(e3 b').
    const Vec3 b = part * magnet.moment(rod, i, time);
    const Matrix3 second = {{b.z, 0.0, -0.5 * b.x}, {0.0, b.z, -0.5 * b.y}, {-0.5 * b.x, -0.5 * b.y, 0.0}};
    const int first = element_unknown(i);
    for (int column = 0; column < 3; ++column) {
      for (int row = column; row < 3; ++row) hessian.at(first + row, first + column) += second(row, column);
    }
  }
}

void LoadTangent::set_blocks(const ConstRodView& rod, double time, double part,
                             std::vector<LoadBlock>& blocks) const {
  blocks.clear();
  const int n = rod.elements;
  const auto add_couple = [&](int element, const Vec3& couple) {
    const int own = element_unknown(element);
    blocks.push_back({own, own, tangent::fixed_couple(rod.quaternion(element), part * couple).turn_turn});
  };
  const forces::EndLoad& end = rod_->end_load;
  if (differs_from_zero(end.couple)) add_couple(n - 1, end.course.at(time) * end.couple);
  const double* const rest_length = rod.array(field::rest_length);
  const auto& spread = rod_->forces.get<forces::DistributedLoad>();
  if (differs_from_zero(spread.couple)) {
    for (int i = 0; i < n; ++i) add_couple(i, (rest_length[i] * spread.course.at(time)) * spread.couple);
  }
  const auto& follower = rod_->forces.get<forces::FollowerForce>();
  if (follower.acts(time)) {
    for (int i = 0; i < n; ++i) {
      const Vec3 half = (0.5 * part * rest_length[i]) * follower.force;
      const Matrix3 derivative = tangent::follower_force(rod.quaternion(i), half).node_turn;
      for (const int node : {i, i + 1})
        blocks.push_back({node_unknown(node), element_unknown(i), derivative});
    }
  }
}

}  // namespace rodeo::statics
