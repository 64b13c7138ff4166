#include "cell_refinement.hpp"

#include <algorithm>
#include <tuple>

namespace rodeo {

namespace {

bool holds(const Coordinates& first, const Coordinates& last, const Coordinates& at) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (at[axis] < first[axis] || at[axis] > last[axis]) return false;
  }
  return true;
}

}  // namespace

std::vector<int> lattice_places(int count, int stride) {
  const int last = count - 1;
  const int intervals = (last + stride - 1) / stride;
  std::vector<int> places = {0};
  for (int k = 1; k <= intervals; ++k) places.push_back(k * last / intervals);
  return places;
}

std::array<std::vector<int>, 3> lattice_of(const NodeGrid& grid, const Coordinates& strides) {
  std::array<std::vector<int>, 3> lattice;
  for (std::size_t axis = 0; axis < 3; ++axis)
    lattice[axis] = lattice_places(grid.counts[axis], strides[axis]);
  return lattice;
}

CellRefinement::CellRefinement(const NodeGrid& grid, const Coordinates& strides)
    : grid_(grid), seen_(grid.nodes(), 0), wanted_(grid.nodes(), false) {
  lattice_ = lattice_of(grid, strides);
  for_each_box(lattice_, [&](const Coordinates& first, const Coordinates& last) {
    boxes_.push_back({.first = first, .last = last});
  });
  const int size = std::ranges::max(strides);
  for_each_crossing(lattice_, [&](const Coordinates& at) { want(at, size); });
}

void CellRefinement::want(const Coordinates& at, int size) {
  const std::size_t node = grid_.node(at);
  if (wanted_[node]) return;
  wanted_[node] = true;
  new_.push_back({size, node});
}

std::vector<std::size_t> CellRefinement::take_wanted() {
  std::ranges::sort(new_, [](const Want& a, const Want& b) {
    return std::tuple(-a.size, a.node) < std::tuple(-b.size, b.node);
  });
  std::vector<std::size_t> nodes;
  for (const Want& wanted : new_) nodes.push_back(wanted.node);
  new_.clear();
  return nodes;
}

void CellRefinement::learn(std::size_t node, int outcome, double /*above*/) {
  const OutcomeSet bit = set_of(outcome);
  if ((seen_[node] & bit) != 0) return;
  seen_[node] |= bit;
  const Coordinates at = grid_.at(node);
  Coordinates first{};
  Coordinates last{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    // A place of the lattice ends one interval and begins the next.
    const std::vector<int>& places = lattice_[axis];
    const auto begin = std::ranges::lower_bound(places, at[axis]) - places.begin();
    const auto end = std::ranges::upper_bound(places, at[axis]) - places.begin();
    first[axis] = std::max(0, static_cast<int>(begin) - 1);
    last[axis] = std::min(static_cast<int>(end) - 1, static_cast<int>(gaps(places)) - 1);
  }
  for_each_place(first, last, [&](const Coordinates& interval) {
    std::size_t box = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box = box * gaps(lattice_[axis]) + static_cast<std::size_t>(interval[axis]);
    }
    learn_in(box, at, bit);
  });
}

void CellRefinement::learn_in(std::size_t box, const Coordinates& at, OutcomeSet outcome) {
  if (boxes_[box].children == 0) {
    boxes_[box].seen |= outcome;
    return refine(box);
  }
  for (int child = 0; child < boxes_[box].child_count; ++child) {
    const std::size_t part = boxes_[box].children + static_cast<std::size_t>(child);
    if (holds(boxes_[part].first, boxes_[part].last, at)) learn_in(part, at, outcome);
  }
}

/// Splits a box in which outcomes disagree, and those of its parts in which they do.
void CellRefinement::refine(std::size_t box) {
  const Box whole = boxes_[box];
  const int size = widest(whole.first, whole.last);
  if (!disagree(whole.seen) || size <= 1) return;
  std::array<std::vector<int>, 3> cuts;
  for (std::size_t axis = 0; axis < 3; ++axis) cuts[axis] = cuts_of(whole.first[axis], whole.last[axis]);
  const std::size_t begin = boxes_.size();
  for_each_box(cuts, [&](const Coordinates& first, const Coordinates& last) {
    Box part{.first = first, .last = last};
    for_each_place(first, last, [&](const Coordinates& at) { part.seen |= seen_[grid_.node(at)]; });
    boxes_.push_back(part);
  });
  boxes_[box].children = begin;
  boxes_[box].child_count = static_cast<int>(boxes_.size() - begin);
  for_each_crossing(cuts, [&](const Coordinates& at) { want(at, size); });
  for (std::size_t part = begin, end = boxes_.size(); part < end; ++part) refine(part);
}

}  // namespace rodeo
