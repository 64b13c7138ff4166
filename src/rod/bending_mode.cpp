#include "rodeo/rod/bending_mode.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "rodeo/linear/banded_matrix.hpp"
#include "rodeo/rod/rod_properties.hpp"

namespace rodeo {

namespace {

constexpr std::size_t pieces = 20;  // of the beam, with cubic deflections: the frequency is right to 2e-6
constexpr std::size_t unknowns = 2 * (pieces + 1);
constexpr int bandwidth = 3;
constexpr double piece_length = 1.0 / pieces;  // in units of the beam's length, as all lengths here

using PieceVector = std::array<double, 4>;

/// Deflections and slopes of the ends of pieces, by turns.
using Motion = std::array<double, unknowns>;

/// Deflection at x in [0, 1] of a piece by the unknowns of its ends: Hermite's cubics.
PieceVector deflections(double x) {
  constexpr double h = piece_length;
  const double y = 1.0 - x;
  return {y * y * (1.0 + 2.0 * x), h * x * y * y, x * x * (1.0 + 2.0 * y), -h * x * x * y};
}

/// Its second derivative by the arc length.
PieceVector curvatures(double x) {
  constexpr double h = piece_length;
  return {(12.0 * x - 6.0) / (h * h), (6.0 * x - 4.0) / h, (6.0 - 12.0 * x) / (h * h), (6.0 * x - 2.0) / h};
}

double dot(const Motion& a, const Motion& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < unknowns; ++i) sum += a[i] * b[i];
  return sum;
}

/// A rod as a beam, in units of its length and of the stiffness and the mass per length at node 0.
class Beam {
 public:
  Beam(const RodSpec& rod, const BeamEnd& first, const BeamEnd& last) {
    held_[0] = first.deflection;
    held_[1] = first.slope;
    held_[unknowns - 2] = last.deflection;
    held_[unknowns - 1] = last.slope;
    const double element = rod.length / rod.elements;
    start_ = first.element ? element : 0.0;
    length_ = rod.length - start_ - (last.element ? element : 0.0);
    const double line_mass = rod.density * std::numbers::pi * rod.radius * rod.radius;
    unit_ = std::sqrt(rod.weaker_bend_stiffness() / line_mass) / (length_ * length_);
    for (std::size_t piece = 0; piece < pieces; ++piece) add_piece(rod, piece);
    for (const PointMass& point : rod.point_masses) {
      const double along = std::clamp((point.arc_length - start_) / length_, 0.0, 1.0) * pieces;
      const std::size_t piece = std::min(static_cast<std::size_t>(along), pieces - 1);
      const double mass = point.mass / (line_mass * length_);
      add(mass_, piece, mass, deflections(along - static_cast<double>(piece)));
    }
    find_rigid_motions();
  }

  /// Slowest frequency by inverse iteration, orthogonal to the rigid motions.
  double slowest_frequency() const {
    constexpr int most_iterations = 1000;
    constexpr double tolerance = 1e-13;
    // Moves the rigid motions away from frequency 0, so that the matrix is not singular.
    const double shift = rigid_.empty() ? 0.0 : 100.0;
    BandedMatrix matrix = shifted_stiffness(shift);
    if (!matrix.factor()) return std::numeric_limits<double>::quiet_NaN();
    Motion mode{};
    for (std::size_t i = 0; i < unknowns; ++i) mode[i] = held_[i] ? 0.0 : 1.0 / static_cast<double>(i + 1);
    double square = 0.0;
    for (int k = 0; k < most_iterations; ++k) {
      remove_rigid_motions(mode);
      const Motion load = times_mass(mode);
      mode = load;
      matrix.solve(mode);
      remove_rigid_motions(mode);
      const double inertia = dot(mode, times_mass(mode));
      const double before = square;
      square = dot(mode, load) / inertia - shift;
      for (double& entry : mode) entry /= std::sqrt(inertia);
      if (std::abs(square - before) <= tolerance * square) return unit_ * std::sqrt(square);
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

 private:
  using Matrix = std::vector<Motion>;

  void add(Matrix& matrix, std::size_t piece, double factor, const PieceVector& v) const {
    for (std::size_t i = 0; i < v.size(); ++i) {
      for (std::size_t j = 0; j < v.size(); ++j) {
        if (held_[2 * piece + i] || held_[2 * piece + j]) continue;
        matrix[2 * piece + i][2 * piece + j] += factor * v[i] * v[j];
      }
    }
  }

  /// Integrates over a piece by the four-point Gauss-Legendre rule.
  void add_piece(const RodSpec& rod, std::size_t piece) {
    constexpr double inner = 0.339981043584856265;
    constexpr double outer = 0.861136311594052575;
    constexpr double outer_weight = 0.347854845137453857;
    for (const double point : {-outer, -inner, inner, outer}) {
      const double x = 0.5 * (1.0 + point);
      const double place = start_ + length_ * piece_length * (static_cast<double>(piece) + x);
      const double ratio = radius_at(rod, place) / rod.radius;
      const double area = ratio * ratio;
      const double weight =
          0.5 * piece_length * (std::abs(point) == outer ? outer_weight : 1.0 - outer_weight);
      add(stiffness_, piece, weight * area * area, curvatures(x));
      add(mass_, piece, weight * area, deflections(x));
    }
  }

  BandedMatrix shifted_stiffness(double shift) const {
    BandedMatrix matrix(static_cast<int>(unknowns), bandwidth);
    const auto size = static_cast<int>(unknowns);
    for (int i = 0; i < size; ++i) {
      const auto row = static_cast<std::size_t>(i);
      for (int j = std::max(i - bandwidth, 0); j < std::min(i + bandwidth + 1, size); ++j) {
        const auto column = static_cast<std::size_t>(j);
        matrix.at(i, j) = stiffness_[row][column] + shift * mass_[row][column];
      }
      if (held_[row]) matrix.at(i, i) = 1.0;
    }
    return matrix;
  }

  Motion times_mass(const Motion& motion) const {
    Motion product{};
    for (std::size_t i = 0; i < unknowns; ++i) product[i] = dot(mass_[i], motion);
    return product;
  }

  /// The rigid motions, orthonormal in the mass matrix.
  void find_rigid_motions() {
    const auto turn_about = [](double pin) {
      Motion turn{};
      for (std::size_t i = 0; i < unknowns; i += 2) {
        turn[i] = 0.5 * piece_length * static_cast<double>(i) - pin;
        turn[i + 1] = 1.0;
      }
      return turn;
    };
    const bool first_free = !held_[0];
    const bool last_free = !held_[unknowns - 2];
    if (first_free && last_free) {
      Motion move{};
      for (std::size_t i = 0; i < unknowns; i += 2) move[i] = 1.0;
      add_rigid_motion(move);
    }
    const bool turns = !held_[1] && !held_[unknowns - 1] && (first_free || last_free);
    if (turns) add_rigid_motion(turn_about(first_free && !last_free ? 1.0 : 0.0));
  }

  void add_rigid_motion(Motion motion) {
    remove_rigid_motions(motion);
    const double scale = 1.0 / std::sqrt(dot(motion, times_mass(motion)));
    for (double& entry : motion) entry *= scale;
    rigid_.push_back(motion);
  }

  void remove_rigid_motions(Motion& motion) const {
    for (const Motion& rigid : rigid_) {
      const double share = dot(rigid, times_mass(motion));
      for (std::size_t i = 0; i < unknowns; ++i) motion[i] -= share * rigid[i];
    }
  }

  std::array<bool, unknowns> held_{};
  double start_ = 0.0;   ///< of the beam along the rod, m
  double length_ = 0.0;  ///< m
  double unit_ = 0.0;    ///< of frequencies, rad/s
  Matrix stiffness_ = Matrix(unknowns);
  Matrix mass_ = Matrix(unknowns);
  std::vector<Motion> rigid_;
};

}  // namespace

double slowest_bending_frequency(const RodSpec& rod, const BeamEnd& first, const BeamEnd& last) {
  return Beam(rod, first, last).slowest_frequency();
}

}  // namespace rodeo
