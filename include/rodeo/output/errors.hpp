#pragma once

#include <stdexcept>

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

}  // namespace rodeo
