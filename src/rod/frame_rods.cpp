#include "rodeo/rod/frame_rods.hpp"

#include <numeric>

#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

std::vector<int> frame_rods(const MemberSpec& spec) {
  if (!spec.frame_rods.empty()) return spec.frame_rods;
  std::vector<int> rods(static_cast<std::size_t>(spec.rod_count()));
  std::iota(rods.begin(), rods.end(), 0);
  return rods;
}

std::vector<int> frame_rod_nodes(const MemberSpec& spec) {
  const std::vector<int> all = rod_nodes(spec);
  std::vector<int> nodes;
  for (const int rod : frame_rods(spec)) nodes.push_back(all[static_cast<std::size_t>(rod)]);
  return nodes;
}

}  // namespace rodeo
