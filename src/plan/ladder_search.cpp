#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rodeo/input/number_text.hpp"
#include "rodeo/plan/plan.hpp"

#include "generation_table.hpp"
#include "ladder.hpp"
#include "optimization.hpp"
#include "study_kinds.hpp"

namespace rodeo {

namespace {

/// Best candidates of a level that are kept when more than twice as many are remembered.
constexpr std::size_t most_remembered = 1024;

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
  static std::unique_ptr<LadderSearch> from_deck(const Deck& deck) {
    return std::unique_ptr<LadderSearch>(new LadderSearch(deck));
  }

  std::span<const ParameterAddress> parameters() const override { return addresses_; }
  std::vector<std::string> variation() const override {
    std::vector<std::string> texts = search_->variation();
    for (std::size_t level = 0; level < ladder_.levels(); ++level) {
      texts.push_back("level " + std::to_string(level + 1) + ": " + ladder_.text(level));
    }
    return texts;
  }

  std::uint64_t candidates() const override { return search_->candidates() + ladder_.spare(); }
  std::vector<double> point(std::uint64_t candidate) const override {
    const auto climber = climbers_.find(candidate);
    if (climber != climbers_.end()) return ladder_.point(climber->second.point, climber->second.level);
    const auto behind = std::ranges::upper_bound(segments_, candidate, {}, &Segment::candidate);
    return ladder_.point(search_->point(own(candidate)), std::prev(behind)->level);
  }

  std::vector<std::uint64_t> ask() override { return std::exchange(asked_, {}); }
  void tell(std::span<const Result> results) override {
    for (const Result& result : results) {
      const auto climber = climbers_.find(result.candidate);
      if (climber == climbers_.end()) {
        Result& held = held_[own(result.candidate)] = result;
        held.candidate = own(result.candidate);
        continue;
      }
      tell_climber(climber->second, result);
      climbers_.erase(climber);
    }
    do feed();
    while (advance());
  }

  bool done() const override { return stage_ == Stage::ended; }
  bool adaptive() const override { return true; }
  std::optional<SearchDistribution> distribution_at_end() const override {
    return done() ? std::optional(search_->distribution_now()) : std::nullopt;
  }

  std::vector<std::vector<double>> probes() const override {
    std::vector<std::vector<double>> points;
    for (std::size_t level = 0; level < ladder_.levels(); ++level) {
      for (const std::vector<double>& probe : search_->probes())
        points.push_back(ladder_.point(probe, level));
    }
    return points;
  }

  /// As if the search stopped on the levels in between as soon as its criteria can tell, its ranks held on
  /// the last one, and the first one took all other generations.
  std::vector<double> probe_candidates() const override {
    const OptimizationSettings& settings = search_->settings();
    const auto dimension = static_cast<double>(search_->parameters().size());
    const double later = later_population();
    const double least = 10.0 + std::ceil(30.0 * dimension / later);
    const std::size_t probes = search_->probes().size();
    std::vector<double> counts(probes * ladder_.levels(), 0.0);
    auto generations = static_cast<double>(settings.generations);
    const auto arrived = static_cast<double>(ladder_.runners_up() + 1);
    for (std::size_t level = ladder_.last(); level > 0; --level) {
      double& count = counts[level * probes];
      count = static_cast<double>(ladder_.compared()) + arrived;
      if (level == ladder_.last() || generations <= least) continue;
      count += least * later;
      generations -= least;
    }
    counts.front() = generations * settings.population;
    return counts;
  }

  std::vector<double> plain_probe_candidates() const override {
    const OptimizationSettings& settings = search_->settings();
    const std::size_t probes = search_->probes().size();
    std::vector<double> counts(probes * ladder_.levels(), 0.0);
    counts[probes * ladder_.last()] = static_cast<double>(settings.generations) * settings.population;
    return counts;
  }

  bool counts(std::span<const double> point) const override { return ladder_.counts(point); }
  bool agrees(std::uint64_t candidate, std::span<const double> point) const override {
    const std::size_t levels = ladder_.addresses().size();
    const auto first = point.first(point.size() - levels);
    const auto climber = climbers_.find(candidate);
    if (climber != climbers_.end()) {
      return std::ranges::equal(point.last(levels), ladder_.values(climber->second.level)) &&
             search_->is_near(climber->second.point, first);
    }
    if (candidate >= next_candidate_) return false;
    const auto behind = std::ranges::upper_bound(segments_, candidate, {}, &Segment::candidate);
    return std::ranges::equal(point.last(levels), ladder_.values(std::prev(behind)->level)) &&
           search_->agrees(own(candidate), first);
  }

  std::vector<Table> tables() const override {
    std::vector<Table> tables = search_->tables();
    tables.front().columns.insert(tables.front().columns.begin(),
                                  {.name = "level", .unit = "1", .type = NumberType::natural});
    tables.push_back(ladder_.table());
    return tables;
  }

  std::vector<TableRow> take_rows() override {
    std::vector<TableRow> rows = std::exchange(rows_, {});
    for (TableRow& row : ladder_.take_rows(1)) rows.push_back(std::move(row));
    return rows;
  }

  std::string size_note() const override {
    return search_->size_note() + ", on " + std::to_string(ladder_.levels()) + " levels";
  }

  std::string progress() const override {
    return "level " + std::to_string(level_ + 1) + "/" + std::to_string(ladder_.levels()) + "  " +
           search_->progress();
  }

  bool found_nothing() const override { return done() && latest_.best_candidate < 0; }
  std::string conclusion() const override {
    if (!done()) return {};
    return "stopped by " + std::string(to_string(latest_.stop)) + " after " +
           std::to_string(search_->generations()) + " generations and " +
           std::to_string(latest_.evaluations) + " evaluations\n" + ladder_.conclusion(search_->parameters());
  }

 private:
  explicit LadderSearch(const Deck& deck) : ladder_(deck) {
    if (deck.choice("optimize.restarts"_key) != "none") {
      throw deck.error("optimize.restarts"_key,
                       "must be none with fidelity.level: the search goes on at the next level instead");
    }
    search_ = Optimization::from_deck(deck, ladder_.spare());
    tolerance_ = search_->settings().tolerances.fitness;
    set_tolerance();
    addresses_.assign(search_->parameters().begin(), search_->parameters().end());
    addresses_.insert(addresses_.end(), ladder_.addresses().begin(), ladder_.addresses().end());
    if (ladder_.compared() == 0) stage_ = Stage::searching;
    segments_.push_back({});
    ladder_.begin(level_);
    hand_out(search_->ask());
  }

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

  std::uint64_t own(std::uint64_t candidate) const {
    const auto behind = std::ranges::upper_bound(segments_, candidate, {}, &Segment::candidate);
    return std::prev(behind)->own + (candidate - std::prev(behind)->candidate);
  }

  std::uint64_t candidate(std::uint64_t own) const {
    const auto behind = std::ranges::upper_bound(segments_, own, {}, &Segment::own);
    return std::prev(behind)->candidate + (own - std::prev(behind)->own);
  }

  /// Hands out what the search asks for, but nothing behind the first generation before some of that were
  /// compared.
  void hand_out(const std::vector<std::uint64_t>& own) {
    const bool waits = stage_ == Stage::first || stage_ == Stage::comparing;
    for (const std::uint64_t number : own) {
      if (waits && number >= first_generation_end() + search_->ahead()) {
        withheld_.push_back(number);
        continue;
      }
      asked_.push_back(candidate(number));
      next_candidate_ = std::max(next_candidate_, asked_.back() + 1);
    }
  }

  /// The candidate behind the first generation, in the search's numbers.
  std::uint64_t first_generation_end() const {
    return search_->first() + static_cast<std::uint64_t>(search_->distribution().population());
  }

  void tell_climber(const Climber& climber, const Result& result) {
    const double fitness = ladder_.fitness(result);
    ++climbed_;
    ladder_.add(climber.level, result.candidate, fitness, climber.point);
    ladder_.compare(climber.compared, climber.level, fitness);
  }

  /// Tells the search what it may know: while some are compared, of its first generation alone, so that what
  /// it samples does not depend on when they end.
  void feed() {
    const bool waits = stage_ == Stage::first || stage_ == Stage::comparing;
    const auto end = waits ? held_.lower_bound(first_generation_end()) : held_.end();
    std::vector<Result> results;
    for (auto held = held_.begin(); held != end; held = held_.erase(held)) {
      results.push_back(std::move(held->second));
    }
    if (!results.empty()) tell_search(results);
  }

  void tell_search(const std::vector<Result>& results) {
    for (const Result& result : results) {
      if (search_->done() || result.candidate < search_->first()) continue;  // which comes too late
      tried_[result.candidate] = {search_->position(result.candidate), search_->point(result.candidate),
                                  ladder_.fitness(result)};
    }
    search_->tell(results);
    const Table table = search_->tables().front();
    for (const TableRow& row : search_->take_rows()) {
      latest_ = generation_of(table, row);
      add_generation(latest_.evaluations);
      latest_.evaluations += climbed_;
      latest_.last = false;
      latest_level_ = level_;
      add_row(latest_);
    }
    hand_out(search_->ask());
  }

  /// Takes in the generation that ends before a candidate, in the search's numbers.
  void add_generation(std::uint64_t end) {
    ladder_.add_generation(level_);
    const auto behind = tried_.lower_bound(end);
    for (auto tried = tried_.begin(); tried != behind; tried = tried_.erase(tried)) {
      const double fitness = tried->second.fitness;
      ladder_.add(level_, candidate(tried->first), fitness, tried->second.point);
      if (std::isfinite(fitness)) best_tried_.push_back(std::move(tried->second));
    }
    if (best_tried_.size() <= 2 * most_remembered) return;
    std::ranges::stable_sort(best_tried_, {}, &Tried::fitness);
    best_tried_.resize(most_remembered);
  }

  /// Takes the next step of the ladder, if there is one to be taken; whether there may be another one.
  bool advance() {
    switch (stage_) {
      case Stage::first:
        if (search_->generations() == 0) return false;
        if (search_->done()) {
          climb();
        } else {
          compare();
        }
        return true;
      case Stage::comparing:
        if (!climbers_.empty()) return false;
        decide();
        return true;
      case Stage::searching:
        if (!search_->done()) return false;
        climb();
        return true;
      case Stage::climbing:
        if (!climbers_.empty()) return false;
        arrive();
        return true;
      case Stage::ended:
        break;
    }
    return false;
  }

  /// Lets candidates of the first generation run on all levels.
  void compare() {
    std::vector<double> fitness;
    for (const Tried& tried : best_tried_) fitness.push_back(tried.fitness);
    const std::vector<std::size_t> chosen = ladder_.spread(fitness);
    if (chosen.empty()) {
      stage_ = Stage::searching;
      return hand_out(std::exchange(withheld_, {}));
    }
    std::vector<std::size_t> numbers;
    for (const std::size_t place : chosen) {
      numbers.push_back(ladder_.add_compared());
      ladder_.compare(numbers.back(), level_, fitness[place]);
    }
    const std::uint64_t behind = first_generation_end() + search_->ahead();
    for (std::size_t level = level_ + 1; level < ladder_.levels(); ++level) {
      for (std::size_t k = 0; k < chosen.size(); ++k) send_up(best_tried_[chosen[k]], numbers[k], level);
    }
    segments_.push_back({next_candidate_, behind, level_});
    stage_ = Stage::comparing;
  }

  /// Goes on with the search, or begins it anew on the first level that correlates with those above.
  void decide() {
    for (std::size_t level = ladder_.last(); level-- > level_;) ladder_.measure(level);
    if (!ladder_.is_kept(level_) && search_->has_room_for(search_->settings().population)) {
      withheld_.clear();
      level_ = ladder_.next(level_);
      return search_here(true);
    }
    stage_ = Stage::searching;
    hand_out(std::exchange(withheld_, {}));
  }

  /// Sends the best candidates up where the search has stopped.
  void climb() {
    const OptimizationSettings& settings = search_->settings();
    tried_.clear();  // begun ahead of a generation that will never come
    stop_ = search_->stop();
    if (level_ == ladder_.last()) return end(stop_);
    if (best_tried_.empty()) {
      ladder_.fail(level_);
      if (!search_->has_room_for(settings.population)) return end(stop_);
      level_ = ladder_.next(level_);
      return search_here(true);
    }
    final_ = stop_ == StopReason::generations || stop_ == StopReason::evaluations ||
             !search_->has_room_for(later_population());
    send_best_up(final_ ? ladder_.last() : ladder_.next(level_));
  }

  /// Takes in the best candidates, which have ended on a higher level.
  void arrive() {
    const OptimizationSettings& settings = search_->settings();
    ladder_.end(level_);
    ladder_.measure(level_);
    const bool left = !ladder_.is_kept(level_);
    level_ = goal_;
    if (level_ == ladder_.last()) {
      double best = ladder_.known(sent_.front(), level_);
      const double winner = best;
      for (const std::size_t number : sent_) best = std::min(best, ladder_.known(number, level_));
      const bool ranks_hold = std::isfinite(winner) && !(best < winner - lower_tolerance());
      if (settings.target && ladder_.best(level_) <= *settings.target) return end(StopReason::target);
      if (final_ || (ranks_hold && !left && !settings.target)) return end(stop_);
    }
    search_here(left && search_->has_room_for(settings.population));
  }

  void send_up(const Tried& tried, std::size_t compared, std::size_t level) {
    asked_.push_back(next_candidate_);
    climbers_[next_candidate_++] = {tried.point, level, compared};
  }

  void send_best_up(std::size_t level) {
    goal_ = level;
    sent_.clear();
    for (const Tried* tried : best_apart()) {
      sent_.push_back(ladder_.add_compared());
      ladder_.compare(sent_.back(), level_, tried->fitness);
      send_up(*tried, sent_.back(), level);
    }
    stage_ = Stage::climbing;
  }

  void search_here(bool anew) {
    const OptimizationSettings& settings = search_->settings();
    ladder_.begin(level_);
    tried_.clear();
    best_tried_.clear();
    stage_ = Stage::searching;
    if (anew) {
      search_->start_anew(settings.population);
    } else {
      search_->go_on(ladder_.sigma() * settings.sigma, later_population());
    }
    set_tolerance();
    segments_.push_back({next_candidate_, search_->first(), level_});
    hand_out(search_->ask());
  }

  void end(StopReason reason) {
    ladder_.end(ladder_.last());
    stage_ = Stage::ended;
    latest_.stop = reason;
    latest_.last = true;
    latest_.evaluations = search_->told() + climbed_;
    add_row(latest_);
  }

  /// The best candidate of the level and its runners-up.
  std::vector<const Tried*> best_apart() const {
    const CmaEs next =
        search_->distribution().raised(ladder_.sigma() * search_->settings().sigma, later_population());
    std::vector<const Tried*> order;
    for (const Tried& tried : best_tried_) order.push_back(&tried);
    std::ranges::stable_sort(order, {}, [](const Tried* tried) { return tried->fitness; });
    std::vector<const Tried*> chosen;
    for (const Tried* tried : order) {
      const bool apart = std::ranges::all_of(chosen, [&](const Tried* other) {
        return next.covariance().inverse_root(tried->position - other->position).norm() >= next.sigma();
      });
      if (apart) chosen.push_back(tried);
      if (chosen.size() > ladder_.runners_up()) break;
    }
    return chosen;
  }

  int later_population() const { return ladder_.population().value_or(search_->settings().population); }
  /// Sets the tolerance of the search to that of the present level.
  void set_tolerance() { search_->set_tolerance(level_ == ladder_.last() ? tolerance_ : lower_tolerance()); }
  double lower_tolerance() const { return ladder_.tolerance().value_or(tolerance_); }
  /// Adds a row of a generation, with the best objective of the last level, which alone counts.
  void add_row(GenerationRow row) {
    row.best_candidate = ladder_.best_candidate(ladder_.last());
    row.best = row.best_candidate < 0 ? std::nan("") : ladder_.objective(ladder_.best(ladder_.last()));
    TableRow numbers = to_table_row(row);
    numbers.numbers.insert(numbers.numbers.begin(), static_cast<double>(latest_level_ + 1));
    rows_.push_back(std::move(numbers));
  }

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

}  // namespace

std::unique_ptr<Plan> make_ladder_search(const Deck& deck) { return LadderSearch::from_deck(deck); }

}  // namespace rodeo
