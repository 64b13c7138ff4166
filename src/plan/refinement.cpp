#include "refinement.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "rodeo/linear/dense.hpp"

namespace rodeo {

namespace {

/// Places along an axis of `count` values, the first and the last among them, that are as even as can be and
/// at most `stride` apart.
std::vector<int> lattice_places(int count, int stride) {
  const int last = count - 1;
  const int intervals = (last + stride - 1) / stride;
  std::vector<int> places = {0};
  for (int k = 1; k <= intervals; ++k) places.push_back(k * last / intervals);
  return places;
}

}  // namespace

std::array<std::vector<int>, 3> lattice_of(const NodeGrid& grid, const Coordinates& strides) {
  std::array<std::vector<int>, 3> lattice;
  for (std::size_t axis = 0; axis < 3; ++axis)
    lattice[axis] = lattice_places(grid.counts[axis], strides[axis]);
  return lattice;
}

namespace {

bool holds(const Coordinates& first, const Coordinates& last, const Coordinates& at) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (at[axis] < first[axis] || at[axis] > last[axis]) return false;
  }
  return true;
}

/// Boxes between the nodes of a coarse lattice, each of which is split at its middle if outcomes that are
/// known anywhere in it, its faces included, disagree, until they are a grid step wide. Corners of boxes are
/// wanted.
///
/// More outcomes never make a box whole again, so that the same nodes are wanted in the end in whatever
/// order outcomes come, and no member needs to wait for another.
class CellRefinement final : public Refinement {
 public:
  CellRefinement(const NodeGrid& grid, const Coordinates& strides)
      : grid_(grid), seen_(grid.nodes(), 0), wanted_(grid.nodes(), false) {
    lattice_ = lattice_of(grid, strides);
    for_each_box(lattice_, [&](const Coordinates& first, const Coordinates& last) {
      boxes_.push_back({.first = first, .last = last});
    });
    const int size = std::ranges::max(strides);
    for_each_crossing(lattice_, [&](const Coordinates& at) { want(at, size); });
  }

  void learn(std::size_t node, int outcome, double /*above*/) override {
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

  std::vector<std::size_t> take_wanted() override {
    std::ranges::sort(new_, [](const Want& a, const Want& b) {
      return std::tuple(-a.size, a.node) < std::tuple(-b.size, b.node);
    });
    std::vector<std::size_t> nodes;
    for (const Want& wanted : new_) nodes.push_back(wanted.node);
    new_.clear();
    return nodes;
  }

 private:
  struct Box {
    Coordinates first;
    Coordinates last;
    OutcomeSet seen = 0;
    std::size_t children = 0;  ///< the first of them; 0 while it is whole
    int child_count = 0;
  };

  void learn_in(std::size_t box, const Coordinates& at, OutcomeSet outcome) {
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
  void refine(std::size_t box) {
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

  void want(const Coordinates& at, int size) {
    const std::size_t node = grid_.node(at);
    if (wanted_[node]) return;
    wanted_[node] = true;
    new_.push_back({size, node});
  }

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

/// One spline goes through so many nodes at most. Of more, those nearest to a part of the lattice make its
/// own.
constexpr std::size_t most_centres = 120;

/// Edge of such a part, in nodes of the lattice.
constexpr int part_edge(int axes) { return axes == 2 ? 8 : 4; }

/// Twice the coordinates of the middle of a box, which are whole numbers.
Coordinates twice_middle(const Coordinates& first, const Coordinates& last) {
  return {first[0] + last[0], first[1] + last[1], first[2] + last[2]};
}

/// The nearest of `nodes`, in rising order.
std::vector<std::size_t> nearest_nodes(const NodeGrid& grid, const std::vector<std::size_t>& nodes,
                                       const Coordinates& twice, std::size_t count) {
  if (nodes.size() <= count) return nodes;
  std::vector<std::pair<std::int64_t, std::size_t>> distances;
  distances.reserve(nodes.size());
  for (const std::size_t node : nodes) {
    const Coordinates at = grid.at(node);
    std::int64_t square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t difference = 2 * at[axis] - twice[axis];
      square += difference * difference;
    }
    distances.emplace_back(square, node);
  }
  std::ranges::nth_element(distances, distances.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<std::size_t> nearest;
  for (std::size_t k = 0; k < count; ++k) nearest.push_back(distances[k].second);
  std::ranges::sort(nearest);
  return nearest;
}

/// For each outcome that the centres have, a thin-plate spline that is 1 at those with it and 0 at the
/// others.
class OutcomeSplines {
 public:
  OutcomeSplines(const NodeGrid& grid, std::vector<std::size_t> centres, const std::vector<int>& outcome)
      : grid_(grid), centres_(std::move(centres)) {
    for (const std::size_t centre : centres_) outcomes_.push_back(outcome[centre]);
    std::ranges::sort(outcomes_);
    outcomes_.erase(std::unique(outcomes_.begin(), outcomes_.end()), outcomes_.end());
    if (outcomes_.size() < 2) return;
    const auto points = static_cast<Eigen::Index>(centres_.size());
    const Eigen::Index linear = 1 + grid.axes();
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(points + linear, points + linear);
    Eigen::MatrixXd values =
        Eigen::MatrixXd::Zero(points + linear, static_cast<Eigen::Index>(outcomes_.size()));
    for (Eigen::Index row = 0; row < points; ++row) {
      const std::size_t centre = centres_[static_cast<std::size_t>(row)];
      matrix.col(row) = functions(grid.at(centre));
      const auto place = std::ranges::find(outcomes_, outcome[centre]) - outcomes_.begin();
      values(row, place) = 1.0;
    }
    matrix.topRightCorner(points, linear) = matrix.bottomLeftCorner(linear, points).transpose();
    weights_ = solved(matrix, values);
  }

  /// The outcome whose spline is largest.
  int outcome_at(const Coordinates& at) const {
    if (outcomes_.size() < 2) return outcomes_.front();
    Eigen::Index best = 0;
    (weights_.transpose() * functions(at)).maxCoeff(&best);
    return outcomes_[static_cast<std::size_t>(best)];
  }

 private:
  /// The kernel between a place and each centre, and the linear functions there.
  Eigen::VectorXd functions(const Coordinates& at) const {
    const auto points = static_cast<Eigen::Index>(centres_.size());
    Eigen::VectorXd values(points + 1 + grid_.axes());
    for (Eigen::Index k = 0; k < points; ++k) {
      const Coordinates centre = grid_.at(centres_[static_cast<std::size_t>(k)]);
      double square = 0.0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double difference = at[axis] - centre[axis];
        square += difference * difference;
      }
      // Thin-plate kernel: r^2 log r in two dimensions, r in three.
      if (grid_.axes() == 3) {
        values[k] = std::sqrt(square);
      } else {
        values[k] = square > 0.0 ? 0.5 * square * std::log(square) : 0.0;
      }
    }
    values[points] = 1.0;
    for (Eigen::Index axis = 0; axis < grid_.axes(); ++axis) {
      values[points + 1 + axis] = at[static_cast<std::size_t>(axis)];
    }
    return values;
  }

  const NodeGrid& grid_;
  std::vector<std::size_t> centres_;
  std::vector<int> outcomes_;  ///< in rising order
  Eigen::MatrixXd weights_;
};

/// A lattice that is halved until it is the grid. On each a thin-plate spline through the outcomes known so
/// far predicts those of the others; ends of edges along which the outcome is then said to change are wanted,
/// until all of these are known. It wants less than CellRefinement, but in rounds: nothing is wanted before
/// all of the last round is known.
///
/// Nodes that were not wanted are ignored even if they are known, so that a resumed campaign wants the same
/// as one that was never stopped.
class SplineRefinement final : public Refinement {
 public:
  SplineRefinement(const NodeGrid& grid, const Coordinates& strides)
      : grid_(grid), strides_(strides), outcome_(grid.nodes(), -1), wanted_(grid.nodes(), false) {
    for_each_crossing(lattice_of(grid, strides),
                      [&](const Coordinates& at) { new_.push_back(grid.node(at)); });
  }

  void learn(std::size_t node, int outcome, double /*above*/) override {
    if (outcome_[node] >= 0) return;
    outcome_[node] = outcome;
    if (!wanted_[node]) return;
    known_.push_back(node);
    --awaited_;
  }

  std::vector<std::size_t> take_wanted() override {
    while (awaited_ == 0 && !done_) {
      if (new_.empty()) new_ = unknown_ends();
      if (new_.empty()) {
        done_ = std::ranges::max(strides_) == 1;
        for (int& stride : strides_) stride = std::max(1, stride / 2);
        continue;
      }
      for (const std::size_t node : new_) {
        wanted_[node] = true;
        if (outcome_[node] >= 0) {
          known_.push_back(node);
        } else {
          ++awaited_;
        }
      }
      return std::exchange(new_, {});
    }
    return {};
  }

 private:
  /// Unknown ends of lattice edges along which the outcome is known or predicted to change.
  std::vector<std::size_t> unknown_ends() const {
    const auto lattice = lattice_of(grid_, strides_);
    const NodeGrid coarse(std::array{lattice[0].size(), lattice[1].size(), lattice[2].size()});
    std::vector<std::size_t> nodes;
    for_each_crossing(lattice, [&](const Coordinates& at) { nodes.push_back(grid_.node(at)); });
    const std::vector<int> outcomes = prediction(nodes);
    std::vector<std::size_t> unknown;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Coordinates next = coarse.at(k);
        if (++next[axis] == coarse.counts[axis]) continue;
        const std::size_t other = coarse.node(next);
        if (outcomes[k] == outcomes[other]) continue;
        for (const std::size_t end : {nodes[k], nodes[other]}) {
          if (!is_known(end)) unknown.push_back(end);
        }
      }
    }
    std::ranges::sort(unknown);
    unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
    return unknown;
  }

  /// Outcomes on the lattice that has these nodes, known or said by splines.
  std::vector<int> prediction(const std::vector<std::size_t>& lattice) const {
    std::vector<std::size_t> known = known_;
    std::ranges::sort(known);  // so that sums do not depend on who ended first
    const auto places = lattice_of(grid_, strides_);
    const NodeGrid coarse(std::array{places[0].size(), places[1].size(), places[2].size()});
    const bool in_parts = known.size() > most_centres;
    const int edge = in_parts ? part_edge(grid_.axes()) : std::ranges::max(coarse.counts);
    std::vector<int> outcomes(lattice.size());
    const auto fill = [&](const Coordinates& part) {
      Coordinates first{};
      Coordinates last{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        first[axis] = part[axis] * edge;
        last[axis] = std::min(first[axis] + edge, coarse.counts[axis]) - 1;
      }
      std::vector<std::size_t> unknown;
      for_each_place(first, last, [&](const Coordinates& at) {
        const std::size_t k = coarse.node(at);
        if (is_known(lattice[k])) {
          outcomes[k] = outcome_[lattice[k]];
        } else {
          unknown.push_back(k);
        }
      });
      if (unknown.empty()) return;
      const Coordinates twice =
          twice_middle(grid_.at(lattice[coarse.node(first)]), grid_.at(lattice[coarse.node(last)]));
      const OutcomeSplines splines(grid_, nearest_nodes(grid_, known, twice, most_centres), outcome_);
      for (const std::size_t k : unknown) outcomes[k] = splines.outcome_at(grid_.at(lattice[k]));
    };
    Coordinates last_part{};
    for (std::size_t axis = 0; axis < 3; ++axis) last_part[axis] = (coarse.counts[axis] - 1) / edge;
    for_each_place({0, 0, 0}, last_part, fill);
    return outcomes;
  }

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
  ValueRefinement(const NodeGrid& grid, const Coordinates& strides, double tolerance)
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

  void learn(std::size_t node, int outcome, double above) override {
    if (outcome_[node] >= 0) return;
    outcome_[node] = outcome;
    above_[node] = above;
    if (wanted_[node]) --awaited_;
  }

  std::vector<std::size_t> take_wanted() override {
    while (new_.empty() && awaited_ == 0 && !done_) refine();
    std::ranges::sort(new_);
    return std::exchange(new_, {});
  }

  std::vector<double> inferred() const override {
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
  double interpolated(const Coordinates& first, const Coordinates& last, const Coordinates& at) const {
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
  double bend_of_lattice(const Box& box) const {
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
  double bend_of_whole(const Box& box) const {
    double most = 0.0;
    for_each_crossing(cuts_of(box.whole_first, box.whole_last), [&](const Coordinates& at) {
      const double wrong = std::abs(value(at) - interpolated(box.whole_first, box.whole_last, at));
      if (wrong > most) most = wrong;
    });
    return bend_of_halves * most;
  }

  bool is_to_split(Box& box) const {
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

  void refine() {
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

  void want(const Coordinates& at) {
    const std::size_t node = grid_.node(at);
    if (wanted_[node]) return;
    wanted_[node] = true;
    new_.push_back(node);
    if (outcome_[node] < 0) ++awaited_;
  }

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

/// A refinement over the other axes for each combination of categories (NodeGrid::categories), which has
/// nothing to do with those of other combinations.
class CategoryRefinement final : public Refinement {
 public:
  /// Makes a refinement of a grid that has categories along no axis, from the grid and its strides.
  using Make = std::function<std::unique_ptr<Refinement>(const NodeGrid& grid, const Coordinates& strides)>;

  CategoryRefinement(const NodeGrid& grid, const Coordinates& strides, const Make& make)
      : grid_(grid),
        own_axes_(axes_of(grid, false)),
        category_axes_(axes_of(grid, true)),
        own_(grid_over(grid, own_axes_)),
        combinations_(grid_over(grid, category_axes_)) {
    for (std::size_t k = 0; k < combinations_.nodes(); ++k)
      refinements_.push_back(make(own_, picked(strides, own_axes_, 1)));
  }

  void learn(std::size_t node, int outcome, double above) override {
    const Coordinates at = grid_.at(node);
    refinements_[combinations_.node(picked(at, category_axes_, 0))]->learn(
        own_.node(picked(at, own_axes_, 0)), outcome, above);
  }

  std::vector<std::size_t> take_wanted() override {
    std::vector<std::size_t> nodes;
    for (std::size_t k = 0; k < refinements_.size(); ++k) {
      for (const std::size_t node : refinements_[k]->take_wanted()) nodes.push_back(whole_node(k, node));
    }
    return nodes;
  }

  std::vector<double> inferred() const override {
    std::vector<double> values;
    for (std::size_t k = 0; k < refinements_.size(); ++k) {
      const std::vector<double> own = refinements_[k]->inferred();
      if (own.empty()) break;
      values.resize(grid_.nodes());
      for (std::size_t node = 0; node < own.size(); ++node) values[whole_node(k, node)] = own[node];
    }
    return values;
  }

 private:
  std::size_t whole_node(std::size_t combination, std::size_t own) const {
    Coordinates at{};
    for (std::size_t axis = 0; axis < own_axes_.size(); ++axis) at[own_axes_[axis]] = own_.at(own)[axis];
    for (std::size_t axis = 0; axis < category_axes_.size(); ++axis)
      at[category_axes_[axis]] = combinations_.at(combination)[axis];
    return grid_.node(at);
  }

  NodeGrid grid_;
  std::vector<std::size_t> own_axes_;       ///< of each refinement
  std::vector<std::size_t> category_axes_;  ///< the others
  NodeGrid own_;
  NodeGrid combinations_;
  std::vector<std::unique_ptr<Refinement>> refinements_;  ///< by node of combinations_
};

}  // namespace

std::unique_ptr<Refinement> make_refinement(std::string_view method, const NodeGrid& grid,
                                            const Coordinates& strides, double tolerance) {
  const auto make = [&](const NodeGrid& part, const Coordinates& own) -> std::unique_ptr<Refinement> {
    if (method == "cells") return std::make_unique<CellRefinement>(part, own);
    if (method == "value") return std::make_unique<ValueRefinement>(part, own, tolerance);
    return std::make_unique<SplineRefinement>(part, own);
  };
  if (std::ranges::find(grid.categories, true) == grid.categories.end()) return make(grid, strides);
  return std::make_unique<CategoryRefinement>(grid, strides, make);
}

}  // namespace rodeo
