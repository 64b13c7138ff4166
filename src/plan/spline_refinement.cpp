#include "spline_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rodeo/linear/dense.hpp"

namespace rodeo {

namespace {

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

}  // namespace

SplineRefinement::SplineRefinement(const NodeGrid& grid, const Coordinates& strides)
    : grid_(grid), strides_(strides), outcome_(grid.nodes(), -1), wanted_(grid.nodes(), false) {
  const auto lattice = lattice_of(grid, strides);
  for (const int i : lattice[0]) {
    for (const int j : lattice[1]) {
      for (const int k : lattice[2]) new_.push_back(grid.node({i, j, k}));
    }
  }
}

void SplineRefinement::learn(std::size_t node, int outcome, double /*above*/) {
  if (outcome_[node] >= 0) return;
  outcome_[node] = outcome;
  if (!wanted_[node]) return;
  known_.push_back(node);
  --awaited_;
}

std::vector<std::size_t> SplineRefinement::take_wanted() {
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

/// Unknown ends of lattice edges along which the outcome is known or predicted to change.
std::vector<std::size_t> SplineRefinement::unknown_ends() const {
  const auto lattice = lattice_of(grid_, strides_);
  const NodeGrid coarse(std::array{lattice[0].size(), lattice[1].size(), lattice[2].size()});
  std::vector<std::size_t> nodes(coarse.nodes());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Coordinates at = coarse.at(k);
    Coordinates place{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      place[axis] = lattice[axis][static_cast<std::size_t>(at[axis])];
    }
    nodes[k] = grid_.node(place);
  }
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
std::vector<int> SplineRefinement::prediction(const std::vector<std::size_t>& lattice) const {
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

}  // namespace rodeo
