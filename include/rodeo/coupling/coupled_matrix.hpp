#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/contact/friction.hpp"
#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/coupling/layout.hpp"
#include "rodeo/coupling/ties.hpp"
#include "rodeo/linear/band_ldlt.hpp"
#include "rodeo/linear/banded_matrix.hpp"
#include "rodeo/linear/sparse_blocks.hpp"

namespace rodeo::coupling {

/// First degrees of freedom, among all, of the four ends of two elements.
using PairNodes = std::array<int, contact::pair_nodes>;

/// Places of the rows of a block over two elements: each of their nodes, and behind these as many degrees of
/// freedom of the turns of either, which follow its first node.
struct PairPlaces {
  static constexpr int most = contact::pair_nodes + 2;

  const PairNodes& nodes;
  int turns;

  int count() const { return turns > 0 ? most : contact::pair_nodes; }
  bool is_node(int k) const { return k < contact::pair_nodes; }
  /// The first degree of freedom of a place, how many it has, and where they begin in the block.
  int first(int k) const {
    return is_node(k) ? nodes[static_cast<std::size_t>(k)]
                      : nodes[static_cast<std::size_t>(2 * (k - contact::pair_nodes))] + 3;
  }
  int size(int k) const { return is_node(k) ? 3 : turns; }
  int row(int k) const { return is_node(k) ? 3 * k : contact::pair_size + (k - contact::pair_nodes) * turns; }
};

/// Consecutive degrees of freedom: those of a node, or of an element with both its nodes, or with the nodes
/// on both sides too.
struct Span {
  int first;
  int size;
};
inline constexpr int span_size = 15;
using SpanPair = std::array<Span, 2>;

/// A block over two spans, the second from row and column span_size on.
using SpanMatrix = double[2 * span_size][2 * span_size];

/// The Jacobian of rods that touch or are connected: the band of their elasticity, blocks over pairs of
/// elements, and blocks over links, which are always there. With no blocks it is factored as a banded matrix,
/// else as a sparse one (SparseBlocks), by L D L' if it is symmetric and positive definite, which takes a
/// third of the time, else by LU.
///
/// Rows and columns of nodes that follow others are added to those of the nodes that lead; their own are
/// those of the unit matrix.
class CoupledMatrix {
 public:
  /// Lasting parts of a matrix: rods' first degrees of freedom, the number of all, and further couplings.
  struct Shape {
    Layout layout;
    std::vector<int> rod_starts;
    int size;
    std::vector<SpanPair> links = {};  ///< pairs of spans that links couple
    Ties ties = {};
    bool holds_elements = false;  ///< by both nodes, which couples nodes farther apart
    int pair_turns = 0;           ///< of each element in the blocks of pairs
  };
  explicit CoupledMatrix(Shape shape);

  int size() const { return band_.size(); }
  const std::vector<SpanPair>& links() const { return shape_.links; }
  /// The band, to be set before blocks are added.
  BandedMatrix& band() { return band_; }

  void set_zero();

  /// Forgets the pattern, and with it the pivots: later results depend on the entries alone.
  void forget() {
    matrix_.forget();
    matrix_.expect_nothing();
  }

  /// Notes pairs that may get blocks soon: a new pattern makes room for them.
  void expect(const std::vector<PairNodes>& pairs);

  /// `unsymmetric`: a part of the block that makes the matrix markedly unsymmetric.
  void add(const PairNodes& nodes, const contact::PairMatrix& block,
           const contact::PairProduct& unsymmetric = {});
  /// Notes that an entry of the band, which has it already, makes the matrix markedly unsymmetric.
  void note_unsymmetric(int row, int column, double entry);
  void add(std::size_t link, const SpanMatrix& block);

  /// Replaces the matrix by its factors; false if it is singular or not finite.
  bool factor(bool symmetric);

  /// Factors a matrix that is not symmetric, for solutions that need a few digits alone. One that iterates()
  /// is solved by iterations then (NearlySymmetric): without what was noted as unsymmetric it is nearly
  /// symmetric.
  bool factor_for_few_digits();
  /// Whether the matrix has so many unknowns that iterations take less time than its factors.
  bool iterates() const { return size() >= SparseFactors::several; }

  /// Replaces the matrix, which is symmetric, by its factors L D L' without pivots, and returns how many of
  /// its eigenvalues are negative; nothing if there are no such factors.
  std::optional<int> factor_and_count();

  /// Diagonal of the matrix, not of its factors.
  std::vector<double> diagonal();

  /// Replaces `vector` b by the solution x of A x = b, with the factors of A.
  void solve(std::span<double> vector) const;

 private:
  template <class Visit>
  void for_each_run(int first, int size, const Visit& visit) const;
  template <class Visit>
  void for_each_part(const BlockPlace& place, const Visit& visit) const;
  template <class Visit>
  void for_each_place(const PairNodes& nodes, const Visit& visit) const;

  bool is_banded() const { return !has_blocks_ && links().empty() && shape_.ties.followers().empty(); }
  void take_band();
  void assemble();

  Shape shape_;
  int held_reach_;  ///< widening of the band by held elements, either way
  BandedMatrix band_;
  SparseBlocks matrix_;
  bool has_blocks_ = false;  ///< and the band stands among them
  bool is_assembled_ = false;
  static constexpr int counted_bandwidth = 10;  ///< widest band that has symmetric factors of its own
  using BandFactors = BandLdlt<double, counted_bandwidth>;
  std::optional<BandFactors> band_factors_;
  enum class Kind { banded, banded_symmetric, sparse };
  Kind kind_ = Kind::banded;  ///< of the last factors
};

}  // namespace rodeo::coupling
