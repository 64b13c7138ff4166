#pragma once

#include <memory>
#include <vector>

#include "rodeo/fluid/mobility.hpp"

namespace rodeo::fluid {

/// The mobility for GMRES: products, and its approximate inverse at an earlier time.
class MobilityOperator {
 public:
  virtual ~MobilityOperator() = default;

  virtual void assemble(const NodeVectors& position) = 0;

  /// Assembles, and sets velocity <- A force.
  virtual void assemble_and_apply(const NodeVectors& position, const std::vector<double>& force,
                                  std::vector<double>& velocity) = 0;

  virtual void apply(const std::vector<double>& force, std::vector<double>& velocity) = 0;

  /// Factors the inverse for the positions of the last assembly, which are given again.
  virtual void factor(const NodeVectors& position) = 0;

  virtual void precondition(const std::vector<double>& vector, std::vector<double>& result) = 0;

  /// Time of a factorisation over that of an iteration.
  virtual double iterations_per_factorization() const = 0;
};

/// A matrix (Mobility) and its factors.
std::unique_ptr<MobilityOperator> make_dense_operator(const std::vector<Filament>& filaments,
                                                      MobilityKind kind);

/// Sums over clusters (ClusteredMobility) and factors of each rod (RodwiseInverse).
std::unique_ptr<MobilityOperator> make_clustered_operator(const std::vector<Filament>& filaments);

}  // namespace rodeo::fluid
