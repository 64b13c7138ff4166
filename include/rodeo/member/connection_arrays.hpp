#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Kokkos_Core.hpp>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/member/batch_views.hpp"
#include "rodeo/member/state_archive.hpp"

namespace rodeo {

/// The connections of members, in the memory of the execution space.
class ConnectionArrays {
 public:
  ConnectionArrays() = default;
  explicit ConnectionArrays(const std::vector<connection::Parts>& members);

  /// Connections of all members, for kernels.
  BatchConnections all() const { return {device_handles_.data(), device_handles_.size()}; }

  /// Links between points of a member, in host memory.
  std::vector<connection::PointLink> points(std::size_t member) const;

  /// Saves or restores which bonds of a member have broken.
  void visit_state(std::size_t member, StateArchive& archive) const;

 private:
  Kokkos::View<connection::PointLink*> points_;
  Kokkos::View<connection::TurnLink*> turns_;
  Kokkos::View<connection::NodeJoint*> joints_;
  Kokkos::View<connection::Target*> targets_;
  Kokkos::View<connection::Share*> shares_;
  Kokkos::View<Vec3*> loads_;
  Kokkos::View<connection::Connections*> device_handles_;  ///< [members]; empty: none has connections
  std::vector<connection::Connections> handles_;           ///< [members]; to the same memory
  std::vector<std::size_t> first_point_;                   ///< [members]
};

}  // namespace rodeo
