#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/study_state.hpp"
#include "rodeo/plan/sweep.hpp"

#include "refinement.hpp"

namespace rodeo {

/// The table that tells `rodeo status` how far a boundary is.
inline constexpr std::string_view boundary_counts_name = "boundary_counts";

StudyState boundary_state(const Table& table, const std::optional<TableRow>& newest);

/// Rule for the outcome of a member: on which side of a level it lies, or how it ended.
class OutcomeRule {
 public:
  /// refine.observable and refine.level. Throws DeckError.
  static OutcomeRule from_deck(const Deck& deck);

  int outcome(const Result& member) const;

  /// Excess of the observable over the level; NaN where outcome() is neither of the two.
  double above(const Result& member) const;

  /// Whether there is a level.
  bool has_level() const { return place_.has_value(); }

  /// The words for outcomes 0, 1, 2, ...
  std::vector<std::string> names() const;

  /// Whether an outcome is the one whose probability is told.
  bool counts(int outcome) const { return place_ ? outcome == 1 : outcome > 0; }

 private:
  std::optional<std::size_t> place_;  ///< of the observable; without one, statuses tell
  double level_ = 0.0;
};

/// `study.kind = boundary`: where outcomes change over a grid of two or three axes, from a fraction of its
/// members. Candidates are the nodes of the grid, with the numbers and so the seeds that study.kind = sweep
/// gives them; nodes that are not evaluated have the outcome of the nearest one that is.
///
/// Values of a list, words among them, are categories: outcomes change along the other axes, for each
/// combination of categories by itself.
///
/// With several repeats the first one of a node runs at first, and the others where outcomes within a step
/// of it disagree.
class BoundaryStudy final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<BoundaryStudy> from_deck(const Deck& deck);

  BoundaryStudy(std::unique_ptr<Sweep> sweep, const NodeGrid& grid) : sweep_(std::move(sweep)), grid_(grid) {}

  std::span<const ParameterAddress> parameters() const override { return sweep_->parameters(); }
  std::vector<std::string> variation() const override { return sweep_->variation(); }
  std::uint64_t candidates() const override { return sweep_->candidates(); }
  std::vector<double> point(std::uint64_t candidate) const override { return sweep_->point(candidate); }
  bool asks_for_members() const override { return true; }
  std::vector<std::uint64_t> ask() override;
  void tell(std::span<const Result> results) override;
  bool done() const override { return awaited_ == 0; }
  std::optional<double> expected_members() const override;
  std::vector<Table> tables() const override;
  std::vector<TableRow> take_rows() override;
  std::string size_note() const override;
  std::string progress() const override;
  std::string conclusion() const override;

 private:
  /// Numbers of a node's members that have ended with each outcome.
  using Ends = std::array<std::uint32_t, most_outcomes>;

  std::uint64_t members() const { return candidates() * repeats_; }
  std::uint64_t member(std::size_t node, std::uint32_t repeat) const { return node * repeats_ + repeat; }
  Ends ends_of(std::size_t node) const;
  void collect();
  void want(std::uint64_t member);
  void repeat_around(std::size_t node);
  std::vector<int> outcomes(const std::vector<double>& inferred) const;
  void add_map();
  std::string saving() const;
  std::string blind_spot() const;

  std::unique_ptr<Sweep> sweep_;
  NodeGrid grid_;
  OutcomeRule rule_;
  std::string observable_;
  std::string level_;
  std::string unit_;  ///< of the observable
  std::string method_;
  Coordinates strides_{1, 1, 1};
  std::uint32_t repeats_ = 1;
  std::unique_ptr<Refinement> refinement_;
  std::vector<std::int8_t> outcome_;  ///< by member; -1 while it is not known
  std::vector<bool> wanted_;          ///< by member
  std::vector<OutcomeSet> seen_;      ///< by node
  std::vector<std::uint64_t> new_;    ///< members to be handed out
  std::uint64_t awaited_ = 0;         ///< members that were wanted and are not known
  std::uint64_t known_ = 0;           ///< members
  std::uint64_t known_nodes_ = 0;     ///< with a member that is known
  std::vector<TableRow> rows_;        ///< to be taken
  std::uint64_t next_map_ = 1;        ///< members known, when the map is written again
  std::uint64_t next_counts_ = 0;     ///< the same of the counts
  bool complete_ = false;             ///< the rows of the end were made
};

}  // namespace rodeo
