#include "rodeo/output/ensemble_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <hdf5.h>

#include "rodeo/input/number_text.hpp"
#include "rodeo/output/agreement.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

#include "attributes.hpp"
#include "datasets.hpp"
#include "file_lock.hpp"
#include "layout.hpp"
#include "open_serial.hpp"
#include "read_schema.hpp"
#include "row_tables.hpp"
#include "running_dataset.hpp"
#include "stored_ensemble.hpp"
#include "study_tables.hpp"
#include "temporary_file.hpp"

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

/// Writes the committed rows of the ensemble file `from` that are taken over, with their trajectories, into a
/// new one that is open in this process alone, and adds how often their campaign was resumed. A row changes
/// in its numbers of member, candidate and repeat alone, and gains frames that were never reached where the
/// new file has more. Throws FileError where `from` cannot be read or its rows are others.
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

/// After kill -9 of mpirun its ranks were seen to live on for 2.6 s.
constexpr std::chrono::milliseconds lock_patience{5000};

constexpr const char* exists_already = " exists already; --resume goes on with it, --overwrite replaces it";

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool exists(const std::string& path) {
  struct stat properties {};
  return lstat(path.c_str(), &properties) == 0;
}

bool is_same_file(const std::string& path, const std::string& other) {
  std::error_code error;  // a name that is not there is no other name of a file
  return std::filesystem::equivalent(path, other, error);
}

/// A file open for reading and writing, which is made if it is not there.
int opened(const std::string& path) {
  const int number = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (number < 0) throw FileError("cannot create " + path + ": " + std::strerror(errno));
  return number;
}

std::string holder(const std::string& path) {
  try {
    const Hdf5Handle file = open_serial(path, H5F_ACC_RDONLY);
    return read_provenance(file.get()).writer;
  } catch (const std::runtime_error&) {
    return "a process that did not leave its name";
  }
}

/// Takes the lock of an existing file for a new writer, waiting as long as the ranks of a killed job may
/// linger. Throws FileError naming the holder if a campaign is running on it.
FileLock lock_for_writing(const std::string& path) {
  std::optional<FileLock> lock = FileLock::acquire(path, lock_patience);
  if (!lock) throw FileError(path + " is being written by a running campaign (" + holder(path) + ")");
  if (!lock->loss(path, 0).empty()) {
    throw FileError(path +
                    " was replaced or removed while its lock was waited for: another campaign is there");
  }
  return std::move(*lock);
}

/// A new ensemble file under a temporary name beside its real one, complete but for its rows, with its space
/// reserved and its lock taken. Removed unless published. Used by one process, without MPI.
class StagedFile {
 public:
  /// Throws FileError: the path is taken, by what `overwrite` does not replace or without it, its folder is
  /// missing or unwritable, the disk is too small. It takes over rows of the
  /// file that it replaces, or of others.
  StagedFile(const std::string& path, const EnsembleSchema& schema, const Provenance& provenance,
             bool overwrite, std::span<const Takeover> takeovers = {})
      : path_(path),
        temporary_(path),
        overwrite_(overwrite),
        kept_as_(takeovers.empty() ? "" : takeovers.front().kept_as) {
    check_target();
    TemporaryFile::remove_leftovers(path_);
    if (overwrite_ && exists(path_)) replaced_lock_ = lock_for_writing(path_);
    const std::uint64_t bytes = ensemble_file_bytes(schema);
    check_space(bytes);
    try {
      // Once before, so that HDF5 never meets a full disk, and once after, since HDF5 starts from an empty
      // file.
      reserve(bytes);
      {
        const Hdf5Handle access = unlocked_access();
        Hdf5Handle file = create_file(temporary_.path(), access.get());
        write_new_ensemble(file.get(), schema, provenance);
        for (const Takeover& takeover : takeovers)
          copy_rows(takeover.from.empty() ? path_ : takeover.from, file.get(), temporary_.path(), takeover);
        file.close("cannot close it");
      }
      reserve(std::filesystem::file_size(temporary_.path()));
      lock_ = FileLock::acquire_new(temporary_.path(), path_, lock_patience, replaced_lock_);
    } catch (const Hdf5Error& error) {
      throw FileError("cannot create " + path_ + ": " + error.what());
    }
  }

  const std::string& temporary_path() const { return temporary_.path(); }

  /// Brings the file to disk and gives it its real name, in one step, once the file that it replaces has the
  /// other name under which that stays; hands over its lock.
  FileLock publish() {
    temporary_.synchronize();
    keep_replaced();
    // Without overwrite, a file that came to be meanwhile must survive.
    if (overwrite_) {
      temporary_.publish();
    } else if (!temporary_.publish_new()) {
      throw FileError(path_ + exists_already);
    }
    return std::move(*lock_);
  }

 private:
  void check_target() const {
    struct stat properties {};
    const std::string folder = folder_of(path_);
    if (stat(folder.c_str(), &properties) != 0 || access(folder.c_str(), W_OK | X_OK) != 0) {
      throw FileError("cannot create " + path_ + ": folder " + folder + ": " + std::strerror(errno));
    }
    require_replaceable(path_);
    if (exists(path_) && !overwrite_) throw FileError(path_ + exists_already);
    if (!kept_as_.empty() && exists(kept_as_) && !is_same_file(path_, kept_as_)) {
      throw FileError(kept_as_ + ", where " + path_ + " is to stay as it is, exists already: move it away");
    }
  }

  /// Gives the file that is replaced its other name. That of a run which was killed before the replacement is
  /// the same file still.
  void keep_replaced() const {
    if (kept_as_.empty() || is_same_file(path_, kept_as_)) return;
    if (link(path_.c_str(), kept_as_.c_str()) == 0) return;
    if (errno == EEXIST) throw FileError(kept_as_ + " exists already: move it away");
    // A file system without links: a copy gets the name when it is whole.
    TemporaryFile copy(kept_as_);
    std::error_code error;
    std::filesystem::copy_file(path_, copy.path(), std::filesystem::copy_options::overwrite_existing, error);
    if (error) throw FileError("cannot keep " + path_ + " as " + kept_as_ + ": " + error.message());
    copy.publish();
  }

  /// Reserves the first bytes of the temporary file on disk, so that a campaign that starts can also end.
  /// Where the file system cannot reserve, the check of its free space is all there is.
  void reserve(std::uint64_t bytes) const {
    const Descriptor file(opened(temporary_.path()));
    if (fallocate(file.number(), 0, 0, static_cast<off_t>(bytes)) == 0) return;
    if (errno == EOPNOTSUPP || errno == ENOSYS) return;
    throw FileError("cannot reserve " + format_bytes(static_cast<double>(bytes)) + " for " + path_ + ": " +
                    std::strerror(errno));
  }

  void check_space(std::uint64_t bytes) const {
    struct statvfs properties {};
    if (statvfs(folder_of(path_).c_str(), &properties) != 0) return;  // not known: the reservation will tell
    const std::uint64_t available = properties.f_bavail * properties.f_frsize;
    if (bytes > available) {
      throw FileError("cannot create " + path_ + ": it needs " + format_bytes(static_cast<double>(bytes)) +
                      ", its file system has " + format_bytes(static_cast<double>(available)) + " free");
    }
  }

  std::string path_;
  TemporaryFile temporary_;
  bool overwrite_;
  std::string kept_as_;                    ///< other name of the file that is replaced; empty: it goes
  std::optional<FileLock> replaced_lock_;  ///< keeps others from resuming the file that is about to go
  std::optional<FileLock> lock_;
};

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
