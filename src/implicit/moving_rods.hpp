#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/coupling/cosserat_rod.hpp"
#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/math/matrix3.hpp"

#include "pressing.hpp"

namespace rodeo::implicit {

using coupling::CosseratRod;
using coupling::StepSize;

/// The rods of a member with their ends and all loads on them, as implicit schemes use them. Tied nodes
/// (coupling::Ties) have equal entries in vectors: those of one node with the mass of all of them and the
/// loads on any of them.
class MovingRods : public coupling::CosseratRods {
 public:
  /// The arrays have to stay where they are.
  MovingRods(const MemberSpec& spec, const MemberArrays& arrays);

  Pressing& pressing() { return pressing_; }
  const Pressing& pressing() const { return pressing_; }

  /// Contacts between rods; nothing without any.
  const std::optional<coupling::Contacts>& contacts() const { return pressing_.contacts(); }
  /// Adds the contacts of a step after so many iterations.
  void count_contacts(bool converged, int iterations, ImplicitSample& counts) const {
    pressing_.count(converged, iterations, counts);
  }
  /// Record of the platen; null without ground.
  std::vector<double>* platen_record() { return pressing_.platen_record(); }

  /// Discards the data that save work from step to step.
  void forget(double /*time*/) { pressing_.forget(); }

  /// True if iterations of like members may run side by side (IterationLanes).
  bool fit_in_lanes() const;

  /// True if the member has prescribed motions.
  bool has_motions() const { return member_.motions.count > 0; }
  /// Begins and ends the motions due after `steps` steps of the deck; true if there are any.
  bool begin_motions(std::int64_t steps);
  /// Records the reactions on motions at the end of a step (s) and their work in it. `pull` is the sum of all
  /// forces on the rods but those of constraints and inertia.
  void note_reactions(double end, double step, std::vector<double>& pull);

  /// Evaluates the Stokeslet forces in the present state; they act until the next evaluation.
  void update_fluid() {
    if (stokeslets_) stokeslets_->update();
  }

  /// Saves or restores the state that persists between steps outside the arrays.
  void visit_state(StateArchive& archive) {
    pressing_.visit_state(archive);
    if (stokeslets_) stokeslets_->visit_state(archive);
    archive.visit_list(pulls_);
  }

  /// Saves the present state as the start of a step, or returns to it.
  void start();
  void restore();

  /// Moves the rods from the present state by `part` of a step, and predicts their stresses after it.
  void take(const std::vector<double>& step, double part) {
    move(step, part);
    place_ties();
  }
  /// Copies leading nodes to the nodes tied to them and to ghosts beyond seams.
  void place_ties() const;

  /// Replaces the load on each tied node by the sum over all nodes tied to it.
  void gather(std::vector<double>& loads) const {
    ties_.gather(loads);
    ties_.spread(loads);
  }

  void set_state(const std::vector<Placement>& state) { rodeo::place(state, member_.all); }

  /// State at the start of the step.
  Vec3 start_position(const CosseratRod& r, int node) const { return start_position(r.data->first + node); }
  Quaternion start_orientation(const CosseratRod& r, int element) const {
    return start_orientation(r.data->first + element);
  }
  /// State at the start of the step, by entries of the member's arrays.
  Vec3 start_position(int node) const { return start_[place(node)].position; }
  Quaternion start_orientation(int element) const { return start_[place(element)].orientation; }

  /// The member's arrays.
  const RodView& all() const { return member_.all; }

  /// Reads velocities of nodes (laboratory) and elements (body) from the arrays, or writes them.
  void read_rates(std::vector<double>& rates) const;
  void write_rates(const std::vector<double>& rates);

  /// Sets natural strains and the prescribed positions for a time.
  void set_time(double time);

  /// Sets the damping for a time.
  void set_damping(double time);

  /// True if the material of any rod damps.
  bool are_viscous() const;
  /// Gives regions the couples of material damping besides those of elasticity, until free_regions(). The
  /// rates at the end are those at which so many seconds lead there from the start, displaced by `back`;
  /// `rates` are those expected.
  void damp_regions(double seconds, const std::vector<double>& back, const std::vector<double>& rates);
  /// Gives regions these couples where the seconds lead from the start itself, and curvatures change at a
  /// constant rate.
  void damp_regions(double seconds);
  void free_regions();

  /// Sets the sum of all forces and couples but the elastic ones of single rods, in the state of the arrays
  /// at `time`. Connections and rigid joints are left out unless `with_links`.
  void find_loads(double time, bool with_links = true);
  /// Reads the loads that neither have a potential in a sample nor dissipate: all but those of links, joints,
  /// damping and fluids.
  void read_sources(double time, std::vector<double>& loads);
  /// Work in the step of loads as of read_sources(), were they constant, J.
  double work_of_sources(const std::vector<double>& loads) const;
  /// Work in the step of forces at its end, J; tied nodes have the sum of their forces.
  double work_of_pressing(const std::vector<double>& forces) const;
  /// Change of the elastic energy of the present state as natural strains go from those of one time to those
  /// of another, which they keep, J.
  double change_of_natural_strains(double from, double to);
  /// Upper bound on the work of motions in the step, J: the positive work against the forces at its start and
  /// that at its end, and the kinetic energy gained.
  double most_work_of_motions() const { return most_work_of_motions_; }
  /// Load on a node (laboratory) or an element (body), as find_loads left it.
  static Vec3 force(const CosseratRod& r, int node) { return r.rod.vec3(field::external_force, node); }
  static Vec3 couple(const CosseratRod& r, int element) {
    return r.rod.vec3(field::external_couple, element);
  }

  /// Resistance to velocities in these loads: the rod's share at a node, couples about d1, d2, d3.
  static forces::NodeDrag node_resistance(const CosseratRod& r, int node);
  static const Vec3& element_resistance(const CosseratRod& r, int element) {
    return r.element_damping[static_cast<std::size_t>(element)];
  }

  /// Zeroes the entries of constrained unknowns.
  void hold(std::vector<double>& vector) const;

  /// Sets clamped ends and prescribed motions to their prescribed velocities.
  void hold_rates(double time);

  /// Sums over the rods, after so many iterations. Sets the internal loads that observables read.
  Sample sample(const ImplicitSample& counts) const { return sums(counts, true); }
  /// Sums over the rods as sample() gives them, with internal loads left as they are.
  Sample sums(const ImplicitSample& counts) const { return sums(counts, false); }

 private:
  struct Entry {
    Vec3 position;
    Quaternion orientation;
    Vec3 velocity;
    Vec3 angular_velocity;
  };

  static std::size_t place(int entry) { return static_cast<std::size_t>(entry + 1); }

  Sample sums(const ImplicitSample& counts, bool with_loads) const;
  void add_resistance();
  std::vector<Vec3> curvatures(const CosseratRod& r, const std::vector<Quaternion>& frames) const;
  void damp_regions(const CosseratRod& r, double seconds, const std::vector<Vec3>& rest);
  /// Adds the force that accelerates the node or element of a motion along its prescribed course.
  void add_inertia(const boundary::Motion& motion, double end, double step, std::vector<double>& pull) const;
  /// Change of kinetic energy in the step of the node or element under a motion, J; zero for an end.
  double kinetic_gain(const boundary::Motion& motion) const;

  Pressing pressing_;
  std::optional<fluid::StokesletDrag> stokeslets_;
  std::vector<law::BendTwist<double>> elastic_regions_;  ///< of viscous rods, -1 ... n - 1; empty: all are
  std::vector<Entry> start_;                             ///< of entries -1 ... n of the member's arrays
  std::vector<Vec3> pulls_;  ///< on motions at the end of the last step, without inertia
  double most_work_of_motions_ = 0.0;
};

}  // namespace rodeo::implicit
