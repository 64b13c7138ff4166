#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rodeo/math/rotation.hpp"

namespace rodeo {

/// The inside of a box, a cylinder or a sphere.
struct Region {
  enum class Kind { box, cylinder, sphere };
  Kind kind = Kind::box;
  Vec3 centre;               ///< m
  Vec3 half_size;            ///< of a box, m
  Vec3 axis = {0, 0, 1};     ///< unit vector along a cylinder
  double radius = 0.0;       ///< of a cylinder or sphere, m
  double half_length = 0.0;  ///< of a cylinder, m

  double volume() const;  ///< m^3

  /// Reach from its centre along x, y and z, m.
  Vec3 half_extent() const;

  /// Whether it holds a whole ball; one that touches the wall is inside, but for rounding.
  bool holds(const Vec3& point, double ball) const;
};

/// A rod to be put somewhere: the balls that its centre line strings together. The volume swept by these and
/// the straight pieces between them must not meet another rod.
struct LooseRod {
  std::vector<Vec3> nodes;    ///< relative to any point of the rod, m
  std::vector<double> radii;  ///< of each node's ball, no smaller than the rod is beside it, m
};

/// From where to where a rod is turned, before it is moved.
struct OrientationLaw {
  enum class Kind {
    aligned,     ///< not at all
    uniform,     ///< to anywhere, each orientation as likely as any
    distributed  ///< its direction by the Fisher distribution, and by any angle about that
  };
  Kind kind = Kind::aligned;
  double concentration = 0.0;  ///< kappa of the Fisher distribution, whose density goes as exp(kappa cos)
};

/// Position of a placed rod: its points are shift + turn(point).
struct Placed {
  Quaternion turn;
  Vec3 shift;
};

/// Puts rods into a region one after the other, each where random numbers say if it meets no wall and no rod
/// that stands there already, else at the next place that they say (random sequential addition). Random
/// numbers of a rod depend on the seed, on how many rods came before it, and on nothing else.
class RandomFill {
 public:
  /// Places that are tried for a rod before it counts as one that does not fit.
  static constexpr std::uint64_t most_tries = 20'000;

  /// Nodes that are tried in all: what does not fit is to be said within seconds, however many rods there
  /// are.
  static constexpr std::uint64_t most_tried_nodes = 8'000'000;

  /// `largest_radius` and `length` (m) are those of the rods to come, all together; they set the size of
  /// cells.
  RandomFill(const Region& region, std::uint64_t seed, double largest_radius, double length);
  RandomFill(const RandomFill&) = delete;
  RandomFill& operator=(const RandomFill&) = delete;
  ~RandomFill();

  /// Adds a rod; `direction` is what a distributed orientation is about. Nothing if it does not fit.
  std::optional<Placed> add(const LooseRod& rod, const Vec3& direction, const OrientationLaw& law);

  /// Whether any place that was tried for the last rod lay within the walls.
  bool was_inside() const { return was_inside_; }

  /// Whether no more rods are tried, as so many places were.
  bool has_given_up() const { return tried_nodes_ >= most_tried_nodes; }

 private:
  class Cells;
  bool is_inside(const std::vector<Vec3>& nodes, const std::vector<double>& radii) const;

  Region region_;
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
  std::uint64_t tried_nodes_ = 0;
  bool was_inside_ = false;
  std::unique_ptr<Cells> cells_;
};

}  // namespace rodeo
