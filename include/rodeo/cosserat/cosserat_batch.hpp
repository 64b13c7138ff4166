#pragma once

#include "rodeo/member/rod_batch.hpp"

namespace rodeo::cosserat {

/// Cosserat rods with explicit steps, which compute with Real.
template <class Real>
class BasicCosseratBatch final : public BasicRodBatch<Real> {
 public:
  using BasicRodBatch<Real>::BasicRodBatch;

 private:
  void run_slice(int count) override;
};
using CosseratBatch = BasicCosseratBatch<double>;

extern template class BasicCosseratBatch<double>;
extern template class BasicCosseratBatch<float>;

}  // namespace rodeo::cosserat
