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

  Verlet(std::span<const MemberJob> jobs, const BasicBatchViews<Real>& batch);
  void advance(std::span<SliceTask> tasks, std::span<Sample> samples) const;
  void visit_state(std::size_t, StateArchive&) const {}

 private:
  BasicBatchViews<Real> batch_;
  int largest_ = 0;  ///< elements of a member
};

extern template class Verlet<double>;
extern template class Verlet<float>;

}  // namespace rodeo::cosserat
