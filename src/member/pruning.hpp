#pragma once

#include "rodeo/member/early_stopping.hpp"

#include "observer.hpp"

namespace rodeo {

/// Ends a member of a search that cannot become good enough any more: at the end of each muscle.period that
/// bounds its objective.
class Pruning {
 public:
  void start(const MemberJob& job, MemberOutcome&);
  MemberStatus slice(const Look& look);
  void finish(const Look& look, Observation& observation) const;
  void visit(StateArchive& archive) { archive.visit(found_); }
  std::int64_t next_look(std::int64_t steps) const;

 private:
  /// Plain, for it is saved and restored as it is.
  struct Found {
    Vec3 period_start;                      ///< centre of mass when the latest period began, m
    double worst_objective = std::nan("");  ///< over the periods that bound it; NaN before the first
    double bound = std::nan("");            ///< by the last of them
  };

  EarlyStopping rule_;
  std::int64_t last_step_ = 0;
  std::int64_t period_ = 0;  ///< steps; 0: it does not look
  Found found_;
};

}  // namespace rodeo
