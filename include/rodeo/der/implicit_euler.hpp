#pragma once

#include <vector>

#include "rodeo/der/newton.hpp"
#include "rodeo/math/banded_matrix.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::der {

/// How an end node may move.
struct EndFreedom {
  bool held = false;    ///< its position is given
  bool slides = false;  ///< it moves along the axis only
  Vec3 axis;            ///< unit vector
};

/// A rod in a step: its arrays with the state at the start of the step, and what acts on it besides its
/// elasticity. External forces stand in field::external_force.
struct RodStep {
  RodStep(const RodView& arrays, int first_degree_of_freedom)
      : rod(arrays), first(first_degree_of_freedom), couple(static_cast<std::size_t>(arrays.elements)) {}

  RodView rod;
  int first;                  ///< its first degree of freedom among all
  std::vector<double> start;  ///< degrees of freedom at the start of the step
  std::vector<Vec3> couple;   ///< element: on it, laboratory frame, N m
  double drag = 0.0;          ///< rod.damping of an element, kg/s (and kg m^2/s)
  EndFreedom ends[2];
};

/// One step of implicit Euler for all rods of a member: eq. 7 with M (q - q_start - dt v_start)/dt^2 for the
/// inertia, solved by Newton's method. Masses are lumped; an element's inertia is that about its tangent.
class ImplicitEuler {
 public:
  ImplicitEuler(std::vector<RodStep> rods, double force_tolerance, int most_iterations);

  std::vector<RodStep>& rods() { return rods_; }
  const std::vector<RodStep>& rods() const { return rods_; }

  /// Advances the rods' arrays by `step` seconds. If the iteration does not converge they stay as they are.
  NewtonOutcome advance(double step);

  // What Newton's method asks of a system of equations.
  void residual(const std::vector<double>& q, std::vector<double>& force);
  bool factor(const std::vector<double>& q);
  void solve(std::vector<double>& vector) const { jacobian_.solve(vector); }
  double norm(const std::vector<double>& force) const;
  double length(const std::vector<double>& step) const;
  double bound(const std::vector<double>&, const std::vector<double>&) const { return 1.0; }

 private:
  void add_inertia(const RodStep& rod, const double* q, double* force) const;
  void add_inertia_jacobian(const RodStep& rod);
  void add_edge_loads(const RodStep& rod, const double* q, double* force) const;
  void add_edge_load_jacobian(const RodStep& rod, const double* q);
  void accept(const RodStep& rod, const double* q) const;

  std::vector<RodStep> rods_;
  double force_tolerance_;  ///< of the norm of the residual, N
  int most_iterations_;
  double step_ = 0.0;  ///< s
  BandedMatrix jacobian_;
  std::vector<double> q_;
  Newton<ImplicitEuler> newton_;
};

}  // namespace rodeo::der
