#pragma once

#include <string>

namespace rodeo {

/// Text of `rodeo --version`: all that a report of a defect needs to say of the program.
std::string version_report();

}  // namespace rodeo
