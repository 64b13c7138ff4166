#include "random_fill.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/math/random.hpp"

namespace rodeo {

/// A straight piece of a rod, with a ball at each end.
struct FillPiece {
  contact::Segment segment;
  double radius = 0.0;
  Vec3 lower;  ///< corners of the box around it, m
  Vec3 upper;
};

namespace {

using std::numbers::pi;

/// Share of a ball's radius that may stand beyond a wall, so that it fits exactly between two.
constexpr double rounding_share = 1e-9;

FillPiece piece_between(const Vec3& a, const Vec3& b, double radius) {
  FillPiece piece{contact::segment_of(a, b - a), radius, {}, {}};
  piece.lower = {std::min(a.x, b.x) - radius, std::min(a.y, b.y) - radius, std::min(a.z, b.z) - radius};
  piece.upper = {std::max(a.x, b.x) + radius, std::max(a.y, b.y) + radius, std::max(a.z, b.z) + radius};
  return piece;
}

bool are_apart(const Vec3& upper, const Vec3& lower) {
  return upper.x < lower.x || upper.y < lower.y || upper.z < lower.z;
}

bool overlap(const FillPiece& a, const FillPiece& b) {
  if (are_apart(a.upper, b.lower) || are_apart(b.upper, a.lower)) return false;
  const Vec3 gap = contact::closest_points(a.segment, b.segment).gap;
  const double touching = a.radius + b.radius;
  return dot(gap, gap) < touching * touching;
}

/// Uniform over all rotations (Shoemake 1992).
Quaternion uniform_turn(const double (&u)[4]) {
  const double first = std::sqrt(1.0 - u[0]);
  const double second = std::sqrt(u[0]);
  const double a = 2.0 * pi * u[1];
  const double b = 2.0 * pi * u[2];
  return {second * std::cos(b), first * std::sin(a), first * std::cos(a), second * std::sin(b)};
}

/// A turn about `axis` by any angle, after which the axis is tilted by the Fisher distribution.
Quaternion fisher_turn(const double (&u)[4], const Vec3& axis, double concentration) {
  // 1 - cos(tilt) by the inverse of its distribution.
  const double below = -std::log1p(u[0] * std::expm1(-2.0 * concentration)) / concentration;
  const double tilt = 2.0 * std::asin(std::sqrt(std::clamp(0.5 * below, 0.0, 1.0)));
  const Vec3 aside = normalized(std::abs(axis.x) < 0.5 ? cross(axis, {1, 0, 0}) : cross(axis, {0, 1, 0}));
  const double azimuth = 2.0 * pi * u[1];
  const Vec3 hinge = std::cos(azimuth) * aside + std::sin(azimuth) * cross(axis, aside);
  return rotation(tilt * hinge) * rotation(2.0 * pi * u[2] * axis);
}

Quaternion random_turn(const double (&u)[4], const Vec3& direction, const OrientationLaw& law) {
  switch (law.kind) {
    case OrientationLaw::Kind::uniform:
      return uniform_turn(u);
    case OrientationLaw::Kind::distributed:
      return fisher_turn(u, direction, law.concentration);
    case OrientationLaw::Kind::aligned:
      break;
  }
  return {};
}

/// A number between two bounds, or their middle if rounding alone has made them change places; nothing if
/// there is none.
std::optional<double> between(double lower, double upper, double rounding, double share) {
  if (lower <= upper) return lower + share * (upper - lower);
  if (lower - upper > rounding) return std::nullopt;
  return 0.5 * (lower + upper);
}

void turn(const std::vector<Vec3>& loose, const Quaternion& by, std::vector<Vec3>& nodes) {
  const Directors axes = directors(by);
  nodes.clear();
  for (const Vec3& node : loose) nodes.push_back(axes.to_laboratory(node));
}

/// A shift with which the box around a rod is within that around the region, all of them equally likely.
std::optional<Vec3> random_shift(const double (&u)[4], const Region& region, const std::vector<Vec3>& nodes,
                                 const std::vector<double>& radii) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Vec3 lower = {far, far, far};
  Vec3 upper = {-far, -far, -far};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vec3& node = nodes[i];
    const double radius = radii[i];
    lower = {std::min(lower.x, node.x - radius), std::min(lower.y, node.y - radius),
             std::min(lower.z, node.z - radius)};
    upper = {std::max(upper.x, node.x + radius), std::max(upper.y, node.y + radius),
             std::max(upper.z, node.z + radius)};
  }
  const Vec3 reach = region.half_extent();
  const Vec3 least = region.centre - reach - lower;
  const Vec3 most = region.centre + reach - upper;
  const double rounding = rounding_share * radii.front();
  const auto x = between(least.x, most.x, rounding, u[0]);
  const auto y = between(least.y, most.y, rounding, u[1]);
  const auto z = between(least.z, most.z, rounding, u[2]);
  if (!x || !y || !z) return std::nullopt;
  return Vec3{*x, *y, *z};
}

/// The pieces between nodes, none longer than `longest`.
void cut(const std::vector<Vec3>& nodes, const std::vector<double>& radii, double longest,
         std::vector<FillPiece>& pieces) {
  pieces.clear();
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const Vec3 edge = nodes[i + 1] - nodes[i];
    const auto count = static_cast<int>(std::max(1.0, std::ceil(norm(edge) / longest)));
    const double radius = std::max(radii[i], radii[i + 1]);
    Vec3 start = nodes[i];
    for (int k = 1; k <= count; ++k) {
      const Vec3 end = k == count ? nodes[i + 1] : nodes[i] + (static_cast<double>(k) / count) * edge;
      pieces.push_back(piece_between(start, end, radius));
      start = end;
    }
  }
}

}  // namespace

double Region::volume() const {
  switch (kind) {
    case Kind::box:
      return 8.0 * half_size.x * half_size.y * half_size.z;
    case Kind::cylinder:
      return 2.0 * pi * radius * radius * half_length;
    case Kind::sphere:
      break;
  }
  return 4.0 / 3.0 * pi * radius * radius * radius;
}

Vec3 Region::half_extent() const {
  const auto of_cylinder = [&](double along) {
    return half_length * std::abs(along) + radius * std::sqrt(std::max(0.0, 1.0 - along * along));
  };
  switch (kind) {
    case Kind::box:
      return half_size;
    case Kind::cylinder:
      return {of_cylinder(axis.x), of_cylinder(axis.y), of_cylinder(axis.z)};
    case Kind::sphere:
      break;
  }
  return {radius, radius, radius};
}

bool Region::holds(const Vec3& point, double ball) const {
  const Vec3 from_centre = point - centre;
  ball *= 1.0 - rounding_share;
  switch (kind) {
    case Kind::box:
      return std::abs(from_centre.x) + ball <= half_size.x && std::abs(from_centre.y) + ball <= half_size.y &&
             std::abs(from_centre.z) + ball <= half_size.z;
    case Kind::cylinder: {
      const double along = dot(from_centre, axis);
      return std::abs(along) + ball <= half_length && norm(from_centre - along * axis) + ball <= radius;
    }
    case Kind::sphere:
      break;
  }
  return norm(from_centre) + ball <= radius;
}

/// A grid over the region: each cell knows the pieces whose boxes reach into it, so that two that overlap
/// share a cell.
class RandomFill::Cells {
 public:
  Cells(const Region& region, double largest_radius, double length) {
    constexpr double widths = 4.0;  // pieces of this many radii: few cells each, few pieces in a cell
    constexpr double most_cells = 1e6;
    const Vec3 half = region.half_extent();
    lower_ = region.centre - half;
    const Vec3 size = 2.0 * half;
    // Pieces in all that are as long as a cell, two cells for each.
    const double by_pieces = std::sqrt(size.x * size.y * size.z / (2.0 * length));
    side_ = std::max({widths * largest_radius, by_pieces, std::cbrt(size.x * size.y * size.z / most_cells)});
    const auto cells_along = [&](double extent) {
      return static_cast<std::size_t>(std::clamp(std::floor(extent / side_), 1.0, most_cells));
    };
    shape_ = {cells_along(size.x), cells_along(size.y), cells_along(size.z)};
    per_length_ = {static_cast<double>(shape_[0]) / size.x, static_cast<double>(shape_[1]) / size.y,
                   static_cast<double>(shape_[2]) / size.z};
    first_entry_.assign(shape_[0] * shape_[1] * shape_[2], none);
  }

  double side() const { return side_; }

  bool meets(const FillPiece& piece) const {
    return visit(piece, [&](std::size_t cell) {
      for (std::uint32_t entry = first_entry_[cell]; entry != none; entry = entries_[entry].next) {
        if (overlap(piece, pieces_[entries_[entry].piece])) return true;
      }
      return false;
    });
  }

  void add(const FillPiece& piece) {
    const auto index = static_cast<std::uint32_t>(pieces_.size());
    pieces_.push_back(piece);
    visit(piece, [&](std::size_t cell) {
      entries_.push_back({index, first_entry_[cell]});
      first_entry_[cell] = static_cast<std::uint32_t>(entries_.size() - 1);
      return false;
    });
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct Entry {
    std::uint32_t piece;
    std::uint32_t next;
  };
  struct Range {
    std::size_t first;
    std::size_t last;
  };

  static Range range(double lower, double upper, double per_length, std::size_t count) {
    const auto cell = [&](double x) {
      return static_cast<std::size_t>(std::clamp(x * per_length, 0.0, static_cast<double>(count) - 1.0));
    };
    return {cell(lower), cell(upper)};
  }

  /// Calls `use` with each cell that a piece's box reaches into, until it returns true.
  template <class Use>
  bool visit(const FillPiece& piece, const Use& use) const {
    const Vec3 a = piece.lower - lower_;
    const Vec3 b = piece.upper - lower_;
    const Range xs = range(a.x, b.x, per_length_.x, shape_[0]);
    const Range ys = range(a.y, b.y, per_length_.y, shape_[1]);
    const Range zs = range(a.z, b.z, per_length_.z, shape_[2]);
    for (std::size_t z = zs.first; z <= zs.last; ++z) {
      for (std::size_t y = ys.first; y <= ys.last; ++y) {
        for (std::size_t x = xs.first; x <= xs.last; ++x) {
          if (use((z * shape_[1] + y) * shape_[0] + x)) return true;
        }
      }
    }
    return false;
  }

  double side_ = 0.0;
  Vec3 lower_;
  std::array<std::size_t, 3> shape_{};
  Vec3 per_length_;
  std::vector<std::uint32_t> first_entry_;
  std::vector<Entry> entries_;
  std::vector<FillPiece> pieces_;
};

RandomFill::RandomFill(const Region& region, std::uint64_t seed, double largest_radius, double length)
    : region_(region), seed_(seed), cells_(std::make_unique<Cells>(region, largest_radius, length)) {}

RandomFill::~RandomFill() = default;

bool RandomFill::is_inside(const std::vector<Vec3>& nodes, const std::vector<double>& radii) const {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!region_.holds(nodes[i], radii[i])) return false;
  }
  return true;
}

std::optional<Placed> RandomFill::add(const LooseRod& rod, const Vec3& direction, const OrientationLaw& law) {
  const RandomStream stream{member_seed(seed_, count_++, 0), RandomUse::sampler};
  std::vector<Vec3> nodes;
  std::vector<FillPiece> pieces;
  was_inside_ = false;
  for (std::uint64_t attempt = 0; attempt < most_tries && !has_given_up(); ++attempt) {
    tried_nodes_ += rod.nodes.size();
    double of_turn[4];
    double of_shift[4];
    stream.uniform(2 * attempt, of_turn);
    stream.uniform(2 * attempt + 1, of_shift);
    Placed placed{random_turn(of_turn, direction, law), {}};
    turn(rod.nodes, placed.turn, nodes);
    const std::optional<Vec3> shift = random_shift(of_shift, region_, nodes, rod.radii);
    if (!shift) continue;
    placed.shift = *shift;
    for (Vec3& node : nodes) node = node + placed.shift;
    if (!is_inside(nodes, rod.radii)) continue;
    was_inside_ = true;
    cut(nodes, rod.radii, cells_->side(), pieces);
    if (std::ranges::any_of(pieces, [&](const FillPiece& piece) { return cells_->meets(piece); })) continue;
    for (const FillPiece& piece : pieces) cells_->add(piece);
    return placed;
  }
  return std::nullopt;
}

}  // namespace rodeo
