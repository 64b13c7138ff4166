#include "rodeo/rigid/rigid_member.hpp"

#include <cmath>
#include <vector>

#include "rodeo/member/build_rod.hpp"
#include "rodeo/method/stepped_member.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "rigid_rods.hpp"

namespace rodeo::rigid {

namespace {

/// Verlet's steps: half of the loads at the start, free motion that conserves momenta and energy
/// (free_turn.hpp), half of the loads at the end. They are of second order, and keep the energy about what it
/// was where the loads have one.
class Verlet final : public method::Scheme<RigidRods> {
 public:
  method::SolveOutcome advance(RigidRods& rods, double end, double step) override {
    const std::vector<BodyState> start = rods.states();
    rods.kick(end - step, 0.5 * step);
    if (!rods.drift(step)) {
      rods.restore(start);
      return {false, 1};
    }
    rods.kick(end, 0.5 * step);
    rods.write_rates();
    return {true, 1};
  }

  void forget() override {}
};

/// All rods of a member as they start, and the arrays they stand in.
class StartingBodies {
 public:
  explicit StartingBodies(const MemberSpec& spec)
      : storage_(rod_size(array_elements(spec), spec.has_circular_sections())) {
    const RodView all(storage_.data(), array_elements(spec), spec.sections_shrink,
                      spec.has_circular_sections());
    build_rods(spec, all);
    const std::vector<RodPlace> places = rod_places(spec);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const bool closed = spec.setup(static_cast<int>(k)).rod.closed;
      bodies_.emplace_back(all.part(places[k].first, places[k].elements), closed);
    }
  }

  const std::vector<RigidBody>& bodies() const { return bodies_; }

 private:
  std::vector<double> storage_;
  std::vector<RigidBody> bodies_;
};

/// Kinetic energy of a body's nodes and elements as they stand in the arrays.
double kinetic_energy(const RigidBody& body) {
  double energy = 0.0;
  for (int i = 0; i < body.nodes; ++i) {
    const Vec3 v = body.rod.vec3(field::velocity, i);
    energy += 0.5 * body.rod.array(field::mass)[i] * dot(v, v);
  }
  for (int i = 0; i < body.rod.elements; ++i) {
    const Vec3 turning = body.rod.vec3(field::angular_velocity, i);
    energy += 0.5 * dot(turning, times(body.rod.inertia(i), turning));
  }
  return energy;
}

}  // namespace

std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return std::make_unique<method::SteppedMember<RigidRods>>(spec, arrays, std::make_unique<Verlet>());
}

std::size_t memory(const MemberSpec& spec) {
  constexpr std::size_t of_element = sizeof(Vec3) + sizeof(Quaternion);
  return static_cast<std::size_t>(array_elements(spec)) * of_element;
}

/// A force on a node at r from the centre of a body moves it by (1/m - [r] J^-1 [r]) times the force, of
/// which the trace bounds every direction.
StepBounds step_bounds(const MemberSpec& spec) {
  StepBounds bounds;
  const StartingBodies start(spec);
  for (std::size_t k = 0; k < start.bodies().size(); ++k) {
    const RigidBody& body = start.bodies()[k];
    const MemberSpec one = rod_alone(spec, static_cast<int>(k));
    RodForces::of(one).for_each_held_node(body.rod.elements, [&]<class L>(int node, const L& law) {
      const Vec3& r = body.places[static_cast<std::size_t>(node)];
      double yielding = 3.0 / body.mass;
      for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        yielding += dot(cross(r, axis), body.inverse_inertia * cross(r, axis));
      const double rate = law.stiffness(body.rod.vec3(field::position, node)) * yielding;
      const double step = 2.0 / std::sqrt(rate);
      if (step < bounds.loads.step) bounds.loads = {step, L::stiffness_key};
    });
  }
  bounds.all = bounds.loads;
  return bounds;
}

std::vector<double> kept_start_energies(const MemberSpec& spec) {
  std::vector<double> kept;
  const StartingBodies start(spec);
  for (const RigidBody& body : start.bodies()) {
    const BodyState& state = body.state;
    const double given = kinetic_energy(body);
    const double own = 0.5 * dot(state.momentum, state.momentum) / body.mass +
                       0.5 * dot(state.angular_momentum, body.angular_velocity(state));
    kept.push_back(given > 0.0 ? own / given : 1.0);
  }
  return kept;
}

}  // namespace rodeo::rigid
