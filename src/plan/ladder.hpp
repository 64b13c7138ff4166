#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/plan/objective.hpp"
#include "rodeo/plan/result.hpp"
#include "rodeo/plan/study_state.hpp"
#include "rodeo/plan/table.hpp"

namespace rodeo {

inline constexpr std::string_view fidelity_table_name = "fidelity";

/// State of a level; the numbers are part of the file format (/fidelity/state).
enum class LevelState : std::uint8_t {
  waiting = 0,  ///< its own candidates are still to come
  running = 1,
  done = 2,
  left = 3  ///< its objectives do not tell those of the levels above
};

/// The levels of `fidelity.level`, from cheap to dear, and what is known of their objectives. A level is kept
/// while its ranks correlate with those of the next one that is kept; the last one always is. Fitness is the
/// objective turned so that less is better, NaN and infinite where there is none.
class Ladder {
 public:
  /// Throws DeckError. Whether there is one: has_levels.
  explicit Ladder(const Deck& deck);
  static bool has_levels(const Deck& deck);

  std::size_t levels() const { return keys_.values.size(); }
  std::size_t last() const { return levels() - 1; }
  std::span<const ParameterAddress> addresses() const { return keys_.addresses; }
  const std::vector<double>& values(std::size_t level) const { return keys_.values[level]; }

  /// A point of the study with the values of a level behind it.
  std::vector<double> point(std::span<const double> own, std::size_t level) const;

  /// Whether a point is one of the last level.
  bool counts(std::span<const double> point) const;

  /// "rod.elements = 20, time.end = 3"
  std::string text(std::size_t level) const;

  /// The next level that is kept.
  std::size_t next(std::size_t level) const;
  bool is_kept(std::size_t level) const { return records_[level].state != LevelState::left; }

  double sigma() const { return sigma_; }
  double share() const { return share_; }
  std::size_t compared() const { return compared_; }
  std::size_t runners_up() const { return runners_up_; }
  std::optional<int> population() const { return population_; }
  std::optional<double> tolerance() const { return tolerance_; }

  /// Candidates that may run beside those of the study itself on any level: those compared, and on each level
  /// the best ones of the level before.
  std::uint64_t spare() const { return (compared_ + runners_up_ + 1) * last(); }

  double fitness(const Result& result) const { return objective_.fitness(result); }
  double objective(double fitness) const { return objective_.largest ? -fitness : fitness; }

  /// The places of `compared` candidates, spread evenly over the ranks of those that have a fitness.
  std::vector<std::size_t> spread(std::span<const double> fitness) const;

  /// Adds the result of a candidate on a level; `point` is the study's own.
  void add(std::size_t level, std::uint64_t candidate, double fitness, const std::vector<double>& point);
  void begin(std::size_t level) { change(level).state = LevelState::running; }
  void end(std::size_t level) { change(level).state = LevelState::done; }
  /// Leaves a level none of whose members has an objective.
  void fail(std::size_t level);
  void add_generation(std::size_t level) { ++change(level).generations; }

  /// Adds a candidate that several levels know; returns its number, under which they tell its results.
  std::size_t add_compared();
  void compare(std::size_t number, std::size_t level, double fitness);

  /// Fitness of such a candidate on a level: infinite if it failed, NaN if it is not known.
  double known(std::size_t number, std::size_t level) const { return known_[number][level]; }

  /// Measures the correlation of a level with the next one, and leaves it if that is too low.
  void measure(std::size_t level);

  /// The best fitness on a level so far, and the candidate that has it; -1: none.
  double best(std::size_t level) const { return records_[level].best; }
  std::int64_t best_candidate(std::size_t level) const { return records_[level].best_candidate; }

  Table table() const;

  /// Rows that have changed since they were taken, of the plan's table of this number.
  std::vector<TableRow> take_rows(std::size_t table);

  /// A line for each level, and the best candidate of the last one, whose parameters are called `names`.
  std::string conclusion(std::span<const ParameterAddress> names) const;

 private:
  struct Record {
    LevelState state = LevelState::waiting;
    std::uint64_t candidates = 0;
    std::uint64_t generations = 0;
    std::uint64_t compared = 0;
    double correlation;  ///< with the next level
    double best;         ///< fitness
    std::int64_t best_candidate = -1;
    std::vector<double> best_point = {};
    bool changed = true;
  };
  Record& change(std::size_t level);

  FidelityLevels keys_;
  Objective objective_;
  double least_correlation_;
  double sigma_;
  double share_;
  std::size_t compared_;
  std::size_t runners_up_;
  std::optional<int> population_;
  std::optional<double> tolerance_;
  std::vector<Record> records_;
  std::vector<std::vector<double>> known_;  ///< fitness of compared candidates by level; NaN: not known
};

/// Adds to a study's state what the table of its ladder tells. Throws std::invalid_argument where it is none.
void add_levels(StudyState& state, const Table& table, std::span<const TableRow> rows);

}  // namespace rodeo
