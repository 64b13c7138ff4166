#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"

namespace rodeo::keys {

/// Study that a deck asks for, and settings of each study.
inline constexpr auto study = std::to_array<KeyInfo>({
    choice("study.kind", "single", "single|sweep|boundary|branch|convergence|optimize|sensitivity",
           "what the deck asks for: one candidate, the candidates of a sweep, where outcomes change over its "
           "axes, the branches of equilibria over branch.key, the levels of a ladder, the best candidate, or "
           "what each parameter has to do with how results vary"),
    integer("study.seed", "1", 0.0, 0x1p64, "seed of all random numbers of the study"),
    integer("study.member_seed", no_default, 0.0, 0x1p64,
            "instead of what follows from study.seed: seed of the only member's random numbers, as "
            "/members/seed of a campaign has it; the decks of rodeo best have that of their member"),
    free_text("study.part",
              "K/N: part K of N equal parts of a sweep's candidates, each of which runs by itself; rodeo "
              "merge makes one campaign of their files",
              "1/1"),
    repeatable_text("study.rerun",
                    "MEMBERS with KEY = VALUE ..., such as 3, 17-20 with time.step = 1e-5: members that run "
                    "with other values of what says how they run, as rodeo extend --failed leaves it for "
                    "those that had ended badly"),
    free_text("study.reuse",
              "FILE.h5, FILE.h5 ...: result files of this build whose rows of the same members, by what "
              "these compute from, their points and their random numbers, are taken instead of being run "
              "again; /members/rank is -1 there; a relative path starts at the deck's folder"),
    integer("study.repeats", "1", 1.0, 1e9,
            "members per candidate, or per scenario of it, each with random numbers of its own"),
    repeatable_text("study.scenarios",
                    "what each candidate of a search meets: KEY : list(v,...) with KEY : list(v,...), as in "
                    "sweep.axis, or a CSV file as of sweep.points, or KEY : normal(mean,deviation), as in "
                    "sensitivity.parameter, which is drawn anew for each scenario; all lists are combined, "
                    "and the scenarios are the same for all candidates, seeds included"),
    integer("study.draws", "1", 1.0, 1e6,
            "scenarios of each combination that study.scenarios lists, which differ in what is drawn"),
    repeatable_text(
        "study.correlation",
        "KEY, KEY : r, two numbers that a study draws and their coefficient of correlation, as normal "
        "numbers of the same probabilities have it (Gaussian copula): axes of sweep.sampler = "
        "latin_hypercube|sobol, sensitivity.parameter, study.scenarios; 0 for pairs that are not named"),
    real("study.worst_share", "1", "1", {.minimum = 0.0, .maximum = 1.0},
         "objective and constraints of a candidate are means over this share of its scenarios, those in "
         "which each is worst: 1: all; 0: the worst one alone"),
    free_text("study.objective", "observable by which candidates are compared (for example forward_speed)"),
    choice("study.sense", "max", "max|min", "whether a large or a small objective is best"),
    free_text("study.pareto",
              "NAME max, NAME min ...: several objectives, by which /pareto marks the candidates of which "
              "none is better in all of them (none of those that violate a constraint)"),
    real("study.deadline", "s", "0", not_negative,
         "wall time a member may take, its share of that of its batch; one that takes longer is stopped and "
         "has timed out; 0: none"),
    repeatable_text(
        "sweep.axis",
        "KEY : linspace(a,b,n) | logspace(a,b,n) | list(v,...), with KEY or KEY[i] a number of the deck, or "
        "for list a key that takes one of some words; a and b are the first and the last value, also of "
        "logspace (a, b > 0, not exponents); numbers may be expressions, in which keys and variables have "
        "the deck's own values; keys that move together stand on one line, KEY : ... with KEY : ..."),
    free_text("sweep.points",
              "CSV file of candidates, which stands beside the deck: a header of keys as in sweep.axis, and "
              "one row a candidate; its points are stored with the results, and are combined with all values "
              "of the axes, if there are any"),
    choice("sweep.sampler", "grid", "grid|latin_hypercube|sobol",
           "grid: all combinations of the axes' values; else sweep.samples points between the axes' ends"),
    integer("sweep.samples", no_default, 1.0, 1e9, "candidates drawn by latin_hypercube and sobol"),
    free_text("refine.observable",
              "observable whose side of refine.level is the outcome of a member that ended well; status, or "
              "nothing: only how members end tells them apart"),
    real("refine.level", "as the observable", no_default, any_number,
         "value of refine.observable that the boundary stands for: below it, or not"),
    real_list(
        "refine.stride", "1",
        "steps between the nodes that are evaluated first, one number for all axes or one for each: islands "
        "of a radius below 0.75 strides (0.9 over three axes) can be missed; 1 evaluates all; 8, or half the "
        "axis, if not given. An axis over list(v,...) is refined only where its own number is above 1: else "
        "its values, as words, have nothing between them, and each is taken by itself",
        {.minimum = 1.0, .maximum = 1e6}),
    choice("refine.method", "cells", "cells|predict|value",
           "cells: boxes in which outcomes disagree are halved, without waiting; predict: splines say where, "
           "which takes two thirds of the members, in some ten rounds that wait for their last member; "
           "value: boxes are halved until refine.observable, which must be continuous, is linear between "
           "their corners near refine.level"),
    real("refine.tolerance", "1", "0.25", positive,
         "error in the place of the boundary, in steps of the grid, that refine.method = value leaves"),
    free_text("convergence.axis",
              "KEY : list(v,...) as for sweep.axis: the levels of a ladder; KEY changes the elements, the "
              "step or both (time.step_per_length slaves the step to the elements)"),
    choice<&SharedSpec::reference>(
        "convergence.reference", "finest",
        "what the levels' profiles are compared to at their end: the nodes of the finest level (needs "
        "output.frames), or a solution in closed form (in any study: observables profile_error_*)"),
    free_text("convergence.observables",
              "NAME, NAME ...: observables or measures whose values are compared instead of profiles, with "
              "the finest level's or with convergence.exact"),
    real_list("convergence.exact", "as the observables",
              "what convergence.observables converge to, a number for each; without it the finest level is "
              "the reference"),
    repeatable_text(
        "optimize.parameter",
        "KEY : [lower,upper] start s scale d log | list(v,...) start v scale d, with KEY, KEY[i] or KEY[i:j] "
        "(entries i to j-1) real or whole numbers of the deck; without bounds [-inf, inf]; d is the unit of "
        "optimize.sigma, by default upper - lower; with log the search moves in the logarithm: bounds and s "
        "are above 0, and d counts decades, by default log10(upper/lower); a list has words, or some "
        "numbers, that are neighbours in this order; d counts its places; numbers may be expressions"),
    repeatable_text(
        "optimize.constraint",
        "NAME <= VALUE or NAME >= VALUE, with NAME an observable or measure: the best candidate is the best "
        "of those that fulfil all constraints, which the search approaches by an augmented Lagrangian"),
    integer("optimize.population", no_default, 2.0, 1e6,
            "candidates of a generation, lambda; 4 + floor(3 ln n) for n parameters if not given"),
    integer("optimize.workers", no_default, 1.0, 1e6,
            "members that run at once, for which the population is rounded up to a multiple when "
            "optimize.population is not given; results do not depend on how many there are"),
    real<&SearchSpec::sigma>(
        "optimize.sigma", "1", "0.3", positive,
        "standard deviation of the first generation, in units of each parameter's scale"),
    integer("optimize.generations", "1000", 1.0, 1e8, "most generations, those of restarts included"),
    integer("optimize.evaluations", no_default, 2.0, 1e9,
            "most candidates, those of restarts included; the file has room for them; optimize.generations "
            "times the population if not given"),
    choice<&SearchSpec::restarts>("optimize.restarts", "none",
                                  "whether a search that has stopped short of optimize.target starts again: "
                                  "with twice the population, or by turns with large and small ones"),
    choice<&SearchSpec::shape>(
        "optimize.covariance", "full",
        "what is adapted of the covariance matrix; diagonal (separable) for hundreds of parameters"),
    choice<&SearchSpec::learning>(
        "optimize.learning", "fixed",
        "adapted: for noisy objectives; candidates that are evaluated twice show the noise, and where it is "
        "strong a search makes the share of each update that stands out from it (LRA-CMA-ES); without noise "
        "it takes 4 to 9 % more evaluations"),
    free_text("optimize.from",
              "FILE.h5: the search starts with the mean, sigma and covariance with which the search in that "
              "file ended, over parameters of the same names; a relative path starts at the deck's folder; "
              "stored decks hold them as optimize.distribution"),
    real_list("optimize.distribution", "1",
              "where a search starts that goes on from another one: sigma, the mean of the parameters in the "
              "order of optimize.parameter (values, logarithms or places in a list, in units of their "
              "scales), and the lower triangle of the covariance matrix, row by row"),
    choice("optimize.mode", "generational", "generational|asynchronous",
           "whether workers wait for the end of a generation or begin the next one before"),
    integer("optimize.ahead", no_default, 1.0, 1e6,
            "candidates of the next generation that optimize.mode = asynchronous begins when all but as many "
            "of this one have ended, at most the population: twice the workers is enough; an eighth of the "
            "population if not given"),
    real("optimize.target", "as the objective", no_default, any_number,
         "objective at which the search stops"),
    real<&StopTolerances::fitness>(
        "optimize.tolerance", "as the objective", "1e-11", not_negative,
        "the search stops when the objective varies by less over generations (tolfun, tolfunhist); 0: never"),
    real<&StopTolerances::x>(
        "optimize.tolerance_x", "1", "1e-11", not_negative,
        "the search stops when its standard deviations are below this times the first ones (tolx); 0: never"),
    repeatable_text("fidelity.level",
                    "KEY = VALUE, KEY = VALUE ..., with KEY or KEY[i] numbers or words of the deck: a level "
                    "of a ladder, the cheapest first; what a level does not name has the deck's own value, "
                    "and above one level alone stands the deck itself; candidates of the last level alone "
                    "count, those of the others find which to run there"),
    real("fidelity.correlation", "1", "0.7", {.minimum = -1.0, .maximum = 1.0},
         "a level is left if the ranks of members that ran on it and on the next one correlate by less "
         "(Spearman)"),
    integer("fidelity.compared", "8", 0.0, 1e6,
            "candidates of the first generation, or of a sweep, spread over its ranks, that run on all "
            "levels at once, to see whether these correlate; 0: none"),
    integer("fidelity.runners_up", "4", 1.0, 1e6,
            "candidates beside the best one that go up to the next level with it at least; those of a search "
            "differ from each other by what fidelity.sigma makes a standard deviation"),
    real("fidelity.sigma", "1", "0.1", {.minimum = 0.0, .maximum = 1.0, .minimum_excluded = true},
         "on the next level the search goes on with a largest standard deviation of this times "
         "optimize.sigma, if it is not larger anyway"),
    real("fidelity.tolerance", "as the objective", no_default, not_negative,
         "optimize.tolerance on all levels but the last; that itself if not given"),
    integer("fidelity.population", no_default, 2.0, 1e6,
            "candidates of a generation on all levels but the first; optimize.population if not given"),
    real("fidelity.share", "1", "0.1", {.minimum = 0.0, .maximum = 1.0, .minimum_excluded = true},
         "of a sweep's candidates on a level, the part that goes up to the next one"),
    repeatable_text(
        "sensitivity.parameter",
        "KEY : uniform(lower,upper) | loguniform(lower,upper) | normal(mean,deviation) in [lower,upper] | "
        "lognormal(median,deviation) in [lower,upper], with KEY or KEY[i] a real number of the deck; the "
        "deviation of lognormal is that of the natural logarithm; normal and lognormal are cut off where in "
        "says (-inf or inf: not at that end), or nowhere without it; numbers may be expressions"),
    repeatable_text(
        "sensitivity.observable",
        "observable whose mean, spread and Sobol indices are asked for (for example forward_speed)"),
    integer("sensitivity.evaluations", "1024", 128.0, 1e5, "most candidates; the file has room for them"),
    real("sensitivity.tolerance", "1", "0.01", {.minimum = 1e-6, .maximum = 1.0},
         "the study ends when no index changes by more as candidates are doubled, twice in a row"),
});

}  // namespace rodeo::keys
