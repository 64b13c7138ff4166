#pragma once

#include <cmath>

#include "rodeo/der/relative_frame.hpp"

namespace rodeo::der {

/// A couple that does not turn with the element it acts on. Its work as the edge e = |e| t and its angle
/// theta change is c.(t x de)/|e| + c.t dtheta, so the generalised forces are (c x t)/|e| and c.t. They have
/// no potential, and their Jacobian no symmetry.
struct SteadyCouple {
  Vec3 couple;  ///< laboratory frame, N m

  Vec3 force(const TurnedEdge& edge) const { return edge.inverse_length * cross(couple, edge.tangent); }
  double moment(const TurnedEdge& edge) const { return dot(couple, edge.tangent); }

  /// Jacobians by the edge: force_gradient[j] is the derivative of the force by component j.
  void gradients(const TurnedEdge& edge, Vec3 (&force_gradient)[3], Vec3& moment_gradient) const {
    constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int j = 0; j < 3; ++j) {
      const double along = dot(edge.tangent, axes[j]);
      const Vec3 turned = axes[j] - 2.0 * along * edge.tangent;
      force_gradient[j] = edge.inverse_length * edge.inverse_length * cross(couple, turned);
    }
    moment_gradient = edge.inverse_length * (couple - moment(edge) * edge.tangent);
  }
};

/// Resistance of an element to turning about directions across it (eq. 4.2 of Gazzola et al. 2018): minus
/// (drag/|e|^2) (de/dt) across e, where e is an edge that stays as it is in the step.
struct TurnDrag {
  double drag;  ///< kg m^2/s
  double step;  ///< s
  Vec3 start;   ///< edge at the start of the step, m
  Vec3 across;  ///< e, m

  Vec3 force(const Vec3& edge) const {
    const double inverse = 1.0 / dot(across, across);
    const Vec3 change = edge - start;
    return (-drag * inverse / step) * (change - (inverse * dot(change, across)) * across);
  }

  void gradient(double (&g)[3][3]) const {
    const double inverse = 1.0 / dot(across, across);
    const double s[3] = {across.x, across.y, across.z};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        g[i][j] = (-drag * inverse / step) * ((i == j ? 1.0 : 0.0) - inverse * s[i] * s[j]);
    }
  }
};

/// Resistance of an element that spins about its tangent t to turns of t: its angular momentum J omega t
/// turns with it, which takes a couple J omega dt/dt. Minus that acts on the element, as a pair of forces on
/// its nodes, (J omega/|e|) t x dt/dt on the last, without work. The angle by which an element turns is
/// measured from a frame that is carried along, so that J (omega)' alone says nothing of it. In a step from
/// t_0 it is -(J omega/(|e| step)) t x t_0.
struct TurningSpin {
  double inertia;  ///< J, kg m^2
  double step;     ///< s
  Vec3 start;      ///< edge at the start of the step, m

  Vec3 force(const Vec3& edge, double twist) const { return twist * by_twist(edge); }
  Vec3 by_twist(const Vec3& edge) const { return scale(edge) * cross(start, edge); }

  /// The derivative by the edge.
  void gradient(const Vec3& edge, double twist, double (&g)[3][3]) const {
    const Vec3 a = (scale(edge) * twist) * start;
    const Vec3 f = (-2.0 / dot(edge, edge)) * force(edge, twist);
    const double of_cross[3][3] = {{0.0, -a.z, a.y}, {a.z, 0.0, -a.x}, {-a.y, a.x, 0.0}};
    const double rows[3] = {f.x, f.y, f.z};
    const double columns[3] = {edge.x, edge.y, edge.z};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) g[i][j] = of_cross[i][j] + rows[i] * columns[j];
    }
  }

 private:
  double scale(const Vec3& edge) const {
    return inertia / (step * step * std::sqrt(dot(start, start)) * dot(edge, edge));
  }
};

}  // namespace rodeo::der
