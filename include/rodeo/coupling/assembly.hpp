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

/// Block that a load adds to the derivative of the gradient, by two unknowns of three numbers each.
struct LoadBlock {
  int row = 0;     ///< first number of the unknown whose gradient changes
  int column = 0;  ///< of that by which it changes
  Matrix3 derivative;
};

/// Matrix of a member whose rods act on each other, over all unknowns: each rod's band, and blocks wherever
/// rods meet. Nodes that follow others are added to these; they, and held unknowns, have rows and columns of
/// the unit matrix. All blocks are given by first unknowns among the member's.
class Assembly {
 public:
  /// The ties have to stay where they are; others between the same nodes may take their place.
  Assembly(const Ties& ties, std::vector<double> inertia) : Assembly(ties, std::move(inertia), {}) {}

  /// Makes a matrix with the forces of elements as further unknowns (tangent/mixed_tangent.hpp), which follow
  /// those of the rods. `turns`: the turn of each element, by first unknowns.
  Assembly(const Ties& ties, std::vector<double> inertia, std::span<const int> turns);

  /// `slow`: the inertia in motions which turn elements as they move nodes.
  void set_inertia(const std::vector<double>& inertia, const std::vector<double>& slow) {
    inertia_ = inertia;
    slow_inertia_ = slow;
  }

  /// Forgets the pattern: later results depend on the blocks alone, not on those before.
  void forget() { matrix_.forget(); }

  /// Held unknowns of a rod, from its first unknown on; begin() starts a new matrix that holds them.
  struct Held {
    const tangent::HeldUnknowns* unknowns;
    int first;
    int size;
    bool closed;  ///< the last node is the first, which no other rod holds
  };
  void begin(std::span<const Held> held);

  void add_band(int first, const tangent::RodMatrix& matrix);
  /// Adds the nonzero blocks of a matrix, symmetric or not, of a rod or of all rods.
  void add_band(int first, BandedMatrix& matrix);
  /// Adds a band with the forces of its elements; `element`: its first one among all.
  void add_mixed(int first, int element, const tangent::MixedMatrix& matrix);
  void add(int row, int column, const Matrix3& block);
  /// Adds blocks of loads without an energy, which need not be symmetric.
  void add_unsymmetric(int first, std::span<const LoadBlock> blocks);

  /// Allows blocks of a matrix that is not symmetric. Each needs one, if only of zeros, on the other side of
  /// the diagonal.
  void expect_unsymmetric() { symmetric_ = false; }

  void finish();

  /// Largest diagonal entry, in size, over the inertia in slow motions, 1/s^2.
  double largest_ratio() const { return largest_ratio_; }
  /// Keeps an unknown as it is.
  void hold(int unknown) { matrix_.hold(unknown); }
  /// Multiplies a vector whose entries at following nodes are zero.
  void multiply(const std::vector<double>& x, std::vector<double>& product) const;
  /// The sum of the sizes of all terms of x A x but those of forces.
  double size_of_terms(const std::vector<double>& x) const { return matrix_.size_of_terms(x); }

  /// Factors the matrix with a share of the inertia; returns the number of negative eigenvalues, of a matrix
  /// that is not symmetric 1 if it has no factors.
  int factor(double share) { return factor(share, inertia_); }
  int factor(double share, const std::vector<double>& inertia);
  /// Factors the matrix as it is; false if it is singular.
  bool factor();
  void solve(std::vector<double>& vector) const;
  /// Solves, and sets the changes of the elements' forces.
  void solve(std::vector<double>& vector, std::vector<double>& forces) const;
  /// Solves for vectors, one a lane.
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
  std::vector<Matrix3> freedom_;  ///< of each triple: projection on its free part
  std::vector<bool> is_free_;     ///< all of it may
  /// Diagonal of held unknowns: 1, or in the forms without forces the stiffness along the axis of their node,
  /// beside which 1 might be lost in rounding.
  std::vector<double> stiffness_;
  SparseBlocks matrix_;
  bool symmetric_ = true;
  std::vector<double> shift_;  ///< on the diagonal of the last factored matrix, if it is not symmetric
  double largest_ratio_ = 0.0;
};

}  // namespace rodeo::coupling
