#pragma once

#include <span>
#include <vector>

#include "rodeo/linear/band_ldlt.hpp"
#include "rodeo/math/arrays.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/tangent/unknowns.hpp"

namespace rodeo::tangent {

// The energy of shear, stretch, bend and twist of one open rod with rigid sections (shear_stretch.hpp,
// bend_twist.hpp), its gradient and its Hessian by the unknowns of unknowns.hpp. Two of these that share an
// element or a region are at most half_bandwidth apart.
inline constexpr int half_bandwidth = 8;
using RodMatrix = SymmetricBand<double, half_bandwidth>;
using RodFactors = BandLdlt<double, half_bandwidth>;

/// Ends whose directors are held (boundary::Clamp): the half regions there store energy too, entries -1 and n
/// - 1, between the directors held, entries -1 and n of field::orientation, and those of the element.
struct ClampedEnds {
  bool first = false;
  bool last = false;
};

/// Forces p of elements and couples m of regions for the geometric terms of a Hessian.
class RodStress {
 public:
  explicit RodStress(int elements);

  Vec3Array forces() { return arrays<double>(numbers_.data(), 0); }   ///< element, body, N
  Vec3Array couples() { return arrays<double>(numbers_.data(), 3); }  ///< region, -1 ... n - 1, N m
  ConstVec3Array forces() const { return arrays<const double>(numbers_.data(), 0); }
  ConstVec3Array couples() const { return arrays<const double>(numbers_.data(), 3); }

 private:
  static constexpr int front = 8;

  template <class Real>
  BasicVec3Array<Real> arrays(Real* numbers, int first) const {
    Real* const entries = numbers + front + first * pitch_;
    return {entries, entries + pitch_, entries + 2 * pitch_};
  }

  std::ptrdiff_t pitch_;
  std::vector<double> numbers_;
};

/// Elastic energy, J.
double elastic_energy(const ConstRodView& rod, ClampedEnds ends);

/// Elastic energy, J, and its derivatives by the unknowns: the forces and couples that hold the rod as it is.
/// The internal ones are their opposites.
double elastic_gradient(const ConstRodView& rod, ClampedEnds ends, std::span<double> gradient);

/// Elastic energy, J, with first and second derivatives. `stress`, if given, replaces the true stress in the
/// geometric terms.
double elastic_hessian(const ConstRodView& rod, ClampedEnds ends, std::span<double> gradient,
                       RodMatrix& hessian, const RodStress* stress = nullptr);

/// The stress after `factor` times a step, at the state before it, as an unknown of its own that Newton's
/// method solves for: of the linear prediction p + K db and m + B/D d(theta) of the whole step the part
/// `factor`, of the stress before it the rest.
void predict_stress(const ConstRodView& rod, ClampedEnds ends, std::span<const double> step, double factor,
                    RodStress& stress);

/// Moves the rod by `factor` times a step: x + dx, R exp(phi). Turns are at most small_rotation_limit.
void take_step(const RodView& rod, std::span<const double> step, double factor);

}  // namespace rodeo::tangent
