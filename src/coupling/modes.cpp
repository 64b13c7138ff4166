#include "rodeo/coupling/modes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <numeric>
#include <span>

#include "rodeo/linear/dense.hpp"
#include "rodeo/member/stability.hpp"

#include "krylov_space.hpp"

namespace rodeo::coupling {

namespace {

constexpr double enough = 1e-9;       ///< residual over eigenvalue
constexpr double same_square = 1e-6;  ///< relative difference of squares that are taken as one

using Shapes = std::vector<std::vector<double>>;

Shapes shapes_of(std::span<const Mode> modes) {
  Shapes shapes;
  for (const Mode& mode : modes) shapes.push_back(mode.shape);
  return shapes;
}

/// A symmetric operator, given by its image of a shape, in terms of shapes.
template <class Image>
Eigen::MatrixXd in_terms_of(const Shapes& shapes, const Image& image) {
  const auto count = static_cast<Eigen::Index>(shapes.size());
  Eigen::MatrixXd matrix(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::vector<double> a = image(shapes[static_cast<std::size_t>(i)]);
    // Eight sums at once: each alone would wait for its own additions.
    constexpr Eigen::Index at_once = 8;
    for (Eigen::Index first = 0; first <= i; first += at_once) {
      std::array<const double*, at_once> others;
      std::array<double, at_once> sums{};
      for (Eigen::Index j = 0; j < at_once; ++j)
        others[static_cast<std::size_t>(j)] = shapes[static_cast<std::size_t>(std::min(first + j, i))].data();
      for (std::size_t k = 0; k < a.size(); ++k) {
#pragma GCC unroll 8
        for (std::size_t j = 0; j < at_once; ++j) sums[j] += a[k] * others[j][k];
      }
      for (Eigen::Index j = first; j <= std::min(first + at_once - 1, i); ++j)
        matrix(i, j) = matrix(j, i) = sums[static_cast<std::size_t>(j - first)];
    }
  }
  return matrix;
}

/// Measure that tells directions, and places along the rods, apart, in terms of shapes.
Eigen::MatrixXd telling_measure(const Vibrating& rods, const Shapes& shapes) {
  const std::vector<double> weights = rods.telling_weights();
  return in_terms_of(shapes, [&](std::vector<double> shape) {
    for (std::size_t k = 0; k < shape.size(); ++k) shape[k] *= weights[k];
    return shape;
  });
}

/// Turns modes of one square into those of which the first moves least across x (telling_measure).
void choose_basis(const Vibrating& rods, std::span<Mode> modes) {
  const auto count = static_cast<Eigen::Index>(modes.size());
  const Eigen::MatrixXd measure = telling_measure(rods, shapes_of(modes));
  const Eigen::MatrixXd turn = symmetric_eigen(measure).vectors;
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

/// The sign by which the first large entry of a shape becomes positive. Of several entries that are as large
/// as each other rounding would choose.
double sign_of(const std::vector<double>& inertia, const std::vector<double>& shape) {
  double largest = 0.0;
  for (std::size_t k = 0; k < shape.size(); ++k)
    largest = std::max(largest, inertia[k] * shape[k] * shape[k]);
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (inertia[k] * shape[k] * shape[k] >= 0.25 * largest) return std::copysign(1.0, shape[k]);
  }
  return 1.0;
}

/// Frequencies and rates of damped modes, one of each per mode.
struct DampedModes {
  std::vector<double> frequencies;  ///< Hz; negative of a mode that leaves the equilibrium, without damping
  std::vector<double> decay_rates;  ///< 1/s; that of the slower motion of a mode that does not swing
};

double frequency_of(double square) {
  return std::copysign(std::sqrt(std::abs(square)), square) / (2.0 * std::numbers::pi);
}

/// Adds the mode of square + drag lambda + lambda^2 = 0.
void add_oscillator(double square, double drag, DampedModes& modes) {
  const double inside = square - 0.25 * drag * drag;
  modes.frequencies.push_back(drag == 0.0 ? frequency_of(square) : frequency_of(std::max(0.0, inside)));
  modes.decay_rates.push_back(0.5 * drag - std::sqrt(std::max(0.0, -inside)));
}

/// Motions that damping or stiffness couples: lambda^2 + lambda damping + stiffness has as many pairs of
/// eigenvalues as there are unknowns. Those whose imaginary part may be rounding, as that of two that are the
/// same, are real. Of real ones the slowest is taken to belong to the fastest, as in an oscillator of that
/// square. Time is counted in a unit in which the stiffness is about 1, as the identity beside it is: what
/// rounding leaves of eigenvalues is relative to the largest entry of the matrix.
DampedModes coupled(const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& damping) {
  const Eigen::Index count = stiffness.rows();
  const double size = stiffness.norm();
  const double rate = size > 0.0 ? std::sqrt(size) : 1.0;  // 1/s
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(2 * count, 2 * count);
  companion.topRightCorner(count, count).setIdentity();
  companion.bottomLeftCorner(count, count) = -stiffness / (rate * rate);
  companion.bottomRightCorner(count, count) = -damping / rate;
  struct Motion {
    double square;
    double frequency;
    double rate;
  };
  std::vector<Motion> motions;
  std::vector<double> rates;
  const Eigen::VectorXcd values = rate * general_eigenvalues(companion);
  for (const std::complex<double>& value : values) {
    if (std::abs(value.imag()) <= same_square * std::abs(value)) {
      rates.push_back(-value.real());
    } else if (value.imag() > 0.0) {
      motions.push_back({std::norm(value), value.imag() / (2.0 * std::numbers::pi), -value.real()});
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

/// Damping in terms of shapes.
Eigen::MatrixXd damping_along(const Vibrating& rods, const Shapes& shapes) {
  return in_terms_of(shapes, [&](const std::vector<double>& shape) { return rods.resistance(shape); });
}

/// The motions in the space of these modes, in the order of their frequencies.
DampedModes damp(const Vibrating& rods, const std::vector<Mode>& modes) {
  const auto count = static_cast<Eigen::Index>(modes.size());
  const Eigen::MatrixXd damping = damping_along(rods, shapes_of(modes));
  constexpr double rounding = 1e-9;
  const Eigen::MatrixXd diagonal = damping.diagonal().asDiagonal();
  const bool apart = (damping - diagonal).norm() <= rounding * damping.norm();
  Eigen::VectorXd squares(count);
  for (Eigen::Index k = 0; k < count; ++k) squares(k) = modes[static_cast<std::size_t>(k)].square;
  if (!apart && squares.minCoeff() > 0.0) return coupled(squares.asDiagonal(), damping);
  DampedModes damped;
  for (Eigen::Index k = 0; k < count; ++k) add_oscillator(squares(k), damping(k, k), damped);
  return damped;
}

/// The space of the slowest motions where loads have no energy.
struct SlowSpace {
  Shapes shapes;              ///< orthonormal in the measure of the mass
  Eigen::MatrixXd stiffness;  ///< in their terms
  bool is_whole;              ///< has as many as were asked for, or all that there are
};

/// Whether an eigenvalue of this size is known. In a space that has all directions they all are, but for what
/// rounding of the largest leaves of them, and beyond it there is nothing else.
template <class Vector>
bool is_known(const KrylovSpace& space, const Vector& ritz, double size, double largest) {
  constexpr double rounding = 1e-15;
  constexpr double few_digits = 1e-12;
  if (!(size > rounding * largest)) return false;
  return space.residual(ritz) <= enough * size || (space.complete() && size > few_digits * largest);
}

/// Eigenvalues that have converged.
struct Converged {
  std::vector<Eigen::Index> slowest;
  bool are_enough = false;
};

/// Finds `count` of the slowest eigenvalues, one more where a pair of complex ones would be parted; fewer if
/// others have not converged. No more are taken: damping couples what is taken, and whether a further one has
/// converged already is chance. What rounding leaves where the space has no more directions is none of them,
/// and beyond the first `wanted` neither are motions so fast that the squares of the slowest would be lost
/// beside theirs when the matrix is inverted.
Converged slowest_converged(const KrylovSpace& space, const GeneralEigen& eigen, std::size_t count,
                            std::size_t wanted) {
  constexpr double far_faster = 1e-10;
  const Eigen::VectorXcd& values = eigen.values;
  std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](Eigen::Index k) { return std::abs(values(k)); });
  const double largest = std::abs(values(order.front()));
  Converged found;
  std::vector<Eigen::Index>& slowest = found.slowest;
  for (const Eigen::Index k : order) {
    const double size = std::abs(values(k));
    const bool is_far = slowest.size() >= wanted && size <= far_faster * largest;
    const bool is_second = !slowest.empty() && values(slowest.back()).imag() > 0.0;  // of a pair
    found.are_enough = !is_second && (is_far || slowest.size() >= count);
    if (found.are_enough || !is_known(space, eigen.vectors.col(k).normalized().eval(), size, largest)) break;
    slowest.push_back(k);
  }
  // The one of a pair with a positive imaginary part comes first.
  if (!slowest.empty() && values(slowest.back()).imag() > 0.0) slowest.pop_back();
  return found;
}

/// Combinations of whole motions W along which nothing pushes, whatever else moves, as rolls that turn
/// following forces: with y'W'K = 0, y is a left eigenvector of W'M (K + share M)^-1 M W, of the eigenvalue
/// 1/share. Of very many rods those that are free without such loads.
Shapes motions_without_force(const Vibrating& rods, double share, double no_sign) {
  constexpr std::size_t most = 300;
  constexpr double of_share = 1e-3;  // less is nothing beside it
  const Shapes whole = rods.whole_motions();
  if (whole.empty() || whole.size() > most) return rods.free_motions();
  Shapes momenta = whole;
  for (std::size_t j = 0; j < whole.size(); ++j) {
    for (std::size_t k = 0; k < momenta[j].size(); ++k) momenta[j][k] *= rods.inertia()[k];
    for (const AlongElement& mass : rods.masses_along()) mass.correct(whole[j].data(), momenta[j].data());
  }
  const auto count = static_cast<Eigen::Index>(whole.size());
  Eigen::MatrixXd flexibility(count, count);
  std::vector<DoublePack> answers(rods.inertia().size());
  for (std::size_t first = 0; first < whole.size(); first += KrylovSpace::lanes) {
    const std::size_t taken = std::min<std::size_t>(KrylovSpace::lanes, whole.size() - first);
    for (std::size_t k = 0; k < answers.size(); ++k) {
      for (std::size_t lane = 0; lane < KrylovSpace::lanes; ++lane)
        answers[k].set(static_cast<int>(lane), lane < taken ? momenta[first + lane][k] : 0.0);
    }
    rods.solve(answers);
    for (std::size_t lane = 0; lane < taken; ++lane) {
      for (std::size_t i = 0; i < whole.size(); ++i) {
        double sum = 0.0;
        for (std::size_t k = 0; k < answers.size(); ++k)
          sum += momenta[i][k] * answers[k][static_cast<int>(lane)];
        flexibility(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(first + lane)) = sum;
      }
    }
  }
  const GeneralEigen eigen = general_eigen(flexibility.transpose());
  Shapes free;
  for (Eigen::Index k = 0; k < count; ++k) {
    const double square = 1.0 / eigen.values(k).real() - share;
    const bool is_free = std::abs(square) <= std::max(no_sign, of_share * share);
    if (eigen.values(k).imag() != 0.0 || !is_free) continue;
    std::vector<double>& sum = free.emplace_back(answers.size());
    for (std::size_t j = 0; j < whole.size(); ++j) {
      const double part = eigen.vectors(static_cast<Eigen::Index>(j), k).real();
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part * whole[j][i];
    }
  }
  return free;
}

/// Finds the space of the motions that are `wanted`, and of others that damping couples with them, by a
/// matrix that has been factored with such a share of the inertia.
SlowSpace slow_space(Vibrating& rods, double shift, double no_sign, std::size_t wanted) {
  constexpr std::size_t further = 8;
  const std::size_t count = wanted + further;
  KrylovSpace space(rods, KrylovSpace::Symmetry::none, motions_without_force(rods, shift, no_sign));
  const auto most = static_cast<Eigen::Index>(4 * count + 40 * KrylovSpace::lanes);
  GeneralEigen eigen;
  Converged found;
  while (!found.are_enough && !space.complete() && space.size() < most) {
    space.grow();
    if (space.size() < static_cast<Eigen::Index>(count) && !space.complete()) continue;
    eigen = general_eigen(space.projected());
    found = slowest_converged(space, eigen, count, wanted);
  }
  const auto size = static_cast<Eigen::Index>(found.slowest.size());
  Eigen::MatrixXd terms(space.size(), size);
  for (Eigen::Index j = 0; j < size; ++j) {
    const Eigen::Index k = found.slowest[static_cast<std::size_t>(j)];
    const Eigen::VectorXcd vector = eigen.vectors.col(k);
    terms.col(j) = eigen.values(k).imag() < 0.0 ? vector.imag().eval() : vector.real().eval();
  }
  const Eigen::MatrixXd orthonormal = orthonormalized(terms);
  const Eigen::MatrixXd answer = orthonormal.transpose() * space.projected() * orthonormal;
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(size, size);
  return {space.vectors(orthonormal), solved(answer, identity) - shift * identity,
          found.are_enough || space.complete()};
}

/// A motion exp(i sqrt(square) t), whose square is complex where it flutters, and that of the same square's
/// conjugate.
struct SlowMode {
  std::complex<double> square;
  Eigen::VectorXcd terms;  ///< of its shape, of which the real part is as large as it can be
};

/// Turns modes of one square into those of which the first moves least across x (telling_measure).
void choose_basis(const Eigen::MatrixXd& measure, std::span<SlowMode> modes) {
  const Eigen::Index size = measure.rows();
  const auto count = static_cast<Eigen::Index>(modes.size());
  // Complex vectors as real ones of twice their length, each of them beside i times itself: so all that modes
  // are turned into is found twice.
  Eigen::MatrixXd terms(2 * size, 2 * count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const Eigen::VectorXcd& mode = modes[static_cast<std::size_t>(j)].terms;
    terms.col(2 * j) << mode.real(), mode.imag();
    terms.col(2 * j + 1) << -mode.imag(), mode.real();
  }
  const Eigen::MatrixXd orthonormal = orthonormalized(terms);
  const auto real = orthonormal.topRows(size);
  const auto imaginary = orthonormal.bottomRows(size);
  const Eigen::MatrixXd told =
      real.transpose() * measure * real + imaginary.transpose() * measure * imaginary;
  const Eigen::MatrixXd turned = orthonormal * symmetric_eigen(told).vectors;
  std::vector<Eigen::VectorXcd> chosen;
  for (Eigen::Index k = 0; k < turned.cols() && std::ssize(chosen) < count; ++k) {
    Eigen::VectorXcd vector(size);
    vector.real() = turned.col(k).head(size);
    vector.imag() = turned.col(k).tail(size);
    for (const Eigen::VectorXcd& other : chosen) vector -= other.dot(vector) * other;
    constexpr double rest_of_repeated = 0.1;
    if (vector.norm() > rest_of_repeated) chosen.push_back(vector.normalized());
  }
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    const std::complex<double> sum = chosen[j].transpose() * chosen[j];
    modes[j].terms = chosen[j] * std::polar(1.0, -0.5 * std::arg(sum));
  }
}

/// The modes of a space, from the slowest. Squares whose imaginary part may be rounding, as that of two that
/// are the same, are real.
std::vector<SlowMode> modes_of(const Vibrating& rods, const SlowSpace& space) {
  const GeneralEigen eigen = general_eigen(space.stiffness);
  const Eigen::Index size = space.stiffness.rows();
  std::vector<SlowMode> modes;
  for (Eigen::Index k = 0; k < size; ++k) {
    const std::complex<double> square = eigen.values(k);
    const Eigen::VectorXcd terms = eigen.vectors.col(k);
    if (std::abs(square.imag()) <= same_square * std::abs(square)) {
      modes.push_back({square.real(), square.imag() < 0.0 ? terms.imag().eval() : terms.real().eval()});
    } else if (square.imag() > 0.0) {
      modes.push_back({square, terms});
    }
  }
  std::ranges::stable_sort(modes, {}, [](const SlowMode& mode) { return std::abs(mode.square); });
  const Eigen::MatrixXd measure = telling_measure(rods, space.shapes);
  for (std::size_t first = 0, end = 0; first < modes.size(); first = end) {
    const std::complex<double> square = modes[first].square;
    while (end < modes.size() && std::abs(modes[end].square - square) <= same_square * std::abs(square))
      ++end;
    choose_basis(measure, std::span(modes).subspan(first, end - first));
  }
  return modes;
}

/// The motions of modes without damping.
DampedModes motions_of(const std::vector<SlowMode>& modes) {
  DampedModes motions;
  for (const SlowMode& mode : modes) {
    if (mode.square.imag() == 0.0) {
      motions.frequencies.push_back(frequency_of(mode.square.real()));
      motions.decay_rates.push_back(0.0);
      continue;
    }
    const std::complex<double> rate = std::sqrt(-mode.square);  // of a positive real part
    for (const double sign : {-1.0, 1.0}) {
      motions.frequencies.push_back(std::abs(rate.imag()) / (2.0 * std::numbers::pi));
      motions.decay_rates.push_back(sign * rate.real());
    }
  }
  return motions;
}

/// Shapes as frames hold them. A mode that flutters has two, a quarter of a period apart.
Shapes shapes_of(const Vibrating& rods, const SlowSpace& space, const std::vector<SlowMode>& modes) {
  const auto sum = [&](const Eigen::VectorXd& terms) {
    std::vector<double> shape(rods.inertia().size());
    for (std::size_t j = 0; j < space.shapes.size(); ++j) {
      const double part = terms(static_cast<Eigen::Index>(j));
      for (std::size_t k = 0; k < shape.size(); ++k) shape[k] += part * space.shapes[j][k];
    }
    return shape;
  };
  Shapes shapes;
  for (const SlowMode& mode : modes) {
    const double scale = 1.0 / mode.terms.real().norm();
    const double sign = scale * sign_of(rods.inertia(), sum(mode.terms.real()));
    shapes.push_back(sum(sign * mode.terms.real()));
    if (mode.square.imag() != 0.0) shapes.push_back(sum(sign * mode.terms.imag()));
  }
  return shapes;
}

/// Modes that have not been found, all NaN.
FoundModes unknown_modes(const Vibrating& rods, int count) {
  const auto wanted = static_cast<std::size_t>(count);
  FoundModes found;
  found.frequencies.resize(wanted, std::nan(""));
  found.decay_rates.resize(wanted, std::nan(""));
  found.shapes.resize(wanted * rods.at_nodes(rods.inertia()).size(), std::nan(""));
  return found;
}

/// Whether as many eigenvalues are below the last modes of one square, of those that were asked for, as have
/// been found there, by Sylvester's law of inertia. What rounding may move to the other side is not told: up
/// to `no_sign` of the matrix, and what the inverse with a shift leaves of large squares. So motions that
/// cost nothing may be on either side of zero.
bool none_is_missed(Vibrating& rods, std::span<const Mode> modes, double shift, double no_sign,
                    std::size_t free) {
  constexpr double of_inverse = 1e-11;
  constexpr double sure = 100.0;  // rounding of the state adds to that of the matrix
  const auto margin_of = [&](std::size_t k) {
    const double square = std::abs(modes[k].square);
    return std::max({same_square * square, sure * no_sign, of_inverse * square * square / shift});
  };
  const auto gap_below = [&](std::size_t k) {
    return k > 0 ? modes[k].square - modes[k - 1].square : std::abs(modes[0].square);
  };
  std::size_t last = modes.size();
  while (last > 0 && !(gap_below(last - 1) > 2.0 * margin_of(last - 1))) --last;
  if (last == 0) return true;
  --last;
  const double margin = last > 0 ? 0.5 * gap_below(last) : margin_of(0);
  const int below = rods.factor(margin - modes[last].square) - static_cast<int>(last);
  return below >= 0 && below <= static_cast<int>(free);
}

}  // namespace

LowestModes lowest_modes(Vibrating& rods, double shift, double no_sign, std::size_t count,
                         std::size_t beyond) {
  shift = definite_share(shift, [&](double share) { return rods.factor(share); });
  if (!std::isfinite(shift)) return {};
  KrylovSpace space(rods, KrylovSpace::Symmetry::symmetric, rods.free_motions());
  Eigen::VectorXd squares;
  Eigen::MatrixXd ritz;
  std::vector<Eigen::Index> found;  // from the highest eigenvalue of A on
  std::size_t free = 0;             // motions that are left out
  const auto most = static_cast<Eigen::Index>(4 * count + 40 * KrylovSpace::lanes);
  bool has_all = false;
  while (!has_all && !space.complete() && space.size() < most) {
    space.grow();
    if (space.size() < static_cast<Eigen::Index>(count + beyond) && !space.complete()) continue;
    const SymmetricEigen eigen = symmetric_eigen(space.projected());
    ritz = eigen.vectors;
    squares = eigen.values.cwiseInverse().array() - shift;
    found.clear();
    free = rods.free_motions().size();
    has_all = true;
    for (Eigen::Index k = space.size() - 1; k >= 0 && found.size() < count + beyond; --k) {
      if (!is_known(space, ritz.col(k), eigen.values(k), eigen.values(space.size() - 1))) {
        has_all = false;
        break;
      }
      const bool may_be_free =
          std::abs(squares(k)) <= no_sign && rods.may_be_free(space.vectors(ritz.col(k)).front());
      if (may_be_free) {
        ++free;
      } else {
        found.push_back(k);
      }
    }
    has_all = has_all && found.size() == count + beyond;
  }
  LowestModes lowest;
  std::vector<Mode>& modes = lowest.modes;
  Eigen::MatrixXd terms(space.size(), static_cast<Eigen::Index>(found.size()));
  for (std::size_t k = 0; k < found.size(); ++k) terms.col(static_cast<Eigen::Index>(k)) = ritz.col(found[k]);
  const Shapes shapes = space.vectors(terms);
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
  for (Mode& mode : modes) {
    const double sign = sign_of(rods.inertia(), mode.shape);
    for (double& entry : mode.shape) entry *= sign;
  }
  const bool ended = has_all || space.complete();
  lowest.are_all = ended && (beyond == 0 || none_is_missed(rods, modes, shift, no_sign, free));
  return lowest;
}

FoundModes find_modes(Vibrating& rods, double shift, double no_sign, int count) {
  // Modes that damping couples need others beyond the last.
  constexpr std::size_t further = 8;
  FoundModes found = unknown_modes(rods, count);
  const std::size_t wanted = found.frequencies.size();
  const LowestModes lowest = lowest_modes(rods, shift, no_sign, wanted + further);
  const std::vector<Mode>& modes = lowest.modes;
  found.has_digits = lowest.are_all;
  if (modes.empty() || !lowest.are_all) return found;
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

FoundModes find_nonconservative_modes(Vibrating& rods, double shift, double no_sign, int count) {
  FoundModes found = unknown_modes(rods, count);
  const std::size_t wanted = found.frequencies.size();
  shift = definite_share(shift, [&](double share) { return rods.factor(share); });
  if (!std::isfinite(shift)) return found;
  const SlowSpace space = slow_space(rods, shift, no_sign, wanted);
  found.has_digits = space.is_whole;
  if (!space.is_whole) return found;
  const std::vector<SlowMode> modes = modes_of(rods, space);
  const Eigen::MatrixXd damping = damping_along(rods, space.shapes);
  const bool damps = damping.cwiseAbs().maxCoeff() > 0.0;
  const DampedModes motions = damps ? coupled(space.stiffness, damping) : motions_of(modes);
  const Shapes shapes = shapes_of(rods, space, modes);
  const std::size_t known = std::min(wanted, motions.frequencies.size());
  std::copy_n(motions.frequencies.begin(), known, found.frequencies.begin());
  std::copy_n(motions.decay_rates.begin(), known, found.decay_rates.begin());
  if (!modes.empty() && std::abs(modes.front().square) <= no_sign) {
    found.frequencies.front() = found.decay_rates.front() = std::nan("");
    found.has_digits = false;
  }
  auto to = found.shapes.begin();
  for (std::size_t k = 0; k < std::min(wanted, shapes.size()); ++k)
    to = std::ranges::copy(rods.at_nodes(shapes[k]), to).out;
  return found;
}

}  // namespace rodeo::coupling
