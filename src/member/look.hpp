#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rodeo/member/rod_arrays.hpp"
#include "rodeo/member/status.hpp"
#include "rodeo/observe/observable.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

class Observers;

/// A member of rods between two slices, as its observers see it.
struct Look {
  const MemberSpec& spec;
  const MemberSpec& last_rod;  ///< what observables of the last rod are told of it
  const std::vector<RodPlace>& places;
  const Observers& observers;
  const Sample& sample;
  std::int64_t steps;                             ///< taken
  MemberStatus status;                            ///< how it ends; pending while it goes on
  const std::function<HostArrays()>& fetch;       ///< its arrays, once at most
  mutable std::optional<HostArrays> arrays = {};  ///< as they were fetched
  mutable std::vector<RodView> fetched_rods = {};

  /// Seconds of the member.
  double time() const { return static_cast<double>(steps) * spec.time.step; }

  /// Its rods, in host memory and double precision: fetched for the first observer that asks.
  const std::vector<RodView>& rods() const;

  /// What is known of it by now.
  Observation observe() const;
};

}  // namespace rodeo
