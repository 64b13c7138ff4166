#pragma once

#include "observer.hpp"

namespace rodeo {

/// The shapes of modes at the nodes that a member's frames hold, of those at all nodes of its rods.
std::vector<double> framed_shapes(const MemberSpec& spec, const std::vector<double>& shapes);

/// Stores the member's frames in its outcome. They are spread evenly from the first to the last step.
class Frames {
 public:
  void start(const MemberJob& job, MemberOutcome& outcome);
  MemberStatus slice(const Look& look);
  void finish(const Look&, Observation&) const {}
  void visit(StateArchive& archive);
  std::int64_t next_look(std::int64_t steps) const;

 private:
  std::int64_t step_of(int frame) const;
  void store(const Look& look, std::size_t frame);

  int count_ = 0;
  std::int64_t last_step_ = 0;
  std::vector<std::size_t> entries_;  ///< numbers of a frame in each field of the outcome
  std::vector<int> rods_;             ///< that frames hold
  MemberOutcome* outcome_ = nullptr;
  int next_ = 0;
};

}  // namespace rodeo
