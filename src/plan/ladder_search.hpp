#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rodeo/plan/plan.hpp"

#include "generation_row.hpp"
#include "ladder.hpp"
#include "optimization.hpp"

namespace rodeo {

/// `study.kind = optimize` with fidelity.level: a search that goes up a ladder of levels.
///
/// Some candidates of its first generation run on all levels at once, so that levels whose ranks do not
/// correlate with those of the next one are left before much is spent on them. The search runs on the lowest
/// level that is kept until it stops there. The best candidate then goes up to the next level with its
/// runners-up, the best of those that differ from it, and from each other, by at least a standard deviation
/// of the search as it will go on: where the levels' optima lie apart, one of them is better there. The
/// search goes on from its mean with its covariance, but on the last level only if one of these is better
/// than the best one, by more than the tolerance of the levels below, or if optimize.target is not reached.
///
/// Candidates are numbered in the order in which they are asked for. Each step of the ladder is taken when
/// all candidates have ended that it follows from, and no others are taken into account: all follows from the
/// deck and from results.
class LadderSearch final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<LadderSearch> from_deck(const Deck& deck);

  std::span<const ParameterAddress> parameters() const override { return addresses_; }
  std::vector<std::string> variation() const override;
  std::uint64_t candidates() const override { return search_->candidates() + ladder_.spare(); }
  std::vector<double> point(std::uint64_t candidate) const override;
  std::vector<std::uint64_t> ask() override;
  void tell(std::span<const Result> results) override;
  bool done() const override { return stage_ == Stage::ended; }
  bool adaptive() const override { return true; }
  std::optional<SearchDistribution> distribution_at_end() const override {
    return done() ? std::optional(search_->distribution_now()) : std::nullopt;
  }
  std::vector<std::vector<double>> probes() const override;
  std::vector<double> probe_candidates() const override;
  std::vector<double> plain_probe_candidates() const override;
  bool counts(std::span<const double> point) const override { return ladder_.counts(point); }
  bool agrees(std::uint64_t candidate, std::span<const double> point) const override;
  std::vector<Table> tables() const override;
  std::vector<TableRow> take_rows() override;
  std::string size_note() const override;
  std::string progress() const override;
  bool found_nothing() const override { return done() && latest_.best_candidate < 0; }
  std::string conclusion() const override;

 private:
  explicit LadderSearch(const Deck& deck);

  enum class Stage {
    first,      ///< the first generation runs
    comparing,  ///< some of it run on all levels
    searching,
    climbing,  ///< the best candidates of a level run on a higher one
    ended
  };

  /// Candidates of the search from `own` on, in its own numbers, which are this plan's from `candidate` on.
  struct Segment {
    std::uint64_t candidate = 0;
    std::uint64_t own = 0;
    std::size_t level = 0;
  };

  /// A candidate that is not the search's: one that runs on another level once more.
  struct Climber {
    std::vector<double> point;
    std::size_t level = 0;
    std::size_t compared = 0;  ///< Ladder::add_compared
  };

  /// A candidate that the search tried on its present level.
  struct Tried {
    Eigen::VectorXd position;
    std::vector<double> point;
    double fitness = 0.0;
  };

  std::uint64_t own(std::uint64_t candidate) const;
  std::uint64_t candidate(std::uint64_t own) const;
  void hand_out(const std::vector<std::uint64_t>& own);
  std::uint64_t first_generation_end() const;
  void tell_climber(const Climber& climber, const Result& result);
  void feed();
  void tell_search(const std::vector<Result>& results);
  void add_generation(std::uint64_t end);
  bool advance();
  void compare();
  void decide();
  void climb();
  void arrive();
  void send_up(const Tried& tried, std::size_t compared, std::size_t level);
  void send_best_up(std::size_t level);
  void search_here(bool anew);
  void end(StopReason reason);
  std::vector<const Tried*> best_apart() const;
  int later_population() const;
  void set_tolerance();
  double lower_tolerance() const;
  void add_row(GenerationRow row);

  std::unique_ptr<Optimization> search_;
  Ladder ladder_;
  std::vector<ParameterAddress> addresses_;  ///< the search's, then the ladder's
  double tolerance_ = 0.0;                   ///< optimize.tolerance
  Stage stage_ = Stage::first;
  std::size_t level_ = 0;
  std::vector<Segment> segments_;
  std::uint64_t next_candidate_ = 0;
  std::vector<std::uint64_t> asked_;     ///< to be handed out
  std::vector<std::uint64_t> withheld_;  ///< of the search, by its own numbers, while candidates are compared
  std::map<std::uint64_t, Climber> climbers_;  ///< that have not ended
  std::uint64_t climbed_ = 0;                  ///< that have ended
  std::map<std::uint64_t, Result> held_;  ///< results that the search is not told yet, by its own numbers
  std::map<std::uint64_t, Tried> tried_;  ///< of generations that are not told yet, likewise
  std::vector<Tried> best_tried_;         ///< of those that are, on this level, not in order
  /// The best candidate and its runners-up: their numbers among the compared.
  std::vector<std::size_t> sent_;
  std::size_t goal_ = 0;  ///< to which they went
  bool final_ = false;    ///< nothing is left for a search there
  StopReason stop_ = StopReason::none;
  GenerationRow latest_;
  std::size_t latest_level_ = 0;  ///< of that generation
  std::vector<TableRow> rows_;    ///< of generations, to be taken
};

}  // namespace rodeo
