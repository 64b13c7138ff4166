#pragma once

#include "rodeo/forces/law.hpp"

// Laws of one's own, of folders that do not belong to rodeo: src/own_laws.cmake writes the list of them.
#ifdef RODEO_OWN_LAWS
#include RODEO_OWN_LAWS
#else
namespace rodeo::own {
using Laws = LawList<>;
}
#endif
