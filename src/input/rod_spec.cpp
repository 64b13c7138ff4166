#include <cmath>
#include <numbers>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/rod/section.hpp"

#include "deck_checks.hpp"
#include "model_features.hpp"
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

bool is_circle(const Deck& deck) { return deck.choice("rod.section"_key) == "circle"; }

double young_modulus(const Deck& deck) {
  if (deck.has_value("rod.young_modulus"_key)) return deck.number("rod.young_modulus"_key);
  std::string needed_by =
      is_circle(deck) ? keys_without_value(deck, {"rod.bend_stiffness"_key, "rod.stretch_stiffness"_key})
                      : keys_without_value(deck, {"rod.bend_stiffness"_key, "rod.second_bend_stiffness"_key,
                                                  "rod.stretch_stiffness"_key});
  if (needed_by.empty()) needed_by = "the shear modulus, with rod.poisson_ratio";
  throw deck.missing_error("rod.young_modulus"_key, "needed for " + needed_by);
}

double shear_modulus(const Deck& deck) {
  if (deck.has_value("rod.shear_modulus"_key)) return deck.number("rod.shear_modulus"_key);
  if (!deck.has_value("rod.poisson_ratio"_key)) {
    const bool ratio_gives_twist = deck.has_value("rod.twist_to_bend_ratio"_key);
    const std::string needed_by =
        ratio_gives_twist ? keys_without_value(deck, {"rod.shear_stiffness"_key})
                          : keys_without_value(deck, {"rod.twist_stiffness"_key, "rod.shear_stiffness"_key});
    throw deck.missing_error("rod.shear_modulus"_key, "or give rod.poisson_ratio; needed for " + needed_by);
  }
  return young_modulus(deck) / (2.0 * (1.0 + deck.number("rod.poisson_ratio"_key)));
}

bool gives_shear_modulus(const Deck& deck) {
  return deck.has_value("rod.shear_modulus"_key) || deck.has_value("rod.poisson_ratio"_key);
}

bool shears(const Deck& deck) { return model_in(deck).has(feature("shear")); }

/// The stiffnesses of a section with area A; of a circle the second moments of area are I1 = I2 = A^2 / (4
/// pi) and the torsion constant is I3 = 2 I1. Each may be given in place of its formula.
void set_stiffnesses(const Deck& deck, double area, RodSpec& rod) {
  const section::Moments moments = section::moments(rod.section, rod.width, rod.thickness);
  if (!model_in(deck).has(feature("bend, twist and stretch"))) {
    rod.circular = rod.section == SectionShape::circle;
    rod.first_moment = moments.first;
    rod.second_moment = moments.second;
    return;
  }
  const double second_moment = area * area / (4.0 * std::numbers::pi);
  rod.first_moment = moments.first;
  rod.second_moment = moments.second;
  refuse_both(deck, "rod.shear_modulus"_key, "rod.poisson_ratio"_key);
  refuse_both(deck, "rod.twist_stiffness"_key, "rod.twist_to_bend_ratio"_key);

  const auto given_or = [&](Key key, auto formula) {
    return deck.has_value(key) ? deck.number(key) : derived(deck, key, formula());
  };
  rod.bend_stiffness =
      given_or("rod.bend_stiffness"_key, [&] { return young_modulus(deck) * second_moment * moments.first; });
  rod.twist_stiffness = given_or("rod.twist_stiffness"_key, [&] {
    return deck.has_value("rod.twist_to_bend_ratio"_key)
               ? deck.number("rod.twist_to_bend_ratio"_key) * rod.bend_stiffness
               : shear_modulus(deck) * 2.0 * second_moment * moments.torsion;
  });
  rod.stretch_stiffness = given_or("rod.stretch_stiffness"_key, [&] { return young_modulus(deck) * area; });
  rod.shear_stiffness = given_or("rod.shear_stiffness"_key, [&] {
    // Rods that do not shear need no modulus for it: any stiffness does.
    if (!shears(deck) && !gives_shear_modulus(deck)) return rod.stretch_stiffness;
    return section::shear_coefficient(rod.section) * shear_modulus(deck) * area;
  });
  const bool second_bend = deck.has_value("rod.second_bend_stiffness"_key);
  const bool second_shear = deck.has_value("rod.second_shear_stiffness"_key);
  rod.circular = rod.section == SectionShape::circle && !second_bend && !second_shear;
  if (second_bend || rod.section != SectionShape::circle) {
    const double stiffness = given_or("rod.second_bend_stiffness"_key,
                                      [&] { return young_modulus(deck) * second_moment * moments.second; });
    rod.second_bend_ratio = stiffness / rod.bend_stiffness;
  }
  if (second_shear) {
    rod.second_shear_ratio = deck.number("rod.second_shear_stiffness"_key) / rod.shear_stiffness;
  }
}

/// rod.normal without its part along `direction`, which is called `name` in messages.
Vec3 unit_normal(const Deck& deck, const Vec3& direction, const std::string& name) {
  constexpr double smallest_sine = 1e-6;  // below this the deck's digits, not its author, choose the normal
  const auto across = [&](const Vec3& v) { return v - dot(v, direction) * direction; };
  const bool given = deck.has_value("rod.normal"_key);
  Vec3 normal = across(given ? unit_vector(deck, "rod.normal"_key) : Vec3{1, 0, 0});
  if (!given && norm(normal) < smallest_sine) normal = across({0, 1, 0});
  if (norm(normal) < smallest_sine) {
    throw deck.error("rod.normal"_key,
                     "is parallel to " + name + "; give another normal, such as 0, 1, 0 or 0, 0, 1");
  }
  normal = normalized(normal);
  // Once more, as the first removal leaves a rounding error that normalising enlarges.
  return normalized(across(normal));
}

/// Origin and axes; the first element of a file stands for the direction that the normal is perpendicular to.
void set_placement(const Deck& deck, RodSpec& rod) {
  rod.direction = unit_vector(deck, "rod.direction"_key);
  if (rod.shape == RodShape::file) {
    const Vec3 first_tangent = normalized(rod.shape_nodes[1] - rod.shape_nodes[0]);
    rod.normal =
        unit_normal(deck, first_tangent, "the first element of " + deck.place("rod.shape_nodes"_key));
  } else {
    rod.normal = unit_normal(deck, rod.direction, "rod.direction (" + deck.place("rod.direction"_key) + ")");
  }
}

/// Sets the widths of a section that is no circle, and the radius of the circle of equal area.
void set_widths(const Deck& deck, RodSpec& rod) {
  const std::string needed = "rod.section = " + std::string(word_of(rod.section)) + " needs it";
  require(deck, "rod.width"_key, needed);
  require(deck, "rod.thickness"_key, needed);
  const double area = section::area_share(rod.section) * rod.width * rod.thickness;
  rod.radius = derived(deck, "rod.width"_key, std::sqrt(area / std::numbers::pi));
  if (!deck.has_value("rod.end_width"_key)) return;
  rod.end_radius_ratio = derived(deck, "rod.end_width"_key, deck.number("rod.end_width"_key) / rod.width);
  if (rod.closed && rod.end_radius_ratio != 1.0) {
    throw deck.error("rod.end_width"_key,
                     "is not the width at the first node, which is the last of a rod that is closed");
  }
}

void set_radius(const Deck& deck, RodSpec& rod) {
  if (rod.section != SectionShape::circle) return set_widths(deck, rod);
  rod.radius = gives_first(deck, "rod.radius"_key, "rod.radius_per_length"_key)
                   ? deck.number("rod.radius"_key)
                   : derived(deck, "rod.radius"_key, deck.number("rod.radius_per_length"_key) * rod.length);
  if (!deck.has_value("rod.end_radius"_key)) return;
  rod.end_radius_ratio = derived(deck, "rod.end_radius"_key, deck.number("rod.end_radius"_key) / rod.radius);
  if (rod.closed && rod.end_radius_ratio != 1.0) {
    throw deck.error("rod.end_radius"_key,
                     "is not the radius at the first node, which is the last of a rod that is closed");
  }
}

std::vector<PointMass> point_masses(const Deck& deck, double length) {
  std::vector<PointMass> points;
  if (!deck.has_value("rod.point_masses"_key)) {
    if (!deck.has_value("rod.point_mass_positions"_key)) return points;
    throw deck.missing_error("rod.point_masses"_key, "needed for rod.point_mass_positions");
  }
  if (!deck.has_value("rod.point_mass_positions"_key)) {
    throw deck.missing_error("rod.point_mass_positions"_key, "needed for rod.point_masses");
  }
  const std::vector<double>& masses = deck.list("rod.point_masses"_key);
  const std::vector<double>& positions = deck.list("rod.point_mass_positions"_key);
  if (masses.size() != positions.size()) {
    throw deck.error("rod.point_mass_positions"_key, "holds " + std::to_string(positions.size()) +
                                                         " numbers, rod.point_masses " +
                                                         std::to_string(masses.size()));
  }
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (positions[i] > length) {
      throw deck.error("rod.point_mass_positions"_key,
                       format_real(positions[i]) + " m is beyond the rod's " + format_real(length) + " m");
    }
    points.push_back({masses[i], positions[i]});
  }
  return points;
}

}  // namespace

RodSpec make_rod_spec(const Deck& deck) {
  RodSpec rod;
  deck.fill(rod);
  set_shape(deck, rod);
  set_placement(deck, rod);
  set_radius(deck, rod);
  const double area = std::numbers::pi * rod.radius * rod.radius;
  const double volume = area * section::mean_square(1.0, rod.end_radius_ratio) * rod.length;
  rod.density = gives_first(deck, "rod.density"_key, "rod.mass"_key)
                    ? deck.number("rod.density"_key)
                    : derived(deck, "rod.density"_key, deck.number("rod.mass"_key) / volume);
  set_stiffnesses(deck, area, rod);
  rod.point_masses = point_masses(deck, rod.length);
  set_start(deck, rod);
  return rod;
}

namespace {

/// Throws for features that take each rod to be as thick in all directions.
void refuse_thickness(const Deck& deck, const RodSpec& rod, const MemberSpec& spec) {
  const std::string reason =
      "takes sections to be circular, which those of rod.section = " + std::string(word_of(rod.section)) +
      " (" + deck.place("rod.section"_key) + ") are not";
  const auto refuse = [&](bool asked, Key key) {
    if (asked) throw deck.error(key, reason);
  };
  refuse(spec.contact.kind != ContactKind::none, "contact.kind"_key);
  refuse(spec.ground.has_plane, "ground.kind"_key);
  for (const Key key : {"ground.planes"_key, "ground.spheres"_key, "ground.cylinders"_key,
                        "ground.platen"_key, "connection.bond"_key}) {
    refuse(deck.has_value(key), key);
  }
  for (const Key key : {"fluid.viscosity"_key, "fluid.reynolds"_key})
    refuse(spec.fluid.viscosity > 0.0 && deck.is_given(key), key);
  refuse(deck.choice("rod.placement"_key) == "random", "rod.placement"_key);
}

}  // namespace

void check_sections(const Deck& deck, const MemberSpec& spec) {
  const auto check = [&](const RodSpec& rod) {
    if (rod.section != SectionShape::circle) refuse_thickness(deck, rod, spec);
  };
  check(spec.rod);
  for (const RodSetup& other : spec.further_rods) check(other.rod);
  if (!spec.has_circular_sections() && spec.single_precision) {
    throw deck.error("model.precision"_key,
                     "= single computes with one bend stiffness of a rod, and one has two");
  }
}

}  // namespace rodeo
