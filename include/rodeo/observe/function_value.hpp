#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Value that members of model.kind = function report, and no rod does.
inline constexpr Observable function_value = {"function_value",
                                              "1",
                                              "value of the test function",
                                              [](const Observation&) { return std::nan(""); },
                                              Known::at_end,
                                              "model.kind = function"};

}  // namespace rodeo::observe
