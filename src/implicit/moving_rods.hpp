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
#include "rodeo/math/matrix3.hpp"
#include "rodeo/member/member_arrays.hpp"
#include "rodeo/member/placements.hpp"
#include "rodeo/observe/sample.hpp"
#include "rodeo/tangent/held_unknowns.hpp"
#include "rodeo/tangent/rod_tangent.hpp"
#include "rodeo/tangent/seam.hpp"

#include "pressing.hpp"

namespace rodeo::implicit {

/// Of unknowns as tangent/rod_tangent.hpp has them: a node is coupled with the nodes and elements next to it,
/// an element with its nodes and the elements next to it.
inline constexpr coupling::Layout layout = {6, {6, 9}, {3, 12}, tangent::half_bandwidth};

/// A rod that moves by implicit steps, and what slows it.
struct MovingRod : coupling::CosseratRod {
  using CosseratRod::CosseratRod;

  bool shares_last_node = false;  ///< with the rod after it, by a joint
  bool in_fluid = false;
  forces::DampingLaw damping;         ///< at present
  std::vector<double> node_damping;   ///< by it, kg/s
  std::vector<Vec3> element_damping;  ///< about d1, d2 and d3, kg m^2/s
};

/// How far a step takes a member.
struct StepSize {
  double turn = 0.0;   ///< the largest of an element, rad
  double shift = 0.0;  ///< the largest of a node over its rod's length

  double largest() const { return turn > shift ? turn : shift; }
};

/// What makes a node slower, or an element: -(c I + across t t') v.
struct Resistance {
  double all = 0.0;    ///< c, kg/s
  double along = 0.0;  ///< kg/s
  Vec3 tangent;        ///< t, unit vector

  Vec3 times(const Vec3& v) const { return all * v + (along * dot(tangent, v)) * tangent; }
};

/// The rods of a member with their ends and all that acts on them: what schemes of implicit steps are written
/// with. Of nodes that are one (coupling::Ties) all have the same entries in vectors: those of the node that
/// they are, with the mass of all and what acts on any of them.
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

  /// Of each unknown: the mass of a node, the moment of inertia of an element.
  const std::vector<double>& inertia() const { return inertia_; }

  /// Nothing without connections.
  std::optional<coupling::Links>& links() { return links_; }
  const std::optional<coupling::Links>& links() const { return links_; }

  /// Nodes that are one.
  const coupling::Ties& ties() const { return ties_; }

  /// The rigid joints of nodes that rods share; nothing without any.
  const std::optional<coupling::Links>& rigid_joints() const { return rigid_joints_; }

  Pressing& pressing() { return pressing_; }
  const Pressing& pressing() const { return pressing_; }

  /// Between rods; nothing without any.
  const std::optional<coupling::Contacts>& contacts() const { return pressing_.contacts(); }
  /// Adds the contacts of a step after so many iterations.
  void count_contacts(bool converged, int iterations, ImplicitSample& counts) const {
    pressing_.count(converged, iterations, counts);
  }
  /// What the platen has recorded; null without ground.
  std::vector<double>* platen_record() { return pressing_.platen_record(); }

  /// Forgets what saves work from step to step.
  void forget(double /*time*/) { pressing_.forget(); }

  /// Whether iterations of members that are alike may go side by side (IterationLanes).
  bool fit_in_lanes() const;
  bool go_beside(const MovingRods& others) const;

  /// Whether motions hold or move any places.
  bool has_motions() const { return member_.motions.count > 0; }
  /// Lets motions begin and end that do so after so many of the deck's steps. Returns whether any does.
  bool begin_motions(std::int64_t steps);
  /// Notes the reactions on them at the end of a step of so many seconds, and their work in it, where this
  /// pulls at the rods: all but what holds them, and their inertia.
  void note_reactions(double end, double step, std::vector<double>& pull);

  /// Finds the forces of Stokeslets in the present state, which act until they are found again.
  void update_fluid() {
    if (stokeslets_) stokeslets_->update();
  }

  /// Saves or restores what stays from one step to the next besides the arrays.
  void visit_state(StateArchive& archive) {
    pressing_.visit_state(archive);
    if (stokeslets_) stokeslets_->visit_state(archive);
    archive.visit_list(pulls_);
  }

  /// Takes the present state as that at the start of a step, and back to it.
  void start();
  void restore();

  /// Takes such a part of a step from the present state.
  void move(const std::vector<double>& step, double part);
  /// Puts all nodes that are one, and what is beyond seams, where one of them is.
  void place_ties() const;

  /// Of what acts on each node, the sum of all on nodes that are one.
  void gather(std::vector<double>& loads) const {
    ties_.gather(loads);
    ties_.spread(loads);
  }

  /// Where all nodes and elements are at present, those beyond the ends too.
  std::vector<Placement> state() const { return placements(member_.all); }
  void set_state(const std::vector<Placement>& state) { rodeo::place(state, member_.all); }

  /// State at the start of the step.
  Vec3 start_position(const MovingRod& r, int node) const { return start_position(r.data->first + node); }
  Quaternion start_orientation(const MovingRod& r, int element) const {
    return start_orientation(r.data->first + element);
  }
  /// That state by entries of the member's arrays.
  Vec3 start_position(int node) const { return start_[place(node)].position; }
  Quaternion start_orientation(int element) const { return start_[place(element)].orientation; }

  /// The member's arrays.
  const RodView& all() const { return member_.all; }

  /// The positions of nodes; entries of elements stay as they are.
  void read_positions(std::vector<double>& positions) const;

  /// Velocities of nodes (laboratory) and elements (body), from the arrays and into them.
  void read_rates(std::vector<double>& rates) const;
  void write_rates(const std::vector<double>& rates);

  /// Sets natural strains, and the places of what is driven, for a time.
  void set_time(double time);

  /// Sets the damping for a time.
  void set_damping(double time);

  /// Sets the sum of all forces and couples but the elastic ones of single rods, in the state of the arrays
  /// at `time`. Those of connections and rigid joints may be left out.
  void find_loads(double time, bool with_links = true);
  /// Reads what of them has no potential in a sample and takes no energy away: all but those of links,
  /// joints, damping and fluids.
  void read_sources(double time, std::vector<double>& loads);
  /// What such loads would have done in the step, had they been these all the time, J.
  double work_of_sources(const std::vector<double>& loads) const;
  /// What forces at the end of the step have done in it, of nodes that are one those on all of them, J.
  double work_of_pressing(const std::vector<double>& forces) const;
  /// By how much the elastic energy of the present state changes as natural strains go from those of one time
  /// to those of another, which they keep, J.
  double change_of_natural_strains(double from, double to);
  /// The most that motions may have done in the step, J: against pulls, which are known at the ends of steps
  /// only, that at both; and what their places gained in kinetic energy.
  double most_work_of_motions() const { return most_work_of_motions_; }
  /// The same on nodes (laboratory) and elements (body), as find_loads left them.
  static Vec3 force(const MovingRod& r, int node) { return r.rod.vec3(field::external_force, node); }
  static Vec3 couple(const MovingRod& r, int element) { return r.rod.vec3(field::external_couple, element); }

  /// What of these loads is by velocities, of a node the rod's share; couples about d1, d2, d3.
  static Resistance node_resistance(const MovingRod& r, int node);
  static const Vec3& element_resistance(const MovingRod& r, int element) {
    return r.element_damping[static_cast<std::size_t>(element)];
  }

  /// Makes zero what supports do not let move.
  void hold(std::vector<double>& vector) const;

  /// Gives ends that supports hold, and what motions hold, the velocities of their courses.
  void hold_rates(double time);

  // Compiled once, as what GeneralizedAlpha has for steps that are taken side by side.
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
  /// Adds what gives the place of a motion the acceleration of its course.
  void add_inertia(const boundary::Motion& motion, double end, double step, std::vector<double>& pull) const;
  /// By how much the step has changed the kinetic energy of what a motion holds, J; an end is none.
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
  std::vector<Entry> start_;  ///< of entries -1 ... n of the member's arrays
  std::vector<Vec3> pulls_;   ///< on motions at the end of the last step, without inertia
  double most_work_of_motions_ = 0.0;
  std::int64_t held_step_ = -1;  ///< in which motions act, counted from 0; -1: it is not known yet
};

}  // namespace rodeo::implicit
