#include "rodeo/coupling/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

namespace rodeo::coupling {

namespace {

constexpr Matrix3 unit = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

bool is_zero(const Matrix3& a) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (a(i, j) != 0.0) return false;
    }
  }
  return true;
}

bool is_unit(const Matrix3& a) { return is_zero(unit - a); }

bool is_diagonal(const Matrix3& a) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (i != j && a(i, j) != 0.0) return false;
    }
  }
  return true;
}

/// Groups of unknowns: an element's turn, its force, and its first node before them.
std::vector<int> groups_of(std::size_t unknowns, std::span<const int> turns) {
  std::vector<int> groups;
  if (turns.empty()) return groups;
  for (std::size_t k = 0; k < unknowns; ++k) groups.push_back(static_cast<int>(k / 3));
  for (const int turn : turns) {
    std::fill_n(groups.begin() + turn - 3, 3, turn / 3);
    groups.insert(groups.end(), 3, turn / 3);
  }
  return groups;
}

/// Solves for vectors, one after the other, with a factored matrix that has a shift on its diagonal. Pivots
/// of one that is not symmetric mix numbers of different units, by which slow motions of slender rods lose
/// digits; a step of refinement restores them (Skeel 1980).
void solve(const SparseBlocks& matrix, bool refine, const std::vector<double>& shift,
           std::vector<double>& vectors) {
  if (!refine) return matrix.solve(vectors);
  const auto size = static_cast<std::size_t>(matrix.size());
  std::vector<double> rest = vectors;
  matrix.solve(vectors);
  std::vector<double> product(size);
  for (std::size_t first = 0; first < vectors.size(); first += size) {
    const double* const x = vectors.data() + first;
    matrix.multiply({x, size}, product);
    for (std::size_t i = 0; i < shift.size(); ++i) product[i] += shift[i] * x[i];
    for (std::size_t i = 0; i < size; ++i) rest[first + i] -= product[i];
  }
  matrix.solve(rest);
  for (std::size_t i = 0; i < rest.size(); ++i) vectors[i] += rest[i];
}

}  // namespace

Assembly::Assembly(const Ties& ties, std::vector<double> inertia, std::span<const int> turns)
    : ties_(ties),
      inertia_(std::move(inertia)),
      slow_inertia_(inertia_),
      forces_(static_cast<int>(turns.size())),
      freedom_(inertia_.size() / 3 + turns.size()),
      is_free_(freedom_.size()),
      stiffness_(freedom_.size()),
      matrix_(3 * static_cast<int>(freedom_.size()), groups_of(inertia_.size(), turns)) {}

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
  std::ranges::fill(stiffness_, 0.0);
  for (std::size_t k = 0; k < freedom_.size(); ++k) {
    const int triple = static_cast<int>(k);
    const bool leads = leader(3 * triple) == 3 * triple;
    is_free_[k] = leads && is_unit(freedom_[k]);
    matrix_.add(3 * triple, 3 * triple, leads ? Matrix3{} : unit);
  }
}

void Assembly::add(int row, int column, const Matrix3& block) {
  const int i = leader(row);
  const int j = leader(column);
  if (is_free_[static_cast<std::size_t>(i / 3)] && is_free_[static_cast<std::size_t>(j / 3)]) {
    matrix_.add(i, j, block);
    return;
  }
  const Matrix3 free = freedom(i) * block * freedom(j);
  matrix_.add(i, j, free);
  if (i == j) stiffness_[static_cast<std::size_t>(i / 3)] += free(0, 0) + free(1, 1) + free(2, 2);
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

void Assembly::add_mixed(int first, int element, const tangent::MixedMatrix& matrix) {
  const tangent::MixedBand& band = matrix.band();
  const auto entry = [&](int i, int j) { return band.column(std::min(i, j))[std::abs(i - j)]; };
  // Three triples each of an element: its node, its turn, its force.
  const auto own = [&](int place) {
    const int triple = place / 3;
    const int pair = triple / 3;
    return triple % 3 == 2 ? unknowns() + 3 * (element + pair) : first + 6 * pair + 3 * (triple % 3);
  };
  // A force meets its element and the node behind it alone.
  const auto meet = [](int row, int column) {
    const int of_row = row / 3 % 3;
    const int apart = (row - column) / 3;
    return of_row == 0 || (of_row == 1 ? apart != 2 : apart != 3);
  };
  for (int row = 0; row < band.size(); row += 3) {
    for (int column = std::max(0, row - 9); column <= row; column += 3) {
      if (!meet(row, column)) continue;
      const auto entries = [&](int i) {
        return Vec3{entry(row + i, column), entry(row + i, column + 1), entry(row + i, column + 2)};
      };
      const Matrix3 block = {entries(0), entries(1), entries(2)};
      add(own(row), own(column), block);
      if (row != column) add(own(column), own(row), transpose(block));
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
      if (!symmetric_) add(first + column, first + row, {});  // keeps the pattern symmetric
    }
  }
}

void Assembly::add_unsymmetric(int first, std::span<const LoadBlock> blocks) {
  symmetric_ = false;
  for (const LoadBlock& block : blocks) {
    add(first + block.row, first + block.column, block.derivative);
    add(first + block.column, first + block.row, {});  // keeps the pattern symmetric
  }
}

void Assembly::finish() {
  for (std::size_t k = 0; k < freedom_.size(); ++k) {
    const int triple = static_cast<int>(k);
    if (is_free_[k] || leader(3 * triple) != 3 * triple) continue;
    const bool has_own = forces_ == 0 && !is_diagonal(freedom_[k]) && stiffness_[k] != 0.0;
    stiffness_[k] = has_own ? std::abs(stiffness_[k]) : 1.0;
    matrix_.add(3 * triple, 3 * triple, stiffness_[k] * (unit - freedom_[k]));
  }
  matrix_.assemble();
  largest_ratio_ = 0.0;
  for (std::size_t i = 0; i < inertia_.size(); ++i) {
    if (is_free_[i / 3])
      largest_ratio_ =
          std::max(largest_ratio_, std::abs(matrix_.diagonal(static_cast<int>(i))) / slow_inertia_[i]);
  }
}

int Assembly::factor(double share, const std::vector<double>& inertia) {
  if (!symmetric_) {
    shift_ = inertia;
    for (double& entry : shift_) entry *= share;
    return matrix_.factor(share, inertia) ? 0 : 1;
  }
  const std::optional<int> negative = matrix_.factor_and_count(share, inertia);
  if (!negative) return matrix_.size();
  return *negative - 3 * forces_ - (share < 0.0 ? held_below(share, inertia) : 0);
}

/// Counts held unknowns that a share of the inertia makes negative on the diagonal: no eigenvalues.
int Assembly::held_below(double share, const std::vector<double>& inertia) const {
  double below = 0.0;
  for (std::size_t i = 0; i < inertia.size(); ++i) {
    const std::size_t triple = i / 3;
    const int c = static_cast<int>(i % 3);
    const bool leads = leader(static_cast<int>(3 * triple)) == static_cast<int>(3 * triple);
    const double held = leads ? 1.0 - freedom_[triple](c, c) : 1.0;
    if ((leads ? stiffness_[triple] : 1.0) + share * inertia[i] < 0.0) below += held;
  }
  return static_cast<int>(std::round(below));
}

bool Assembly::factor() { return matrix_.factor(0.0, inertia_, symmetric_); }

void Assembly::solve(std::vector<double>& vector) const {
  std::vector<double> forces;
  solve(vector, forces);
}

void Assembly::solve(std::vector<double>& vector, std::vector<double>& forces) const {
  const auto size = static_cast<std::ptrdiff_t>(vector.size());
  vector.resize(static_cast<std::size_t>(matrix_.size()));
  coupling::solve(matrix_, !symmetric_ && forces_ > 0, shift_, vector);
  forces.assign(vector.begin() + size, vector.end());
  vector.resize(static_cast<std::size_t>(size));
}

void Assembly::multiply(const std::vector<double>& x, std::vector<double>& product) const {
  if (forces_ == 0) return matrix_.multiply(x, product);
  const auto all = static_cast<std::size_t>(matrix_.size());
  std::vector<double> whole = x;
  std::vector<double> image(all);
  whole.resize(all);
  matrix_.multiply(whole, image);
  for (std::size_t k = x.size(); k < all; ++k) whole[k] = -image[k] / matrix_.diagonal(static_cast<int>(k));
  matrix_.multiply(whole, image);
  std::copy_n(image.begin(), product.size(), product.begin());
}

void Assembly::solve(std::vector<DoublePack>& vectors) const {
  constexpr int lanes = 8;
  const auto size = static_cast<std::size_t>(matrix_.size());
  std::vector<double> all(lanes * size);
  const auto for_each = [&](const auto& visit) {
    for (int lane = 0; lane < lanes; ++lane) {
      double* const own = all.data() + static_cast<std::size_t>(lane) * size;
      for (std::size_t i = 0; i < vectors.size(); ++i) visit(vectors[i], lane, own[i]);
    }
  };
  for_each([](const DoublePack& pack, int lane, double& entry) { entry = pack[lane]; });
  coupling::solve(matrix_, !symmetric_ && forces_ > 0, shift_, all);
  for_each([](DoublePack& pack, int lane, double entry) { pack.set(lane, entry); });
}

}  // namespace rodeo::coupling
