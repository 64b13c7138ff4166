#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rodeo/models/method_forecast.hpp"

namespace rodeo {

/// Lines of `rodeo check` on each method and on the cheapest, by their names; nothing where there is no
/// choice.
std::vector<std::pair<std::string, std::string>> method_lines(const MethodForecast& forecast);

}  // namespace rodeo
