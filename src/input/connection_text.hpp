#pragma once

#include <string_view>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// A line of connection.spring and its like, `PLACE to PLACE : WORD NUMBER ...`, or of connection.bond, `rod
/// A to rod B [s FROM to TO] : WORD NUMBER ...`. Throws std::invalid_argument that tells the character.
ConnectionSpec parse_connection(ConnectionKind kind, std::string_view line, const Deck& deck,
                                const MemberSpec& member);

}  // namespace rodeo
