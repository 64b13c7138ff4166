#pragma once

#include <memory>

#include "rodeo/method/scheme.hpp"

#include "moving_rods.hpp"

namespace rodeo::implicit {

using method::SolveOutcome;

/// How a time step of Cosserat rods is made of solves.
using Scheme = method::Scheme<MovingRods>;

/// By which an element may turn in a step, rad: a step that takes it further does not converge, and is
/// halved.
inline constexpr double most_turn_of_step = 1.0;
/// Of an element from the start of a step in any iterate, rad: after one more iteration it is below pi, where
/// what describes turns wraps.
inline constexpr double most_turn_on_the_way = 2.0;

std::unique_ptr<Scheme> make_generalized_alpha(const MemberSpec& spec);
std::unique_ptr<Scheme> make_backward_euler(const MemberSpec& spec);
std::unique_ptr<Scheme> make_energy_momentum(const MemberSpec& spec);

}  // namespace rodeo::implicit
