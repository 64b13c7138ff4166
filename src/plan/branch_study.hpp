#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/study_state.hpp"

namespace rodeo {

inline constexpr std::string_view branch_table_name = "branch";

/// The table that tells `rodeo status` how far the diagram is.
inline constexpr std::string_view branch_counts_name = "branch_counts";

StudyState branch_state(const Table& table, const std::optional<TableRow>& newest);

/// `study.kind = branch`: the diagram of equilibria over a number of the deck. Candidate 0 is the branch that
/// the deck itself gives. Each of its bifurcations, up to a number, has a candidate for either side of the
/// branch that crosses there, these have theirs, and so on as far as branch.turns has entries: a candidate is
/// its turns, and any of them can be run alone. Its number follows from its turns, whatever is found.
class BranchStudy final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<BranchStudy> from_deck(const Deck& deck);

  std::span<const ParameterAddress> parameters() const override { return turns_; }
  std::vector<std::string> variation() const override;
  std::uint64_t candidates() const override { return first_of_depth_.back(); }
  std::vector<double> point(std::uint64_t candidate) const override;
  std::vector<std::uint64_t> ask() override { return std::exchange(new_, {}); }
  void tell(std::span<const Result> results) override;
  std::optional<double> expected_members() const override;
  bool needs_unfinished_branches() const override { return true; }
  bool done() const override { return awaited_ == 0; }
  bool compares_candidates() const override { return false; }
  std::vector<Table> tables() const override;
  std::vector<TableRow> take_rows() override;
  std::string conclusion() const override;

 private:
  struct Told {
    std::uint64_t candidate = 0;
    double bifurcations = 0.0;
    double folds = 0.0;
    double first_critical = 0.0;
    double last_value = 0.0;
    MemberStatus status = MemberStatus::done;
  };

  std::uint64_t sides() const { return 2 * bifurcations_; }
  std::size_t depth(std::uint64_t candidate) const;
  std::uint64_t parent(std::uint64_t candidate) const;
  std::uint64_t child(std::uint64_t candidate, std::uint64_t side) const;
  double last_turn(std::uint64_t candidate) const;
  void want(std::uint64_t candidate);

  std::string key_;
  std::vector<ParameterAddress> turns_;
  std::uint64_t bifurcations_ = 0;             ///< most of a branch that are followed
  std::vector<std::uint64_t> first_of_depth_;  ///< candidate with so many turns; the last one: all of them
  std::vector<std::uint64_t> new_;             ///< to be handed out
  std::vector<Told> told_;
  std::vector<TableRow> rows_;  ///< to be taken
  std::uint64_t awaited_ = 0;
};

}  // namespace rodeo
