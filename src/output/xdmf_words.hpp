#pragma once

#include <string>

namespace rodeo {

/// A text as XML has it between tags and in attributes.
std::string escaped(const std::string& text);

/// What XDMF calls an attribute of so many numbers.
const char* attribute_type(int components);

}  // namespace rodeo
