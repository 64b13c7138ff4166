#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rodeo/plan/table.hpp"

namespace rodeo {

/// State of a study according to the tables of its file, for readers of the file without its plan.
struct StudyState {
  std::string line = {};  ///< how far it has come; empty where its members tell that
  bool adaptive = false;  ///< Plan::adaptive: it may need fewer members than the file has room for
  bool ended = false;     ///< no more candidates will come
  bool compares = true;   ///< Plan::compares_candidates
  std::optional<std::uint64_t> best_candidate = {};
  /// The last parameters of members that are compared with others have these values; empty: all are.
  std::vector<double> counted = {};

  /// Plan::counts() for a point of the file.
  bool counts(std::span<const double> point) const {
    return point.size() >= counted.size() && std::ranges::equal(point.last(counted.size()), counted);
  }
};

/// The newest row of a table; nothing if it has none yet.
using NewestRow = std::function<std::optional<TableRow>(const Table&)>;

/// All rows of a table that are there.
using AllRows = std::function<std::vector<TableRow>(const Table&)>;

/// Throws std::invalid_argument where a table is not what its study leaves.
StudyState study_state(std::span<const Table> tables, const NewestRow& newest_row, const AllRows& all_rows);

}  // namespace rodeo
