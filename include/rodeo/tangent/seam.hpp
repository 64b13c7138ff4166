#pragma once

#include <array>
#include <span>
#include <vector>

#include "rodeo/tangent/bend_twist.hpp"
#include "rodeo/tangent/rod_tangent.hpp"

namespace rodeo::tangent {

/// Seam that closes an open rod (boundary::Closure): node n is node 0, and region n - 1 stands between
/// element n - 1 and the ghost of element 0. The open rod's derivatives are those with its last end clamped
/// to that ghost (ClampedEnds); loads of the region and node n on element 0 and node 0 are added here.
///
/// The unknowns of node 0 and element 0 would spoil the band, as they meet both ends of it. They are taken
/// out, and found from their Schur complement, with the sign of each of its pivots (Haynsworth: the signs of
/// the eigenvalues of a matrix are those of a block of it and of the Schur complement of the others). Vectors
/// keep their length: entries of node n are zero in right-hand sides and steps.
class Seam {
 public:
  static constexpr int size = 6;  ///< unknowns that are taken out, the first of a rod

  /// `turn`: the frame of the ghost is that of element 0 times it.
  Seam(const ConstRodView& rod, const Quaternion& turn);

  /// Sets the turn as in the constructor. Factors stay unchanged.
  void set_turn(const Quaternion& turn);

  /// Ends of the open rod.
  static constexpr ClampedEnds ends = {false, true};

  /// Adds the contributions of the seam to the gradient of the open rod.
  void close(std::span<double> gradient) const;

  /// Second derivatives of the energy that the matrix of the open rod does not have: by the turn of element
  /// 0, and by that of element n - 1, in rows, and that of element 0. `stress`, if given, is used in the
  /// geometric terms.
  struct Blocks {
    Matrix3 of_first;
    Matrix3 last_first;
  };
  Blocks blocks(const RodStress* stress) const;

  /// Takes its unknowns out of the matrix of the open rod, which then is that of a rod whose node 0 and
  /// element 0 are held, with pivots of one. `stress`, if given, is used in the geometric terms.
  void cut(RodMatrix& matrix, const RodStress* stress);

  /// Makes the row and the column of an unknown those of the unit matrix, where cut() has taken them from the
  /// matrix that it left.
  void hold(int unknown);

  /// Completes the product of the matrix left by cut() and a vector to that of the whole matrix.
  void complete_product(std::span<const double> x, std::span<double> product) const;

  /// Factors the Schur complement of its unknowns, with `added` on their diagonal, by the factors of the
  /// matrix that cut() left. Returns the pivots of these unknowns.
  Pivots<double> factor(const RodFactors& factors, std::span<const double> added);

  /// Replaces a right-hand side by its solution. Each lane of packs is a vector.
  template <class Number>
  void solve(const RodFactors& factors, std::span<Number> vector) const;

  /// The step with that of node n, and with the turn of the ghost of element 0 after it, which
  /// predict_stress() then sees. Good until the next call.
  std::span<const double> with_ghosts(std::span<const double> step);

 private:
  using Rows = std::array<std::array<double, size>, size>;  ///< of a node and its element, in its columns

  BendTwist<double> region() const;

  ConstRodView rod_;
  Matrix3 across_;                       ///< from the frame of the ghost to that of element 0
  SymmetricBand<double, size - 1> own_;  ///< its unknowns among themselves: the whole matrix
  SymmetricBand<double, size - 1> complement_;
  Rows next_ = {};                   ///< where node and element 1 meet its unknowns
  Rows last_ = {};                   ///< where node and element n - 1 do
  std::vector<DoublePack> answers_;  ///< of the open rod to its columns, one a lane
  BandLdlt<double, size - 1> factors_;
  std::vector<double> ghosts_;
};

}  // namespace rodeo::tangent
