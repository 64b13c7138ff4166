#pragma once

#include <cstddef>
#include <vector>

namespace rodeo {

/// Waits of members, one after the other, cut into slices.
class Waits {
 public:
  explicit Waits(std::vector<double> seconds) : seconds_(std::move(seconds)) {}

  /// Waits on for one slice; returns how many waits have ended by now.
  std::size_t advance();

  double seconds(std::size_t k) const { return seconds_[k]; }

 private:
  std::vector<double> seconds_;
  std::size_t next_ = 0;
  double waited_ = 0.0;  ///< of the wait in turn, s
};

}  // namespace rodeo
