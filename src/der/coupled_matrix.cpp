#include "rodeo/der/coupled_matrix.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "rodeo/der/elastic_energy.hpp"

namespace rodeo::der {

/// A link gives a node what its neighbour is coupled to, and that may be linked too: two nodes farther.
CoupledMatrix::CoupledMatrix(std::vector<int> rod_starts, int size, bool links)
    : rod_starts_(std::move(rod_starts)),
      linked_reach_(links ? 8 : 0),
      band_(size, elastic_bandwidth + linked_reach_) {
  rod_starts_.push_back(size);
  for (int rod = 0; rod + 1 < static_cast<int>(rod_starts_.size()); ++rod)
    column_rod_.resize(static_cast<std::size_t>(rod_starts_[static_cast<std::size_t>(rod) + 1]), rod);
}

void CoupledMatrix::set_zero() {
  band_.set_zero();
  blocks_.clear();
}

void CoupledMatrix::add(const PairNodes& nodes, const contact::PairMatrix& block) {
  Block& added = blocks_.emplace_back();
  added.nodes = nodes;
  std::memcpy(added.entries, block, sizeof(block));
}

bool CoupledMatrix::factor(bool symmetric) {
  factors_ = Factors::banded;
  if (blocks_.empty()) return band_.factor();
  if (!pattern_fits()) make_pattern();
  gather();
  factors_ = Factors::symmetric;
  if (symmetric) {
    if (!symmetric_) symmetric_.emplace(pattern_);
    if (symmetric_->factor(values_)) return true;
  }
  factors_ = Factors::general;
  if (!general_) general_.emplace(pattern_);
  return general_->factor(values_);
}

void CoupledMatrix::solve(std::span<double> vector) const {
  switch (factors_) {
    case Factors::banded:
      return band_.solve(vector);
    case Factors::symmetric:
      return symmetric_->solve(vector);
    case Factors::general:
      return general_->solve(vector);
  }
}

const CoupledMatrix::Known* CoupledMatrix::find(const PairNodes& nodes) const {
  const auto found = std::ranges::lower_bound(known_, nodes, {}, &Known::nodes);
  return found != known_.end() && found->nodes == nodes ? &*found : nullptr;
}

/// Every block needs its place; a pattern mostly for pairs that have gone only costs.
bool CoupledMatrix::pattern_fits() const {
  constexpr std::size_t spare = 16;
  if (known_.size() > 2 * std::max(expected_.size(), blocks_.size()) + spare) return false;
  return std::ranges::all_of(blocks_, [&](const Block& block) { return find(block.nodes) != nullptr; });
}

/// Rows that elasticity couples to a column: a node with those up to two away and the elements between, an
/// element's angle with the four nodes and three elements around.
CoupledMatrix::Rows CoupledMatrix::band_rows(int column) const {
  const auto rod = static_cast<std::size_t>(column_rod_[static_cast<std::size_t>(column)]);
  const int local = column - rod_starts_[rod];
  const int node = column - local % 4;
  const int before = (local % 4 == 3 ? 4 : 8) + linked_reach_;
  return {std::max(node - before, rod_starts_[rod]),
          std::min(node + 11 + linked_reach_, rod_starts_[rod + 1])};
}

void CoupledMatrix::make_pattern() {
  std::vector<PairNodes> pairs = expected_;
  for (const Block& block : blocks_) pairs.push_back(block.nodes);
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

  const int size = band_.size();
  std::vector<std::vector<int>> far(
      static_cast<std::size_t>(size));  // by first column of a node: other nodes
  for (const PairNodes& pair : pairs) {
    for (const int a : pair) {
      for (const int b : pair) {
        const Rows rows = band_rows(a);
        if (b < rows.begin || b >= rows.end) far[static_cast<std::size_t>(a)].push_back(b);
      }
    }
  }
  pattern_ = {};
  band_place_.assign(static_cast<std::size_t>(size), 0);
  const std::vector<int> none;
  const std::vector<int>* others = &none;
  for (int j = 0; j < size; ++j) {
    const auto column = static_cast<std::size_t>(j);
    const int local = j - rod_starts_[static_cast<std::size_t>(column_rod_[column])];
    if (local % 4 == 0) {
      std::ranges::sort(far[column]);
      far[column].erase(std::unique(far[column].begin(), far[column].end()), far[column].end());
      others = &far[column];
    } else if (local % 4 == 3) {
      others = &none;
    }
    pattern_.column_start.push_back(static_cast<int>(pattern_.row.size()));
    const Rows band = band_rows(j);
    const auto add_nodes = [&](bool before) {
      for (const int node : *others) {
        if ((node < band.begin) == before)
          pattern_.row.insert(pattern_.row.end(), {node, node + 1, node + 2});
      }
    };
    add_nodes(true);
    band_place_[column] = static_cast<int>(pattern_.row.size());
    for (int i = band.begin; i < band.end; ++i) pattern_.row.push_back(i);
    add_nodes(false);
  }
  pattern_.column_start.push_back(static_cast<int>(pattern_.row.size()));

  known_.clear();
  for (const PairNodes& pair : pairs) {
    Known& known = known_.emplace_back();
    known.nodes = pair;
    for (std::size_t column = 0; column < contact::pair_size; ++column) {
      const int j = pair[column / 3] + static_cast<int>(column % 3);
      for (std::size_t k = 0; k < contact::pair_nodes; ++k)
        known.place[column][k] = static_cast<int>(pattern_.place(pair[k], j));
    }
  }
  values_.resize(pattern_.row.size());
  symmetric_.reset();
  general_.reset();
}

/// The values of the pattern from the band and the blocks.
void CoupledMatrix::gather() {
  std::ranges::fill(values_, 0.0);
  for (int j = 0; j < band_.size(); ++j) {
    const Rows rows = band_rows(j);
    const double* const from = &band_.at(rows.begin, j);
    std::copy(from, from + (rows.end - rows.begin),
              values_.begin() + band_place_[static_cast<std::size_t>(j)]);
  }
  for (const Block& block : blocks_) {
    const Known& known = *find(block.nodes);
    for (std::size_t column = 0; column < contact::pair_size; ++column) {
      for (std::size_t k = 0; k < contact::pair_nodes; ++k) {
        double* const to = &values_[static_cast<std::size_t>(known.place[column][k])];
        for (std::size_t c = 0; c < 3; ++c) to[c] += block.entries[3 * k + c][column];
      }
    }
  }
}

}  // namespace rodeo::der
