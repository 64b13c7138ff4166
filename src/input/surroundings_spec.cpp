#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/input/need.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "deck_checks.hpp"
#include "formula_text.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

/// Adds the planes, balls or cylinders that a list describes by six, four or seven numbers each.
void add_solids(const Deck& deck, Key key, GroundSpec& ground) {
  if (!deck.has_value(key)) return;
  const bool flat = key == "ground.planes"_key;
  const bool round = key == "ground.spheres"_key;
  const std::size_t width = flat ? 6 : round ? 4 : 7;
  const std::vector<double>& numbers = deck.list(key);
  if (numbers.size() % width != 0) {
    throw deck.error(
        key, "holds " + std::to_string(numbers.size()) + " numbers; each takes " + std::to_string(width));
  }
  const std::size_t so_far = ground.planes.size() + static_cast<std::size_t>(ground.solid_count);
  if (so_far + numbers.size() / width > static_cast<std::size_t>(most_solids)) {
    throw deck.error(key, "is too long: at most " + std::to_string(most_solids) +
                              " planes, balls and cylinders are allowed together");
  }
  for (std::size_t i = 0; i < numbers.size(); i += width) {
    const double* const n = &numbers[i];
    if (flat) {
      ground.planes.push_back({{n[0], n[1], n[2]}, direction(deck, key, {n[3], n[4], n[5]})});
      continue;
    }
    const double radius = n[width - 1];
    if (radius == 0.0) throw deck.error(key, "holds a radius of 0");
    const Vec3 axis = round ? Vec3{} : direction(deck, key, {n[3], n[4], n[5]});
    ground.solids[static_cast<std::size_t>(ground.solid_count++)] = {{n[0], n[1], n[2]}, axis, radius};
  }
}

/// A plane that was meant to carry rods, and friction that would grow as they begin to slide.
void check_plane(const Deck& deck, const GroundSpec& ground) {
  const Vec3 gravity = deck.vec3("gravity.acceleration"_key);
  if (ground.has_plane && !deck.is_given("ground.normal"_key) && norm(gravity) > 0.0 &&
      !(dot(gravity, ground.normal) < 0.0)) {
    throw deck.error(
        "ground.normal"_key,
        "is needed: gravity.acceleration does not pull towards a plane whose normal is the default 0, 1, 0");
  }
  if (!deck.is_given("ground.static_friction"_key) || !deck.is_given("ground.kinetic_friction"_key)) return;
  const Vec3 at_rest = deck.vec3("ground.static_friction"_key);
  const Vec3 sliding = deck.vec3("ground.kinetic_friction"_key);
  if (sliding.x > at_rest.x || sliding.y > at_rest.y || sliding.z > at_rest.z)
    throw deck.error("ground.kinetic_friction"_key, "is above ground.static_friction");
}

void set_muscle_direction(const Deck& deck, MuscleSpec& muscle) {
  refuse_both(deck, "muscle.direction"_key, "muscle.axis"_key);
  muscle.in_laboratory = deck.has_value("muscle.axis"_key);
  if (muscle.in_laboratory) {
    muscle.axis = unit_vector(deck, "muscle.axis"_key);
    return;
  }
  std::string_view director = muscle.kind == MuscleKind::couple ? "d1" : "d3";
  if (deck.has_value("muscle.direction"_key)) director = deck.choice("muscle.direction"_key);
  if (muscle.kind == MuscleKind::force && director != "d3" && !model_in(deck).has(feature("shear"))) {
    throw deck.error("muscle.direction"_key,
                     "forces across a rod do nothing in model.kind = " + std::string(model_in(deck).name) +
                         ", which has no shear; d3 is along it");
  }
  muscle.axis = director == "d1" ? Vec3{1, 0, 0} : director == "d2" ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
}

}  // namespace

GroundSpec make_ground_spec(const Deck& deck) {
  GroundSpec ground;
  deck.fill(ground);
  ground.normal = unit_vector(deck, "ground.normal"_key);
  check_plane(deck, ground);
  if (!deck.has_value("ground.kinetic_friction"_key)) ground.kinetic_friction = ground.static_friction;
  add_solids(deck, "ground.planes"_key, ground);
  add_solids(deck, "ground.spheres"_key, ground);
  add_solids(deck, "ground.cylinders"_key, ground);
  const bool on_springs = !model_in(deck).has(feature("a ground that answers the net force"));
  if (!deck.has_value("ground.response"_key) && on_springs) ground.response = GroundResponse::springs;
  const bool is_there = ground.exists() || deck.has_value("ground.platen"_key);
  if (is_there && ground.stiffness == 0.0 && ground.response == GroundResponse::springs) {
    throw deck.error("ground.stiffness"_key,
                     "is 0, and rods stand on springs of that stiffness alone (ground.response = springs, "
                     "which model.kind = der and time.method = static|implicit always have)");
  }
  return ground;
}

MuscleSpec make_muscle_spec(const Deck& deck) {
  MuscleSpec muscle;
  deck.fill(muscle);
  if (!deck.has_value("muscle.amplitudes"_key)) {
    muscle.kind = MuscleKind::none;
    return muscle;
  }
  const std::vector<double>& amplitudes = deck.list("muscle.amplitudes"_key);
  if (amplitudes.size() < 2 || amplitudes.size() > most_muscle_amplitudes) {
    throw deck.error("muscle.amplitudes"_key, "holds " + std::to_string(amplitudes.size()) +
                                                  " numbers; a profile takes 2 to " +
                                                  std::to_string(most_muscle_amplitudes));
  }
  std::ranges::copy(amplitudes, muscle.amplitudes.begin());
  muscle.amplitude_count = static_cast<int>(amplitudes.size());
  require(deck, "muscle.period"_key, "needed for muscle.amplitudes");
  set_muscle_direction(deck, muscle);
  return muscle;
}

void check_slenderness(const Deck& deck, const RodSpec& rod) {
  const double radius = rod.radius * std::max(1.0, rod.end_radius_ratio);
  if (radius < rod.length) return;
  throw deck.error("rod.length"_key,
                   "is not above the radius " + format_real(radius) +
                       " m, which the drag of a slender rod (fluid.viscosity, fluid.reynolds) needs");
}

FluidSpec make_fluid_spec(const Deck& deck, const RodSpec& rod, const MuscleSpec& muscle) {
  FluidSpec fluid;
  deck.fill(fluid);
  refuse_both(deck, "fluid.viscosity"_key, "fluid.reynolds"_key);
  if (deck.has_value("fluid.reynolds"_key)) {
    require(deck, "muscle.period"_key, "needed for fluid.reynolds, whose speed is rod.length over it");
    fluid.viscosity = derived(deck, "fluid.viscosity"_key,
                              deck.number("fluid.density"_key) * rod.length * (rod.length / muscle.period) /
                                  deck.number("fluid.reynolds"_key));
  }
  if (fluid.viscosity > 0.0) check_slenderness(deck, rod);
  return fluid;
}

ContactSpec make_contact_spec(const Deck& deck) {
  ContactSpec contact;
  deck.fill(contact);
  if (contact.kind == ContactKind::penalty) {
    require(deck, "contact.stiffness"_key);
    constexpr double per_stiffness = 0.8;  // Mindlin's 2 (1 - nu)/(2 - nu) of nu = 1/3
    if (!deck.has_value("contact.tangential_stiffness"_key))
      contact.tangential_stiffness = per_stiffness * contact.stiffness;
  }
  if (contact.kind != ContactKind::imc && contact.kind != ContactKind::ipc) return contact;
  require(deck, "contact.tolerance"_key);
  if (contact.friction > 0.0) require(deck, "contact.slip_tolerance"_key, "needed for contact.friction");
  return contact;
}

void check_fluid(const Deck& deck, const MemberSpec& spec) {
  constexpr int most_nodes = 10000;  // a matrix of 8 GB
  if (!spec.fluid.acts_by(FluidKind::stokeslets)) return;
  if (fluid::stokeslet_summation(spec) == fluid::Summation::clusters) return;
  const int nodes = rod_elements(spec) + spec.rod_count();
  if (nodes > most_nodes) {
    const bool by_mobility = spec.fluid.mobility != MobilityKind::full;
    throw deck.error(by_mobility ? "fluid.mobility"_key : "fluid.tolerance"_key,
                     "needs a dense matrix of all pairs of nodes: at most " + std::to_string(most_nodes) +
                         " nodes of all rods, not " + std::to_string(nodes) + "; " +
                         (by_mobility ? "full" : "1e-6") + " does without");
  }
}

namespace {

PlatenSpec parse_platen(const std::string& line, const FormulaScope& scope) {
  constexpr const char* example = ", as in X, Y, Z, NX, NY, NZ : DX, DY, DZ";
  LineReader in(line);
  PlatenSpec platen;
  double numbers[6];
  std::size_t normal_at = 0;
  for (int k = 0; k < 6; ++k) {
    if (k > 0) in.expect(',', std::string("a comma should stand here") + example);
    in.skip_blanks();
    if (k == 3) normal_at = in.at();
    numbers[k] = parse_constant(in, scope);
  }
  platen.point = {numbers[0], numbers[1], numbers[2]};
  const double largest = std::max({std::abs(numbers[3]), std::abs(numbers[4]), std::abs(numbers[5])});
  if (largest == 0.0) in.fail(normal_at, "is the zero vector, which has no direction");
  platen.normal = normalized({numbers[3] / largest, numbers[4] / largest, numbers[5] / largest});
  in.expect(':', std::string("a : should stand here") + example);
  in.skip_blanks();
  const std::size_t course_at = in.at();
  for (int k = 0; k < 3; ++k) {
    if (k > 0) in.expect(',', std::string("a comma should stand here") + example);
    in.skip_blanks();
    const std::size_t at = in.at();
    platen.course.push_back(parse_formula(in, scope));
    if (!platen.course.back().has_live_numbers()) continue;
    if (!scope.member.steps_explicitly())
      in.fail(at,
              "numbers of the control move planes in explicit steps alone (model cosserat, time.method = "
              "dynamic)");
    if (scope.member.control.held)
      in.fail(at, "a plane cannot jump, as numbers of the control do: give control.hold = linear");
  }
  if (!in.at_end()) in.fail(in.at(), "the line should end here");
  in.read_at(course_at, [&] {
    std::vector<double> tables;
    compile_all(platen.course, tables);
  });
  return platen;
}

}  // namespace

void set_platen(const Deck& deck, MemberSpec& spec) {
  deck.for_each_line("ground.platen"_key, [&](const std::string& line, const std::string&) {
    spec.ground.platen = parse_platen(line, {deck, spec, true, false});
  });
}

}  // namespace rodeo
