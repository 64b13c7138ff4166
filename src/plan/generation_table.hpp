#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rodeo/input/deck.hpp"
#include "rodeo/plan/study_state.hpp"
#include "rodeo/plan/table.hpp"

#include "generation_row.hpp"

namespace rodeo {

inline constexpr std::string_view generation_table_name = "optimize";

/// The table of a search's generations, which has a row for each; `unit` is that of the objective.
Table generation_table(std::span<const ParameterAddress> parameters, std::uint64_t generations,
                       std::string_view unit);

TableRow to_table_row(const GenerationRow& generation);

/// Throws std::invalid_argument where the table is not one of generations.
GenerationRow generation_of(const Table& table, const TableRow& row);

/// Progress of a search. Throws as generation_of.
StudyState generation_state(const Table& table, const std::optional<TableRow>& newest);

}  // namespace rodeo
