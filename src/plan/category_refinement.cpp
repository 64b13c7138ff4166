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

void CategoryRefinement::learn(std::size_t node, int outcome, double above) {
  const Coordinates at = grid_.at(node);
  refinements_[combinations_.node(picked(at, category_axes_, 0))]->learn(own_.node(picked(at, own_axes_, 0)),
                                                                         outcome, above);
}

std::vector<std::size_t> CategoryRefinement::take_wanted() {
  std::vector<std::size_t> nodes;
  for (std::size_t k = 0; k < refinements_.size(); ++k) {
    for (const std::size_t node : refinements_[k]->take_wanted()) nodes.push_back(whole_node(k, node));
  }
  return nodes;
}

std::size_t CategoryRefinement::whole_node(std::size_t combination, std::size_t own) const {
  Coordinates at{};
  for (std::size_t axis = 0; axis < own_axes_.size(); ++axis) at[own_axes_[axis]] = own_.at(own)[axis];
  for (std::size_t axis = 0; axis < category_axes_.size(); ++axis)
    at[category_axes_[axis]] = combinations_.at(combination)[axis];
  return grid_.node(at);
}

std::vector<double> CategoryRefinement::inferred() const {
  std::vector<double> values;
  for (std::size_t k = 0; k < refinements_.size(); ++k) {
    const std::vector<double> own = refinements_[k]->inferred();
    if (own.empty()) break;
    values.resize(grid_.nodes());
    for (std::size_t node = 0; node < own.size(); ++node) values[whole_node(k, node)] = own[node];
  }
  return values;
}

}  // namespace rodeo
