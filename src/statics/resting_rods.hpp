#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rodeo/coupling/assembly.hpp"
#include "rodeo/coupling/cosserat_rod.hpp"
#include "rodeo/coupling/load_tangent.hpp"
#include "rodeo/coupling/modes.hpp"
#include "rodeo/coupling/resting_ground.hpp"
#include "rodeo/linear/banded_matrix.hpp"
#include "rodeo/member/changed_member.hpp"
#include "rodeo/member/member_arrays.hpp"
#include "rodeo/member/placements.hpp"
#include "rodeo/observe/sample.hpp"
#include "rodeo/tangent/held_unknowns.hpp"
#include "rodeo/tangent/mixed_tangent.hpp"
#include "rodeo/tangent/rod_tangent.hpp"
#include "rodeo/tangent/seam.hpp"

#include "couplings.hpp"

namespace rodeo::statics {

/// Unknowns of a node and the element after it.
inline constexpr std::size_t pair_size = tangent::node_unknown(1);

/// The rods of a member, what acts on them at a time, and the derivatives of their energy less its work by
/// their unknowns (tangent/rod_tangent.hpp), rod after rod.
class RestingRods {
 public:
  /// The arrays have to stay where they are.
  RestingRods(const MemberSpec& spec, const MemberArrays& member);

  std::size_t unknowns() const { return inertia_.size(); }
  double mass() const { return mass_; }  ///< of all rods, kg
  double slowest() const {
    return slowest_;
  }  ///< square of the rate of the softest rod between hinges, 1/s^2

  /// What rounding of the rods' stiffest elements leaves of the square of their slowest rate, relative to it:
  /// about epsilon (n L/r)^2/6 of alike elements.
  double relative_rounding() const { return relative_rounding_; }

  /// From the next linearize() on the matrix has the mixed form (tangent/mixed_tangent.hpp), which that does
  /// not touch, or the plain one, whose factors take a third of the time. Closed rods by themselves stay as
  /// they are if their rounding was below `rounding_of_branches` at first.
  void take_mixed_form(bool mixed);
  /// Takes the form that their rounding asks for, of which a relative part may be left.
  void take_form_by_rounding(double most) { take_mixed_form(relative_rounding_ > most); }
  static constexpr double rounding_of_branches = 1e-4;  ///< of critical values five digits are right
  static constexpr double rounding_of_newton = 0.1;     ///< with which iterations still converge as fast
  bool has_mixed_form() const { return mixed_; }

  /// Of each unknown: the mass of a node, the moment of inertia of an element.
  const std::vector<double>& inertia() const { return inertia_; }

  /// The masses that nodes have of elements, along these: of members that report modes.
  const std::vector<coupling::AlongElement>& masses_along() const { return masses_along_; }

  /// Moves driven ends and what motions hold from where they are at one time to where they are at another,
  /// and spreads the way they make and their turns over the rods: they alone would stretch and wind up the
  /// elements beside them. Where rods would pass through each other or a solid so, the others wait where they
  /// are; false if what is moved is in the way itself, and all stays as it is.
  bool place(double from, double to);

  /// What follows goes on from the present state.
  void stand() {
    if (couplings_) couplings_->stand();
  }

  /// The motions that begin with the step after so many do, and others end: what acts in that step holds its
  /// places from now on. Returns whether any has ended.
  bool begin_motions(std::int64_t steps);
  /// Holds what motions hold in the step after so many, which have begun.
  void hold_places(std::int64_t steps);
  /// Moves what is held from where it is at one time to where it is at another, and may spread that over the
  /// rods.
  void place_motions(double from, double to, bool spread = true);
  /// Notes what motions and the platen exert on the rods, and their work since a time: at the mean of what
  /// was noted before and now.
  void note(double from);

  /// Sets natural strains at `time`, and such a part of what then acts on the rods in their present state.
  void set_loads(double time, double part);

  /// Sets what pulls the rods away from their state, and the matrix by which steps answer it. In its
  /// geometric terms stand the stresses that take() predicted if `predicted`, else the true ones.
  void linearize(std::vector<double>& unbalanced, bool predicted);

  /// Sets the matrix at an equilibrium. In the mixed form it has the stresses that balance the loads: those
  /// of positions are rounded by epsilon n S, as much as the load of Euler of a rod of L/r = 1e7.
  void linearize_at_rest();

  /// Sets the matrix, true stresses in it, to which solve() adds such a share of the inertia, that along
  /// elements.
  void linearize_vibrations(double share);

  /// Whether all that acts has an energy.
  bool have_energy() const { return have_energy_; }

  /// What pulls the rods away from their state.
  void balance(std::vector<double>& unbalanced);

  /// Makes them those of another member with as many elements and the same supports, which leaves the rods
  /// where they are but for ends that are held. Their matrix keeps its form.
  void become(const MemberSpec& spec, double time);

  /// Of two displacements: their product in the mean square over the rods' length and turns.
  double length_product(const std::vector<double>& a, const std::vector<double>& b) const;

  /// Finds the motions of each rod as a whole, and its roll about its own centre line, that cost less than
  /// this (1/s^2): those that its supports and loads allow. The matrix is that of linearize(). Until they are
  /// forgotten leave_out_free_motions() knows them.
  void find_free_motions(double no_sign);
  /// Holds as many unknowns as there are, so that solutions leave them out too; the share of the inertia in
  /// these has to be small.
  void hold_free_motions();
  void forget_free_motions();
  /// Those found, over all unknowns.
  std::vector<std::vector<double>> free_motions() const;

  /// Takes them out of a displacement, in the measure of the inertia.
  void leave_out_free_motions(std::vector<double>& vector) const;

  /// What loads of the last set_loads() sum to along the axes of the laboratory, where nothing holds the rods
  /// along these: of each rod, or of all together where they act on each other, N. Zero where it may be
  /// rounding, none where there is ground.
  std::vector<Vec3> unheld_pulls() const;

  /// Of what pulls in the state of the last linearize(): whether loads move the rods by free motions, so that
  /// it is no equilibrium although nothing else is unbalanced.
  bool are_moved_freely(const std::vector<double>& pull) const;

  /// Whether a step does no more work than rounding of the rods' energy, as one along a motion that costs
  /// none, which is as long as rounding makes it. The mixed form alone can tell: in the plain one stretch
  /// makes more noise.
  bool is_idle(const std::vector<double>& pull, const std::vector<double>& step) const;

  /// What rounding may leave of the matrix over the inertia, 1/s^2; in the mixed form of slow motions, which
  /// turn elements as they move their nodes.
  double rounding() const;

  /// Factors the matrix with such a share (1/s^2) of the inertia added, and sets `step` to what it answers to
  /// `pull`; returns how many of its eigenvalues are negative, of those that loads without energy leave
  /// complex none.
  int solve(double share, const std::vector<double>& pull, std::vector<double>& step);

  /// The same, which leaves off at the first eigenvalue that is negative: returns whether there is none. If
  /// there is one, step and factors are of no use.
  bool solve_if_definite(double share, const std::vector<double>& pull, std::vector<double>& step);

  /// The same without a pull.
  int factor(double share);

  /// The answer to another pull, with the same factors. Of packs each lane is a pull.
  template <class Number>
  void solve_again(std::vector<Number>& vector) const;

  /// Of a step that answers a pull, at most such a part: as far as it lessens the energy, if this goes along
  /// it as linearize() says but for the ground and the contact of rods, which begin and end. Newton's
  /// iterations could go back and forth between two sets of elements that touch. No element goes through a
  /// solid, or through another one.
  double part_in_contact(const std::vector<double>& pull, std::span<const double> step, double most);

  /// Whether rods may touch each other or the ground, which leave them free to go along what they touch.
  bool may_touch() const { return ground_.exists() || (couplings_ && couplings_->contacts()); }
  /// Whether rods touch each other in the state of the last linearize().
  bool in_contact() const { return contacts() != nullptr && contacts()->active(); }
  /// The next linearize() makes their contact as stiff as the forces ask that it finds.
  void renew_contact() {
    if (couplings_) couplings_->renew_contact();
  }
  /// Those of the last linearize(); null without contact of rods.
  const coupling::Contacts* contacts() const {
    return couplings_ && couplings_->contacts() ? &*couplings_->contacts() : nullptr;
  }

  /// The connections of the rods; null without any.
  coupling::Links* links() { return couplings_ && couplings_->links() ? &*couplings_->links() : nullptr; }

  /// Whether they jump to other stiffnesses as elements touch something.
  bool may_kink() const { return ground_.exists(); }
  /// Which elements touch which surfaces of the ground.
  std::vector<bool> touches() const { return ground_.touches(views()); }
  /// How fast, along a displacement, those go on that have begun to touch since, or to part: m, of all
  /// together.
  double rate_of_touching(const std::vector<bool>& since, std::span<const double> way) const {
    return ground_.rate_of_touching(views(), since, way);
  }

  /// What rods exert on the platen, and its work on them (forces::platen_array).
  std::vector<double>* platen_record() { return &record_; }
  const coupling::RestingGround& ground() const { return ground_; }

  /// Takes the true stresses for those that take() predicted.
  void note_stress();

  /// Takes such a part of a step, and predicts the stresses after it: those before it for the other part.
  void take(std::span<const double> step, double part);

  /// Whether an element has come past the middle of a ball or cylinder of the ground since place().
  bool has_crossed() const { return has_crossed_; }

  /// Makes zero what supports do not let move.
  template <class Number>
  void hold(std::vector<Number>& vector) const;

  /// Force over velocity of each unknown at a time, by the rods' damping.
  std::vector<double> drag(double time) const;
  /// What makes the nodes' drag that along elements.
  std::vector<coupling::AlongElement> drag_along(double time) const;

  /// Of each unknown's inertia the part by which modes of one frequency are told apart: less along x than
  /// along y and z, and more from node to node. Turns count where nodes do not tell.
  std::vector<double> telling_weights() const;

  /// Of a vector what frames hold of nodes: the displacement of a node, and the turn of the element after it
  /// (that before the last one), six numbers each.
  std::vector<double> at_nodes(const std::vector<double>& vector) const;

  /// Of a step: the largest turn of an element, rad; the largest displacement over the rod's length.
  double largest_turn(std::span<const double> step) const;
  double largest_shift(std::span<const double> step) const;

  /// Whether they may stand in lanes (rods_in_lanes.hpp): one open rod without ground, motions and unknowns
  /// that are held for free motions, whose loads have an energy.
  bool fit_in_lanes() const;
  /// Whether another member's, which may too, may stand in lanes beside them.
  bool go_beside(const RestingRods& others) const;
  /// Of rods that may: whether what acts on them does not depend on how they stand.
  bool have_dead_loads() const;

  /// Positions and orientations.
  std::vector<Placement> state() const { return placements(member_.all); }
  /// From a state to the present one: the root of the mean square displacement of nodes over the rods'
  /// length.
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

  /// Entries of the last node of a closed rod are zero in vectors.
  struct RestingRod : coupling::CosseratRod {
    RestingRod(const RodData& data, const forces::Muscle& muscle, const RodView& rod, std::size_t first);

    coupling::LoadTangent load_tangent;
    tangent::RodStress predicted;
    tangent::RodMatrix matrix;
    std::vector<double> diagonal;  ///< of the matrix without inertia
    tangent::RodFactors factors;
    std::optional<tangent::MixedMatrix> mixed_matrix;  ///< instead, in the mixed form
    std::optional<tangent::MixedFactors> mixed_factors;
    std::vector<std::vector<double>> free_motions;  ///< of unit norm in the measure of the inertia
    std::vector<int> gauge;  ///< unknowns that are held as they are, so that free motions are none
    bool held_at_seam = false;
    std::vector<coupling::LoadBlock> blocks;  ///< of loads without an energy
    std::optional<BandedMatrix> unsymmetric;  ///< the factors instead, if there are any
    std::optional<BandedMatrix> whole;        ///< of which matrix these are, in the mixed form
  };

  void measure(const MemberSpec& spec);
  void note_masses_along(const MemberSpec& spec);
  template <class OfElement>
  std::vector<coupling::AlongElement> along_elements(const OfElement& of_element) const;
  void couple(const MemberSpec& spec, const RodView& made);
  void set_gradient(std::vector<double>& gradient);
  void note_coupled_inertia();
  void place_ties();
  void linearize_rod(RestingRod& r, std::span<double> own, const tangent::RodStress* stress);
  template <class Matrix>
  void add_to_hessian(const RestingRod& r, Matrix& hessian) const;
  template <class Matrix>
  void add_masses_along(const RestingRod& r, Matrix& hessian) const;
  void find_held(std::int64_t steps);
  void note_slow_inertia();
  void make_assembly();
  void linearize_coupled(std::vector<double>& unbalanced, bool predicted);
  void assemble(bool predicted);
  void take_coupled(std::span<const double> step, double part);
  void take_each(std::span<const double> step, double part);
  void find_coupled_motions(double no_sign);
  std::vector<std::vector<double>> coupled_motions() const;
  void hold_supports(coupling::Mechanisms& mechanisms, std::size_t rod) const;
  std::vector<double> motion_of(const coupling::Mechanisms& mechanisms, std::size_t rod,
                                const coupling::Mechanisms::Parts& parts) const;
  void orthonormalize(std::vector<double>& motion, const std::vector<std::vector<double>>& others) const;
  template <class Limit>
  std::vector<std::vector<double>> cheap(const std::vector<std::vector<double>>& motions,
                                         const Limit& limit) const;
  double square_without_cost(double size_of_terms) const;
  void choose_coupled_gauge();
  std::vector<double> ways_along(std::span<const double> step);
  std::vector<std::vector<double>> rigid_motions(const RestingRod& r) const;
  /// The sum of displacements, at least one, with such parts.
  static std::vector<double> combination(const std::vector<std::vector<double>>& motions,
                                         std::span<const double> parts);
  std::vector<std::vector<double>> unheld_motions(const RestingRod& r, double no_sign) const;
  void subtract_loads(const RestingRod& r, double* gradient) const;
  std::vector<double> held_part(const RestingRod& r, const std::vector<double>& motion) const;
  bool is_held_along(const RestingRod& r, int axis) const;
  static void choose_gauge(RestingRod& r);
  static void hold_gauge(RestingRod& r);
  static double& diagonal_of(RestingRod& r, int unknown) {
    return r.mixed_matrix ? r.mixed_matrix->diagonal(unknown) : *r.matrix.column(unknown);
  }
  static void set_unsymmetric(RestingRod& r);
  static bool factor_unsymmetric(RestingRod& r);
  template <class Number>
  static void solve_in_unsymmetric(const RestingRod& r, std::span<Number> vector);
  static std::vector<double> mixed_answer(const RestingRod& r, std::span<const double> pull);
  double largest_rate() const;
  double share_in_band() const;
  std::vector<double> balancing_forces(const std::vector<double>& unbalanced);
  static double size_of_terms(const RestingRod& r, const std::vector<double>& motion);
  double stiffest_rate() const;
  void note_rates(const MemberSpec& spec);
  void predict_stresses(const std::vector<double>& step);
  int factor_rod(RestingRod& r, double share, const std::vector<double>& inertia, double* vector,
                 LdltSweep sweep);
  int held_below(const RestingRod& r, double share) const;
  int solve_by(double share, const std::vector<double>& pull, std::vector<double>& step, LdltSweep sweep);
  const std::vector<double>& step_inertia() const { return mixed_ ? slow_inertia_ : inertia_; }

  MemberArrays member_;
  coupling::RestingGround ground_;
  std::vector<double> record_;  ///< of the platen
  ChangedMember changed_;       ///< that they have become
  std::vector<RestingRod> rods_;
  std::optional<Couplings> couplings_;  ///< of a member whose rods act on each other
  std::optional<coupling::Assembly>
      assembly_;  ///< the matrix then, and the free motions of all rods together
  std::vector<std::vector<double>> coupled_free_motions_;
  std::vector<int> coupled_gauge_;
  std::vector<double> inertia_;
  std::vector<double> slow_inertia_;  ///< in motions that turn elements as they move nodes
  std::vector<bool> is_held_;         ///< of each unknown, whether supports let it move in part or not
  bool mixed_ = false;
  double slowest_ = 0.0;  ///< square of the rate of the softest rod between hinges, 1/s^2
  bool has_crossed_ = false;
  double relative_rounding_ = 0.0;
  bool is_stiff_at_first_ = false;  ///< more than what the plain form of the matrix does with
  double energy_scale_ = 0.0;       ///< of rods that bend by as much as they are long, J
  std::vector<double> densities_;   ///< of each rod, kg/m^3, of a member that reports modes
  std::vector<coupling::AlongElement> masses_along_;
  double share_along_ = 0.0;  ///< of the inertia for which masses along elements are in the matrix, 1/s^2
  double mass_ = 0.0;
  bool have_energy_ = true;
  std::int64_t held_step_ = -1;  ///< in which motions act, counted from 0
  double load_time_ = 0.0;       ///< for which the loads stand, s
  double load_part_ = 1.0;
};

}  // namespace rodeo::statics
