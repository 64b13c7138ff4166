#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "rodeo/member/batch.hpp"
#include "rodeo/member/batch_views.hpp"

namespace rodeo::cosserat {

namespace device {
class Batch;
}

/// Explicit steps of Cosserat rods by position Verlet, on host cores or a device: a rodeo::Stepper. It keeps
/// nothing from step to step but, on a device, a copy of the arrays, which is made anew once a member has
/// another state.
template <class Real>
class Verlet {
 public:
  using Scalar = Real;

  Verlet(std::span<const MemberJob> jobs, const BasicBatchViews<Real>& batch);
  void advance(std::span<SliceTask> tasks, std::span<Sample> samples) const;
  void visit_state(std::size_t, const StateArchive& archive) const {
    if (archive.restores()) device_.reset();
  }

  /// Members whose steps it takes at once.
  int at_once() const;

 private:
  void advance_on_device(std::span<const SliceTask> tasks) const;

  BasicBatchViews<Real> batch_;
  int largest_ = 0;         ///< elements of a member
  bool on_device_ = false;  ///< by the library for devices, while the arrays are the host's
  mutable std::shared_ptr<device::Batch> device_;  ///< from the first step on
};

/// Members whose steps a device takes at once. Throws std::runtime_error where there is none.
int members_on_device();

extern template class Verlet<double>;
extern template class Verlet<float>;

}  // namespace rodeo::cosserat
