#include "rodeo/output/export_member.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/errors.hpp"
#include "rodeo/output/hdf5_handle.hpp"
#include "rodeo/output/member_row.hpp"

#include "vtkhdf.hpp"
#include "xdmf.hpp"

namespace rodeo {

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
    try {
      write_vtkhdf(target.string(), schema, row);
    } catch (const Hdf5Error& error) {
      throw FileError("cannot write " + target.string() + ": " + error.what());
    }
    return target.string();
  }
  std::ofstream file(target, std::ios::binary);
  file << (format == "xdmf" ? xdmf_text(schema, row, data_file.filename().string()) : csv_text(schema, row));
  file.close();
  if (!file) throw FileError("cannot write " + target.string() + ": " + std::strerror(errno));
  return target.string();
}

}  // namespace rodeo
