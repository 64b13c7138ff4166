#include "rodeo/plan/plan.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "rodeo/plan/study_state.hpp"
#include "rodeo/plan/sweep.hpp"

#include "boundary_study.hpp"
#include "branch_study.hpp"
#include "convergence.hpp"
#include "generation_table.hpp"
#include "ladder.hpp"
#include "ladder_search.hpp"
#include "optimization.hpp"
#include "screening.hpp"
#include "sensitivity.hpp"

namespace rodeo {

namespace {

/// A kind of study: its plan, and the reader of the table that tells how far it has come.
struct StudyKind {
  std::string_view name;  ///< study.kind
  std::unique_ptr<Plan> (*plan)(const Deck& deck);
  std::string_view table;  ///< empty if its members tell all
  StudyState (*state)(const Table& table, const std::optional<TableRow>& newest);
};

std::unique_ptr<Plan> make_sweep(const Deck& deck) {
  if (Ladder::has_levels(deck)) return Screening::from_deck(deck);
  return Sweep::from_deck(deck);
}

std::unique_ptr<Plan> make_search(const Deck& deck) {
  if (Ladder::has_levels(deck)) return LadderSearch::from_deck(deck);
  return Optimization::from_deck(deck);
}

/// The list of studies.
constexpr std::array kinds = {
    StudyKind{"single", [](const Deck&) -> std::unique_ptr<Plan> { return Sweep::single(); }, "", nullptr},
    StudyKind{"sweep", make_sweep, "", nullptr},
    StudyKind{"boundary",
              [](const Deck& deck) -> std::unique_ptr<Plan> { return BoundaryStudy::from_deck(deck); },
              boundary_counts_name, boundary_state},
    StudyKind{"branch",
              [](const Deck& deck) -> std::unique_ptr<Plan> { return BranchStudy::from_deck(deck); },
              branch_counts_name, branch_state},
    StudyKind{"convergence",
              [](const Deck& deck) -> std::unique_ptr<Plan> { return Convergence::from_deck(deck); },
              convergence_table_name, convergence_state},
    StudyKind{"optimize", make_search, generation_table_name, generation_state},
    StudyKind{"sensitivity",
              [](const Deck& deck) -> std::unique_ptr<Plan> { return Sensitivity::from_deck(deck); },
              sensitivity_table_name, sensitivity_state},
};

}  // namespace

std::unique_ptr<Plan> make_plan(const Deck& deck) {
  const auto* const kind = std::ranges::find(kinds, deck.choice("study.kind"_key), &StudyKind::name);
  return kind->plan(deck);
}

StudyState study_state(std::span<const Table> tables, const NewestRow& newest_row, const AllRows& all_rows) {
  StudyState state;
  for (const Table& table : tables) {
    for (const StudyKind& kind : kinds) {
      if (kind.state != nullptr && table.name == kind.table) state = kind.state(table, newest_row(table));
    }
  }
  for (const Table& table : tables) {
    if (table.name == fidelity_table_name) add_levels(state, table, all_rows(table));
  }
  return state;
}

}  // namespace rodeo
