#include "rodeo/der/der_batch.hpp"

namespace rodeo::der {

DerBatch::DerBatch(std::span<const MemberJob> jobs)
    : RodBatch(jobs),
      arrays_(Kokkos::create_mirror_view(views_.storage)),
      rods_(Kokkos::create_mirror_view(views_.rods)) {
  const auto data = Kokkos::create_mirror_view(views_.members);
  Kokkos::deep_copy(arrays_, views_.storage);
  Kokkos::deep_copy(data, views_.members);
  Kokkos::deep_copy(rods_, views_.rods);
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const RodView all(arrays_.data() + data(k).offset, data(k).elements, data(k).sections_shrink);
    members_.emplace_back(jobs[k].spec,
                          MemberArrays{all, {rods_.data() + data(k).first_rod, data(k).rods}, data(k)});
  }
}

void DerBatch::visit_state(std::size_t member, StateArchive& archive) {
  RodBatch::visit_state(member, archive);
  members_[member].visit_state(archive);
}

/// Members need the same place in memory all along: where the batch's arrays are a device's, they are copied.
/// Several are shared out over the threads; one alone has all of them for its own loops.
void DerBatch::run_slice(int count) {
  using Policy = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>,
                                     Kokkos::IndexType<int>>;
  Kokkos::deep_copy(arrays_, views_.storage);
  const auto run = [this](int index) {
    SliceTask& task = tasks_(index);
    DerMember& member = members_[static_cast<std::size_t>(task.member)];
    task.steps = member.advance(task);
    samples_(index) = member.sample();
  };
  if (count == 1) {
    run(0);
  } else {
    Kokkos::parallel_for("implicit_slice", Policy(0, count).set_chunk_size(1), run);
    Kokkos::fence();
  }
  Kokkos::deep_copy(views_.storage, arrays_);
}

}  // namespace rodeo::der
