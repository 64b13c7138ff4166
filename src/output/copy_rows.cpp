#include "copy_rows.hpp"

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/errors.hpp"

#include "attributes.hpp"
#include "open_serial.hpp"
#include "read_schema.hpp"
#include "row_tables.hpp"

namespace rodeo {

namespace {

bool has_rows_of(const EnsembleSchema& ours, const EnsembleSchema& theirs) {
  return ours.members == theirs.members && ours.parameter_names == theirs.parameter_names &&
         ours.observable_names == theirs.observable_names && ours.frames == theirs.frames &&
         ours.fields == theirs.fields && ours.nodes == theirs.nodes && ours.rod_nodes == theirs.rod_nodes &&
         ours.rod_numbers == theirs.rod_numbers && ours.single_precision == theirs.single_precision;
}

}  // namespace

void copy_rows(const std::string& from, hid_t file, const std::string& path) {
  const Hdf5Handle source = open_serial(from, H5F_ACC_RDONLY);
  const EnsembleSchema theirs = read_schema(source.get(), from);
  const EnsembleSchema ours = read_schema(file, path);
  if (!has_rows_of(ours, theirs)) {
    throw FileError(from + " holds rows of another revision: go on with the program that wrote it");
  }
  const RowTables old_rows(source.get(), theirs);
  RowTables rows(file, ours);
  const std::vector<bool> committed = old_rows.committed();
  for (std::uint64_t member = 0; member < ours.members; ++member) {
    if (!committed[member]) continue;
    const MemberRow row = old_rows.read_member(member);
    rows.write({&row, 1});
  }
  update_integer(file, "resumes", read_integer(source.get(), "resumes"));
}

}  // namespace rodeo
