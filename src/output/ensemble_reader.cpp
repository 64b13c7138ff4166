#include "rodeo/output/ensemble_reader.hpp"

#include "rodeo/output/file_records.hpp"

#include "file_lock.hpp"
#include "open_serial.hpp"
#include "read_schema.hpp"
#include "row_tables.hpp"
#include "running_dataset.hpp"
#include "stored_ensemble.hpp"
#include "study_tables.hpp"

namespace rodeo {

struct EnsembleReader::Implementation {
  explicit Implementation(const std::string& file_path)
      : path(file_path),
        being_written(FileLock::is_held(path)),  // asked first: rows that come later do not count as missing
        file(open_serial(path, H5F_ACC_RDONLY)),
        schema(read_schema(file.get(), path)),
        provenance(read_provenance(file.get())),
        tables(file.get(), schema) {}

  std::string path;
  bool being_written;
  Hdf5Handle file;
  EnsembleSchema schema;
  Provenance provenance;
  RowTables tables;
};

EnsembleReader::EnsembleReader(const std::string& path) {
  silence_hdf5();
  const BreakdownGuard guard(path);
  try {
    implementation_ = std::make_unique<Implementation>(path);
  } catch (const Hdf5Error& error) {
    throw FileError(path + " is damaged: " + error.what());
  }
}

EnsembleReader::~EnsembleReader() = default;

bool EnsembleReader::was_being_written() const { return implementation_->being_written; }

const EnsembleSchema& EnsembleReader::schema() const { return implementation_->schema; }

void EnsembleReader::set_observables(const std::vector<std::string>& names) {
  implementation_->tables.set_observables(names);
}

const Provenance& EnsembleReader::provenance() const { return implementation_->provenance; }

std::vector<MemberStatus> EnsembleReader::statuses() const {
  return read_from(implementation_->path, [&] { return implementation_->tables.statuses(); });
}

std::vector<bool> EnsembleReader::committed() const {
  return read_from(implementation_->path, [&] { return implementation_->tables.committed(); });
}

std::vector<MemberRow> EnsembleReader::read_rows(std::uint64_t first, std::uint64_t count) const {
  return read_from(implementation_->path, [&] { return implementation_->tables.read_rows(first, count); });
}

void EnsembleReader::for_each_row(const std::function<void(const MemberRow&)>& use) const {
  read_from(implementation_->path, [&] { implementation_->tables.for_each_row(0, schema().members, use); });
}

MemberRow EnsembleReader::read_member(std::uint64_t member) const {
  return read_from(implementation_->path, [&] { return implementation_->tables.read_member(member); });
}

std::vector<TableRow> EnsembleReader::read_table(const Table& table) const {
  return read_from(implementation_->path,
                   [&] { return rodeo::read_table(implementation_->file.get(), table); });
}

std::optional<TableRow> EnsembleReader::newest_row(const Table& table) const {
  return read_from(implementation_->path,
                   [&] { return rodeo::newest_row(implementation_->file.get(), table); });
}

StudyState EnsembleReader::study_state() const {
  try {
    return rodeo::study_state(
        schema().tables, [&](const Table& table) { return newest_row(table); },
        [&](const Table& table) { return read_table(table); });
  } catch (const std::invalid_argument& error) {
    throw FileError(implementation_->path + " is damaged: " + error.what());
  }
}

std::optional<RunningNote> EnsembleReader::running() const {
  return read_from(implementation_->path, [&] { return read_running_note(implementation_->file.get()); });
}

}  // namespace rodeo
