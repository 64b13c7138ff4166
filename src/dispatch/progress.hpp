#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rodeo/input/terminal.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/plan/plan.hpp"

#include "messages.hpp"
#include "outcome_report.hpp"
#include "study.hpp"

namespace rodeo {

/// Members that ended well although a share that an observable tells is larger than it should be, whatever
/// the order in which they ended.
class Excesses {
 public:
  Excesses(std::size_t observable, double most) : observable_(observable), most_(most) {}

  void add(const EndedMember& ended);
  /// A warning that names the first ones: they `did` so, and `cause` is why; empty if there are none.
  std::string text(std::string_view did, std::string_view cause) const;

 private:
  static constexpr std::size_t most_named = 3;
  std::size_t observable_;
  double most_;
  std::uint64_t count_ = 0;
  std::vector<EndedMember> first_;  ///< of the study, in its order
};

/// Equilibria whose stability is not known.
class UnknownStability {
 public:
  explicit UnknownStability(const Study& study);
  void add(const EndedMember& ended);
  /// A warning; empty if there are none.
  std::string text() const;

 private:
  bool is_static_;
  std::uint64_t count_ = 0;
  std::uint64_t first_ = 0;  ///< of the study, in its order
};

/// Joins as many parts, from the first on, as a line of so many columns has room for, two blanks apart.
std::string fitted_line(const std::vector<std::string>& parts, std::size_t columns);

/// Counts what has ended and tells a person about it: one line that renews itself on a terminal, a log line
/// every ten seconds otherwise.
class Progress {
 public:
  /// `cost` is the predicted time of all members that are to run, ns on one core.
  Progress(const Study& study, double cost);

  /// Counts a member whose row was in the file before this run.
  void count_earlier(const EndedMember& ended);

  /// Counts a member that ended now; `cost` is its predicted time.
  void count(const EndedMember& ended, double cost);

  /// Notes that the member to be counted next was taken from another file.
  void count_reused() { ++reused_; }

  /// Replaces the progress of a worker's chunk, `before`, by `after`.
  void change_running(const RunningWork& before, const RunningWork& after);

  /// Note on the members that run, as far as is known.
  RunningNote running_note() const;

  /// Adds the time that workers had, and how much of it they waited for work, s.
  void count_idle(double idle, double in_all) {
    idle_seconds_ += idle;
    worker_seconds_ += in_all;
  }

  /// Prints if it is time to.
  void show(const Plan& plan);

  /// Prints the last line, the result of the campaign. `state` says how it ended, `path` where its file is.
  void close(const std::string& state, const std::string& path, const Plan& plan);

  const EndCounts& ends() const { return ends_; }
  std::uint64_t ended_now() const { return ended_now_; }  ///< in this run

 private:
  void add(const EndedMember& ended);
  std::vector<std::string> parts(const Plan& plan) const;
  std::string badly_text() const;  ///< empty if no member ended badly
  std::string drawn_line(const Plan& plan, const Screen& screen) const;
  double steps_per_second() const;
  double share_done() const;    ///< of the predicted work, 0 to 1
  double seconds_left() const;  ///< 0: not known
  double idle_share() const { return worker_seconds_ > 0.0 ? idle_seconds_ / worker_seconds_ : 0.0; }
  double elapsed() const;  ///< s

  std::uint64_t members_;
  double members_of_candidate_;
  double cost_;
  double cost_ended_ = 0.0;
  RunningWork running_;  ///< of all workers
  EndCounts ends_;
  Excesses energy_gains_;
  Excesses energy_losses_;
  Excesses energy_balances_;
  Excesses ground_depths_;
  UnknownStability unknown_stability_;
  bool reuses_;
  std::uint64_t ended_now_ = 0;
  std::uint64_t reused_ = 0;  ///< of these
  double steps_ = 0.0;
  double idle_seconds_ = 0.0;
  double worker_seconds_ = 0.0;
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_shown_;
};

}  // namespace rodeo
