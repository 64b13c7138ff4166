#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/der/rod_step.hpp"

namespace rodeo::der {

/// What may cost no energy: each rod's motions as a whole, and its roll about its own centre line.
class WholeMotions {
 public:
  static constexpr int most_of_rod = 7;

  /// With the inertia of each degree of freedom, kg and kg m^2.
  WholeMotions(const std::vector<RodStep>& rods, const std::vector<double>& inertia);

  /// Whether a displacement is made of them: the rest has next to none of its kinetic energy. Lengths and
  /// angles have no other measure in common, and a roll of a thin rod would hide any bending.
  bool hold(const std::vector<double>& displacement) const;

 private:
  double inner(const std::vector<double>& a, const std::vector<double>& b) const;
  double norm(const std::vector<double>& a) const;
  void take_out(const std::vector<double>& motion, std::vector<double>& from) const;
  void add(std::vector<double> motion);

  const std::vector<double>& inertia_;
  std::vector<std::vector<double>> motions_;  ///< orthonormal
};

}  // namespace rodeo::der
