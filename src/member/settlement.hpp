#pragma once

#include "rodeo/member/settling.hpp"

#include "last_period.hpp"
#include "observer.hpp"

namespace rodeo {

/// Ends a member when its observe.settle quantity has settled. Looks after all observers that find it.
class Settlement {
 public:
  void start(const MemberJob& job, MemberOutcome&) {
    rule_ = job.spec.settle;
    end_ = job.spec.time.steps;
    if (!rule_.acts()) return;
    period_ = LastPeriod(job.spec);
    settling_ = Settling(rule_);
  }

  MemberStatus slice(const Look& look) {
    const bool whole = look.steps >= period_.steps() && look.steps < end_;
    if (!rule_.acts() || !whole || !period_.begins_at(look.steps)) return MemberStatus::pending;
    Look as_if_ended = look;
    as_if_ended.status = MemberStatus::settled;
    const double value = value_of(rule_.observable, as_if_ended.observe());
    const bool settled = settling_.add(value, period_.quarters_left(look.steps));
    return settled ? MemberStatus::settled : MemberStatus::pending;
  }

  void finish(const Look& look, Observation& observation) const {
    if (rule_.acts())
      observation.periods = static_cast<double>(look.steps) / static_cast<double>(period_.steps());
  }

  void visit(StateArchive& archive) { settling_.visit(archive); }
  std::int64_t next_look(std::int64_t steps) const { return period_.next(steps); }

 private:
  SettleSpec rule_;
  std::int64_t end_ = 0;
  LastPeriod period_;
  Settling settling_;
};

}  // namespace rodeo
