#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/contact/distance_derivatives.hpp"
#include "rodeo/math/banded_matrix.hpp"
#include "rodeo/math/sparse_ldlt.hpp"
#include "rodeo/math/sparse_lu.hpp"

namespace rodeo::der {

/// First degrees of freedom, among all, of the four ends of two elements.
using PairNodes = std::array<int, contact::pair_nodes>;

/// The Jacobian of rods that touch: the band of their elasticity, and blocks over pairs of elements. With no
/// blocks it is factored as a banded matrix, else as a sparse one, whose pattern stays as long as it holds
/// all pairs: by L D L' if it is symmetric and positive definite, which takes a third of the time, else by
/// LU.
class CoupledMatrix {
 public:
  /// Rods' first degrees of freedom, and the number of all. `links` says whether nodes may be linked two by
  /// two, which couples what is farther apart.
  CoupledMatrix(std::vector<int> rod_starts, int size, bool links = false);

  int size() const { return band_.size(); }
  BandedMatrix& band() { return band_; }

  void set_zero();

  /// Forgets the pattern: what follows depends on the entries alone.
  void forget() { known_.clear(); }

  /// Pairs that may get blocks soon: a new pattern makes room for them.
  void expect(std::vector<PairNodes> pairs) { expected_ = std::move(pairs); }

  void add(const PairNodes& nodes, const contact::PairMatrix& block);

  /// Replaces the matrix by its factors; false if it is singular or not finite.
  bool factor(bool symmetric);

  /// Replaces `vector` b by the solution x of A x = b, with the factors of A.
  void solve(std::span<double> vector) const;

 private:
  struct Block {
    PairNodes nodes;
    contact::PairMatrix entries;
  };
  /// A pair of the pattern.
  struct Known {
    PairNodes nodes;
    /// For each column of its block, where the rows of each of its ends start among the values.
    std::array<std::array<int, contact::pair_nodes>, contact::pair_size> place;
  };
  struct Rows {
    int begin;
    int end;
  };

  bool pattern_fits() const;
  const Known* find(const PairNodes& nodes) const;
  void make_pattern();
  void gather();
  Rows band_rows(int column) const;

  std::vector<int> rod_starts_;  ///< and the size
  std::vector<int> column_rod_;  ///< [size]
  int linked_reach_;             ///< by which links widen the band, either way
  BandedMatrix band_;
  std::vector<Block> blocks_;
  std::vector<PairNodes> expected_;
  std::vector<Known> known_;     ///< sorted by nodes
  std::vector<int> band_place_;  ///< [size] of a column's band among the values
  SparsePattern pattern_;
  std::vector<double> values_;
  std::optional<SparseLdlt> symmetric_;
  std::optional<SparseLu> general_;
  enum class Factors { banded, symmetric, general } factors_ = Factors::banded;  ///< the last ones
};

}  // namespace rodeo::der
