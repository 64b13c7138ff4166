#pragma once

#include <array>
#include <memory>
#include <vector>

#include "rodeo/spec/words.hpp"

namespace rodeo {

/// Model of a member (deck key model.kind). The words are the names in the table of models.
enum class ModelKind {
  cosserat,  ///< explicit Cosserat rod (Gazzola et al. 2018)
  der,       ///< implicit discrete elastic rod (Tong et al. 2023)
  rigid,     ///< rods that do not deform: bodies of the shape that they start with
  noop,      ///< waits noop.seconds and reports nothing: measures dispatch and file system alone
  function   ///< a test function of optimisers
};

/// Solution that is asked of a member (deck key time.method).
enum class TimeMethod {
  dynamic,      ///< motion in time, by the steps of its model
  equilibrium,  ///< where it is at rest
  implicit      ///< motion in time, by implicit steps where those of its model are explicit
};
template <>
inline constexpr auto words<TimeMethod> = [] {
  using enum TimeMethod;
  return std::to_array<Word<TimeMethod>>(
      {{"dynamic", dynamic}, {"static", equilibrium}, {"implicit", implicit}});
}();

/// Scheme of implicit steps (deck key time.scheme).
enum class TimeScheme {
  backward_euler,     ///< one solve, of first order
  sdirk2,             ///< two solves, of second order (Alexander 1977)
  midpoint,           ///< one solve, of second order, which keeps the energy of fast motion
  generalized_alpha,  ///< one solve, of second order, which takes the energy of fast motion (Chung and
                      ///< Hulbert 1993)
  energy_momentum  ///< one solve, of second order, which conserves energy and momenta (Simo and Tarnow 1992)
};
template <>
inline constexpr auto words<TimeScheme> = [] {
  using enum TimeScheme;
  return std::to_array<Word<TimeScheme>>({{"backward_euler", backward_euler},
                                          {"sdirk2", sdirk2},
                                          {"midpoint", midpoint},
                                          {"generalized_alpha", generalized_alpha},
                                          {"energy_momentum", energy_momentum}});
}();

/// Whether a scheme takes energy of all motion, also of what its steps resolve.
constexpr bool always_takes_energy(TimeScheme scheme) { return scheme == TimeScheme::backward_euler; }

/// Whether steps that are about to be too long take energy and give it back later.
constexpr bool may_give_back_energy(TimeScheme scheme) { return scheme == TimeScheme::generalized_alpha; }

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
