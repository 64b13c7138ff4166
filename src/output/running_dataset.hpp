#pragma once

#include <optional>

#include <hdf5.h>

#include "rodeo/output/file_records.hpp"

namespace rodeo {

// Progress of the running members: one line of numbers that is overwritten time and again, for readers of the
// file meanwhile. Not a result: it has no checksum, and a file without it is as good.

void create_running_note(hid_t file);

/// Does nothing in a file that has no place for it.
void write_running_note(hid_t file, const RunningNote& note);

/// Reads the note; nothing where there is none, or none that makes sense.
std::optional<RunningNote> read_running_note(hid_t file);

}  // namespace rodeo
