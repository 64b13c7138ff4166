#include "rodeo/plan/plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rodeo/plan/part.hpp"
#include "rodeo/plan/study_state.hpp"
#include "rodeo/plan/sweep.hpp"
#include "rodeo/plan/table.hpp"

#include "generation_table.hpp"
#include "ladder.hpp"
#include "optimization.hpp"
#include "sensitivity_table.hpp"
#include "study_kinds.hpp"

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
  if (Ladder::has_levels(deck)) return make_screening(deck);
  return Sweep::from_deck(deck);
}

std::unique_ptr<Plan> make_search(const Deck& deck) {
  if (Ladder::has_levels(deck)) return make_ladder_search(deck);
  return Optimization::from_deck(deck);
}

/// The list of studies.
constexpr std::array kinds = {
    StudyKind{"single", [](const Deck&) -> std::unique_ptr<Plan> { return Sweep::single(); }, "", nullptr},
    StudyKind{"sweep", make_sweep, "", nullptr},
    StudyKind{"boundary", make_boundary_study, boundary_counts_name, boundary_state},
    StudyKind{"branch", make_branch_study, branch_counts_name, branch_state},
    StudyKind{"convergence", make_convergence, convergence_table_name, convergence_state},
    StudyKind{"optimize", make_search, generation_table_name, generation_state},
    StudyKind{"sensitivity", make_sensitivity, sensitivity_table_name, sensitivity_state},
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

Part Part::from_deck(const Deck& deck) {
  const Key key = "study.part"_key;
  const std::string& text = deck.texts(key).front();
  const char* const end = text.data() + text.size();
  std::uint64_t number = 0;
  std::uint64_t count = 0;
  const auto [slash, error] = std::from_chars(text.data(), end, number);
  const bool is_pair = error == std::errc() && slash != end && *slash == '/';
  if (is_pair) {
    const auto [rest, second_error] = std::from_chars(slash + 1, end, count);
    if (second_error == std::errc() && rest == end && number >= 1 && number <= count)
      return {number - 1, count};
  }
  throw deck.error(key, "= " + text + " is not K/N, part K of N with whole numbers 1 <= K <= N");
}

std::size_t Table::numbers() const {
  std::size_t sum = 0;
  for (const TableColumn& column : columns) sum += column.numbers();
  return sum;
}

std::span<const double> numbers_in(const Table& table, const TableRow& row, std::string_view column) {
  std::size_t first = 0;
  for (const TableColumn& candidate : table.columns) {
    if (candidate.name == column) return std::span(row.numbers).subspan(first, candidate.numbers());
    first += candidate.numbers();
  }
  throw std::invalid_argument("table " + table.name + " has no column " + std::string(column));
}

}  // namespace rodeo
