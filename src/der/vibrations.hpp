#pragma once

#include <span>
#include <vector>

#include "rodeo/coupling/modes.hpp"
#include "rodeo/der/loaded_rods.hpp"

namespace rodeo::der {

/// Vibrations of rods linearized at rest. Elements turn across their edges without inertia of their own.
class Vibrations final : public coupling::Vibrating {
 public:
  /// `densities`: of each rod, kg/m^3.
  Vibrations(LoadedRods& rods, double time, std::span<const double> densities);

  const std::vector<double>& inertia() const override { return inertia_; }
  const std::vector<coupling::AlongElement>& masses_along() const override { return masses_along_; }
  int factor(double share) override;
  void solve(std::vector<DoublePack>& vectors) const override;
  std::vector<std::vector<double>> whole_motions() const override;
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
};

}  // namespace rodeo::der
