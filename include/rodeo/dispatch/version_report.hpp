#pragma once

#include <string>

namespace rodeo {

/// What `rodeo --version` prints: all that a report of a defect needs to say of the program.
std::string version_report();

}  // namespace rodeo
