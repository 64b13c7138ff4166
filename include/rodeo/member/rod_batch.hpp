#pragma once

#include <cmath>
#include <vector>

#include "rodeo/member/batch.hpp"
#include "rodeo/member/batch_views.hpp"
#include "rodeo/observe/envelope.hpp"
#include "rodeo/observe/highest_energy.hpp"
#include "rodeo/observe/observable.hpp"
#include "rodeo/observe/oscillation.hpp"

namespace rodeo {

/// Rods: builds the members' arrays, runs slices, and between them looks at health and events and takes
/// frames. A model's steps are its run_slice. Steps compute with Real; what is looked at is double.
template <class Real>
class BasicRodBatch : public Batch {
 public:
  explicit BasicRodBatch(std::span<const MemberJob> jobs);
  bool advance() override;
  std::span<const MemberOutcome> outcomes() const override { return outcomes_; }
  void visit_state(std::size_t member, StateArchive& archive) override;
  void time_out(std::size_t member) override;

 protected:
  /// Takes the steps of the first `count` tasks and a sample of each at its end. A task's steps become those
  /// that were taken.
  virtual void run_slice(int count) = 0;

  BasicBatchViews<Real> views_;
  Kokkos::View<SliceTask*>::HostMirror tasks_;
  Kokkos::View<Sample*>::HostMirror samples_;

 private:
  /// What the host learns of a member while it runs. Plain, for it is saved and restored as it is.
  struct Progress {
    std::int64_t steps = 0;  ///< taken
    int next_frame = 0;
    bool started = false;  ///< its sample at t = 0 was taken
    bool has_baseline = false;
    Sample baseline;
    observe::HighestEnergy energy;          ///< since the baseline, of members without a source of energy
    Vec3 period_start;                      ///< centre of mass when the latest muscle.period began, m
    double worst_objective = std::nan("");  ///< over the telling periods so far; NaN before the first
    observe::Oscillation end_distance;      ///< of the last rod
  };

  /// What the host keeps of a member. Its specification and the places of its arrays do not change.
  struct Member {
    MemberSpec spec;
    EarlyStopping early_stopping;
    int elements = 0;                   ///< of its arrays
    std::size_t offset = 0;             ///< of its arrays in the storage
    contact::ContactSize contact;       ///< offsets of its contact arrays
    contact::ContactSize contact_size;  ///< and how long they are
    int last_rod = 0;                   ///< where in its arrays its last rod begins
    Progress progress;
    std::vector<observe::Envelope> envelopes;  ///< of its bodies over the last muscle.period

    /// What observables of its last rod are told of it.
    MemberSpec last_spec() const { return rod_alone(spec, spec.rod_count() - 1); }
    /// Its arrays in double precision, where they stand in memory.
    RodView rods(double* arrays) const { return {arrays, elements, spec.sections_shrink}; }
  };

  /// The member's arrays in host memory and in double precision: a copy, where the host cannot read them in
  /// place or they are not double.
  Kokkos::View<double*, Kokkos::HostSpace> host_arrays(const Member& member) const;
  std::int64_t slice_end(const Member& member) const;
  void digest(int index, const Sample& sample, double wall_seconds);
  void take_frames(int index, const Sample& sample);
  Vec3 last_rods_first_node(const Member& member) const;
  double stretch_energy_excess(const Member& member) const;
  void widen_envelopes(Member& member);
  void end_period(int index, const Sample& sample);
  /// What is known of a member while it runs; of what is given here nothing is copied.
  static Observation observe_now(const Member& member, const MemberSpec& last_rod, const Sample& sample,
                                 double* arrays);
  double objective_over(const Member& member, const Sample& sample, const Vec3& mean_velocity) const;
  void finish(int index, MemberStatus status, const Sample& sample, double objective_bound = std::nan(""));

  std::vector<Member> members_;
  std::vector<MemberOutcome> outcomes_;
  std::vector<int> running_;
};
using RodBatch = BasicRodBatch<double>;

extern template class BasicRodBatch<double>;
extern template class BasicRodBatch<float>;

}  // namespace rodeo
