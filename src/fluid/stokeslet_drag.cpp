#include "rodeo/fluid/stokeslet_drag.hpp"

#include <cmath>
#include <utility>

#include "rodeo/rod/rod_places.hpp"
#include "rodeo/rod/rod_properties.hpp"

namespace rodeo::fluid {

namespace {

/// The rods as the fluid sees them; the regularisation of each element is that of the deck, or its radius
/// times 1.02 (Cortez 2018).
std::vector<Filament> filaments(const MemberSpec& spec) {
  constexpr double regularization_per_radius = 1.02;
  std::vector<Filament> all;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    Filament filament{rod.elements + 1, {}};
    for (const double radius : rod_properties(rod, initial_shape(rod)).radii) {
      filament.regularizations.push_back(
          spec.fluid.regularization > 0.0 ? spec.fluid.regularization : regularization_per_radius * radius);
    }
    all.push_back(std::move(filament));
  }
  return all;
}

int total_nodes(const std::vector<RodView>& rods) {
  int nodes = 0;
  for (const RodView& rod : rods) nodes += rod.nodes();
  return nodes;
}

}  // namespace

std::size_t stokeslet_memory(const MemberSpec& spec) {
  if (!spec.fluid.acts_by(FluidKind::stokeslets)) return 0;
  return Resistance::memory(static_cast<std::size_t>(rod_elements(spec) + spec.rod_count()));
}

StokesletDrag::StokesletDrag(const MemberSpec& spec, std::vector<RodView> rods)
    : viscosity_(spec.fluid.viscosity),
      rods_(std::move(rods)),
      resistance_(filaments(spec), spec.fluid.mobility, spec.fluid.tolerance),
      position_(total_nodes(rods_)),
      velocity_(total_nodes(rods_)) {}

/// Force of the fluid on a node over the resistance's.
double StokesletDrag::scale() const { return -8.0 * M_PI * viscosity_; }

void StokesletDrag::update() {
  int node = 0;
  for (const RodView& rod : rods_) {
    for (int i = 0; i < rod.nodes(); ++i, ++node) {
      position_.set(node, rod.vec3(field::position, i));
      velocity_.set(node, rod.vec3(field::velocity, i));
    }
  }
  resistance_.solve(position_, velocity_);
}

void StokesletDrag::add() const {
  const NodeVectors& force = resistance_.force();
  int node = 0;
  for (const RodView& rod : rods_) {
    for (int i = 0; i < rod.nodes(); ++i, ++node) {
      rod.set_vec3(field::external_force, i, rod.vec3(field::external_force, i) + scale() * force.at(node));
    }
  }
}

Vec3 StokesletDrag::total_force() const {
  Vec3 sum;
  for (int node = 0; node < position_.nodes(); ++node) sum = sum + resistance_.force().at(node);
  return scale() * sum;
}

}  // namespace rodeo::fluid
