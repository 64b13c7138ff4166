#pragma once

#include <string>
#include <string_view>

namespace rodeo {

/// What the dataset at this path of a file holds, as a label of an axis would say it; the manual's page about
/// the file is made of it. The name of the dataset where there is no text for it.
std::string long_name(std::string_view path);

}  // namespace rodeo
