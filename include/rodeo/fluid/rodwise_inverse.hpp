#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/fluid/mobility.hpp"
#include "rodeo/linear/dense.hpp"

namespace rodeo::fluid {

/// Approximate inverse of the mobility of many rods, for GMRES. It has the factors of each rod alone, D, in
/// single precision. The flow from rod to rod is taken as constant along parts of a rod and as due to the sum
/// of a part's forces, V C U: U sums forces over parts, C has the mean Stokeslet from one part to another of
/// another rod, and V gives a part's velocity to all its nodes. So by Woodbury's formula
///   (D + V C U)^-1 = D^-1 - D^-1 V (I + C U D^-1 V)^-1 C U D^-1.
/// With it a solve for a carpet of 100 turning flagella takes 1.6 iterations, and 4.4 without V C U.
class RodwiseInverse {
 public:
  explicit RodwiseInverse(const std::vector<Filament>& filaments);

  /// Memory of an instance for rods of so many nodes each, bytes.
  static std::size_t memory(const std::vector<std::size_t>& nodes_of_rods);

  /// Factors the inverse for nodes at these positions, m. The same for any number of threads.
  void factor(const NodeVectors& position);

  /// result <- the inverse times vector, both laid out as NodeVectors.
  void apply(const std::vector<double>& vector, std::vector<double>& result) const;

 private:
  struct Rod {
    Filament filament;
    int first = 0;       ///< node
    int first_part = 0;  ///< of all parts
    int parts = 0;
    DenseFactors factors;
    std::vector<float> answers;  ///< D^-1 V: for each part and component what all nodes feel

    int nodes() const { return filament.nodes; }
    int part_begin(int part) const { return part * nodes() / parts; }
  };

  // Functions of their own for the same reason as those of Mobility.
  [[gnu::noinline]] void factor_rod(const NodeVectors& position, Rod& rod) const;
  [[gnu::noinline]] void set_exchange(const NodeVectors& position, int part);
  [[gnu::noinline]] void set_coupling(int part);
  [[gnu::noinline]] void answer_alone(const double* vector, double* result, float* sums, int rod) const;
  [[gnu::noinline]] void take_carried(const float* carried, double* result, int rod) const;

  const Rod& rod_of(int part) const;

  int pitch_ = 0;
  int parts_ = 0;
  std::vector<Rod> rods_;
  std::vector<int> rod_of_part_;
  std::vector<float> exchange_;  ///< C, column by column
  DenseFactors coupling_;        ///< of I + C U D^-1 V
};

}  // namespace rodeo::fluid
