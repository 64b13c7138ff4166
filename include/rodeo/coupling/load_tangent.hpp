#pragma once

#include <vector>

#include "rodeo/coupling/assembly.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/member/rods.hpp"
#include "rodeo/tangent/rod_tangent.hpp"

namespace rodeo::coupling {

/// One matrix of eight in the lanes of packs.
class LaneMatrix {
 public:
  LaneMatrix(SymmetricBand<DoublePack, tangent::half_bandwidth>& packs, int lane)
      : packs_(&packs), lane_(lane) {}

  double& at(int row, int column) const {
    return reinterpret_cast<double*>(&packs_->at(row, column).lanes)[lane_];
  }

 private:
  SymmetricBand<DoublePack, tangent::half_bandwidth>* packs_;
  int lane_;
};

/// The derivatives of the loads on a rod in its present state: of those that have an energy, and of the
/// others. Loads that keep their direction in the laboratory, as weights and end forces, have none. Loads of
/// formulas and muscles are read from the arrays, where set_loads() has left them for `time`.
class LoadTangent {
 public:
  LoadTangent(const RodData& rod, const forces::Muscle& muscle) : rod_(&rod), muscle_(muscle) {}

  const forces::Muscle& muscle() const { return muscle_; }

  /// Whether all loads have an energy. A couple has none that stays as it is while its element turns, nor a
  /// force that turns with its element, nor couples of one element on the next. Forces of muscles along a
  /// director have one: they are a stress that does not depend on the strain.
  bool has_energy() const;

  /// Whether any load changes as the rod moves.
  bool follows_rod(double time) const;

  /// Adds the symmetric derivatives of a part of the loads at `time`.
  template <class Matrix>
  void add(const ConstRodView& rod, double time, double part, Matrix& hessian) const;

  /// Sets the blocks of a part of the other loads, symmetric or not.
  void set_blocks(const ConstRodView& rod, double time, double part, std::vector<LoadBlock>& blocks) const;

 private:
  bool formulas_have_none() const;
  template <class Matrix>
  void add_muscle_stress(const ConstRodView& rod, double part, Matrix& hessian) const;
  void set_blocks_of_formulas(const ConstRodView& rod, double part, std::vector<LoadBlock>& blocks) const;
  void set_blocks_of_muscles(const ConstRodView& rod, double time, double part,
                             std::vector<LoadBlock>& blocks) const;

  const RodData* rod_;
  forces::Muscle muscle_;
};

}  // namespace rodeo::coupling
