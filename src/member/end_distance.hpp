#pragma once

#include "observer.hpp"

namespace rodeo {

/// Oscillation of the distance between the ends of the last rod. It is looked at every thousand steps, as
/// with slices of default length, however long they are, and after each step that is seen.
class EndDistance {
 public:
  void start(const MemberJob&, MemberOutcome&) {}
  MemberStatus slice(const Look& look) {
    if (look.steps != seen_)
      distance_.add(look.time(), norm(look.sample.end - look.rods.position(look.places.back().first)));
    return MemberStatus::pending;
  }
  void glance(const Glance& glance) {
    if (glance.steps % interval == 0 && glance.steps != seen_) add(glance);
  }
  Need needs_within(std::int64_t) const { return Need::glance; }
  void within(const Glance& glance, const Look*) {
    add(glance);
    seen_ = glance.steps;
  }
  std::int64_t next_glance(std::int64_t steps) const { return (steps / interval + 1) * interval; }
  void finish(const Look&, Observation& observation) const { observation.end_distance = distance_; }
  void visit(StateArchive& archive) { archive.visit(distance_); }

 private:
  static constexpr std::int64_t interval = 1000;

  void add(const Glance& glance) {
    const RodPlace& last = glance.places.back();
    distance_.add(glance.time(),
                  norm(glance.rods.position(last.first + last.elements) - glance.rods.position(last.first)));
  }

  std::int64_t seen_ = -1;  ///< the last step within a slice
  observe::Oscillation distance_;
};

}  // namespace rodeo
