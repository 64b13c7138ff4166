#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"

namespace rodeo::keys {

/// Sensitivities of observables to random numbers of the deck.
inline constexpr auto sensitivity = std::to_array<KeyInfo>({
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
