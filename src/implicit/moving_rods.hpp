#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/coupling/cosserat_rod.hpp"
#include "rodeo/coupling/layout.hpp"
#include "rodeo/coupling/links.hpp"
#include "rodeo/coupling/ties.hpp"
#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/forces/node_drag.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/member/member_arrays.hpp"
#include "rodeo/member/placements.hpp"
#include "rodeo/observe/sample.hpp"
#include "rodeo/tangent/held_unknowns.hpp"
#include "rodeo/tangent/rod_tangent.hpp"
#include "rodeo/tangent/seam.hpp"

#include "pressing.hpp"

namespace rodeo::implicit {

/// Layout of the unknowns of tangent/rod_tangent.hpp: a node is coupled with the nodes and elements next to
/// it, an element with its nodes and the elements next to it.
inline constexpr coupling::Layout layout = {6, {6, 9}, {3, 12}, tangent::half_bandwidth};

/// A rod that moves by implicit steps, with its damping.
struct MovingRod : coupling::CosseratRod {
  using CosseratRod::CosseratRod;

  bool shares_last_node = false;  ///< with the rod after it, by a joint
  bool in_fluid = false;
  forces::DampingLaw damping;         ///< at present
  std::vector<double> node_damping;   ///< by it, kg/s
  std::vector<Vec3> element_damping;  ///< about d1, d2 and d3, kg m^2/s
};

/// Largest turn and shift of a member in a step.
struct StepSize {
  double turn = 0.0;   ///< the largest of an element, rad
  double shift = 0.0;  ///< the largest of a node over its rod's length

  double largest() const { return turn > shift ? turn : shift; }
};

/// The rods of a member with their ends and all loads on them, as implicit schemes use them. Tied nodes
/// (coupling::Ties) have equal entries in vectors: those of one node with the mass of all of them and the
/// loads on any of them.
class MovingRods {
 public:
  /// The arrays have to stay where they are.
  MovingRods(const MemberSpec& spec, const MemberArrays& arrays)
      : MovingRods(spec, arrays, connection::build_connections(spec, arrays.all)) {}
  MovingRods(const MovingRods&) = delete;
  MovingRods& operator=(const MovingRods&) = delete;

  std::vector<MovingRod>& rods() { return rods_; }
  const std::vector<MovingRod>& rods() const { return rods_; }
  std::size_t unknowns() const { return inertia_.size(); }

  /// Inertia by unknown: the mass of a node, the moments of inertia of an element.
  const std::vector<double>& inertia() const { return inertia_; }

  /// Links of the connections; nothing without any.
  std::optional<coupling::Links>& links() { return links_; }
  const std::optional<coupling::Links>& links() const { return links_; }

  /// Ties of nodes that coincide.
  const coupling::Ties& ties() const { return ties_; }

  /// Rigid joints at nodes that rods share; nothing without any.
  const std::optional<coupling::Links>& rigid_joints() const { return rigid_joints_; }

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
  bool go_beside(const MovingRods& others) const;

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

  /// Moves the rods from the present state by `part` of a step.
  void move(const std::vector<double>& step, double part);
  /// Copies leading nodes to the nodes tied to them and to ghosts beyond seams.
  void place_ties() const;

  /// Replaces the load on each tied node by the sum over all nodes tied to it.
  void gather(std::vector<double>& loads) const {
    ties_.gather(loads);
    ties_.spread(loads);
  }

  /// Present placements of all nodes and elements, ghosts beyond the ends included.
  std::vector<Placement> state() const { return placements(member_.all); }
  void set_state(const std::vector<Placement>& state) { rodeo::place(state, member_.all); }

  /// State at the start of the step.
  Vec3 start_position(const MovingRod& r, int node) const { return start_position(r.data->first + node); }
  Quaternion start_orientation(const MovingRod& r, int element) const {
    return start_orientation(r.data->first + element);
  }
  /// State at the start of the step, by entries of the member's arrays.
  Vec3 start_position(int node) const { return start_[place(node)].position; }
  Quaternion start_orientation(int element) const { return start_[place(element)].orientation; }

  /// The member's arrays.
  const RodView& all() const { return member_.all; }

  /// Reads the positions of nodes; entries of elements are left unchanged.
  void read_positions(std::vector<double>& positions) const;

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
  static Vec3 force(const MovingRod& r, int node) { return r.rod.vec3(field::external_force, node); }
  static Vec3 couple(const MovingRod& r, int element) { return r.rod.vec3(field::external_couple, element); }

  /// Resistance to velocities in these loads: the rod's share at a node, couples about d1, d2, d3.
  static forces::NodeDrag node_resistance(const MovingRod& r, int node);
  static const Vec3& element_resistance(const MovingRod& r, int element) {
    return r.element_damping[static_cast<std::size_t>(element)];
  }

  /// Zeroes the entries of constrained unknowns.
  void hold(std::vector<double>& vector) const;

  /// Sets clamped ends and prescribed motions to their prescribed velocities.
  void hold_rates(double time);

  // Compiled once, like the functions of GeneralizedAlpha that serve side-by-side steps.
  [[gnu::noinline]] StepSize size(const std::vector<double>& step) const;

  /// Sums over the rods, after so many iterations. Sets the internal loads that observables read.
  Sample sample(const ImplicitSample& counts) const;
  /// Sums over the rods as sample() gives them, with internal loads left as they are.
  Sample sums(const ImplicitSample& counts) const;

 private:
  MovingRods(const MemberSpec& spec, const MemberArrays& arrays, connection::Parts parts);

  struct Entry {
    Vec3 position;
    Quaternion orientation;
    Vec3 velocity;
    Vec3 angular_velocity;
  };

  static std::size_t place(int entry) { return static_cast<std::size_t>(entry + 1); }

  void add_links();
  void add_resistance();
  template <class Visit>
  void for_each_motion(const Visit& visit) const;
  void hold_places();
  std::vector<Vec3> curvatures(const MovingRod& r, const std::vector<Quaternion>& frames) const;
  void damp_regions(const MovingRod& r, double seconds, const std::vector<Vec3>& rest);
  /// Adds the force that accelerates the node or element of a motion along its prescribed course.
  void add_inertia(const boundary::Motion& motion, double end, double step, std::vector<double>& pull) const;
  /// Change of kinetic energy in the step of the node or element under a motion, J; zero for an end.
  double kinetic_gain(const boundary::Motion& motion) const;

  MemberArrays member_;
  std::vector<MovingRod> rods_;
  std::vector<double> inertia_;
  std::vector<int> first_dof_;  ///< of each element's first node
  coupling::Ties ties_;
  std::vector<connection::TurnLink> joints_;  ///< rigid joints of nodes that rods share
  std::optional<coupling::Links> rigid_joints_;
  std::optional<coupling::Links> links_;
  Pressing pressing_;
  std::optional<fluid::StokesletDrag> stokeslets_;
  std::vector<double> own_step_;
  std::vector<law::BendTwist<double>> elastic_regions_;  ///< of viscous rods, -1 ... n - 1; empty: all are
  std::vector<Entry> start_;                             ///< of entries -1 ... n of the member's arrays
  std::vector<Vec3> pulls_;  ///< on motions at the end of the last step, without inertia
  double most_work_of_motions_ = 0.0;
  std::int64_t held_step_ = -1;  ///< in which motions act, counted from 0; -1: it is not known yet
};

}  // namespace rodeo::implicit
