#include "rodeo/output/export_member.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/errors.hpp"
#include "rodeo/output/hdf5_handle.hpp"
#include "rodeo/output/member_row.hpp"

#include "breakdown_guard.hpp"
#include "open_serial.hpp"
#include "vtkhdf.hpp"
#include "xdmf.hpp"

namespace rodeo {

namespace {

/// So many lines of a text.
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

bool is_exported_vtkhdf(const std::string& path) {
  silence_hdf5();
  const BreakdownGuard guard(path);
  try {
    return is_vtkhdf(open_serial(path, H5F_ACC_RDONLY).get());
  } catch (const FileError&) {
    return false;
  }
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

}  // namespace

std::string export_member(const EnsembleReader& reader, const std::string& path, std::uint64_t member,
                          const std::string& format) {
  const EnsembleSchema& schema = reader.schema();
  if (format != "xdmf" && format != "csv" && format != "vtkhdf")
    throw FileError("cannot export " + format + ": use xdmf, vtkhdf or csv");
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
  const std::string ending = format == "vtkhdf" ? "hdf" : format;  // the one by which ParaView 5.11 knows it
  const std::filesystem::path target = data_file.parent_path() / (data_file.stem().string() + "_member_" +
                                                                  std::to_string(member) + "." + ending);
  if (format == "vtkhdf") {
    require_replaceable_export(target.string(), is_exported_vtkhdf);
    try {
      write_vtkhdf(target.string(), schema, row);
    } catch (const Hdf5Error& error) {
      throw FileError("cannot write " + target.string() + ": " + error.what());
    }
    return target.string();
  }
  const std::string text =
      format == "xdmf" ? xdmf_text(schema, row, data_file.filename().string()) : csv_text(schema, row);
  constexpr int lines_of_xdmf = 4;  // to the name of its grid
  const std::string_view own = head(text, format == "xdmf" ? lines_of_xdmf : 1);
  require_replaceable_export(target.string(),
                             [&](const std::string& there) { return begins_with(there, own); });
  std::ofstream file(target, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw FileError("cannot write " + target.string() + ": " + std::strerror(errno));
  return target.string();
}

}  // namespace rodeo
