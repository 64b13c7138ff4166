#pragma once

#include <span>

namespace rodeo::forces {

/// The amplitude beta at s = `share` of the rest length (in [0, 1]) of the wave of eq. 4.3: the cubic
/// B-spline curve with clamped ends and uniform knots through the control points (S_i, beta_i) of Figure 6 of
/// Gazzola et al. 2018. `inner` holds beta_1 to beta_(N-2) (at least two); beta is zero at both ends. The
/// abscissae S_i are 0, 0, 1/(N-3), 2/(N-3),
/// ..., 1, 1, so beta rises from the ends like a square root.
double muscle_profile(std::span<const double> inner, double share);

}  // namespace rodeo::forces
