#pragma once

#include <span>
#include <vector>

#include "rodeo/tangent/bend_twist.hpp"
#include "rodeo/tangent/rod_tangent.hpp"
#include "rodeo/tangent/shear_stretch.hpp"

namespace rodeo::tangent {

/// Eight rods with equal numbers of elements side by side, one a lane: results of rod_tangent.hpp for each,
/// bit for bit but for the energy, whose sum is taken in another order. Together they take the time of three.
/// For fewer rods, load one of them several times.
class RodPack {
 public:
  using Vectors = BasicVec3<DoublePack>;
  using Quaternions = BasicQuaternion<DoublePack>;
  static constexpr int lanes = 8;

  explicit RodPack(int elements);

  int elements() const { return elements_; }

  /// Reads a rod's state and properties, half regions too.
  void load(int lane, const ConstRodView& rod);

  /// Reads its natural strains alone.
  void load_natural_strains(int lane, const ConstRodView& rod);

  /// Writes positions and orientations of elements.
  void store(int lane, const RodView& rod) const;

  Vectors& position(int node) { return positions_[static_cast<std::size_t>(node)]; }
  const Vectors& position(int node) const { return positions_[static_cast<std::size_t>(node)]; }
  /// -1 ... n
  Quaternions& orientation(int element) { return orientations_[static_cast<std::size_t>(element + 1)]; }
  const Quaternions& orientation(int element) const {
    return orientations_[static_cast<std::size_t>(element + 1)];
  }
  law::ShearStretch<DoublePack>& element(int i) { return laws_[static_cast<std::size_t>(i)]; }
  const law::ShearStretch<DoublePack>& element(int i) const { return laws_[static_cast<std::size_t>(i)]; }
  /// -1 ... n - 1
  law::BendTwist<DoublePack>& region(int i) { return regions_[static_cast<std::size_t>(i + 1)]; }
  const law::BendTwist<DoublePack>& region(int i) const { return regions_[static_cast<std::size_t>(i + 1)]; }

 private:
  int elements_;
  std::vector<Vectors> positions_;
  std::vector<Quaternions> orientations_;
  std::vector<law::ShearStretch<DoublePack>> laws_;
  std::vector<law::BendTwist<DoublePack>> regions_;
};

using RodPackMatrix = SymmetricBand<DoublePack, half_bandwidth>;
using RodPackFactors = BandLdlt<DoublePack, half_bandwidth>;

/// RodStress of a pack of rods.
class RodPackStress {
 public:
  explicit RodPackStress(int elements)
      : forces_(static_cast<std::size_t>(elements)), couples_(static_cast<std::size_t>(elements + 1)) {}

  RodPack::Vectors& force(int element) { return forces_[static_cast<std::size_t>(element)]; }
  const RodPack::Vectors& force(int element) const { return forces_[static_cast<std::size_t>(element)]; }
  /// -1 ... n - 1
  RodPack::Vectors& couple(int region) { return couples_[static_cast<std::size_t>(region + 1)]; }
  const RodPack::Vectors& couple(int region) const { return couples_[static_cast<std::size_t>(region + 1)]; }

  void load(int lane, const RodStress& stress);
  void store(int lane, RodStress& stress) const;

 private:
  std::vector<RodPack::Vectors> forces_;
  std::vector<RodPack::Vectors> couples_;
};

// Functions as of one rod. All lanes have the same ends.
DoublePack elastic_energy(const RodPack& rods, ClampedEnds ends);
DoublePack elastic_gradient(const RodPack& rods, ClampedEnds ends, std::span<DoublePack> gradient);
DoublePack elastic_hessian(const RodPack& rods, ClampedEnds ends, std::span<DoublePack> gradient,
                           RodPackMatrix& hessian, const RodPackStress* stress = nullptr);
void predict_stress(const RodPack& rods, ClampedEnds ends, std::span<const DoublePack> step,
                    DoublePack factor, RodPackStress& stress);
void take_step(RodPack& rods, std::span<const DoublePack> step, DoublePack factor);

}  // namespace rodeo::tangent
