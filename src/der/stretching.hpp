#pragma once

#include "rodeo/der/relative_frame.hpp"
#include "rodeo/law/shear_stretch.hpp"

namespace rodeo::der {

/// Stretching energy of an edge (first line of eq. 5, with the strain of eq. 1):
///   E = 1/2 EA eps^2 l_hat,  eps = |e|/l_hat - lambda,
/// where the natural length is lambda l_hat. It is the part of ShearStretch that is along the edge.
struct Stretching {
  law::ShearStretch<double> element;

  double energy(const Vec3& edge) const { return element.at({0.0, 0.0, norm(edge)}).energy_along(); }
  double tension(double inverse_length) const {
    return element.at({0.0, 0.0, 1.0 / inverse_length}).stress().z;
  }
  /// EA/l_hat, N/m.
  double rate() const { return element.inverse_rest_length * element.stiffness.z; }

  Vec3 gradient(const TurnedEdge& edge) const { return tension(edge.inverse_length) * edge.tangent; }

  /// Hessian by the edge, EA/l_hat t t' + tension/|e| (1 - t t').
  void hessian(const TurnedEdge& edge, double (&h)[3][3]) const {
    hessian(edge, tension(edge.inverse_length), h);
  }
  /// Hessian with another tension, N, in the term across the edge.
  void hessian(const TurnedEdge& edge, double tension, double (&h)[3][3]) const {
    const double across = tension * edge.inverse_length;
    const double along = rate() - across;
    const double t[3] = {edge.tangent.x, edge.tangent.y, edge.tangent.z};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) h[i][j] = along * t[i] * t[j] + (i == j ? across : 0.0);
    }
  }
};

}  // namespace rodeo::der
