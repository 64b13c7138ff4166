#pragma once

#include "rodeo/plan/convergence_table.hpp"
#include "rodeo/plan/plan.hpp"

namespace rodeo {

/// `study.kind = convergence`: one simulation at several resolutions, from coarse to fine. Its candidates are
/// the rows of its table.
class Convergence final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<Convergence> from_deck(const Deck& deck);

  std::span<const ParameterAddress> parameters() const override { return {&address_, 1}; }
  std::uint64_t candidates() const override { return values_.size(); }
  std::vector<double> point(std::uint64_t candidate) const override { return {values_[candidate]}; }
  std::vector<std::uint64_t> ask() override;
  void tell(std::span<const CandidateResult>) override {}
  bool done() const override { return asked_; }
  const ConvergenceTable* ladder() const override { return &table_; }

 private:
  ParameterAddress address_;
  std::vector<double> values_;  ///< of the address, from the coarsest level to the finest
  ConvergenceTable table_;      ///< without errors
  bool asked_ = false;
};

}  // namespace rodeo
