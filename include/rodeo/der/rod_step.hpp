#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "rodeo/boundary/closure.hpp"
#include "rodeo/der/constraints.hpp"
#include "rodeo/der/elastic_energy.hpp"
#include "rodeo/der/relative_frame.hpp"
#include "rodeo/forces/damping.hpp"
#include "rodeo/forces/velocity_answer.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::der {

/// Degrees of freedom of a rod whose state is that of its arrays.
std::vector<double> present(const ConstRodView& rod);

/// A matrix as wide as the band of elasticity.
class LoadAnswer {
 public:
  explicit LoadAnswer(int size) : entries_(static_cast<std::size_t>(size) * columns) {}

  void set_zero() { std::ranges::fill(entries_, 0.0); }

  double& at(int row, int column) {
    return entries_[static_cast<std::size_t>(row) * columns +
                    static_cast<std::size_t>(column - row + elastic_bandwidth)];
  }

  /// Calls visit(row, column, entry) for all that are not zero.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      const int row = static_cast<int>(k / columns);
      if (entries_[k] != 0.0)
        visit(row, row + static_cast<int>(k % columns) - elastic_bandwidth, entries_[k]);
    }
  }

 private:
  static constexpr std::size_t columns = 2 * elastic_bandwidth + 1;
  std::vector<double> entries_;  ///< row by row, from elastic_bandwidth before the diagonal on
};

/// A rod in a step: its arrays with the state at the start of the step, and the loads on it. External forces
/// stand in field::external_force, except those of laws on nodes, which are evaluated in each state.
struct RodStep {
  RodStep(const RodView& arrays, int first_degree_of_freedom, CurvatureLaw law = CurvatureLaw::untwisted,
          const boundary::Closure& ends_meet = {})
      : rod(arrays),
        curvature_law(law),
        closure(ends_meet),
        hinges(hinge_laws(arrays, law, ends_meet.closed)),
        first(first_degree_of_freedom),
        edge(static_cast<std::size_t>(arrays.elements)),
        couple(static_cast<std::size_t>(arrays.elements)) {}

  /// Takes the laws of hinges from the arrays again, where natural strains have changed.
  void set_hinges() { hinges = hinge_laws(rod, curvature_law, closure.closed); }

  /// Range of nodes whose entries of the arrays are not counted with another node: the first one may be the
  /// last of the rod before, and the last one of a closed rod is its first.
  int first_own_node() const { return shares_first_node ? 1 : 0; }
  int end_of_own_nodes() const { return closure.closed ? rod.elements : rod.nodes(); }

  /// Takes the state in the arrays as that at the start.
  void start_from_arrays();

  /// Fills the entries beyond a seam from those that they stand for.
  void fill_ghosts() const {
    if (closure.closed) closure.fill_ghosts(rod);
  }

  /// Moves nodes from the present state by `way`, and turns frames with their edges and by angles about
  /// these, as a step to such a q would.
  void move_by(const double* way) const;

  /// Gives the arrays the state q after so many seconds.
  void accept(const double* q, double step) const;

  /// Edge of an element at q, with the frame at the start of the step.
  TurnedEdge edge_at(const double* q, int element) const;

  /// The angle by which an element that has not turned yet turns to a frame along its edge.
  double angle_to(const double* q, int element, const Quaternion& frame) const;

  RodView rod;
  CurvatureLaw curvature_law;
  boundary::Closure closure;
  bool shares_first_node = false;  ///< with the rod before, by a joint
  bool shares_last_node = false;   ///< with the rod after it
  double end_masses[2] = {0, 0};   ///< RodData's, kg
  HingeLaws hinges;
  int first;                  ///< first degree of freedom of the rod among all
  std::vector<double> start;  ///< degrees of freedom at the start of the step
  std::vector<Vec3> edge;     ///< element: edge with which its motion is resisted, m
  std::vector<Vec3> couple;   ///< element: on it, laboratory frame, N m
  /// Derivatives of minus the loads by the degrees of freedom, which stay in the step, beside those of
  /// couples as such (edge_loads.hpp); nothing where there are none.
  std::optional<LoadAnswer> load_answer;
  /// Derivatives of forces of laws by velocities, which stay in the step. Of these forces
  /// field::external_force has the part at velocity 0.
  std::vector<forces::VelocityBlock> velocity_answer;
  bool at_rest = false;            ///< looks for equilibria: rates are none of a motion
  bool loads_have_energy = false;  ///< at rest
  RodForces laws;                  ///< laws on the rod, of which those that hold nodes are used
  double load_part = 1.0;          ///< of all loads, that acts at rest
  double inertia_part = 1.0;       ///< of its inertia, that resists in a solve
  std::vector<double> tensions;    ///< element: with which its Hessian is taken, N; empty: its own
  forces::DampingLaw damping;      ///< at the time
  bool in_fluid = false;           ///< a fluid resists as forces::SlenderBodyDrag says, with the edges above
  EndFreedom ends[2];
};

}  // namespace rodeo::der
