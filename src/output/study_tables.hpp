#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hdf5.h>

#include "rodeo/plan/table.hpp"

namespace rodeo {

// The tables of a study: a group each, with a dataset for each column. Attribute `columns` of the group holds
// their names in the order of the table; a column has an attribute `names` where its entries have any.
// Dataset `commit` holds a row's checksum, which is written after the row, and zero while there is none.

/// The dataset of a column, or of the commit words.
std::string table_path(const Table& table, const std::string& column);

/// Creates the groups, with room for all rows.
void create_tables(hid_t file, const std::vector<Table>& tables);

/// Bytes of a table, at most some KiB more than it really takes.
std::uint64_t table_bytes(const Table& table);

/// The tables of a file: names, types and widths of their columns, whose datasets have been checked, and
/// room.
std::vector<Table> read_tables(hid_t file);

/// The rows of `table` with their columns in the order of another one that has the same columns. Throws
/// std::invalid_argument for rows that do not fit.
std::vector<TableRow> rows_for(const Table& ordered, const Table& table, std::span<const TableRow> rows);

/// Writes rows of a table of the file, column by column, then their commit words.
void write_table(hid_t file, const Table& table, std::span<const TableRow> rows);

/// All rows of a table that are there.
std::vector<TableRow> read_table(hid_t file, const Table& table);

/// The last row of a table.
std::optional<TableRow> newest_row(hid_t file, const Table& table);

}  // namespace rodeo
