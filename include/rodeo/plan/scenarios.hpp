#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Scenarios that each candidate of a search meets (deck key study.scenarios): numbers and words of the deck,
/// the same for all candidates. A deck without scenarios has one, which sets nothing.
class Scenarios {
 public:
  Scenarios() = default;

  /// Throws DeckError.
  explicit Scenarios(const Deck& deck);

  bool any() const { return !addresses_.empty(); }
  std::uint32_t count() const { return count_; }
  std::span<const ParameterAddress> addresses() const { return addresses_; }

  /// The values of these addresses in a scenario.
  std::span<const double> values(std::uint32_t scenario) const;

  /// "variable.goal 0.1 to 0.3: 5 points", "rod.radius normal(0.001, 1e-4)"
  const std::vector<std::string>& variation() const { return variation_; }

 private:
  std::uint32_t count_ = 1;
  std::vector<ParameterAddress> addresses_;
  std::vector<double> values_;  ///< [count, addresses]
  std::vector<std::string> variation_;
};

/// Members of a candidate: repeats, in each of its scenarios. Throws DeckError.
std::uint32_t members_of_candidate(const Deck& deck);

}  // namespace rodeo
