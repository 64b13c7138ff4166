#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "rodeo/plan/table.hpp"

namespace rodeo {

/// What the tables of a file tell of the study that left them, to who reads the file without its plan.
struct StudyState {
  std::string line = {};  ///< how far it has come; empty where its members tell that
  bool adaptive = false;  ///< Plan::adaptive: it may need fewer members than the file has room for
  bool ended = false;     ///< no more candidates will come
  bool compares = true;   ///< Plan::compares_candidates
  std::optional<std::uint64_t> best_candidate = {};
};

/// The newest row of a table; nothing if it has none yet.
using NewestRow = std::function<std::optional<TableRow>(const Table&)>;

/// Throws std::invalid_argument where a table is not what its study leaves.
StudyState study_state(std::span<const Table> tables, const NewestRow& newest_row);

}  // namespace rodeo
