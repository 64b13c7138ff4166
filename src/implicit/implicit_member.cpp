#include "rodeo/implicit/implicit_member.hpp"

#include <algorithm>

#include "rodeo/method/stepped_member.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "moving_rods.hpp"
#include "scheme.hpp"

namespace rodeo::implicit {

namespace {

std::size_t memory_of(const MemberSpec& spec, bool conserves) {
  const std::size_t band = (conserves ? 4 : 2) * (tangent::half_bandwidth + 1);
  const bool closed = spec.rod.closed || std::ranges::any_of(spec.further_rods, [](const RodSetup& setup) {
                        return setup.rod.closed;
                      });
  const std::size_t vectors = closed ? 27 : 18;  // with what a seam has eight of
  const std::size_t lane =
      conserves ? 0 : 2 * (tangent::half_bandwidth + 1) + 12;  // where members go side by side
  const std::vector<RodPlace> places = rod_places(spec);
  const bool have_joints =
      std::ranges::any_of(places, [](const RodPlace& rod) { return rod.joint != JointKind::none; });
  const bool are_coupled =
      spec.has_impacts() || !spec.connections.empty() || have_joints || (conserves && closed);
  // A matrix with the fill of its factors, and the pattern's values with their copy; each entry with its row.
  const std::size_t coupled =
      !are_coupled ? 0
                   : (3 * tangent::half_bandwidth + 1) * sizeof(double) +
                         3 * (2 * tangent::half_bandwidth + 1) * (sizeof(double) + sizeof(int));
  std::size_t unknowns = 0;
  for (const RodPlace& rod : places) unknowns += static_cast<std::size_t>(tangent::unknowns(rod.elements));
  return unknowns * ((band + vectors + lane) * sizeof(double) + coupled) +
         coupling::GroundContact::memory(spec);
}

}  // namespace

std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return std::make_unique<method::SteppedMember<MovingRods>>(spec, arrays, make_generalized_alpha(spec));
}

std::size_t memory(const MemberSpec& spec) { return memory_of(spec, false); }

std::unique_ptr<HostMember> make_damped_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return std::make_unique<method::SteppedMember<MovingRods>>(spec, arrays, make_backward_euler(spec));
}

std::unique_ptr<HostMember> make_conserving_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return std::make_unique<method::SteppedMember<MovingRods>>(spec, arrays, make_energy_momentum(spec));
}

std::size_t conserving_memory(const MemberSpec& spec) { return memory_of(spec, true); }

}  // namespace rodeo::implicit
