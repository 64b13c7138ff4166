#pragma once

#include <vector>

#include "rodeo/der/der_member.hpp"
#include "rodeo/member/rod_batch.hpp"

namespace rodeo::der {

/// Discrete elastic rods: batches of Cosserat rods whose members take other steps, on host cores.
class DerBatch final : public RodBatch {
 public:
  explicit DerBatch(std::span<const MemberJob> jobs);
  void visit_state(std::size_t member, StateArchive& archive) override;

 private:
  void run_slice(int count) override;

  Kokkos::View<double*>::HostMirror arrays_;
  Kokkos::View<RodData*>::HostMirror rods_;
  std::vector<DerMember> members_;
};

}  // namespace rodeo::der
