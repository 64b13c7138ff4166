#pragma once

#include <optional>

#include <hdf5.h>

#include "rodeo/output/running_note.hpp"

namespace rodeo {

// What the members that run have come to: one line of numbers that is written over and over, for whoever
// looks at the file meanwhile. No result: it has no checksum, and a file without it is as good.

void create_running_note(hid_t file);

/// Does nothing in a file that has no place for it.
void write_running_note(hid_t file, const RunningNote& note);

/// Nothing where there is none, or none that makes sense.
std::optional<RunningNote> read_running_note(hid_t file);

}  // namespace rodeo
