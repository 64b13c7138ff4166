#include "value_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rodeo {

namespace {

/// Interpolating a quadratic function linearly between two places errs by an eighth of its second difference
/// over their distance, and by a fourth of that error over half the distance.
constexpr double bend_over_difference = 1.0 / 8.0;
constexpr double bend_of_halves = 1.0 / 4.0;

/// Calls `use(corner, which)` for the corners of a box, those of single places several times.
template <class Use>
void for_each_corner(const Coordinates& first, const Coordinates& last, const Use& use) {
  for_each_place({0, 0, 0}, {1, 1, 1}, [&](const Coordinates& which) {
    Coordinates corner{};
    for (std::size_t axis = 0; axis < 3; ++axis) corner[axis] = which[axis] == 0 ? first[axis] : last[axis];
    use(corner, which);
  });
}

}  // namespace

ValueRefinement::ValueRefinement(const NodeGrid& grid, const Coordinates& strides, double tolerance)
    : grid_(grid),
      strides_(strides),
      tolerance_(tolerance),
      outcome_(grid.nodes(), -1),
      above_(grid.nodes(), std::numeric_limits<double>::quiet_NaN()),
      wanted_(grid.nodes(), false) {
  const auto lattice = lattice_of(grid, strides);
  for_each_box(lattice, [&](const Coordinates& first, const Coordinates& last) {
    boxes_.push_back({first, last, first, last});
  });
  for_each_crossing(lattice, [&](const Coordinates& at) { want(at); });
}

void ValueRefinement::want(const Coordinates& at) {
  const std::size_t node = grid_.node(at);
  if (wanted_[node]) return;
  wanted_[node] = true;
  new_.push_back(node);
  if (outcome_[node] < 0) ++awaited_;
}

void ValueRefinement::learn(std::size_t node, int outcome, double above) {
  if (outcome_[node] >= 0) return;
  outcome_[node] = outcome;
  above_[node] = above;
  if (wanted_[node]) --awaited_;
}

std::vector<std::size_t> ValueRefinement::take_wanted() {
  while (new_.empty() && awaited_ == 0 && !done_) refine();
  std::ranges::sort(new_);
  return std::exchange(new_, {});
}

double ValueRefinement::interpolated(const Coordinates& first, const Coordinates& last,
                                     const Coordinates& at) const {
  double sum = 0.0;
  for_each_corner(first, last, [&](const Coordinates& corner, const Coordinates& which) {
    double weight = 1.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int width = last[axis] - first[axis];
      const double share = width > 0 ? static_cast<double>(at[axis] - first[axis]) / width : 0.0;
      weight *= which[axis] == 0 ? 1.0 - share : share;
    }
    if (weight != 0.0) sum += weight * value(corner);
  });
  return sum;
}

/// Estimates a box's bend by second differences of the lattice around its corners.
double ValueRefinement::bend_of_lattice(const Box& box) const {
  const auto lattice = lattice_of(grid_, strides_);
  double bend = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::vector<int>& places = lattice[axis];
    double most = 0.0;
    for_each_corner(box.first, box.last, [&](const Coordinates& corner, const Coordinates&) {
      const auto place = std::ranges::find(places, corner[axis]);
      if (place == places.begin() || place + 1 == places.end()) return;
      Coordinates before = corner;
      Coordinates behind = corner;
      before[axis] = *(place - 1);
      behind[axis] = *(place + 1);
      const double difference = std::abs(value(before) - 2.0 * value(corner) + value(behind));
      if (difference > most) most = difference;
    });
    bend += bend_over_difference * most;
  }
  return bend;
}

/// Estimates a box's bend by errors at the places where the box of which it is a part was cut.
double ValueRefinement::bend_of_whole(const Box& box) const {
  double most = 0.0;
  for_each_crossing(cuts_of(box.whole_first, box.whole_last), [&](const Coordinates& at) {
    const double wrong = std::abs(value(at) - interpolated(box.whole_first, box.whole_last, at));
    if (wrong > most) most = wrong;
  });
  return bend_of_halves * most;
}

bool ValueRefinement::is_to_split(Box& box) const {
  if (widest(box.first, box.last) <= 1) return false;
  const bool is_of_lattice = box.first == box.whole_first && box.last == box.whole_last;
  if (box.bend < 0.0) box.bend = is_of_lattice ? bend_of_lattice(box) : bend_of_whole(box);
  OutcomeSet seen = 0;
  bool has_numbers = true;
  double bend = box.bend;
  for_each_place(box.first, box.last, [&](const Coordinates& at) {
    const std::size_t node = grid_.node(at);
    if (!is_known(node)) return;
    seen |= set_of(outcome_[node]);
    has_numbers = has_numbers && !std::isnan(above_[node]);
    bend = std::max(bend, std::abs(above_[node] - interpolated(box.first, box.last, at)));
  });
  if (!has_numbers) return disagree(seen);
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  Coordinates::value_type corners = 0;
  std::array<double, 3> slope{};
  for_each_corner(box.first, box.last, [&](const Coordinates& corner, const Coordinates& which) {
    least = std::min(least, value(corner));
    most = std::max(most, value(corner));
    ++corners;
    for (std::size_t axis = 0; axis < 3; ++axis)
      slope[axis] += (which[axis] == 0 ? -1.0 : 1.0) * value(corner);
  });
  if (least - bend >= 0.0 || most + bend < 0.0) return false;
  double square = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int width = box.last[axis] - box.first[axis];
    if (width > 0) square += std::pow(2.0 * slope[axis] / (corners * width), 2);
  }
  return bend > tolerance_ * std::sqrt(square);
}

void ValueRefinement::refine() {
  std::vector<Box> boxes;
  for (Box& box : boxes_) {
    if (!is_to_split(box)) {
      boxes.push_back(box);
      continue;
    }
    const auto cuts = cuts_of(box.first, box.last);
    for_each_box(cuts, [&](const Coordinates& first, const Coordinates& last) {
      boxes.push_back({first, last, box.first, box.last});
    });
    for_each_crossing(cuts, [&](const Coordinates& at) { want(at); });
  }
  done_ = boxes.size() == boxes_.size();
  boxes_ = std::move(boxes);
}

std::vector<double> ValueRefinement::inferred() const {
  std::vector<double> values(grid_.nodes(), std::numeric_limits<double>::quiet_NaN());
  for (const Box& box : boxes_) {
    for_each_place(box.first, box.last, [&](const Coordinates& at) {
      double& of_node = values[grid_.node(at)];
      if (std::isnan(of_node)) of_node = interpolated(box.first, box.last, at);
    });
  }
  for (std::size_t node = 0; node < values.size(); ++node) {
    if (outcome_[node] >= 0) values[node] = above_[node];
  }
  return values;
}

}  // namespace rodeo
