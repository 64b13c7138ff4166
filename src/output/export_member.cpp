#include "rodeo/output/export_member.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <list>
#include <string_view>
#include <system_error>

#include "rodeo/input/command_line.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/output/hdf5_handle.hpp"

#include "open_serial.hpp"
#include "temporary_file.hpp"
#include "vtkhdf.hpp"
#include "xdmf.hpp"

namespace rodeo {

namespace {

/// First lines of a text, so many.
std::string_view head(std::string_view text, int lines) {
  std::size_t end = 0;
  while (lines-- > 0 && end < text.size()) end = std::min(text.size(), text.find('\n', end)) + 1;
  return text.substr(0, end);
}

bool begins_with(const std::string& path, std::string_view head) {
  std::string text(head.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(text.data(), static_cast<std::streamsize>(text.size())) && text == head;
}

/// Whether a path is that of a file of HDF5 of a kind.
auto holds(bool (*is_ours)(hid_t file)) {
  return [is_ours](const std::string& path) {
    silence_hdf5();
    const BreakdownGuard guard(path);
    try {
      return is_ours(open_serial(path, H5F_ACC_RDONLY).get());
    } catch (const FileError&) {
      return false;
    }
  };
}

/// Throws FileError if something stands at the path that is not of the kind that is to be written there.
template <class IsOurs>
void require_replaceable_export(const std::string& path, const IsOurs& is_ours) {
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, error))) return;
  const bool regular = std::filesystem::is_regular_file(path, error);
  if (regular && (std::filesystem::file_size(path, error) == 0 || is_ours(path))) return;
  throw FileError(path + " is there already and is no such export: it is left as it is; move it away");
}

std::string made_by_hdf5(std::string (*bytes)(const EnsembleSchema& schema, const MemberRow& row),
                         const EnsembleSchema& schema, const MemberRow& row) {
  try {
    return bytes(schema, row);
  } catch (const Hdf5Error& error) {
    throw FileError("cannot export member " + std::to_string(row.member) + ": " + error.what());
  }
}

/// The files of an export, which get their names together, once all are written.
class ExportedFiles {
 public:
  /// Adds a file of these bytes, in place of a file of the same kind.
  template <class IsOurs>
  void add_bytes(const std::string& path, const std::string& bytes, const IsOurs& is_ours) {
    require_replaceable_export(path, is_ours);
    TemporaryFile::remove_leftovers(path);
    files_.emplace_back(path).write(bytes);
  }

  /// Adds a file of this text, in place of one whose first lines, so many, are the same.
  void add_text(const std::string& path, const std::string& text, int lines) {
    const std::string_view own = head(text, lines);
    add_bytes(path, text, [&](const std::string& there) { return begins_with(there, own); });
  }

  void publish() {
    for (TemporaryFile& file : files_) file.synchronize();
    for (TemporaryFile& file : files_) file.publish();
  }

 private:
  std::list<TemporaryFile> files_;
};

constexpr int lines_of_xdmf = 4;  // to the name of its grid

}  // namespace

std::string export_member(const EnsembleReader& reader, const std::string& path, std::uint64_t member,
                          const std::string& format) {
  const EnsembleSchema& schema = reader.schema();
  if (std::ranges::find(export_formats, format) == export_formats.end())
    throw FileError("cannot export " + format + ": use " + export_format_list);
  if (member >= schema.members) {
    throw FileError("there is no member " + std::to_string(member) + " in " + path + ", which has " +
                    std::to_string(schema.members) + ", counted from 0");
  }
  if (schema.frames == 0) throw FileError(path + " has no trajectories (output.frames = 0)");
  const MemberRow row = reader.read_member(member);
  if (row.status == MemberStatus::pending) {
    throw FileError("member " + std::to_string(member) + " of " + path + " is not finished yet");
  }
  const std::filesystem::path data_file(path);
  const auto target = [&](const std::string& ending) {
    const std::string stem = data_file.stem().string() + "_member_" + std::to_string(member);
    return (data_file.parent_path() / (stem + ending)).string();
  };
  std::string written;
  ExportedFiles files;
  if (format == "vtkhdf") {
    written = target(".hdf");  // the ending by which ParaView 5.11 knows it
    files.add_bytes(written, made_by_hdf5(vtkhdf_bytes, schema, row), holds(is_vtkhdf));
  } else if (format == "csv") {
    written = target(".csv");
    files.add_text(written, csv_text(schema, row), 1);
  } else {
    written = target(".xdmf");
    files.add_text(written, xdmf_text(schema, row, data_file.filename().string()), lines_of_xdmf);
  }
  files.publish();
  return written;
}

}  // namespace rodeo
