#include "rodeo/coupling/assembly.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace rodeo::coupling {

namespace {

constexpr Matrix3 unit = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

bool is_unit(const Matrix3& a) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (a(i, j) != (i == j ? 1.0 : 0.0)) return false;
    }
  }
  return true;
}

bool is_zero(const Matrix3& a) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (a(i, j) != 0.0) return false;
    }
  }
  return true;
}

}  // namespace

Assembly::Assembly(const Ties& ties, std::vector<double> inertia)
    : ties_(ties),
      inertia_(std::move(inertia)),
      freedom_(inertia_.size() / 3),
      is_free_(freedom_.size()),
      matrix_(static_cast<int>(freedom_.size())) {}

void Assembly::begin(std::span<const Held> held) {
  symmetric_ = true;
  std::ranges::fill(freedom_, unit);
  for (const Held& rod : held) {
    for (int unknown = 0; unknown < rod.size; unknown += 3) {
      if (rod.closed && unknown + 3 == rod.size) continue;
      Matrix3& freedom = freedom_[static_cast<std::size_t>(ties_.leader(rod.first + unknown) / 3)];
      freedom = freedom * rod.unknowns->freedom(unknown);
    }
  }
  matrix_.clear();
  for (std::size_t k = 0; k < freedom_.size(); ++k) {
    const int triple = static_cast<int>(k);
    const bool leads = ties_.leads(3 * triple);
    is_free_[k] = leads && is_unit(freedom_[k]);
    if (!leads) matrix_.add(triple, triple, unit);
    if (leads && !is_free_[k]) matrix_.add(triple, triple, unit - freedom_[k]);
  }
}

void Assembly::add(int row, int column, const Matrix3& block) {
  const int i = ties_.leader(row) / 3;
  const int j = ties_.leader(column) / 3;
  const bool is_free = is_free_[static_cast<std::size_t>(i)] && is_free_[static_cast<std::size_t>(j)];
  matrix_.add(i, j, is_free ? block : freedom(3 * i) * block * freedom(3 * j));
}

/// Triples that are two apart are as far as the band goes.
void Assembly::add_band(int first, const tangent::RodMatrix& matrix) {
  for (int row = 0; row < matrix.size(); row += 3) {
    for (int column = std::max(0, row - 6); column <= row; column += 3) {
      const auto entry = [&](int i, int j) {
        return matrix.column(std::min(row + i, column + j))[std::abs(row + i - column - j)];
      };
      const auto entries = [&](int i) { return Vec3{entry(i, 0), entry(i, 1), entry(i, 2)}; };
      const Matrix3 block = {entries(0), entries(1), entries(2)};
      add(first + row, first + column, block);
      if (row != column) add(first + column, first + row, transpose(block));
    }
  }
}

void Assembly::add_band(int first, BandedMatrix& matrix) {
  for (int row = 0; row < matrix.size(); row += 3) {
    for (int column = std::max(0, row - 6); column < std::min(matrix.size(), row + 9); column += 3) {
      const auto entries = [&](int i) {
        const auto entry = [&](int j) { return matrix.at(row + i, column + j); };
        return Vec3{entry(0), entry(1), entry(2)};
      };
      const Matrix3 block = {entries(0), entries(1), entries(2)};
      if (is_zero(block)) continue;
      add(first + row, first + column, block);
      if (!symmetric_) add(first + column, first + row, {});  // so that the pattern is symmetric
    }
  }
}

void Assembly::add_unsymmetric(int first, std::span<const LoadBlock> blocks) {
  symmetric_ = false;
  for (const LoadBlock& block : blocks) {
    add(first + block.row, first + block.column, block.derivative);
    add(first + block.column, first + block.row, {});  // so that the pattern is symmetric
  }
}

void Assembly::finish() {
  matrix_.assemble();
  largest_ratio_ = 0.0;
  for (std::size_t i = 0; i < inertia_.size(); ++i) {
    if (is_free_[i / 3])
      largest_ratio_ = std::max(largest_ratio_, matrix_.diagonal(static_cast<int>(i)) / inertia_[i]);
  }
}

int Assembly::factor(double share) {
  if (!symmetric_) return matrix_.factor(share, inertia_) ? 0 : 1;
  return matrix_.factor_and_count(share, inertia_).value_or(matrix_.size());
}

bool Assembly::factor() { return factor(0.0) < (symmetric_ ? matrix_.size() : 1); }

void Assembly::solve(std::vector<DoublePack>& vectors) const {
  constexpr int lanes = 8;
  std::vector<double> one(vectors.size());
  for (int lane = 0; lane < lanes; ++lane) {
    for (std::size_t i = 0; i < one.size(); ++i) one[i] = vectors[i][lane];
    matrix_.solve(one);
    for (std::size_t i = 0; i < one.size(); ++i) vectors[i].set(lane, one[i]);
  }
}

}  // namespace rodeo::coupling
