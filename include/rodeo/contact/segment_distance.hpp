#pragma once

#include <algorithm>

#include "rodeo/math/vec3.hpp"

namespace rodeo::contact {

/// Closest points of two segments: p + first u and q + second v.
struct ClosestPoints {
  double first = 0.0;   ///< in [0, 1]
  double second = 0.0;  ///< in [0, 1]
  Vec3 gap;             ///< from the point on the first segment to that on the second, m
};

namespace detail {

KOKKOS_FORCEINLINE_FUNCTION double smaller(double a, double b) { return a < b ? a : b; }
KOKKOS_FORCEINLINE_FUNCTION double larger(double a, double b) { return a > b ? a : b; }

/// The bounds of contact parameters, which hot loops make unknown to the compiler: of unknown numbers it
/// takes a minimum or a maximum, one instruction, where it compares with known ones and blends.
struct UnitInterval {
  double lower = 0.0;
  double upper = 1.0;

  KOKKOS_FORCEINLINE_FUNCTION static UnitInterval unknown() {
    UnitInterval interval;
#if defined(__x86_64__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
    __asm__("" : "+x"(interval.lower), "+x"(interval.upper));
#endif
    return interval;
  }
  KOKKOS_FORCEINLINE_FUNCTION double clamp(double x) const { return larger(smaller(x, upper), lower); }
};

}  // namespace detail

/// The points start + s edge, s in [0, 1].
struct Segment {
  Vec3 start;                   ///< m
  Vec3 edge;                    ///< m
  double inverse_square = 0.0;  ///< 1/|edge|^2, 1/m^2; any finite number if the edge is zero
};

KOKKOS_INLINE_FUNCTION Segment segment_of(const Vec3& start, const Vec3& edge) {
  const double square = dot(edge, edge);
  return {start, edge, square > 0.0 ? 1.0 / square : 1.0};
}

/// Closest points of two segments, s on the first and t on the second (eq. 4.6 of Gazzola et al. 2018 with
/// its min). The squared distance is convex in (s, t): s is the minimum over both lines, clamped; t the best
/// for that s, clamped; s once more the best for that t. The last step changes nothing unless t was clamped,
/// so there is no case to tell apart and no branch. Where the lines are parallel to rounding, s starts in the
/// middle of the overlap, and moves there smoothly over sin^2 of their angle near 1e-14, so that the point of
/// contact of parallel strands is not decided by rounding. Points (an edge of zero) are segments too.
KOKKOS_FORCEINLINE_FUNCTION ClosestPoints closest_points(const Segment& a, const Segment& b,
                                                         const detail::UnitInterval& unit = {}) {
  constexpr double parallel = 1e-14;
  const Vec3 between = b.start - a.start;
  const double product = dot(a.edge, b.edge);
  const double cosine = product * a.inverse_square;        // in the unit of the first edge and of the second:
  const double other_cosine = product * b.inverse_square;  // their product is cos^2
  // Where the start of each falls on the line of the other; the end of the second falls `cosine` further.
  const double offset = dot(a.edge, between) * a.inverse_square;
  const double other_offset = -dot(b.edge, between) * b.inverse_square;
  // The middle of what the first segment shares with the shadow of the second.
  const double middle = 0.5 * (unit.clamp(offset) + unit.clamp(offset + cosine));
  const double squared_sine = detail::larger(1.0 - cosine * other_cosine, unit.lower);
  const double target = cosine * other_offset + offset;
  const double start = unit.clamp((target + parallel * middle) / (squared_sine + parallel));
  const double second = unit.clamp(start * other_cosine + other_offset);
  const double first = unit.clamp(second * cosine + offset);
  return {first, second, between + second * b.edge - first * a.edge};
}

/// Two segments, x0 to x1 and x2 to x3.
inline constexpr int pair_nodes = 4;
inline constexpr int pair_size = 3 * pair_nodes;

/// A square matrix over the components of a pair's ends and, behind these, as many turns of its first segment
/// and of its second.
class PairMatrix {
 public:
  static constexpr int most_turns = 3;  ///< of a segment
  static constexpr int most = pair_size + 2 * most_turns;

  explicit PairMatrix(int turns = 0) : turns_(turns), size_(pair_size + 2 * turns) {
    std::fill_n(entries_, size_ * size_, 0.0);
  }

  int turns() const { return turns_; }
  int size() const { return size_; }

  double* operator[](int row) { return entries_ + row * size_; }
  const double* operator[](int row) const { return entries_ + row * size_; }

  /// All of them, row by row.
  double* begin() { return entries_; }
  double* end() { return entries_ + size_ * size_; }
  const double* begin() const { return entries_; }
  const double* end() const { return entries_ + size_ * size_; }

 private:
  int turns_;
  int size_;
  double entries_[most * most];
};

/// The distance between two segments with its derivatives by their four ends (eqs 10 to 13 of Tong et al.
/// 2023). It is that of two points x0 + s (x1 - x0) and x2 + t (x3 - x2), whose gap is the sum of the ends,
/// each times its weight. Which of s and t are free tells the cases apart: both edge-to-edge (13), one
/// point-to-edge (12), none point-to-point (11). One formula covers all cases: the first derivative is that
/// of the gap's length with s and t held (both are at their best, or do not move), and how s and t follow the
/// ends, from the stationarity of the squared distance, enters only the second.
///
/// Where the lines are parallel the closest points are not unique; s is then held where closest_points has
/// it. Where they meet there is no direction, and all derivatives are zero.
///
/// As a segment turns through the direction of another one the closest points jump from end to end, and so
/// does what acts there. Spread points are instead those where
///   |gap|^2 + e ((s - 1/2)^2 + (t - 1/2)^2)
/// is least: of parallel segments in the middle of what these share, from where they move to the ends as the
/// angle grows to sqrt(e) over the length. The spread e fades out where the segments are no longer nearly
/// parallel. The derivatives hold e, and are exact but for what is of its order.
class PairDistance {
 public:
  /// The four ends, m, and the spread of parallel segments, m^2.
  explicit PairDistance(const Vec3 (&x)[pair_nodes], double spread = 0.0)
      : u_(x[1] - x[0]), v_(x[3] - x[2]), spread_(spread > 0.0 ? spread * parallel_share() : 0.0) {
    const ClosestPoints closest = spread_ > 0.0 ? spread_points(x[2] - x[0])
                                                : closest_points(segment_of(x[0], u_), segment_of(x[2], v_));
    first_ = closest.first;
    second_ = closest.second;
    gap_ = closest.gap;
    value_ = norm(gap_);
    inverse_ = value_ > 0.0 ? 1.0 / value_ : 0.0;
    normal_ = inverse_ * gap_;
  }

  double value() const { return value_; }         ///< m
  double first() const { return first_; }         ///< s, in [0, 1]
  double second() const { return second_; }       ///< t, in [0, 1]
  const Vec3& gap() const { return gap_; }        ///< from the first segment to the second, m
  const Vec3& normal() const { return normal_; }  ///< unit vector from the first segment to the second
  double weight(int node) const { return pick(node, first_ - 1.0, -first_, 1.0 - second_, second_); }

  /// First derivative of the distance by an end.
  Vec3 gradient(int node) const { return weight(node) * normal_; }

  /// Finds how s and t follow the ends. Without it they are held in the derivatives below.
  void differentiate_parameters() {
    constexpr double parallel = 1e-10;  // sin^2: an angle of 1e-5 rad
    const double uu = dot(u_, u_) + spread_;
    const double vv = dot(v_, v_) + spread_;
    const double uv = dot(u_, v_);
    const double determinant = uu * vv - uv * uv;
    const bool second_free = second_ > 0.0 && second_ < 1.0 && vv > 0.0;
    const bool first_free =
        first_ > 0.0 && first_ < 1.0 && uu > 0.0 && !(second_free && determinant <= parallel * uu * vv);
    for (int k = 0; k < pair_nodes; ++k) {
      // -u . gap + e (s - 1/2) = 0 and v . gap + e (t - 1/2) = 0, differentiated by end k with s and t held.
      const Vec3 a = weight(k) * u_ + pick(k, -1.0, 1.0, 0.0, 0.0) * gap_;
      const Vec3 b = weight(k) * v_ + pick(k, 0.0, 0.0, -1.0, 1.0) * gap_;
      first_by_[k] = {};
      second_by_[k] = {};
      if (first_free && second_free) {
        first_by_[k] = (1.0 / determinant) * (vv * a - uv * b);
        second_by_[k] = (1.0 / determinant) * (uv * a - uu * b);
      } else if (first_free) {
        first_by_[k] = (1.0 / uu) * a;
      } else if (second_free) {
        second_by_[k] = (-1.0 / vv) * b;
      }
    }
  }

  /// Derivatives of s and t by an end, 1/m.
  const Vec3& first_by(int node) const { return first_by_[node]; }
  const Vec3& second_by(int node) const { return second_by_[node]; }
  /// Derivative of the weight of `node` by the end `by`.
  Vec3 weight_by(int node, int by) const {
    return node < 2 ? (node == 0 ? 1.0 : -1.0) * first_by_[by] : (node == 2 ? -1.0 : 1.0) * second_by_[by];
  }

  /// Column c of the derivative of the gap by an end.
  Vec3 gap_by(int node, int c) const {
    return weight(node) * axis(c) - component(first_by_[node], c) * u_ + component(second_by_[node], c) * v_;
  }
  /// Column c of the derivative of the normal by an end, 1/m.
  Vec3 normal_by(int node, int c) const {
    const Vec3 move = gap_by(node, c);
    return inverse_ * (move - dot(normal_, move) * normal_);
  }
  /// The edge of the first segment or of the second, m.
  const Vec3& edge(int side) const { return side == 0 ? u_ : v_; }

  static double component(const Vec3& v, int c) { return c == 0 ? v.x : c == 1 ? v.y : v.z; }
  static Vec3 axis(int c) { return {c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0}; }

 private:
  static double pick(int k, double a, double b, double c, double d) {
    return k == 0 ? a : k == 1 ? b : k == 2 ? c : d;
  }

  /// 1 of parallel segments, 0 from an angle of 18 degrees on.
  double parallel_share() const {
    constexpr double widest = 0.1;  // sin^2
    const double product = dot(u_, u_) * dot(v_, v_);
    const double uv = dot(u_, v_);
    if (!(product - uv * uv < widest * product)) return 0.0;
    const double left = 1.0 - (product - uv * uv) / (widest * product);
    return left * left;
  }

  /// The function is convex, in a square: as of closest_points, s is that of the least over both lines,
  /// clamped; t the best for it, clamped; s once more the best for that.
  ClosestPoints spread_points(const Vec3& between) const {
    constexpr detail::UnitInterval unit;
    const double uu = dot(u_, u_) + spread_;
    const double vv = dot(v_, v_) + spread_;
    const double uv = dot(u_, v_);
    const double a = dot(u_, between) + 0.5 * spread_;
    const double b = 0.5 * spread_ - dot(v_, between);
    const double start = unit.clamp((vv * a + uv * b) / (uu * vv - uv * uv));
    const double second = unit.clamp((b + uv * start) / vv);
    const double first = unit.clamp((a + uv * second) / uu);
    return {first, second, between + second * v_ - first * u_};
  }

  Vec3 u_;
  Vec3 v_;
  double spread_;
  Vec3 gap_;
  Vec3 normal_;
  double first_;
  double second_;
  double value_;
  double inverse_;  ///< of the distance, 0 where there is none
  Vec3 first_by_[pair_nodes];
  Vec3 second_by_[pair_nodes];
};

/// Adds scale times the second derivative of the distance, 1/m.
inline void add_distance_hessian(const PairDistance& d, double scale, PairMatrix& matrix) {
  for (int l = 0; l < pair_nodes; ++l) {
    for (int c = 0; c < 3; ++c) {
      const Vec3 turned = d.normal_by(l, c);
      for (int k = 0; k < pair_nodes; ++k) {
        const Vec3 entry =
            scale * (PairDistance::component(d.weight_by(k, l), c) * d.normal() + d.weight(k) * turned);
        matrix[3 * k][3 * l + c] += entry.x;
        matrix[3 * k + 1][3 * l + c] += entry.y;
        matrix[3 * k + 2][3 * l + c] += entry.z;
      }
    }
  }
}

/// Adds scale times the gradient of the distance times its transpose.
inline void add_gradient_square(const PairDistance& d, double scale, PairMatrix& matrix) {
  const double n[3] = {d.normal().x, d.normal().y, d.normal().z};
  for (int k = 0; k < pair_nodes; ++k) {
    for (int l = 0; l < pair_nodes; ++l) {
      const double both = scale * d.weight(k) * d.weight(l);
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) matrix[3 * k + a][3 * l + b] += both * n[a] * n[b];
      }
    }
  }
}

/// The part of a move, at most 1, that two segments can take before they come closer than `thickness` (m):
/// additive continuous collision detection (Li et al. 2021, Codimensional incremental potential contact,
/// section 6), which keeps such a share of their gap. They must be farther apart at the start.
KOKKOS_INLINE_FUNCTION double collision_free_part(const Vec3 (&start)[pair_nodes],
                                                  const Vec3 (&move)[pair_nodes], double thickness,
                                                  double kept = 0.05) {
  constexpr double advance = 0.9;
  constexpr int most_steps = 1000;
  Vec3 mean;
  for (const Vec3& p : move) mean = mean + 0.25 * p;
  Vec3 own[pair_nodes];  // moves of the ends relative to their mean
  double length[pair_nodes];
  for (int k = 0; k < pair_nodes; ++k) {
    own[k] = move[k] - mean;
    length[k] = norm(own[k]);
  }
  const double approach = detail::larger(length[0], length[1]) + detail::larger(length[2], length[3]);
  const auto gap_at = [&](double part) {
    Vec3 x[pair_nodes];
    for (int k = 0; k < pair_nodes; ++k) x[k] = start[k] + part * own[k];
    const ClosestPoints closest =
        closest_points(segment_of(x[0], x[1] - x[0]), segment_of(x[2], x[3] - x[2]));
    return norm(closest.gap) - thickness;
  };
  double gap = gap_at(0.0);
  const double least = kept * gap;
  if (approach <= gap - least) return 1.0;
  double safe = 0.0;
  // Each step is free of collisions, however little of the gap is left after it. Segments that slide along
  // each other almost in touch would need any number of steps.
  double part = advance * gap / approach;
  for (int step = 0; step < most_steps && gap > 0.0; ++step, part += advance * gap / approach) {
    if (part >= 1.0) return 1.0;
    gap = gap_at(part);
    if (gap < least) return safe;
    safe = part;
  }
  return safe;
}

}  // namespace rodeo::contact
