#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/member_row.hpp"

namespace rodeo {

/// Where the observables of a program stand in a file, by their names: one of another revision may have other
/// columns, or the same in another order.
class ObservableColumns {
 public:
  /// Rows have what the columns have, in their order.
  ObservableColumns() = default;

  /// Rows have these observables, and those of frames in the same order. Either side may have former names.
  ObservableColumns(const std::vector<std::string>& observables, const EnsembleSchema& schema);

  /// Whether rows go into the columns as they are.
  bool as_they_are() const { return !order_; }

  /// Rows as the file holds them: NaN in columns of what they do not have, and without what has no column.
  /// Throws std::invalid_argument for a row with another number of observables; it may have none at all.
  std::vector<MemberRow> stored(std::span<const MemberRow> rows) const;

  /// Gives a row that was read the observables, NaN for one without a column. A row without any stays so.
  void restore(MemberRow& row) const;

 private:
  using Places = std::vector<std::optional<std::size_t>>;

  struct Order {
    Places of_columns;                ///< among the observables
    Places of_observables;            ///< among the columns
    std::vector<std::size_t> fields;  ///< of those of the file among a row's
  };

  std::optional<Order> order_;
};

}  // namespace rodeo
