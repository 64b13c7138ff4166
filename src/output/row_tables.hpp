#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/output/hdf5_handle.hpp"

#include "layout.hpp"
#include "seal.hpp"

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

/// The two checksums of a row while its bytes are added.
struct RowDigest {
  Checksum running;
  std::uint32_t scalars = 0;

  std::uint64_t word() const { return commit_word(scalars, running.value()); }
};

/// Consecutive rows in memory, column by column as in the file; positions are not among them.
class RowBlock {
 public:
  RowBlock(const EnsembleSchema& schema, std::uint64_t first_row, std::uint64_t rows);

  std::uint64_t first() const { return first_; }
  std::uint64_t count() const { return commit.size(); }

  /// All entries of a column.
  std::byte* data(Column column) { return columns_[index(column)].data(); }

  void set(std::uint64_t row, const MemberRow& source, const std::vector<double>& observables);

  /// The statuses of all rows, pending for one whose scalars are not as they were committed.
  std::vector<MemberStatus> statuses() const;
  /// A row's scalars, put in place of what `result` had; of a pending one only its number and the status.
  void get(std::uint64_t row, MemberStatus status, MemberRow& result) const;
  std::vector<double> time(std::uint64_t row) const;

  /// The checksums of a row, and of all, with their scalars and, where `with_time`, their frames' times.
  RowDigest digest(std::uint64_t row, bool with_time) const { return digests_from<1>(row, with_time)[0]; }
  std::vector<RowDigest> digests(bool with_time) const;

  std::vector<std::uint64_t> commit;  ///< the rows' commit words

 private:
  static std::size_t index(Column column) { return static_cast<std::size_t>(column); }
  std::span<const std::byte> cell(Column column, std::uint64_t row) const;
  template <std::size_t n>
  std::array<RowDigest, n> digests_from(std::uint64_t row, bool with_time) const;

  std::uint64_t first_;
  std::array<std::uint64_t, column_count> widths_{};  ///< bytes per row
  std::array<std::vector<std::byte>, column_count> columns_;
};

/// Stores numbers [begin, begin + count) of a list in the precision of the file; an empty list stands for one
/// of not-a-numbers.
void store_numbers(const std::vector<double>& values, std::uint64_t begin, std::uint64_t count,
                   bool single_precision, std::byte* target);

std::vector<double> load_numbers(std::span<const std::byte> bytes, bool single_precision);

/// The per-member datasets of an open file: how rows get into and out of it. The same code serves the
/// parallel file and the serial reader. A failure of HDF5 is an Hdf5Error.
class RowTables {
 public:
  /// Opens the datasets; `schema` must be that of the file, as read_schema found it.
  RowTables(hid_t file, const EnsembleSchema& schema);

  /// Sets the observables of rows, as EnsembleFile::set_observables() does.
  void set_observables(const std::vector<std::string>& names);

  /// Writes rows: their payload, then their commit words.
  void write(std::span<const MemberRow> rows);

  /// One flag per member: every byte of the row is as it was when its commit word was made.
  std::vector<bool> committed() const;

  /// The statuses of rows whose scalars are as committed, pending for others.
  std::vector<MemberStatus> statuses() const;

  /// Rows without trajectories. A row that is not committed has its number and the status pending only.
  std::vector<MemberRow> read_rows(std::uint64_t first, std::uint64_t count) const;

  /// Reads rows without trajectories, one after the other; each lives until `use` returns.
  using UseOfRow = std::function<void(const MemberRow&)>;
  void for_each_row(std::uint64_t first, std::uint64_t count, const UseOfRow& use) const {
    for_each_row(first, count, asked_, use);
  }

  /// One row with its trajectory; one that is not committed has its number and the status pending only.
  MemberRow read_member(std::uint64_t member) const;

  /// Bytes of the file from `begin` on.
  struct Stretch {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
  };

  /// Where the file holds the rows from `row` on.
  std::vector<Stretch> stretches_from(std::uint64_t row) const;

 private:
  using Bytes = std::vector<std::byte>;

  struct StoredField {
    FieldLayout layout;
    Hdf5Handle dataset;
  };

  /// A row to be written: the caller's, or one that the file has already.
  struct Source {
    const MemberRow* row;
    const ObservableColumns* columns;
  };

  using Sources = std::span<const Source>;
  void write_stretch(Sources rows);
  void write_consecutive(Sources rows);
  void write_block(Sources rows);
  void write_columns(RowBlock& block);
  RowBlock read_block(std::uint64_t first, std::uint64_t count, bool with_time) const;
  void for_each_row(std::uint64_t first, std::uint64_t count, const ObservableColumns& columns,
                    const UseOfRow& use) const;
  static Bytes read_span(const StoredField& field, const FieldLayout::Span& span);
  std::uint64_t trajectory_bytes(std::uint64_t member) const;
  std::uint64_t rows_per_block(std::uint64_t first, std::uint64_t limit, bool with_trajectory) const;
  void check(const MemberRow& row) const;
  void check_range(std::uint64_t first, std::uint64_t count) const;

  /// Adds a span's numbers, as stored, to the digests of its rows.
  static void add(const FieldLayout& layout, const FieldLayout::Span& span, const Bytes& numbers,
                  std::uint64_t first_row, std::span<RowDigest> digests);

  EnsembleSchema schema_;
  ObservableColumns as_stored_;  ///< of rows that have what the columns have
  ObservableColumns asked_;
  std::array<ColumnFormat, column_count> formats_;
  std::array<Hdf5Handle, column_count> columns_;
  Hdf5Handle commit_;
  std::vector<StoredField> fields_;
};

}  // namespace rodeo
