#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"

namespace rodeo::keys {

/// Steps, events and storage; branches of equilibria.
inline constexpr auto run_and_branch = std::to_array<KeyInfo>({
    choice<&SharedSpec::method>(
        "time.method", "dynamic",
        "dynamic: motion in time, by explicit steps of cosserat, by implicit ones of der; implicit: motion "
        "in time by implicit steps of cosserat; static: equilibria under the loads at the end of each time "
        "step, which is the whole time if not given"),
    flag<&TimeSpec::from_equilibrium>(
        "time.from", "start", "start|equilibrium",
        "motion begins where rods stand by their shape or state (start), or where they come to rest from "
        "there under the loads of t = 0 (equilibrium)"),
    real("time.step", "s", no_default, positive, "time step"),
    real("time.step_per_length", "s/m", no_default, positive,
         "instead of time.step: time step over the rest length of an element"),
    real("time.end", "s", no_default, positive,
         "simulated time; where the step does not divide it, the last step ends after it; 1 s if not given "
         "with time.method = static"),
    integer<&TimeSpec::slice_steps>("time.slice_steps", "1000", 1.0, 1e9,
                                    "time steps between two looks at a member's health and events"),
    real("time.step_per_crossing", "1", no_default, positive,
         "instead of time.step: time step over the time a stretch wave takes along the rod at rest, L "
         "sqrt(rho A/S3)"),
    real("time.end_per_crossing", "1", no_default, positive,
         "instead of time.end: simulated time over the time a stretch wave takes along the rod at rest"),
    choice<&SharedSpec::scheme>(
        "time.scheme", no_default,
        "how an implicit step is taken: backward_euler (first order, one solve; all motion fades by it) or "
        "generalized_alpha (second order, one solve; it takes motion that is faster than the steps); of der "
        "also sdirk2 (second order, two solves; motion hardly fades by it) or midpoint (second order, one "
        "solve; fast motion stays); of cosserat also energy_momentum (second order, one solve; it conserves "
        "energy and momenta, and takes about six times as long); if not given, backward_euler of der and "
        "generalized_alpha of cosserat"),
    real<&TimeSpec::tolerance>(
        "time.tolerance", "1", "0", {.minimum = 0.0, .maximum = 0.1},
        "estimated error of a step above which it is halved, at most newton.halvings times: of places over "
        "the rod's length, and of turns in rad; time.step is the longest step; 0: steps are not adapted"),
    real<&TimeSpec::spectral_radius>(
        "time.spectral_radius", "1", no_default, {.minimum = 0.0, .maximum = 1.0},
        "part of the fastest motion that a step of generalized_alpha keeps: 1 all of it, 0 none; 0.5 if not "
        "given, and 0 with contact or ground, whose impacts make such motion"),
    real<&NewtonSpec::tolerance>(
        "newton.tolerance", "1", "1e-6", positive,
        "norm of the force that a step may leave unbalanced, over bend stiffness/rod.length^2"),
    real<&NewtonSpec::relative_tolerance>(
        "newton.relative_tolerance", "1", "0", {.minimum = 0.0, .maximum = 1.0},
        "fraction of the first iterate's unbalanced force that is enough as well, where it is below a "
        "hundredth of the external forces; 0: none is"),
    integer<&NewtonSpec::iterations>("newton.iterations", "50", 1.0, 1e6,
                                     "most iterations of Newton's method in a step"),
    integer<&NewtonSpec::halvings>(
        "newton.halvings", "10", 0.0, 40.0,
        "how often a step is halved, at most, where its iteration does not converge"),
    integer<&SharedSpec::modes>(
        "modes.count", "0", 0.0, 100.0,
        "vibrations about the equilibrium at time.end that members report as frequency_1, frequency_2 and so "
        "on (Hz) and decay_rate_1 and so on (1/s, by the damping), from the slowest, but motions that cost "
        "no energy; with output.frames, their shapes too"),
    real<&SharedSpec::buckling_energy>(
        "observe.buckling_energy", "J", "0", not_negative,
        "energy of bending and twist above which a member counts as buckled and stops; 0: never"),
    real<&SharedSpec::buckling_translational_energy>(
        "observe.buckling_translational_energy", "J", "0", not_negative,
        "translational energy above which a member counts as buckled and stops; 0: never"),
    real<&SharedSpec::energy_tolerance>("observe.energy_tolerance", "1", "0.02", positive,
                                        "growth of a member's energy without work, over the largest so far, "
                                        "above which it ends as \"gained energy\"; 1e9: never"),
    real<&SettleSpec::tolerance>(
        "observe.settle", "1", "0", {.minimum = 0.0, .maximum = 0.1},
        "relative change over observe.settle_periods below which observe.settle_in counts as settled, if by "
        "its last changes it would not change by more until time.end either; the member then ends, with what "
        "it reports as if that were time.end; 0: it runs to time.end"),
    free_text("observe.settle_in", "the observable that has to settle; study.objective if not given"),
    real<&SettleSpec::periods>(
        "observe.settle_periods", "1", "0.5", {.minimum = 0.25, .maximum = 1000.0},
        "periods over which the values are compared, one at each quarter of a period: a multiple of 0.25"),
    real("observe.settle_interval", "s", no_default, positive,
         "length of a period where there is no muscle.period; periods are counted back from time.end"),
    real_list(
        "variable.NAME", "",
        "a number, or several, under a name of the deck's own (variable.reach = 0.3), which expressions use "
        "and studies vary as they do keys: variable.reach, or variable.weights[2] of several"),
    repeatable_formulas(
        "measure.define",
        "NAME [UNIT] : EXPRESSION, a new observable: arithmetic with last, at, max, min, mean, rms, integral "
        "and first_time of signals over time (rodeo signals lists them), for example height [m] : "
        "max(z(end)); with model.kind = function of function_value and numbers of the deck"),
    real("measure.interval", "s", no_default, positive,
         "time between two samples of what measure.define reduces, to whole steps; if not given, each step "
         "of implicit methods and of equilibria, time.slice_steps of others"),
    free_text(
        "measure.data",
        "CSV file of measured positions, with which misfit and its like compare the rods: a header of time "
        "(s), rod (where there are several), one of node, s (fraction of the rest length) and arc_length "
        "(m), x, y, z (m) and, if they differ, weight, and a row for each point; empty fields are not known; "
        "a relative path starts at the deck's folder; stored decks hold it as measure.point"),
    repeatable_formulas("measure.point",
                        "TIME, PLACE : X, Y, Z [, WEIGHT], a measured position (s, m; empty: not known) at "
                        "node K, s FRACTION, s LENGTH m, start, middle or end, with rod K where there are "
                        "several: 0.5, rod 1, end : 0.2, , 0.1"),
    integer("output.frames", "0", 0.0, 1e6,
            "stored instants of a trajectory, from the start to time.end; 0 (none) or at least 2"),
    free_text("output.keep",
              "whose frames are kept: all, none, or best K: when all members have ended, the K best by "
              "study.objective run once more and leave their frames in FILE_kept.h5",
              "all"),
    free_text("output.fields",
              "comma-separated names of what a frame holds besides positions: velocity, orientation, "
              "angular_velocity, dilatation, radius, curvature"),
    free_text("output.rods",
              "of a member with several rods, those whose nodes frames hold: all, or comma-separated numbers "
              "from 0 (negative ones from the last), ranges K to L, every N, and K to L every N",
              "all"),
    free_text("output.observables",
              "comma-separated names of observables that frames hold too, as they stand at that time"),
    choice("output.precision", "double", "float|double", "number type of stored trajectories"),
    choice("output.states", "none", "none|last",
           "last: the whole state of each member that ends well stays in FILE.h5.states, from which rodeo "
           "extend --time.end goes on bit by bit; none: members that are to run longer run anew"),
    real("output.checkpoint_interval", "s", "600", not_negative,
         "wall time between two checkpoints of members that run, from which resume goes on with them; 0: "
         "none"),
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
