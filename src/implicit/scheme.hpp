#pragma once

#include <memory>

#include "rodeo/method/scheme.hpp"

#include "moving_rods.hpp"

namespace rodeo::implicit {

using method::SolveOutcome;

/// A scheme that makes up a time step of Cosserat rods from solves.
using Scheme = method::Scheme<MovingRods>;

/// Largest turn of an element in a step, rad: a step that exceeds it counts as not converged and is halved.
inline constexpr double most_turn_of_step = 1.0;
/// Largest turn of an element from the start of a step in any iterate, rad: one more iteration keeps it below
/// pi, where rotation vectors wrap.
inline constexpr double most_turn_on_the_way = 2.0;

std::unique_ptr<Scheme> make_generalized_alpha(const MemberSpec& spec);
std::unique_ptr<Scheme> make_backward_euler(const MemberSpec& spec);
std::unique_ptr<Scheme> make_energy_momentum(const MemberSpec& spec);

}  // namespace rodeo::implicit
