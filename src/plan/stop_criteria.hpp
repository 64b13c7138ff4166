#pragma once

#include <deque>
#include <span>

#include "cma_es.hpp"
#include "generation_row.hpp"

namespace rodeo {

/// Decides when a search has nothing left to gain: the criteria of Hansen 2016, appendix B.3.
class StopCriteria {
 public:
  StopCriteria(const CmaEs& search, const StopTolerances& tolerances);

  /// Called after each update with the fitness of its candidates (NaN: failed), of which one at least is not
  /// NaN.
  StopReason after(const CmaEs& search, std::span<const double> fitness);

 private:
  bool within_tolerance(const CmaEs& search, std::span<const double> sorted, double tolerance) const;
  bool stagnates(const CmaEs& search) const;

  StopTolerances tolerances_;
  double first_sigma_;
  std::deque<double> best_;    ///< fitness of past generations, the newest last
  std::deque<double> median_;  ///< as best_
};

}  // namespace rodeo
