#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "rodeo/member/host_rods.hpp"
#include "rodeo/member/status.hpp"
#include "rodeo/observe/observable.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

class Observers;

/// The arrays of a member, and those of each of its rods.
class RodsAtLook {
 public:
  RodsAtLook(const std::vector<RodPlace>& places, HostRods& arrays) : places_(places), arrays_(arrays) {}

  Vec3 position(int node) { return arrays_.position(node); }

  /// View of all rods together, in double precision.
  ConstRodView all() { return arrays_.all(); }

  /// States of their motions.
  std::span<const boundary::MotionState> motions() { return arrays_.motions(); }

  /// Links between points of the rods.
  std::vector<connection::PointLink> links() { return arrays_.links(); }

  /// The pairs of elements that touch; in implicit steps, those at the end of the last one.
  std::vector<contact::Touch> touching() { return arrays_.touching(); }

  /// Record of their platen.
  std::span<const double> platen() { return arrays_.platen(); }

  /// Views of the rods one by one, in double precision.
  const std::vector<ConstRodView>& each() {
    if (each_.empty()) {
      const ConstRodView all = arrays_.all();
      for (const RodPlace& place : places_) each_.push_back(all.part(place.first, place.elements));
    }
    return each_;
  }

 private:
  const std::vector<RodPlace>& places_;
  HostRods& arrays_;
  std::vector<ConstRodView> each_;
};

/// The steps of a member in time, before those along its branch.
inline std::int64_t steps_in_time(const MemberSpec& spec) {
  return spec.time.steps - (spec.branch.exists() ? spec.branch.points : 0);
}

/// A member of rods between two slices, without a sample.
struct Glance {
  const MemberSpec& spec;
  const std::vector<RodPlace>& places;
  std::int64_t steps;  ///< taken
  RodsAtLook& rods;
  std::span<const double> control = {};  ///< the numbers of its control
  std::span<const double> live = {};     ///< and the live ones

  /// Seconds of the member, which stand still along a branch.
  double time() const { return static_cast<double>(std::min(steps, steps_in_time(spec))) * spec.time.step; }
};

/// A member of rods between two slices, as its observers see it.
struct Look : Glance {
  const MemberSpec& last_rod;  ///< what observables of the last rod are told of it
  const Observers& observers;
  const Sample& sample;
  MemberStatus status;  ///< how it ends; pending while it goes on

  /// Everything known of the member by now, as observables see it.
  Observation observe() const;
};

}  // namespace rodeo
