#pragma once

#include <string>
#include <string_view>

namespace rodeo {

/// Label of the dataset at this path of a file, as an axis would have it; the manual's page about the file is
/// made of these. The name of the dataset where there is no text for it.
std::string long_name(std::string_view path);

}  // namespace rodeo
