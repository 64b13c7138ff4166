#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/study_state.hpp"

namespace rodeo {

// Plans of the kinds of studies. Each throws DeckError.

std::unique_ptr<Plan> make_boundary_study(const Deck& deck);
std::unique_ptr<Plan> make_branch_study(const Deck& deck);
std::unique_ptr<Plan> make_convergence(const Deck& deck);
std::unique_ptr<Plan> make_sensitivity(const Deck& deck);
std::unique_ptr<Plan> make_screening(const Deck& deck);
std::unique_ptr<Plan> make_ladder_search(const Deck& deck);

// Tables that tell `rodeo status` how far a study is, and what they tell.

inline constexpr std::string_view boundary_counts_name = "boundary_counts";
StudyState boundary_state(const Table& table, const std::optional<TableRow>& newest);

inline constexpr std::string_view branch_counts_name = "branch_counts";
StudyState branch_state(const Table& table, const std::optional<TableRow>& newest);

inline constexpr std::string_view convergence_table_name = "convergence";
StudyState convergence_state(const Table& table, const std::optional<TableRow>& newest);

}  // namespace rodeo
