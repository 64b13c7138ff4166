#pragma once

#include <span>
#include <utility>
#include <vector>

#include "rodeo/coupling/ties.hpp"
#include "rodeo/linear/banded_matrix.hpp"
#include "rodeo/linear/sparse_blocks.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/tangent/held_unknowns.hpp"
#include "rodeo/tangent/mixed_tangent.hpp"
#include "rodeo/tangent/rod_tangent.hpp"

namespace rodeo::coupling {

/// What a load adds to the derivative of the gradient: rows and columns of two unknowns of three numbers.
struct LoadBlock {
  int row = 0;     ///< first number of the unknown whose gradient changes
  int column = 0;  ///< of that by which it changes
  Matrix3 derivative;
};

/// The matrix of a member whose rods act on each other, by all their unknowns: each rod's band, and blocks
/// wherever rods meet. Nodes that follow others are in these; they, and what is held, have rows and columns
/// of the unit matrix. All blocks are given by first unknowns among the member's.
class Assembly {
 public:
  /// The ties have to stay where they are; others between the same nodes may take their place.
  Assembly(const Ties& ties, std::vector<double> inertia) : Assembly(ties, std::move(inertia), {}) {}

  /// With the forces of elements as unknowns of their own (tangent/mixed_tangent.hpp), which follow those of
  /// the rods. `turns`: of each element its turn, by first unknowns.
  Assembly(const Ties& ties, std::vector<double> inertia, std::span<const int> turns);

  /// `slow`: that in motions which turn elements as they move nodes.
  void set_inertia(const std::vector<double>& inertia, const std::vector<double>& slow) {
    inertia_ = inertia;
    slow_inertia_ = slow;
  }

  /// What follows depends on the blocks alone, not on those before.
  void forget() { matrix_.forget(); }

  /// Begins anew. What rods hold, from their first unknowns on, is held.
  struct Held {
    const tangent::HeldUnknowns* unknowns;
    int first;
    int size;
    bool closed;  ///< its last node is the first, which is held by no one else
  };
  void begin(std::span<const Held> held);

  void add_band(int first, const tangent::RodMatrix& matrix);
  /// The same of a matrix that need not be symmetric, of a rod or of all rods; what is not zero in it.
  void add_band(int first, BandedMatrix& matrix);
  /// With that of its elements' forces; `element`: its first one among all.
  void add_mixed(int first, int element, const tangent::MixedMatrix& matrix);
  void add(int row, int column, const Matrix3& block);
  /// Of loads without an energy, whose blocks need not be symmetric.
  void add_unsymmetric(int first, std::span<const LoadBlock> blocks);

  /// Blocks that are added need not be those of a symmetric matrix. Where there is one there is that on the
  /// other side of the diagonal too.
  void expect_unsymmetric() { symmetric_ = false; }

  void finish();

  /// The entry of the diagonal that is largest in size, over the inertia in slow motions, 1/s^2.
  double largest_ratio() const { return largest_ratio_; }
  /// Keeps an unknown as it is.
  void hold(int unknown) { matrix_.hold(unknown); }
  /// Of vectors whose entries that follow others are zero.
  void multiply(const std::vector<double>& x, std::vector<double>& product) const;
  /// The sum of the sizes of all terms of x A x but those of forces.
  double size_of_terms(const std::vector<double>& x) const { return matrix_.size_of_terms(x); }

  /// Factors the matrix with a share of the inertia; returns how many eigenvalues are negative, of a matrix
  /// that is not symmetric 1 if it has no factors.
  int factor(double share) { return factor(share, inertia_); }
  int factor(double share, const std::vector<double>& inertia);
  /// Factors the matrix as it is; false if it is singular.
  bool factor();
  void solve(std::vector<double>& vector) const;
  /// And sets the changes of the elements' forces.
  void solve(std::vector<double>& vector, std::vector<double>& forces) const;
  /// Each lane is a vector.
  void solve(std::vector<DoublePack>& vectors) const;

 private:
  const Matrix3& freedom(int unknown) const { return freedom_[static_cast<std::size_t>(unknown / 3)]; }
  int held_below(double share, const std::vector<double>& inertia) const;
  int unknowns() const { return static_cast<int>(inertia_.size()); }
  int leader(int unknown) const { return unknown < unknowns() ? ties_.leader(unknown) : unknown; }

  const Ties& ties_;
  std::vector<double> inertia_;
  std::vector<double> slow_inertia_;
  int forces_ = 0;                ///< of elements that are unknowns, triples of them
  std::vector<Matrix3> freedom_;  ///< of each triple: what projects on what may move
  std::vector<bool> is_free_;     ///< all of it may
  /// Of what is held: 1, or in the forms without forces that of a node along the axis that it moves along,
  /// beside which 1 might be lost in rounding.
  std::vector<double> stiffness_;
  SparseBlocks matrix_;
  bool symmetric_ = true;
  double largest_ratio_ = 0.0;
};

}  // namespace rodeo::coupling
