#pragma once

#include <array>
#include <vector>

#include <hdf5.h>

#include "rodeo/plan/convergence_table.hpp"

namespace rodeo {

inline constexpr const char* convergence_path = "/convergence";
inline constexpr const char* convergence_elements_path = "/convergence/n";

/// A dataset of /convergence: one entry a level, or one for each of L1, L2 and Linf.
struct ConvergenceColumn {
  const char* path;
  bool integer;
  std::size_t width;  ///< entries a level
  double (*get)(const ConvergenceRow& row, std::size_t entry);
  void (*set)(ConvergenceRow& row, std::size_t entry, double value);

  hid_t type() const { return integer ? H5T_STD_I64LE : H5T_IEEE_F64LE; }
  std::vector<hsize_t> extent(hsize_t levels) const {
    return width == 1 ? std::vector<hsize_t>{levels} : std::vector<hsize_t>{levels, width};
  }
};

/// The list of datasets.
extern const std::array<ConvergenceColumn, 7> convergence_columns;

/// Creates the group with the levels and what is known of them.
void create_convergence(hid_t file, const ConvergenceTable& table);

/// Writes a table over the one in the file.
void write_convergence(hid_t file, const ConvergenceTable& table);

/// Reads the table of a file whose datasets have been checked.
ConvergenceTable read_convergence(hid_t file, hsize_t levels);

}  // namespace rodeo
