#include "rigid_rods.hpp"

#include <cmath>

#include "rodeo/linear/dense.hpp"
#include "rodeo/member/implicit_sample.hpp"
#include "rodeo/member/set_loads.hpp"

#include "free_turn.hpp"

namespace rodeo::rigid {

namespace {

Eigen::VectorXd column_of(const Vec3& linear, const Vec3& angular) {
  Eigen::VectorXd column(6);
  column << linear.x, linear.y, linear.z, angular.x, angular.y, angular.z;
  return column;
}

}  // namespace

RigidRods::RigidRods(const MemberSpec& /*spec*/, const MemberArrays& arrays) : member_(arrays) {
  for (const RodData& data : member_.rods) bodies_.emplace_back(data, data.part(member_.all));
}

Wrench RigidRods::load_on(const Body& body) {
  const RodView& rod = body.rod;
  Wrench load;
  for (int i = 0; i < body.nodes; ++i) {
    const Vec3 force = rod.vec3(field::external_force, i);
    load.force = load.force + force;
    load.moment = load.moment + cross(rod.vec3(field::position, i) - body.state.centre, force);
  }
  for (int i = 0; i < rod.elements; ++i) {
    const Directors frame = directors(rod.quaternion(i));
    load.moment = load.moment + frame.to_laboratory(rod.vec3(field::external_couple, i));
  }
  return load;
}

/// Force and moment of damping on a body that moves as a state says.
Wrench RigidRods::drag_on(const Body& body, const forces::DampingLaw& damping, const BodyState& state) {
  const RodView& rod = body.rod;
  const double* const length = rod.array(field::rest_length);
  const double* const mass = rod.array(field::mass);
  const Vec3 velocity = (1.0 / body.mass) * state.momentum;
  const Vec3 turning = body.angular_velocity(state);
  Wrench drag;
  for (int i = 0; i < body.nodes; ++i) {
    const Vec3 r = rod.vec3(field::position, i) - body.state.centre;
    const double resistance = damping.of_node(length[i - 1] + length[i], mass[i]);
    const Vec3 force = -resistance * (velocity + cross(turning, r));
    drag.force = drag.force + force;
    drag.moment = drag.moment + cross(r, force);
  }
  for (int i = 0; i < rod.elements; ++i) {
    const Directors frame = directors(rod.quaternion(i));
    const Vec3 inertia = rod.inertia(i);
    const auto about = [&](double moment) {
      return damping.of_element(length[i], moment, rod.array(field::contact_radius)[i]);
    };
    const Vec3 resistance = {about(inertia.x), about(inertia.y), about(inertia.z)};
    drag.moment = drag.moment - frame.to_laboratory(times(resistance, frame.to_body(turning)));
  }
  return drag;
}

/// Takes damping at the mean momenta, in which it is linear.
void RigidRods::kick(double time, double duration) {
  set_loads(member_, time);
  for (Body& body : bodies_) {
    const Wrench load = load_on(body);
    const forces::DampingLaw damping = body.data->damping.at(time);
    if (!damping.acts()) {
      body.state.momentum = body.state.momentum + duration * load.force;
      body.state.angular_momentum = body.state.angular_momentum + duration * load.moment;
      continue;
    }
    // mean = before + duration/2 (load + drag(mean)), after = 2 mean - before
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(6, 6);
    for (int k = 0; k < 6; ++k) {
      BodyState unit = body.state;
      const Vec3 one = {k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0, k % 3 == 2 ? 1.0 : 0.0};
      unit.momentum = k < 3 ? one : Vec3{};
      unit.angular_momentum = k < 3 ? Vec3{} : one;
      const Wrench drag = drag_on(body, damping, unit);
      matrix.col(k) -= 0.5 * duration * column_of(drag.force, drag.moment);
    }
    const Eigen::MatrixXd before = column_of(body.state.momentum, body.state.angular_momentum);
    const Eigen::MatrixXd mean = solved(matrix, before + 0.5 * duration * column_of(load.force, load.moment));
    const Eigen::MatrixXd after = 2.0 * mean - before;
    body.state.momentum = {after(0), after(1), after(2)};
    body.state.angular_momentum = {after(3), after(4), after(5)};
  }
}

bool RigidRods::drift(double duration) {
  for (Body& body : bodies_) {
    BodyState& state = body.state;
    const Vec3 momentum = directors(state.orientation).to_body(state.angular_momentum);
    const std::optional<Vec3> turn = free_turn(body.inverse_inertia, momentum, duration);
    if (!turn || 2.0 * std::atan(norm(*turn)) > most_turn) return false;
    const Quaternion q = state.orientation * Quaternion{1.0, turn->x, turn->y, turn->z};
    const double scale = 1.0 / std::sqrt(squared_norm(q));
    state.orientation = {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
    state.centre = state.centre + (duration / body.mass) * state.momentum;
    place(body);
  }
  return true;
}

void RigidRods::place(const Body& body) {
  body.place();
  if (body.data->closure.closed) body.data->closure.fill_ghosts(body.rod);
}

void RigidRods::write_rates() const {
  for (const Body& body : bodies_) {
    const Vec3 velocity = (1.0 / body.mass) * body.state.momentum;
    const Vec3 turning = body.angular_velocity(body.state);
    for (int i = 0; i < body.rod.nodes(); ++i) {
      const Vec3 r = body.rod.vec3(field::position, i) - body.state.centre;
      body.rod.set_vec3(field::velocity, i, velocity + cross(turning, r));
      if (i == body.rod.elements) break;
      const Directors frame = directors(body.rod.quaternion(i));
      body.rod.set_vec3(field::angular_velocity, i, frame.to_body(turning));
    }
  }
}

std::vector<BodyState> RigidRods::states() const {
  std::vector<BodyState> states;
  for (const Body& body : bodies_) states.push_back(body.state);
  return states;
}

void RigidRods::restore(const std::vector<BodyState>& states) {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    bodies_[k].state = states[k];
    place(bodies_[k]);
  }
}

coupling::Links* RigidRods::links() { return nullptr; }
coupling::Contacts* RigidRods::contacts() { return nullptr; }

/// Rods that do not deform have no energy of strain, whatever shape they would have at rest.
Sample RigidRods::sample(const ImplicitSample& counts) const {
  Sample sample = implicit_sample(member_);
  sample.shear_energy = 0.0;
  sample.bend_energy = 0.0;
  sample.twist_energy = 0.0;
  sample.implicit = counts;
  return sample;
}

void RigidRods::visit_state(StateArchive& archive) {
  for (Body& body : bodies_) archive.visit(body.state);
}

}  // namespace rodeo::rigid
