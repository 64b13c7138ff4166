#pragma once

#include <cstddef>
#include <string_view>

#include "rodeo/input/deck.hpp"
#include "rodeo/observe/observable_list.hpp"

namespace rodeo {

/// The place of the observable of that name. Throws std::invalid_argument, with the nearest name, if there is
/// none.
std::size_t observable_place(const ObservableList& list, std::string_view name);

/// The unit of observables that are values of the deck's branch.key, where `unit` stands for it ("as
/// branch.key"); else `unit`.
std::string_view unit_in(const Deck& deck, std::string_view unit);

}  // namespace rodeo
