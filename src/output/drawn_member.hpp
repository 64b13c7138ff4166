#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/member_row.hpp"

namespace rodeo {

// What files for programs that draw have of a member besides its positions.

/// A second of their animations has so many frames, whatever their instants are: those of a member may be
/// microseconds apart, or no times at all.
inline constexpr int frames_a_second = 24;

/// The frames that a member reached, in order.
std::vector<std::size_t> reached_frames(const MemberRow& row);

/// The radius at each node of a frame, m, of rods in order.
class NodeRadii {
 public:
  NodeRadii(const EnsembleSchema& schema, const MemberRow& row);

  /// Whether they are known: from the file, or from its deck, unless that is one of another revision.
  bool known() const { return stored_ != nullptr || of_deck_.has_value(); }
  /// Whether they differ from frame to frame.
  bool change() const { return stored_ != nullptr; }
  /// The radii at a frame, m, if they are known.
  std::vector<double> at(std::size_t frame) const;

 private:
  std::size_t nodes_;
  const std::vector<double>* stored_ = nullptr;  ///< the field of that name
  std::optional<std::vector<double>> of_deck_;
};

/// Whether y is up, not z: of these two the one that gravity is along.
bool y_is_up(const EnsembleSchema& schema);

}  // namespace rodeo
