#include "rodeo/der/der_batch.hpp"

namespace rodeo::der {

DerBatch::DerBatch(std::span<const MemberJob> jobs)
    : CosseratBatch(jobs),
      arrays_(Kokkos::create_mirror_view(views_.storage)),
      data_(Kokkos::create_mirror_view(views_.members)) {
  Kokkos::deep_copy(data_, views_.members);
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    members_.emplace_back(jobs[k].spec, RodView(arrays_.data() + data_(k).offset, data_(k).elements));
  }
}

/// Members need the same place in memory all along: where the batch's arrays are a device's, they are copied.
void DerBatch::run_slice(int count) {
  using Policy = Kokkos::TeamPolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  Kokkos::deep_copy(arrays_, views_.storage);
  Kokkos::parallel_for("implicit_slice", Policy(count, 1).set_chunk_size(1),
                       [this](const Policy::member_type& team) {
                         cosserat::SliceTask& task = tasks_(team.league_rank());
                         DerMember& member = members_[static_cast<std::size_t>(task.member)];
                         const cosserat::MemberData& data = data_(task.member);
                         task.steps = member.advance(team, data, task);
                         samples_(team.league_rank()) = member.sample(team, data);
                       });
  Kokkos::fence();
  Kokkos::deep_copy(views_.storage, arrays_);
}

}  // namespace rodeo::der
