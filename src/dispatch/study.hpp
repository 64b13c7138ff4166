#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/rerun.hpp"
#include "rodeo/member/batch.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/plan/objective.hpp"
#include "rodeo/plan/pareto_set.hpp"
#include "rodeo/plan/part.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/scenarios.hpp"

namespace rodeo {

/// A table of the file that is known beforehand.
struct SceneTable {
  Table table;
  std::vector<TableRow> rows;
};

/// A deck made ready to run: its plan, and what is known of every member before it runs. The same on every
/// rank.
class Study {
 public:
  /// Checks the specification of every candidate that is known in advance, or of the plan's probes; and that
  /// members can start: there may be no refusal_at_start() in any candidate, and no failure_at_start() in all
  /// of them. Of an adaptive plan only the first probe must start, since a search may well come across
  /// members that cannot. Throws DeckError.
  explicit Study(const Deck& deck);

  /// Whether study.rerun changes how some members run.
  bool has_reruns() const { return !reruns_.empty(); }
  bool has_changes(std::uint64_t member) const { return changes_of(member) != nullptr; }

  /// Members of a study that are to run once more for their frames, each with its own numbers and seed.
  Study(const Deck& deck, const std::vector<MemberRow>& rows);

  /// Which candidate, scenario and repeat of the deck's study a member is, and its own random stream.
  struct Origin {
    std::uint64_t candidate = 0;
    std::uint32_t scenario = 0;
    std::uint32_t repeat = 0;
    std::uint64_t seed = 0;
    std::uint64_t number = 0;  ///< of the member in the whole study
  };
  Origin origin(std::uint64_t member) const;

  /// Which part of the deck's study it is.
  const Part& part() const { return part_; }

  /// Whether the rows of members hold frames, if there are any.
  bool keeps_frames() const { return keeps_frames_; }

  /// Whether its members are equilibria.
  bool rests() const { return rests_; }

  const Deck& deck() const { return deck_; }
  Plan& plan() { return *plan_; }
  const Plan& plan() const { return *plan_; }
  std::uint32_t repeats() const { return repeats_; }
  std::uint32_t members_of_candidate() const { return scenarios_.count() * repeats_; }
  std::uint64_t members() const { return plan_->candidates() * members_of_candidate(); }
  const Scenarios& scenarios() const { return scenarios_; }

  /// The numbers of the deck that vary between members: those of the plan, and then those of scenarios.
  std::span<const ParameterAddress> parameters() const { return addresses_; }

  /// Point of a member, whose candidate an adaptive plan must have been asked for.
  std::vector<double> point(std::uint64_t member) const;

  /// Points of the plan's probes in the first scenario, and then of the first probe in the other ones.
  std::vector<std::vector<double>> probes() const;

  /// Whether a row of an earlier run of this study is at the point of its member.
  bool agrees(std::uint64_t member, std::span<const double> point) const;

  /// Job of a member at a point, with the changes of study.rerun. Throws DeckError if the point makes no
  /// valid member.
  MemberJob job(std::uint64_t member, const std::vector<double>& point);

  /// Specification of the members at a point, until the next call. Throws DeckError as job() does.
  const MemberSpec& spec(const std::vector<double>& point);

  /// Points of the cheapest, a middling and the dearest candidate by predicted time; of an adaptive plan
  /// those of the probes that stand for candidates, or its first probe.
  std::vector<std::vector<double>> representatives() const;

  /// Sets the factor by which members here are slower than predicted from their numbers alone; 1 before.
  void set_slowness(double slowness) { slowness_ = slowness; }
  double slowness() const { return slowness_; }

  /// Throws DeckError if the member cannot start, though others of its study may.
  void require_start(const MemberSpec& member) const;

  /// Note on candidates that cannot start, where others can; else empty.
  const std::string& start_note() const { return start_note_; }

  /// Memory of the largest candidate or probe while it runs, bytes.
  double largest_memory() const { return largest_memory_; }

  /// Predicted time on one core of a member, whose candidate an adaptive plan must have been asked for, ns.
  double cost(std::uint64_t member);

  /// Predicted time on one core of all members, ns; of an adaptive plan at most, or what its probes stand
  /// for.
  double cost() const;

  /// Note on the predicted time, to follow its unit.
  std::string_view cost_note() const;

  /// Predicted time of the plain study of Plan::plain_probe_candidates, ns on one core; 0 if there is none.
  double plain_cost() const;

  /// Objectives that study.objective names.
  const std::vector<Objective>& objectives() const { return objectives_; }

  /// The tables that the plan leaves, and /pareto.
  std::vector<Table> tables() const;

  /// Plan's functions of these names, which also serve /pareto.
  void tell(std::span<const Result> results);
  std::vector<TableRow> take_rows();

  /// The rods of the file's table /scene, if it has one.
  const std::optional<SceneTable>& scene() const { return scene_; }

  /// Throws std::logic_error where a member has a number in an observable that its file has no column of.
  void require_columns(std::span<const double> observables) const;

  EnsembleSchema schema() const;

 private:
  /// Observable that a key asks for.
  struct AskedObservable {
    Key key;
    std::size_t place;  ///< in observables_of(deck)
  };

  const MemberSpec& add(const std::vector<double>& point);
  void check_reports() const;
  void check_nodes() const;
  void check_refusal(const MemberSpec& member) const;
  void check_candidates();
  double cost_of(const std::vector<double>& counts) const;
  double members_cost() const;
  std::vector<double> in_scenario(std::vector<double> point, std::uint32_t scenario) const;
  std::vector<std::uint32_t> scenario_of_members() const;
  std::vector<std::int32_t> padded(const std::vector<std::vector<int>>& of_rods, int beyond) const;

  Deck deck_;
  std::unique_ptr<Plan> plan_;
  Part part_;
  std::uint32_t repeats_ = 1;
  Scenarios scenarios_;
  std::size_t scenario_parameters_ = 0;  ///< how many of the last parameters are set by scenarios
  std::vector<ParameterAddress> addresses_;
  std::vector<Objective> objectives_;
  std::optional<ParetoSet> pareto_;
  std::vector<double> scenario_costs_;  ///< by scenario, over those of a member in the first one
  std::vector<double> costs_;  ///< by candidate, ns; by probe of an adaptive plan; slowness left aside
  double slowness_ = 1.0;
  double largest_memory_ = 0.0;
  std::vector<std::int32_t> nodes_;  ///< as costs_
  /// As costs_, nodes of each rod that frames hold; empty while every candidate is one rod.
  std::vector<std::vector<int>> rod_nodes_;
  std::vector<std::vector<int>> rod_numbers_;  ///< of these rods; empty while frames hold all
  int frames_ = 0;
  bool keeps_frames_ = true;
  std::vector<Origin> origins_;  ///< of members that run once more; else they follow from their numbers
  /// Members that run with other values than the deck's, and the deck with these.
  struct ChangedMembers {
    Rerun rerun;
    Deck deck;
  };
  MemberSpec spec_of(const ChangedMembers& changed, const std::vector<double>& point) const;
  const ChangedMembers* changes_of(std::uint64_t member) const;
  void take_reruns();
  void check_reruns() const;

  std::vector<ChangedMembers> reruns_;
  std::vector<AskedObservable> asked_;
  std::vector<bool> reported_;  ///< for each of `observables`, whether some member can have a number of it
  bool has_period_ = false;     ///< some candidate or probe runs for a whole muscle.period
  bool settles_ = false;        ///< observe.settle is for some candidate or probe
  bool can_settle_ = false;     ///< it can end one
  bool rests_ = false;          ///< its members are equilibria
  std::string start_note_;
  std::optional<SceneTable> scene_;
  Deck scratch_;                         ///< the deck with a candidate's numbers set
  std::vector<double> last_point_;       ///< these numbers
  std::optional<MemberSpec> last_spec_;  ///< what they make; nothing before the first, and of no valid member
};

}  // namespace rodeo
