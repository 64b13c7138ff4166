#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace rodeo {

/// Names of entries of a list that follow one another, for people: "variable.w[0:82]" for variable.w[0] to
/// variable.w[81]; or a single name.
struct NameRun {
  std::string name;
  std::size_t first = 0;  ///< of the names
  std::size_t count = 1;
};

/// The runs of names, in their order.
std::vector<NameRun> runs_of(std::span<const std::string> names);

}  // namespace rodeo
