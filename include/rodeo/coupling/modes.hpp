#pragma once

#include <cstddef>
#include <numbers>
#include <vector>

#include "rodeo/math/pack.hpp"
#include "rodeo/observe/modes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::coupling {

/// The mass m of an element, or its drag, between nodes whose velocities v and w go over into each other
/// linearly: of the kinetic energy it has m (v v + v w + w w)/6 (Archer 1963, J. Struct. Div. ASCE 89(4)),
/// not m (v v + w w)/4 as with halves of m at the nodes. Steps have these halves. By them the bending of a
/// beam is slower than that of a continuous one, its frequencies by (k l)^2/12 for waves of number k on
/// elements of length l; with masses along elements errors of slender beams are of the fourth order. A
/// string's, and those of waves of stretch, are (k l)^2/24 in either way, but of the other sign.
struct AlongElement {
  int first;     ///< of the three unknowns of a node
  int last;      ///< of the other's
  double sixth;  ///< of m

  /// Makes what halves of m take from a motion that which m along the element takes.
  template <class Number>
  void correct(const Number* motion, Number* taken) const {
    for (int c = 0; c < 3; ++c) {
      const Number part = Number(sixth) * (motion[first + c] - motion[last + c]);
      taken[first + c] -= part;
      taken[last + c] += part;
    }
  }
};

/// Mass of an element of a rod of such a density, kg.
inline double element_mass(const ConstRodView& rod, int element, double density) {
  const double radius = rod.array(field::contact_radius)[element];  // its square is times the length
  return std::numbers::pi * density * radius * radius;
}

/// Rods at an equilibrium, linearized there: what their small vibrations follow from.
class Vibrating {
 public:
  virtual ~Vibrating() = default;

  /// Of each unknown, with halves of the elements' masses at nodes.
  virtual const std::vector<double>& inertia() const = 0;

  /// What makes these masses those along elements; none if velocities are not to be linear there.
  virtual const std::vector<AlongElement>& masses_along() const = 0;

  /// Factors the matrix with a share of the inertia (1/s^2), that along elements; returns how many of its
  /// eigenvalues are negative.
  virtual int factor(double share) = 0;

  /// Replaces vectors, one a lane, by the solutions, with these factors.
  virtual void solve(std::vector<DoublePack>& vectors) const = 0;

  /// Displacements that are known to cost no energy, which modes leave out.
  virtual std::vector<std::vector<double>> free_motions() const { return {}; }

  /// Whether a displacement whose square is nothing but rounding may be one that costs no energy.
  virtual bool may_be_free(const std::vector<double>&) const { return false; }

  /// Of each unknown, a measure that tells directions and places along the rods.
  virtual std::vector<double> telling_weights() const = 0;

  /// What damping takes from such velocities of the unknowns: forces.
  virtual std::vector<double> resistance(const std::vector<double>& velocity) const = 0;

  /// What frames hold of a shape (mode_components numbers for each node).
  virtual std::vector<double> at_nodes(const std::vector<double>& shape) const = 0;
};

/// A small vibration about an equilibrium without damping, K shape = square M shape.
struct Mode {
  double square = 0.0;  ///< of its angular frequency, 1/s^2; negative of one that leaves the equilibrium
  std::vector<double> shape;  ///< of the unknowns, with shape' M shape = 1 kg m^2
};

/// Modes of the lowest squares, in their order.
struct LowestModes {
  std::vector<Mode> modes;
  /// All have been found that there are, or that were asked for. Where some beyond the last were looked for,
  /// Sylvester's law of inertia says that none is missed among them.
  bool are_all = false;
};

/// Modes of the lowest squares but free motions, and those that may be and whose square is at most `no_sign`
/// in size. `shift` (1/s^2) is about the square of the slowest vibration. Where several
/// have the same square it is their choice that is to be made: of all shapes together those along x come
/// first, then those along y. So many are looked for `beyond` the last, that no such group is cut; none where
/// it is the squares that matter.
LowestModes lowest_modes(Vibrating& rods, double shift, double no_sign, std::size_t count,
                         std::size_t beyond = 3);

/// The same as members report them, damped: motions exp(-rate t) cos(2 pi frequency t) in the space of the
/// lowest modes and of a few more. NaN where there are fewer, where the size of a square is at most
/// `no_sign`, which is all that is known of it then, and where modes are missed.
FoundModes find_modes(Vibrating& rods, double shift, double no_sign, int count);

/// Damped modes as find_modes() reports them, where loads have no energy and the matrix is not symmetric.
/// Rods may flutter: two motions have one frequency, and without damping one grows as fast as the other
/// decays. The two shapes are those of one motion, a quarter of a period apart. `shift` is far below the
/// square of the slowest vibration.
FoundModes find_nonconservative_modes(Vibrating& rods, double shift, double no_sign, int count);

}  // namespace rodeo::coupling
