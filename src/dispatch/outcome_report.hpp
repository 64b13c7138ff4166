#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/output/ensemble_file.hpp"

#include "messages.hpp"
#include "study.hpp"

namespace rodeo {

/// Counts of how the members of a campaign ended, whatever the order in which they did.
class EndCounts {
 public:
  /// `objective` is the place of the study's in the list of observables, if it has one.
  explicit EndCounts(std::optional<std::size_t> objective) : objective_place_(objective) {}

  /// Number of members of a status that are remembered by number: the first of the study.
  static constexpr std::size_t most_named = 3;

  void add(const EndedMember& ended);

  std::uint64_t of(MemberStatus status) const { return count_[static_cast<std::size_t>(status)]; }
  std::uint64_t all() const;
  std::uint64_t well() const;  ///< ended_well
  /// Number of members that should have ended well and did not. Members pruned by an earlier revision do not
  /// count.
  std::uint64_t badly() const { return all() - well() - of(MemberStatus::pruned); }

  /// The first members of a status, in rising order.
  const std::vector<std::uint64_t>& first(MemberStatus status) const {
    return first_[static_cast<std::size_t>(status)];
  }

  /// Members that ended well with an objective that is no finite number, and the first of the study.
  std::uint64_t unmeasured() const { return unmeasured_; }
  std::uint64_t first_unmeasured() const { return first_unmeasured_; }

  /// Whether more than one member ended well, and all of these with the same objective.
  bool flat() const { return measured_ > 1 && measured_ == well() && least_ == most_; }
  double objective() const { return least_; }  ///< of all, if they are flat

 private:
  std::optional<std::size_t> objective_place_;
  std::array<std::uint64_t, member_status_count> count_{};
  std::array<std::vector<std::uint64_t>, member_status_count> first_;
  std::uint64_t measured_ = 0;  ///< members that ended well and have an objective
  std::uint64_t unmeasured_ = 0;
  std::uint64_t first_unmeasured_ = std::numeric_limits<std::uint64_t>::max();
  double least_ = std::numeric_limits<double>::infinity();  ///< objective
  double most_ = -std::numeric_limits<double>::infinity();
};

/// Report on members that did not end well: how many of each status, the first ones with their parameters,
/// and the likely cause. Empty if there are none. `none_well` as CampaignEnd's. Throws FileError.
std::string outcome_report(const EndCounts& ends, bool none_well, const EnsembleFile& file, Study& study);

/// Report on members that ended well without a finite objective, if that is true of all of them: which
/// objective, what it is, and the first member. Empty otherwise. Throws FileError.
std::string unmeasured_report(const EndCounts& ends, const EnsembleFile& file, Study& study);

/// Note that all candidates of a complete study have the same objective; else empty.
std::string flat_objective_note(const EndCounts& ends, Study& study);

}  // namespace rodeo
