#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rodeo/member/batch.hpp"
#include "rodeo/member/batch_views.hpp"

namespace rodeo {

/// The arrays of a member's rods in host memory and double precision.
struct HostArrays {
  Kokkos::View<double*, Kokkos::HostSpace> numbers;
  int elements = 0;
  double sections_shrink = 1.0;

  RodView view() const { return {numbers.data(), elements, sections_shrink}; }
};

/// The arrays of the members of a batch, in the memory of the execution space, whose steps compute with Real.
template <class Real>
class RodArrays {
 public:
  /// Builds the members as they stand at t = 0.
  explicit RodArrays(std::span<const MemberJob> jobs);

  const BasicBatchViews<Real>& views() const { return views_; }

  /// A copy where the host cannot read a member's arrays in place or they are not double.
  HostArrays on_host(std::size_t member) const;

  /// Saves or restores a member's arrays.
  void visit_state(std::size_t member, StateArchive& archive) const;

 private:
  /// Where a member's arrays stand in the batch's.
  struct Place {
    int elements = 0;
    double sections_shrink = 1.0;
    std::size_t offset = 0;
    contact::ContactSize contact_offset;
    contact::ContactSize contact_size;
  };

  void allocate(std::span<const MemberJob> jobs);
  void build(std::span<const MemberJob> jobs) const;

  std::vector<Place> places_;
  BasicBatchViews<Real> views_;
};

extern template class RodArrays<double>;
extern template class RodArrays<float>;

}  // namespace rodeo
