#pragma once

#include <span>
#include <vector>

#include "rodeo/coupling/modes.hpp"
#include "rodeo/der/loaded_rods.hpp"

namespace rodeo::der {

/// Eigenvalues have a sign from as many times the rounding of the matrix on.
inline constexpr double sure_of_sign = 100.0;

/// Vibrations of rods linearized at rest. Elements turn across their edges without inertia of their own.
class Vibrations final : public coupling::Vibrating {
 public:
  /// `densities`: of each rod, kg/m^3.
  Vibrations(LoadedRods& rods, double time, std::span<const double> densities);

  const std::vector<double>& inertia() const override { return inertia_; }
  const std::vector<coupling::AlongElement>& masses_along() const override { return masses_along_; }
  int factor(double share) override;
  void solve(std::vector<DoublePack>& vectors) const override;
  /// Where loads have no energy: motions of rods as wholes along which no displacement makes a force, as
  /// rolls of rods that follower forces turn with. Displacements that go with such a motion do make it costly
  /// to others, so that nothing tells it by its shape (may_be_free). To be asked after factor().
  std::vector<std::vector<double>> free_motions() const override;
  bool may_be_free(const std::vector<double>& shape) const override;
  std::vector<double> telling_weights() const override;
  std::vector<double> resistance(const std::vector<double>& velocity) const override;
  std::vector<double> at_nodes(const std::vector<double>& shape) const override;

 private:
  LoadedRods& rods_;
  ImplicitEuler& solver_;
  std::vector<double> inertia_;
  std::vector<forces::DampingLaw> damping_;
  std::vector<coupling::AlongElement> masses_along_;
  std::vector<coupling::AlongElement> drag_along_;
  std::vector<double> unbalanced_;
  double share_ = 0.0;  ///< of the inertia, by which the matrix has been factored, 1/s^2
};

}  // namespace rodeo::der
