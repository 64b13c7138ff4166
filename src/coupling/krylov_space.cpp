#include "krylov_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "rodeo/linear/dense.hpp"

namespace rodeo::coupling {

namespace {

constexpr int lanes = KrylovSpace::lanes;
using Square = KrylovSpace::Square;

constexpr double none_left = 1e-13;  ///< norm left of a unit vector that lies in the space

std::array<DoublePack, lanes> packed(const Square& matrix) {
  std::array<DoublePack, lanes> rows;
  for (int i = 0; i < lanes; ++i) {
    for (int j = 0; j < lanes; ++j) rows[static_cast<std::size_t>(i)].set(j, matrix(i, j));
  }
  return rows;
}

/// A C of eight vectors of as many unknowns.
[[gnu::always_inline]] inline DoublePack combined(const DoublePack& a,
                                                  const std::array<DoublePack, lanes>& rows) {
  DoublePack sum(0.0);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < lanes; ++i) sum += DoublePack(a[static_cast<int>(i)]) * rows[i];
  return sum;
}

/// AlongElement::correct() of all elements. Values at a node between two elements stay in registers: storing
/// and loading them would take longer than all else.
void correct_along(const std::vector<AlongElement>& masses, const DoublePack* motion, DoublePack* taken) {
  std::array<DoublePack, 3> moved;
  std::array<DoublePack, 3> has;
  int node = -1;  // whose they are
  const auto store = [&] {
    for (std::size_t c = 0; node >= 0 && c < 3; ++c) taken[static_cast<std::size_t>(node) + c] = has[c];
  };
  for (const AlongElement& mass : masses) {
    if (mass.first != node) {
      store();
      for (std::size_t c = 0; c < 3; ++c) {
        moved[c] = motion[static_cast<std::size_t>(mass.first) + c];
        has[c] = taken[static_cast<std::size_t>(mass.first) + c];
      }
    }
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t last = static_cast<std::size_t>(mass.last) + c;
      const DoublePack after = motion[last];
      const DoublePack part = DoublePack(mass.sixth) * (moved[c] - after);
      taken[static_cast<std::size_t>(mass.first) + c] = has[c] - part;
      has[c] = taken[last] + part;
      moved[c] = after;
    }
    node = mass.last;
  }
  store();
}

}  // namespace

KrylovSpace::KrylovSpace(const Vibrating& rods, Symmetry symmetry,
                         const std::vector<std::vector<double>>& left_out)
    : rods_(rods),
      symmetry_(symmetry),
      inertia_(rods.inertia()),
      next_(inertia_.size()),
      momenta_(inertia_.size()) {
  std::uint64_t state = 1;
  for (DoublePack& pack : next_) {
    for (int lane = 0; lane < lanes; ++lane) {
      state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth's, of MMIX
      pack.set(lane, static_cast<double>(state >> 11) * 0x1p-52 - 1.0);
    }
  }
  const Block start = next_;
  for (std::size_t first = 0; first < left_out.size(); first += lanes) {
    for (std::size_t k = 0; k < next_.size(); ++k) {
      for (std::size_t lane = 0; lane < lanes; ++lane)
        next_[k].set(static_cast<int>(lane),
                     first + lane < left_out.size() ? left_out[first + lane][k] : 0.0);
    }
    leave_out();
    orthonormalize();
    left_out_.push_back(next_);
  }
  next_ = start;
  rods_.solve(next_);
  leave_out();
  orthonormalize();
}

void KrylovSpace::grow() {
  const Eigen::Index last = size();
  const int kept = kept_;
  blocks_.push_back(next_);
  find_momenta();
  next_ = momenta_;
  rods_.solve(next_);
  Eigen::MatrixXd grown = Eigen::MatrixXd::Zero(last + lanes, last + lanes);
  grown.topLeftCorner(last, last) = projected_;
  projected_.swap(grown);
  if (last > 0) projected_.block<lanes, lanes>(last, last - lanes) = below_;
  for (int pass = 0; pass < 2; ++pass) {
    leave_out();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const Square part = take_out(blocks_[b]);
      const auto row = static_cast<Eigen::Index>(b) * lanes;
      projected_.block<lanes, lanes>(row, last) += part;
    }
  }
  find_momenta();
  left_ = products(next_, momenta_);
  if (symmetry_ == Symmetry::symmetric) {
    make_symmetric(last, kept);
    return orthonormalize();
  }
  const Block images = momenta_;
  orthonormalize();
  below_ = products(next_, images);
}

/// Makes the last block, of `kept` vectors, symmetric. Zero vectors have no eigenvalue, as none of A is
/// negative: a number far above those of A would take their digits.
void KrylovSpace::make_symmetric(Eigen::Index last, int kept) {
  const Square own = projected_.block<lanes, lanes>(last, last);
  projected_.block<lanes, lanes>(last, last) = 0.5 * (own + own.transpose());
  const double none = -largest_image();
  for (int lane = 0; lane < lanes - kept; ++lane) projected_(last + lane, last + lane) = none;
  projected_.block(last, 0, lanes, last) = projected_.block(0, last, last, lanes).transpose();
}

std::vector<std::vector<double>> KrylovSpace::vectors(const Eigen::MatrixXd& terms) const {
  std::vector<std::vector<double>> all(static_cast<std::size_t>(terms.cols()),
                                       std::vector<double>(inertia_.size()));
  Block sums(inertia_.size());
  for (std::size_t first = 0; first < all.size(); first += lanes) {
    const auto column = static_cast<Eigen::Index>(first);
    const Eigen::Index count = std::min<Eigen::Index>(lanes, terms.cols() - column);
    std::ranges::fill(sums, DoublePack(0.0));
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      Square part = Square::Zero();
      part.leftCols(count) = terms.block(static_cast<Eigen::Index>(b) * lanes, column, lanes, count);
      const std::array<DoublePack, lanes> rows = packed(part);
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += combined(blocks_[b][k], rows);
    }
    for (Eigen::Index lane = 0; lane < count; ++lane) {
      std::vector<double>& vector = all[first + static_cast<std::size_t>(lane)];
      for (std::size_t k = 0; k < sums.size(); ++k) vector[k] = sums[k][static_cast<int>(lane)];
    }
  }
  return all;
}

/// A' B.
Square KrylovSpace::products(const Block& a, const Block& b) {
  std::array<DoublePack, lanes> rows;
  for (std::size_t k = 0; k < a.size(); ++k) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < lanes; ++i) rows[i] += DoublePack(a[k][static_cast<int>(i)]) * b[k];
  }
  Square result;
  for (int i = 0; i < lanes; ++i) {
    for (int j = 0; j < lanes; ++j) result(i, j) = rows[static_cast<std::size_t>(i)][j];
  }
  return result;
}

/// M times the next vectors.
void KrylovSpace::find_momenta() {
  for (std::size_t k = 0; k < next_.size(); ++k) momenta_[k] = DoublePack(inertia_[k]) * next_[k];
  correct_along(rods_.masses_along(), next_.data(), momenta_.data());
}

/// Takes the part in a block of the space out of the next vectors, and returns it.
Square KrylovSpace::take_out(const Block& block) {
  find_momenta();
  Square part = products(block, momenta_);
  const std::array<DoublePack, lanes> rows = packed(part);
  for (std::size_t k = 0; k < next_.size(); ++k) next_[k] -= combined(block[k], rows);
  return part;
}

/// Takes out of the next vectors what is left out.
void KrylovSpace::leave_out() {
  for (const Block& block : left_out_) take_out(block);
}

/// Orthonormalizes the next vectors; those that lie in the space, or in the others', become zero.
void KrylovSpace::orthonormalize() {
  for (int pass = 0; pass < 2; ++pass) {
    if (pass > 0) {
      leave_out();
      for (const Block& block : blocks_) take_out(block);
    }
    find_momenta();
    const Square gram = products(next_, momenta_);
    Eigen::Matrix<double, lanes, 1> scale;
    for (int i = 0; i < lanes; ++i) {
      // The images of unit vectors: at first those of forces.
      const double size = std::sqrt(gram(i, i));
      const bool vanishes = !blocks_.empty() && pass == 0 && size <= none_left * largest_image();
      scale(i) = vanishes || size == 0.0 ? 0.0 : 1.0 / size;
    }
    const Square scaled = scale.asDiagonal() * gram * scale.asDiagonal();
    const SymmetricEigen eigen = symmetric_eigen(scaled);
    Square turn = scale.asDiagonal() * eigen.vectors;
    kept_ = 0;
    for (int j = 0; j < lanes; ++j) {  // in ascending order
      const double value = eigen.values(j);
      const bool keeps = value > none_left;
      turn.col(j) *= keeps ? 1.0 / std::sqrt(value) : 0.0;
      if (keeps) ++kept_;
    }
    const std::array<DoublePack, lanes> rows = packed(turn);
    for (DoublePack& pack : next_) pack = combined(pack, rows);
  }
}

/// Size of the largest image under A as far as it is known.
double KrylovSpace::largest_image() const {
  return symmetry_ == Symmetry::symmetric ? projected_.diagonal().maxCoeff() : projected_.norm();
}

}  // namespace rodeo::coupling
