#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "refinement.hpp"

namespace rodeo {

/// A refinement over the other axes for each combination of categories (NodeGrid::categories), which has
/// nothing to do with those of other combinations.
class CategoryRefinement final : public Refinement {
 public:
  /// Makes a refinement of a grid that has categories along no axis, from the grid and its strides.
  using Make = std::function<std::unique_ptr<Refinement>(const NodeGrid& grid, const Coordinates& strides)>;

  CategoryRefinement(const NodeGrid& grid, const Coordinates& strides, const Make& make);

  void learn(std::size_t node, int outcome, double above) override;
  std::vector<std::size_t> take_wanted() override;
  std::vector<double> inferred() const override;

 private:
  std::size_t whole_node(std::size_t combination, std::size_t own) const;

  NodeGrid grid_;
  std::vector<std::size_t> own_axes_;       ///< of each refinement
  std::vector<std::size_t> category_axes_;  ///< the others
  NodeGrid own_;
  NodeGrid combinations_;
  std::vector<std::unique_ptr<Refinement>> refinements_;  ///< by node of combinations_
};

}  // namespace rodeo
