#include "rodeo/coupling/ties.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace rodeo::coupling {

namespace {

/// A node of a rod.
struct NodeOfRod {
  int unknown;  ///< first of the node
  int entry;    ///< in the arrays
  bool ghost;   ///< of the first node of a closed rod
  bool held;
  bool slides;

  /// Rank by which the lowest of tied nodes leads: held ones first, then sliding and free ones, then ghosts.
  int rank() const { return ghost ? 3 : held ? 0 : slides ? 1 : 2; }
};

}  // namespace

Ties::Ties(const Rods& rods, const connection::Parts& parts, const RodView& all, int stride) {
  std::map<int, int> group_of_entry;
  for (std::size_t k = 0; k < parts.joints.size(); ++k) {
    const connection::NodeJoint& joint = parts.joints[k];
    for (int i = joint.first; i < joint.first + joint.count; ++i)
      group_of_entry[parts.shares[static_cast<std::size_t>(i)].from] = -1 - static_cast<int>(k);
  }
  std::map<int, std::vector<NodeOfRod>> groups;
  int first = 0;
  for (const RodData& rod : rods) {
    const int n = rod.elements;
    for (int i = 0; i <= n; ++i) {
      const bool ghost = rod.closure.closed && i == n;
      const int entry = rod.first + i;
      const int own = ghost ? rod.first : entry;
      const auto joined = group_of_entry.find(own);
      const bool slides = (i == 0 && rod.sliding.first) || (i == n && rod.sliding.last);
      const bool held = all.array(field::velocity_gain)[entry] == 0.0;
      groups[joined != group_of_entry.end() ? joined->second : own].push_back(
          {first + stride * i, entry, ghost, held, slides});
    }
    first += stride * n + 3;
  }
  for (const auto& [group, nodes] : groups) {
    if (nodes.size() == 1) continue;
    if (leader_.empty()) {
      leader_.resize(static_cast<std::size_t>(first));
      std::iota(leader_.begin(), leader_.end(), 0);
    }
    const NodeOfRod& leading = *std::ranges::min_element(nodes, {}, &NodeOfRod::rank);
    std::vector<int> entries = {leading.entry};
    for (const NodeOfRod& node : nodes) {
      if (node.unknown == leading.unknown) continue;
      const bool has_entry = !node.ghost && std::ranges::find(entries, node.entry) == entries.end();
      if (has_entry) entries.push_back(node.entry);
      for (int c = 0; c < 3; ++c) leader_[static_cast<std::size_t>(node.unknown + c)] = leading.unknown + c;
      followers_.push_back({node.unknown, leading.unknown, has_entry, node.ghost, node.entry, leading.entry});
    }
  }
}

}  // namespace rodeo::coupling
