#pragma once

#include <cstddef>
#include <span>

#include "rodeo/tangent/rod_pack.hpp"

#include "moving_rods.hpp"

namespace rodeo::implicit {

/// The entries of the matrix of a rod, those of a column one after the other and so many numbers apart: of
/// one lane of packs as many as there are lanes.
struct MatrixEntries {
  double* first;
  std::ptrdiff_t apart;

  explicit MatrixEntries(tangent::RodMatrix& matrix) : first(matrix.column(0)), apart(1) {}
  MatrixEntries(tangent::RodPackMatrix& matrix, int lane)
      : first(reinterpret_cast<double*>(&matrix.column(0)->lanes) + lane), apart(tangent::RodPack::lanes) {}

  double& at(int row, int column) const {
    return first[(column * tangent::RodMatrix::column_entries + row - column) * apart];
  }
};

/// Replaces a gradient of the energy of a rod by loads - gradient - gyroscopic couples at the given rates.
/// Loads on a node that two rods share are the earlier one's.
void subtract_from_loads(const CosseratRod& r, const double* rates, std::span<double> gradient);

/// Adds the derivative of the resistance to a rod, whose rates change by `by_rate` (1/s) times its unknowns.
void add_resistance(const CosseratRod& r, double by_rate, const MatrixEntries& matrix);

}  // namespace rodeo::implicit
