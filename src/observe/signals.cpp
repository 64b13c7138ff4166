#include "rodeo/observe/signals.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "rodeo/forces/surface.hpp"
#include "rodeo/law/hinge.hpp"
#include "rodeo/law/shear_stretch.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/tangent/capsule.hpp"

namespace rodeo {

namespace {

using Rod = RodAtInstant;

template <int component>
double part(const Vec3& v) {
  return component == 0 ? v.x : component == 1 ? v.y : v.z;
}

template <int field, int component>
double of_node(const Rod& r, int i) {
  return part<component>(r.rod.vec3(field, r.node(i)));
}

double speed(const Rod& r, int i) { return norm(r.rod.vec3(field::velocity, r.node(i))); }

template <int director, int component>
double of_director(const Rod& r, int i) {
  const Directors d = directors(r.rod.quaternion(i));
  return part<component>(director == 1 ? d.d1 : director == 2 ? d.d2 : d.d3);
}

Vec3 edge(const Rod& r, int i) {
  return r.rod.vec3(field::position, r.node(i + 1)) - r.rod.vec3(field::position, i);
}

template <int component>
double tangent(const Rod& r, int i) {
  const Vec3 e = edge(r, i);
  return part<component>(e) / norm(e);
}

template <int component>
double angular_velocity(const Rod& r, int i) {
  return part<component>(r.rod.vec3(field::angular_velocity, i));
}

double dilatation(const Rod& r, int i) {
  return norm(edge(r, i)) * r.rod.array(field::inverse_rest_length)[i];
}

double natural_stretch(const Rod& r, int i) { return r.rod.array(field::natural_stretch)[i]; }

/// Edge along the directors. Where rods do not shear, these follow the centre line.
Vec3 body_edge(const Rod& r, int i) {
  const Vec3 e = edge(r, i);
  return r.spec.shears ? directors(r.rod.quaternion(i)).to_body(e) : Vec3{0.0, 0.0, norm(e)};
}

/// Shear and stretch along the directors, of what is stretched less the natural stretch.
Vec3 strain(const Rod& r, int i) {
  const auto law = law::ShearStretch<double>::of(r.rod, i);
  return law.inverse_rest_length * law.at(body_edge(r, i)).strain;
}

template <int component>
double of_strain(const Rod& r, int i) {
  return part<component>(strain(r, i));
}

/// Turn from the frame before node i to the one after it.
Quaternion turn_at(const Rod& r, int i) {
  const int region = i - 1;
  return conjugate(r.rod.quaternion(region)) * r.rod.quaternion(region + 1);
}

Vec3 curvature(const Rod& r, int node) {
  const int i = r.closed && node == 0 ? r.rod.elements : node;
  if (!has_region(r, i)) return {};
  return r.rod.array(field::inverse_rest_voronoi)[i - 1] * rotation_vector(turn_at(r, i));
}

template <int component>
double of_curvature(const Rod& r, int i) {
  return part<component>(curvature(r, i));
}

double bending_curvature(const Rod& r, int i) {
  const Vec3 k = curvature(r, i);
  return std::hypot(k.x, k.y);
}

/// Dilatation of the section around a node (2.10).
double dilatation_at(const Rod& r, int node) {
  const int n = r.rod.elements;
  double length = 0.0;
  double rest_length = 0.0;
  const auto add = [&](int element) {
    length += norm(edge(r, element));
    rest_length += r.rod.array(field::rest_length)[element];
  };
  if (node > 0 || r.closed) add(node > 0 ? node - 1 : n - 1);
  if (node < n || r.closed) add(node < n ? node : 0);
  return r.rod.section_value(length / rest_length, 1.0);
}

/// Bend and twist of a region, in the strains in which the model's elastic energy is quadratic.
law::Elastic<double> bend_and_twist(const Rod& r, int i, const Vec3& natural) {
  auto law = law::BendTwist<double>::of(r.rod, i - 1);
  law.rest_curvature = natural;
  if (r.spec.shears) return law.at(rotation_vector(turn_at(r, i)), dilatation_at(r, i));
  const auto measure = r.spec.published_laws ? law::CurvatureLaw::published : law::CurvatureLaw::untwisted;
  return law::hinge_law(law, measure).at(law::hinge_turn(turn_at(r, i), measure), dilatation_at(r, i));
}

law::Elastic<double> bend_and_twist(const Rod& r, int i) {
  return bend_and_twist(r, i, r.rod.vec3(field::rest_curvature, i - 1));
}

/// Tension of sections whose energy falls as they narrow (cosserat::add_section_tension), N.
double section_tension(const Rod& r, int element) {
  const double e = dilatation(r, element);
  const Vec3 rate = r.rod.vec3(field::angular_velocity, element);
  double tension =
      0.5 * r.rod.array(field::inverse_rest_length)[element] *
          dot(scaled(r.rod.inertia(element), rate), rate) / (e * e) -
      law::stored_in_element(r.rod, element, body_edge(r, element), true).energy() / norm(edge(r, element));
  for (const int node : {element, element + 1}) {
    const int i = r.closed && node == 0 ? r.rod.elements : node;
    if (has_region(r, i)) tension -= 1.5 * bend_and_twist(r, i).energy() / dilatation_at(r, i);
  }
  return tension;
}

/// Internal force in the laboratory frame, N. Where rods do not shear, it balances the forces on their nodes.
Vec3 internal_force(const Rod& r, int i) {
  if (!r.spec.shears) return r.rod.vec3(field::internal_force, i);
  const law::Elastic<double> elastic =
      law::ShearStretch<double>::of(r.rod, i).at(body_edge(r, i), r.rod.section_value(dilatation(r, i), 1.0));
  const Vec3 force = directors(r.rod.quaternion(i)).to_laboratory(elastic.stress());
  if (!r.spec.sections_have_energy) return force;
  const Vec3 e = edge(r, i);
  return force + (section_tension(r, i) / norm(e)) * e;
}

template <int component>
double force(const Rod& r, int i) {
  return part<component>(internal_force(r, i));
}

double tension(const Rod& r, int i) {
  const Vec3 e = edge(r, i);
  return dot(internal_force(r, i), e) / norm(e);
}

/// Angular velocity of an element along its directors. Where rods do not shear, it turns as its nodes move.
Vec3 turning(const Rod& r, int element) {
  const Vec3 rate = r.rod.vec3(field::angular_velocity, element);
  if (r.spec.shears) return rate;
  const Vec3 e = edge(r, element);
  const Vec3 spread = r.rod.vec3(field::velocity, element + 1) - r.rod.vec3(field::velocity, element);
  const Vec3 across = directors(r.rod.quaternion(element)).to_body((1.0 / dot(e, e)) * cross(e, spread));
  return {across.x, across.y, rate.z};
}

/// Rates of the curvatures and the twist in which the elastic energy of a region is quadratic.
Vec3 curvature_rate(const Rod& r, int i) {
  const int n = r.rod.elements;
  const Vec3 before = i > 0 ? turning(r, i - 1) : Vec3{};
  Vec3 after = i < n ? turning(r, i) : Vec3{};
  if (i == n && r.closed)
    after = directors(conjugate(r.rod.quaternion(0)) * r.rod.quaternion(n)).to_body(turning(r, 0));
  const double inverse = r.rod.array(field::inverse_rest_voronoi)[i - 1];
  if (r.spec.shears) return inverse * law::turn_rate(rotation_log(turn_at(r, i)), before, after);
  const double fastest = norm(before) + norm(after);
  if (fastest == 0.0) return {};
  const auto measure = r.spec.published_laws ? law::CurvatureLaw::published : law::CurvatureLaw::untwisted;
  const double time = 1e-5 / fastest;  // errors of the square of the angle and of rounding over it are alike
  const auto at = [&](double t) {
    return law::hinge_turn(rotation(-t * before) * turn_at(r, i) * rotation(t * after), measure);
  };
  return (0.5 * inverse / time) * (at(time) - at(-time));
}

double retardation_time(const Rod& r) { return r.spec.setup(r.number).rod.retardation_time; }

Vec3 elastic_couple(const Rod& r, int node) {
  const int i = r.closed && node == 0 ? r.rod.elements : node;
  if (!has_region(r, i)) return {};
  return bend_and_twist(r, i).stress();
}

Vec3 couple(const Rod& r, int node) {
  const Vec3 elastic = elastic_couple(r, node);
  const int i = r.closed && node == 0 ? r.rod.elements : node;
  const double time = retardation_time(r);
  if (time == 0.0 || !has_region(r, i)) return elastic;
  return elastic + time * scaled(bend_and_twist(r, i).stiffness, curvature_rate(r, i));
}

template <int component>
double of_couple(const Rod& r, int i) {
  return part<component>(couple(r, i));
}

/// Share of an element in a quantity of its two nodes.
template <class Quantity>
double share_of_nodes(const Rod& r, int element, const Quantity& quantity) {
  double sum = 0.0;
  for (const int i : {element, r.node(element + 1)}) sum += r.rod.array(field::force_share)[i] * quantity(i);
  return sum;
}

double translational_energy(const Rod& r, int element) {
  return share_of_nodes(r, element, [&](int i) {
    const Vec3 v = r.rod.vec3(field::velocity, i);
    return 0.5 * r.rod.array(field::mass)[i] * dot(v, v);
  });
}

double rotational_energy(const Rod& r, int i) {
  const Vec3 rate = r.rod.vec3(field::angular_velocity, i);
  return 0.5 * dot(scaled(r.rod.inertia(i), rate), rate) / r.rod.section_value(dilatation(r, i), 1.0);
}

double kinetic_energy(const Rod& r, int i) { return translational_energy(r, i) + rotational_energy(r, i); }

/// Energies of bend and twist, J.
struct RegionEnergy {
  double bend = 0.0;
  double twist = 0.0;

  /// Adds a share of the energies of a region.
  void add(const Rod& r, int region, double share) {
    const int i = r.closed && region == 0 ? r.rod.elements : region;
    if (!has_region(r, i)) return;
    const law::Elastic<double> elastic = bend_and_twist(r, i);
    const double length = share / r.rod.array(field::inverse_rest_voronoi)[i - 1];
    bend += length * elastic.energy_across();
    twist += length * elastic.energy_along();
  }
};

/// Energies of an element: half of each region between elements, all of regions at ends.
RegionEnergy region_energy(const Rod& r, int element) {
  RegionEnergy sum;
  for (const int i : {element, element + 1}) {
    const bool shared = r.closed || (i > 0 && i < r.rod.elements);
    sum.add(r, i, shared ? 0.5 : 1.0);
  }
  return sum;
}

/// Energies of the whole rod. All calls are inlined: measures take it often.
[[gnu::flatten]] RegionEnergy region_energy(const Rod& r) {
  RegionEnergy sum;
  for (int i = r.closed ? 1 : 0; i <= r.rod.elements; ++i) sum.add(r, i, 1.0);
  return sum;
}

double bending_energy(const Rod& r, int i) { return region_energy(r, i).bend; }
double twist_energy(const Rod& r, int i) { return region_energy(r, i).twist; }
double bending_energy_of(const Rod& r) { return region_energy(r).bend; }
double twist_energy_of(const Rod& r) { return region_energy(r).twist; }

law::Elastic<double> shear_and_stretch(const Rod& r, int i) {
  return law::stored_in_element(r.rod, i, body_edge(r, i), r.spec.sections_have_energy);
}

double shear_energy(const Rod& r, int i) { return shear_and_stretch(r, i).energy_across(); }
double stretch_energy(const Rod& r, int i) { return shear_and_stretch(r, i).energy_along(); }

/// Energy of an element without that of regions, J.
double energy_of_element(const Rod& r, int i) {
  return kinetic_energy(r, i) + shear_and_stretch(r, i).energy();
}

double total_energy(const Rod& r, int i) {
  const RegionEnergy region = region_energy(r, i);
  return energy_of_element(r, i) + region.bend + region.twist;
}

double total_energy_of(const Rod& r) {
  const RegionEnergy region = region_energy(r);
  double sum = region.bend + region.twist;
  for (int i = 0; i < r.rod.elements; ++i) sum += energy_of_element(r, i);
  return sum;
}

template <PowerSource source>
double power(const Rod& r, int i) {
  return r.powers->of(source, r.number, i);
}

template <int component>
double reaction(const Rod& r, int i) {
  return part<component>(r.powers->motion_force(r.number, r.node(i)));
}

template <int component>
double reaction_couple(const Rod& r, int i) {
  return part<component>(r.powers->motion_couple(r.number, i));
}

double motion_work(const Rod& r, int i) { return r.powers->motion_work(r.number, i); }
double connection_energy(const Rod& r, int i) { return r.powers->connection_energy(r.number, i); }

template <int component>
double platen_force(const Rod& r, int i) {
  return part<component>(r.powers->platen_force(r.number, i));
}

double platen_work(const Rod& r, int i) { return r.powers->platen_work(r.number, i); }

/// Normal force of an element on a surface that answers by springs, as forces::SurfaceSprings has it.
template <class Surface>
double load_on(const Surface& surface, const Rod& r, int i) {
  const double radius =
      r.rod.array(field::contact_radius)[i] * std::sqrt(r.rod.array(field::inverse_rest_length)[i]);
  const auto element =
      tangent::Capsule::tapered(r.rod.vec3(field::position, i), r.rod.vec3(field::position, r.node(i + 1)),
                                radius, r.rod.array(field::half_taper)[i]);
  const tangent::Touch touch = tangent::touch(surface, element);
  if (touch.overlap == 0.0) return 0.0;
  const double leaving = (dot(touch.first, r.rod.vec3(field::velocity, i)) +
                          dot(touch.last, r.rod.vec3(field::velocity, r.node(i + 1)))) /
                         touch.overlap;
  const GroundSpec& ground = r.spec.ground;
  return std::max(ground.stiffness * touch.overlap - touch.share * ground.damping * leaving, 0.0);
}

double plane_load(const Rod& r, int i) {
  const GroundSpec& ground = r.spec.ground;
  return load_on(forces::Plane{ground.normal, dot(ground.normal, ground.origin)}, r, i);
}

double planes_load(const Rod& r, int i) {
  double sum = 0.0;
  for (const PlaneSpec& plane : r.spec.ground.planes)
    sum += load_on(forces::Plane{plane.normal, dot(plane.normal, plane.point)}, r, i);
  return sum;
}

/// Load on all cylinders, or on all spheres, N.
template <bool on_cylinders>
double solids_load(const Rod& r, int i) {
  double sum = 0.0;
  for (int k = 0; k < r.spec.ground.solid_count; ++k) {
    const SolidSpec& solid = r.spec.ground.solids[static_cast<std::size_t>(k)];
    const bool is_sphere = dot(solid.axis, solid.axis) == 0.0;
    if (is_sphere == on_cylinders) continue;
    const double side = solid.radius > 0.0 ? 1.0 : -1.0;
    sum += load_on(forces::RoundSurface{solid.centre, solid.axis, std::abs(solid.radius), side}, r, i);
  }
  return sum;
}

template <double contact::ElementTouches::*number>
double of_touches(const Rod& r, int i) {
  return r.powers->touches(r.number, i).*number;
}

using enum SignalSite;

constexpr std::string_view needs_contact = "contact.kind = penalty|imc|ipc";

constexpr std::array list = {
    Signal{"x", "m", "position", node, of_node<field::position, 0>},
    Signal{"y", "m", "position", node, of_node<field::position, 1>},
    Signal{"z", "m", "position", node, of_node<field::position, 2>},
    Signal{"vx", "m/s", "velocity", node, of_node<field::velocity, 0>},
    Signal{"vy", "m/s", "velocity", node, of_node<field::velocity, 1>},
    Signal{"vz", "m/s", "velocity", node, of_node<field::velocity, 2>},
    Signal{"speed", "m/s", "size of the velocity", node, speed},
    Signal{"d1x", "1", "director d1", element, of_director<1, 0>},
    Signal{"d1y", "1", "director d1", element, of_director<1, 1>},
    Signal{"d1z", "1", "director d1", element, of_director<1, 2>},
    Signal{"d2x", "1", "director d2", element, of_director<2, 0>},
    Signal{"d2y", "1", "director d2", element, of_director<2, 1>},
    Signal{"d2z", "1", "director d2", element, of_director<2, 2>},
    Signal{"d3x", "1", "director d3, along the rod", element, of_director<3, 0>},
    Signal{"d3y", "1", "director d3, along the rod", element, of_director<3, 1>},
    Signal{"d3z", "1", "director d3, along the rod", element, of_director<3, 2>},
    Signal{"tx", "1", "unit tangent of the centre line", element, tangent<0>},
    Signal{"ty", "1", "unit tangent of the centre line", element, tangent<1>},
    Signal{"tz", "1", "unit tangent of the centre line", element, tangent<2>},
    Signal{"omega_1", "rad/s", "angular velocity along d1", element, angular_velocity<0>, nullptr,
           "model.kind = cosserat|rigid"},
    Signal{"omega_2", "rad/s", "angular velocity along d2", element, angular_velocity<1>, nullptr,
           "model.kind = cosserat|rigid"},
    Signal{"omega_3", "rad/s", "angular velocity along d3", element, angular_velocity<2>},
    Signal{"dilatation", "1", "length over rest length", element, dilatation},
    Signal{"shear_1", "1", "shear strain along d1; 0 for der", element, of_strain<0>},
    Signal{"shear_2", "1", "shear strain along d2; 0 for der", element, of_strain<1>},
    Signal{"stretch", "1", "stretch strain along d3", element, of_strain<2>},
    Signal{"curvature", "1/m", "bending curvature, per rest arc length", region, bending_curvature},
    Signal{"curvature_1", "1/m", "curvature about d1, per rest arc length", region, of_curvature<0>},
    Signal{"curvature_2", "1/m", "curvature about d2, per rest arc length", region, of_curvature<1>},
    Signal{"twist", "1/m", "twist about d3, per rest arc length", region, of_curvature<2>},
    Signal{"fx", "N", "elastic force in the rod, which the part after it exerts on the one before", element,
           force<0>},
    Signal{"fy", "N", "elastic force in the rod", element, force<1>},
    Signal{"fz", "N", "elastic force in the rod", element, force<2>},
    Signal{"tension", "N", "elastic force along the tangent, positive pulls", element, tension},
    Signal{"couple_1", "N m", "couple of elasticity and material damping in the rod about d1", region,
           of_couple<0>},
    Signal{"couple_2", "N m", "couple of elasticity and material damping in the rod about d2", region,
           of_couple<1>},
    Signal{"couple_3", "N m", "couple of elasticity and material damping in the rod about d3", region,
           of_couple<2>},
    Signal{"translational_energy", "J", "kinetic energy of translation", share, translational_energy},
    Signal{"rotational_energy", "J", "kinetic energy of rotation", share, rotational_energy},
    Signal{"kinetic_energy", "J", "of translation and rotation", share, kinetic_energy},
    Signal{"bending_energy", "J",
           "elastic energy of bending; of all rods with that of joint.kind = rigid, which none of them has",
           share, bending_energy, bending_energy_of},
    Signal{"twist_energy", "J", "elastic energy of twist; likewise", share, twist_energy, twist_energy_of},
    Signal{"shear_energy", "J", "elastic energy of shear", share, shear_energy},
    Signal{"stretch_energy", "J", "elastic energy of stretch", share, stretch_energy},
    Signal{"total_energy", "J", "sum of the kinetic and elastic energies", share, total_energy,
           total_energy_of},
    Signal{"power_gravity", "W", "of the weight", share, power<PowerSource::gravity>},
    Signal{"power_loads", "W", "of what [load] exerts but for random forces", share,
           power<PowerSource::loads>},
    Signal{"power_muscles", "W", "of the muscles", share, power<PowerSource::muscles>},
    Signal{"power_actuation", "W", "of what [actuation] drives", share, power<PowerSource::actuation>},
    Signal{"power_drag", "W", "of the drag of fluid.kind = slender_body, negative", share,
           power<PowerSource::drag>},
    Signal{"power_damping", "W", "of rod.damping and rod.retardation_time, negative", share,
           power<PowerSource::damping>},
    Signal{"power_motions", "W", "of what [motion] exerts, over the step before", share,
           power<PowerSource::motions>},
    Signal{"work_motions", "J", "that it has done so far", share, motion_work},
    Signal{"reaction_x", "N", "force that motion.position exerts, over the step before", node, reaction<0>,
           nullptr, "motion.position or motion.rotation"},
    Signal{"reaction_y", "N", "force that motion.position exerts", node, reaction<1>, nullptr,
           "motion.position or motion.rotation"},
    Signal{"reaction_z", "N", "force that motion.position exerts", node, reaction<2>, nullptr,
           "motion.position or motion.rotation"},
    Signal{"reaction_couple_x", "N m", "couple that motion.rotation exerts, over the step before", element,
           reaction_couple<0>, nullptr, "motion.position or motion.rotation"},
    Signal{"reaction_couple_y", "N m", "couple that motion.rotation exerts", element, reaction_couple<1>,
           nullptr, "motion.position or motion.rotation"},
    Signal{"reaction_couple_z", "N m", "couple that motion.rotation exerts", element, reaction_couple<2>,
           nullptr, "motion.position or motion.rotation"},
    Signal{"power_connections", "W", "of springs, of joints that springs hold, and of bonds", share,
           power<PowerSource::connections>},
    Signal{"power_connection_damping", "W", "of their damping alone, negative in all", share,
           power<PowerSource::connection_damping>},
    Signal{"connection_energy", "J", "energy of connections, of which each of their two ends has half", share,
           connection_energy},
    Signal{"platen_force_x", "N", "force of rods on ground.platen, over the step before", share,
           platen_force<0>},
    Signal{"platen_force_y", "N", "force of rods on ground.platen", share, platen_force<1>},
    Signal{"platen_force_z", "N", "force of rods on ground.platen", share, platen_force<2>},
    Signal{"power_platen", "W", "of what ground.platen exerts on rods, over the step before", share,
           power<PowerSource::platen>},
    Signal{"work_platen", "J", "that it has done so far", share, platen_work},
    Signal{
        "touching_rods", "1",
        "rods that touch a rod, each counted at one element; over the number of rods the coordination number",
        share, of_touches<&contact::ElementTouches::rods>, nullptr, needs_contact},
    Signal{"contact_pairs", "1",
           "pairs of elements that touch, of which each element has half: they overlap (penalty), or are "
           "less than contact.tolerance apart at the end of the last step (imc, ipc)",
           share, of_touches<&contact::ElementTouches::pairs>, nullptr, needs_contact},
    Signal{"contact_force", "N", "normal force of pairs that touch, of which each element has half", share,
           of_touches<&contact::ElementTouches::force>, nullptr, needs_contact},
    Signal{"contact_force_largest", "N", "largest normal force between the element and another", element,
           of_touches<&contact::ElementTouches::largest>, nullptr, needs_contact},
    Signal{"contact_slipping", "1",
           "pairs that touch whose friction has come within 1 % of its bound: they slide, or are about to "
           "(imc, ipc: faster than 0.35 contact.slip_tolerance); each element has half",
           share, of_touches<&contact::ElementTouches::slipping>, nullptr,
           "contact.kind = penalty|imc|ipc and contact.friction"},
    Signal{"plane_load", "N", "normal force on the plane of ground.kind", share, plane_load, nullptr,
           "ground.kind = plane and ground.response = springs or model.kind = der or time.method = "
           "static|implicit"},
    Signal{
        "planes_load", "N", "normal force on all ground.planes together", share, planes_load, nullptr,
        "ground.planes and ground.response = springs or model.kind = der or time.method = static|implicit"},
    Signal{"spheres_load", "N", "normal force on all ground.spheres together, whatever its direction", share,
           solids_load<false>, nullptr,
           "ground.spheres and ground.response = springs or model.kind = der or time.method = "
           "static|implicit"},
    Signal{"cylinders_load", "N", "normal force on all ground.cylinders together, whatever its direction",
           share, solids_load<true>, nullptr,
           "ground.cylinders and ground.response = springs or model.kind = der or time.method = "
           "static|implicit"},
};

}  // namespace

std::span<const Signal> signals() { return list; }

/// Differentiates the model's natural curvature by the one given, by central differences.
double power_of_natural_curvature(const RodAtInstant& r, int node, const Vec3& rate) {
  const int i = r.closed && node == 0 ? r.rod.elements : node;
  if (!has_region(r, i)) return 0.0;
  const double size = norm(rate);
  if (size == 0.0) return 0.0;
  const double inverse = r.rod.array(field::inverse_rest_voronoi)[i - 1];
  const double step = 1e-4 * inverse / size;
  const Vec3 rest = r.rod.vec3(field::rest_curvature, i - 1);
  const Vec3 change = (0.5 / step) * (bend_and_twist(r, i, rest + step * rate).strain -
                                      bend_and_twist(r, i, rest - step * rate).strain);
  return dot(elastic_couple(r, i), change) / inverse;
}

double power_of_material_damping(const RodAtInstant& r, int node) {
  const int i = r.closed && node == 0 ? r.rod.elements : node;
  const double time = retardation_time(r);
  if (time == 0.0 || !has_region(r, i)) return 0.0;
  const Vec3 rate = curvature_rate(r, i);
  return -time * dot(scaled(bend_and_twist(r, i).stiffness, rate), rate) /
         r.rod.array(field::inverse_rest_voronoi)[i - 1];
}

/// Differentiates the potential of the tension S3 (e - lambda)/e, or S3 (e - lambda) where sections do not
/// narrow, or the energy S3 (e - lambda)^2/(2 e) of sections that have one.
double power_of_natural_stretch(const RodAtInstant& r, int i, double rate) {
  const double natural = natural_stretch(r, i);
  const double stretch = strain(r, i).z;
  const double tension = r.spec.sections_have_energy
                             ? stretch / dilatation(r, i)
                             : r.rod.section_value(std::log1p(stretch / natural), stretch);
  return -r.rod.array(field::stretch_stiffness)[i] * tension * rate /
         r.rod.array(field::inverse_rest_length)[i];
}

bool has_region(const RodAtInstant& r, int i) {
  return r.rod.array(field::bend_stiffness)[i - 1] > 0.0 || r.rod.array(field::twist_stiffness)[i - 1] > 0.0;
}

}  // namespace rodeo
