#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <hdf5.h>

namespace rodeo {

/// A failed HDF5 call; the text says what was being done and HDF5's own innermost reason. Never leaves
/// `output`: it becomes a FileError or a WriteError there.
class Hdf5Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Hdf5Error: "WHAT (HDF5: innermost reason)".
[[noreturn]] void throw_hdf5_error(const std::string& what);

/// Passes on what an HDF5 call returned, or throws if that is negative.
template <class Result>
Result hdf5_check(Result result, const char* what) {
  if (result < 0) throw_hdf5_error(what);
  return result;
}

/// HDF5 prints its error stack to stderr unless told otherwise; our messages carry what matters of it.
void silence_hdf5();

/// Whether HDF5 has closed all that it was told to close. If not, it breaks down where MPI ends: the process
/// has to leave by _exit().
bool hdf5_closed_all();

/// Owns one HDF5 identifier.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Handle() = default;
  /// Takes over `id`; throws Hdf5Error naming `what` if the call that made it failed.
  Hdf5Handle(hid_t id, Close close_function, const std::string& what) : id_(id), close_(close_function) {
    if (id_ < 0) throw_hdf5_error(what);
  }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { static_cast<void>(closes()); }

  hid_t get() const { return id_; }

  /// Closes now; throws Hdf5Error if that fails. The identifier is given up in any case.
  void close(const char* what) {
    if (!closes()) throw_hdf5_error(what);
  }

 private:
  /// Closes, if it is open; returns whether that went well.
  bool closes();

  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// "1.10.8"; of the library that runs, not of the headers.
std::string hdf5_version();

}  // namespace rodeo
