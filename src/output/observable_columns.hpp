#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

namespace rodeo {

/// Columns of a program's observables in a file, by their names: a file has columns of those alone that
/// its deck can fill, and one of another revision may have others, or the same in another order.
class ObservableColumns {
 public:
  /// Rows have these observables, and those of frames in the same order. Either side may have former names.
  ObservableColumns(const std::vector<std::string>& observables, const EnsembleSchema& schema);

  /// Number of observables of a row.
  std::size_t observables() const { return of_observables_.size(); }

  /// A row's observables as the file holds them: NaN in columns that the row lacks, and without observables
  /// that have no column. A row without any stays so.
  std::vector<double> stored(const std::vector<double>& observables) const;

  /// Place in a row of the file's k-th field.
  std::size_t field(std::size_t k) const { return fields_[k]; }

  /// Gives a row that was read the observables, NaN for one without a column. A row without any stays so.
  void restore(MemberRow& row) const;

 private:
  using Places = std::vector<std::optional<std::size_t>>;

  bool as_they_are_;                 ///< what rows have is what the columns have
  Places of_columns_;                ///< among the observables
  Places of_observables_;            ///< among the columns
  std::vector<std::size_t> fields_;  ///< of those of the file among a row's
};

}  // namespace rodeo
