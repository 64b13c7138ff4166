#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/der/rod_step.hpp"

namespace rodeo::der {

/// What may cost no energy: each rod's motions as a whole, and its roll about its own centre line.
class WholeMotions {
 public:
  static constexpr int most_of_rod = 7;

  /// Of so many degrees of freedom in all.
  WholeMotions(const std::vector<RodStep>& rods, std::size_t size);

  /// Whether a displacement is made of them.
  bool hold(const std::vector<double>& displacement) const;

 private:
  void add(std::vector<double> motion);

  std::vector<std::vector<double>> motions_;  ///< orthonormal
};

}  // namespace rodeo::der
