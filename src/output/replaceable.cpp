#include "rodeo/output/replaceable.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <sys/stat.h>
#include <vector>

#include "rodeo/output/errors.hpp"

#include "attributes.hpp"
#include "breakdown_guard.hpp"
#include "layout.hpp"
#include "open_serial.hpp"

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

}  // namespace rodeo
