#pragma once

#include <vector>

#include "rodeo/contact/penalty.hpp"
#include "rodeo/contact/touch.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::contact {

/// Touching pairs in the present state, in the order of the list, by the laws of the steps. `contact` has its
/// arrays in host memory, listed for this state, as a sample leaves them.
std::vector<Touch> touching(const PenaltyContact& contact, const ConstRodView& rods);

}  // namespace rodeo::contact
