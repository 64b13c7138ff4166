#include "category_refinement.hpp"

namespace rodeo {

namespace {

std::vector<std::size_t> axes_of(const NodeGrid& grid, bool categories) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (grid.categories[axis] == categories) axes.push_back(axis);
  }
  return axes;
}

NodeGrid grid_over(const NodeGrid& grid, const std::vector<std::size_t>& axes) {
  std::vector<std::size_t> counts;
  for (const std::size_t axis : axes) counts.push_back(static_cast<std::size_t>(grid.counts[axis]));
  return NodeGrid(counts);
}

Coordinates picked(const Coordinates& at, const std::vector<std::size_t>& axes, int rest) {
  Coordinates own{rest, rest, rest};
  for (std::size_t k = 0; k < axes.size(); ++k) own[k] = at[axes[k]];
  return own;
}

}  // namespace

CategoryRefinement::CategoryRefinement(const NodeGrid& grid, const Coordinates& strides, const Make& make)
    : grid_(grid),
      own_axes_(axes_of(grid, false)),
      category_axes_(axes_of(grid, true)),
      own_(grid_over(grid, own_axes_)),
      combinations_(grid_over(grid, category_axes_)) {
  for (std::size_t k = 0; k < combinations_.nodes(); ++k)
    refinements_.push_back(make(own_, picked(strides, own_axes_, 1)));
}

void CategoryRefinement::learn(std::size_t node, int outcome) {
  const Coordinates at = grid_.at(node);
  refinements_[combinations_.node(picked(at, category_axes_, 0))]->learn(own_.node(picked(at, own_axes_, 0)),
                                                                         outcome);
}

std::vector<std::size_t> CategoryRefinement::take_wanted() {
  std::vector<std::size_t> nodes;
  for (std::size_t k = 0; k < refinements_.size(); ++k) {
    const Coordinates combination = combinations_.at(k);
    for (const std::size_t node : refinements_[k]->take_wanted()) {
      const Coordinates own = own_.at(node);
      Coordinates at{};
      for (std::size_t axis = 0; axis < own_axes_.size(); ++axis) at[own_axes_[axis]] = own[axis];
      for (std::size_t axis = 0; axis < category_axes_.size(); ++axis)
        at[category_axes_[axis]] = combination[axis];
      nodes.push_back(grid_.node(at));
    }
  }
  return nodes;
}

}  // namespace rodeo
