#pragma once

#include <span>
#include <vector>

#include "rodeo/coupling/layout.hpp"
#include "rodeo/der/hinge_law.hpp"
#include "rodeo/linear/banded_matrix.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::der {

/// Degrees of freedom of a rod of n elements in a step: node i at 4 i to 4 i + 2 (m, laboratory frame), the
/// angle theta of element i at 4 i + 3, by which its frame has turned about its tangent since the start of
/// the step (rad). The rod's arrays hold the state at the start of the step; the directors that clamps hold
/// are those of the end of the step.
constexpr int degrees_of_freedom(int elements) { return 4 * elements + 3; }

/// Degrees of freedom farther apart than this are not coupled by a rod's elasticity.
inline constexpr int elastic_bandwidth = 10;

/// A node is coupled with those up to two away and the elements between, an element's angle with the four
/// nodes and three elements around.
inline constexpr coupling::Layout layout = {4, {8, 11}, {4, 11}, elastic_bandwidth};

/// The laws of all hinges of a rod, as its arrays have them when they are read.
struct HingeLaws {
  std::vector<HingeLaw> at;  ///< node by node; nothing where there is no hinge
  bool closed = false;       ///< the last node's hinge stands across the seam, before element 0

  bool cross_seam(int node) const { return closed && node + 1 == static_cast<int>(at.size()); }
};
HingeLaws hinge_laws(const ConstRodView& rod, CurvatureLaw law = CurvatureLaw::untwisted,
                     bool closed = false);

/// Curvatures and twists of all hinges over their Voronoi lengths, 1/m, node by node; zero without a hinge.
std::vector<Vec3> curvatures(const ConstRodView& rod, const HingeLaws& laws, const double* q);

/// Rates of curvatures() at such rates of the degrees of freedom.
std::vector<Vec3> curvature_rates(const ConstRodView& rod, const HingeLaws& laws, const double* q,
                                  const double* rates);

/// The laws whose couples hold those of Kelvin-Voigt damping besides, where the rate of a curvature is
/// by_strain times it and `rest`.
HingeLaws with_viscosity(HingeLaws laws, double retardation_time, double by_strain,
                         std::span<const Vec3> rest);

/// Energies of eq. 5, J.
struct ElasticEnergy {
  double stretching = 0.0;
  double bending = 0.0;
  double twisting = 0.0;
};

ElasticEnergy elastic_energy(const ConstRodView& rod, const HingeLaws& laws, const double* q);

/// Adds the gradient of the energy (minus the forces of eq. 6) to `gradient`.
void add_elastic_gradient(const ConstRodView& rod, const HingeLaws& laws, const double* q, double* gradient);

/// Adds the Hessian but for the hinge across a seam; the rod's first degree of freedom has row `first` of the
/// matrix. The terms across elements have the tensions given, N, if there are any, instead of those at q.
void add_elastic_hessian(const ConstRodView& rod, const HingeLaws& laws, const double* q,
                         BandedMatrix& hessian, int first, std::span<const double> tensions = {});

/// Degrees of freedom of an element with its nodes.
inline constexpr int element_size = 7;

/// Sets the Hessian of the hinge across the seam of a closed rod, by those of the last element and then of
/// the first.
void set_seam_hessian(const ConstRodView& rod, const HingeLaws& laws, const double* q,
                      double (&hessian)[2 * element_size][2 * element_size]);

/// Sets the tensions of elements, N, after a part of a step of the degrees of freedom from the arrays' state,
/// by their derivatives: a turn along a straight line stretches an element in second order.
void predict_tensions(const ConstRodView& rod, const double* step, double part,
                      std::vector<double>& tensions);

/// Couple (body components, N m) across a node, by which what is beyond it turns the rod: in the frame of the
/// element before, and of the element after it. At an end with held directors these are those of the end. It
/// is the flux of eq. 3.9 of Gazzola et al. 2018. The state is that of the arrays.
Vec3 couple_before(const ConstRodView& rod, const HingeLaws& laws, int node);
Vec3 couple_after(const ConstRodView& rod, const HingeLaws& laws, int node);

}  // namespace rodeo::der
