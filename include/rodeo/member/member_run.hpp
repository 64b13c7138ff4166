#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "rodeo/member/batch.hpp"
#include "rodeo/member/host_rods.hpp"
#include "rodeo/observe/sample.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

class Controller;
class Observers;
class RodsAtLook;
struct Glance;

/// A member of rods while it runs: its progress, and what observers have seen of it.
class MemberRun {
 public:
  /// `outcome` receives what the member reports; it has to stay where it is.
  MemberRun(const MemberJob& job, MemberOutcome& outcome);
  MemberRun(MemberRun&&) noexcept;
  ~MemberRun();

  std::int64_t steps() const { return steps_; }
  double time() const { return static_cast<double>(steps_) * spec_.time.step; }

  static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

  /// Steps that the member takes next.
  struct Slice {
    /// Treatment of the member at the end: a look, with a sample; a glance, without one; or none.
    enum class End { look, glance, cut };

    std::int64_t steps = 0;  ///< none at first, so that observers see t = 0
    End end = End::look;
    bool is_sampled = true;  ///< without a look: so that its health is seen
  };
  /// Next slice, up to `limit` steps since the start at most.
  Slice next_slice(std::int64_t limit = no_limit) const;

  /// Whether it has come to the end of one of time.slice_steps, or its own.
  bool at_end_of_slice() const;

  /// Element steps in so many steps.
  double element_steps(std::int64_t steps) const;

  /// Looks at the member after `taken` more steps: at its health, then as its observers do. Its outcome is
  /// final when its status is no longer pending.
  void look(std::int64_t taken, const Sample& sample, double wall_seconds, HostRods& arrays);

  /// Lets observers look that need no sample, after a slice that is not `looked_at`.
  void glance(std::int64_t taken, double wall_seconds, HostRods& arrays);

  /// Lets observers see it within a slice, after `steps` since its start, without an end of the slice.
  /// `sample` takes one.
  void see_within(std::int64_t steps, const std::function<Sample()>& sample, HostRods& arrays);

  /// Whether a sample says that the member goes on.
  static bool is_well(const Sample& sample);

  /// Counts `taken` more steps after which nobody looks.
  void pass(std::int64_t taken, double wall_seconds);

  /// Whether t = 0 was looked at.
  bool has_started() const { return started_; }

  /// Whether its control has to act before its next steps.
  bool has_to_act() const;

  /// Change of a member's drives as its control acts.
  enum class DriveChange { none, goes_on, begins_anew };
  DriveChange act();

  /// The live numbers of its control (LiveNumber); empty if it has none.
  std::span<const double> live() const;

  /// The inputs of its control, which may be set, and all its numbers (ControlSpec); empty if it has none.
  std::span<double> inputs();
  std::span<const double> numbers() const;

  /// Whether the control measures its work. It is then told the jump of the energy as it acts, J, and where
  /// the next interval begins.
  bool measures_work() const;
  void begin_interval(double jump, HostRods& arrays);

  /// Goes on from a restored state that is older than the outcome.
  void go_on();

  /// Saves or restores the state of the member.
  void visit_state(StateArchive& archive);

 private:
  std::int64_t next_look() const;
  void become(double branch_value);
  Glance glance_at(RodsAtLook& rods) const;

  MemberSpec spec_;      ///< along a branch that of the point where it was looked at last
  MemberSpec last_rod_;  ///< what observables of the last rod are told of it
  double branch_value_;  ///< for which it has them
  std::vector<RodPlace> places_;
  int elements_;
  MemberOutcome* outcome_;
  std::unique_ptr<Controller> controller_;
  std::unique_ptr<Observers> observers_;
  std::int64_t steps_ = 0;
  bool started_ = false;  ///< t = 0 was looked at
};

}  // namespace rodeo
