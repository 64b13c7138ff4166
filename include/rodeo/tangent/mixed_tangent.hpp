#pragma once

#include <span>
#include <vector>

#include "rodeo/linear/band_ldlt.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/tangent/rod_tangent.hpp"

namespace rodeo::tangent {

// The Hessian of rod_tangent.hpp with the forces p of elements as unknowns of their own (Hellinger and
// Reissner's mixed form):
//
//   [G  J']
//   [J  -C]
//
// J is the derivative of the strains of shear and stretch, C = l/S the compliance of elements, G all else:
// bend and twist, and the terms of p. Without its p it is G + J' C^-1 J, the Hessian. But there what resists
// bending is left when numbers cancel that are (n L/r)^2 times as large, as elements are that stiff against
// shear and stretch: at L/r = 1e6 nothing is. Here J is rounded, not J' C^-1 J, which changes a slender rod's
// eigenvalues by no more than their last digits.
//
// An element's p stands behind its first node and its turn. Eliminated in this order it adds compliances, of
// the element and of what is before it, and leaves the next node their inverse: sums of numbers of one sign.
// Before the turn it would leave this S l, in which B/l is lost, and before the node S/l likewise. Of the
// pivots as many are negative as there are numbers in all p, and as the Hessian has negative eigenvalues.
//
// Where rods meet, or end where they begin, some nodes are eliminated before both of their elements, and what
// little resists such a node takes the place of C, which is lost. So a share of S/l may stay in G, small
// enough not to round it, and C is that of the rest.
inline constexpr int mixed_bandwidth = 11;
using MixedBand = SymmetricBand<double, mixed_bandwidth>;

constexpr int forces_of(int elements) { return 3 * elements; }  ///< numbers in all p

/// Place of an unknown of the rod, or of the first number of an element's p, among those of the mixed form.
constexpr int mixed_place(int unknown) { return unknown + 3 * (unknown / node_unknown(1)); }
constexpr int force_place(int element) { return mixed_place(element_unknown(element)) + 3; }

/// The mixed form of a rod's Hessian. Rows and columns are given by the rod's unknowns.
class MixedMatrix {
 public:
  explicit MixedMatrix(int elements) : elements_(elements), band_(unknowns(elements) + forces_of(elements)) {}

  int elements() const { return elements_; }
  double share() const { return share_; }  ///< of S/l that stays in G
  void set_share(double share) { share_ = share; }
  int size() const { return unknowns(elements_); }
  MixedBand& band() { return band_; }
  const MixedBand& band() const { return band_; }

  double& at(int row, int column) { return band_.at(mixed_place(row), mixed_place(column)); }
  double at(int row, int column) const { return band_.at(mixed_place(row), mixed_place(column)); }
  double& diagonal(int unknown) { return *band_.column(mixed_place(unknown)); }

  void hold(int unknown) { band_.hold(mixed_place(unknown)); }

  /// product = (G + J' C^-1 J) x, of which p = C^-1 J x is found first: a displacement without strain has
  /// none but for the rounding of its own numbers.
  void multiply(const double* x, double* product) const;

 private:
  int elements_;
  double share_ = 0.0;
  MixedBand band_;
};

/// Sets the mixed form. `stress`, if given, replaces the true stress in the geometric terms.
void mixed_hessian(const ConstRodView& rod, ClampedEnds ends, MixedMatrix& hessian,
                   const RodStress* stress = nullptr);

/// Its factors L D L', without pivoting.
class MixedFactors {
 public:
  explicit MixedFactors(int elements)
      : elements_(elements), factors_(unknowns(elements) + forces_of(elements)) {}

  /// Returns how many negative eigenvalues the Hessian has.
  int factor(const MixedMatrix& matrix);

  /// Replaces a right-hand side of the rod's unknowns by its solution. Each lane of packs is a vector.
  template <class Number>
  void solve(Number* vector) const {
    solve(vector, static_cast<Number*>(nullptr));
  }
  /// Solves, and sets the changes of all p unless `forces` is null, but for the share of the matrix. Changes
  /// that follow from the step itself are rounded as it is.
  template <class Number>
  void solve(Number* vector, Number* forces) const;

 private:
  int elements_;
  BandLdlt<double, mixed_bandwidth> factors_;
};

}  // namespace rodeo::tangent
