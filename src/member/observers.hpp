#pragma once

#include <algorithm>
#include <tuple>

#include "baseline.hpp"
#include "buckling.hpp"
#include "crush_limit.hpp"
#include "data_track.hpp"
#include "end_distance.hpp"
#include "energy_balance.hpp"
#include "energy_gain.hpp"
#include "frames.hpp"
#include "gait_width.hpp"
#include "ground_depth.hpp"
#include "mean_velocity.hpp"
#include "measures.hpp"
#include "settlement.hpp"
#include "twist_limit.hpp"

namespace rodeo {

/// Types of observers, in the order in which they look.
template <Observer... Types>
using ObserverList = std::tuple<Types...>;

/// The observers of a member of rods. A new one: its header and its name in this list. A frame shows what
/// those before Frames have seen at its instant; of two that end a member, the first says how. Measures may
/// be made of what the others have found.
class Observers {
 public:
  using List = ObserverList<Baseline, EnergyGain, EnergyBalance, EndDistance, DataTrack, GroundDepth, Frames,
                            GaitWidth, MeanVelocity, CrushLimit, TwistLimit, Buckling, Measures, Settlement>;

  Observers(const MemberJob& job, MemberOutcome& outcome) {
    for_each(list_, [&](auto& observer) { observer.start(job, outcome); });
  }

  /// Lets all look; returns the status with which the first that ends the member ends it, or pending.
  MemberStatus slice(const Look& look) {
    MemberStatus status = MemberStatus::pending;
    for_each(list_, [&](auto& observer) {
      const MemberStatus wanted = observer.slice(look);
      if (status == MemberStatus::pending) status = wanted;
    });
    return status;
  }

  /// Tells all that the member has become another one of its branch.
  void become(const MemberSpec& spec) {
    for_each(list_, [&](auto& observer) {
      if constexpr (requires { observer.become(spec); }) observer.become(spec);
    });
  }

  void finish(const Look& look, Observation& observation) const {
    for_each(list_, [&](const auto& observer) { observer.finish(look, observation); });
  }

  /// Tells all that the drives of the member have jumped, and its energy by so much.
  void go_on_after_jump(const Glance& glance, double energy) {
    std::get<EnergyBalance>(list_).go_on_after_jump(glance, energy);
  }

  void visit(StateArchive& archive) {
    for_each(list_, [&](auto& observer) { observer.visit(archive); });
  }

  /// First step after `steps` at which an observer has to look, `last` at the latest.
  std::int64_t next_look(std::int64_t steps, std::int64_t last) const {
    for_each(list_, [&](const auto& observer) {
      if constexpr (requires { observer.next_look(steps); }) last = std::min(last, observer.next_look(steps));
    });
    return last;
  }

  /// First step after `steps` at which an observer has to glance, `last` at the latest.
  std::int64_t next_glance(std::int64_t steps, std::int64_t last) const {
    for_each(list_, [&](const auto& observer) {
      if constexpr (requires { observer.next_glance(steps); })
        last = std::min(last, observer.next_glance(steps));
    });
    return last;
  }

  void glance(const Glance& glance) {
    for_each(list_, [&](auto& observer) {
      if constexpr (requires { observer.glance(glance); }) observer.glance(glance);
    });
  }

  /// Largest need of all observers within the slice, after so many steps.
  Need needs_within(std::int64_t steps) const {
    Need most = Need::nothing;
    for_each(list_, [&](const auto& observer) {
      if constexpr (requires { observer.needs_within(steps); })
        most = std::max(most, observer.needs_within(steps));
    });
    return most;
  }

  void within(const Glance& glance, const Look* look) {
    for_each(list_, [&](auto& observer) {
      if constexpr (requires { observer.within(glance, look); }) observer.within(glance, look);
    });
  }

 private:
  template <class Tuple, class Visit>
  static void for_each(Tuple& list, const Visit& visit) {
    std::apply([&](auto&... observers) { (visit(observers), ...); }, list);
  }

  List list_;
};

}  // namespace rodeo
