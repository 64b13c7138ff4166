#include "rodeo/coupling/modes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <span>

#include <Eigen/Dense>

namespace rodeo::coupling {

namespace {

constexpr int lanes = 8;
using Block = std::vector<DoublePack>;  ///< eight vectors side by side
using Square = Eigen::Matrix<double, lanes, lanes>;

constexpr double enough = 1e-9;       ///< residual over eigenvalue
constexpr double none_left = 1e-13;   ///< norm of what is left of a unit vector that lies in the space
constexpr double same_square = 1e-6;  ///< relative difference of squares that are taken as one

/// A' B.
Square products(const Block& a, const Block& b) {
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

/// Orthonormal vectors that span the images of others under A = (K + shift M)^-1 M, and A in their terms
/// (block Lanczos method with full orthogonalisation: Golub and Van Loan, section 10.3). Eight vectors at a
/// time find as many modes of one frequency.
class KrylovSpace {
 public:
  explicit KrylovSpace(const Vibrating& rods)
      : rods_(rods), inertia_(rods.inertia()), next_(inertia_.size()), momenta_(inertia_.size()) {
    std::uint64_t state = 1;
    for (DoublePack& pack : next_) {
      for (int lane = 0; lane < lanes; ++lane) {
        state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth's, of MMIX
        pack.set(lane, static_cast<double>(state >> 11) * 0x1p-52 - 1.0);
      }
    }
    const Block start = next_;
    const std::vector<std::vector<double>> free = rods_.free_motions();
    for (std::size_t first = 0; first < free.size(); first += lanes) {
      for (std::size_t k = 0; k < next_.size(); ++k) {
        for (std::size_t lane = 0; lane < lanes; ++lane)
          next_[k].set(static_cast<int>(lane), first + lane < free.size() ? free[first + lane][k] : 0.0);
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

  Eigen::Index size() const { return static_cast<Eigen::Index>(blocks_.size()) * lanes; }
  /// Whether the space cannot grow.
  bool complete() const { return kept_ == 0; }

  void grow() {
    const auto last = static_cast<Eigen::Index>(blocks_.size()) * lanes;
    const int kept = kept_;
    blocks_.push_back(next_);
    find_momenta();
    next_ = momenta_;
    rods_.solve(next_);
    Eigen::MatrixXd grown = Eigen::MatrixXd::Zero(last + lanes, last + lanes);
    grown.topLeftCorner(last, last) = projected_;
    projected_.swap(grown);
    for (int pass = 0; pass < 2; ++pass) {
      leave_out();
      for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const Square part = take_out(blocks_[b]);
        const auto row = static_cast<Eigen::Index>(b) * lanes;
        projected_.block<lanes, lanes>(row, last) += part;
      }
    }
    const Square own = projected_.block<lanes, lanes>(last, last);
    projected_.block<lanes, lanes>(last, last) = 0.5 * (own + own.transpose());
    // A vector that is zero has no eigenvalue: none of A is negative.
    for (int lane = 0; lane < lanes - kept; ++lane) projected_(last + lane, last + lane) = -1.0;
    projected_.block(last, 0, lanes, last) = projected_.block(0, last, last, lanes).transpose();
    find_momenta();
    left_ = products(next_, momenta_);
    orthonormalize();
  }

  /// A in terms of the vectors.
  const Eigen::MatrixXd& projected() const { return projected_; }

  /// Norm of A y - theta y of a Ritz vector y.
  double residual(const Eigen::VectorXd& ritz) const {
    const Eigen::Matrix<double, lanes, 1> last = ritz.tail<lanes>();
    return std::sqrt(std::max(0.0, last.dot(left_ * last)));
  }

  /// The vectors of such columns of terms.
  std::vector<std::vector<double>> vectors(const Eigen::MatrixXd& terms) const {
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

 private:
  /// M times the next vectors.
  void find_momenta() {
    for (std::size_t k = 0; k < next_.size(); ++k) momenta_[k] = DoublePack(inertia_[k]) * next_[k];
    for (const AlongElement& mass : rods_.masses_along()) mass.correct(next_.data(), momenta_.data());
  }

  /// Takes what lies in a block of the space out of the next vectors.
  Square take_out(const Block& block) {
    find_momenta();
    Square part = products(block, momenta_);
    const std::array<DoublePack, lanes> rows = packed(part);
    for (std::size_t k = 0; k < next_.size(); ++k) next_[k] -= combined(block[k], rows);
    return part;
  }

  /// Takes free motions out of the next vectors.
  void leave_out() {
    for (const Block& block : left_out_) take_out(block);
  }

  /// Of the next vectors; those that lie in the space, or in the others', become zero.
  void orthonormalize() {
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
      const Eigen::SelfAdjointEigenSolver<Square> eigen(scaled);
      Square turn = scale.asDiagonal() * eigen.eigenvectors();
      kept_ = 0;
      for (int j = 0; j < lanes; ++j) {  // in ascending order
        const double value = eigen.eigenvalues()(j);
        const bool keeps = value > none_left;
        turn.col(j) *= keeps ? 1.0 / std::sqrt(value) : 0.0;
        if (keeps) ++kept_;
      }
      const std::array<DoublePack, lanes> rows = packed(turn);
      for (DoublePack& pack : next_) pack = combined(pack, rows);
    }
  }

  /// That of A as far as it is known.
  double largest_image() const { return projected_.diagonal().maxCoeff(); }

  const Vibrating& rods_;
  const std::vector<double>& inertia_;
  std::vector<Block> left_out_;  ///< free motions
  std::vector<Block> blocks_;
  Block next_;
  Block momenta_;
  Eigen::MatrixXd projected_;
  Square left_ = Square::Zero();
  int kept_ = 0;  ///< of the next vectors, the last ones; the others are zero
};

/// Turns modes of one square into those of which the first moves least across x, by a measure that tells the
/// directions and the places along the rods.
void choose_basis(const Vibrating& rods, std::span<Mode> modes) {
  const auto count = static_cast<Eigen::Index>(modes.size());
  const std::vector<double> weights = rods.telling_weights();
  Eigen::MatrixXd measure(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const std::vector<double>& a = modes[static_cast<std::size_t>(i)].shape;
      const std::vector<double>& b = modes[static_cast<std::size_t>(j)].shape;
      double sum = 0.0;
      for (std::size_t k = 0; k < a.size(); ++k) sum += weights[k] * a[k] * b[k];
      measure(i, j) = measure(j, i) = sum;
    }
  }
  const Eigen::MatrixXd turn = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(measure).eigenvectors();
  const std::vector<Mode> old(modes.begin(), modes.end());
  for (Eigen::Index j = 0; j < count; ++j) {
    std::vector<double>& shape = modes[static_cast<std::size_t>(j)].shape;
    std::ranges::fill(shape, 0.0);
    for (Eigen::Index i = 0; i < count; ++i) {
      const std::vector<double>& part = old[static_cast<std::size_t>(i)].shape;
      for (std::size_t k = 0; k < shape.size(); ++k) shape[k] += turn(i, j) * part[k];
    }
  }
}

/// The first of its large entries is positive: of several that are as large as each other rounding would
/// choose.
void choose_sign(const std::vector<double>& inertia, std::vector<double>& shape) {
  double largest = 0.0;
  for (std::size_t k = 0; k < shape.size(); ++k)
    largest = std::max(largest, inertia[k] * shape[k] * shape[k]);
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (inertia[k] * shape[k] * shape[k] < 0.25 * largest) continue;
    if (shape[k] < 0.0) {
      for (double& entry : shape) entry = -entry;
    }
    return;
  }
}

/// What damping makes of modes: as many rates and frequencies.
struct DampedModes {
  std::vector<double> frequencies;  ///< Hz; negative of a mode that leaves the equilibrium, without damping
  std::vector<double> decay_rates;  ///< 1/s; that of the slower motion of a mode that does not swing
};

double frequency_of(double square) {
  return std::copysign(std::sqrt(std::abs(square)), square) / (2.0 * std::numbers::pi);
}

/// square + drag lambda + lambda^2 = 0.
void add_oscillator(double square, double drag, DampedModes& modes) {
  const double inside = square - 0.25 * drag * drag;
  modes.frequencies.push_back(drag == 0.0 ? frequency_of(square) : frequency_of(std::max(0.0, inside)));
  modes.decay_rates.push_back(0.5 * drag - std::sqrt(std::max(0.0, -inside)));
}

/// Those of modes that damping couples: lambda^2 + lambda damping + squares has as many pairs of eigenvalues.
/// Of real ones the slowest is taken to belong to the fastest, as in an oscillator of that square.
DampedModes coupled(const Eigen::VectorXd& squares, const Eigen::MatrixXd& damping) {
  const Eigen::Index count = squares.size();
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(2 * count, 2 * count);
  companion.topRightCorner(count, count).setIdentity();
  companion.bottomLeftCorner(count, count) = (-squares).asDiagonal();
  companion.bottomRightCorner(count, count) = -damping;
  struct Motion {
    double square;
    double frequency;
    double rate;
  };
  std::vector<Motion> motions;
  std::vector<double> rates;
  const Eigen::VectorXcd values = Eigen::EigenSolver<Eigen::MatrixXd>(companion, false).eigenvalues();
  for (const std::complex<double>& value : values) {
    if (value.imag() > 0.0) {
      motions.push_back({std::norm(value), value.imag() / (2.0 * std::numbers::pi), -value.real()});
    } else if (value.imag() == 0.0) {
      rates.push_back(-value.real());
    }
  }
  std::ranges::sort(rates);
  for (std::size_t k = 0; k < rates.size() / 2; ++k)
    motions.push_back({rates[k] * rates[rates.size() - 1 - k], 0.0, rates[k]});
  std::ranges::stable_sort(motions, {}, &Motion::square);
  DampedModes damped;
  for (const Motion& motion : motions) {
    damped.frequencies.push_back(motion.frequency);
    damped.decay_rates.push_back(motion.rate);
  }
  return damped;
}

/// The motions in the space of these modes, in the order of their frequencies.
DampedModes damp(const Vibrating& rods, const std::vector<Mode>& modes) {
  const auto count = static_cast<Eigen::Index>(modes.size());
  Eigen::MatrixXd damping(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::vector<double> force = rods.resistance(modes[static_cast<std::size_t>(i)].shape);
    for (Eigen::Index j = 0; j <= i; ++j) {
      const std::vector<double>& b = modes[static_cast<std::size_t>(j)].shape;
      double sum = 0.0;
      for (std::size_t k = 0; k < b.size(); ++k) sum += force[k] * b[k];
      damping(i, j) = damping(j, i) = sum;
    }
  }
  constexpr double rounding = 1e-9;
  const Eigen::MatrixXd diagonal = damping.diagonal().asDiagonal();
  const bool apart = (damping - diagonal).norm() <= rounding * damping.norm();
  Eigen::VectorXd squares(count);
  for (Eigen::Index k = 0; k < count; ++k) squares(k) = modes[static_cast<std::size_t>(k)].square;
  if (!apart && squares.minCoeff() > 0.0) return coupled(squares, damping);
  DampedModes damped;
  for (Eigen::Index k = 0; k < count; ++k) add_oscillator(squares(k), damping(k, k), damped);
  return damped;
}

}  // namespace

std::vector<Mode> lowest_modes(Vibrating& rods, double shift, double no_sign, std::size_t count,
                               std::size_t beyond) {
  while (rods.factor(shift) > 0) shift *= 4.0;
  KrylovSpace space(rods);
  Eigen::VectorXd squares;
  Eigen::MatrixXd ritz;
  std::vector<Eigen::Index> found;  // from the highest eigenvalue of A on
  const auto most = static_cast<Eigen::Index>(4 * count + 40 * lanes);
  bool has_all = false;
  while (!has_all && !space.complete() && space.size() < most) {
    space.grow();
    if (space.size() < static_cast<Eigen::Index>(count + beyond) && !space.complete()) continue;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(space.projected());
    ritz = eigen.eigenvectors();
    squares = eigen.eigenvalues().cwiseInverse().array() - shift;
    found.clear();
    has_all = true;
    for (Eigen::Index k = space.size() - 1; k >= 0 && found.size() < count + beyond; --k) {
      const double value = eigen.eigenvalues()(k);
      const bool converged = value > 0.0 && space.residual(ritz.col(k)) <= enough * value;
      if (!converged) {
        has_all = false;
        break;
      }
      const bool may_be_free =
          std::abs(squares(k)) <= no_sign && rods.may_be_free(space.vectors(ritz.col(k)).front());
      if (!may_be_free) found.push_back(k);
    }
    has_all = has_all && found.size() == count + beyond;
  }
  std::vector<Mode> modes;
  Eigen::MatrixXd terms(space.size(), static_cast<Eigen::Index>(found.size()));
  for (std::size_t k = 0; k < found.size(); ++k) terms.col(static_cast<Eigen::Index>(k)) = ritz.col(found[k]);
  const std::vector<std::vector<double>> shapes = space.vectors(terms);
  for (std::size_t k = 0; k < found.size(); ++k) modes.push_back({squares(found[k]), shapes[k]});
  for (std::size_t first = 0; first < modes.size();) {
    std::size_t end = first + 1;
    const double allowed =
        same_square * std::abs(modes[first].square) + std::max(no_sign, enough * std::abs(shift));
    while (end < modes.size() && modes[end].square - modes[first].square <= allowed) ++end;
    if (end - first > 1) choose_basis(rods, std::span(modes).subspan(first, end - first));
    first = end;
  }
  modes.resize(std::min(modes.size(), count));
  for (Mode& mode : modes) choose_sign(rods.inertia(), mode.shape);
  return modes;
}

FoundModes unknown_modes(const Vibrating& rods, int count) {
  const auto wanted = static_cast<std::size_t>(count);
  FoundModes found;
  found.frequencies.resize(wanted, std::nan(""));
  found.decay_rates.resize(wanted, std::nan(""));
  found.shapes.resize(wanted * rods.at_nodes(rods.inertia()).size(), std::nan(""));
  return found;
}

FoundModes find_modes(Vibrating& rods, double shift, double no_sign, int count) {
  // Modes that damping couples need others beyond the last.
  constexpr std::size_t further = 8;
  FoundModes found = unknown_modes(rods, count);
  const std::size_t wanted = found.frequencies.size();
  const std::vector<Mode> modes = lowest_modes(rods, shift, no_sign, wanted + further);
  const DampedModes damped = damp(rods, modes);
  const std::size_t known = std::min(wanted, modes.size());
  std::copy_n(damped.frequencies.begin(), known, found.frequencies.begin());
  std::copy_n(damped.decay_rates.begin(), known, found.decay_rates.begin());
  for (std::size_t k = 0; k < known; ++k) {
    if (std::abs(modes[k].square) > no_sign) continue;
    found.frequencies[k] = found.decay_rates[k] = std::nan("");
    found.has_digits = false;
  }
  auto to = found.shapes.begin();
  for (std::size_t k = 0; k < known; ++k) to = std::ranges::copy(rods.at_nodes(modes[k].shape), to).out;
  return found;
}

}  // namespace rodeo::coupling
