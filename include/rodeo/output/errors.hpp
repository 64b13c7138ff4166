#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace rodeo {

/// An ensemble file that cannot be used: exists already, is truncated, of another schema, locked, unwritable.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A write that failed while a campaign ran (disk full, quota): the rows acknowledged so far are safe.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Text of an error, in words also where the library has none.
inline std::string words_of(const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  const std::string text = error.what();
  return memory || text.starts_with("Kokkos failed to allocate memory") ? "there is not enough memory" : text;
}

}  // namespace rodeo
