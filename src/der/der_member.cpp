#include "rodeo/der/der_member.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/cosserat/sample.hpp"
#include "rodeo/der/elastic_energy.hpp"

namespace rodeo::der {

namespace {

/// Steps that have to converge before a halved step is doubled again.
constexpr int steps_before_growth = 4;

bool holds_node(EndCondition end) { return end == EndCondition::clamped || end == EndCondition::pinned; }

EndFreedom freedom(EndCondition end, const Vec3& axis) {
  return {holds_node(end), !holds_node(end) && end != EndCondition::free, axis};
}

RodStep make_rod_step(const MemberSpec& spec, const RodView& rod) {
  RodStep step(rod);
  step.start.resize(static_cast<std::size_t>(degrees_of_freedom(rod.elements)));
  step.couple.resize(static_cast<std::size_t>(rod.elements));
  step.ends[0] = freedom(spec.boundary.first, spec.rod.direction);
  step.ends[1] = freedom(spec.boundary.last, spec.rod.direction);
  return step;
}

/// newton.tolerance times the scale of the forces, B/L^2, but never below what rounding of the positions
/// leaves of the forces of stretch and inertia.
double force_tolerance(const MemberSpec& spec) {
  const RodSpec& rod = spec.rod;
  const double element_length = rod.length / rod.elements;
  const double mass = rod.density * M_PI * rod.radius * rod.radius * element_length;
  const double reach = rod.length + norm(rod.origin);
  const double rounding = std::numeric_limits<double>::epsilon() * reach * std::sqrt(rod.elements + 1.0) *
                          (rod.stretch_stiffness / element_length + mass / (spec.time.step * spec.time.step));
  return std::max(spec.newton.tolerance * rod.bend_stiffness / (rod.length * rod.length), 4.0 * rounding);
}

void save_start(RodStep& step) {
  const RodView& rod = step.rod;
  for (int i = 0; i <= rod.elements; ++i) {
    const Vec3 r = rod.vec3(field::position, i);
    const auto k = static_cast<std::size_t>(4 * i);
    step.start[k] = r.x;
    step.start[k + 1] = r.y;
    step.start[k + 2] = r.z;
  }
}

/// Takes back what was done to the ends for a step that did not converge.
void restore_ends(const RodStep& step) {
  for (const int i : {0, step.rod.elements}) {
    const double* const r = step.start.data() + 4 * i;
    step.rod.set_vec3(field::position, i, {r[0], r[1], r[2]});
  }
}

Directors directors_of(const RodView& rod, int i) { return directors(rod.quaternion(i)); }

}  // namespace

DerMember::DerMember(const MemberSpec& spec, const RodView& rod)
    : solver_({make_rod_step(spec, rod)}, force_tolerance(spec), spec.newton.iterations),
      most_halvings_(spec.newton.halvings) {}

std::int64_t DerMember::advance(const HostTeam& team, const cosserat::MemberData& member,
                                const cosserat::SliceTask& task) {
  for (std::int64_t k = 0; k < task.steps; ++k) {
    if (!advance_step(team, member, static_cast<double>(task.first_step + k))) {
      counts_.failed = true;
      return k;
    }
  }
  return task.steps;
}

/// The deck's step from `index` to index + 1, in units of its length.
bool DerMember::advance_step(const HostTeam& team, const cosserat::MemberData& member, double index) {
  const std::int64_t parts = std::int64_t{1} << most_halvings_;  // the smallest that the step may fall into
  const double part_length = 1.0 / static_cast<double>(parts);
  for (std::int64_t done = 0; done < parts;) {
    const std::int64_t length = parts >> halvings_;
    prepare(team, member, (index + static_cast<double>(done + length) * part_length) * member.step);
    if (converges(static_cast<double>(length) * part_length * member.step)) {
      done += length;
      ++since_change_;
      const bool fits = done % (2 * length) == 0;
      if (halvings_ > 0 && since_change_ >= steps_before_growth && fits) change_halvings(-1);
    } else if (halvings_ < most_halvings_) {
      change_halvings(1);
    } else {
      return false;
    }
  }
  return true;
}

bool DerMember::converges(double step) {
  const NewtonOutcome outcome = solver_.advance(step);
  counts_.iterations += outcome.iterations;
  if (outcome.converged)
    ++counts_.steps;
  else
    for (const RodStep& rod : solver_.rods()) restore_ends(rod);
  return outcome.converged;
}

void DerMember::change_halvings(int by) {
  halvings_ += by;
  since_change_ = 0;
}

/// Sets what acts on the rods in a step that ends at `time`.
void DerMember::prepare(const HostTeam& team, const cosserat::MemberData& member, double time) {
  RodStep& step = solver_.rods().front();
  const RodView& rod = step.rod;
  save_start(step);
  if (member.motion.acts(time, member.step)) member.motion.place(team, rod, time);
  member.forces.evaluate(team, rod, time);
  for (int i = 0; i < rod.elements; ++i) {
    step.couple[static_cast<std::size_t>(i)] =
        directors_of(rod, i).to_laboratory(rod.vec3(field::external_couple, i));
  }
  if (member.end_load.acts) {
    const int n = rod.elements;
    member.end_load.apply(team, rod, time);
    rod.set_vec3(field::external_force, n,
                 rod.vec3(field::external_force, n) + rod.vec3(field::internal_force, n));
    Vec3& last = step.couple.back();
    last = last + directors_of(rod, n - 1).to_laboratory(rod.vec3(field::bend_couple, n - 1));
  }
  const double fall = member.damping.acts() ? std::exp(-time / member.damping.decay_time) : 1.0;
  step.drag = fall * member.damping.drag;
}

cosserat::Sample DerMember::sample(const HostTeam& team, const cosserat::MemberData& member) const {
  const RodStep& step = solver_.rods().front();
  const RodView& rod = step.rod;
  cosserat::Sample sample = cosserat::take_sample(team, rod, member.step);
  sample.largest_move = 0.0;  // bounds of the explicit step, which an implicit one does not have
  sample.largest_turn = 0.0;
  std::vector<double> q(step.start.size(), 0.0);
  for (int i = 0; i <= rod.elements; ++i) {
    const Vec3 r = rod.vec3(field::position, i);
    const auto k = static_cast<std::size_t>(4 * i);
    q[k] = r.x;
    q[k + 1] = r.y;
    q[k + 2] = r.z;
  }
  const ElasticEnergy energy = elastic_energy(rod, q.data());
  sample.shear_energy = energy.stretching;
  sample.bend_energy = energy.bending;
  sample.twist_energy = energy.twisting;
  sample.implicit = counts_;

  // Internal forces balance the elastic forces on the nodes before; the couples are those of the clamps.
  std::vector<double> gradient(q.size(), 0.0);
  add_elastic_gradient(rod, q.data(), gradient.data());
  Vec3 force;
  for (int i = 0; i < rod.elements; ++i) {
    const auto k = static_cast<std::size_t>(4 * i);
    force = force - Vec3{gradient[k], gradient[k + 1], gradient[k + 2]};
    rod.set_vec3(field::internal_force, i, force);
    const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    rod.array(field::length)[i] = norm(edge);
  }
  if (member.clamp.first) rod.set_vec3(field::bend_couple, -1, first_end_couple(rod));
  if (member.clamp.last) rod.set_vec3(field::bend_couple, rod.elements - 1, last_end_couple(rod));
  return sample;
}

}  // namespace rodeo::der
