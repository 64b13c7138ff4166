#include "rodeo/coupling/coupled_matrix.hpp"

#include <algorithm>
#include <utility>

namespace rodeo::coupling {

/// A held element couples its nodes to its neighbours' unknowns, and the element next to that may be held
/// too: the band reaches two nodes farther.
CoupledMatrix::CoupledMatrix(Shape shape)
    : shape_(std::move(shape)),
      held_reach_(shape_.holds_elements ? 2 * shape_.layout.stride : 0),
      band_(shape_.size, shape_.layout.bandwidth + held_reach_),
      matrix_(shape_.size) {
  shape_.rod_starts.push_back(shape_.size);
}

/// Calls visit(leading, offset, size) for runs of degrees of freedom, of which leading ones stand together
/// too.
template <class Visit>
void CoupledMatrix::for_each_run(int first, int size, const Visit& visit) const {
  for (int begin = 0, end = 0; begin < size; begin = end) {
    const int leading = shape_.ties.leader(first + begin);
    while (end < size && shape_.ties.leader(first + end) == leading + end - begin) ++end;
    visit(leading, begin, end - begin);
  }
}

/// Calls visit(place, i, j) for the parts of a block, i and j on in it, where they stand in the matrix.
template <class Visit>
void CoupledMatrix::for_each_part(const BlockPlace& place, const Visit& visit) const {
  for_each_run(place.column, place.columns, [&](int column, int j, int columns) {
    for_each_run(place.row, place.rows, [&](int row, int i, int rows) {
      visit(BlockPlace{row, rows, column, columns}, i, j);
    });
  });
}

/// Calls visit(place, i, j) for the parts of a pair's block, i and j on in it, where they stand in the
/// matrix.
template <class Visit>
void CoupledMatrix::for_each_place(const PairNodes& nodes, const Visit& visit) const {
  const PairPlaces places{nodes, shape_.pair_turns};
  for (int b = 0; b < places.count(); ++b) {
    for (int a = 0; a < places.count(); ++a) {
      for_each_part(
          {places.first(a), places.size(a), places.first(b), places.size(b)},
          [&](const BlockPlace& part, int i, int j) { visit(part, places.row(a) + i, places.row(b) + j); });
    }
  }
}

void CoupledMatrix::set_zero() {
  band_.set_zero();
  matrix_.clear();
  has_blocks_ = is_assembled_ = false;
}

void CoupledMatrix::take_band() {
  if (std::exchange(has_blocks_, true)) return;
  std::size_t rod = 0;
  for (int j = 0; j < size(); ++j) {
    if (j == shape_.rod_starts[rod + 1]) ++rod;
    const int within = (j - shape_.rod_starts[rod]) % shape_.layout.stride;
    const Layout::Reach& reach = within < 3 ? shape_.layout.node : shape_.layout.element;
    const int begin = std::max(j - within - reach.before - held_reach_, shape_.rod_starts[rod]);
    const int end = std::min(j - within + reach.end + held_reach_, shape_.rod_starts[rod + 1]);
    for_each_part({begin, end - begin, j, 1}, [&](const BlockPlace& part, int i, int) {
      matrix_.add(part, [&](int k, int) { return band_.at(begin + i + k, j); });
    });
    if (!shape_.ties.leads(j)) matrix_.add({j, 1, j, 1}, [](int, int) { return 1.0; });
  }
}

void CoupledMatrix::expect(const std::vector<PairNodes>& pairs) {
  matrix_.expect_nothing();
  for (const PairNodes& nodes : pairs)
    for_each_place(nodes, [&](const BlockPlace& part, int, int) { matrix_.expect(part); });
}

void CoupledMatrix::add(const PairNodes& nodes, const contact::PairMatrix& block,
                        const contact::PairProduct& unsymmetric) {
  take_band();
  for_each_place(nodes, [&](const BlockPlace& part, int i, int j) {
    matrix_.add(part, [&](int a, int b) { return block[i + a][j + b]; });
    if (!iterates()) return;
    matrix_.note_unsymmetric(
        part, [&](int a) { return unsymmetric.column[i + a]; },
        [&](int b) { return unsymmetric.row[j + b]; });
  });
}

void CoupledMatrix::note_unsymmetric(int row, int column, double entry) {
  const BlockPlace place = {shape_.ties.leader(row), 1, shape_.ties.leader(column), 1};
  matrix_.note_unsymmetric(
      place, [&](int) { return entry; }, [](int) { return 1.0; });
}

void CoupledMatrix::add(std::size_t link, const SpanMatrix& block) {
  take_band();
  for (int b = 0; b < 2; ++b) {
    const Span& columns = links()[link][static_cast<std::size_t>(b)];
    for (int a = 0; a < 2; ++a) {
      const Span& rows = links()[link][static_cast<std::size_t>(a)];
      for_each_part({rows.first, rows.size, columns.first, columns.size}, [&](const BlockPlace& part, int i,
                                                                              int j) {
        matrix_.add(part, [&](int k, int l) { return block[span_size * a + i + k][span_size * b + j + l]; });
      });
    }
  }
}

void CoupledMatrix::assemble() {
  kind_ = Kind::sparse;
  take_band();
  if (!std::exchange(is_assembled_, true)) matrix_.assemble();
}

bool CoupledMatrix::factor(bool symmetric) {
  if (is_banded()) {
    kind_ = Kind::banded;
    return band_.factor();
  }
  assemble();
  return matrix_.factor(0.0, {}, symmetric);
}

bool CoupledMatrix::factor_for_few_digits() {
  if (is_banded() || !iterates()) return factor(false);
  assemble();
  return matrix_.factor_nearly_symmetric();
}

/// A band that elements which are held have made wide is one of the sparse matrices.
std::optional<int> CoupledMatrix::factor_and_count() {
  if (is_banded() && band_.bandwidth() <= counted_bandwidth) {
    kind_ = Kind::banded_symmetric;
    BandFactors::Matrix matrix(size());
    for (int j = 0; j < size(); ++j) {
      const int last = std::min(band_.bandwidth(), size() - 1 - j);
      for (int k = 0; k <= last; ++k) matrix.column(j)[k] = band_.at(j + k, j);
    }
    if (!band_factors_) band_factors_.emplace(size());
    const Pivots<double> pivots = band_factors_->factor(matrix);
    if (!(pivots.least_ratio > 0.0)) return std::nullopt;
    return static_cast<int>(pivots.negative);
  }
  assemble();
  return matrix_.factor_and_count(0.0, {});
}

std::vector<double> CoupledMatrix::diagonal() {
  const bool is_banded = this->is_banded();
  if (!is_banded) assemble();
  std::vector<double> diagonal;
  for (int i = 0; i < size(); ++i) diagonal.push_back(is_banded ? band_.at(i, i) : matrix_.diagonal(i));
  return diagonal;
}

void CoupledMatrix::solve(std::span<double> vector) const {
  switch (kind_) {
    case Kind::banded:
      return band_.solve(vector);
    case Kind::banded_symmetric:
      return band_factors_->solve(vector.data());
    case Kind::sparse:
      return matrix_.solve(vector);
  }
}

}  // namespace rodeo::coupling
