#include <algorithm>
#include <cmath>

#include "rodeo/der/elastic_energy.hpp"
#include "rodeo/der/relative_frame.hpp"

#include "node_entries.hpp"

// Curvatures of hinges, their rates, and laws with the damping of the material.

namespace rodeo::der {

std::vector<Vec3> curvatures(const ConstRodView& rod, const HingeLaws& laws, const double* q) {
  const int n = rod.elements;
  const auto frame = [&](int i) {
    if (i < 0 || (i == n && !laws.closed)) return rod.quaternion(i);
    const int own = i == n ? 0 : i;  // beyond the seam
    const Vec3 edge = get(q, own + 1) - get(q, own);
    return turned_frame(rod.quaternion(i), turned_edge(rod.quaternion(i), edge, q[4 * own + 3]));
  };
  std::vector<Vec3> all(laws.at.size());
  Quaternion before = frame(-1);
  for (int i = 0; i <= n; ++i) {
    const Quaternion after = frame(i);
    const HingeLaw& hinge = laws.at[static_cast<std::size_t>(i)];
    all[static_cast<std::size_t>(i)] =
        hinge.region.inverse_rest_voronoi * law::hinge_turn(conjugate(before) * after, hinge.curvature_law);
    before = after;
  }
  return all;
}

/// Central differences, over a time in which no element turns by more than a small angle: errors of its
/// square and of rounding over it are alike.
std::vector<Vec3> curvature_rates(const ConstRodView& rod, const HingeLaws& laws, const double* q,
                                  const double* rates) {
  constexpr double small_angle = 1e-5;
  double fastest = 0.0;  // rad/s
  for (int i = 0; i < rod.elements; ++i) {
    const double across = norm(get(rates, i + 1) - get(rates, i)) * rod.array(field::inverse_rest_length)[i];
    fastest = std::max({fastest, across, std::abs(rates[4 * i + 3])});
  }
  std::vector<Vec3> all(laws.at.size());
  if (fastest == 0.0) return all;
  const double time = small_angle / fastest;
  std::vector<double> moved(q, q + degrees_of_freedom(rod.elements));
  const auto after = [&](double part) {
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k] = q[k] + part * rates[k];
    return curvatures(rod, laws, moved.data());
  };
  const std::vector<Vec3> last = after(time);
  const std::vector<Vec3> first = after(-time);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = (0.5 / time) * (last[i] - first[i]);
  return all;
}

HingeLaws with_viscosity(HingeLaws laws, double retardation_time, double by_strain,
                         std::span<const Vec3> rest) {
  for (std::size_t i = 0; i < laws.at.size(); ++i) {
    law::BendTwist<double>& region = laws.at[i].region;
    region = law::with_viscosity(region, retardation_time, by_strain, rest[i]);
  }
  return laws;
}

}  // namespace rodeo::der
