#pragma once

#include <vector>

#include "rodeo/math/rotation.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo {

/// Two elements next to each other, or a held end and an element, that turn this far against each other end a
/// member: half a turn or more is none but a smaller one the other way, rad.
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

/// Sees whether two elements next to each other have come to half a turn against each other, or past it, in
/// steps in which they turn by less than that.
class RegionTurns {
 public:
  /// `bends_without_end`: bending has no largest turn, as where its strain is infinite at half a turn; twist
  /// alone is looked at.
  explicit RegionTurns(bool bends_without_end) : bends_without_end_(bends_without_end) {}

  /// Begins with the rods as they are.
  void begin(const std::vector<ConstRodView>& rods);

  /// Whether two elements have done so since the last call.
  bool come_over(const std::vector<ConstRodView>& rods);

 private:
  bool bends_without_end_;
  std::vector<Quaternion> turns_;
};

}  // namespace rodeo
