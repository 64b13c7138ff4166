#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rodeo/models/method_forecast.hpp"

namespace rodeo {

/// What `rodeo check` says of each method and of the cheapest, by their names; nothing where there is no
/// choice.
std::vector<std::pair<std::string, std::string>> method_lines(const MethodForecast& forecast);

}  // namespace rodeo
