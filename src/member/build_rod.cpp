#include "rodeo/member/build_rod.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/forces/muscle_profile.hpp"
#include "rodeo/rod/natural_ends.hpp"
#include "rodeo/rod/rod_places.hpp"
#include "rodeo/rod/rod_properties.hpp"

namespace rodeo {

namespace {

using forces::ExactDamping;

/// Padding entries beyond and between the rods stand far away, each at its own place, so that their elements
/// have a length and no lane divides by zero; with no stiffness and no gain they never move and never pull.
constexpr double padding_distance = 1e6;  // m

/// Contact radius of what is not there: touches nothing, wherever the padding stands, also within hollow
/// solids and below planes, and where sections narrow, as of an element from a rod to its padding. Its square
/// with an inertia is still a number in single precision.
constexpr double padding_radius = -1e12;  // m^1.5
static_assert(padding_radius * padding_radius / (2.0 * padding_distance) >
              1e4 * padding_distance * padding_distance);

void fill_padding(const RodView& rod) {
  std::fill_n(rod.base, rod.lasting_size(), 0.0);
  clear_work(rod.work, rod.work_pitch);
  for (int i = -1; i < rod.pitch - field_front; ++i) {
    rod.set_vec3(field::position, i, {padding_distance, padding_distance, padding_distance + i});
    rod.set_quaternion(i, {});
    rod.array(field::contact_radius)[i] = padding_radius;
    for (const int f : {field::inverse_rest_length, field::inverse_rest_voronoi, field::velocity_decay,
                        field::bend_rate_decay, field::twist_rate_decay}) {
      rod.array(f)[i] = 1.0;
    }
    if (!rod.circular) rod.array(field::second_bend_rate_decay)[i] = 1.0;
  }
}

bool holds_element(EndCondition end) { return end == EndCondition::clamped_element; }

bool holds_node(EndCondition end) {
  return end == EndCondition::clamped || end == EndCondition::pinned || holds_element(end);
}

bool holds_directors(EndCondition end) {
  return end == EndCondition::clamped || end == EndCondition::clamped_sliding;
}

/// Whether a motion turns the directors of an end of a rod.
bool turns_end(const MemberSpec& spec, int rod, MotionKind end) {
  return std::ranges::any_of(
      spec.motions, [&](const MotionSpec& motion) { return motion.rod == rod && motion.kind == end; });
}

bool slides(EndCondition end) {
  return end == EndCondition::pinned_sliding || end == EndCondition::clamped_sliding;
}

/// Shape and properties of a rod, which follow from its RodSpec alone.
struct Blueprint {
  InitialShape shape;
  RodProperties properties;

  explicit Blueprint(const RodSpec& rod)
      : shape(initial_shape(rod)), properties(rod_properties(rod, shape)) {}
};

Vec3 start_position(const RodSpec& s, const InitialShape& shape, std::size_t node) {
  return s.start && !s.start->positions.empty() ? s.start->positions[node] : shape.nodes[node];
}

/// Start velocity of a node, m/s; zero for an equilibrium.
Vec3 start_velocity(const MemberSpec& spec, std::size_t node) {
  if (spec.rests()) return {};
  const RodSpec& s = spec.rod;
  return s.start && !s.start->velocities.empty() ? s.start->velocities[node] : s.velocity;
}

Quaternion start_orientation(const RodSpec& s, const InitialShape& shape, std::size_t element) {
  return s.start && !s.start->orientations.empty() ? s.start->orientations[element]
                                                   : shape.frames[element + 1];
}

Vec3 start_angular_velocity(const MemberSpec& spec, std::size_t element) {
  const RodSpec& s = spec.rod;
  if (spec.rests() || !s.start || s.start->angular_velocities.empty()) return {};
  const Vec3& turning = s.start->angular_velocities[element];
  // Elements of der turn with their nodes, but for the spin about their tangents.
  return spec.model == ModelKind::der ? Vec3{0.0, 0.0, turning.z} : turning;
}

/// Fills the arrays of nodes. The drag of a node is that of the adjacent halves of its elements.
void build_nodes(const MemberSpec& spec, const Blueprint& made, const RodView& rod) {
  const RodSpec& s = spec.rod;
  const forces::DampingLaw law = forces::damping_law(s);
  for (int i = 0; i < rod.nodes(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool end = !s.closed && (i == 0 || i == s.elements);
    const double mass = made.properties.masses[k];
    const double length = rod.array(field::rest_length)[i - 1] + rod.array(field::rest_length)[i];
    const ExactDamping damping(law.of_node(length, mass), mass, spec.time.step);
    const bool held =
        (i == 0 && holds_node(spec.boundary.first)) || (i == s.elements && holds_node(spec.boundary.last));
    rod.set_vec3(field::position, i, start_position(s, made.shape, k));
    const bool sliding =
        (i == 0 && slides(spec.boundary.first)) || (i == s.elements && slides(spec.boundary.last));
    Vec3 velocity = held ? Vec3{} : start_velocity(spec, k);
    if (sliding) velocity = dot(velocity, s.direction) * s.direction;
    rod.set_vec3(field::velocity, i, velocity);
    rod.array(field::mass)[i] = mass;
    rod.array(field::force_share)[i] = end ? 1.0 : 0.5;
    rod.array(field::velocity_decay)[i] = damping.decay;
    rod.array(field::velocity_gain)[i] = held ? 0.0 : damping.gain;
  }
}

/// Fills the arrays that only elements with unlike axes d1 and d2 have.
void build_second_axis(const forces::DampingLaw& law, const RodProperties& properties, double step,
                       const RodView& rod, int i) {
  const double inertia = rod.array(field::bend_inertia)[i];
  const double second = properties.second_inertia_ratio * inertia;
  const double length = rod.array(field::rest_length)[i];
  const ExactDamping bend(law.of_element(length, second, rod.array(field::contact_radius)[i]), second, step);
  rod.array(field::second_shear_stiffness)[i] =
      properties.second_shear_ratio * rod.array(field::shear_stiffness)[i];
  rod.array(field::second_bend_inertia)[i] = second;
  rod.array(field::twist_inertia)[i] = properties.twist_inertia_ratio * inertia;
  rod.array(field::second_bend_rate_decay)[i] = bend.decay;
  rod.array(field::second_bend_rate_gain)[i] = bend.gain;
}

void build_elements(const MemberSpec& spec, const Blueprint& made, const RodView& rod) {
  const RodSpec& s = spec.rod;
  const forces::DampingLaw law = forces::damping_law(s);
  for (int i = 0; i < s.elements; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double length = made.shape.rest_lengths[k];
    const double inertia = made.properties.bend_inertias[k];
    const double contact_radius = made.properties.radii[k] * std::sqrt(length);
    const ExactDamping bend(law.of_element(length, inertia, contact_radius), inertia, spec.time.step);
    const double twist_inertia = made.properties.twist_inertia_ratio * inertia;
    const ExactDamping twist(law.of_element(length, twist_inertia, contact_radius), twist_inertia,
                             spec.time.step);
    const bool held = (i == 0 && holds_element(spec.boundary.first)) ||
                      (i == s.elements - 1 && holds_element(spec.boundary.last));
    rod.set_quaternion(i, start_orientation(s, made.shape, k));
    rod.set_vec3(field::angular_velocity, i, held ? Vec3{} : start_angular_velocity(spec, k));
    rod.array(field::rest_length)[i] = length;
    rod.array(field::natural_stretch)[i] = 1.0;
    rod.array(field::inverse_rest_length)[i] = 1.0 / length;
    rod.array(field::shear_stiffness)[i] = made.properties.shear_stiffnesses[k];
    rod.array(field::stretch_stiffness)[i] = made.properties.stretch_stiffnesses[k];
    rod.array(field::bend_inertia)[i] = inertia;
    rod.array(field::contact_radius)[i] = contact_radius;
    rod.array(field::half_taper)[i] = made.properties.half_tapers[k];
    rod.array(field::bend_rate_decay)[i] = bend.decay;
    rod.array(field::bend_rate_gain)[i] = bend.gain;
    rod.array(field::twist_rate_decay)[i] = twist.decay;
    rod.array(field::twist_rate_gain)[i] = twist.gain;
    if (!rod.circular) build_second_axis(law, made.properties, spec.time.step, rod, i);
  }
  if (s.closed) boundary::Closure::fill_ghost_elements(rod.array(field::rest_length), s.elements);
}

/// The amplitudes of the muscles' wave: couples stand at interior nodes, forces at the middles of elements.
void build_muscles(const MemberSpec& spec, double first_phase, const Blueprint& made, const RodView& rod) {
  const MuscleSpec& muscle = spec.muscle;
  const bool at_nodes = muscle.kind == MuscleKind::couple;
  const std::span inner(muscle.amplitudes.data(), static_cast<std::size_t>(muscle.amplitude_count));
  for (int i = 0; i < spec.rod.elements - (at_nodes ? 1 : 0); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double place = at_nodes ? made.shape.arc_lengths[k + 1] : made.shape.middle(k);
    const double amplitude = forces::muscle_profile(inner, place / spec.rod.length);
    const double angle = muscle.wave_number * place + (muscle.phase - first_phase);
    rod.array(field::muscle_cosine)[i] = amplitude * std::cos(angle);
    rod.array(field::muscle_sine)[i] = amplitude * std::sin(angle);
  }
}

/// Drag across the rod, per length and velocity: 4 pi mu/ln(L/r) of eq. 4.13.
void build_drag(const MemberSpec& spec, const Blueprint& made, const RodView& rod) {
  double* const half_drag = rod.array(field::half_drag);
  for (int i = 0; i < spec.rod.elements; ++i) {
    const double radius = made.properties.radii[static_cast<std::size_t>(i)];
    half_drag[i] = 2.0 * M_PI * spec.fluid.viscosity / std::log(spec.rod.length / radius);
  }
  if (spec.rod.closed) boundary::Closure::fill_ghost_elements(half_drag, spec.rod.elements);
}

void build_region(const Blueprint& made, const RodView& rod, int i) {
  const auto k = static_cast<std::size_t>(i + 1);
  rod.array(field::inverse_rest_voronoi)[i] = 1.0 / made.shape.rest_voronoi[k];
  rod.set_bend_twist_stiffness(i, made.properties.bend_twist_stiffness(k));
  rod.set_vec3(field::rest_curvature, i, made.shape.rest_curvatures[k]);
}

/// The half region at an end whose directors a motion turns, as it is while they are free: a motion gives it
/// its stiffness.
void build_free_half_region(const RodSpec& s, const Blueprint& made, const RodView& rod, MotionKind end) {
  const bool is_first = end == MotionKind::first_end;
  const int region = is_first ? -1 : rod.elements - 1;
  rod.set_quaternion(is_first ? -1 : rod.elements, end_directors(s, made.shape)[is_first ? 0 : 1]);
  build_region(made, rod, region);
  rod.set_bend_twist_stiffness(region, {});
}

void build_regions(const MemberSpec& spec, const Blueprint& made, const RodView& rod) {
  const int n = spec.rod.elements;
  for (int i = 0; i + 1 < n; ++i) build_region(made, rod, i);
  if (holds_directors(spec.boundary.first)) {
    rod.set_quaternion(-1, made.shape.frames.front());
    build_region(made, rod, -1);
  }
  if (holds_element(spec.boundary.first)) rod.set_quaternion(-1, rod.quaternion(0));
  if (holds_element(spec.boundary.last)) rod.set_quaternion(n, rod.quaternion(n - 1));
  if (holds_directors(spec.boundary.last) || spec.rod.closed) {
    rod.set_quaternion(n, made.shape.frames.back());
    build_region(made, rod, n - 1);
  }
}

/// Half of the motion for each end, or all of it for one. A positive twist turns the last end ahead of the
/// first.
boundary::PrescribedMotion make_motion(const MemberSpec& spec, const InitialShape& shape) {
  const BoundarySpec& b = spec.boundary;
  const double first = b.driven == DrivenEnds::both ? 0.5 : b.driven == DrivenEnds::first ? 1.0 : 0.0;
  const double last = 1.0 - first;
  boundary::PrescribedMotion motion;
  motion.axis = spec.rod.direction;
  motion.duration = b.motion_time;
  const std::size_t end = shape.frames.size() - 1;
  const Quaternion& first_frame = shape.frames[holds_element(b.first) ? 1 : 0];
  const Quaternion& last_frame = shape.frames[holds_element(b.last) ? end - 1 : end];
  motion.first = {shape.nodes.front(), first_frame, first * b.slack, -first * b.twist};
  motion.last = {shape.nodes.back(), last_frame, -last * b.slack, last * b.twist};
  return motion;
}

/// One rod, in its part of a member's arrays; the muscles of the member's first rod have `first_phase`.
void build_rod(const MemberSpec& spec, double first_phase, const Blueprint& made, const RodView& rod) {
  build_elements(spec, made, rod);
  build_nodes(spec, made, rod);
  build_regions(spec, made, rod);
  if (spec.muscle.kind != MuscleKind::none) build_muscles(spec, first_phase, made, rod);
  if (spec.fluid.acts_by(FluidKind::slender_body)) build_drag(spec, made, rod);
  if (spec.rod.closed) boundary::Closure{true, made.shape.seam}.fill_ghosts(rod);
}

/// An end node as one rod has it, which another rod may share.
struct EndNode {
  double mass;
  double drag;  ///< of the damping, kg/s
  Vec3 momentum;
};

EndNode end_node(const MemberSpec& spec, const RodView& rod, int i) {
  const double mass = rod.array(field::mass)[i];
  const double rest_length = rod.array(field::rest_length)[i == 0 ? 0 : i - 1];
  return {mass, forces::damping_law(spec.rod).of_node(rest_length, mass),
          mass * start_velocity(spec, static_cast<std::size_t>(i))};
}

/// Makes the last node of a rod and the first of the next, which stand in one entry, one.
void join_nodes(const RodView& rod, const EndNode& before, const EndNode& after, double step) {
  const double mass = before.mass + after.mass;
  const ExactDamping damping(before.drag + after.drag, mass, step);
  rod.set_vec3(field::velocity, 0, (1.0 / mass) * (before.momentum + after.momentum));
  rod.array(field::mass)[0] = mass;
  rod.array(field::force_share)[0] = 0.5;
  rod.array(field::velocity_decay)[0] = damping.decay;
  rod.array(field::velocity_gain)[0] = damping.gain;
}

/// The inverse of a symmetric matrix, by rows.
void invert(const Vec3 (&m)[3], Vec3 (&inverse)[3]) {
  const double scale = 1.0 / dot(m[0], cross(m[1], m[2]));
  for (int i = 0; i < 3; ++i) inverse[i] = scale * cross(m[(i + 1) % 3], m[(i + 2) % 3]);
}

/// Half of the last element of `before` and half of the first of `after` in series: their compliances add.
/// The angle is that of the rods' own shapes, wherever motion starts, and both halves have their natural
/// curvature.
boundary::RigidJoint make_joint(const Blueprint& before, const Blueprint& after) {
  boundary::RigidJoint joint;
  joint.exists = true;
  joint.rest = conjugate(natural_last_frame(before.shape)) * natural_first_frame(after.shape);
  const double half_before = before.shape.rest_voronoi.back();
  const double half_after = after.shape.rest_voronoi.front();
  const double bend_before = before.properties.bend_stiffnesses.back();
  const double bend_after = after.properties.bend_stiffnesses.front();
  const double twist_stiffness_before = before.properties.twist_stiffnesses.back();
  const double twist_stiffness_after = after.properties.twist_stiffnesses.front();
  joint.inverse_rest_voronoi = 1.0 / (half_before + half_after);
  const double share_before = half_before * joint.inverse_rest_voronoi;
  const double share_after = half_after * joint.inverse_rest_voronoi;
  // Compliance of a half: 1/B1 (I - d3 d3') + (1/B2 - 1/B1) d2 d2' + 1/B3 d3 d3', with its own directors.
  const double bend = share_before / bend_before + share_after / bend_after;
  const double twist_before = share_before * (1.0 / twist_stiffness_before - 1.0 / bend_before);
  const double twist_after = share_after * (1.0 / twist_stiffness_after - 1.0 / bend_after);
  const auto [d1, v, u] = directors(joint.rest);
  const double second_before = share_before * (1.0 / before.properties.second_bend_ratio - 1.0) / bend_before;
  const double second_after = share_after * (1.0 / after.properties.second_bend_ratio - 1.0) / bend_after;
  const Vec3 compliance[3] = {
      Vec3{bend, 0, 0} + (twist_after * u.x) * u + (second_after * v.x) * v,
      Vec3{0, bend + second_before, 0} + (twist_after * u.y) * u + (second_after * v.y) * v,
      Vec3{0, 0, bend + twist_before} + (twist_after * u.z) * u + (second_after * v.z) * v};
  invert(compliance, joint.stiffness);
  return joint;
}

/// Collects what acts on one rod alone. A last end that is joined to the next rod bears no end load.
RodData make_one_rod(const MemberSpec& spec, const RodPlace& place, bool joined_to_next) {
  const BoundarySpec& boundary = spec.boundary;
  RodData data;
  data.first = place.first;
  data.elements = place.elements;
  data.shares_first_node = place.joint != JointKind::none;
  if (!joined_to_next) data.end_load = forces::EndLoad::of(spec);
  data.forces = RodForces::of(spec);
  data.damping = {forces::damping_law(spec.rod), spec.rod.damping_decay_time, spec.time.step,
                  spec.rod.retardation_time};
  data.sliding.axis = spec.rod.direction;
  data.sliding.first = slides(boundary.first);
  data.sliding.last = slides(boundary.last);
  data.held_elements = {holds_element(boundary.first), holds_element(boundary.last)};
  data.clamp.first = holds_directors(boundary.first);
  data.clamp.last = holds_directors(boundary.last);
  const InitialShape shape = initial_shape(spec.rod);
  const RodProperties properties = rod_properties(spec.rod, shape);
  data.end_masses[0] = properties.masses.front();
  data.end_masses[1] = properties.masses.back();
  data.motion = make_motion(spec, shape);
  data.closure = {spec.rod.closed, shape.seam};
  return data;
}

/// Whether the muscles of a member's rods differ in more than its arrays tell.
bool muscles_differ(const MemberSpec& spec) {
  const double phase = spec.muscle.phase;
  const forces::Muscle first = forces::Muscle::of(spec.muscle, phase);
  return std::ranges::any_of(spec.further_rods, [&](const RodSetup& rod) {
    return !(forces::Muscle::of(rod.muscle, phase) == first);
  });
}

bool is_joined_to_next(const std::vector<RodPlace>& places, std::size_t k) {
  return k + 1 < places.size() && places[k + 1].joint != JointKind::none;
}

/// Rod k of a member alone, with its joined ends free.
MemberSpec rod_to_build(const MemberSpec& spec, const std::vector<RodPlace>& places, std::size_t k) {
  MemberSpec one = rod_alone(spec, static_cast<int>(k));
  if (places[k].joint != JointKind::none) one.boundary.first = EndCondition::free;
  if (is_joined_to_next(places, k)) one.boundary.last = EndCondition::free;
  return one;
}

}  // namespace

void build_rods(const MemberSpec& spec, const RodView& member) {
  fill_padding(member);
  const std::vector<RodPlace> places = rod_places(spec);
  EndNode last{};
  for (std::size_t k = 0; k < places.size(); ++k) {
    const MemberSpec one = rod_to_build(spec, places, k);
    const RodView rod = member.part(places[k].first, places[k].elements);
    const Blueprint made(one.rod);
    build_rod(one, spec.muscle.phase, made, rod);
    for (const MotionKind end : {MotionKind::first_end, MotionKind::last_end}) {
      if (turns_end(spec, static_cast<int>(k), end)) build_free_half_region(one.rod, made, rod, end);
    }
    if (places[k].joint != JointKind::none) {
      join_nodes(rod, last, end_node(one, rod, 0), spec.time.step);
    }
    last = end_node(one, rod, rod.elements);
  }
  if (!forces::is_actuated(spec)) return;
  forces::ActuationTable actuation(spec);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const RodView rod = member.part(places[k].first, places[k].elements);
    actuation.of_rod(k).renew_natural_strains(OneThread{}, rod, 0.0);
  }
}

MemberData make_member_data(const MemberSpec& spec, std::uint64_t seed, std::size_t offset) {
  MemberData data;
  data.offset = offset;
  data.elements = array_elements(spec);
  data.rods = spec.rod_count();
  data.step = spec.time.step;
  data.sections_shrink = spec.sections_shrink;
  data.sections_have_energy = spec.sections_have_energy;
  data.circular = spec.has_circular_sections();
  data.actuated = forces::is_actuated(spec);
  data.forces = Forces::of(spec, seed);
  data.muscles_differ = muscles_differ(spec);
  if (!data.muscles_differ) data.muscle = forces::Muscle::of(spec.muscle, spec.muscle.phase);
  return data;
}

std::vector<boundary::Motion> make_motions(const MemberSpec& spec, std::vector<double>& tables) {
  const std::vector<RodPlace> places = rod_places(spec);
  std::vector<boundary::Motion> motions;
  for (const MotionSpec& s : spec.motions) {
    const RodPlace& rod = places[static_cast<std::size_t>(s.rod)];
    boundary::Motion& motion = motions.emplace_back();
    motion.kind = s.kind;
    motion.place = rod.first + s.index;
    std::ranges::copy(s.held, motion.held);
    motion.axis = s.axis;
    motion.shears = spec.shears;
    motion.first_step = s.first_step;
    motion.last_step = s.last_step;
    motion.course = compile_all(s.course, tables);
    motion.rod = s.rod;
    motion.rod_first = rod.first;
    motion.rod_elements = rod.elements;
    const RodSpec own = rod_alone(spec, s.rod).rod;
    if (s.kind == MotionKind::node && own.closed && s.index == 0) motion.ghost = rod.first + rod.elements;
    if (!motion.holds_end()) continue;
    const Blueprint made(own);
    const bool is_first = s.kind == MotionKind::first_end;
    const std::size_t region = is_first ? 0 : static_cast<std::size_t>(rod.elements);
    motion.stiffness = made.properties.bend_twist_stiffness(region);
    motion.alone = s.alone;
    if (s.alone) motion.stiffness = {0.0, 0.0, motion.stiffness.z};
    motion.begins_with_rod = s.first_step == 0;
    motion.directors_at_start = end_directors(own, made.shape)[is_first ? 0 : 1];
    if (!is_first && !is_joined_to_next(places, static_cast<std::size_t>(s.rod))) {
      const forces::EndLoad load = forces::EndLoad::of(rod_alone(spec, s.rod));
      motion.end_couple = load.couple;
      motion.end_course = load.course;
    }
    for (std::size_t k = 0; k + 1 < motions.size(); ++k) {
      const MotionSpec& other = spec.motions[k];
      const bool is_same = other.rod == s.rod && other.kind == s.kind;
      if (is_same && other.last_step == s.first_step) motion.goes_on_from = static_cast<int>(k);
    }
  }
  return motions;
}

std::vector<RodData> make_rod_data(const MemberSpec& spec) {
  const std::vector<RodPlace> places = rod_places(spec);
  const bool own_muscles = muscles_differ(spec);
  std::vector<RodData> rods;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const MemberSpec one = rod_to_build(spec, places, k);
    rods.push_back(make_one_rod(one, places[k], is_joined_to_next(places, k)));
    if (own_muscles) rods.back().muscle = forces::Muscle::of(one.muscle, spec.muscle.phase);
    if (places[k].joint == JointKind::rigid) {
      rods.back().joint =
          make_joint(Blueprint(rod_alone(spec, static_cast<int>(k) - 1).rod), Blueprint(one.rod));
    }
  }
  return rods;
}

}  // namespace rodeo
