#include "rodeo/fluid/mobility.hpp"

#include "rodeo/math/lanes.hpp"

namespace rodeo::fluid {

NodeVectors::NodeVectors(int nodes)
    : nodes_(nodes), pitch_(pitch_of(nodes)), entries_(3 * static_cast<std::size_t>(pitch_)) {}

int NodeVectors::pitch_of(int nodes) { return (nodes + block_size - 1) / block_size * block_size; }

void NodeVectors::set(int node, const Vec3& v) {
  component(0)[node] = v.x;
  component(1)[node] = v.y;
  component(2)[node] = v.z;
}

}  // namespace rodeo::fluid
