#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr Observable branch_value = {"branch_value",
                                            "as branch.key",
                                            "value of branch.key at the point that the branch has come to",
                                            [](const Observation& o) { return o.last.branch.value; },
                                            Known::always,
                                            "branch.key"};

inline constexpr Observable bifurcations = {
    "bifurcations",
    "1",
    "points of the branch so far where another one crosses it; NaN with loads that have no energy",
    [](const Observation& o) { return o.last.branch.bifurcations; },
    Known::always,
    "branch.key"};

inline constexpr Observable folds = {"folds",
                                     "1",
                                     "points of the branch so far where branch.key turns round",
                                     [](const Observation& o) { return o.last.branch.folds; },
                                     Known::always,
                                     "branch.key"};

inline constexpr Observable critical_value = {
    "critical_value",
    "as branch.key",
    "value of branch.key at the first bifurcation or fold of the branch; NaN if it has had none",
    [](const Observation& o) { return o.last.branch.critical; },
    Known::always,
    "branch.key"};

}  // namespace rodeo::observe
