#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"

namespace rodeo::keys {

/// Control, which samples a member while it runs and drives it.
inline constexpr auto control = std::to_array<KeyInfo>({
    real("control.interval", "s", no_default, positive,
         "time between two samples, a whole number of time steps; the first is at t = 0"),
    choice("control.hold", "zero", "zero|linear",
           "what inputs and outputs do between samples: stay (zero), or go linearly to their new value and "
           "are there at the next sample"),
    repeatable_formulas(
        "control.input",
        "NAME : START in [LOW, HIGH], a number that programs set from outside while the member runs "
        "(softrods.Simulation); in rodeo run it stays at START. NAME[N] gives N of them, with index k"),
    repeatable_formulas("control.signal",
                        "NAME [UNIT] : EXPRESSION [delay T] [noise SIGMA], what is measured at each sample: "
                        "a formula of signals of measures and of inputs, for example tip [m] : x(end) - "
                        "goal. It is seen T seconds later, with normal noise of standard deviation SIGMA. "
                        "NAME[N] gives N, with index k: bend[10] : curvature_1(s (k + 0.5)/10)"),
    repeatable_formulas(
        "control.state",
        "NAME : START, RATE, a number with a rate per second, a formula of t, inputs, signals and states, "
        "integrated from sample to sample. NAME[N] gives N, with index k"),
    repeatable_formulas(
        "control.network",
        "NAME[N] : LAYERS of NUMBERS with WEIGHTS, a feedforward network that gives N numbers, for example "
        "u[6] : tanh 16, tanh of tip, bend with variable.w. Layers are linear, tanh, relu, sigmoid or sin, "
        "each with its units but the last; weights are a list of the deck or table(FILE, COLUMN), layer by "
        "layer and unit by unit: a weight for each number that the layer sees, then the bias. A law of "
        "control in C++ that the program was given stands in the place of LAYERS by its name"),
    repeatable_formulas(
        "control.output",
        "NAME : EXPRESSION [in [LOW, HIGH]] [rate R] [from START], a number for the formulas of actuation, "
        "motion and ground.platen, found at each sample of all numbers above it, cut to its range, and "
        "changed by R per second at most, from START (0) on. NAME[N] gives N, with index k"),
});

}  // namespace rodeo::keys
