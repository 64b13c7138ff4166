#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/plan/generation_row.hpp"

namespace rodeo {

struct ConvergenceTable;

/// A point of a study with what its members (one per repeat) reported.
struct CandidateResult {
  std::uint64_t candidate = 0;
  double objective = 0.0;  ///< mean over repeats; NaN without an objective or if a member did not end well
  bool pruned = false;     ///< its member was stopped, as it could not reach Plan::limit any more
};

/// What a study asks for. The dispatcher knows nothing else of sweeps, ladders and optimisers: it asks for
/// candidates, runs them in any order, and tells results in the order of candidates.
class Plan {
 public:
  virtual ~Plan() = default;

  /// The numbers of the deck that vary between candidates; P of the file.
  virtual std::span<const ParameterAddress> parameters() const = 0;

  /// How many candidates the study can have at most; the file has room for them.
  virtual std::uint64_t candidates() const = 0;

  /// Values of the parameters at a candidate that was asked for.
  virtual std::vector<double> point(std::uint64_t candidate) const = 0;

  /// The worst objective with which a candidate that was asked for can still matter; NaN where its member
  /// must run to its end. The same whatever ran when.
  virtual double limit(std::uint64_t) const { return std::nan(""); }

  /// Candidates that may run now, each handed out once; empty while the plan waits for results.
  virtual std::vector<std::uint64_t> ask() = 0;

  /// Results of candidates that were asked for, in ascending order within one call.
  virtual void tell(std::span<const CandidateResult> results) = 0;

  /// True when no more candidates will come.
  virtual bool done() const = 0;

  /// True if a candidate's point follows from the results of others, so that it is known only once it was
  /// asked for.
  virtual bool adaptive() const { return false; }

  /// Points that stand for the candidates of an adaptive plan before it runs: all are checked in advance, and
  /// the first one is what estimates are made of.
  virtual std::vector<std::vector<double>> probes() const { return {}; }

  /// Whether `point`, as an earlier run of this study stored it, is that of a candidate of an adaptive plan
  /// that was asked for and not told yet.
  virtual bool agrees(std::uint64_t, std::span<const double>) const { return true; }

  /// Most generations of an optimisation; 0 for other studies.
  virtual std::uint64_t generations() const { return 0; }

  /// What is to be recorded of the generations that were told since the last call.
  virtual std::vector<GenerationRow> take_generations() { return {}; }

  /// How far the plan is, for the progress line; empty where members tell enough.
  virtual std::string progress() const { return {}; }

  /// What the plan came to, for people; empty if its file is all there is.
  virtual std::string conclusion() const { return {}; }

  /// The levels of a convergence study, one a candidate, whose errors are measured when all members have
  /// ended; null for other studies.
  virtual const ConvergenceTable* ladder() const { return nullptr; }
};

/// The plan that the deck's [study] asks for. Throws DeckError.
std::unique_ptr<Plan> make_plan(const Deck& deck);

}  // namespace rodeo
