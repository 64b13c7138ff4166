#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/plan/plan.hpp"

#include "cma_es.hpp"
#include "constraints.hpp"
#include "generation_table.hpp"
#include "optimization_settings.hpp"
#include "search_interval.hpp"

namespace rodeo {

/// `study.kind = optimize`: CMA-ES over numbers of the deck, with restarts.
///
/// Candidates are numbered in the order they are sampled, over all generations and restarts. Generation g of
/// a search, lambda candidates, is told as a whole and in the order of candidates. With optimize.mode =
/// asynchronous the first optimize.ahead candidates of generation g + 1 are sampled when all but the last
/// optimize.ahead candidates of generation g have ended, from the search as it would be with those alone, so
/// that workers have something to do while the last members run. What is sampled depends on the deck and on
/// results alone, never on who ran what when. All state follows from the results: a campaign is resumed by
/// telling them again.
///
/// With optimize.constraint candidates rank by an augmented Lagrangian that is the same for a whole
/// generation; the best candidate is the one of the best objective among those that fulfil all constraints.
class Optimization final : public Plan {
 public:
  /// `spare`: candidates of optimize.evaluations that are not for this search. Throws DeckError.
  static std::unique_ptr<Optimization> from_deck(const Deck& deck, std::uint64_t spare = 0);

  std::span<const ParameterAddress> parameters() const override { return addresses_; }
  std::vector<std::string> variation() const override;
  std::uint64_t candidates() const override { return settings_.evaluations; }
  std::vector<double> point(std::uint64_t candidate) const override;
  std::vector<std::uint64_t> ask() override;
  void tell(std::span<const Result> results) override;
  bool done() const override { return done_; }
  bool found_nothing() const override { return done_ && best_point_.empty(); }
  bool adaptive() const override { return true; }
  std::optional<SearchDistribution> distribution_at_end() const override {
    return done_ ? std::optional(distribution_now()) : std::nullopt;
  }
  std::vector<std::vector<double>> probes() const override;
  bool agrees(std::uint64_t candidate, std::span<const double> point) const override;
  std::vector<Table> tables() const override;
  std::vector<TableRow> take_rows() override;
  std::string size_note() const override;
  std::string progress() const override;
  std::string conclusion() const override;

  // Settings, for plans that extend this search (LadderSearch).
  const OptimizationSettings& settings() const { return settings_; }
  const CmaEs& distribution() const { return search_->es; }
  SearchDistribution distribution_now() const;
  const Eigen::VectorXd& position(std::uint64_t candidate) const { return sampled_.at(candidate).position; }
  std::uint64_t told() const { return search_->next_told; }  ///< the candidates before belong to generations
  std::uint64_t ahead() const { return search_->ahead; }     ///< of those behind that may have begun
  std::uint64_t first() const { return search_->first; }     ///< candidate of the present search
  std::uint64_t next_candidate() const { return next_candidate_; }  ///< to be sampled
  std::uint64_t generations() const { return generation_; }         ///< told
  StopReason stop() const { return latest_.stop; }                  ///< of the last generation

  /// Objective::fitness.
  double fitness(const Result& result) const { return settings_.objective.fitness(result); }
  double objective(double fitness) const { return settings_.objective.largest ? -fitness : fitness; }

  /// Whether points are the same but for the rounding of another machine.
  bool is_near(std::span<const double> own, std::span<const double> point) const;

  /// Whether one more generation of so many is allowed.
  bool has_room_for(int population) const;

  /// Begins to watch for what ends the present search, with this in the place of optimize.tolerance.
  void set_tolerance(double tolerance);

  /// A new search that forgets the objectives found so far: from the present distribution with its largest
  /// standard deviation raised to `deviation`, or from the deck's start. Candidates in flight are dropped.
  void go_on(double deviation, int population);
  void start_anew(int population);

 private:
  /// One search, from its start to its stop.
  struct Search {
    Search(CmaEs start, const StopTolerances& tolerances) : es(std::move(start)), criteria(es, tolerances) {}
    CmaEs es;
    StopCriteria criteria;
    std::uint64_t ahead = 0;      ///< candidates of the next generation that begin before this one has ended
    std::uint64_t first = 0;      ///< candidate
    std::uint64_t next_told = 0;  ///< first candidate of the generation that is told next
    std::uint64_t most = 0;       ///< candidates it may use
    bool large = true;            ///< of bipop's two kinds
  };

  struct Sampled {
    Eigen::VectorXd position;   ///< by which the search moves
    Eigen::VectorXd evaluated;  ///< where it is evaluated (CmaEs::evaluated)
  };

  Eigen::VectorXd deck_start() const;
  void take_start(const Deck& deck);
  void start_first(int population);
  std::vector<Plateaus> plateaus() const;
  void start_search(const Eigen::VectorXd& mean, double sigma, int population, std::uint64_t most);
  void start_search(CmaEs start, std::uint64_t most);
  void forget();
  bool restart();
  Eigen::VectorXd random_start(std::span<const double> uniform) const;
  void sample();
  void sample_ahead();
  void sample_until(std::uint64_t end, const CmaEs& es);
  std::optional<std::uint64_t> twin_of(std::uint64_t candidate) const;
  bool have_ended(std::uint64_t count) const;
  void tell_generation();
  StopReason stop_reason(std::span<const double> fitness);
  std::vector<double> values(const Eigen::VectorXd& position) const;

  OptimizationSettings settings_;
  std::vector<SearchParameter> search_parameters_;
  std::vector<ParameterAddress> addresses_;
  std::vector<SearchInterval> intervals_;
  std::optional<SearchDistribution> start_;  ///< optimize.distribution
  std::optional<Search> search_;
  std::uint64_t restarts_ = 0;
  std::uint64_t large_restarts_ = 0;
  std::uint64_t large_used_ = 0;  ///< candidates of bipop's large searches but the first
  std::uint64_t small_used_ = 0;
  std::uint64_t last_large_used_ = 0;  ///< candidates of the last large search
  std::uint64_t next_candidate_ = 0;
  std::map<std::uint64_t, Sampled> sampled_;  ///< candidates whose generation is not told yet
  std::map<std::uint64_t, double> fitness_;   ///< of those that have ended
  Constraints constraints_;
  std::vector<std::uint64_t> asked_;  ///< to be handed out
  std::vector<TableRow> rows_;        ///< to be taken
  GenerationRow latest_;
  double best_fitness_;
  std::vector<double> best_point_;
  std::uint64_t generation_ = 0;  ///< told, over all searches
  bool done_ = false;
};

}  // namespace rodeo
