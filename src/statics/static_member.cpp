#include "rodeo/statics/static_member.hpp"

#include <algorithm>

#include "rodeo/method/static_member.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "equilibria_in_lanes.hpp"

namespace rodeo::statics {

std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return std::make_unique<method::StaticMember<Equilibrium>>(spec, arrays);
}

std::size_t memory(const MemberSpec& spec) {
  constexpr std::size_t band = 3 * (tangent::half_bandwidth + 1);
  // Vectors, those of modes as many and half as many more, in blocks of eight; of a closed rod eight.
  const std::size_t vectors = 16 + (spec.modes > 0 ? 40 + 2 * static_cast<std::size_t>(spec.modes) : 0);
  constexpr std::size_t lane = 2 * (tangent::half_bandwidth + 1) + 12;  // where members go side by side
  std::size_t unknowns = 0;
  for (const RodPlace& rod : rod_places(spec))
    unknowns += static_cast<std::size_t>(tangent::unknowns(rod.elements));
  // A matrix of all rods with its blocks, values and the fill of its factors.
  const bool coupled =
      !spec.connections.empty() || spec.contact.kind != ContactKind::none ||
      std::ranges::any_of(rod_places(spec), [](const RodPlace& rod) { return rod.joint != JointKind::none; });
  const std::size_t of_all = coupled ? 8 * 17 : 0;
  return unknowns * (band + vectors + lane + of_all) * sizeof(double);
}

}  // namespace rodeo::statics
