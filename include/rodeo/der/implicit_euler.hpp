#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rodeo/coupling/contacts.hpp"
#include "rodeo/coupling/coupled_matrix.hpp"
#include "rodeo/coupling/ground_contact.hpp"
#include "rodeo/coupling/modes.hpp"
#include "rodeo/coupling/ties.hpp"
#include "rodeo/der/constraints.hpp"
#include "rodeo/der/link_forces.hpp"
#include "rodeo/der/rod_step.hpp"
#include "rodeo/method/solve_outcome.hpp"

namespace rodeo::der {

/// Limits at which Newton's method ends.
struct NewtonLimits {
  double force = 0.0;                           ///< norm of the residual, N
  double of_loads = 0.0;                        ///< at rest, if less: over that of the loads
  double rounding = 0.0;                        ///< rounding of the residual, N
  std::array<double, 3> rounding_by_rate = {};  ///< over powers 0, 1, 2 of one over the step: N, N s, N s^2
  double most_rounding = 0.0;                   ///< up to which it counts as converged, N
  double shortest_step = 0.0;                   ///< but where steps are halved, s
  double length = 0.0;                          ///< of all rods, m
  double relative = 0.0;                        ///< the same over that of the first iterate
  int iterations = 0;

  /// With the rounding of a solve for such a step: halved ones divide that of places by ever less time.
  NewtonLimits of_step(double step) const;
};

/// One step of implicit Euler for all rods of a member: eq. 7 with M (q - q_start - dt v_start)/dt^2 for the
/// inertia, solved by Newton's method. Masses are lumped; an element's inertia is that about its tangent.
class ImplicitEuler {
 public:
  /// `holds_elements`: motions may hold elements (Constraints::hold()).
  ImplicitEuler(std::vector<RodStep> rods, std::optional<coupling::Contacts> contacts,
                const NewtonLimits& limits, std::optional<LinkForces> links = std::nullopt,
                coupling::Ties ties = {}, bool holds_elements = false);
  ImplicitEuler(const ImplicitEuler&) = delete;  // others refer to its ties
  ImplicitEuler& operator=(const ImplicitEuler&) = delete;

  std::vector<RodStep>& rods() { return rods_; }
  const std::vector<RodStep>& rods() const { return rods_; }

  /// Tied nodes. All their degrees of freedom change alike; forces and inertia are those of the node that
  /// leads, and zero of the others.
  const coupling::Ties& ties() const { return ties_; }

  /// Degrees of freedom that are not free.
  Constraints& constraints() { return constraints_; }
  const Constraints& constraints() const { return constraints_; }

  /// Adds the ground that rods meet from now on, and the limits in steps in which it is in reach.
  void meet(coupling::GroundContact ground, const NewtonLimits& limits) {
    ground_.emplace(std::move(ground));
    limits_on_ground_ = limits;
  }
  std::optional<coupling::GroundContact>& ground() { return ground_; }
  const std::optional<coupling::GroundContact>& ground() const { return ground_; }

  /// Reactions of the nodes and angles that are not free, where motions hold something: of the last step,
  /// with inertia by the change of place over the step, at their degrees of freedom (N, N m).
  const std::vector<double>& reactions() const { return reactions_; }

  /// Forgets data kept from step to step to save work. This changes results by rounding, and the stiffness of
  /// contacts by which pairs are listed as near.
  void forget();

  /// Takes the arrays' state as one that steps have come back to, or go on from.
  void stand() {
    if (contacts_) contacts_->watch().stand();
  }

  /// Advances the rods' arrays by `step` seconds. If the iteration does not converge they stay as they are.
  method::SolveOutcome advance(double step);

  /// Looks for equilibria from now on: the rods start steps from rest, and inertia is all that resists them.
  void rest() {
    at_rest_ = true;
    for (RodStep& rod : rods_) rod.at_rest = true;
  }
  bool at_rest() const { return at_rest_; }

  /// Sets the unbalanced force in the arrays' state; false if there is no step from there.
  bool find_unbalanced(std::vector<double>& force);
  /// Sets the unbalanced force before a step of so many seconds, with the forces that would stop the rods.
  bool find_unbalanced(double step, std::vector<double>& force) {
    step_ = step;
    return find_unbalanced(force);
  }

  /// Finds the forces that hold the rods at rest in the arrays' state: reactions(), and the platen's.
  void find_what_holds();

  /// Takes the factors of another solver, whose rods are held alike, until it factors anew.
  void take_factors(ImplicitEuler& other) {
    jacobian_ = std::move(other.jacobian_);
    rounding_ = other.rounding_;
  }

  /// Takes a part of a step from the arrays' state.
  void take(std::span<const double> step, double part);

  /// Linearizes at the arrays' state as advance() does at its start: sets the unbalanced force there, and
  /// factors the Jacobian with a share of the inertia, 1/s^2: one over the square of a step, or any below
  /// zero. Returns the number of negative eigenvalues, without those that loads without energy leave complex;
  /// nothing if there are no such factors, or no such step. With `masses` inertia is that along elements.
  std::optional<int> linearize(double share, std::vector<double>& unbalanced,
                               std::span<const coupling::AlongElement> masses = {});

  /// After linearize(): takes a whole step of Newton's method if it is shorter than `longest`, and rods do
  /// not meet on the way; returns its length, m.
  double refine(const std::vector<double>& unbalanced, double longest);

  /// Inertia of each degree of freedom: mass of a node, moment of inertia of an element about its tangent.
  std::vector<double> inertia() const;

  /// After linearize(): rounding of the Jacobian over the inertia, 1/s^2.
  double rounding() const { return rounding_; }

  /// At rest: true if all loads have an energy.
  bool have_energy() const;

  /// Largest force that counts as none, or is rounding, N.
  double force_limit() const { return std::max(no_force(), limits().rounding); }
  /// Whether rounding leaves more than the limit of the force.
  bool is_rounded() const { return limits().rounding > limits().force; }

  /// Contact between rods; nothing without it.
  const std::optional<coupling::Contacts>& contacts() const { return contacts_; }

  /// Connections of the rods; nothing without any.
  std::optional<LinkForces>& links() { return links_; }
  const std::optional<LinkForces>& links() const { return links_; }

  /// Sets F(q), N, of a step, and factors its Jacobian there, as an iteration of Newton's method asks for it;
  /// false if that is singular.
  void residual(const std::vector<double>& q, std::vector<double>& force);
  bool factor(const std::vector<double>& q);

  /// Solves by the factors of factor() or linearize().
  void solve(std::vector<double>& vector) const;
  /// Norm of forces, N, and length of a change of the degrees of freedom, m.
  double norm(const std::vector<double>& force) const;
  double length(const std::vector<double>& step) const;

 private:
  /// The vectors of Newton's method.
  struct Iterates {
    std::vector<double> first;
    std::vector<double> best;
    std::vector<double> before;  ///< the last step
    std::vector<double> residual;
    std::vector<double> step;
    std::vector<double> other;
  };
  class Iteration;
  static constexpr double largest_step = std::numeric_limits<double>::max();

  bool factor_after(double part, const std::vector<double>& q);
  bool factor_anew(const std::vector<double>& q);
  bool is_rounding(const std::vector<double>& step, const std::vector<double>& way) const;
  double tolerance(double first_norm) const;
  double no_force() const;
  bool must_fall() const { return contacts_ && contacts_->active(); }
  double bound(const std::vector<double>& q, const std::vector<double>& step);
  bool rubs() const;
  bool is_symmetric(const std::vector<double>& q) const;
  void find_reactions();
  void add_forces(const std::vector<double>& q, std::vector<double>& force) const;
  bool stands_on_ground() const { return ground_ && (at_rest_ || ground_->is_in_reach()); }
  NewtonLimits limits() const {
    return (stands_on_ground() ? limits_on_ground_ : limits_).of_step(at_rest_ ? largest_step : step_);
  }
  bool begin();
  void accept();
  bool factor_with(const std::vector<double>& q, coupling::FrictionChange change);
  void assemble(const std::vector<double>& q, std::span<const coupling::AlongElement> masses = {},
                bool spins = false);
  void set_jacobian_between(std::size_t place, const std::vector<double>& q,
                            coupling::SpanMatrix& block) const;

  std::vector<RodStep> rods_;
  std::optional<coupling::Contacts> contacts_;
  std::optional<LinkForces> links_;
  std::optional<coupling::GroundContact> ground_;
  coupling::Ties ties_;
  std::vector<std::size_t> closed_;        ///< rods
  std::vector<coupling::SpanPair> spans_;  ///< of links, then of the seams of closed rods
  NewtonLimits limits_;
  NewtonLimits limits_on_ground_;
  std::vector<double> reactions_;
  bool at_rest_ = false;
  coupling::FrictionChange friction_change_ = coupling::FrictionChange::exact;  ///< in the last factors
  double step_ = 1.0;                                                           ///< s
  double rounding_ = 0.0;
  double external_norm_ = 0.0;  ///< of the external forces, N
  double load_norm_ = 0.0;      ///< with couples on elements over their rods' lengths, N
  coupling::CoupledMatrix jacobian_;
  std::vector<double> q_;
  std::vector<double> start_;
  Constraints constraints_;
  Iterates iterates_;
};

}  // namespace rodeo::der
