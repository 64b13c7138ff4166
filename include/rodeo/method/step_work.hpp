#pragma once

#include <algorithm>
#include <vector>

#include "rodeo/method/scheme.hpp"

namespace rodeo::method {

/// A system that measures the work of loads without a potential.
template <class System>
concept MeasuresWork = requires(System& system, std::vector<double>& loads) {
  system.read_sources(0.0, loads);
  system.work_of_sources(loads);
  system.change_of_natural_strains(0.0, 0.0);
  system.most_work_of_motions();
};

/// Most work that loads without a potential may do on a system in its steps; nothing of a system that
/// measures none.
template <class System>
class StepWork {
 public:
  static constexpr bool is_measured = false;
  void start(System& /*system*/, double /*time*/) {}
  void begin(System& /*system*/, double /*from*/, double /*to*/) {}
  double end(System& /*system*/, const Scheme<System>& /*scheme*/, double /*from*/, double /*to*/) {
    return 0.0;
  }
};

/// Loads and natural strains may jump within a step: the larger of their work at its start and at its end
/// counts.
template <MeasuresWork System>
class StepWork<System> {
 public:
  static constexpr bool is_measured = true;

  /// Reads the loads at a time, before the steps of a slice.
  void start(System& system, double time) { system.read_sources(time, sources_); }

  /// Notes the work of natural strains as a step from one time to another begins.
  void begin(System& system, double from, double to) {
    strained_ = system.change_of_natural_strains(from, to);
  }

  /// The work in that step, which has converged, J.
  double end(System& system, const Scheme<System>& scheme, double from, double to) {
    if (sources_.empty()) system.read_sources(from, sources_);  // the first step that counts
    system.read_sources(to, next_sources_);
    const double work = std::max(system.work_of_sources(sources_), system.work_of_sources(next_sources_)) +
                        std::max(strained_, system.change_of_natural_strains(from, to)) +
                        system.most_work_of_motions() + scheme.work_of_ground();
    sources_.swap(next_sources_);
    return work;
  }

 private:
  std::vector<double> sources_;  ///< loads at the end of the last step that counted
  std::vector<double> next_sources_;
  double strained_ = 0.0;  ///< by which natural strains of the step's end changed the energy at its start, J
};

}  // namespace rodeo::method
