#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "rodeo/input/number_text.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/sweep.hpp"

#include "ladder.hpp"
#include "study_kinds.hpp"

namespace rodeo {

namespace {

/// Room of a file for more members than this is taken for a mistake in the deck.
constexpr std::uint64_t most_screened = 100'000'000;

/// As many points of a level stand for all of them in checks and estimates.
constexpr std::uint64_t most_probes = 10'000;

/// `study.kind = sweep` with fidelity.level: all candidates of a sweep run on the first level of a ladder,
/// the best share of them on the next one, and so on. Some that are spread over the ranks of the first level
/// run on all levels. A level whose ranks do not correlate with those of the next one is left: all candidates
/// then run on that one. Candidates are numbered in the order in which they are asked for, and each step
/// waits until all that were asked for have ended.
class Screening final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<Screening> from_deck(const Deck& deck) {
    return std::unique_ptr<Screening>(new Screening(deck));
  }

  std::span<const ParameterAddress> parameters() const override { return addresses_; }
  std::vector<std::string> variation() const override {
    std::vector<std::string> texts = sweep_->variation();
    for (std::size_t level = 0; level < ladder_.levels(); ++level) {
      texts.push_back("level " + std::to_string(level + 1) + ": " + ladder_.text(level));
    }
    return texts;
  }

  std::uint64_t candidates() const override { return sweep_->candidates() * ladder_.levels(); }
  std::vector<double> point(std::uint64_t candidate) const override {
    const Run& run = runs_.at(candidate);
    return ladder_.point(sweep_->point(run.place), run.level);
  }

  std::vector<std::uint64_t> ask() override { return std::exchange(asked_, {}); }
  void tell(std::span<const Result> results) override {
    for (const Result& result : results) {
      const Run& run = runs_[result.candidate];
      const double fitness = ladder_.fitness(result);
      fitness_[run.level][run.place] =
          std::isfinite(fitness) ? fitness : std::numeric_limits<double>::infinity();
      ladder_.add(run.level, result.candidate, fitness, sweep_->point(run.place));
      ++told_;
    }
    while (!done() && told_ == runs_.size()) step();
  }

  bool done() const override { return stage_ == Stage::ended; }
  bool adaptive() const override { return true; }
  std::vector<std::vector<double>> probes() const override {
    const std::uint64_t count = std::min(sweep_->candidates(), most_probes);
    std::vector<std::vector<double>> points;
    for (std::size_t level = 0; level < ladder_.levels(); ++level) {
      for (std::uint64_t k = 0; k < count; ++k) {
        points.push_back(ladder_.point(sweep_->point(k * sweep_->candidates() / count), level));
      }
    }
    return points;
  }

  /// Counts candidates as if no level were left.
  std::vector<double> probe_candidates() const override {
    const auto all = static_cast<double>(sweep_->candidates());
    const auto least = static_cast<double>(ladder_.runners_up() + 1);
    const std::size_t probes = static_cast<std::size_t>(std::min(sweep_->candidates(), most_probes));
    std::vector<double> counts;
    double here = all;
    for (std::size_t level = 0; level < ladder_.levels(); ++level) {
      const double compared = level > 0 ? static_cast<double>(ladder_.compared()) : 0.0;
      counts.insert(counts.end(), probes, std::min(all, here + compared) / static_cast<double>(probes));
      here = std::min(here, std::max(least, std::ceil(ladder_.share() * here)));
    }
    return counts;
  }

  std::vector<double> plain_probe_candidates() const override {
    const std::size_t probes = static_cast<std::size_t>(std::min(sweep_->candidates(), most_probes));
    std::vector<double> counts(probes * ladder_.last(), 0.0);
    counts.insert(counts.end(), probes,
                  static_cast<double>(sweep_->candidates()) / static_cast<double>(probes));
    return counts;
  }

  bool counts(std::span<const double> point) const override { return ladder_.counts(point); }
  bool agrees(std::uint64_t candidate, std::span<const double> point) const override {
    return candidate < runs_.size() && std::ranges::equal(this->point(candidate), point);
  }

  std::vector<Table> tables() const override { return {ladder_.table()}; }
  std::vector<TableRow> take_rows() override { return ladder_.take_rows(0); }
  std::string size_note() const override {
    return "on " + std::to_string(ladder_.levels()) + " levels, if all but the last one are left";
  }

  std::string progress() const override {
    return "level " + std::to_string(level_ + 1) + "/" + std::to_string(ladder_.levels()) + "  " +
           std::to_string(told_) + "/" + std::to_string(runs_.size());
  }

  std::string conclusion() const override { return done() ? ladder_.conclusion(sweep_->parameters()) : ""; }

 private:
  explicit Screening(const Deck& deck) : sweep_(Sweep::from_deck(deck)), ladder_(deck) {
    addresses_.assign(sweep_->parameters().begin(), sweep_->parameters().end());
    addresses_.insert(addresses_.end(), ladder_.addresses().begin(), ladder_.addresses().end());
    if (candidates() > most_screened) {
      throw deck.error("fidelity.level"_key, "makes " + std::to_string(candidates()) +
                                                 " candidates of those of the sweep; at most " +
                                                 std::to_string(most_screened) + " are allowed");
    }
    fitness_.assign(ladder_.levels(), std::vector<double>(sweep_->candidates(), std::nan("")));
    known_.assign(ladder_.levels(), std::vector<bool>(sweep_->candidates(), false));
    screen_all(0);
  }

  enum class Stage {
    screening,  ///< what is there of a level runs
    comparing,  ///< some of it run on all levels
    climbing,   ///< the best share runs on the next level
    ended
  };

  /// A point of the sweep on a level, which is a candidate.
  struct Run {
    std::uint64_t place = 0;  ///< candidate of the sweep
    std::size_t level = 0;
  };

  /// A point of the sweep that all levels are to know.
  struct Compared {
    std::uint64_t place = 0;
    std::size_t number = 0;  ///< Ladder::add_compared
  };

  /// Asks for a point on a level, unless it was asked for already.
  void ask_for(std::uint64_t place, std::size_t level) {
    if (known_[level][place]) return;
    known_[level][place] = true;
    asked_.push_back(runs_.size());
    runs_.push_back({place, level});
  }

  /// Takes a step of the ladder when all that was asked for has ended.
  void step() {
    switch (stage_) {
      case Stage::screening:
        if (!has_compared_ && level_ < ladder_.last()) return compare();
        return climb();
      case Stage::comparing:
        return decide();
      case Stage::climbing:
        return arrive();
      case Stage::ended:
        return;
    }
  }

  void screen_all(std::size_t level) {
    level_ = level;
    stage_ = Stage::screening;
    ladder_.begin(level);
    here_.resize(sweep_->candidates());
    std::iota(here_.begin(), here_.end(), std::uint64_t{0});
    for (const std::uint64_t place : here_) ask_for(place, level);
  }

  /// Lets candidates run on all levels.
  void compare() {
    has_compared_ = true;
    stage_ = Stage::comparing;
    for (const std::size_t place : ladder_.spread(fitness_[level_])) {
      const std::size_t number = ladder_.add_compared();
      ladder_.compare(number, level_, fitness_[level_][place]);
      compared_.push_back({place, number});
    }
    for (std::size_t level = level_ + 1; level < ladder_.levels(); ++level) {
      for (const Compared& compared : compared_) ask_for(compared.place, level);
    }
  }

  void decide() {
    for (const Compared& compared : compared_) {
      for (std::size_t level = level_ + 1; level < ladder_.levels(); ++level) {
        ladder_.compare(compared.number, level, fitness_[level][compared.place]);
      }
    }
    for (std::size_t level = ladder_.last(); level-- > level_;) ladder_.measure(level);
    if (!ladder_.is_kept(level_)) return screen_all(ladder_.next(level_));
    climb();
  }

  /// Sends the best share up to the next level.
  void climb() {
    if (level_ == ladder_.last()) return end();
    const std::vector<double>& fitness = fitness_[level_];
    chosen_ = here_;
    std::erase_if(chosen_, [&](std::uint64_t place) { return !std::isfinite(fitness[place]); });
    if (chosen_.empty()) {
      ladder_.fail(level_);
      return screen_all(ladder_.next(level_));
    }
    std::ranges::stable_sort(chosen_, {}, [&](std::uint64_t place) { return fitness[place]; });
    const auto share =
        static_cast<std::size_t>(std::ceil(ladder_.share() * static_cast<double>(here_.size())));
    chosen_.resize(std::min(chosen_.size(), std::max(share, ladder_.runners_up() + 1)));
    stage_ = Stage::climbing;
    for (const std::uint64_t place : chosen_) ask_for(place, ladder_.next(level_));
  }

  void arrive() {
    const std::size_t above = ladder_.next(level_);
    for (std::size_t k = 0; k < std::min(chosen_.size(), ladder_.runners_up() + 1); ++k) {
      const std::size_t number = ladder_.add_compared();
      ladder_.compare(number, level_, fitness_[level_][chosen_[k]]);
      ladder_.compare(number, above, fitness_[above][chosen_[k]]);
    }
    ladder_.end(level_);
    ladder_.measure(level_);
    if (!ladder_.is_kept(level_)) return screen_all(above);
    level_ = above;
    ladder_.begin(level_);
    here_ = std::move(chosen_);
    climb();
  }

  void end() {
    ladder_.end(level_);
    stage_ = Stage::ended;
  }

  std::unique_ptr<Sweep> sweep_;
  Ladder ladder_;
  std::vector<ParameterAddress> addresses_;  ///< the sweep's, then the ladder's
  Stage stage_ = Stage::screening;
  std::size_t level_ = 0;
  std::vector<std::uint64_t> here_;           ///< places of the sweep that are in the running on this level
  std::vector<std::uint64_t> chosen_;         ///< of these, the best share, best first
  std::vector<Run> runs_;                     ///< by candidate
  std::vector<std::vector<double>> fitness_;  ///< by level and place; NaN: not known
  std::vector<std::vector<bool>> known_;      ///< likewise, whether it was asked for
  std::vector<Compared> compared_;
  std::uint64_t told_ = 0;
  std::vector<std::uint64_t> asked_;  ///< to be handed out
  bool has_compared_ = false;
};

}  // namespace

std::unique_ptr<Plan> make_screening(const Deck& deck) { return Screening::from_deck(deck); }

}  // namespace rodeo
