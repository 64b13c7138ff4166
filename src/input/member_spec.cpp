#include "rodeo/input/member_spec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/fluid_spec.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/rod/initial_shape.hpp"
#include "rodeo/rod/section.hpp"

namespace rodeo {

namespace {

/// "rod.bend_stiffness and rod.stretch_stiffness", of those keys the deck gives no value for.
std::string keys_without_value(const Deck& deck, std::initializer_list<Key> keys) {
  std::string names;
  for (const Key key : keys) {
    if (!deck.has_value(key)) names += (names.empty() ? "" : " and ") + std::string(key_info(key).name);
  }
  return names;
}

void refuse_both(const Deck& deck, Key first, Key second) {
  if (!deck.has_value(first) || !deck.has_value(second)) return;
  throw deck.error(second, "contradicts " + std::string(key_info(first).name) + " (" + deck.place(first) +
                               "): give only one of them");
}

/// True if the deck gives `first`, false if it gives `second`; it must give exactly one of them.
bool gives_first(const Deck& deck, Key first, Key second) {
  refuse_both(deck, first, second);
  if (deck.has_value(first)) return true;
  if (deck.has_value(second)) return false;
  throw deck.missing_error(first, "or give " + std::string(key_info(second).name));
}

/// A quantity derived from other keys, in the place of `key`: these may be extreme enough to overflow it.
double derived(const Deck& deck, Key key, double value) {
  const double smallest = std::numeric_limits<double>::min();
  if (std::isfinite(value) && value >= smallest) return value;
  throw deck.error(key, "comes out as " + format_real(value) + " " + std::string(key_info(key).unit) +
                            " from the keys it is derived from; it must be a finite number above 0");
}

double young_modulus(const Deck& deck) {
  if (deck.has_value(Key::rod_young_modulus)) return deck.number(Key::rod_young_modulus);
  std::string needed_by = keys_without_value(deck, {Key::rod_bend_stiffness, Key::rod_stretch_stiffness});
  if (needed_by.empty()) needed_by = "the shear modulus, with rod.poisson_ratio";
  throw deck.missing_error(Key::rod_young_modulus, "needed for " + needed_by);
}

double shear_modulus(const Deck& deck) {
  if (deck.has_value(Key::rod_shear_modulus)) return deck.number(Key::rod_shear_modulus);
  if (!deck.has_value(Key::rod_poisson_ratio)) {
    const bool ratio_gives_twist = deck.has_value(Key::rod_twist_to_bend_ratio);
    const std::string needed_by =
        ratio_gives_twist ? keys_without_value(deck, {Key::rod_shear_stiffness})
                          : keys_without_value(deck, {Key::rod_twist_stiffness, Key::rod_shear_stiffness});
    throw deck.missing_error(Key::rod_shear_modulus, "or give rod.poisson_ratio; needed for " + needed_by);
  }
  return young_modulus(deck) / (2.0 * (1.0 + deck.number(Key::rod_poisson_ratio)));
}

int element_count(const Deck& deck, double length) {
  if (gives_first(deck, Key::rod_elements, Key::rod_elements_per_length)) {
    return static_cast<int>(deck.integer(Key::rod_elements));
  }
  const double count = std::max(1.0, std::round(deck.number(Key::rod_elements_per_length) * length));
  if (count > key_info(Key::rod_elements).maximum) {
    throw deck.error(Key::rod_elements_per_length, "gives " + format_real(count) +
                                                       " elements; rod.elements is an " +
                                                       allowed_values(key_info(Key::rod_elements)));
  }
  return static_cast<int>(count);
}

/// The four stiffnesses of a circular section with area A, second moments of area I1 = I2 = A^2 / (4 pi) and
/// I3 = 2 I1; each may be given in place of its formula.
void set_stiffnesses(const Deck& deck, double area, RodSpec& rod) {
  constexpr double shear_correction = 4.0 / 3.0;  // alpha_c of a circular section
  const double second_moment = area * area / (4.0 * std::numbers::pi);
  refuse_both(deck, Key::rod_shear_modulus, Key::rod_poisson_ratio);
  refuse_both(deck, Key::rod_twist_stiffness, Key::rod_twist_to_bend_ratio);

  const auto given_or = [&](Key key, auto formula) {
    return deck.has_value(key) ? deck.number(key) : derived(deck, key, formula());
  };
  rod.bend_stiffness = given_or(Key::rod_bend_stiffness, [&] { return young_modulus(deck) * second_moment; });
  rod.twist_stiffness = given_or(Key::rod_twist_stiffness, [&] {
    return deck.has_value(Key::rod_twist_to_bend_ratio)
               ? deck.number(Key::rod_twist_to_bend_ratio) * rod.bend_stiffness
               : shear_modulus(deck) * 2.0 * second_moment;
  });
  rod.shear_stiffness =
      given_or(Key::rod_shear_stiffness, [&] { return shear_correction * shear_modulus(deck) * area; });
  rod.stretch_stiffness = given_or(Key::rod_stretch_stiffness, [&] { return young_modulus(deck) * area; });
}

/// The direction of a vector of a list key, in any magnitude.
Vec3 direction(const Deck& deck, Key key, const Vec3& vector) {
  const double largest = std::max({std::abs(vector.x), std::abs(vector.y), std::abs(vector.z)});
  if (largest == 0.0) throw deck.error(key, "is the zero vector, which has no direction");
  return normalized({vector.x / largest, vector.y / largest, vector.z / largest});
}

Vec3 unit_vector(const Deck& deck, Key key) { return direction(deck, key, deck.vec3(key)); }

/// rod.normal without its part along `direction`, which is called `name` in messages.
Vec3 unit_normal(const Deck& deck, const Vec3& direction, const std::string& name) {
  constexpr double smallest_sine = 1e-6;  // below this the deck's digits, not its author, choose the normal
  Vec3 normal = unit_vector(deck, Key::rod_normal);
  normal = normal - dot(normal, direction) * direction;
  if (norm(normal) < smallest_sine) {
    throw deck.error(Key::rod_normal,
                     "is parallel to " + name + "; give another normal, such as 0, 1, 0 or 0, 0, 1");
  }
  normal = normalized(normal);
  // Once more, as the first removal leaves a rounding error that normalising enlarges.
  return normalized(normal - dot(normal, direction) * direction);
}

RodShape rod_shape(const Deck& deck) {
  const std::string_view choice = deck.choice(Key::rod_shape);
  if (choice == "ring") return RodShape::ring;
  if (choice == "helix") return RodShape::helix;
  if (choice == "file") return RodShape::file;
  return RodShape::straight;
}

/// "rod.shape = helix (deck.ini:3)"
std::string given_shape(const Deck& deck) {
  return "rod.shape = " + std::string(deck.choice(Key::rod_shape)) + " (" + deck.place(Key::rod_shape) + ")";
}

void refuse_for_shape(const Deck& deck, std::initializer_list<Key> keys) {
  for (const Key key : keys) {
    if (deck.has_value(key)) throw deck.error(key, "has no meaning with " + given_shape(deck));
  }
}

bool is_closed(const Deck& deck, RodShape shape) {
  if (!deck.has_value(Key::rod_closed)) return shape == RodShape::ring;
  const bool closed = deck.choice(Key::rod_closed) == "yes";
  if (closed && shape != RodShape::ring && shape != RodShape::file) {
    throw deck.error(Key::rod_closed, "yes is not possible with " + given_shape(deck) +
                                          ", whose ends do not meet; use ring or file");
  }
  return closed;
}

void check_elements_of_ring(const Deck& deck, int elements) {
  constexpr int fewest = 3;
  if (elements >= fewest) return;
  throw deck.error(deck.has_value(Key::rod_elements) ? Key::rod_elements : Key::rod_elements_per_length,
                   "gives " + std::to_string(elements) + " elements; a ring needs at least 3");
}

void set_helix(const Deck& deck, RodSpec& rod) {
  rod.helix_radius = deck.number(Key::rod_helix_radius);
  rod.helix_pitch = deck.number(Key::rod_helix_pitch);
  if (rod.length / rod.elements < std::hypot(2.0 * rod.helix_radius, 0.5 * rod.helix_pitch)) return;
  throw deck.error(Key::rod_helix_radius, "makes a helix of fewer than two of the rod's " +
                                              std::to_string(rod.elements) +
                                              " elements a turn; give more elements");
}

/// "nodes 3 and 4", counted from 0; the last edge of a closed shape leads back to node 0.
std::string node_pair(std::size_t edge, std::size_t nodes) {
  return "nodes " + std::to_string(edge) + " and " + std::to_string((edge + 1) % nodes);
}

/// Throws if a shape has too few nodes, an edge without a length, or folds back on itself.
void check_shape_nodes(const Deck& deck, const RodSpec& rod) {
  constexpr double smallest_share = 1e-9;  // of the mean length of an element
  const std::size_t nodes = rod.shape_nodes.size();
  const std::size_t fewest = rod.closed ? 3 : 2;
  if (nodes < fewest) {
    throw deck.error(Key::rod_shape_nodes, "holds " + std::to_string(nodes) + " nodes; " +
                                               (rod.closed ? "a closed" : "an open") +
                                               " rod needs at least " + std::to_string(fewest));
  }
  const std::vector<Vec3> edges = shape_edges(rod.shape_nodes, rod.closed);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (norm(edges[i]) > smallest_share * rod.length / rod.elements) continue;
    const bool seam = rod.closed && i + 1 == edges.size();
    throw deck.error(Key::rod_shape_nodes,
                     node_pair(i, nodes) + " coincide" + (seam ? "; a closed rod lists each node once" : ""));
  }
  for (std::size_t i = 0; i + 1 < edges.size() + (rod.closed ? 1 : 0); ++i) {
    const Vec3& next = edges[(i + 1) % edges.size()];
    constexpr double sharpest_cosine = -0.999;
    if (dot(edges[i], next) > sharpest_cosine * norm(edges[i]) * norm(next)) continue;
    throw deck.error(Key::rod_shape_nodes,
                     "the rod folds back on itself at node " + std::to_string((i + 1) % nodes));
  }
}

void set_shape_nodes(const Deck& deck, RodSpec& rod) {
  refuse_both(deck, Key::rod_shape_file, Key::rod_shape_nodes);
  if (!deck.has_value(Key::rod_shape_nodes)) {
    throw deck.missing_error(Key::rod_shape_file, "needed for " + given_shape(deck));
  }
  const std::vector<double>& coordinates = deck.list(Key::rod_shape_nodes);
  if (coordinates.size() % 3 != 0) {
    throw deck.error(Key::rod_shape_nodes, "holds " + std::to_string(coordinates.size()) +
                                               " numbers, not x, y and z of every node");
  }
  for (std::size_t i = 0; i < coordinates.size(); i += 3)
    rod.shape_nodes.push_back({coordinates[i], coordinates[i + 1], coordinates[i + 2]});
  for (const Vec3& edge : shape_edges(rod.shape_nodes, rod.closed)) rod.length += norm(edge);
  rod.elements = static_cast<int>(rod.shape_nodes.size()) - (rod.closed ? 0 : 1);
  check_shape_nodes(deck, rod);
  if (deck.has_value(Key::rod_elements) && deck.integer(Key::rod_elements) != rod.elements) {
    throw deck.error(Key::rod_elements, "is not the " + std::to_string(rod.elements) +
                                            " elements between the nodes of " +
                                            deck.place(Key::rod_shape_nodes) + "; leave it out");
  }
}

/// Shape, closure, length and elements.
void set_shape(const Deck& deck, RodSpec& rod) {
  rod.shape = rod_shape(deck);
  rod.closed = is_closed(deck, rod.shape);
  if (rod.shape != RodShape::helix) refuse_for_shape(deck, {Key::rod_helix_radius, Key::rod_helix_pitch});
  if (rod.shape == RodShape::file) {
    refuse_for_shape(deck, {Key::rod_length, Key::rod_elements_per_length});
    set_shape_nodes(deck, rod);
  } else {
    refuse_for_shape(deck, {Key::rod_shape_file, Key::rod_shape_nodes});
    rod.length = deck.number(Key::rod_length);
    rod.elements = element_count(deck, rod.length);
    if (rod.shape == RodShape::ring) check_elements_of_ring(deck, rod.elements);
    if (rod.shape == RodShape::helix) set_helix(deck, rod);
  }
  rod.total_twist = deck.number(Key::rod_total_twist);
  if (std::abs(rod.total_twist) >= std::numbers::pi * rod.elements) {
    throw deck.error(Key::rod_total_twist, "is half a turn or more an element; give more elements");
  }
  rod.rests_straight = deck.choice(Key::rod_rest_shape) == "straight";
  const std::vector<double>& bend = deck.list(Key::rod_intrinsic_curvature);
  rod.intrinsic_curvature = {bend[0], bend[1], deck.number(Key::rod_intrinsic_twist)};
}

/// Origin and axes; the first element of a file stands for the direction that the normal is perpendicular to.
void set_placement(const Deck& deck, RodSpec& rod) {
  rod.origin = deck.vec3(Key::rod_origin);
  rod.direction = unit_vector(deck, Key::rod_direction);
  if (rod.shape == RodShape::file) {
    const Vec3 first_tangent = normalized(rod.shape_nodes[1] - rod.shape_nodes[0]);
    rod.normal = unit_normal(deck, first_tangent, "the first element of " + deck.place(Key::rod_shape_nodes));
  } else {
    rod.normal = unit_normal(deck, rod.direction, "rod.direction (" + deck.place(Key::rod_direction) + ")");
  }
}

void set_radius(const Deck& deck, RodSpec& rod) {
  rod.radius = gives_first(deck, Key::rod_radius, Key::rod_radius_per_length)
                   ? deck.number(Key::rod_radius)
                   : derived(deck, Key::rod_radius, deck.number(Key::rod_radius_per_length) * rod.length);
  if (!deck.has_value(Key::rod_end_radius)) return;
  rod.end_radius_ratio = derived(deck, Key::rod_end_radius, deck.number(Key::rod_end_radius) / rod.radius);
  if (rod.closed && rod.end_radius_ratio != 1.0) {
    throw deck.error(Key::rod_end_radius,
                     "is not the radius at the first node, which is the last of a rod "
                     "that is closed");
  }
}

std::vector<PointMass> point_masses(const Deck& deck, double length) {
  std::vector<PointMass> points;
  if (!deck.has_value(Key::rod_point_masses)) {
    if (!deck.has_value(Key::rod_point_mass_positions)) return points;
    throw deck.missing_error(Key::rod_point_masses, "needed for rod.point_mass_positions");
  }
  if (!deck.has_value(Key::rod_point_mass_positions)) {
    throw deck.missing_error(Key::rod_point_mass_positions, "needed for rod.point_masses");
  }
  const std::vector<double>& masses = deck.list(Key::rod_point_masses);
  const std::vector<double>& positions = deck.list(Key::rod_point_mass_positions);
  if (masses.size() != positions.size()) {
    throw deck.error(Key::rod_point_mass_positions, "holds " + std::to_string(positions.size()) +
                                                        " numbers, rod.point_masses " +
                                                        std::to_string(masses.size()));
  }
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (positions[i] > length) {
      throw deck.error(Key::rod_point_mass_positions,
                       format_real(positions[i]) + " m is beyond the rod's " + format_real(length) + " m");
    }
    points.push_back({masses[i], positions[i]});
  }
  return points;
}

RodSpec make_rod_spec(const Deck& deck) {
  RodSpec rod;
  set_shape(deck, rod);
  set_placement(deck, rod);
  set_radius(deck, rod);
  const double area = std::numbers::pi * rod.radius * rod.radius;
  const double volume = area * section::mean_square(1.0, rod.end_radius_ratio) * rod.length;
  rod.density = gives_first(deck, Key::rod_density, Key::rod_mass)
                    ? deck.number(Key::rod_density)
                    : derived(deck, Key::rod_density, deck.number(Key::rod_mass) / volume);
  set_stiffnesses(deck, area, rod);
  rod.damping = deck.number(Key::rod_damping);
  if (deck.has_value(Key::rod_damping_decay_time)) {
    rod.damping_decay_time = deck.number(Key::rod_damping_decay_time);
  }
  rod.point_masses = point_masses(deck, rod.length);
  rod.inertia_ratio = deck.number(Key::rod_inertia_ratio);
  rod.velocity = deck.vec3(Key::rod_velocity);
  return rod;
}

EndCondition end_condition(const Deck& deck, Key key) {
  const std::string_view choice = deck.choice(key);
  if (choice == "clamped") return EndCondition::clamped;
  if (choice == "pinned") return EndCondition::pinned;
  if (choice == "pinned_sliding") return EndCondition::pinned_sliding;
  if (choice == "clamped_sliding") return EndCondition::clamped_sliding;
  return EndCondition::free;
}

DrivenEnds driven_ends(const Deck& deck) {
  const std::string_view choice = deck.choice(Key::boundary_driven);
  if (choice == "first") return DrivenEnds::first;
  if (choice == "last") return DrivenEnds::last;
  return DrivenEnds::both;
}

/// Throws if a motion drives an end that is neither clamped nor `alternative`.
void check_end_is_held(const Deck& deck, Key motion, Key end, EndCondition alternative) {
  const EndCondition given = end_condition(deck, end);
  if (given == EndCondition::clamped || given == alternative) return;
  throw deck.error(motion, "drives an end that " + std::string(key_info(end).name) + " = " +
                               std::string(deck.choice(end)) + " (" + deck.place(end) +
                               ") does not hold; make it clamped or " +
                               (alternative == EndCondition::pinned ? "pinned" : "clamped_sliding") +
                               ", or leave it out of boundary.driven");
}

BoundarySpec make_boundary_spec(const Deck& deck, double length) {
  BoundarySpec boundary;
  boundary.first = end_condition(deck, Key::boundary_first);
  boundary.last = end_condition(deck, Key::boundary_last);
  boundary.twist = deck.number(Key::boundary_twist);
  boundary.slack = deck.number(Key::boundary_slack);
  boundary.driven = driven_ends(deck);
  if (boundary.twist == 0.0 && boundary.slack == 0.0) return boundary;
  const std::pair<Key, EndCondition> motions[] = {{Key::boundary_twist, EndCondition::clamped_sliding},
                                                  {Key::boundary_slack, EndCondition::pinned}};
  for (const auto& [motion, alternative] : motions) {
    if (deck.number(motion) == 0.0) continue;
    if (boundary.driven != DrivenEnds::last)
      check_end_is_held(deck, motion, Key::boundary_first, alternative);
    if (boundary.driven != DrivenEnds::first)
      check_end_is_held(deck, motion, Key::boundary_last, alternative);
  }
  if (boundary.slack >= length) {
    throw deck.error(Key::boundary_slack,
                     "is not below rod.length = " + format_real(length) + " m, so the ends would meet");
  }
  if (!deck.has_value(Key::boundary_motion_time)) {
    throw deck.missing_error(Key::boundary_motion_time, "needed for boundary.twist and boundary.slack");
  }
  boundary.motion_time = deck.number(Key::boundary_motion_time);
  return boundary;
}

/// gravity.acceleration turned by gravity.incline about the rod's axis.
Vec3 inclined_gravity(const Deck& deck, const Vec3& axis) {
  const Vec3 gravity = deck.vec3(Key::gravity_acceleration);
  const double angle = deck.number(Key::gravity_incline);
  if (angle == 0.0) return gravity;
  const Vec3 along = dot(gravity, axis) * axis;
  const Vec3 across = gravity - along;
  return along + std::cos(angle) * across + std::sin(angle) * cross(axis, across);
}

LoadSpec make_load_spec(const Deck& deck, const RodSpec& rod) {
  LoadSpec load;
  load.end_force = deck.vec3(Key::load_end_force);
  load.end_couple = deck.vec3(Key::load_end_couple);
  load.axial_force = deck.number(Key::load_axial_force);
  load.perturbation = deck.number(Key::load_perturbation);
  load.perturbation_duration = deck.has_value(Key::load_perturbation_duration)
                                   ? deck.number(Key::load_perturbation_duration)
                                   : std::numeric_limits<double>::infinity();
  load.gravity = inclined_gravity(deck, rod.direction);
  load.distributed_force = deck.vec3(Key::load_distributed_force);
  load.distributed_couple = deck.vec3(Key::load_distributed_couple);
  load.ramp_time = deck.number(Key::load_ramp_time);
  load.frequency = deck.number(Key::load_frequency);
  load.middle_force = deck.vec3(Key::load_middle_force);
  return load;
}

/// Adds the balls or cylinders that a list describes by four or seven numbers each.
void add_solids(const Deck& deck, Key key, GroundSpec& ground) {
  if (!deck.has_value(key)) return;
  const bool round = key == Key::ground_spheres;
  const std::size_t width = round ? 4 : 7;
  const std::vector<double>& numbers = deck.list(key);
  if (numbers.size() % width != 0) {
    throw deck.error(
        key, "holds " + std::to_string(numbers.size()) + " numbers; each takes " + std::to_string(width));
  }
  if (numbers.size() / width > static_cast<std::size_t>(most_solids - ground.solid_count)) {
    throw deck.error(key, "is too long: at most " + std::to_string(most_solids) +
                              " balls and cylinders are allowed together");
  }
  for (std::size_t i = 0; i < numbers.size(); i += width) {
    const double* const n = &numbers[i];
    const double radius = n[width - 1];
    if (radius == 0.0) throw deck.error(key, "holds a radius of 0");
    const Vec3 axis = round ? Vec3{} : direction(deck, key, {n[3], n[4], n[5]});
    ground.solids[static_cast<std::size_t>(ground.solid_count++)] = {{n[0], n[1], n[2]}, axis, radius};
  }
}

GroundSpec make_ground_spec(const Deck& deck) {
  GroundSpec ground;
  ground.has_plane = deck.choice(Key::ground_kind) == "plane";
  ground.origin = deck.vec3(Key::ground_origin);
  ground.normal = unit_vector(deck, Key::ground_normal);
  ground.stiffness = deck.number(Key::ground_stiffness);
  ground.damping = deck.number(Key::ground_damping);
  const Vec3 at_rest = deck.vec3(Key::ground_static_friction);
  const Vec3 sliding = deck.vec3(Key::ground_kinetic_friction);
  ground.static_friction = {at_rest.x, at_rest.y, at_rest.z};
  ground.kinetic_friction = {sliding.x, sliding.y, sliding.z};
  ground.velocity_threshold = deck.number(Key::ground_velocity_threshold);
  add_solids(deck, Key::ground_spheres, ground);
  add_solids(deck, Key::ground_cylinders, ground);
  return ground;
}

void set_muscle_direction(const Deck& deck, MuscleSpec& muscle) {
  refuse_both(deck, Key::muscle_direction, Key::muscle_axis);
  muscle.in_laboratory = deck.has_value(Key::muscle_axis);
  if (muscle.in_laboratory) {
    muscle.axis = unit_vector(deck, Key::muscle_axis);
    return;
  }
  std::string_view director = muscle.kind == MuscleKind::couple ? "d1" : "d3";
  if (deck.has_value(Key::muscle_direction)) director = deck.choice(Key::muscle_direction);
  muscle.axis = director == "d1" ? Vec3{1, 0, 0} : director == "d2" ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
}

MuscleSpec make_muscle_spec(const Deck& deck) {
  MuscleSpec muscle;
  if (deck.has_value(Key::muscle_period)) muscle.period = deck.number(Key::muscle_period);
  if (!deck.has_value(Key::muscle_amplitudes)) return muscle;
  muscle.kind = deck.choice(Key::muscle_kind) == "force" ? MuscleKind::force : MuscleKind::couple;
  const std::vector<double>& amplitudes = deck.list(Key::muscle_amplitudes);
  if (amplitudes.size() < 2 || amplitudes.size() > most_muscle_amplitudes) {
    throw deck.error(Key::muscle_amplitudes, "holds " + std::to_string(amplitudes.size()) +
                                                 " numbers; a profile takes 2 to " +
                                                 std::to_string(most_muscle_amplitudes));
  }
  std::ranges::copy(amplitudes, muscle.amplitudes.begin());
  muscle.amplitude_count = static_cast<int>(amplitudes.size());
  if (!deck.has_value(Key::muscle_period)) {
    throw deck.missing_error(Key::muscle_period, "needed for muscle.amplitudes");
  }
  muscle.wave_number = deck.number(Key::muscle_wave_number);
  muscle.phase = deck.number(Key::muscle_phase);
  set_muscle_direction(deck, muscle);
  return muscle;
}

void check_slenderness(const Deck& deck, const RodSpec& rod) {
  const double radius = rod.radius * std::max(1.0, rod.end_radius_ratio);
  if (radius < rod.length) return;
  throw deck.error(Key::rod_length, "is not above the radius " + format_real(radius) +
                                        " m, which the drag of a slender rod (fluid.viscosity, "
                                        "fluid.reynolds) needs");
}

FluidSpec make_fluid_spec(const Deck& deck, const RodSpec& rod, const MuscleSpec& muscle) {
  FluidSpec fluid;
  set_fluid_law(deck, fluid);
  refuse_both(deck, Key::fluid_viscosity, Key::fluid_reynolds);
  if (deck.has_value(Key::fluid_viscosity)) {
    fluid.viscosity = deck.number(Key::fluid_viscosity);
  } else if (deck.has_value(Key::fluid_reynolds)) {
    if (muscle.period == 0.0) {
      throw deck.missing_error(Key::muscle_period,
                               "needed for fluid.reynolds, whose speed is rod.length over it");
    }
    fluid.viscosity = derived(deck, Key::fluid_viscosity,
                              deck.number(Key::fluid_density) * rod.length * (rod.length / muscle.period) /
                                  deck.number(Key::fluid_reynolds));
  }
  if (fluid.viscosity > 0.0) check_slenderness(deck, rod);
  return fluid;
}

ContactSpec make_contact_spec(const Deck& deck) {
  ContactSpec contact;
  if (deck.choice(Key::contact_kind) == "none") return contact;
  contact.kind = ContactKind::penalty;
  contact.stiffness = deck.number(Key::contact_stiffness);
  contact.damping = deck.number(Key::contact_damping);
  return contact;
}

/// Throws if the deck holds, moves or loads the ends of a closed rod, which has none.
void check_closed_rod(const Deck& deck, const BoundarySpec& boundary, const LoadSpec& load) {
  const auto refuse = [&](Key key) {
    throw deck.error(key, "needs an end, and a closed rod has none (" +
                              deck.place(deck.has_value(Key::rod_closed) ? Key::rod_closed : Key::rod_shape) +
                              ")");
  };
  if (boundary.first != EndCondition::free) refuse(Key::boundary_first);
  if (boundary.last != EndCondition::free) refuse(Key::boundary_last);
  if (norm(load.end_force) > 0.0) refuse(Key::load_end_force);
  if (norm(load.end_couple) > 0.0) refuse(Key::load_end_couple);
  if (load.axial_force != 0.0) refuse(Key::load_axial_force);
}

/// The fewest steps that reach `end`, where a last step of less than a billionth of the whole is rounding.
std::int64_t step_count(const Deck& deck, double step, double end) {
  constexpr double most_steps = 1e15;  // a microsecond each: thirty years
  constexpr double rounding = 1e-9;
  const double ratio = end / step;
  if (!(ratio <= most_steps)) {
    throw deck.error(Key::time_end, "takes " + format_real(ratio) + " time steps of " + format_real(step) +
                                        " s; at most 1e15 are allowed");
  }
  const double nearest = std::round(ratio);
  const double steps = nearest >= ratio * (1.0 - rounding) ? nearest : std::ceil(ratio);
  return static_cast<std::int64_t>(std::max(1.0, steps));
}

/// Time a stretch wave takes along the rod at rest, s.
double crossing_time(const RodSpec& rod) {
  const double line_mass = rod.density * std::numbers::pi * rod.radius * rod.radius;
  return rod.length * std::sqrt(line_mass / rod.stretch_stiffness);
}

/// The least of what `quantity` gives for each rod of a member.
template <class Quantity>
double least_of_rods(const MemberSpec& spec, const Quantity& quantity) {
  double least = quantity(spec.rod);
  for (const RodSetup& setup : spec.further_rods) least = std::min(least, quantity(setup.rod));
  return least;
}

double time_step(const Deck& deck, const MemberSpec& spec) {
  refuse_both(deck, Key::time_step, Key::time_step_per_crossing);
  refuse_both(deck, Key::time_step_per_length, Key::time_step_per_crossing);
  if (deck.has_value(Key::time_step_per_crossing)) {
    return derived(deck, Key::time_step,
                   deck.number(Key::time_step_per_crossing) * least_of_rods(spec, crossing_time));
  }
  if (gives_first(deck, Key::time_step, Key::time_step_per_length)) return deck.number(Key::time_step);
  const double per_length = deck.number(Key::time_step_per_length);
  return derived(deck, Key::time_step, least_of_rods(spec, [&](const RodSpec& rod) {
                   return per_length * rod.length / rod.elements;
                 }));
}

double end_time(const Deck& deck, const MemberSpec& spec) {
  return gives_first(deck, Key::time_end, Key::time_end_per_crossing)
             ? deck.number(Key::time_end)
             : derived(deck, Key::time_end,
                       deck.number(Key::time_end_per_crossing) * least_of_rods(spec, crossing_time));
}

TimeSpec make_time_spec(const Deck& deck, const MemberSpec& spec) {
  TimeSpec time;
  time.step = time_step(deck, spec);
  time.steps = step_count(deck, time.step, end_time(deck, spec));
  time.slice_steps = deck.integer(Key::time_slice_steps);
  return time;
}

JointKind joint_kind(const Deck& deck) {
  const std::string_view choice = deck.choice(Key::joint_kind);
  if (choice == "ball") return JointKind::ball;
  if (choice == "rigid") return JointKind::rigid;
  return JointKind::none;
}

/// The turn that a rigid joint keeps must have one axis.
void check_joint_angle(const Deck& deck, const InitialShape& before, const InitialShape& after) {
  constexpr double largest = 3.0;  // rad
  const Quaternion turn = conjugate(before.frames[before.frames.size() - 2]) * after.frames[1];
  if (norm(rotation_vector(turn)) <= largest) return;
  throw deck.error(Key::joint_kind,
                   "= rigid cannot join rods whose directors are turned by more than 3 rad; give the later "
                   "one another rod.normal or rod.direction");
}

/// Rod k > 0, joined to the rod before it if the deck says so.
RodSetup make_further_rod(const Deck& deck, const RodSpec& before) {
  RodSetup setup;
  setup.rod = make_rod_spec(deck);
  setup.boundary = make_boundary_spec(deck, setup.rod.length);
  setup.load = make_load_spec(deck, setup.rod);
  setup.joint = joint_kind(deck);
  if (setup.rod.closed) check_closed_rod(deck, setup.boundary, setup.load);
  if (setup.joint == JointKind::none) return setup;
  if (setup.rod.closed || before.closed) {
    throw deck.error(Key::joint_kind,
                     "needs two ends, and a closed rod has none (" + deck.place(Key::rod_shape) + ")");
  }
  const InitialShape shape_before = initial_shape(before);
  const InitialShape shape = initial_shape(setup.rod);
  setup.rod.origin = setup.rod.origin + (shape_before.nodes.back() - shape.nodes.front());
  if (setup.joint == JointKind::rigid) check_joint_angle(deck, shape_before, shape);
  if (setup.rod.damping_decay_time > 0.0) {
    throw deck.error(Key::rod_damping_decay_time, "is not possible for joined rods (joint.kind)");
  }
  return setup;
}

/// All rods together stay within what one may have.
void check_size(const Deck& deck, const MemberSpec& spec) {
  double elements = spec.rod.elements;
  for (const RodSetup& setup : spec.further_rods) elements += setup.rod.elements;
  if (elements <= key_info(Key::rod_elements).maximum) return;
  throw deck.error(Key::rod_count, "gives more than " + format_real(key_info(Key::rod_elements).maximum) +
                                       " elements of all rods together");
}

/// Rods 1, 2, … of a member with several.
void add_further_rods(const Deck& deck, int count, MemberSpec& spec) {
  for (int k = 1; k < count; ++k) {
    const Deck own = deck.for_rod(k);
    const RodSpec& before = k == 1 ? spec.rod : spec.further_rods.back().rod;
    spec.further_rods.push_back(make_further_rod(own, before));
    if (spec.fluid.viscosity > 0.0) check_slenderness(own, spec.further_rods.back().rod);
    check_size(own, spec);
  }
  if (count > 1 && spec.reference != AnalyticReference::none) {
    throw deck.error(Key::convergence_reference, "is a solution for one rod; rod.count is " +
                                                     std::to_string(count) + " (" +
                                                     deck.place(Key::rod_count) + ")");
  }
}

int frame_count(const Deck& deck) {
  const std::int64_t frames = deck.integer(Key::output_frames);
  if (frames == 1) {
    throw deck.error(Key::output_frames, "1 is not allowed: 0 stores no frames, 2 the start and the end");
  }
  return static_cast<int>(frames);
}

AnalyticReference analytic_reference(const Deck& deck) {
  const std::string_view choice = deck.choice(Key::convergence_reference);
  if (choice == "hanging") return AnalyticReference::hanging;
  if (choice == "timoshenko") return AnalyticReference::timoshenko;
  if (choice == "helix_envelope") return AnalyticReference::helix_envelope;
  if (choice == "twist_wave") return AnalyticReference::twist_wave;
  return AnalyticReference::none;
}

FunctionSpec make_function_spec(const Deck& deck) {
  constexpr std::array kinds = {std::pair{"sphere", FunctionKind::sphere},
                                std::pair{"ellipsoid", FunctionKind::ellipsoid},
                                std::pair{"rosenbrock", FunctionKind::rosenbrock},
                                std::pair{"rastrigin", FunctionKind::rastrigin},
                                std::pair{"cigar", FunctionKind::cigar},
                                std::pair{"tablet", FunctionKind::tablet},
                                std::pair{"noise", FunctionKind::noise}};
  FunctionSpec function;
  function.kind = std::ranges::find(kinds, deck.choice(Key::function_name), [](const auto& kind) {
                    return std::string_view(kind.first);
                  })->second;
  if (!deck.has_value(Key::function_x)) {
    throw deck.missing_error(Key::function_x, "model.kind = function needs it");
  }
  function.x = deck.list(Key::function_x);
  function.seconds = deck.number(Key::function_seconds);
  function.slowest = deck.number(Key::function_slowest);
  return function;
}

NewtonSpec make_newton_spec(const Deck& deck) {
  return {deck.number(Key::newton_tolerance), static_cast<int>(deck.integer(Key::newton_iterations)),
          static_cast<int>(deck.integer(Key::newton_halvings))};
}

/// Throws if the deck asks for what model.kind = der does not have.
void check_der(const Deck& deck, const MemberSpec& spec) {
  const auto refuse = [&](bool present, Key key, const std::string& what) {
    if (present)
      throw deck.error(key, "model.kind = der (" + deck.place(Key::model_kind) + ") has no " + what);
  };
  refuse(spec.muscle.kind != MuscleKind::none, Key::muscle_amplitudes, "muscles");
  const bool has_spheres = deck.has_value(Key::ground_spheres);
  refuse(spec.ground.has_plane || spec.ground.solid_count > 0,
         spec.ground.has_plane ? Key::ground_kind
         : has_spheres         ? Key::ground_spheres
                               : Key::ground_cylinders,
         "ground");
  refuse(spec.contact.kind == ContactKind::penalty, Key::contact_kind, "contact by penalty");
  refuse(spec.rod.closed, deck.has_value(Key::rod_closed) ? Key::rod_closed : Key::rod_shape, "closed rods");
  for (const RodSetup& setup : spec.further_rods)
    refuse(setup.joint != JointKind::none, Key::joint_kind, "joints");
}

/// The first rod, and what is derived from it for all rods.
void set_first_rod(const Deck& deck, MemberSpec& spec) {
  spec.rod = make_rod_spec(deck);
  spec.boundary = make_boundary_spec(deck, spec.rod.length);
  spec.load = make_load_spec(deck, spec.rod);
  if (spec.rod.closed) check_closed_rod(deck, spec.boundary, spec.load);
  spec.muscle = make_muscle_spec(deck);
  spec.fluid = make_fluid_spec(deck, spec.rod, spec.muscle);
}

}  // namespace

MemberSpec rod_alone(const MemberSpec& spec, int k) {
  MemberSpec one;
  static_cast<SharedSpec&>(one) = spec;
  static_cast<RodSetup&>(one) = k == 0 ? spec : spec.further_rods[static_cast<std::size_t>(k) - 1];
  return one;
}

MemberSpec make_member_spec(const Deck& deck) {
  MemberSpec spec;
  spec.study_seed = deck.seed();
  if (deck.choice(Key::model_kind) == "noop") {
    spec.model = ModelKind::noop;
    spec.noop_seconds = deck.number(Key::noop_seconds);
    return spec;
  }
  if (deck.choice(Key::model_kind) == "function") {
    spec.model = ModelKind::function;
    spec.function = make_function_spec(deck);
    return spec;
  }
  if (deck.choice(Key::model_kind) == "der") spec.model = ModelKind::der;
  const auto rods = static_cast<int>(deck.integer(Key::rod_count));
  const bool rods_differ = deck.has_value(Key::rod_each);
  set_first_rod(rods_differ ? deck.for_rod(0) : deck, spec);
  spec.ground = make_ground_spec(deck);
  spec.contact = make_contact_spec(deck);
  spec.reference = analytic_reference(deck);
  add_further_rods(deck, rods, spec);
  spec.time = make_time_spec(deck, spec);
  spec.buckling_energy = deck.number(Key::observe_buckling_energy);
  spec.buckling_translational_energy = deck.number(Key::observe_buckling_translational_energy);
  spec.frames = frame_count(deck);
  spec.newton = make_newton_spec(deck);
  check_fluid(deck, spec);
  if (spec.model == ModelKind::der) check_der(deck, spec);
  return spec;
}

}  // namespace rodeo
