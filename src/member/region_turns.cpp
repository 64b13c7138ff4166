#include "rodeo/member/region_turns.hpp"

#include <cmath>

namespace rodeo {

namespace {

const double tangent_of_most = std::tan(0.5 * most_turn);
const double cosine_of_most = std::cos(0.5 * most_turn);

/// A turn by that of its two quaternions which is nearer to `other`.
Quaternion nearer(const Quaternion& turn, const Quaternion& other) {
  const double product = turn.w * other.w + turn.x * other.x + turn.y * other.y + turn.z * other.z;
  return product < 0.0 ? Quaternion{-turn.w, -turn.x, -turn.y, -turn.z} : turn;
}

/// Whether it bends by less than a right angle: what then comes past half a turn does so by twist.
bool bends_little(const Quaternion& turn) { return turn.w * turn.w + turn.z * turn.z > 0.5; }

template <class Visit>
void for_each_region(const std::vector<ConstRodView>& rods, const Visit& visit) {
  for (const ConstRodView& rod : rods) {
    for (int region = -1; region < rod.elements; ++region) visit(rod, region);
  }
}

}  // namespace

bool is_twisted_over(const Quaternion& turn) {
  return std::abs(turn.z) > tangent_of_most * std::abs(turn.w) && turn.z * turn.z > 0.5;
}

bool is_turned_over(const Quaternion& turn) { return std::abs(turn.w) < cosine_of_most; }

void RegionTurns::begin(const std::vector<ConstRodView>& rods) {
  turns_.clear();
  for_each_region(rods, [&](const ConstRodView& rod, int region) {
    turns_.push_back(minds_turns(rod, region) ? turn_between(rod, region) : Quaternion{});
  });
}

bool RegionTurns::come_over(const std::vector<ConstRodView>& rods) {
  bool any = false;
  auto before = turns_.begin();
  for_each_region(rods, [&](const ConstRodView& rod, int region) {
    Quaternion& last = *before++;
    if (!minds_turns(rod, region)) return;
    const Quaternion turn = nearer(turn_between(rod, region), last);
    const bool jumped =
        turn.w * last.w < 0.0 && (!bends_without_end_ || (bends_little(turn) && bends_little(last)));
    any = any || jumped || (bends_without_end_ ? is_twisted_over(turn) : is_turned_over(turn));
    last = turn;
  });
  return any;
}

}  // namespace rodeo
