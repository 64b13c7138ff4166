#pragma once

#include <vector>

#include "rodeo/contact/near_pairs.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::coupling {

/// Watches whether elements of a member pass through each other between the states that it is shown, on
/// straight ways from each to the next. It trusts nothing that steps do about contact: it finds the pairs
/// that are near by itself, and goes on from the state that it saw last, so that a move between two steps
/// counts too.
class PassingWatch {
 public:
  /// `all` are the member's arrays, which have to stay where they are. Pairs are listed that are `skin` (m)
  /// farther apart than is needed.
  PassingWatch(const ConstRodView& all, contact::NearPairs near, double skin);

  /// Takes the state of the arrays as the start of the next move.
  void stand();

  /// Looks at the straight way to the state of the arrays, where the next one begins.
  void look();

  /// Whether any two elements have passed through each other on a way.
  bool has_passed() const { return passed_; }

 private:
  using Positions = std::vector<Vec3>;  ///< [nodes], m

  void read(Positions& positions) const;

  ConstRodView all_;
  contact::NearPairs near_;
  double skin_;
  Positions last_;
  Positions now_;
  std::vector<contact::ElementPair> pairs_;
  Positions listed_;          ///< where nodes were when pairs were listed
  double listed_gap_ = -1.0;  ///< between surfaces, up to which they were, m; negative: they are not
  bool passed_ = false;
};

}  // namespace rodeo::coupling
