#include "rodeo/rodeo.hpp"

#include "rodeo_revision.hpp"

namespace rodeo {

std::string_view version() { return RODEO_VERSION; }

std::string_view revision() { return RODEO_GIT_REVISION; }

}  // namespace rodeo
