#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <hdf5.h>

#include "rodeo/output/ensemble_schema.hpp"

namespace rodeo {

// Sizes of files that a deck asks for may be beyond all numbers: the largest number then stands for them.

inline std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::uint64_t>::max() : result;
}

inline std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::numeric_limits<std::uint64_t>::max() : result;
}

inline constexpr const char* schema_name = "rodeo ensemble";

/// First bytes of every HDF5 file.
inline constexpr std::string_view hdf5_signature("\x89HDF\r\n\x1a\n", 8);
inline constexpr int schema_version = 2;

/// The datasets with one entry or one line of entries per member, in the order their bytes enter the
/// checksum. `time` is the last: it belongs to the trajectory, the others are the row's scalars.
enum class Column : int {
  parameters,
  candidate,
  repeat,
  seed,
  status,
  observables,
  steps,
  wall_seconds,
  rank,
  time,
  count
};

inline constexpr int column_count = static_cast<int>(Column::count);

/// Format of a column in the file.
struct ColumnFormat {
  const char* path;
  hid_t type;  ///< in memory as in the file
  std::uint64_t bytes_per_entry;
  std::uint64_t entries_per_row;
  bool matrix;       ///< [M, entries_per_row]; else [M]
  bool zero_filled;  ///< must read as zero until written; payload may read as anything
};

std::array<ColumnFormat, column_count> column_formats(const EnsembleSchema& schema);

inline constexpr const char* deck_path = "/deck";
inline constexpr const char* commit_path = "/members/commit";
/// The scenario of each member, in files of studies that have scenarios; its attribute "keys" names the
/// parameters that these set, which are the last ones.
inline constexpr const char* scenario_path = "/members/scenario";
inline constexpr const char* parameter_labels_path = "/members/parameter_name";
inline constexpr const char* observable_labels_path = "/members/observable_name";
inline constexpr const char* frame_observables_path = "/trajectories/observables";
/// The dataset of a field of trajectories.
std::string field_path(const FieldFormat& field);
inline constexpr const char* nodes_path = "/trajectories/nodes";
inline constexpr const char* offset_path = "/trajectories/offset";
inline constexpr const char* rod_nodes_path = "/trajectories/rod_nodes";
inline constexpr const char* rod_numbers_path = "/trajectories/rod_numbers";

/// Places of a field's numbers in its dataset: member k's frames are F blocks of nodes_of(k) nodes.
class FieldLayout {
 public:
  FieldLayout(const EnsembleSchema& schema, const FieldFormat& field);

  /// [M,F,nodes,C], or [total,C] if members differ in their nodes; [M,F] of an observable; [M,points,C] at
  /// points of data. Of shapes of modes these are the frames.
  std::vector<hsize_t> extent() const;
  /// First node of each member, and the total as one more entry; empty unless members differ.
  const std::vector<std::uint64_t>& offsets() const { return offsets_; }

  hid_t type() const;
  std::uint64_t numbers_per_frame(std::uint64_t member) const { return nodes_of(member) * components_; }
  std::uint64_t bytes_per_frame(std::uint64_t member) const {
    return numbers_per_frame(member) * bytes_per_number_;
  }
  std::uint64_t bytes_per_row(std::uint64_t member) const { return frames_ * bytes_per_frame(member); }
  std::uint64_t nodes_of(std::uint64_t member) const;
  std::uint64_t bytes() const;
  bool single_precision() const { return bytes_per_number_ == 4; }
  std::uint64_t frames() const { return frames_; }

  /// Selects frames of one member, or all frames of several, in the file's dataspace.
  struct Span {
    std::uint64_t member = 0;
    std::uint64_t members = 0;
    std::uint64_t frame = 0;
    std::uint64_t frames = 0;
  };
  void select(hid_t space, const Span& span) const;
  std::uint64_t bytes(const Span& span) const;

  /// Cuts the trajectories of a block of rows into spans that fit into memory: one for all the rows, or for a
  /// row that is large by itself several of whole frames.
  std::vector<Span> spans(std::uint64_t first, std::uint64_t count) const;

 private:
  std::uint64_t members_;
  std::uint64_t frames_;
  bool of_nodes_;
  bool of_points_;       ///< as of nodes in one frame
  std::uint64_t nodes_;  ///< if all members have as many; 1 of an observable
  std::uint64_t components_;
  std::uint64_t bytes_per_number_;
  std::vector<std::uint64_t> offsets_;
};

/// Bytes of a row without its frames' fields.
std::uint64_t column_bytes_per_row(const EnsembleSchema& schema);

}  // namespace rodeo
