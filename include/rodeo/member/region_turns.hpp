#pragma once

#include <vector>

#include "rodeo/math/rotation.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo {

/// Turn of two neighbouring elements, or a held end and an element, that ends a member, rad: half a turn or
/// more would count as a smaller turn the other way.
inline constexpr double most_turn = 3.0;

/// Whether two orientations are twisted by most_turn against each other.
bool is_twisted_over(const Quaternion& turn);

/// Whether two orientations are turned by most_turn against each other, about any axis.
bool is_turned_over(const Quaternion& turn);

/// Whether the strains between an element, or a held end, and the next one depend on their turn.
inline bool minds_turns(const ConstRodView& rod, int region) {
  return rod.array(field::bend_stiffness)[region] > 0.0 && rod.array(field::twist_stiffness)[region] > 0.0;
}

inline Quaternion turn_between(const ConstRodView& rod, int region) {
  return conjugate(rod.quaternion(region)) * rod.quaternion(region + 1);
}

/// Detects whether two neighbouring elements have come to half a turn against each other, or past it, in
/// steps in which they turn by less than that.
class RegionTurns {
 public:
  /// `bends_without_end`: bending has no largest turn, as where its strain is infinite at half a turn; twist
  /// alone is looked at.
  explicit RegionTurns(bool bends_without_end) : bends_without_end_(bends_without_end) {}

  /// Notes the rods as they are.
  void begin(const std::vector<ConstRodView>& rods);

  /// Whether two elements have come to half a turn since the last call.
  bool come_over(const std::vector<ConstRodView>& rods);

 private:
  bool bends_without_end_;
  std::vector<Quaternion> turns_;
};

}  // namespace rodeo
