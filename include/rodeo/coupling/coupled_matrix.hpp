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
#include "rodeo/linear/sparse_factors.hpp"

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
/// else as a sparse one, whose pattern stays as long as it holds all pairs: by L D L' if it is symmetric and
/// positive definite, which takes a third of the time, else by LU. Those of many rods are factored by dense
/// blocks, in an order by nested dissection.
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
  const std::vector<SpanPair>& links() const { return links_; }
  BandedMatrix& band() { return band_; }

  void set_zero();

  /// Forgets the pattern, and with it the pivots: later results depend on the entries alone.
  void forget() {
    factors_.reset();
    known_.clear();
    expected_.clear();
  }

  /// Pairs that may get blocks soon: a new pattern makes room for them.
  void expect(std::vector<PairNodes> pairs) { expected_ = std::move(pairs); }

  /// `unsymmetric`: a part of the block that makes the matrix markedly unsymmetric.
  void add(const PairNodes& nodes, const contact::PairMatrix& block,
           const contact::PairProduct& unsymmetric = {});
  /// Notes that an entry of the band, which has it already, makes the matrix markedly unsymmetric.
  void note_unsymmetric(int row, int column, double entry) { unsymmetric_.push_back({row, column, entry}); }
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
  /// A pair of the pattern.
  struct Known {
    PairNodes nodes;
    /// For each column of its block, where the rows of each of its places start among the values.
    std::array<std::array<int, PairPlaces::most>, contact::PairMatrix::most> place;
  };
  struct Rows {
    int begin;
    int end;

    bool hold(int row) const { return row >= begin && row < end; }
  };

  /// Calls visit(row, column, i, j) for the entries i, j of the block of a link.
  template <class Visit>
  void for_each_entry(std::size_t link, const Visit& visit) const;

  bool is_banded() const { return pairs_.empty() && links_.empty() && !has_followers(); }
  bool has_followers() const { return !ties_.followers().empty(); }
  bool pattern_fits() const;
  const Known* find(const PairNodes& nodes) const;
  int pair_size() const { return contact::pair_size + 2 * pair_turns_; }
  /// The block of the pair that was added as such, row by row.
  const double* block(std::size_t pair) const {
    return pair_entries_.data() + pair * static_cast<std::size_t>(pair_size() * pair_size());
  }
  void make_pattern();
  void gather();
  void gather_near();
  Rows band_rows(int column) const;

  Layout layout_;
  std::vector<int> rod_starts_;  ///< first degrees of freedom of rods, and the size
  std::vector<int> column_rod_;  ///< [size]
  int held_reach_;               ///< widening of the band by held elements, either way
  BandedMatrix band_;
  int pair_turns_;  ///< of each element in the blocks of pairs
  std::vector<PairNodes> pairs_;
  std::vector<double> pair_entries_;                 ///< their blocks
  std::vector<contact::PairProduct> pair_products_;  ///< their unsymmetric parts
  struct Entry {
    int row;
    int column;
    double value;
  };
  std::vector<Entry> unsymmetric_;  ///< in the band
  Ties ties_;
  std::vector<int> follower_place_;  ///< of the diagonal entries of those that follow, among the values
  std::vector<SpanPair> links_;
  std::vector<double> link_entries_;           ///< the blocks of links, entry by entry
  std::vector<std::size_t> link_place_;        ///< of these among the values
  std::vector<std::size_t> first_link_entry_;  ///< of each link
  std::vector<PairNodes> expected_;
  std::vector<Known> known_;     ///< sorted by nodes
  std::vector<int> band_place_;  ///< [size] of a column's band among the values; of its entries, where some
                                 ///< nodes follow others
  std::optional<SparseFactors> factors_;  ///< with the pattern
  std::vector<double> values_;
  std::vector<double> near_;                    ///< without the entries that make the matrix unsymmetric
  static constexpr int counted_bandwidth = 10;  ///< widest band that has symmetric factors of its own
  using BandFactors = BandLdlt<double, counted_bandwidth>;
  std::optional<BandFactors> band_factors_;
  enum class Kind { banded, banded_symmetric, sparse };
  Kind kind_ = Kind::banded;  ///< of the last factors
};

}  // namespace rodeo::coupling
