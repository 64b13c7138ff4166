#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/observe/observable_list.hpp"

namespace rodeo {

/// Small vibrations of a member about an equilibrium, from the slowest.
struct FoundModes {
  std::vector<double> frequencies;  ///< Hz; negative of an unstable mode without damping; NaN if not found
  std::vector<double> decay_rates;  ///< 1/s
  /// Displacement of each node that frames hold (m) and turn of its element (rad, along d1, d2, d3) in each
  /// mode, with a modal mass of 1 kg. NaN if not found.
  std::vector<double> shapes;
  bool has_digits = true;  ///< none is NaN because rounding hides it, or as the search ended at its limit

  /// Number of modes found that leave the equilibrium.
  std::size_t growing() const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < frequencies.size(); ++k)
      count += frequencies[k] < 0.0 || decay_rates[k] < 0.0 ? 1 : 0;
    return count;
  }
};

/// Numbers of a node in the shape of a mode.
inline constexpr int mode_components = 6;

/// Observables of so many modes: the frequencies, then the decay rates.
std::vector<DefinedObservable> mode_observables(int modes);

/// Values of mode_observables(); NaN where there are none yet.
std::vector<double> mode_values(const MemberSpec& spec, const FoundModes* found);

}  // namespace rodeo
