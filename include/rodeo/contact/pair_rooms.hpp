#pragma once

#include <memory>
#include <span>

#include "rodeo/contact/contact_view.hpp"

namespace rodeo::contact {

/// Makes room for that many pairs and a quarter more in a host's memory and keeps the present ones. Throws
/// std::bad_alloc.
void grow(PairRoom& room, int pairs, bool has_friction);

/// Makes room for exactly that many pairs, no fewer than before.
void resize(PairRoom& room, int pairs, bool has_friction);

/// The memory for the pairs of members.
class PairRooms {
 public:
  struct Size {
    int pairs = 0;
    bool has_friction = false;
  };

  PairRooms() = default;
  explicit PairRooms(std::span<const Size> sizes);

  PairRoom room(std::size_t member) const;

  /// Makes sure that so many pairs fit; false if that is impossible.
  bool make_room(std::size_t member, int pairs, bool has_friction) const;

  /// [members] In the memory of the execution space.
  PairRoom* data() const { return memory_is_on_host ? on_host_.get() : on_device_.data(); }

  /// True if kernels run where memory can grow.
  static constexpr bool memory_is_on_host =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, Kokkos::DefaultExecutionSpace::memory_space>::accessible;

 private:
  std::shared_ptr<PairRoom> on_host_;  ///< which frees what its rooms have
  Kokkos::View<PairRoom*> on_device_;
  Kokkos::View<double*> reals_;  ///< of all
  Kokkos::View<int*> integers_;
};

}  // namespace rodeo::contact
