#include <algorithm>

#include "resting_rods.hpp"

// Data of rods at rest for modes of vibration: masses along elements, drag, shapes.

namespace rodeo::statics {

using tangent::element_unknown;
using tangent::node_unknown;

/// Spreads of_element(rod, its number in the member, element) along each element.
template <class OfElement>
std::vector<coupling::AlongElement> RestingRods::along_elements(const OfElement& of_element) const {
  std::vector<coupling::AlongElement> all;
  for (std::size_t k = 0; k < rods_.size(); ++k) {
    const CosseratRod& r = rods_[k];
    const int first = static_cast<int>(r.first);
    for (int i = 0; i < r.rod.elements; ++i) {
      all.push_back({ties_.leader(first + node_unknown(i)), ties_.leader(first + node_unknown(i + 1)),
                     of_element(r, k, i) / 6.0});
    }
  }
  return all;
}

void RestingRods::note_masses_along(const MemberSpec& spec) {
  densities_.clear();
  for (int k = 0; k < spec.rod_count(); ++k) densities_.push_back(rod_alone(spec, k).rod.density);
  masses_along_ = along_elements([&](const CosseratRod& r, std::size_t k, int i) {
    return coupling::element_mass(r.rod, i, densities_[k]);
  });
}

/// Adds the part of the inertia along elements that solve() does not add.
template <class Matrix>
void RestingRods::add_masses_along(const CosseratRod& r, Matrix& hessian) const {
  const double density = densities_[static_cast<std::size_t>(&r - rods_.data())];
  for (int i = 0; i < r.rod.elements; ++i) {
    const double part = share_along_ * coupling::element_mass(r.rod, i, density) / 6.0;
    for (int c = 0; c < 3; ++c) {
      const int own = node_unknown(i) + c;
      const int next = node_unknown(i + 1) + c;
      hessian.at(own, own) -= part;
      hessian.at(next, next) -= part;
      hessian.at(next, own) += part;
    }
  }
}

template void RestingRods::add_masses_along(const CosseratRod&, tangent::RodMatrix&) const;
template void RestingRods::add_masses_along(const CosseratRod&, tangent::MixedMatrix&) const;

void RestingRods::linearize_vibrations(double share) {
  std::vector<double> unbalanced;
  share_along_ = share;
  linearize(unbalanced, mixed_);  // with the stresses of linearize_at_rest()
  share_along_ = 0.0;
}

/// Drag of the unknowns. A shared node is damped by each rod with its own length and mass, then gathered.
std::vector<double> RestingRods::drag(double time) const {
  std::vector<double> drag;
  drag.reserve(unknowns());
  for (const CosseratRod& r : rods_) {
    const forces::DampingLaw law = r.data->damping.at(time);
    for (int i = 0; i <= r.rod.elements; ++i) {
      const bool is_first_once_more = i == r.rod.elements && r.seam;
      drag.insert(drag.end(), 3,
                  is_first_once_more ? 0.0
                                     : forces::damping_of_node(law, r.rod, i, r.data->shares_first_node,
                                                               r.shares_last_node, r.data->end_masses));
      if (i == r.rod.elements) break;
      const Vec3 about = forces::damping_of_element(law, r.rod, i);
      drag.insert(drag.end(), {about.x, about.y, about.z});
    }
  }
  ties_.gather(drag);
  return drag;
}

std::vector<coupling::AlongElement> RestingRods::drag_along(double time) const {
  return along_elements([&](const CosseratRod& r, std::size_t k, int i) {
    const double whole = 2.0 * r.rod.array(field::rest_length)[i];
    return r.data->damping.at(time).of_node(whole, coupling::element_mass(r.rod, i, densities_[k]));
  });
}

/// The couple of a region is tau B/D times the rate of its turn, where its elements turn as their unknowns
/// do.
void RestingRods::add_material_drag(const std::vector<double>& velocity, std::vector<double>& force) const {
  for (const CosseratRod& r : rods_) {
    const double time = r.data->damping.retardation_time;
    if (time == 0.0) continue;
    const int n = r.rod.elements;
    const double* const rates = r.of(velocity);
    double* const couples = r.of(force);
    const Directors across = directors(r.data->closure.seam);
    const auto rate_of = [&](int i) {
      if (i < 0 || (i == n && !r.seam)) return Vec3{};
      return i == n ? across.to_body(three_at(rates + element_unknown(0)))
                    : three_at(rates + element_unknown(i));
    };
    for (int i = r.ends.first ? -1 : 0; i < n - (r.ends.last ? 0 : 1); ++i) {
      auto region = tangent::BendTwist<double>::of(r.rod, i);
      const RotationLog turn = rotation_log(conjugate(r.rod.quaternion(i)) * r.rod.quaternion(i + 1));
      region.couple = time * scaled(region.rate, law::turn_rate(turn, rate_of(i), rate_of(i + 1)));
      const tangent::RegionGradient<double> load = region.gradient();
      if (i >= 0) add_at(couples + element_unknown(i), load.before);
      if (i + 1 < n) add_at(couples + element_unknown(i + 1), load.after);
      if (i + 1 == n && r.seam) add_at(couples + element_unknown(0), across.to_laboratory(load.after));
    }
  }
}

std::vector<double> RestingRods::telling_weights() const {
  constexpr double of_turns = 1e-9;
  std::vector<double> weights(inertia_);
  for (const CosseratRod& r : rods_) {
    for (std::size_t k = 0; k < r.size(); ++k) {
      const std::size_t place = r.first + k;
      const std::size_t triple = place / 3;
      const std::size_t triples = weights.size() / 3;
      const double along = static_cast<double>(triple) / static_cast<double>(triples);
      weights[place] *=
          (1.0 + 0.5 * static_cast<double>(k % 3)) * (1.0 + along) * (k / 3 % 2 == 0 ? 1.0 : of_turns);
    }
  }
  return weights;
}

std::vector<double> RestingRods::at_nodes(const std::vector<double>& vector) const {
  std::vector<double> numbers;
  std::vector<double> moved = vector;
  ties_.spread(moved);
  for (const CosseratRod& r : rods_) {
    const double* const own = moved.data() + r.first;
    const int last = r.rod.elements;
    for (int i = 0; i <= last; ++i) {
      const double* const node = own + node_unknown(r.seam && i == last ? 0 : i);
      const double* const turn = own + element_unknown(std::min(i, last - 1));
      numbers.insert(numbers.end(), node, node + 3);
      numbers.insert(numbers.end(), turn, turn + 3);
    }
  }
  return numbers;
}

}  // namespace rodeo::statics
