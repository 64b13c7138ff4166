#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/forces/further_ground.hpp"
#include "rodeo/forces/ground_reach.hpp"

#include "observer.hpp"

namespace rodeo {

/// The ground of a member as a set of surfaces.
class GroundSurfaces {
 public:
  explicit GroundSurfaces(const MemberSpec& spec);

  /// Gives the platen the live numbers of its control (LiveNumber).
  void set_live(std::span<const double> live) { std::ranges::copy(live, tables_.begin()); }

  /// Finds which surfaces elements can reach at a time, where they stand; returns whether any can.
  bool look_at(const ConstRodView& all, double time);

  /// Greatest depth of an element of that radius in these surfaces at the time, m; negative above all.
  double depth(const ConstRodView& all, int element, double radius, double time) const;

 private:
  forces::Plane platen(double time) const;

  forces::Ground surfaces_;
  std::vector<double> tables_;  ///< of the platen's formulas; they begin with the live numbers
  forces::FurtherGround further_;
  forces::GroundReach reach_;
};

/// The greatest depth of an element in the ground at the ends of slices, and of steps that are seen, over its
/// radius. Elements that begin in the ground, as clamped ends may, are left out.
class GroundDepth {
 public:
  void start(const MemberJob& job, MemberOutcome&) { become(job.spec); }
  void become(const MemberSpec& spec) {
    if (spec.ground.exists()) surfaces_.emplace(spec);
  }
  MemberStatus slice(const Look& look);
  Need needs_within(std::int64_t) const { return surfaces_ ? Need::glance : Need::nothing; }
  void within(const Glance& glance, const Look*) { measure(glance); }
  void finish(const Look&, Observation& observation) const { observation.ground_depth = deepest_; }
  void visit(StateArchive& archive) {
    archive.visit(has_looked_);
    archive.visit_list(in_at_first_);
    archive.visit(deepest_);
  }

 private:
  void measure(const Glance& glance);

  std::optional<GroundSurfaces> surfaces_;  ///< nothing without ground; as they were at the last look
  bool has_looked_ = false;
  std::vector<int> in_at_first_;  ///< elements, in ascending order
  double deepest_ = 0.0;
};

}  // namespace rodeo
