#pragma once

#include <span>
#include <variant>
#include <vector>

#include "rodeo/forces/further_ground.hpp"
#include "rodeo/spec/member_spec.hpp"
#include "rodeo/tangent/mixed_tangent.hpp"
#include "rodeo/tangent/rod_tangent.hpp"

namespace rodeo::coupling {

/// The positions of the nodes of rods, one rod after the other.
std::vector<Vec3> node_positions(std::span<const ConstRodView> rods);

/// The surfaces on which rods rest, as springs (tangent/soft_surface.hpp) with an energy and without
/// friction: how much friction holds at rest depends on how a rod came there.
class RestingGround {
 public:
  explicit RestingGround(const MemberSpec& spec);

  bool exists() const { return !surfaces_.empty(); }

  /// Puts the platen where it is at a time.
  void set_time(double time);
  /// Displacement of the platen at a time, m; zero without one.
  Vec3 platen_displacement(double time) const;

  // Functions of one rod, in its present state.

  double energy(const ConstRodView& rod) const;
  void add_gradient(const ConstRodView& rod, std::span<double> gradient) const;
  template <class Matrix>
  void add_hessian(const ConstRodView& rod, Matrix& hessian) const;

  /// Force of each element on the platen, N.
  std::vector<Vec3> forces_on_platen(const ConstRodView& rod) const;

  /// Derivative of the energy along a step after a part of it, J.
  double slope(const ConstRodView& rod, std::span<const double> step, double part) const;
  /// Second derivative of the energy along a step, J.
  double curvature(const ConstRodView& rod, std::span<const double> step) const;

  /// The largest part of a step, at most one, that takes no element through the middle of a ball or cylinder.
  double clear_part(const ConstRodView& rod, std::span<const double> step) const;

  // Functions of rods, one after the other.

  /// Whether surfaces and points of elements touch: both ends of each, on round surfaces its nearest point
  /// too.
  std::vector<bool> touches(std::span<const ConstRodView> rods) const;
  /// Distance, summed over the elements that have begun to touch or to part `since`, by which a displacement
  /// takes them further that way, m.
  double rate_of_touching(std::span<const ConstRodView> rods, const std::vector<bool>& since,
                          std::span<const double> way) const;

  /// Whether there are balls or cylinders to go through.
  bool has_solids() const;
  /// Whether an element has passed the middle of a solid on a straight way from where node_positions() were
  /// before.
  bool is_crossed(std::span<const ConstRodView> rods, std::span<const Vec3> before) const;

 private:
  using Surface = std::variant<forces::Plane, forces::RoundSurface>;

  template <class Visit>
  void for_each_pair(const ConstRodView& rod, double way, const Visit& visit) const;
  template <class Visit>
  void for_each_point(const ConstRodView& rod, std::span<const double> step, double way,
                      const Visit& visit) const;
  std::size_t points(const ConstRodView& rod) const;
  tangent::Capsule capsule(const ConstRodView& rod, int element) const;

  double stiffness_;
  std::vector<double> tables_;  ///< of the platen's formulas
  forces::FurtherGround further_;
  std::vector<Surface> surfaces_;  ///< the platen last
};

}  // namespace rodeo::coupling
