#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/boundary/motion.hpp"
#include "rodeo/member/rods.hpp"
#include "rodeo/tangent/held_unknowns.hpp"
#include "rodeo/tangent/rod_tangent.hpp"
#include "rodeo/tangent/seam.hpp"

namespace rodeo::coupling {

/// A rod of a member with its supports; its unknowns (tangent/rod_tangent.hpp) stand from `first` on among
/// the member's.
struct CosseratRod {
  CosseratRod(const RodData& data, const RodView& rod, std::size_t first_unknown);

  int unknowns() const { return tangent::unknowns(rod.elements); }
  std::size_t size() const { return static_cast<std::size_t>(unknowns()); }

  // The rod's part of a vector of the member.
  double* of(std::vector<double>& vector) const { return vector.data() + first; }
  const double* of(const std::vector<double>& vector) const { return vector.data() + first; }
  std::span<double> part(std::vector<double>& vector) const { return {of(vector), size()}; }
  std::span<const double> part(std::span<const double> vector) const { return vector.subspan(first, size()); }

  /// The rod's part of a step, as functions of tangent/rod_tangent.hpp read it; good until the next call.
  std::span<const double> way(std::span<const double> step) {
    return seam ? seam->with_ghosts(part(step)) : part(step);
  }

  /// Range of nodes with entries of their own in the arrays: the last one of a closed rod is its first.
  int first_own_node() const { return data->shares_first_node ? 1 : 0; }
  int end_of_own_nodes() const { return seam ? rod.elements : rod.nodes(); }

  /// Finds what supports hold, and motions in the step after so many; `number`: the rod's own.
  void find_held(const boundary::Motions& motions, std::int64_t steps, std::size_t number);

  /// Length at rest by the rod's arrays, m.
  double rest_length() const;

  const RodData* data;
  RodView rod;
  std::size_t first;
  tangent::ClampedEnds ends;
  std::optional<tangent::Seam> seam;  ///< of a closed rod
  tangent::HeldUnknowns held;
  double length;  ///< at rest, m
};

}  // namespace rodeo::coupling
