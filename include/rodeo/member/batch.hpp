#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "rodeo/member/state_archive.hpp"
#include "rodeo/member/status.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

class HostRods;

/// A member to run.
struct MemberJob {
  MemberSpec spec;
  std::uint64_t seed = 0;  ///< of the member's random streams
};

/// How a member ended.
struct MemberOutcome {
  MemberStatus status = MemberStatus::pending;
  std::uint64_t steps = 0;
  double wall_seconds = 0.0;        ///< its share of the time of the slices it took part in, s
  std::vector<double> observables;  ///< in the order of the list; NaN where one does not apply
  std::vector<double> time;         ///< frames, s; NaN for frames never reached
  /// For each field of the spec frames x nodes x components, then for each of its frame observables as many
  /// as frames; NaN for frames never reached.
  std::vector<std::vector<double>> fields;
  /// Positions of the rods at the points of the spec's data, x, y and z of each, m; NaN for points never
  /// reached.
  std::vector<double> at_data;
  std::vector<double> mode_shapes;  ///< FoundModes::shapes; empty where none were found
};

/// Members that a worker runs side by side, slice by slice. Slices are cut by the deck alone, never by the
/// batch, so a member's result does not depend on its neighbours.
class Batch {
 public:
  virtual ~Batch() = default;

  /// Runs one slice of every member that still runs; false when none is left.
  virtual bool advance() = 0;

  /// One entry per job, in order; those of ended members are final.
  virtual std::span<const MemberOutcome> outcomes() const = 0;

  /// Saves or restores all that makes a running member go on as if it had never been interrupted, between two
  /// slices. A member is restored before the first slice of its batch, into a batch of the same build of the
  /// program. Throws StateError for a state that is not that of such a member, which is then of no use.
  virtual void visit_state(std::size_t member, StateArchive& archive) = 0;

  /// Ends a running member as timed out.
  virtual void time_out(std::size_t member) = 0;
};

/// A batch whose members advance on request, and may be driven and looked at in between.
class LiveBatch : public Batch {
 public:
  /// Advances each member that still runs until it has taken so many steps since its start, or has ended.
  /// `goes_on` is asked now and then; false ends it early.
  virtual void advance_to(std::span<const std::int64_t> ends, const std::function<bool()>& goes_on) = 0;

  /// Inputs that a member's control takes when it acts next; empty without any.
  virtual std::span<double> inputs(std::size_t member) = 0;

  /// All numbers of a member's control (ControlSpec).
  virtual std::span<const double> numbers(std::size_t member) = 0;

  /// Lets `look` see the arrays of a member.
  virtual void look_at(std::size_t member, const std::function<void(HostRods& rods)>& look) = 0;

  /// Saves or restores a member that runs or has run, like visit_state(). A restored one runs on from there.
  virtual void visit_live_state(std::size_t member, StateArchive& archive) = 0;
};

}  // namespace rodeo
