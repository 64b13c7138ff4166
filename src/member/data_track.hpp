#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rodeo/spec/measure_spec.hpp"

#include "arc_place.hpp"
#include "observer.hpp"

namespace rodeo {

/// Positions of rods at the places and times of measured data, interpolated linearly between the two steps
/// around a time and, between nodes, along the rest length. They go to the outcome.
class DataTrack {
 public:
  void start(const MemberJob& job, MemberOutcome& outcome);
  MemberStatus slice(const Look& look);
  void glance(const Glance& glance);
  void finish(const Look& look, Observation& observation) const;
  void visit(StateArchive& archive);
  std::int64_t next_glance(std::int64_t steps) const;

 private:
  /// Contribution of the state after a step to the place of a data point.
  struct Part {
    std::int64_t step = 0;
    std::size_t point = 0;
    double share = 1.0;
    bool completes = true;  ///< no more is added to it
  };

  static ArcPlace place_of(const DataPoint& point, const ConstRodView& rod);
  Vec3 position(std::size_t point, RodsAtLook& rods);

  std::shared_ptr<const MeasuredData> data_;
  std::vector<bool> closed_;                     ///< rods
  std::vector<Part> parts_;                      ///< in the order of their steps
  std::int64_t next_ = 0;                        ///< part
  std::vector<std::optional<ArcPlace>> places_;  ///< of points, once they were looked for
  std::vector<bool> complete_;                   ///< points; follows from next_
  MemberOutcome* outcome_ = nullptr;
};

}  // namespace rodeo
