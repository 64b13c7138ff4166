#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/plan/result.hpp"
#include "rodeo/plan/search_distribution.hpp"
#include "rodeo/plan/table.hpp"

namespace rodeo {

/// Candidates that a study asks for, and conclusions from their results. The dispatcher knows nothing else of
/// studies: it asks for candidates, runs them in any order, tells results in the order of candidates and
/// brings the rows of the plan's tables to the file. A plan follows from the deck and the results alone, so
/// that a campaign is resumed by telling them again.
class Plan {
 public:
  virtual ~Plan() = default;

  /// The numbers of the deck that vary between candidates; P of the file.
  virtual std::span<const ParameterAddress> parameters() const = 0;

  /// Words for each parameter, or group of them, that varies on its own, and how it varies.
  virtual std::vector<std::string> variation() const { return {}; }

  /// Most candidates that the study can have; the file has room for them.
  virtual std::uint64_t candidates() const = 0;

  /// Values of the parameters at a candidate that was asked for.
  virtual std::vector<double> point(std::uint64_t candidate) const = 0;

  /// Candidates that may run now, each handed out once; empty while the plan waits for results.
  virtual std::vector<std::uint64_t> ask() = 0;

  /// Results of candidates that were asked for, in ascending order within one call. A campaign that goes on
  /// tells those in its file in the order of candidates, also before they are asked for unless the plan is
  /// adaptive().
  virtual void tell(std::span<const Result> results) = 0;

  /// Whether it asks for members, numbered candidate * repeats + repeat, and is told a result of each by that
  /// number; else for candidates with all their repeats.
  virtual bool asks_for_members() const { return false; }

  /// Estimated number of members that will run, where results decide it.
  virtual std::optional<double> expected_members() const { return {}; }

  /// Whether results need the last frame of their members.
  virtual bool needs_frames() const { return false; }

  /// Whether results need the observables of members that ran out of branch.points, which tell how far these
  /// came.
  virtual bool needs_unfinished_branches() const { return false; }

  /// True when it needs no more candidates to run, nor results to be told.
  virtual bool done() const = 0;

  /// True if a candidate's point follows from the results of others, so that it is known only once it was
  /// asked for. Such candidates are numbered in the order in which they are asked for.
  virtual bool adaptive() const { return false; }

  /// Points that stand for the candidates of an adaptive plan before it runs: all are checked in advance, and
  /// estimates are made from the first one.
  virtual std::vector<std::vector<double>> probes() const { return {}; }

  /// Number of candidates that each probe stands for in estimates; empty: the first one for all of them.
  virtual std::vector<double> probe_candidates() const { return {}; }

  /// Candidates per probe of the plain study that asks for as much and costs more; empty if there is none.
  virtual std::vector<double> plain_probe_candidates() const { return {}; }

  /// Whether a candidate at this point is one that the study compares with others: one of a lower level of
  /// fidelity is not.
  virtual bool counts(std::span<const double>) const { return true; }

  /// Whether `point`, as an earlier run of this study stored it, is that of a candidate of an adaptive plan
  /// that was asked for and not told yet.
  virtual bool agrees(std::uint64_t, std::span<const double>) const { return true; }

  /// Whether it compares candidates by study.objective, if there is one.
  virtual bool compares_candidates() const { return true; }

  /// Whether it is done without success, as a search without any candidate that counts.
  virtual bool found_nothing() const { return false; }

  /// Distribution that a search which is done would sample next; nothing for other plans.
  virtual std::optional<SearchDistribution> distribution_at_end() const { return {}; }

  /// The tables that it leaves in the file: the same before it runs and after.
  virtual std::vector<Table> tables() const { return {}; }

  /// Rows of these tables that are new, or changed, since the last call; at first those known beforehand.
  virtual std::vector<TableRow> take_rows() { return {}; }

  /// Note on the plan's size beside the number of candidates, or beside expected_members(); may be empty.
  virtual std::string size_note() const { return {}; }

  /// Progress of the plan, for the progress line; empty where members tell enough.
  virtual std::string progress() const { return {}; }

  /// Conclusion of the plan, for people; empty if its file is all there is.
  virtual std::string conclusion() const { return {}; }
};

/// The plan that the deck's [study] asks for. Throws DeckError.
std::unique_ptr<Plan> make_plan(const Deck& deck);

}  // namespace rodeo
