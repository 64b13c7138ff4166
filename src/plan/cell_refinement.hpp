#pragma once

#include <vector>

#include "refinement.hpp"

namespace rodeo {

/// Boxes between the nodes of a coarse lattice, each of which is split at its middle if outcomes that are
/// known anywhere in it, its faces included, disagree, until they are a grid step wide. Corners of boxes are
/// wanted.
///
/// More outcomes never make a box whole again, so that the same nodes are wanted in the end in whatever
/// order outcomes come, and no member needs to wait for another.
class CellRefinement final : public Refinement {
 public:
  CellRefinement(const NodeGrid& grid, const Coordinates& strides);

  void learn(std::size_t node, int outcome, double above) override;
  std::vector<std::size_t> take_wanted() override;

 private:
  struct Box {
    Coordinates first;
    Coordinates last;
    OutcomeSet seen = 0;
    std::size_t children = 0;  ///< the first of them; 0 while it is whole
    int child_count = 0;
  };

  void learn_in(std::size_t box, const Coordinates& at, OutcomeSet outcome);
  void refine(std::size_t box);
  void want(const Coordinates& at, int size);

  NodeGrid grid_;
  std::array<std::vector<int>, 3> lattice_;  ///< its places along each axis
  std::vector<Box> boxes_;                   ///< first those of the lattice, the last axis fastest
  std::vector<OutcomeSet> seen_;             ///< by node
  std::vector<bool> wanted_;                 ///< by node
  struct Want {
    int size;  ///< of the box for which it is wanted
    std::size_t node;
  };
  std::vector<Want> new_;
};

}  // namespace rodeo
