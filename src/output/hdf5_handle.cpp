#include "rodeo/output/hdf5_handle.hpp"

namespace rodeo {

namespace {

/// Called from the innermost error outwards; the first one is the cause, later ones say who passed it on.
herr_t keep_innermost(unsigned depth, const H5E_error2_t* error, void* text) {
  if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

bool closed_all = true;

}  // namespace

void throw_hdf5_error(const std::string& what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
  H5Eclear2(H5E_DEFAULT);
  throw Hdf5Error(reason.empty() ? what : what + " (HDF5: " + reason + ")");
}

void silence_hdf5() {
  // At exit the library closes what is open once more, and breaks down over a file that could not be closed.
  static const bool stays = H5dont_atexit() >= 0;
  static_cast<void>(stays);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

bool hdf5_closed_all() { return closed_all; }

bool Hdf5Handle::closes() {
  if (id_ < 0) return true;
  const bool closed = close_(std::exchange(id_, -1)) >= 0;
  if (!closed) closed_all = false;
  return closed;
}

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  if (H5get_libversion(&major, &minor, &release) < 0) return "unknown";
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace rodeo
