#include "rodeo/rigid/rigid_member.hpp"

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

}  // namespace

std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return std::make_unique<method::SteppedMember<RigidRods>>(spec, arrays, std::make_unique<Verlet>());
}

std::size_t memory(const MemberSpec& spec) {
  constexpr std::size_t of_element = sizeof(Vec3) + sizeof(Quaternion);
  return static_cast<std::size_t>(array_elements(spec)) * of_element;
}

}  // namespace rodeo::rigid
