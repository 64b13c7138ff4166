#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rodeo/member/batch.hpp"
#include "rodeo/member/step_bounds.hpp"

namespace rodeo {

/// Reason why a member cannot start as it stands.
struct StartProblem {
  std::string_view key;  ///< of the deck, that asks for too much
  std::string text;
};

/// Warning about a member that can start.
struct StartWarning {
  std::string_view what;  ///< the same for all members that it holds for
  std::string details;    ///< of this one
};

}  // namespace rodeo

/// Functions that the rows of the table of models point to, in src/models.
namespace rodeo::models {

/// Rods that overlap as they start: at all where contact.kind = ipc, and where they would move by more than
/// the shell where it is imc.
std::optional<StartProblem> overlap_of_implicit_contact(const MemberSpec& spec);

/// Rods that supports and motions will twist by half a turn or more an element.
std::optional<StartProblem> twist_beyond_elements(const MemberSpec& spec);

/// Rods whose natural curvature or twist, with what formulas add to it while the member runs, is half a turn
/// or more from an element to the next.
std::optional<StartProblem> natural_turn_beyond_elements(const MemberSpec& spec);

/// Bounds of implicit steps: by the forces of Stokeslets, for all else is implicit.
StepBounds implicit_step_bounds(const MemberSpec& spec);

namespace cosserat {
std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs);
double predicted_cost(const MemberSpec& spec);
std::size_t memory(const MemberSpec& spec);
StepBounds step_bounds(const MemberSpec& spec);
std::optional<StartProblem> overlap(const MemberSpec& spec);
std::optional<StartWarning> sunk_in_ground(const MemberSpec& spec);
}  // namespace cosserat

namespace der {
std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs);
double predicted_cost(const MemberSpec& spec);
std::size_t memory(const MemberSpec& spec);
std::unique_ptr<Batch> make_sdirk2_batch(std::span<const MemberJob> jobs);
double sdirk2_cost(const MemberSpec& spec);
std::unique_ptr<Batch> make_midpoint_batch(std::span<const MemberJob> jobs);
std::unique_ptr<Batch> make_generalized_alpha_batch(std::span<const MemberJob> jobs);
std::unique_ptr<Batch> make_static_batch(std::span<const MemberJob> jobs);
double static_cost(const MemberSpec& spec);
std::size_t static_memory(const MemberSpec& spec);
std::optional<StartProblem> what_cannot_move(const MemberSpec& spec);
std::optional<StartProblem> what_cannot_rest(const MemberSpec& spec);
}  // namespace der

namespace statics {
std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs);
double predicted_cost(const MemberSpec& spec);
std::size_t memory(const MemberSpec& spec);
std::optional<StartProblem> what_cannot_rest(const MemberSpec& spec);
}  // namespace statics

namespace implicit {
std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs);
double predicted_cost(const MemberSpec& spec);
std::size_t memory(const MemberSpec& spec);
std::optional<StartProblem> what_cannot_move(const MemberSpec& spec);
std::unique_ptr<Batch> make_damped_batch(std::span<const MemberJob> jobs);
std::unique_ptr<Batch> make_conserving_batch(std::span<const MemberJob> jobs);
double conserving_cost(const MemberSpec& spec);
std::size_t conserving_memory(const MemberSpec& spec);
}  // namespace implicit

namespace rigid {
std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs);
double predicted_cost(const MemberSpec& spec);
std::size_t memory(const MemberSpec& spec);
StepBounds step_bounds(const MemberSpec& spec);
}  // namespace rigid

namespace noop {
std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs);
double predicted_cost(const MemberSpec& spec);
}  // namespace noop

namespace function {
std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs);
double predicted_cost(const MemberSpec& spec);
}  // namespace function

}  // namespace rodeo::models
