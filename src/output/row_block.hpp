#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

#include "layout.hpp"
#include "seal.hpp"

namespace rodeo {

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

}  // namespace rodeo
