#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/output/hdf5_handle.hpp"

#include "layout.hpp"
#include "observable_columns.hpp"
#include "row_block.hpp"

namespace rodeo {

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
