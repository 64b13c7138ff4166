#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "rodeo/plan/plan.hpp"

#include "chaos.hpp"
#include "correlation.hpp"
#include "random_variable.hpp"
#include "sensitivity_table.hpp"

namespace rodeo {

/// `study.kind = sensitivity`: how observables vary with random numbers of the deck, and how much with each
/// (Sobol indices).
///
/// Candidates are evaluated in rounds, each of which ends when all of its own have been told. Candidate k of
/// the first rounds is point k of a scrambled Sobol sequence. After each of them polynomial chaos is fitted
/// to each observable. The study ends when all fit (prediction error) and are steady: twice in a row no
/// index has changed by more than sensitivity.tolerance since half as many points. When half of
/// sensitivity.evaluations are used and not all fit, the rest goes to Jansen's estimator of what chaos
/// leaves. Its pairs of points are laid out so that the points so far are one of each pair. All follows from
/// the deck and from results alone.
///
/// Chaos is one of independent germs. Where parameters are correlated, its values give the indices of
/// Kucherenko, Tarantola and Annoni 2012, and there are no pairs.
class Sensitivity final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<Sensitivity> from_deck(const Deck& deck);

  std::span<const ParameterAddress> parameters() const override { return addresses_; }
  std::vector<std::string> variation() const override;
  std::uint64_t candidates() const override;
  std::vector<double> point(std::uint64_t candidate) const override;
  std::vector<std::uint64_t> ask() override;
  void tell(std::span<const Result> results) override;
  bool done() const override { return done_; }
  bool adaptive() const override { return true; }
  std::optional<double> expected_members() const override;
  std::vector<std::vector<double>> probes() const override;
  std::vector<double> plain_probe_candidates() const override;
  bool agrees(std::uint64_t candidate, std::span<const double> point) const override;
  bool compares_candidates() const override { return false; }
  std::vector<Table> tables() const override;
  std::vector<TableRow> take_rows() override;
  std::string size_note() const override;
  std::string progress() const override;
  std::string conclusion() const override;

 private:
  /// An observable, its values at the candidates, and the estimates that follow.
  struct Response {
    std::string name;
    std::string unit;
    std::size_t place = 0;            ///< in the study's list of observables
    std::vector<double> values;       ///< of candidates; NaN where one did not end well
    std::optional<Chaos> chaos;       ///< the newest
    std::vector<SobolIndices> found;  ///< by chaos, after each round
    bool varies = true;
    int steady_rounds = 0;  ///< in a row
    SensitivityRow row;     ///< the newest
  };

  std::size_t dimension() const { return variables_.size(); }
  double coordinate(std::uint64_t candidate, std::size_t parameter) const;
  std::vector<double> values_at(std::vector<double> coordinates) const;
  std::uint64_t round_end() const;
  void end_round();
  void analyse_chaos(Response& response);
  void analyse_pairs(Response& response);
  EstimatedIndices indices_of_correlated(const Chaos& chaos) const;
  EstimatedIndices indices_by_pairs(const Response& response, const std::vector<std::uint64_t>& places) const;
  void set_distribution(SensitivityRow& row, std::vector<double> values) const;
  bool fits(const Response& response) const;

  std::vector<RandomVariable> variables_;
  Correlation correlation_;
  std::vector<ParameterAddress> addresses_;
  std::vector<Response> responses_;
  double tolerance_ = 0.0;
  std::uint64_t repeats_ = 1;
  std::vector<std::uint64_t> rounds_;       ///< points at the ends of rounds of chaos
  std::vector<std::uint64_t> pair_rounds_;  ///< pairs at the ends of the rounds of Jansen's estimator
  std::size_t decision_ = 0;  ///< the round of chaos after which its rounds go on or those of pairs begin
  std::vector<double> coordinates_;  ///< of points a and b of pairs, [points, 2 P]
  Eigen::MatrixXd germs_;            ///< [points, P]
  std::vector<double>
      surrogate_coordinates_;        ///< of points at which chaos is evaluated, and of others, [points, 2 P]
  Eigen::MatrixXd surrogate_germs_;  ///< of the former

  std::size_t round_ = 0;  ///< that runs
  bool in_pairs_ = false;  ///< and is one of pairs
  std::uint64_t asked_ = 0;
  std::uint64_t told_ = 0;
  std::vector<bool> is_told_;
  std::vector<TableRow> rows_;  ///< to be taken
  bool done_ = false;
};

}  // namespace rodeo
