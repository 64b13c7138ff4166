#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/plan/objective.hpp"
#include "rodeo/plan/result.hpp"
#include "rodeo/plan/table.hpp"

namespace rodeo {

/// The candidates of a study of which none is better in all of several objectives (deck key study.pareto), in
/// a table of its own: /pareto. Candidates that violate a constraint, or lack an objective, are not compared.
class ParetoSet {
 public:
  /// Nothing if the deck does not ask for it. `candidates` as Plan has it. Throws DeckError.
  static std::optional<ParetoSet> from_deck(const Deck& deck, std::uint64_t candidates);

  const std::vector<Objective>& objectives() const { return objectives_; }

  Table table() const;

  /// Results may come in any order: the set does not depend on it in the end.
  void tell(std::span<const Result> results);

  /// Rows that are new, or no longer in the set, since the last call.
  std::vector<TableRow> take_rows();

 private:
  void add(std::uint64_t candidate, std::vector<double> values);

  std::vector<Objective> objectives_;
  std::uint64_t candidates_ = 0;
  std::map<std::uint64_t, std::vector<double>> set_;  ///< values of its candidates, smaller ones better
  std::map<std::uint64_t, TableRow> rows_;            ///< to be taken
};

}  // namespace rodeo
