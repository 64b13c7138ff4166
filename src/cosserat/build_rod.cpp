#include "rodeo/cosserat/build_rod.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/forces/muscle_profile.hpp"
#include "rodeo/rod/rod_properties.hpp"

namespace rodeo::cosserat {

namespace {

using forces::ExactDamping;

/// Padding entries beyond the rod stand far away, each at its own place, so that their elements have a length
/// and no lane divides by zero; with no stiffness and no gain they never move and never pull.
constexpr double padding_distance = 1e8;  // m

/// Contact radius of what is not there: touches nothing, wherever the padding stands.
constexpr double padding_radius = -1e20;  // m^1.5

void fill_padding(const RodView& rod) {
  std::fill_n(rod.base, static_cast<std::ptrdiff_t>(field::count) * rod.pitch, 0.0);
  for (int i = -1; i < rod.pitch - field_front; ++i) {
    rod.set_vec3(field::position, i, {padding_distance, padding_distance, padding_distance + i});
    rod.set_quaternion(i, {});
    rod.array(field::contact_radius)[i] = padding_radius;
    for (const int f :
         {field::length, field::inverse_length, field::inverse_rest_length, field::inverse_rest_voronoi,
          field::velocity_decay, field::bend_rate_decay, field::twist_rate_decay}) {
      rod.array(f)[i] = 1.0;
    }
  }
}

bool holds_node(EndCondition end) { return end == EndCondition::clamped || end == EndCondition::pinned; }

bool holds_directors(EndCondition end) {
  return end == EndCondition::clamped || end == EndCondition::clamped_sliding;
}

bool slides(EndCondition end) {
  return end == EndCondition::pinned_sliding || end == EndCondition::clamped_sliding;
}

/// What a rod is made of: all that follows from its RodSpec alone.
struct Blueprint {
  InitialShape shape;
  RodProperties properties;

  explicit Blueprint(const RodSpec& rod)
      : shape(initial_shape(rod)), properties(rod_properties(rod, shape)) {}
};

/// Drag of a node is that of the halves of its elements next to it.
void build_nodes(const MemberSpec& spec, const Blueprint& made, const RodView& rod) {
  const RodSpec& s = spec.rod;
  for (int i = 0; i < rod.nodes(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool end = !s.closed && (i == 0 || i == s.elements);
    const double mass = made.properties.masses[k];
    const double drag =
        0.5 * s.damping * (rod.array(field::rest_length)[i - 1] + rod.array(field::rest_length)[i]);
    const ExactDamping damping(drag, mass, spec.time.step);
    const bool held =
        (i == 0 && holds_node(spec.boundary.first)) || (i == s.elements && holds_node(spec.boundary.last));
    rod.set_vec3(field::position, i, made.shape.nodes[k]);
    rod.set_vec3(field::velocity, i, held ? Vec3{} : s.velocity);
    rod.array(field::mass)[i] = mass;
    rod.array(field::force_share)[i] = end ? 1.0 : 0.5;
    rod.array(field::velocity_decay)[i] = damping.decay;
    rod.array(field::velocity_gain)[i] = held ? 0.0 : damping.gain;
  }
}

void build_elements(const MemberSpec& spec, const Blueprint& made, const RodView& rod) {
  const RodSpec& s = spec.rod;
  for (int i = 0; i < s.elements; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double length = made.shape.rest_lengths[k];
    const double inertia = made.properties.bend_inertias[k];
    const ExactDamping bend(s.damping * length, inertia, spec.time.step);
    const ExactDamping twist(s.damping * length, 2.0 * inertia, spec.time.step);
    rod.set_quaternion(i, made.shape.frames[k + 1]);
    rod.array(field::rest_length)[i] = length;
    rod.array(field::inverse_rest_length)[i] = 1.0 / length;
    rod.array(field::shear_stiffness)[i] = made.properties.shear_stiffnesses[k];
    rod.array(field::stretch_stiffness)[i] = made.properties.stretch_stiffnesses[k];
    rod.array(field::bend_inertia)[i] = inertia;
    rod.array(field::contact_radius)[i] = made.properties.radii[k] * std::sqrt(length);
    rod.array(field::bend_rate_decay)[i] = bend.decay;
    rod.array(field::bend_rate_gain)[i] = bend.gain;
    rod.array(field::twist_rate_decay)[i] = twist.decay;
    rod.array(field::twist_rate_gain)[i] = twist.gain;
  }
  rod.array(field::rest_length)[-1] = s.closed ? made.shape.rest_lengths.back() : 0.0;
  rod.array(field::rest_length)[s.elements] = s.closed ? made.shape.rest_lengths.front() : 0.0;
}

/// The amplitudes of the muscles' wave: couples stand at interior nodes, forces at the middles of elements.
void build_muscles(const MemberSpec& spec, const Blueprint& made, const RodView& rod) {
  const MuscleSpec& muscle = spec.muscle;
  const bool at_nodes = muscle.kind == MuscleKind::couple;
  const std::span inner(muscle.amplitudes.data(), static_cast<std::size_t>(muscle.amplitude_count));
  for (int i = 0; i < spec.rod.elements - (at_nodes ? 1 : 0); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double place = at_nodes ? made.shape.arc_lengths[k + 1] : made.shape.middle(k);
    const double amplitude = forces::muscle_profile(inner, place / spec.rod.length);
    const double angle = muscle.wave_number * place;
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
  if (!spec.rod.closed) return;
  half_drag[-1] = half_drag[spec.rod.elements - 1];
  half_drag[spec.rod.elements] = half_drag[0];
}

forces::Muscle make_muscle(const MuscleSpec& spec) {
  forces::Muscle muscle;
  muscle.kind = spec.kind;
  muscle.in_laboratory = spec.in_laboratory;
  muscle.axis = spec.axis;
  muscle.period = spec.period;
  muscle.phase = spec.phase;
  return muscle;
}

void build_region(const Blueprint& made, const RodView& rod, int i) {
  const auto k = static_cast<std::size_t>(i + 1);
  rod.array(field::inverse_rest_voronoi)[i] = 1.0 / made.shape.rest_voronoi[k];
  rod.array(field::bend_stiffness)[i] = made.properties.bend_stiffnesses[k];
  rod.array(field::twist_stiffness)[i] = made.properties.twist_stiffnesses[k];
  rod.set_vec3(field::rest_curvature, i, made.shape.rest_curvatures[k]);
}

/// Half regions have no stiffness where no directors are held.
void build_regions(const MemberSpec& spec, const Blueprint& made, const RodView& rod) {
  const int n = spec.rod.elements;
  for (int i = 0; i + 1 < n; ++i) build_region(made, rod, i);
  rod.set_quaternion(-1, made.shape.frames.front());
  rod.set_quaternion(n, made.shape.frames.back());
  if (holds_directors(spec.boundary.first)) build_region(made, rod, -1);
  if (holds_directors(spec.boundary.last) || spec.rod.closed) build_region(made, rod, n - 1);
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
  motion.first = {shape.nodes.front(), shape.frames.front(), first * b.slack, -first * b.twist};
  motion.last = {shape.nodes.back(), shape.frames.back(), -last * b.slack, last * b.twist};
  return motion;
}

}  // namespace

void build_rod(const MemberSpec& spec, const RodView& rod) {
  const Blueprint made(spec.rod);
  fill_padding(rod);
  build_elements(spec, made, rod);
  build_nodes(spec, made, rod);
  build_regions(spec, made, rod);
  if (spec.muscle.kind != MuscleKind::none) build_muscles(spec, made, rod);
  if (spec.fluid.viscosity > 0.0) build_drag(spec, made, rod);
  const boundary::Closure closure{spec.rod.closed, made.shape.seam};
  if (closure.closed) closure.copy_state(rod);
}

forces::Ground make_ground(const MemberSpec& spec) {
  constexpr double touch_margin_per_radius = 1e-6;
  const RodSpec& rod = spec.rod;
  const FrictionCoefficients& at_rest = spec.ground.static_friction;
  const FrictionCoefficients& sliding = spec.ground.kinetic_friction;
  forces::Ground ground;
  ground.exists = spec.ground.exists;
  ground.normal = spec.ground.normal;
  ground.offset = dot(spec.ground.normal, spec.ground.origin);
  ground.stiffness = spec.ground.stiffness;
  ground.damping = spec.ground.damping;
  ground.axial_friction = {at_rest.forward, at_rest.backward, sliding.forward, sliding.backward};
  ground.rolling_friction = {at_rest.rolling, at_rest.rolling, sliding.rolling, sliding.rolling};
  ground.inverse_threshold = 1.0 / spec.ground.velocity_threshold;
  ground.inverse_step = 1.0 / spec.time.step;
  ground.touch_margin = touch_margin_per_radius * rod.radius * std::min(1.0, rod.end_radius_ratio);
  return ground;
}

MemberData make_member_data(const MemberSpec& spec, std::uint64_t seed, std::size_t offset) {
  const InitialShape shape = initial_shape(spec.rod);
  MemberData data;
  data.offset = offset;
  data.elements = spec.rod.elements;
  data.step = spec.time.step;
  data.forces.gravity.acceleration = spec.load.gravity;
  data.forces.perturbation.amplitude = spec.load.perturbation;
  data.forces.perturbation.duration = spec.load.perturbation_duration;
  data.forces.middle = {spec.load.middle_force, spec.load.perturbation_duration};
  data.forces.perturbation.stream = {seed, RandomUse::perturbation};
  data.forces.distributed_couple.couple = (1.0 / spec.rod.length) * spec.load.distributed_couple;
  if (spec.ground.exists) data.forces.ground = make_ground(spec);
  data.forces.contact = contact::make_penalty(spec);
  data.end_load.force = spec.load.end_force - spec.load.axial_force * spec.rod.direction;
  data.end_load.couple = spec.load.end_couple;
  data.end_load.ramp_time = spec.load.ramp_time;
  data.end_load.couple_frequency = spec.load.couple_frequency;
  data.end_load.acts = dot(data.end_load.force, data.end_load.force) > 0.0 ||
                       dot(data.end_load.couple, data.end_load.couple) > 0.0;
  data.forces.drag.present = spec.fluid.viscosity > 0.0;
  data.muscle = make_muscle(spec.muscle);
  data.sliding.axis = spec.rod.direction;
  data.sliding.first = slides(spec.boundary.first);
  data.sliding.last = slides(spec.boundary.last);
  data.clamp.first = holds_directors(spec.boundary.first);
  data.clamp.last = holds_directors(spec.boundary.last);
  data.motion = make_motion(spec, shape);
  data.closure = {spec.rod.closed, shape.seam};
  data.damping = {spec.rod.damping, spec.rod.damping_decay_time, spec.time.step};
  return data;
}

}  // namespace rodeo::cosserat
