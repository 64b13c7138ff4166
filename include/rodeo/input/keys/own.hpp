#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"

// The keys of laws of one's own, which src/own_laws.cmake lists.
#ifdef RODEO_OWN_KEYS
#include RODEO_OWN_KEYS
#else
namespace rodeo::keys {
inline constexpr std::array<KeyInfo, 0> own = {};
}
#endif
