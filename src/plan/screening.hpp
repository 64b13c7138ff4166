#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/sweep.hpp"

#include "ladder.hpp"

namespace rodeo {

/// `study.kind = sweep` with fidelity.level: all candidates of a sweep run on the first level of a ladder,
/// the best share of them on the next one, and so on. Some that are spread over the ranks of the first level
/// run on all levels. A level whose ranks do not correlate with those of the next one is left: all candidates
/// then run on that one. Candidates are numbered in the order in which they are asked for, and each step
/// waits until all that were asked for have ended.
class Screening final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<Screening> from_deck(const Deck& deck);

  std::span<const ParameterAddress> parameters() const override { return addresses_; }
  std::vector<std::string> variation() const override;
  std::uint64_t candidates() const override { return sweep_->candidates() * ladder_.levels(); }
  std::vector<double> point(std::uint64_t candidate) const override;
  std::vector<std::uint64_t> ask() override;
  void tell(std::span<const Result> results) override;
  bool done() const override { return stage_ == Stage::ended; }
  bool adaptive() const override { return true; }
  std::vector<std::vector<double>> probes() const override;
  std::vector<double> probe_candidates() const override;
  std::vector<double> plain_probe_candidates() const override;
  bool counts(std::span<const double> point) const override { return ladder_.counts(point); }
  bool agrees(std::uint64_t candidate, std::span<const double> point) const override;
  std::vector<Table> tables() const override { return {ladder_.table()}; }
  std::vector<TableRow> take_rows() override { return ladder_.take_rows(0); }
  std::string size_note() const override;
  std::string progress() const override;
  std::string conclusion() const override;

 private:
  explicit Screening(const Deck& deck);

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

  void ask_for(std::uint64_t place, std::size_t level);
  void step();
  void screen_all(std::size_t level);
  void compare();
  void decide();
  void climb();
  void arrive();
  void end();

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

}  // namespace rodeo
