#include "rodeo/output/ensemble_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <utility>
#include <vector>

#include "rodeo/output/agreement.hpp"
#include "rodeo/output/file_records.hpp"

#include "attributes.hpp"
#include "layout.hpp"
#include "open_serial.hpp"
#include "read_schema.hpp"
#include "row_tables.hpp"
#include "running_dataset.hpp"
#include "staged_file.hpp"
#include "stored_ensemble.hpp"
#include "study_tables.hpp"

namespace rodeo {

namespace {

/// The schema's name is the first attribute that a new file gets, so it stands within so many bytes.
constexpr std::size_t head_bytes = 65536;

/// Whether a file that HDF5 cannot read begins as an ensemble file does.
bool begins_as_ensemble(const std::string& path) {
  std::vector<char> head(head_bytes);
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  const std::string_view text(head.data(), static_cast<std::size_t>(file.gcount()));
  return text.starts_with(hdf5_signature) && text.find(schema_name) != std::string_view::npos;
}

bool is_ensemble(const std::string& path) {
  silence_hdf5();
  const BreakdownGuard guard(path);
  try {
    const Hdf5Handle file = open_serial(path, H5F_ACC_RDONLY);
    const htri_t named = H5Aexists(file.get(), "schema");
    if (named >= 0) return named > 0 && read_text(file.get(), "schema") == schema_name;
  } catch (const FileError&) {  // no HDF5 file, or one that was cut off
  } catch (const Hdf5Error&) {
  }
  return begins_as_ensemble(path);
}

/// Kind of the object at the path if it must not be replaced; else empty.
std::string obstacle(const std::string& path) {
  struct stat properties {};
  if (lstat(path.c_str(), &properties) != 0) return {};
  if (stat(path.c_str(), &properties) != 0) return "a link that leads nowhere";
  if (S_ISDIR(properties.st_mode)) return "a folder";
  if (!S_ISREG(properties.st_mode)) return "a device, a pipe or a socket";
  if (properties.st_size == 0 || is_ensemble(path)) return {};
  return "a file of another kind";
}

}  // namespace

void require_replaceable(const std::string& path) {
  const std::string found = obstacle(path);
  if (found.empty()) return;
  throw FileError(path + " is " + found +
                  ", not an ensemble file of rodeo: it is left as it is; give another --output");
}

/// A communicator of our own, so that our collectives never meet the program's messages.
class EnsembleFile::Communicator {
 public:
  explicit Communicator(MPI_Comm original) {
    if (!rodeo::is_alone(original)) MPI_Comm_dup(original, &own_);
  }
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() {
    if (!is_alone()) MPI_Comm_free(&own_);
  }

  MPI_Comm get() const { return own_; }
  bool is_alone() const { return rodeo::is_alone(own_); }
  int rank() const {
    int rank = 0;
    if (!is_alone()) MPI_Comm_rank(own_, &rank);
    return rank;
  }
  bool is_first() const { return rank() == 0; }

 private:
  MPI_Comm own_ = MPI_COMM_NULL;
};

namespace {

/// Opens a file so that a lone process writes to the system at once, as MPI does: open_serial() leaves no
/// buffer between, so that rows outlive a kill and precede their commit words.
Hdf5Handle open_for_writing(MPI_Comm communicator, const std::string& path) {
  if (is_alone(communicator)) return open_serial(path, H5F_ACC_RDWR);
  const Hdf5Handle access = unlocked_access();
  hdf5_check(H5Pset_fapl_mpio(access.get(), communicator, MPI_INFO_NULL), "cannot use MPI for files");
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose,
          "cannot open " + path + " on all ranks"};
}

/// Free space, which may explain a failed write; MPI tells little of the reason.
std::string free_space_note(const std::string& path) {
  struct statvfs properties {};
  if (statvfs(path.c_str(), &properties) != 0) return "";
  return "; its file system has " + std::to_string(properties.f_bavail * properties.f_frsize >> 20) +
         " MiB free";
}

}  // namespace

struct EnsembleFile::Implementation {
  explicit Implementation(MPI_Comm original) : communicator(original) {}
  ~Implementation() {
    try {
      close();
    } catch (const WriteError&) {
      // A destructor has no caller to tell; close() is for callers who want to know.
    }
  }

  /// `written`, if given, is the schema of a file that this rank has written itself.
  void open_all(const std::string& current_path, const EnsembleSchema* written = nullptr) {
    together<FileError>(communicator.get(), true, [&] {
      file = open_for_writing(communicator.get(), current_path);
      schema = written != nullptr ? *written : read_schema(file.get(), path);
      tables.emplace(file.get(), schema);
      FileLock share = FileLock::share(current_path);
      bytes = share.bytes();
      if (communicator.is_first()) return;
      lock = std::move(share);
      lock->sign(communicator.rank());
    });
  }

  /// Loss of the open file, in a sentence; empty while it stands whole at its path.
  std::string loss() const { return lock ? lock->loss(path, bytes) : ""; }

  void require_in_place() const {
    if (const std::string reason = loss(); !reason.empty()) throw WriteError(reason);
  }

  /// Throws unless the path holds this file's deck. Rows have checksums of their own.
  void require_readable() const {
    if (read_schema(open_serial(path, H5F_ACC_RDONLY).get(), path).deck == schema.deck) return;
    throw WriteError(path + " holds another deck than that which was written: something else wrote to it");
  }

  /// Synchronises with the disk, which HDF5 does by MPI alone.
  void synchronize_if_alone() const {
    if (communicator.is_alone() && lock) lock->synchronize();
  }

  void close() {
    if (file.get() < 0) return;
    together<WriteError>(communicator.get(), true, [&] {
      const herr_t flushed = H5Fflush(file.get(), H5F_SCOPE_GLOBAL);
      tables.reset();
      file.close("cannot close the file");
      hdf5_check(flushed, "cannot bring the file to disk");
      synchronize_if_alone();
    });
    together<WriteError>(communicator.get(), communicator.is_first() && lock, [&] {
      require_in_place();
      require_readable();
    });
    lock.reset();
  }

  Communicator communicator;
  std::string path;
  EnsembleSchema schema;
  std::optional<FileLock> lock;  ///< acquired by rank 0, shared by the others
  Hdf5Handle file;
  std::optional<RowTables> tables;
  std::uint64_t bytes = 0;   ///< of the file since it is open: all of its space is reserved
  std::set<int> seen_alive;  ///< ranks whose locks can be seen from here
};

EnsembleFile::EnsembleFile(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
EnsembleFile::EnsembleFile(EnsembleFile&&) noexcept = default;
EnsembleFile& EnsembleFile::operator=(EnsembleFile&&) noexcept = default;
EnsembleFile::~EnsembleFile() = default;

EnsembleFile EnsembleFile::create(MPI_Comm communicator, const std::string& path,
                                  const EnsembleSchema& schema, const Provenance& provenance, bool overwrite,
                                  std::span<const Takeover> takeovers) {
  return publish(communicator, path, schema, provenance, overwrite, takeovers);
}

EnsembleFile EnsembleFile::replace(MPI_Comm communicator, const std::string& path,
                                   const EnsembleSchema& schema, const Provenance& provenance,
                                   const Takeover& takeover) {
  const BreakdownGuard guard(path);
  return publish(communicator, path, schema, provenance, true, {&takeover, 1});
}

EnsembleFile EnsembleFile::publish(MPI_Comm communicator, const std::string& path,
                                   const EnsembleSchema& schema, const Provenance& provenance, bool overwrite,
                                   std::span<const Takeover> takeovers) {
  silence_hdf5();
  const EnsembleSchema stored = normalized(schema);
  auto implementation = std::make_unique<Implementation>(communicator);
  implementation->path = path;
  const MPI_Comm own = implementation->communicator.get();
  const bool first = implementation->communicator.is_first();
  std::optional<StagedFile> staged;
  together<FileError>(own, first, [&] { staged.emplace(path, stored, provenance, overwrite, takeovers); });
  std::string current_path = first ? staged->temporary_path() : "";
  broadcast(own, current_path);
  // All ranks have it open before the file gets its name, so that a file under that name is always a whole
  // one.
  implementation->open_all(current_path, first ? &stored : nullptr);
  together<FileError>(own, first, [&] {
    implementation->lock = staged->publish();
    implementation->lock->sign(0);
  });
  return EnsembleFile(std::move(implementation));
}

EnsembleFile EnsembleFile::resume(MPI_Comm communicator, const std::string& path,
                                  const Provenance& provenance) {
  silence_hdf5();
  const BreakdownGuard guard(path);
  auto implementation = std::make_unique<Implementation>(communicator);
  implementation->path = path;
  together<FileError>(implementation->communicator.get(), implementation->communicator.is_first(), [&] {
    { read_schema(open_serial(path, H5F_ACC_RDONLY).get(), path); }
    implementation->lock = lock_for_writing(path);
    implementation->lock->sign(0);
    Hdf5Handle file = open_serial(path, H5F_ACC_RDWR);
    note_resume(file.get(), provenance);
    file.close("cannot note the resume");
  });
  implementation->open_all(path);
  return EnsembleFile(std::move(implementation));
}

const EnsembleSchema& EnsembleFile::schema() const { return implementation_->schema; }

void EnsembleFile::set_observables(const std::vector<std::string>& names) {
  implementation_->tables->set_observables(names);
}

void EnsembleFile::write(std::span<const MemberRow> rows) {
  implementation_->require_in_place();
  try {
    implementation_->tables->write(rows);
  } catch (const Hdf5Error& error) {
    throw WriteError("cannot write " + std::to_string(rows.size()) + " rows from row " +
                     std::to_string(rows[0].member) + " on to " + implementation_->path + ": " +
                     error.what() + free_space_note(implementation_->path) +
                     "; the rows written before are safe, rodeo resume goes on from there");
  }
}

std::vector<bool> EnsembleFile::committed() const {
  return read_from(implementation_->path, [&] { return implementation_->tables->committed(); });
}

std::vector<MemberRow> EnsembleFile::read_rows(std::uint64_t first, std::uint64_t count) const {
  return read_from(implementation_->path, [&] { return implementation_->tables->read_rows(first, count); });
}

void EnsembleFile::for_each_row(const std::function<void(const MemberRow&)>& use) const {
  read_from(implementation_->path, [&] { implementation_->tables->for_each_row(0, schema().members, use); });
}

MemberRow EnsembleFile::read_member(std::uint64_t member) const {
  return read_from(implementation_->path, [&] { return implementation_->tables->read_member(member); });
}

void EnsembleFile::flush() {
  together<WriteError>(implementation_->communicator.get(), true, [&] {
    hdf5_check(H5Fflush(implementation_->file.get(), H5F_SCOPE_GLOBAL), "cannot bring the file to disk");
    implementation_->synchronize_if_alone();
  });
}

void EnsembleFile::write(const Table& table, std::span<const TableRow> rows) {
  const Table& ordered = stored_table(schema(), table);
  const std::vector<TableRow> stored = rows_for(ordered, table, rows);
  implementation_->require_in_place();
  try {
    write_table(implementation_->file.get(), ordered, stored);
  } catch (const Hdf5Error& error) {
    throw WriteError("cannot write table " + table.name + " to " + implementation_->path + ": " +
                     error.what());
  }
}

void EnsembleFile::write(const RunningNote& note) {
  implementation_->require_in_place();
  try {
    write_running_note(implementation_->file.get(), note);
  } catch (const Hdf5Error& error) {
    throw WriteError("cannot write to " + implementation_->path + ": " + error.what());
  }
}

void EnsembleFile::release_unused_rows() const {
  read_from(implementation_->path, [&] {
    const std::vector<MemberStatus> statuses = implementation_->tables->statuses();
    const auto last = std::find_if(statuses.rbegin(), statuses.rend(),
                                   [](MemberStatus status) { return status != MemberStatus::pending; });
    const auto used = static_cast<std::uint64_t>(statuses.rend() - last);
    for (const auto& [begin, bytes] : implementation_->tables->stretches_from(used))
      implementation_->lock->release(begin, bytes);
  });
}

bool EnsembleFile::has_ended(int rank) {
  if (!implementation_->lock->is_signed(rank)) return implementation_->seen_alive.contains(rank);
  implementation_->seen_alive.insert(rank);
  return false;
}

bool EnsembleFile::keeps_writers_out() const { return implementation_->lock->keeps_writers_out(); }

std::string EnsembleFile::loss() const { return implementation_->loss(); }

void EnsembleFile::synchronize() const { implementation_->lock->synchronize(); }

void EnsembleFile::close() { implementation_->close(); }

}  // namespace rodeo
