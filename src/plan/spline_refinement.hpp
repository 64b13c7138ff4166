#pragma once

#include <vector>

#include "refinement.hpp"

namespace rodeo {

/// A lattice that is halved until it is the grid. On each a thin-plate spline through the outcomes known so
/// far predicts those of the others; ends of edges along which the outcome is then said to change are wanted,
/// until all of these are known. It wants less than CellRefinement, but in rounds: nothing is wanted before
/// all of the last round is known.
///
/// Nodes that were not wanted are ignored even if they are known, so that a resumed campaign wants the same
/// as one that was never stopped.
class SplineRefinement final : public Refinement {
 public:
  SplineRefinement(const NodeGrid& grid, const Coordinates& strides);

  void learn(std::size_t node, int outcome, double above) override;
  std::vector<std::size_t> take_wanted() override;

 private:
  std::vector<std::size_t> unknown_ends() const;
  std::vector<int> prediction(const std::vector<std::size_t>& lattice) const;
  bool is_known(std::size_t node) const { return wanted_[node] && outcome_[node] >= 0; }

  NodeGrid grid_;
  Coordinates strides_;             ///< of the lattice
  std::vector<int> outcome_;        ///< by node; -1 while it is not known
  std::vector<bool> wanted_;        ///< by node
  std::vector<std::size_t> known_;  ///< nodes that were wanted and are known
  std::vector<std::size_t> new_;    ///< nodes that are wanted from now on
  std::size_t awaited_ = 0;         ///< nodes that were wanted and are not known
  bool done_ = false;
};

}  // namespace rodeo
