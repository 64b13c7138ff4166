#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/observe/observable.hpp"
#include "rodeo/observe/observable_list.hpp"

namespace rodeo::observe {

inline constexpr Observable unstable_modes = {
    "unstable_modes",
    "1",
    "ways to leave the equilibrium by which the energy falls: negative eigenvalues of its Hessian; NaN with "
    "loads that have no energy",
    [](const Observation& o) { return o.last.unstable_modes; },
    Known::always,
    "time.method = static"};

inline constexpr Observable least_stiffness = {
    "least_stiffness",
    "N/m",
    "least curvature of the energy at the equilibrium over displacements of unit mean square, weighted by "
    "mass, but those that cost no energy: negative if it is unstable, zero where it branches",
    [](const Observation& o) { return o.last.least_stiffness; },
    Known::always,
    "time.method = static"};

inline constexpr Observable branch_value = {"branch_value",
                                            "as branch.key",
                                            "value of branch.key at the point that the branch has come to",
                                            [](const Observation& o) { return o.last.branch.value; },
                                            Known::always,
                                            "branch.key"};

inline constexpr Observable bifurcations = {
    "bifurcations",
    "1",
    "points of the branch so far where another one crosses it; NaN with loads that have no energy",
    [](const Observation& o) { return o.last.branch.bifurcations; },
    Known::always,
    "branch.key"};

inline constexpr Observable folds = {"folds",
                                     "1",
                                     "points of the branch so far where branch.key turns round",
                                     [](const Observation& o) { return o.last.branch.folds; },
                                     Known::always,
                                     "branch.key"};

inline constexpr Observable critical_value = {
    "critical_value",
    "as branch.key",
    "value of branch.key at the first bifurcation or fold of the branch; NaN if it has had none",
    [](const Observation& o) { return o.last.branch.critical; },
    Known::always,
    "branch.key"};

}  // namespace rodeo::observe

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
