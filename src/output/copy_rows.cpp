#include "copy_rows.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

#include "attributes.hpp"
#include "layout.hpp"
#include "open_serial.hpp"
#include "read_schema.hpp"
#include "row_tables.hpp"

namespace rodeo {

namespace {

/// True if a file has all columns of another; one that extends it may have further observables.
bool has_columns_of(const EnsembleSchema& ours, const EnsembleSchema& theirs) {
  const auto have = [&](const std::string& name) {
    return std::ranges::find(ours.observable_names, name) != ours.observable_names.end();
  };
  return ours.parameter_names == theirs.parameter_names &&
         std::ranges::all_of(theirs.observable_names, have) && ours.frames >= theirs.frames &&
         (ours.frames == 0) == (theirs.frames == 0) && ours.fields == theirs.fields &&
         ours.single_precision == theirs.single_precision;
}

bool has_nodes_of(const EnsembleSchema& ours, std::uint64_t member, const EnsembleSchema& theirs,
                  std::uint64_t old_member) {
  return ours.nodes_of(member) == theirs.nodes_of(old_member) &&
         ours.rod_nodes_of(member) == theirs.rod_nodes_of(old_member) &&
         ours.rod_numbers_of(member) == theirs.rod_numbers_of(old_member);
}

/// Puts a row into its place in a file that may have more frames.
void move_row(const RowPlace& place, const EnsembleSchema& schema, MemberRow& row) {
  row.member = place.member;
  row.candidate = place.candidate;
  row.repeat = place.repeat;
  if (!row.time.empty()) row.time.resize(static_cast<std::size_t>(schema.frames), std::nan(""));
  for (std::size_t k = 0; k < row.fields.size(); ++k) {
    const FieldLayout layout(schema, schema.fields[k]);
    row.fields[k].resize(layout.frames() * layout.numbers_per_frame(place.member), std::nan(""));
  }
}

}  // namespace

void copy_rows(const std::string& from, hid_t file, const std::string& path, const Takeover& takeover) {
  const Hdf5Handle source = open_serial(from, H5F_ACC_RDONLY);
  const EnsembleSchema theirs = read_schema(source.get(), from);
  const EnsembleSchema ours = read_schema(file, path);
  const FileError other_rows(from + " holds rows of another revision: go on with the program that wrote it");
  const bool in_place = takeover.rows.empty();
  const std::uint64_t expected = in_place ? ours.members : takeover.rows.size();
  if (!has_columns_of(ours, theirs) || theirs.members != expected) throw other_rows;
  RowTables old_rows(source.get(), theirs);
  old_rows.set_observables(ours.observable_names);
  RowTables rows(file, ours);
  const std::vector<bool> committed = old_rows.committed();
  const std::uint64_t at_once = holds_trajectories(theirs) ? 1 : 4096;  // rows, of which each may be large
  for (std::uint64_t first = 0; first < theirs.members; first += at_once) {
    std::vector<MemberRow> moved;
    const std::uint64_t count = std::min(at_once, theirs.members - first);
    for (MemberRow& row :
         at_once == 1 ? std::vector{old_rows.read_member(first)} : old_rows.read_rows(first, count)) {
      const std::uint64_t member = row.member;
      if (!committed[member] || (!in_place && !takeover.rows[member])) continue;
      if (!in_place) move_row(*takeover.rows[member], ours, row);
      if (row.member >= ours.members || !has_nodes_of(ours, row.member, theirs, member)) throw other_rows;
      moved.push_back(std::move(row));
    }
    rows.write(moved);
  }
  update_integer(file, "resumes", read_integer(file, "resumes") + read_integer(source.get(), "resumes"));
}

}  // namespace rodeo
