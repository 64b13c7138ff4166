#include "rodeo/member/connection_arrays.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace rodeo {

namespace {

using connection::Parts;

/// All members' entries of one list, one member after the other.
template <class T>
Kokkos::View<T*> joined(const std::vector<Parts>& members, std::vector<T> Parts::*list, const char* name) {
  std::size_t size = 0;
  for (const Parts& parts : members) size += (parts.*list).size();
  const Kokkos::View<T*> all(std::string(name), size);
  const auto host = Kokkos::create_mirror_view(all);
  std::size_t next = 0;
  for (const Parts& parts : members) {
    for (const T& entry : parts.*list) host(next++) = entry;
  }
  Kokkos::deep_copy(all, host);
  return all;
}

}  // namespace

ConnectionArrays::ConnectionArrays(const std::vector<Parts>& members)
    : points_(joined(members, &Parts::points, "links of points")),
      turns_(joined(members, &Parts::turns, "links of couples")),
      joints_(joined(members, &Parts::joints, "joints of nodes")),
      targets_(joined(members, &Parts::targets, "what links act on")),
      shares_(joined(members, &Parts::shares, "shares of links")) {
  std::size_t points = 0;
  std::size_t turns = 0;
  std::size_t joints = 0;
  std::size_t targets = 0;
  std::size_t shares = 0;
  std::size_t loads = 0;
  for (const Parts& parts : members) loads += parts.load_count();
  loads_ = Kokkos::View<Vec3*>("loads of links", loads);
  loads = 0;
  for (const Parts& parts : members) {
    connection::Connections all = parts.counted();
    all.points = points_.data() + points;
    all.turns = turns_.data() + turns;
    all.joints = joints_.data() + joints;
    all.targets = targets_.data() + targets;
    all.shares = shares_.data() + shares;
    all.loads = loads_.data() + loads;
    handles_.push_back(all);
    first_point_.push_back(points);
    points += parts.points.size();
    turns += parts.turns.size();
    joints += parts.joints.size();
    targets += parts.targets.size();
    shares += parts.shares.size();
    loads += parts.load_count();
  }
  if (points + turns + joints == 0) return;
  device_handles_ = Kokkos::View<connection::Connections*>("connections", handles_.size());
  const auto host = Kokkos::create_mirror_view(device_handles_);
  std::ranges::copy(handles_, host.data());
  Kokkos::deep_copy(device_handles_, host);
}

std::vector<connection::PointLink> ConnectionArrays::points(std::size_t member) const {
  const std::size_t first = first_point_[member];
  const auto count = static_cast<std::size_t>(handles_[member].point_count);
  const auto host = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(points_, std::pair(first, first + count)));
  return {host.data(), host.data() + count};
}

void ConnectionArrays::visit_state(std::size_t member, StateArchive& archive) const {
  const std::size_t first = first_point_[member];
  const auto count = static_cast<std::size_t>(handles_[member].point_count);
  const auto part = Kokkos::subview(points_, std::pair(first, first + count));
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part);
  for (std::size_t k = 0; k < count; ++k) archive.visit(host(k).broken);
  if (archive.restores()) Kokkos::deep_copy(part, host);
}

}  // namespace rodeo
