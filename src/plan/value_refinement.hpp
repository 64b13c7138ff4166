#pragma once

#include <vector>

#include "refinement.hpp"

namespace rodeo {

/// Boxes between the nodes of a coarse lattice, each of which is split at its middle while the level may run
/// through it and the observable bends so much between its corners that a linear interpolant would put the
/// boundary wrong by more than a tolerance. How much it bends is seen from the lattice, from nodes within
/// that are known, and from how far the interpolant of the box that was split before was wrong. Where members
/// have no number, boxes are split as by CellRefinement.
///
/// It wants a fraction of what CellRefinement does, but in rounds, one for each halving of the lattice. Nodes
/// that were not wanted are ignored even if they are known, so that a resumed campaign wants the same as one
/// that was never stopped.
class ValueRefinement final : public Refinement {
 public:
  /// `tolerance`: of the place of the boundary, in steps of the grid.
  ValueRefinement(const NodeGrid& grid, const Coordinates& strides, double tolerance);

  void learn(std::size_t node, int outcome, double above) override;
  std::vector<std::size_t> take_wanted() override;
  std::vector<double> inferred() const override;

 private:
  struct Box {
    Coordinates first;
    Coordinates last;
    Coordinates whole_first;  ///< of the box of which it is a part; of a lattice's its own
    Coordinates whole_last;
    double bend = -1.0;  ///< how far its interpolant may be wrong; below 0: not known yet
  };

  bool is_known(std::size_t node) const { return wanted_[node] && outcome_[node] >= 0; }
  double value(const Coordinates& at) const { return above_[grid_.node(at)]; }
  double interpolated(const Coordinates& first, const Coordinates& last, const Coordinates& at) const;
  double bend_of_lattice(const Box& box) const;
  double bend_of_whole(const Box& box) const;
  bool is_to_split(Box& box) const;
  void refine();
  void want(const Coordinates& at);

  NodeGrid grid_;
  Coordinates strides_;
  double tolerance_;
  std::vector<Box> boxes_;        ///< that are whole
  std::vector<int> outcome_;      ///< by node; -1 while it is not known
  std::vector<double> above_;     ///< by node
  std::vector<bool> wanted_;      ///< by node
  std::vector<std::size_t> new_;  ///< nodes that are wanted from now on
  std::size_t awaited_ = 0;       ///< nodes that were wanted and are not known
  bool done_ = false;
};

}  // namespace rodeo
