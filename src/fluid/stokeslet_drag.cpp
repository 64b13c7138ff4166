#include "rodeo/fluid/stokeslet_drag.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

Summation stokeslet_summation(const MemberSpec& spec) {
  return quicker_summation(static_cast<std::size_t>(rod_elements(spec) + spec.rod_count()),
                           spec.fluid.mobility, spec.fluid.tolerance);
}

double stokeslet_cost(const MemberSpec& spec) {
  if (!spec.fluid.acts_by(FluidKind::stokeslets)) return 0.0;
  const auto nodes = static_cast<double>(rod_elements(spec) + spec.rod_count());
  if (stokeslet_summation(spec) == Summation::matrix) return 11.0 * nodes * nodes;
  return 2500.0 * nodes + 3.0 * nodes * nodes;  // up to some 10,000 nodes
}

std::size_t stokeslet_memory(const MemberSpec& spec) {
  if (!spec.fluid.acts_by(FluidKind::stokeslets)) return 0;
  std::vector<std::size_t> nodes;
  for (int k = 0; k < spec.rod_count(); ++k)
    nodes.push_back(static_cast<std::size_t>(rod_alone(spec, k).rod.elements) + 1);
  return Resistance::memory(nodes, stokeslet_summation(spec));
}

/// Waves of two elements along the rod, k = pi/l, are damped most. A force of cos(k s) per length, spread
/// over e as by Cortez (2018), moves the line across itself by (K0(k e) + k e K1(k e))/(4 pi mu), and
/// along itself by 2 K0(k e)/(4 pi mu), for 1/sqrt(s^2 + e^2) has the transform 2 K0 and
/// e^2/(s^2 + e^2)^(3/2) has 2 k e K1. An explicit step is stable below twice mass over resistance; the ends
/// of a rod, which have half of a node's mass, make that once.
double stable_stokeslet_step(const MemberSpec& spec) {
  double least = std::numeric_limits<double>::infinity();
  if (!spec.fluid.acts_by(FluidKind::stokeslets)) return least;
  const std::vector<Filament> all = filaments(spec);
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const InitialShape shape = initial_shape(rod);
    const std::vector<double> radii = rod_properties(rod, shape).radii;
    for (std::size_t i = 0; i < radii.size(); ++i) {
      const double x = M_PI / shape.rest_lengths[i] * all[static_cast<std::size_t>(k)].regularizations[i];
      const double across = std::cyl_bessel_k(0.0, x) + x * std::cyl_bessel_k(1.0, x);
      const double along = 2.0 * std::cyl_bessel_k(0.0, x);
      const double mass = rod.density * M_PI * radii[i] * radii[i];
      least = std::min(least, mass * std::min(across, along) / (4.0 * M_PI * spec.fluid.viscosity));
    }
  }
  return least;
}

StokesletDrag::StokesletDrag(const MemberSpec& spec, std::vector<RodView> rods)
    : viscosity_(spec.fluid.viscosity),
      rods_(std::move(rods)),
      resistance_(filaments(spec), spec.fluid.mobility, spec.fluid.tolerance, stokeslet_summation(spec)),
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
