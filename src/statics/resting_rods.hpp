#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rodeo/coupling/cosserat_rod.hpp"
#include "rodeo/coupling/modes.hpp"
#include "rodeo/coupling/resting_ground.hpp"
#include "rodeo/member/changed_member.hpp"

#include "couplings.hpp"

namespace rodeo::statics {

using coupling::CosseratRod;

inline constexpr std::size_t pair_size = coupling::cosserat_stride;

/// The rods of a member, the loads on them at a time, and the derivatives of their energy less the loads'
/// work by their unknowns (tangent/rod_tangent.hpp), rod after rod.
class RestingRods : public coupling::CosseratRods {
 public:
  /// The arrays have to stay where they are.
  RestingRods(const MemberSpec& spec, const MemberArrays& member);

  std::size_t count() const { return rods_.size(); }
  double mass() const { return mass_; }  ///< of all rods, kg
  double slowest() const {
    return slowest_;
  }  ///< square of the rate of the softest rod between hinges, 1/s^2

  /// Rounding of the square of the rods' slowest rate by their stiffest elements, relative to it: about
  /// epsilon (n L/r)^2/6 of alike elements.
  double relative_rounding() const { return relative_rounding_; }

  /// Gives the matrix of later linearize() calls the mixed form (tangent/mixed_tangent.hpp), free of that
  /// rounding, or the plain one, whose factors take a third of the time. Closed rods by themselves keep the
  /// plain form if their rounding was below `rounding_of_branches` at first.
  void take_mixed_form(bool mixed);
  /// Takes the plain form if its relative rounding is at most `most`, else the mixed one.
  void take_form_by_rounding(double most) { take_mixed_form(relative_rounding_ > most); }
  static constexpr double rounding_of_branches = 1e-4;  ///< of critical values five digits are right
  static constexpr double rounding_of_newton = 0.1;     ///< most with which iterations still converge as fast
  bool has_mixed_form() const { return mixed_; }

  /// Masses of elements along these instead of at nodes, of members that report modes.
  const std::vector<coupling::AlongElement>& masses_along() const { return masses_along_; }

  /// Moves driven ends and what motions hold from their places at one time to those at another, and spreads
  /// their displacements and turns over the rods: they alone would stretch and wind up the elements beside
  /// them. Where rods would so pass through each other or a solid, the others stay in place; false if the
  /// moved parts are in the way themselves, and nothing changes.
  bool place(double from, double to);

  /// Takes the present state as the one to go on from.
  void stand() {
    if (contact_) contact_->stand();
  }

  /// Begins the motions of the step after so many and ends others, and holds the places of that step from now
  /// on. Returns whether any has ended.
  bool begin_motions(std::int64_t steps);
  /// Holds the places of motions in the step after so many, which have begun.
  void hold_places(std::int64_t steps);
  /// Moves what is held from its place at one time to that at another, and may spread the displacement over
  /// the rods.
  void place_motions(double from, double to, bool spread = true);
  /// Notes the forces of motions and the platen on the rods, and their work since a time, by the mean of the
  /// forces noted before and now.
  void note(double from);

  /// Sets natural strains at `time`, and a part of the loads on the rods in their present state.
  void set_loads(double time, double part);

  /// Sets the unbalanced forces, and the matrix that gives steps from them. Its geometric terms have the
  /// stresses that take() predicted if `predicted`, else the true ones.
  void linearize(std::vector<double>& unbalanced, bool predicted);

  /// Sets the matrix at an equilibrium. In the mixed form it has the stresses that balance the loads: those
  /// of positions are rounded by epsilon n S, as much as the load of Euler of a rod of L/r = 1e7.
  void linearize_at_rest();

  /// Sets the matrix, with true stresses, so that adding such a share of the inertia in solve() adds that
  /// along elements.
  void linearize_vibrations(double share);

  /// True if all loads have an energy.
  bool have_energy() const { return have_energy_; }

  /// Sets the unbalanced forces.
  void balance(std::vector<double>& unbalanced);

  /// Turns the rods into those of another member with as many elements and the same supports; only held ends
  /// move. The matrix keeps its form.
  void become(const MemberSpec& spec, double time);

  /// Product of two displacements in the mean square over the rods' length and turns.
  double length_product(const std::vector<double>& a, const std::vector<double>& b) const;

  /// Finds the motions of each rod as a whole, and its roll about its own centre line, that its supports and
  /// loads allow and that cost less than `no_sign` (1/s^2). The matrix is that of linearize(). They are known
  /// to leave_out_free_motions() until they are forgotten.
  void find_free_motions(double no_sign);
  /// Holds as many unknowns as there are free motions, so that solutions leave these out too; the share of
  /// the inertia in solutions has to be small.
  void hold_free_motions();
  void forget_free_motions();
  /// Free motions that have been found, over all unknowns.
  std::vector<std::vector<double>> free_motions() const;
  /// Motions of rods as wholes that nothing holds, whatever they cost.
  std::vector<std::vector<double>> whole_motions() const;

  /// Takes free motions out of a displacement, in the measure of the inertia.
  void leave_out_free_motions(std::vector<double>& vector) const;

  /// Sums of the loads of the last set_loads() along the axes of the laboratory along which nothing holds the
  /// rods: of each rod, or of all together where they act on each other, N. Zero where it may be rounding,
  /// none where there is ground.
  std::vector<Vec3> unheld_pulls() const;

  /// True if the unbalanced forces of the last linearize() move the rods by free motions: then it is no
  /// equilibrium although nothing else is unbalanced.
  bool are_moved_freely(const std::vector<double>& pull) const;

  /// True if a step does no more work than rounding of the rods' energy, as along a motion that costs none,
  /// where rounding sets its length. Only the mixed form can tell: in the plain one stretch makes more noise.
  bool is_idle(const std::vector<double>& pull, const std::vector<double>& step) const;

  /// Rounding of the matrix over the inertia, 1/s^2; in the mixed form over that in slow motions, which turn
  /// elements as they move their nodes.
  double rounding() const;

  /// Factors the matrix with a share (1/s^2) of the inertia added, and sets `step` to the solution for
  /// `pull`. Returns the number of negative eigenvalues; of loads without energy 1 if a matrix is singular,
  /// else 0.
  int solve(double share, const std::vector<double>& pull, std::vector<double>& step);

  /// Solves, but stops at the first negative eigenvalue: returns whether there is none. If there is one, step
  /// and factors are of no use.
  bool solve_if_definite(double share, const std::vector<double>& pull, std::vector<double>& step);

  /// Factors the matrix with a share of the inertia; returns the number of negative eigenvalues.
  int factor(double share);

  /// Replaces a vector by its solution with the last factors. In packs each lane is a vector.
  template <class Number>
  void solve_again(std::vector<Number>& vector) const;

  /// Part of a step, at most `most`, as far as it lessens the energy, which along it follows linearize()
  /// except for the ground and the contact of rods, which begin and end. Newton's iterations could else go
  /// back and forth between two sets of touching elements. No element goes through a solid, or through
  /// another one.
  double part_in_contact(const std::vector<double>& pull, std::span<const double> step, double most);

  /// True if rods may touch each other or the ground, along which they are free to go.
  bool may_touch() const { return ground_.exists() || contact_; }
  /// True if rods touch each other in the state of the last linearize().
  bool in_contact() const { return contacts() != nullptr && contacts()->active(); }
  /// Has the next linearize() set the stiffness of contact from the forces that it finds.
  void renew_contact() {
    if (contact_) contact_->renew();
  }
  /// Contacts of the last linearize(); null without contact of rods.
  const coupling::Contacts* contacts() const { return contact_ ? &contact_->contacts() : nullptr; }

  /// True if stiffnesses jump as elements begin or end to touch something.
  bool may_kink() const { return ground_.exists(); }
  /// Which elements touch which surfaces of the ground.
  std::vector<bool> touches() const { return ground_.touches(views()); }
  /// Distance, summed over the elements that have begun to touch or to part `since`, by which a displacement
  /// takes them further that way, m.
  double rate_of_touching(const std::vector<bool>& since, std::span<const double> way) const {
    return ground_.rate_of_touching(views(), since, way);
  }

  /// Forces of rods on the platen, and its work on them (forces::platen_array).
  std::vector<double>* platen_record() { return &record_; }
  const coupling::RestingGround& ground() const { return ground_; }

  /// Takes a part of a step, and predicts the stresses after it: those before it for the other part.
  void take(std::span<const double> step, double part);

  /// True if an element has passed the middle of a ball or cylinder of the ground since place().
  bool has_crossed() const { return has_crossed_; }

  /// Zeroes the components that supports hold.
  template <class Number>
  void hold(std::vector<Number>& vector) const;

  /// Force over velocity of each unknown at a time, by the rods' damping.
  std::vector<double> drag(double time) const;
  /// Corrections that make the nodes' drag that along elements.
  std::vector<coupling::AlongElement> drag_along(double time) const;
  /// Adds the couples, in the direction of the rates, with which damping of the material resists velocities
  /// of the unknowns.
  void add_material_drag(const std::vector<double>& velocity, std::vector<double>& force) const;

  /// Inertia of each unknown times a weight that tells modes of one frequency apart: less along x than along
  /// y and z, and more from node to node. Turns count where nodes do not tell.
  std::vector<double> telling_weights() const;

  /// Values at nodes as frames store them: the displacement of a node, and the turn of the element after it
  /// (that before the last one), six numbers each.
  std::vector<double> at_nodes(const std::vector<double>& vector) const;

  /// True if the member fits in a lane (rods_in_lanes.hpp): one open rod without ground, motions and unknowns
  /// that are held for free motions, whose loads have an energy.
  bool fit_in_lanes() const;
  /// True if the loads on a rod that fits in a lane do not depend on its state.
  bool have_dead_loads() const;

  /// Root of the mean square displacement of nodes from a state to the present one, over the rods' length.
  double distance(const std::vector<Placement>& from) const;
  void restore(const std::vector<Placement>& state);

  /// Sums over the rods. Sets the internal loads that observables read.
  Sample sample() const;

 private:
  friend class RodsInLanes;

  void place_ends(double from, double to, bool spread);
  void note_reactions(double from);
  void record_platen(double from);
  std::vector<ConstRodView> views() const;

  /// Rods that have a matrix of their own, or all of them together.
  struct Group {
    std::size_t first_rod;
    std::size_t end_rod;
    std::size_t first;                              ///< unknown among all
    std::size_t size;                               ///< number of unknowns
    std::vector<std::vector<double>> motions = {};  ///< free ones, of unit norm in the measure of the inertia
    std::vector<std::size_t> gauge =
        {};  ///< unknowns that are held as they are, so that free motions are none
  };

  void measure(const MemberSpec& spec);
  void note_masses_along(const MemberSpec& spec);
  template <class OfElement>
  std::vector<coupling::AlongElement> along_elements(const OfElement& of_element) const;
  void couple(const MemberSpec& spec, const RodView& made);
  /// True if rods act on each other or on themselves, or nodes are tied.
  bool act_on_each_other() const { return links_ || contact_ || !ties_.followers().empty(); }
  void set_gradient(std::vector<double>& gradient);
  void linearize_rod(CosseratRod& r, std::span<double> own, const tangent::RodStress* stress);
  template <class Matrix>
  void add_to_hessian(const CosseratRod& r, Matrix& hessian) const;
  template <class Matrix>
  void add_masses_along(const CosseratRod& r, Matrix& hessian) const;
  void note_slow_inertia();
  void make_assembly();
  void assemble(bool predicted);
  void group();
  std::vector<std::vector<double>> whole_motions(const Group& group) const;
  std::vector<double> image(const Group& group, const std::vector<double>& vector) const;
  double size_of_terms(const Group& group, const std::vector<double>& motion) const;
  template <class Limit>
  std::vector<std::vector<double>> cheap(const Group& group, const std::vector<std::vector<double>>& motions,
                                         const Limit& limit) const;
  void choose_gauge(Group& group);
  void hold_gauge(const Group& group);
  template <class Number>
  void clear_gauge(std::vector<Number>& vector) const {
    for (const Group& group : groups_) {
      for (const std::size_t unknown : group.gauge) vector[unknown] = Number(0.0);
    }
  }
  void add_motions(const Group& group, const std::vector<std::vector<double>>& own,
                   std::vector<std::vector<double>>& all) const;
  void hold_at(std::int64_t steps);
  void subtract_loads(const CosseratRod& r, double* gradient) const;
  bool is_held_along(const CosseratRod& r, int axis) const;
  static double& diagonal_of(CosseratRod& r, int unknown) {
    return r.mixed_matrix ? r.mixed_matrix->diagonal(unknown) : *r.matrix.column(unknown);
  }
  double largest_rate() const;
  double share_in_band() const;
  std::vector<double> balancing_forces(const std::vector<double>& unbalanced);
  double stiffest_rate() const;
  void note_rates(const MemberSpec& spec);
  int factor_rod(CosseratRod& r, double share, const std::vector<double>& inertia, double* vector,
                 LdltSweep sweep);
  int held_below(const CosseratRod& r, double share) const;
  /// Stiffness across the axis of a node that slides in the mixed form, N/m: of the size of the slow motions.
  double across(const CosseratRod& r) const { return slowest_ * inertia_[r.first]; }
  int solve_by(double share, const std::vector<double>& pull, std::vector<double>& step, LdltSweep sweep);
  const std::vector<double>& step_inertia() const { return mixed_ ? slow_inertia_ : inertia_; }

  coupling::RestingGround ground_;
  std::vector<double> record_;  ///< of the platen
  ChangedMember changed_;       ///< the member that they have become
  std::optional<RestingContact> contact_;
  bool has_one_matrix_ = false;                 ///< of all rods
  std::optional<coupling::Assembly> assembly_;  ///< that matrix
  std::vector<Group> groups_;
  std::vector<double> slow_inertia_;  ///< in motions that turn elements as they move nodes
  std::vector<bool> is_held_;         ///< of each unknown, whether supports let it move in part or not
  bool mixed_ = false;
  double slowest_ = 0.0;  ///< square of the rate of the softest rod between hinges, 1/s^2
  bool has_crossed_ = false;
  double relative_rounding_ = 0.0;
  bool is_stiff_at_first_ = false;  ///< stiffer than the plain form of the matrix can bear
  double energy_scale_ = 0.0;       ///< of rods that bend by as much as they are long, J
  std::vector<double> densities_;   ///< of each rod, kg/m^3, of a member that reports modes
  std::vector<coupling::AlongElement> masses_along_;
  double share_along_ = 0.0;  ///< of the inertia for which masses along elements are in the matrix, 1/s^2
  double mass_ = 0.0;
  bool have_energy_ = true;
  double load_time_ = 0.0;  ///< time of the loads, s
  double load_part_ = 1.0;
};

}  // namespace rodeo::statics
