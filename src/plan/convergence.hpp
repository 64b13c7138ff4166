#pragma once

#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/study_state.hpp"

#include "convergence_table.hpp"
#include "followed_observable.hpp"

namespace rodeo {

inline constexpr std::string_view convergence_table_name = "convergence";

/// State of a study with such a table, for `rodeo status`.
StudyState convergence_state(const Table& table, const std::optional<TableRow>& newest);

/// `study.kind = convergence`: one simulation at several resolutions, from coarse to fine. Its candidates are
/// the rows of its table. It compares profiles of the rod, or observables.
class Convergence final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<Convergence> from_deck(const Deck& deck);

  std::span<const ParameterAddress> parameters() const override { return {&address_, 1}; }
  std::vector<std::string> variation() const override;
  std::uint64_t candidates() const override { return values_.size(); }
  std::vector<double> point(std::uint64_t candidate) const override { return {values_[candidate]}; }
  std::vector<std::uint64_t> ask() override;
  void tell(std::span<const Result> results) override;
  bool needs_frames() const override { return observables_.empty() && table_.against_finest(); }
  bool done() const override { return told_ == values_.size(); }
  bool compares_candidates() const override { return false; }
  std::vector<Table> tables() const override;
  std::vector<TableRow> take_rows() override;
  std::string conclusion() const override;

 private:
  std::vector<TableColumn> profile_columns() const;

  ParameterAddress address_;
  std::vector<double> values_;  ///< of the address, from the coarsest level to the finest
  ConvergenceTable table_;      ///< without errors until all levels are told
  std::vector<LevelResult> levels_;
  std::vector<FollowedObservable> observables_;  ///< none: profiles are compared
  std::size_t told_ = 0;                         ///< levels
  bool rows_changed_ = true;                     ///< since they were taken
  bool in_space_ = true;                         ///< the levels differ in the lengths of their elements
  bool asked_ = false;
};

}  // namespace rodeo
