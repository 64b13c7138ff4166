#pragma once

#include <vector>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/contact/build_contact.hpp"

namespace rodeo {

/// Pairs of elements, in rising order, that joints, bonds and springs of no length hold closer than contact
/// would let them be, with what stands next to them along the rods: contact leaves them out. `start` holds
/// the member's rods at t = 0. What only touches is none of them.
std::vector<contact::ElementPair> held_pairs(const MemberSpec& spec, const ConstRodView& start,
                                             const connection::Parts& parts);

}  // namespace rodeo
