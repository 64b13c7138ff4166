#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <Kokkos_Core.hpp>

#include "rodeo/contact/touch.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo::observe {

/// The highest energy so far. Plain data, as it is saved with a member's state.
class HighestEnergy {
 public:
  /// `energy` is the whole, `stored` the part that is no potential of loads, which may be large and has no
  /// zero, and `rounding` the part that may stem from rounding alone, J.
  void add(double energy, double stored, double rounding) {
    if (std::isnan(first_)) first_ = highest_ = lowest_ = energy;
    highest_ = std::max(highest_, energy);
    lowest_ = std::min(lowest_, energy);
    last_ = energy;
    growth_ = std::max(growth_, energy - lowest_);
    constexpr double potential_rounding = 1e-9;
    scale_ = std::max(scale_, stored + rounding + potential_rounding * std::abs(energy - stored));
  }

  /// Gain of the highest energy over the first one, J; NaN if there was none.
  double gain() const { return highest_ - first_; }
  /// Gain over the largest stored energy.
  double relative_gain() const { return relative(gain()); }
  /// Largest growth from any earlier energy, over the largest stored energy: energy that damping takes makes
  /// no room for energy from nothing.
  double relative_growth() const { return relative(growth_); }

  /// Loss of the last energy from the highest, over the largest stored energy; NaN if there was none.
  double relative_loss() const { return relative(highest_ - last_); }

  /// An energy over the largest stored one.
  double relative(double energy) const { return scale_ > 0.0 ? energy / scale_ : energy; }

  /// Whether any energy was added.
  bool is_known() const { return !std::isnan(first_); }

 private:
  double first_ = std::nan("");
  double highest_ = std::nan("");
  double lowest_ = std::nan("");
  double last_ = std::nan("");
  double growth_ = 0.0;
  double scale_ = 0.0;
};

}  // namespace rodeo::observe

namespace rodeo {

struct FoundModes;

/// Counts and sums of a member's implicit steps so far; none for an explicit model.
struct ImplicitSample {
  std::int64_t steps = 0;               ///< that converged
  std::int64_t iterations = 0;          ///< of Newton's method in all steps, also those that did not converge
  bool failed = false;                  ///< the last step did not converge however short it was
  bool gained_energy = false;           ///< it did, but energy has grown without work
  bool crushed = false;                 ///< it did, but an element was pressed to nothing
  observe::HighestEnergy energy;        ///< at the ends of steps, where it is known, less this work
  double work = 0.0;                    ///< so far of what has no potential, where steps measure it, J
  double scheme_loss = 0.0;             ///< energy that the scheme itself took so far, J; NaN: not known
  std::int64_t contact_steps = 0;       ///< of steps: those with contact
  std::int64_t contact_iterations = 0;  ///< of iterations: in these steps
  std::int32_t contact_pairs = 0;       ///< active in the last step
  bool in_contact = false;              ///< some pair was active when the iteration ended, also if it failed
  bool passed_through = false;          ///< elements have passed through each other, or through a solid
  bool pressed_at_first = false;        ///< contact held an energy that is not known: of equilibria
  double smallest_gap = std::numeric_limits<double>::infinity();  ///< of surfaces so far, over the radius
  double deepest_overlap = 0.0;                                   ///< so far, m
  std::int64_t fluid_solves = 0;                                  ///< for the forces of a fluid
  std::int64_t fluid_iterations = 0;                              ///< of these solves
  Vec3 fluid_force;                                               ///< on all rods in the last step, N
};

/// Sums over the nodes of a rod at an instant.
struct NodeSums {
  double translational_energy = 0.0;  ///< 1/2 sum m v^2, J
  double mass = 0.0;                  ///< kg
  Vec3 momentum;                      ///< kg m/s
  Vec3 angular_momentum;              ///< about the origin, kg m^2/s; in a sample with that of the spins
  Vec3 first_moment;                  ///< sum m r, kg m

  KOKKOS_INLINE_FUNCTION NodeSums& operator+=(const NodeSums& other) {
    translational_energy += other.translational_energy;
    mass += other.mass;
    momentum = momentum + other.momentum;
    angular_momentum = angular_momentum + other.angular_momentum;
    first_moment = first_moment + other.first_moment;
    return *this;
  }
};

/// Sums over the elements.
struct ElementSums {
  double rotational_energy = 0.0;  ///< 1/2 sum J omega^2/e, J
  double shear_energy =
      0.0;    ///< 1/2 sum sigma S sigma l_hat, J (shear and stretch); of incompressible sections over e
  Vec3 spin;  ///< angular momentum of the elements about their centres, kg m^2/s

  KOKKOS_INLINE_FUNCTION ElementSums& operator+=(const ElementSums& other) {
    rotational_energy += other.rotational_energy;
    shear_energy += other.shear_energy;
    spin = spin + other.spin;
    return *this;
  }
};

/// Sums over the Voronoi regions.
struct RegionSums {
  double bend_energy = 0.0;   ///< 1/2 sum B1 (kappa1^2 + kappa2^2) D_hat/E^3, J
  double twist_energy = 0.0;  ///< 1/2 sum B3 kappa3^2 D_hat/E^3, J

  KOKKOS_INLINE_FUNCTION RegionSums& operator+=(const RegionSums& other) {
    bend_energy += other.bend_energy;
    twist_energy += other.twist_energy;
    return *this;
  }
};

/// Sample of rods without connections, as kernels take it: with more in it they would do more.
struct RodSample : NodeSums, ElementSums, RegionSums {
  double largest_move = 0.0;        ///< |v| dt/l of a node and its element, 1
  double largest_turn = 0.0;        ///< |omega| dt of an element, rad
  Vec3 end;                         ///< position of the last rod's last node, m
  double end_load_potential = 0.0;  ///< -sum F . r of the end forces, J
  double law_potential = 0.0;       ///< of the steady laws of RodForces that have one, J
  double contact_energy = 0.0;      ///< contact::Penalty::energy, J
  double ground_energy = 0.0;       ///< forces::Ground::energy, J
  double friction_loss = 0.0;       ///< contact::SpringFriction::loss, J
  contact::ContactSample contact;
  ImplicitSample implicit;  ///< of the member as a whole

  template <class Sums>
  KOKKOS_INLINE_FUNCTION RodSample& operator+=(const Sums& sums) {
    Sums::operator+=(sums);
    return *this;
  }

  KOKKOS_INLINE_FUNCTION void add_extrema(double move, double turn) {
    largest_move = largest_move > move ? largest_move : move;
    largest_turn = largest_turn > turn ? largest_turn : turn;
  }
};

/// Progress of a member along its branch of equilibria.
struct BranchSample {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  double value = unknown;         ///< of branch.key
  double bifurcations = unknown;  ///< so far
  double folds = unknown;         ///< so far
  double critical = unknown;      ///< value at the first of either
};

/// Everything that events, health and most observables need of a member at an instant.
struct Sample : RodSample {
  double connection_energy = 0.0;  ///< that of springs, joints and bonds, J
  double broken_bonds = 0.0;       ///< elements at which bonds have broken
  double ground_loss = 0.0;        ///< forces::SurfaceSprings, what slip and dashpots have taken, J
  double unstable_modes = std::numeric_limits<double>::quiet_NaN();   ///< rodeo::Stability
  double least_stiffness = std::numeric_limits<double>::quiet_NaN();  ///< rodeo::Stability, N/m
  const FoundModes* modes = nullptr;  ///< at the end of a member that has any; the stepper keeps them
  BranchSample branch = {};
  bool ended = false;  ///< there are no further steps to take
};

}  // namespace rodeo

/// Lets Kokkos reduce them over a team.
template <>
struct Kokkos::reduction_identity<rodeo::NodeSums> {
  KOKKOS_FORCEINLINE_FUNCTION static rodeo::NodeSums sum() { return {}; }
};
template <>
struct Kokkos::reduction_identity<rodeo::ElementSums> {
  KOKKOS_FORCEINLINE_FUNCTION static rodeo::ElementSums sum() { return {}; }
};
template <>
struct Kokkos::reduction_identity<rodeo::RegionSums> {
  KOKKOS_FORCEINLINE_FUNCTION static rodeo::RegionSums sum() { return {}; }
};
