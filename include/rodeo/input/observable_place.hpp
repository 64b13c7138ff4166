#pragma once

#include <cstddef>
#include <string_view>

#include "rodeo/observe/observable_list.hpp"

namespace rodeo {

/// The place of the observable of that name. Throws std::invalid_argument, with the nearest name, if there is
/// none.
std::size_t observable_place(const ObservableList& list, std::string_view name);

}  // namespace rodeo
