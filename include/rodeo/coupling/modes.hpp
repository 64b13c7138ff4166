#pragma once

#include <cstddef>
#include <numbers>
#include <vector>

#include "rodeo/math/pack.hpp"
#include "rodeo/observe/equilibrium.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::coupling {

/// Mass m of an element, or its drag, between nodes with velocities v and w, linear in between: its kinetic
/// energy is m (v v + v w + w w)/6 (Archer 1963, J. Struct. Div. ASCE 89(4)), not m (v v + w w)/4 as with
/// halves of m at the nodes, which steps have. With these halves the bending of a beam is slower than that of
/// a continuous one, its frequencies by (k l)^2/12 for waves of number k on elements of length l; with masses
/// along elements errors of slender beams are of the fourth order. Frequencies of strings, and of waves of
/// stretch, err by (k l)^2/24 either way, but with the other sign.
struct AlongElement {
  int first;     ///< of the three unknowns of a node
  int last;      ///< of the other's
  double sixth;  ///< of m

  /// Corrects the momentum, or force of drag, of a motion from halves of m at nodes to m along the element.
  template <class Number>
  void correct(const Number* motion, Number* taken) const {
    for (int c = 0; c < 3; ++c) {
      const Number part = Number(sixth) * (motion[first + c] - motion[last + c]);
      taken[first + c] -= part;
      taken[last + c] += part;
    }
  }
};

/// Mass of an element of a rod with a density, kg/m^3, in kg.
inline double element_mass(const ConstRodView& rod, int element, double density) {
  const double radius = rod.array(field::contact_radius)[element];  // its square is times the length
  return std::numbers::pi * density * radius * radius;
}

/// Rods linearized at an equilibrium, for their small vibrations.
class Vibrating {
 public:
  virtual ~Vibrating() = default;

  /// Inertia of each unknown, with halves of the elements' masses at nodes.
  virtual const std::vector<double>& inertia() const = 0;

  /// Corrections from these masses to those along elements; none if velocities are not to be linear there.
  virtual const std::vector<AlongElement>& masses_along() const = 0;

  /// Factors the matrix with a share of the inertia (1/s^2), that along elements; returns how many of its
  /// eigenvalues are negative.
  virtual int factor(double share) = 0;

  /// Replaces vectors, one a lane, by the solutions, with these factors.
  virtual void solve(std::vector<DoublePack>& vectors) const = 0;

  /// Motions of rods as wholes that no support prevents, for where loads have no energy: such loads may push
  /// along some of them.
  virtual std::vector<std::vector<double>> whole_motions() const { return {}; }

  /// Displacements that are known to cost no energy, which modes leave out.
  virtual std::vector<std::vector<double>> free_motions() const { return {}; }

  /// Whether a displacement whose square is nothing but rounding may be one that costs no energy.
  virtual bool may_be_free(const std::vector<double>&) const { return false; }

  /// Weights of unknowns that tell directions, and places along the rods, apart.
  virtual std::vector<double> telling_weights() const = 0;

  /// Damping forces, in the direction of the velocities, at such velocities of the unknowns.
  virtual std::vector<double> resistance(const std::vector<double>& velocity) const = 0;

  /// Shape as frames store it (mode_components numbers for each node).
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
  /// Whether all modes that there are, or that were asked for, have been found. Where some beyond the last
  /// were looked for, Sylvester's law of inertia says that none is missed among them.
  bool are_all = false;
};

/// Modes of the lowest squares, without free motions and those that may be free and whose square is at most
/// `no_sign` in size. `shift` (1/s^2) is about the square of the slowest vibration. Modes of one square are
/// chosen so that of all shapes together those along x come first, then those along y. So many are looked for
/// `beyond` the last that no such group is cut; none where only the squares matter.
LowestModes lowest_modes(Vibrating& rods, double shift, double no_sign, std::size_t count,
                         std::size_t beyond = 3);

/// Damped modes as members report them: motions exp(-rate t) cos(2 pi frequency t) in the space of the lowest
/// modes and of a few more. NaN where there are fewer, where the size of a square is at most `no_sign`, which
/// is all that is known of it then, and where modes are missed.
FoundModes find_modes(Vibrating& rods, double shift, double no_sign, int count);

/// Damped modes as find_modes() reports them, where loads have no energy and the matrix is not symmetric.
/// Rods may flutter: two motions have one frequency, and without damping one grows as fast as the other
/// decays. The two shapes are those of one motion, a quarter of a period apart. `shift` is far below the
/// square of the slowest vibration.
FoundModes find_nonconservative_modes(Vibrating& rods, double shift, double no_sign, int count);

}  // namespace rodeo::coupling
