#include "rodeo/cosserat/stable_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/forces/velocity_answer.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/rod/rod_places.hpp"
#include "rodeo/rod/rod_properties.hpp"

namespace rodeo::cosserat {

namespace {

/// A bound of squared frequencies, 1/s^2, and one of rates, 1/s: springs and dashpots over inertias.
struct Rates {
  double springs = 0.0;
  double dashpots = 0.0;

  Rates operator+(const Rates& other) const { return {springs + other.springs, dashpots + other.dashpots}; }
  double stable_step() const {
    return 4.0 / (dashpots + std::sqrt(dashpots * dashpots + 4.0 * springs));  // infinite without either
  }
  /// True if dashpots alone bound the step more than springs alone.
  bool are_damped() const { return dashpots > std::sqrt(springs); }
};

StepBound named(const Rates& rates, std::string_view springs, std::string_view dashpots) {
  return {rates.stable_step(), rates.are_damped() ? dashpots : springs};
}

/// Properties of a rod that matter to contact and ground.
struct Strand {
  double mass;      ///< the smallest of a node, that of an end doubled, kg
  double longest;   ///< element, m
  double shortest;  ///< element, m
  double radius;    ///< the largest of an element, m
  double yielding;  ///< compliance at the surface of a free element over that of its axis: 1 + m r^2/J
};

Strand strand_of(const RodSpec& rod) {
  const InitialShape shape = initial_shape(rod);
  const RodProperties made = rod_properties(rod, shape);
  std::vector<double> masses = made.masses;
  if (!rod.closed) {
    masses.front() *= 2.0;
    masses.back() *= 2.0;
  }
  const auto [shortest, longest] = std::ranges::minmax(shape.rest_lengths);
  const double mass = std::ranges::min(masses);
  const double radius = std::ranges::max(made.radii);
  const double inertia = std::ranges::min(made.bend_inertias) * std::min(1.0, made.second_inertia_ratio);
  const double yielding = 1.0 + mass * radius * radius / inertia;
  return {mass, longest, shortest, radius, yielding};
}

Rates ground_rates(const GroundSpec& ground, const std::vector<Strand>& strands) {
  const int planes =
      (ground.has_plane ? 1 : 0) + static_cast<int>(ground.planes.size()) + (ground.platen.exists() ? 1 : 0);
  const int surfaces = std::min(planes + ground.solid_count, 2);
  const double mass = std::ranges::min(strands, {}, &Strand::mass).mass;
  const bool turns = ground.response == GroundResponse::springs && ground.rubs();
  const double yielding = turns ? std::ranges::max(strands, {}, &Strand::yielding).yielding : 1.0;
  return {surfaces * yielding * ground.stiffness / mass, surfaces * yielding * ground.damping / mass};
}

Rates contact_rates(const MemberSpec& spec, const std::vector<Strand>& strands) {
  if (spec.contact.kind != ContactKind::penalty) return {};
  const double shortest = std::ranges::min(strands, {}, &Strand::shortest).shortest;
  double pairs = 0.0;   // n/m of a strand, 1/kg
  double square = 0.0;  // (r/l)^2
  double yielding = 1.0;
  for (const Strand& strand : strands) {
    pairs = std::max(pairs, std::max(4.0, 2.0 + strand.longest / shortest) / strand.mass);
    square = std::max(square, strand.radius * strand.radius / (strand.shortest * strand.shortest));
    if (spec.contact.friction > 0.0) yielding = std::max(yielding, strand.yielding);
  }
  const bool alone = strands.size() == 1;
  const double neighbours = alone ? 1.0 : 3.0;  // six strands around one, over the one of a pair
  const double both = 2.0 * neighbours * pairs;
  const double squeezed = std::max(1.0, (alone ? 0.5 : 2.0) * spec.sections_shrink * square);
  const double along = spec.contact.friction > 0.0 ? yielding * spec.contact.tangential_stiffness : 0.0;
  return {both * std::max(squeezed * spec.contact.stiffness, along), yielding * both * spec.contact.damping};
}

/// Gershgorin's bound of the rates at which forces that depend on velocities change these, 1/s.
double rate_of(const std::vector<forces::VelocityBlock>& answers, const ConstRodView& rod) {
  std::vector<double> rates(static_cast<std::size_t>(rod.nodes()), 0.0);
  for (const forces::VelocityBlock& block : answers) {
    double largest = 0.0;
    for (int row = 0; row < 3; ++row) {
      double sum = 0.0;
      for (int column = 0; column < 3; ++column) sum += std::abs(block.derivative(row, column));
      largest = std::max(largest, sum);
    }
    rates[static_cast<std::size_t>(block.force)] += largest / rod.array(field::mass)[block.force];
  }
  return std::ranges::max(rates);
}

/// Bounds by the stiffest law that holds nodes, and by own laws that depend on velocities, at the start.
struct LoadBounds {
  StepBound springs;
  double dashpots = 0.0;  ///< 1/s

  StepBound least() const {
    const StepBound of_dashpots = {Rates{0.0, dashpots}.stable_step(), "the answer of laws to velocities"};
    return of_dashpots.step < springs.step ? of_dashpots : springs;
  }
  Rates rates() const { return {4.0 / (springs.step * springs.step), dashpots}; }
};

LoadBounds bounds_of_laws(const MemberSpec& spec) {
  LoadBounds least;
  std::vector<double> storage;
  const std::vector<RodPlace> places = rod_places(spec);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const RodForces laws = RodForces::of(rod_alone(spec, static_cast<int>(k)));
    if (!laws.hold_nodes() && !forces::may_answer_velocities) continue;
    const bool is_first = storage.empty();
    if (is_first) storage.resize(rod_size(array_elements(spec), spec.has_circular_sections()));
    const RodView all(storage.data(), array_elements(spec), spec.sections_shrink,
                      spec.has_circular_sections());
    if (is_first) build_rods(spec, all);
    const RodView rod = all.part(places[k].first, places[k].elements);
    laws.for_each_held_node(rod.elements, [&]<class L>(int node, const L& law) {
      const double rate = law.stiffness(rod.vec3(field::position, node)) / rod.array(field::mass)[node];
      const double step = Rates{rate, 0.0}.stable_step();
      if (step < least.springs.step) least.springs = {step, L::stiffness_key};
    });
    if constexpr (forces::may_answer_velocities) {
      const forces::VelocityAnswer answer(laws, rod, 0.0, forces::small_change_of_velocity(rod));
      least.dashpots = std::max(least.dashpots, rate_of(answer.blocks(), rod));
    }
  }
  return least;
}

Rates connection_rates(const MemberSpec& spec) {
  if (spec.connections.empty()) return {};
  std::vector<double> storage(rod_size(array_elements(spec), spec.has_circular_sections()));
  const RodView all(storage.data(), array_elements(spec), spec.sections_shrink, spec.has_circular_sections());
  build_rods(spec, all);
  const connection::StepRates rates = step_rates(connection::build_connections(spec, all), all);
  return {rates.springs, rates.dashpots};
}

}  // namespace

namespace {

/// Rates of a rod's elasticity, and of the damping of its material.
Rates internal_rates(const RodSpec& rod) {
  const InitialShape shape = initial_shape(rod);
  const RodProperties made = rod_properties(rod, shape);
  const auto last = static_cast<std::size_t>(rod.elements) - 1;
  double shear = 0.0;
  double stretch = 0.0;
  for (std::size_t i = 0; i <= last + 1; ++i) {
    const auto around = [&](const std::vector<double>& stiffnesses) {
      const std::size_t before = i > 0 ? i - 1 : last;
      const std::size_t after = i <= last ? i : 0;
      const double first = i > 0 || rod.closed ? stiffnesses[before] / shape.rest_lengths[before] : 0.0;
      const double second = i <= last || rod.closed ? stiffnesses[after] / shape.rest_lengths[after] : 0.0;
      return 2.0 * (first + second) / made.masses[i];
    };
    shear = std::max(shear, around(made.shear_stiffnesses));
    stretch = std::max(stretch, around(made.stretch_stiffnesses));
  }
  double shear_turn = 0.0;
  double bend = 0.0;
  double twist = 0.0;
  for (std::size_t i = 0; i <= last; ++i) {
    const double inertia = made.bend_inertias[i];
    const auto around = [&](const std::vector<double>& stiffnesses) {
      const auto of_region = [&](std::size_t region, bool end) {
        return (end && !rod.closed ? 1.0 : 2.0) * stiffnesses[region] / shape.rest_voronoi[region];
      };
      return of_region(i, i == 0) + of_region(i + 1, i == last);
    };
    shear_turn = std::max(shear_turn, made.shear_stiffnesses[i] * shape.rest_lengths[i] / inertia);
    bend = std::max(bend, around(made.bend_stiffnesses) / inertia);
    twist = std::max(twist, around(made.twist_stiffnesses) / (made.twist_inertia_ratio * inertia));
  }
  // Turning about d1 shears along d2, and turning about d2 along d1.
  const double second_shear = made.second_shear_ratio;
  const double inertia = made.second_inertia_ratio;
  const double about_first = second_shear * shear + second_shear * shear_turn + bend;
  const double about_second = shear + shear_turn / inertia + made.second_bend_ratio * bend / inertia;
  const double stiffest_bend = std::max(bend, made.second_bend_ratio * bend / inertia);
  return {std::max({stretch, twist, about_first, about_second}),
          rod.retardation_time * std::max(twist, stiffest_bend)};
}

}  // namespace

double stable_step(const RodSpec& rod) { return internal_rates(rod).stable_step(); }

namespace {

bool are_damped(const MemberSpec& spec) {
  for (int k = 0; k < spec.rod_count(); ++k) {
    if (internal_rates(rod_alone(spec, k).rod).are_damped()) return true;
  }
  return false;
}

/// Stable elastic step of a member, s, whose natural lengths formulas may change. With a natural stretch
/// lambda shear turns elements by lambda^2 times the spring over inertia of the rod at rest; where sections
/// narrow, no other spring is stiffer than by 1/lambda^2.
double elastic_step(const MemberSpec& spec) {
  if (!forces::is_actuated(spec)) return least_of_rods(spec, stable_step);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const MemberSpec rod = rod_alone(spec, k);
    const forces::StretchRange stretch = forces::natural_stretch_range(rod);
    const double narrow = spec.sections_shrink > 0.0 ? stretch.least : 1.0;
    least = std::min(least, stable_step(rod.rod) * std::min({1.0, 1.0 / stretch.greatest, narrow}));
  }
  return least;
}

}  // namespace

StepBounds step_bounds(const MemberSpec& spec) {
  std::vector<Strand> strands{strand_of(spec.rod)};
  for (const RodSetup& setup : spec.further_rods) strands.push_back(strand_of(setup.rod));
  const double elastic = elastic_step(spec);
  const Rates internal = {4.0 / (elastic * elastic), 0.0};
  const Rates contact = contact_rates(spec, strands);
  const Rates ground = ground_rates(spec.ground, strands);
  const Rates connections = connection_rates(spec);
  StepBounds bounds;
  bounds.internal = {elastic, are_damped(spec) ? "rod.retardation_time" : "the rods' elasticity"};
  bounds.contact = named(contact, "contact.stiffness", "contact.damping");
  bounds.ground = named(ground, "ground.stiffness", "ground.damping");
  bounds.connections = named(connections, "the stiffness of connections", "the damping of connections");
  const LoadBounds of_laws = bounds_of_laws(spec);
  const Rates loads = of_laws.rates();
  bounds.loads = of_laws.least();
  const StepBound least =
      std::min({bounds.internal, bounds.contact, bounds.ground, bounds.connections, bounds.loads},
               [](const StepBound& a, const StepBound& b) { return a.step < b.step; });
  bounds.all = {(internal + contact + ground + connections + loads).stable_step(), least.by};
  return bounds;
}

}  // namespace rodeo::cosserat
