#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "rodeo/fluid/mobility_operator.hpp"
#include "rodeo/linear/gmres.hpp"
#include "rodeo/member/state_archive.hpp"

namespace rodeo::fluid {

/// Solver work so far.
struct ResistanceCounts {
  std::int64_t solves = 0;
  std::int64_t iterations = 0;
  std::int64_t factorizations = 0;
};

/// Method of summing the velocities that forces cause.
enum class Summation { matrix, clusters };

/// Chooses clusters where they are quicker: from some number of nodes on. They are of the full mobility, and
/// their products are right to 1e-6, which does not suit a finer tolerance.
Summation quicker_summation(std::size_t nodes, MobilityKind kind, double tolerance);

/// Forces for given velocities: A f = v with the mobility A, by GMRES. It starts from the combination of the
/// last solutions whose velocities come closest to the present ones, and is preconditioned by the factors of
/// an earlier A. These are made anew once the iterations by which solves took longer than the quickest of
/// them together take as long as factors do. All that happens is fixed by the sequence of positions and
/// velocities.
class Resistance {
 public:
  /// `tolerance` is the largest |v - A f|/|v|.
  Resistance(const std::vector<Filament>& filaments, MobilityKind kind, double tolerance,
             Summation summation = Summation::matrix);

  /// Memory of an instance for rods of so many nodes each, bytes: mostly the mobility and its factors.
  static std::size_t memory(const std::vector<std::size_t>& nodes_of_rods, Summation summation);

  /// Finds f for nodes at positions, m, that move with velocities, m/s. Without a solution f is not a number.
  void solve(const NodeVectors& position, const NodeVectors& velocity);

  /// f, in m^2/s: to be multiplied by 8 pi mu.
  const NodeVectors& force() const { return force_; }

  /// Saves or restores the data that later solves depend on. Factors are recomputed on restore: saved, they
  /// would take more room than all else of a member. Throws StateError.
  void visit_state(StateArchive& archive);

  const ResistanceCounts& counts() const { return counts_; }

 private:
  struct Solution {
    std::vector<double> velocity;
    std::vector<double> force;
  };

  void give_up();
  void guess(const std::vector<double>& velocity);
  void remember(const std::vector<double>& velocity);
  void refresh(const NodeVectors& position);
  GmresOutcome iterate(const std::vector<double>& velocity);

  std::unique_ptr<MobilityOperator> mobility_;
  double tolerance_;
  Gmres gmres_;
  NodeVectors force_;
  std::deque<Solution> history_;  ///< the latest first
  bool has_factors_ = false;
  NodeVectors factored_;       ///< positions that the factors are of
  int fewest_iterations_ = 0;  ///< of a solve with the present factors
  int wasted_iterations_ = 0;  ///< more than those, of all solves with them
  ResistanceCounts counts_;
};

}  // namespace rodeo::fluid
