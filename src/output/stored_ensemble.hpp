#pragma once

#include <hdf5.h>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

namespace rodeo {

/// Writes all of a new file but its rows: root attributes, deck, empty tables.
void write_new_ensemble(hid_t file, const EnsembleSchema& schema, const Provenance& provenance);

Provenance read_provenance(hid_t file);

/// Notes a new writer in place: ranks, hosts, writer, one resume more.
void note_resume(hid_t file, const Provenance& provenance);

}  // namespace rodeo
