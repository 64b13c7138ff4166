#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rodeo/boundary/motion.hpp"
#include "rodeo/coupling/assembly.hpp"
#include "rodeo/coupling/largest_step.hpp"
#include "rodeo/coupling/links.hpp"
#include "rodeo/coupling/load_tangent.hpp"
#include "rodeo/forces/node_drag.hpp"
#include "rodeo/member/member_arrays.hpp"
#include "rodeo/member/placements.hpp"
#include "rodeo/observe/sample.hpp"
#include "rodeo/tangent/held_unknowns.hpp"
#include "rodeo/tangent/mixed_tangent.hpp"
#include "rodeo/tangent/rod_tangent.hpp"
#include "rodeo/tangent/seam.hpp"

namespace rodeo::coupling {

/// Unknowns of a node and the element after it.
inline constexpr int cosserat_stride = tangent::node_unknown(1);

/// A rod of a member with its supports and a matrix of its own; its unknowns (tangent/rod_tangent.hpp) stand
/// from `first` on among the member's.
struct CosseratRod {
  CosseratRod(const RodData& data, const forces::Muscle& muscle, const RodView& rod,
              std::size_t first_unknown);

  int unknowns() const { return tangent::unknowns(rod.elements); }
  std::size_t size() const { return static_cast<std::size_t>(unknowns()); }

  // The rod's part of a vector of the member.
  double* of(std::vector<double>& vector) const { return vector.data() + first; }
  const double* of(const std::vector<double>& vector) const { return vector.data() + first; }
  std::span<double> part(std::vector<double>& vector) const { return {of(vector), size()}; }
  std::span<const double> part(std::span<const double> vector) const { return vector.subspan(first, size()); }

  /// The rod's part of a step, as functions of tangent/rod_tangent.hpp read it; good until the next call.
  std::span<const double> way(std::span<const double> step) {
    return seam ? seam->with_ghosts(part(step)) : part(step);
  }

  /// Range of nodes with entries of their own in the arrays: the last one of a closed rod is its first.
  int first_own_node() const { return data->shares_first_node ? 1 : 0; }
  int end_of_own_nodes() const { return seam ? rod.elements : rod.nodes(); }

  /// Finds what supports hold, and motions in the step after so many; `number`: the rod's own.
  void find_held(const boundary::Motions& motions, std::int64_t steps, std::size_t number);

  /// Length at rest by the rod's arrays, m.
  double rest_length() const;

  /// Makes rows and columns of constrained unknowns those of the unit matrix; the unknowns of a seam leave
  /// the matrix. The geometric terms of the seam have `stress`, if given. `across`: stiffness across the axis
  /// of a node that slides in the mixed form, N/m.
  void constrain(const tangent::RodStress* stress, double across = 0.0);
  /// Factors the matrix after constrain(), and replaces `vector`, unless it is null, by its solution; returns
  /// the number of negative eigenvalues. `added` stands on the diagonal of the seam's unknowns.
  int factor(std::span<const double> added, double* vector, LdltSweep sweep);
  /// Replaces a vector by its solution with the last factors. In packs each lane is a vector.
  template <class Number>
  void solve(std::span<Number> vector) const;

  const RodData* data;
  RodView rod;
  std::size_t first;
  tangent::ClampedEnds ends;
  std::optional<tangent::Seam> seam;  ///< of a closed rod
  tangent::HeldUnknowns held;
  double length;                  ///< at rest, m
  bool shares_last_node = false;  ///< with the rod after it, by a joint
  tangent::RodStress predicted;   ///< after the last step, for geometric terms
  tangent::RodMatrix matrix;
  tangent::RodFactors factors;
  bool held_at_seam = false;  ///< all unknowns of the seam are held
  // At rest.
  LoadTangent load_tangent;
  std::vector<double> diagonal;                      ///< of the matrix without inertia
  std::optional<tangent::MixedMatrix> mixed_matrix;  ///< instead, in the mixed form
  std::optional<tangent::MixedFactors> mixed_factors;
  std::vector<LoadBlock> blocks;  ///< of loads without an energy
  // In steps in time.
  bool in_fluid = false;
  forces::DampingLaw damping;         ///< at present
  std::vector<double> node_damping;   ///< by it, kg/s
  std::vector<Vec3> element_damping;  ///< about d1, d2 and d3, kg m^2/s
};

/// The Cosserat rods of a member with their supports and connections: what implicit steps and equilibria have
/// in common.
class CosseratRods {
 public:
  CosseratRods(const CosseratRods&) = delete;  // others refer to its ties
  CosseratRods& operator=(const CosseratRods&) = delete;

  std::vector<CosseratRod>& rods() { return rods_; }
  const std::vector<CosseratRod>& rods() const { return rods_; }
  std::size_t unknowns() const { return inertia_.size(); }

  /// Inertia by unknown: the mass of a node, the moments of inertia of an element.
  const std::vector<double>& inertia() const { return inertia_; }

  /// Ties of nodes that coincide.
  const Ties& ties() const { return ties_; }

  /// Links of connections and rigid joints; nothing without any.
  std::optional<Links>& links() { return links_; }
  const std::optional<Links>& links() const { return links_; }

  /// True if all rods have as many elements as other ones, and the same supports: one rod each may go beside
  /// each other in lanes.
  bool go_beside(const CosseratRods& others) const;

  /// Positions and orientations of all nodes and elements, ghosts beyond the ends included.
  std::vector<Placement> state() const { return placements(member_.all); }

  /// Reads the positions of nodes; entries of elements are left unchanged.
  void read_positions(std::vector<double>& positions) const;
  std::vector<double> node_places() const {
    std::vector<double> places(unknowns());
    read_positions(places);
    return places;
  }

  /// Sets the predicted stresses to the present ones.
  void note_stress() { predict_stress(std::vector<double>(unknowns()), 1.0); }

  StepSize size(std::span<const double> step) const;

  /// Sums over the rods in the present state; sets the internal loads that observables read if `with_loads`.
  Sample sums(bool with_loads) const;

  /// Begins a matrix of all rods, which holds what supports and motions do.
  void begin(Assembly& matrix) const;
  /// Adds the rods' own matrices and connections, whose velocities change by `rate` (1/s) times
  /// displacements. The geometric terms of seams have the predicted stresses if `predicted`.
  void add_to(Assembly& matrix, double rate, bool predicted) const;

 protected:
  /// The arrays have to stay where they are.
  CosseratRods(const MemberSpec& spec, const MemberArrays& member);
  ~CosseratRods() = default;

  /// Takes the connections of a spec with the rods `made` at t = 0. Bonds that are broken stay so.
  void connect(const MemberSpec& spec, const RodView& made);
  void set_inertia();
  /// Finds what supports hold, and motions in the step after so many.
  void find_held(std::int64_t steps);
  /// Calls visit(k, motion) for the motions that act in that step.
  template <class Visit>
  void for_each_motion(const Visit& visit) const {
    for (int k = 0; k < member_.motions.count; ++k) {
      const boundary::Motion& motion = member_.motions.data[k];
      if (motion.acts(held_step_)) visit(k, motion);
    }
  }
  /// Puts what motions hold in its place at a time.
  void set_motions(double time) const;
  void predict_stress(std::vector<double> step, double part);
  /// Moves the rods by a part of a step, and predicts their stresses after it. All are predicted before any
  /// moves: they share nodes, of which each moves once.
  void move(std::span<const double> step, double part);

  MemberArrays member_;
  std::vector<CosseratRod> rods_;
  std::vector<double> inertia_;
  Ties ties_;
  std::optional<Links> links_;
  std::int64_t held_step_ = -1;  ///< in which motions act, counted from 0; -1: it is not known yet
};

}  // namespace rodeo::coupling
