#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rodeo/rodeo.hpp"

namespace rodeo {

/// What the Error says that an action throws.
std::string error_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no Error)";
}

inline std::vector<std::uint64_t> bits(std::span<const double> numbers) {
  std::vector<std::uint64_t> all;
  for (const double number : numbers) all.push_back(std::bit_cast<std::uint64_t>(number));
  return all;
}

inline std::vector<std::uint64_t> bits(const std::vector<double>& numbers) {
  return bits(std::span(numbers));
}

}  // namespace rodeo
