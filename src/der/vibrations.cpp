#include "vibrations.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/math/vec3.hpp"

#include "rod_forces.hpp"
#include "whole_motions.hpp"

namespace rodeo::der {

Vibrations::Vibrations(LoadedRods& rods, double time, std::span<const double> densities)
    : rods_(rods), solver_(rods.solver()), inertia_(solver_.inertia()) {
  for (const RodData& data : rods.member().rods) damping_.push_back(data.damping.at(time));
  for (std::size_t k = 0; k < densities.size(); ++k) {
    const RodStep& rod = rods.rods()[k];
    for (int i = 0; i < rod.rod.elements; ++i) {
      const double mass = coupling::element_mass(rod.rod, i, densities[k]);
      const double drag = damping_[k].of_node(2.0 * rod.rod.array(field::rest_length)[i], mass);
      const int first = rod.first + 4 * i;
      masses_along_.push_back({first, first + 4, mass / 6.0});
      drag_along_.push_back({first, first + 4, drag / 6.0});
    }
  }
}

int Vibrations::factor(double share) {
  return solver_.linearize(share, unbalanced_, masses_along_).value_or(1);
}

void Vibrations::solve(std::vector<DoublePack>& vectors) const {
  std::vector<double> vector(vectors.size());
  constexpr int lanes = 8;
  for (int lane = 0; lane < lanes; ++lane) {
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = vectors[i][lane];
    solver_.constraints().constrain(vector);
    solver_.solve(vector);
    for (std::size_t i = 0; i < vector.size(); ++i) vectors[i].set(lane, vector[i]);
  }
}

std::vector<std::vector<double>> Vibrations::whole_motions() const { return WholeMotions(rods_).motions(); }

bool Vibrations::may_be_free(const std::vector<double>& shape) const {
  return WholeMotions(rods_).hold(shape);
}

std::vector<double> Vibrations::telling_weights() const {
  constexpr double of_turns = 1e-9;
  std::vector<double> weights = inertia_;
  for (const RodStep& rod : rods_.rods()) {
    for (int k = 0; k < degrees_of_freedom(rod.rod.elements); ++k) {
      const auto place = static_cast<std::size_t>(rod.first + k);
      const double along = static_cast<double>(place) / static_cast<double>(weights.size());
      weights[place] *= (1.0 + along) * (k % 4 == 3 ? of_turns : 1.0 + 0.5 * (k % 4));
    }
  }
  return weights;
}

std::vector<double> Vibrations::resistance(const std::vector<double>& velocity) const {
  std::vector<double> force(velocity.size(), 0.0);
  std::size_t k = 0;
  for (const RodStep& rod : rods_.rods()) {
    add_damping(rod, damping_[k++], velocity.data() + rod.first, force.data() + rod.first);
  }
  rods_.add_material_drag(velocity, force);
  for (const coupling::AlongElement& drag : drag_along_) drag.correct(velocity.data(), force.data());
  return force;
}

std::vector<double> Vibrations::at_nodes(const std::vector<double>& shape) const {
  std::vector<double> numbers;
  for (const RodStep& rod : rods_.rods()) {
    const int last = rod.rod.elements;
    const double* const own = shape.data() + rod.first;
    for (int i = 0; i <= last; ++i) {
      const int element = std::min(i, last - 1);
      const double* const edge = own + 4 * element;
      const Vec3 along = rod.rod.vec3(field::position, element + 1) - rod.rod.vec3(field::position, element);
      const Vec3 turn = (1.0 / dot(along, along)) * cross(along, three_at(edge + 4) - three_at(edge)) +
                        (edge[3] / norm(along)) * along;
      const Vec3 body = directors(rod.rod.quaternion(element)).to_body(turn);
      numbers.insert(numbers.end(), own + 4 * i, own + 4 * i + 3);
      numbers.insert(numbers.end(), {body.x, body.y, body.z});
    }
  }
  return numbers;
}

}  // namespace rodeo::der
