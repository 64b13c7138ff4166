#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// What a member of model.kind = function reports, and no rod does.
inline constexpr Observable function_value = {"function_value",
                                              "1",
                                              "value of the test function",
                                              [](const Observation&) { return std::nan(""); },
                                              Known::at_end,
                                              "model.kind = function"};

}  // namespace rodeo::observe
