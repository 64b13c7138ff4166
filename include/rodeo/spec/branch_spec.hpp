#pragma once

#include <memory>
#include <vector>

#include "rodeo/spec/words.hpp"

namespace rodeo {

class MemberFamily;

/// Condition that ends a branch (deck key branch.stop).
enum class BranchStop {
  range,              ///< where its value leaves branch.from to branch.to
  first_bifurcation,  ///< where another branch crosses it, if that is before
  first_fold,         ///< where its value turns round, if that is before
  first_flutter       ///< where rods under loads without an energy begin to move away, if that is before
};
template <>
inline constexpr auto words<BranchStop> = [] {
  using enum BranchStop;
  return std::to_array<Word<BranchStop>>({{"range", range},
                                          {"first_bifurcation", first_bifurcation},
                                          {"first_fold", first_fold},
                                          {"first_flutter", first_flutter}});
}();

/// The branch of equilibria that a member follows from its own one, as a number of its deck changes.
struct BranchSpec {
  std::shared_ptr<const MemberFamily> family;  ///< the members by that number; null: there is no branch
  double from = 0.0;                           ///< the number, of the member itself
  double to = 0.0;
  double step = 0.0;  ///< most between two points, of an arclength of which from - to is 1
  int points = 0;     ///< most; each takes one of the member's steps, the last ones
  BranchStop stop = BranchStop::range;
  /// Numbers, from 1, of the bifurcations at which the branch is left for the one that crosses it, to the
  /// side of the sign: of the branch from `from`, then of the one so reached, and so on; ends at 0.
  std::vector<double> turns;

  bool exists() const { return family != nullptr; }
};

}  // namespace rodeo
