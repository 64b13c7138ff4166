#include "rodeo/coupling/coupled_matrix.hpp"

#include <algorithm>
#include <utility>

namespace rodeo::coupling {

/// A held element couples its nodes to its neighbours' unknowns, and the element next to that may be held
/// too: the band reaches two nodes farther.
CoupledMatrix::CoupledMatrix(Shape shape)
    : layout_(shape.layout),
      rod_starts_(std::move(shape.rod_starts)),
      held_reach_(shape.holds_elements ? 2 * layout_.stride : 0),
      band_(shape.size, layout_.bandwidth + held_reach_),
      pair_turns_(shape.pair_turns),
      ties_(std::move(shape.ties)),
      links_(std::move(shape.links)) {
  rod_starts_.push_back(shape.size);
  for (int rod = 0; rod + 1 < static_cast<int>(rod_starts_.size()); ++rod)
    column_rod_.resize(static_cast<std::size_t>(rod_starts_[static_cast<std::size_t>(rod) + 1]), rod);
  std::size_t entries = 0;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    first_link_entry_.push_back(entries);
    for_each_entry(k, [&](int, int, int, int) { ++entries; });
  }
  link_entries_.resize(entries);
}

template <class Visit>
void CoupledMatrix::for_each_entry(std::size_t link, const Visit& visit) const {
  const SpanPair& spans = links_[link];
  for (int b = 0; b < 2; ++b) {
    const Span& columns = spans[static_cast<std::size_t>(b)];
    for (int j = 0; j < columns.size; ++j) {
      for (int a = 0; a < 2; ++a) {
        const Span& rows = spans[static_cast<std::size_t>(a)];
        for (int i = 0; i < rows.size; ++i)
          visit(rows.first + i, columns.first + j, span_size * a + i, span_size * b + j);
      }
    }
  }
}

void CoupledMatrix::set_zero() {
  band_.set_zero();
  pairs_.clear();
  pair_entries_.clear();
  pair_products_.clear();
  unsymmetric_.clear();
  std::ranges::fill(link_entries_, 0.0);
}

void CoupledMatrix::add(const PairNodes& nodes, const contact::PairMatrix& block,
                        const contact::PairProduct& unsymmetric) {
  pair_products_.push_back(unsymmetric);
  pairs_.push_back(nodes);
  pair_entries_.insert(pair_entries_.end(), block.begin(), block.end());
}

void CoupledMatrix::add(std::size_t link, const SpanMatrix& block) {
  double* to = link_entries_.data() + first_link_entry_[link];
  for_each_entry(link, [&](int, int, int i, int j) { *to++ += block[i][j]; });
}

bool CoupledMatrix::factor(bool symmetric) {
  kind_ = is_banded() ? Kind::banded : Kind::sparse;
  if (is_banded()) return band_.factor();
  if (!pattern_fits()) make_pattern();
  gather();
  return factors_->factor(values_, symmetric);
}

bool CoupledMatrix::factor_for_few_digits() {
  if (is_banded()) return factor(false);
  kind_ = Kind::sparse;
  if (!pattern_fits()) make_pattern();
  gather();
  if (!iterates()) return factors_->factor(values_, false);
  gather_near();
  return factors_->factor(values_, near_);
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
  kind_ = Kind::sparse;
  if (!pattern_fits()) make_pattern();
  gather();
  return factors_->factor_and_count(values_);
}

std::vector<double> CoupledMatrix::diagonal() {
  std::vector<double> diagonal;
  diagonal.reserve(static_cast<std::size_t>(size()));
  for (int i = 0; i < size(); ++i) diagonal.push_back(band_.at(i, i));
  const auto add = [&](int dof, double entry) {
    diagonal[static_cast<std::size_t>(ties_.leader(dof))] += entry;
  };
  for (int i = 0; i < size(); ++i) {
    if (ties_.leader(i) != i) add(i, std::exchange(diagonal[static_cast<std::size_t>(i)], 0.0));
  }
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    const PairPlaces places{pairs_[pair], pair_turns_};
    for (int k = 0; k < places.count(); ++k) {
      for (int c = 0; c < places.size(k); ++c) {
        const int at = places.row(k) + c;
        add(places.first(k) + c, block(pair)[at * pair_size() + at]);
      }
    }
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const double* entry = link_entries_.data() + first_link_entry_[k];
    for_each_entry(k, [&](int row, int column, int, int) {
      if (row == column) add(row, *entry);
      ++entry;
    });
  }
  return diagonal;
}

void CoupledMatrix::solve(std::span<double> vector) const {
  switch (kind_) {
    case Kind::banded:
      return band_.solve(vector);
    case Kind::banded_symmetric:
      return band_factors_->solve(vector.data());
    case Kind::sparse:
      return factors_->solve(vector);
  }
}

const CoupledMatrix::Known* CoupledMatrix::find(const PairNodes& nodes) const {
  const auto found = std::ranges::lower_bound(known_, nodes, {}, &Known::nodes);
  return found != known_.end() && found->nodes == nodes ? &*found : nullptr;
}

/// Every block needs its place; a pattern mostly for pairs that have gone only costs.
bool CoupledMatrix::pattern_fits() const {
  constexpr std::size_t spare = 16;
  if (!factors_) return false;
  if (known_.size() > 2 * std::max(expected_.size(), pairs_.size()) + spare) return false;
  return std::ranges::all_of(pairs_, [&](const PairNodes& nodes) { return find(nodes) != nullptr; });
}

CoupledMatrix::Rows CoupledMatrix::band_rows(int column) const {
  const auto rod = static_cast<std::size_t>(column_rod_[static_cast<std::size_t>(column)]);
  const int local = column - rod_starts_[rod];
  const int within = local % layout_.stride;
  const Layout::Reach& reach = within < 3 ? layout_.node : layout_.element;
  const int node = column - within;
  return {std::max(node - reach.before - held_reach_, rod_starts_[rod]),
          std::min(node + reach.end + held_reach_, rod_starts_[rod + 1])};
}

void CoupledMatrix::make_pattern() {
  std::vector<PairNodes> pairs = expected_;
  pairs.insert(pairs.end(), pairs_.begin(), pairs_.end());
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

  const int size = band_.size();
  std::vector<std::vector<int>> far(static_cast<std::size_t>(size));  // rows beyond the band, by column
  const auto couple = [&](int own_row, int own_column) {
    const int row = ties_.leader(own_row);
    const int column = ties_.leader(own_column);
    if (!band_rows(column).hold(row)) far[static_cast<std::size_t>(column)].push_back(row);
  };
  for (int j = 0; j < size && has_followers(); ++j) {
    const Rows rows = band_rows(j);
    for (int i = rows.begin; i < rows.end; ++i) couple(i, j);
  }
  for (const PairNodes& pair : pairs) {
    const PairPlaces places{pair, pair_turns_};
    for (int a = 0; a < places.count(); ++a) {
      for (int b = 0; b < places.count(); ++b) {
        for (int j = 0; j < places.size(a); ++j) {
          for (int i = 0; i < places.size(b); ++i) couple(places.first(b) + i, places.first(a) + j);
        }
      }
    }
  }
  for (std::size_t k = 0; k < links_.size(); ++k)
    for_each_entry(k, [&](int row, int column, int, int) { couple(row, column); });
  SparsePattern pattern;
  band_place_.assign(static_cast<std::size_t>(size), 0);
  for (int j = 0; j < size; ++j) {
    const auto column = static_cast<std::size_t>(j);
    std::vector<int>& others = far[column];
    std::ranges::sort(others);
    others.erase(std::unique(others.begin(), others.end()), others.end());
    pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
    const Rows band = band_rows(j);
    const auto before = std::ranges::lower_bound(others, band.begin);
    pattern.row.insert(pattern.row.end(), others.begin(), before);
    band_place_[column] = static_cast<int>(pattern.row.size());
    for (int i = band.begin; i < band.end; ++i) pattern.row.push_back(i);
    pattern.row.insert(pattern.row.end(), before, others.end());
  }
  pattern.column_start.push_back(static_cast<int>(pattern.row.size()));

  const auto place = [&](int row, int column) {
    return static_cast<int>(pattern.place(ties_.leader(row), ties_.leader(column)));
  };
  if (has_followers()) band_place_.clear();
  follower_place_.clear();
  for (int j = 0; j < size && has_followers(); ++j) {
    const Rows rows = band_rows(j);
    for (int i = rows.begin; i < rows.end; ++i) band_place_.push_back(place(i, j));
    if (ties_.leader(j) != j) follower_place_.push_back(static_cast<int>(pattern.place(j, j)));
  }
  known_.clear();
  for (const PairNodes& pair : pairs) {
    Known& known = known_.emplace_back();
    known.nodes = pair;
    const PairPlaces places{pair, pair_turns_};
    for (int a = 0; a < places.count(); ++a) {
      for (int j = 0; j < places.size(a); ++j) {
        for (int b = 0; b < places.count(); ++b) {
          known.place[static_cast<std::size_t>(places.row(a) + j)][static_cast<std::size_t>(b)] =
              place(places.first(b), places.first(a) + j);
        }
      }
    }
  }
  link_place_.clear();
  for (std::size_t k = 0; k < links_.size(); ++k) {
    for_each_entry(k, [&](int row, int column, int, int) {
      link_place_.push_back(static_cast<std::size_t>(place(row, column)));
    });
  }
  values_.resize(pattern.row.size());
  factors_.emplace(std::move(pattern));
}

/// Gathers the values of the pattern from the band and the blocks.
void CoupledMatrix::gather() {
  std::ranges::fill(values_, 0.0);
  auto place_of = band_place_.begin();
  for (int j = 0; j < band_.size(); ++j) {
    const Rows rows = band_rows(j);
    const double* const from = &band_.at(rows.begin, j);
    if (!has_followers()) {
      std::copy(from, from + (rows.end - rows.begin), values_.begin() + *place_of++);
      continue;
    }
    for (int i = rows.begin; i < rows.end; ++i)
      values_[static_cast<std::size_t>(*place_of++)] += from[i - rows.begin];
  }
  for (const int diagonal : follower_place_) values_[static_cast<std::size_t>(diagonal)] = 1.0;
  const int size = pair_size();
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    const Known& known = *find(pairs_[pair]);
    const PairPlaces places{pairs_[pair], pair_turns_};
    const double* const entries = block(pair);
    for (int column = 0; column < size; ++column) {
      const auto& place = known.place[static_cast<std::size_t>(column)];
      for (int k = 0; k < places.count(); ++k) {
        double* const to = &values_[static_cast<std::size_t>(place[static_cast<std::size_t>(k)])];
        const double* const from = entries + places.row(k) * size + column;
        for (int c = 0; c < places.size(k); ++c) to[c] += from[c * size];
      }
    }
  }
  for (std::size_t k = 0; k < link_entries_.size(); ++k) values_[link_place_[k]] += link_entries_[k];
}

/// Gathers the values of the pattern without the entries that make the matrix markedly unsymmetric.
void CoupledMatrix::gather_near() {
  near_ = values_;
  const int size = pair_size();
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    const Known& known = *find(pairs_[pair]);
    const PairPlaces places{pairs_[pair], pair_turns_};
    const contact::PairProduct& product = pair_products_[pair];
    for (int column = 0; column < size; ++column) {
      const double factor = product.row[column];
      if (factor == 0.0) continue;
      const auto& place = known.place[static_cast<std::size_t>(column)];
      for (int k = 0; k < places.count(); ++k) {
        double* const to = &near_[static_cast<std::size_t>(place[static_cast<std::size_t>(k)])];
        for (int c = 0; c < places.size(k); ++c) to[c] -= product.column[places.row(k) + c] * factor;
      }
    }
  }
  for (const Entry& entry : unsymmetric_)
    near_[factors_->pattern().place(ties_.leader(entry.row), ties_.leader(entry.column))] -= entry.value;
}

}  // namespace rodeo::coupling
