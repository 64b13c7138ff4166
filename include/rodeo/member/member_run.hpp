#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rodeo/member/batch.hpp"
#include "rodeo/member/host_rods.hpp"
#include "rodeo/observe/sample.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

class Observers;

/// A member of rods while it runs: how far it has come, and what observers have seen of it.
class MemberRun {
 public:
  /// `outcome` receives what the member reports; it has to stay where it is.
  MemberRun(const MemberJob& job, MemberOutcome& outcome);
  MemberRun(MemberRun&&) noexcept;
  ~MemberRun();

  std::int64_t steps() const { return steps_; }

  /// What it runs next.
  struct Slice {
    std::int64_t steps = 0;   ///< none at first, so that observers see t = 0
    bool looked_at = true;    ///< at its end, with a sample
    bool glanced_at = false;  ///< without one; if neither, it is only cut for the clock to be looked at
  };
  Slice next_slice() const;

  /// Whether it has come to the end of one of time.slice_steps, or its own.
  bool at_end_of_slice() const;

  /// Steps of elements that so many steps are.
  double element_steps(std::int64_t steps) const;

  /// Looks at the member after `taken` more steps: at its health, then as its observers do. Its outcome is
  /// final when its status is no longer pending.
  void look(std::int64_t taken, const Sample& sample, double wall_seconds, HostRods& arrays);

  /// Lets those observers look that need no sample, after a slice that is not `looked_at`.
  void glance(std::int64_t taken, double wall_seconds, HostRods& arrays);

  /// Counts `taken` more steps after which nobody looks.
  void pass(std::int64_t taken, double wall_seconds);

  /// Saves or restores what is known of the member.
  void visit_state(StateArchive& archive);

 private:
  std::int64_t next_look() const;

  MemberSpec spec_;
  MemberSpec last_rod_;  ///< what observables of the last rod are told of it
  std::vector<RodPlace> places_;
  int elements_;
  MemberOutcome* outcome_;
  std::unique_ptr<Observers> observers_;
  std::int64_t steps_ = 0;
  bool started_ = false;  ///< t = 0 was looked at
};

}  // namespace rodeo
