#pragma once

#include <span>
#include <vector>

namespace rodeo {

/// Norms of an error along a rod, as means over its rest length, so that they have the error's own unit and
/// can be compared between rods of any length. NaN where nothing is known.
struct ErrorNorms {
  double l1 = 0.0;    ///< 1/L integral |e| ds
  double l2 = 0.0;    ///< sqrt(1/L integral e^2 ds)
  double linf = 0.0;  ///< max |e|
};

/// Places along a rod of n equal elements at which a quantity is known.
enum class Sampling {
  nodes,    ///< n + 1 values; the ends count half (trapezoidal rule)
  elements  ///< n values at the elements' middles (midpoint rule)
};

ErrorNorms error_norms(std::span<const double> errors, Sampling sampling);

/// No norms: NaN in all.
ErrorNorms no_error_norms();

/// The order p for which errors grow as h^p from a fine spacing to a coarse one. Errors measured against a
/// numerical solution of spacing `reference` > 0 contain that one's error too, as h^p - reference^p, which is
/// solved for; 0 stands for an exact solution. NaN without two positive errors, or if the finer level's is
/// not the smaller.
struct SpacedError {
  double spacing = 0.0;  ///< element length or time step
  double error = 0.0;
};
double observed_order(const SpacedError& coarse, const SpacedError& fine, double reference);

/// The value at `position` (in elements of this rod, 0 … n) of a quantity known at nodes, by the cubic
/// through the four nearest nodes; exact at nodes. A cubic's error is of fourth order, so that it does not
/// show in second-order results where the nodes of two levels do not coincide.
double interpolate_at(std::span<const double> nodes, double position);

}  // namespace rodeo
