#include <cmath>
#include <numbers>

#include "rodeo/input/chosen.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/rod/section.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

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

bool gives_shear_modulus(const Deck& deck) {
  return deck.has_value(Key::rod_shear_modulus) || deck.has_value(Key::rod_poisson_ratio);
}

bool shears(const Deck& deck) {
  return model_of(chosen<ModelKind>(deck, Key::model_kind)).has(feature("shear"));
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
  rod.stretch_stiffness = given_or(Key::rod_stretch_stiffness, [&] { return young_modulus(deck) * area; });
  rod.shear_stiffness = given_or(Key::rod_shear_stiffness, [&] {
    // Rods that do not shear need no modulus for it: any stiffness does.
    if (!shears(deck) && !gives_shear_modulus(deck)) return rod.stretch_stiffness;
    return shear_correction * shear_modulus(deck) * area;
  });
}

/// rod.normal without its part along `direction`, which is called `name` in messages.
Vec3 unit_normal(const Deck& deck, const Vec3& direction, const std::string& name) {
  constexpr double smallest_sine = 1e-6;  // below this the deck's digits, not its author, choose the normal
  const auto across = [&](const Vec3& v) { return v - dot(v, direction) * direction; };
  const bool given = deck.has_value(Key::rod_normal);
  Vec3 normal = across(given ? unit_vector(deck, Key::rod_normal) : Vec3{1, 0, 0});
  if (!given && norm(normal) < smallest_sine) normal = across({0, 1, 0});
  if (norm(normal) < smallest_sine) {
    throw deck.error(Key::rod_normal,
                     "is parallel to " + name + "; give another normal, such as 0, 1, 0 or 0, 0, 1");
  }
  normal = normalized(normal);
  // Once more, as the first removal leaves a rounding error that normalising enlarges.
  return normalized(across(normal));
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

}  // namespace

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
  rod.point_masses = point_masses(deck, rod.length);
  rod.inertia_ratio = deck.number(Key::rod_inertia_ratio);
  rod.velocity = deck.vec3(Key::rod_velocity);
  return rod;
}

}  // namespace rodeo
