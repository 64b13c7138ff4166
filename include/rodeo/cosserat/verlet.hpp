#pragma once

#include <span>

#include "rodeo/member/batch.hpp"
#include "rodeo/member/batch_views.hpp"

namespace rodeo::cosserat {

/// Explicit steps of Cosserat rods by position Verlet, on host cores or a device: a rodeo::Stepper. It keeps
/// nothing from step to step.
template <class Real>
class Verlet {
 public:
  using Scalar = Real;

  Verlet(std::span<const MemberJob>, const BasicBatchViews<Real>& batch) : batch_(batch) {}
  void advance(std::span<SliceTask> tasks, std::span<Sample> samples) const;
  void visit_state(std::size_t, StateArchive&) const {}

 private:
  BasicBatchViews<Real> batch_;
};

extern template class Verlet<double>;
extern template class Verlet<float>;

}  // namespace rodeo::cosserat
