#include <algorithm>
#include <cmath>

#include "rodeo/input/chosen.hpp"
#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

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

}  // namespace

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

MuscleSpec make_muscle_spec(const Deck& deck) {
  MuscleSpec muscle;
  if (deck.has_value(Key::muscle_period)) muscle.period = deck.number(Key::muscle_period);
  if (!deck.has_value(Key::muscle_amplitudes)) return muscle;
  muscle.kind = chosen<MuscleKind>(deck, Key::muscle_kind);
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
  contact.kind = chosen<ContactKind>(deck, Key::contact_kind);
  if (contact.kind == ContactKind::penalty) {
    contact.stiffness = deck.number(Key::contact_stiffness);
    contact.damping = deck.number(Key::contact_damping);
  }
  if (contact.kind != ContactKind::imc && contact.kind != ContactKind::ipc) return contact;
  contact.tolerance = deck.number(Key::contact_tolerance);
  contact.friction = deck.number(Key::contact_friction);
  if (contact.friction == 0.0) return contact;
  if (!deck.has_value(Key::contact_slip_tolerance)) {
    throw deck.missing_error(Key::contact_slip_tolerance, "needed for contact.friction");
  }
  contact.slip_tolerance = deck.number(Key::contact_slip_tolerance);
  return contact;
}

}  // namespace rodeo
