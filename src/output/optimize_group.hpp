#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hdf5.h>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/plan/generation_row.hpp"

namespace rodeo {

inline constexpr const char* optimize_path = "/optimize";
inline constexpr const char* optimize_evaluations_path = "/optimize/evaluations";

/// A dataset of /optimize: one number a generation, or one for each parameter.
struct GenerationColumn {
  std::string path;
  hid_t type;
  bool per_parameter;

  std::vector<hsize_t> extent(const EnsembleSchema& schema) const {
    if (!per_parameter) return {schema.generations};
    return {schema.generations, schema.parameter_names.size()};
  }
};

/// The list of datasets, `evaluations` the last: it is zero until a generation's row is whole.
std::vector<GenerationColumn> generation_columns();

/// Creates the group with room for all generations of the schema.
void create_optimize(hid_t file, const EnsembleSchema& schema);

/// Bytes of a generation's row.
std::uint64_t generation_bytes(const EnsembleSchema& schema);

/// Writes rows, which follow one another.
void write_generations(hid_t file, std::span<const GenerationRow> rows);

/// The row of the newest generation there is; nothing before the first one.
std::optional<GenerationRow> read_latest_generation(hid_t file, const EnsembleSchema& schema);

}  // namespace rodeo
