#pragma once

#include <sstream>
#include <string>

namespace rodeo {

// Decks of closed rods, and of rods that share nodes, whose ends are reported as x_end, y_end and z_end: of
// rods with so many elements each.

struct TiedRods {
  int elements_of_ring;
  int elements_of_tree;
  int elements_of_chain;
  double radius;         ///< m
  double young_modulus;  ///< Pa

  /// A closed rod that loads of all kinds bend and twist, one of them across its seam.
  std::string driven_ring() const {
    std::ostringstream deck;
    deck << R"(
[model]
section = rigid
[rod]
shape = ring
rest_shape = straight
elements = )"
         << elements_of_ring << R"(
length = 1
radius = )"
         << radius << R"(
density = 1000
young_modulus = )"
         << young_modulus << R"(
poisson_ratio = 0.3
damping = 0.2
[fluid]
viscosity = 0.1
[actuation]
force = z, node )"
         << elements_of_ring / 5 << R"( : 0.2 * sin(9 * t)
force = x, end : 0.1 * sin(7 * t)
couple = d3, element -1 : 0.002 * sin(5 * t)
internal_couple = d1 : 0.004 * sin(6 * t)
[time]
end = 0.3
[measure]
define = x_end [m] : last(x(middle))
define = y_end [m] : last(y(middle))
define = z_end [m] : last(z(middle))
)";
    return deck.str();
  }

  /// A rod on which two others hang by nodes that are one: one on a ball, one at an angle.
  std::string jointed_tree() const {
    std::ostringstream deck;
    deck << R"(
[model]
section = rigid
[rod]
count = 3
elements = )"
         << elements_of_tree << R"(
length = 0.4
radius = )"
         << radius << R"(
density = 1000
young_modulus = )"
         << young_modulus << R"(
poisson_ratio = 0.3
damping = 0.2
direction = 1, 0, 0
normal = 0, 0, 1
each = rod.direction[1] : list(0, 0.5, 0)
each = rod.origin[0] : list(0, 0.4, 0.4)
each = boundary.first : list(clamped, free, free)
[connection]
ball = rod 0, end to rod 1, start
rigid = rod 0, end to rod 2, start
spring = rod 0, element )"
         << (3 * elements_of_tree) / 8 << R"( to rod 2, element -1 : stiffness 3 damping 0.1
[gravity]
acceleration = 0, 0.3, -2
[time]
end = 0.3
[measure]
define = x_end [m] : last(x(rod 1, end))
define = y_end [m] : last(y(rod 2, end))
define = z_end [m] : last(z(rod 1, end))
)";
    return deck.str();
  }

  /// Rods of unlike thickness and damping, of which each goes on from the one before.
  std::string chain() const {
    std::ostringstream deck;
    deck << R"(
[model]
section = rigid
[rod]
count = 3
elements = )"
         << elements_of_chain << R"(
length = 0.4
density = 1000
young_modulus = )"
         << young_modulus << R"(
poisson_ratio = 0.3
each = rod.damping : list(0.2, 0.1, 0.4)
each = rod.radius : list()"
         << radius << ", " << 1.2 * radius << ", " << radius << R"()
direction = 1, 0, 0
normal = 0, 0, 1
[boundary]
first = clamped
[joint]
kind = rigid
[fluid]
viscosity = 0.5
[gravity]
acceleration = 0, 0.3, -2
[time]
end = 0.3
[measure]
define = x_end [m] : last(x(rod 1, end))
define = y_end [m] : last(y(rod 2, end))
define = z_end [m] : last(z(rod 2, end))
)";
    return deck.str();
  }
};

}  // namespace rodeo
