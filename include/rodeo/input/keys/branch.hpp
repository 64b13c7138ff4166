#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"

namespace rodeo::keys {

/// Branches of equilibria.
inline constexpr auto branch = std::to_array<KeyInfo>({
    free_text("branch.key",
              "KEY or KEY[i], a real number of the deck: from its equilibrium at branch.from the member "
              "follows the branch of equilibria on which it changes, with time standing still at time.end"),
    real<&BranchSpec::from>("branch.from", "as branch.key", "0", any_number, "where the branch begins"),
    real<&BranchSpec::to>(
        "branch.to", "as branch.key", no_default, any_number,
        "where it is to go; it ends where it leaves the range between branch.from and this"),
    real<&BranchSpec::step>(
        "branch.step", "1", "0.05", positive,
        "longest way from a point to the next: root of the sum of the squares of the mean displacement over "
        "the rod's length, the mean turn (rad) and the change of branch.key over branch.to - branch.from"),
    integer<&BranchSpec::points>("branch.points", "100", 1.0, 1e6, "most points after the first"),
    choice<&BranchSpec::stop>(
        "branch.stop", "range",
        "where the branch ends: where it leaves its range, or before at the first bifurcation or fold, or "
        "where one of modes.count vibrations under loads that have no energy begins to grow"),
    real_list("branch.turns", "1",
              "which of the branches it is: numbers of bifurcations, from 1, at which to go over to the "
              "branch that crosses, to the side of the sign (2, -1: at the second one of the branch from "
              "branch.from, then at the first one of the branch so reached), up to a 0; study.kind = branch "
              "runs all, with as many turns as there are zeros",
              any_number, "0"),
    integer("branch.bifurcations", "4", 1.0, 1000.0,
            "bifurcations of a branch, from its beginning, at which study.kind = branch follows the branches "
            "that cross"),
});

}  // namespace rodeo::keys
