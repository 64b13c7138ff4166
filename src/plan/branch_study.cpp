#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/study_state.hpp"

#include "study_kinds.hpp"

namespace rodeo {

namespace {

/// More candidates than this is taken for a mistake in the deck.
constexpr std::uint64_t most_branches = 1'000'000;

/// The points of a branch are frames, which have to tell where on the diagram they are.
void check_frames(const Deck& deck) {
  const MemberSpec spec = make_member_spec(deck);
  if (spec.frames == 0) {
    throw deck.error("output.frames"_key, "study.kind = branch stores the points of branches as frames; " +
                                              format_real(static_cast<double>(spec.time.steps + 1)) +
                                              " stores all");
  }
  const std::size_t value = observable_index(observe::branch_value.name);
  if (std::ranges::count(spec.frame_observables, value) > 0) return;
  throw deck.error("output.observables"_key,
                   "lacks branch_value, without which the points of branches are nowhere; with "
                   "unstable_modes they are drawn as stable or not");
}

/// `study.kind = branch`: the diagram of equilibria over a number of the deck. Candidate 0 is the branch that
/// the deck itself gives. Each of its bifurcations, up to a number, has a candidate for either side of the
/// branch that crosses there, these have theirs, and so on as far as branch.turns has entries: a candidate is
/// its turns, and any of them can be run alone. Its number follows from its turns, whatever is found.
class BranchStudy final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<BranchStudy> from_deck(const Deck& deck) {
    if (!deck.is_given("branch.key"_key)) {
      throw deck.missing_error("branch.key"_key, "study.kind = branch needs it");
    }
    if (deck.integer("study.repeats"_key) != 1) {
      throw deck.error("study.repeats"_key,
                       "must be 1 with study.kind = branch: a branch has no chance in it");
    }
    const std::vector<double>& turns = deck.list("branch.turns"_key);
    if (std::ranges::any_of(turns, [](double turn) { return turn != 0.0; })) {
      throw deck.error(
          "branch.turns"_key,
          "names one branch, and study.kind = branch follows all; give it a 0 for each turn that "
          "they may take, or use study.kind = single");
    }
    check_frames(deck);
    auto plan = std::make_unique<BranchStudy>();
    plan->key_ = deck.branch_address().name();
    plan->bifurcations_ = static_cast<std::uint64_t>(deck.integer("branch.bifurcations"_key));
    plan->first_of_depth_ = {0, 1};
    plan->want(0);
    std::uint64_t of_depth = 1;
    for (std::size_t k = 0; k < turns.size(); ++k) {
      plan->turns_.push_back({"branch.turns"_key, static_cast<int>(k)});
      of_depth *= plan->sides();
      plan->first_of_depth_.push_back(plan->first_of_depth_.back() + of_depth);
      if (plan->candidates() > most_branches) {
        throw deck.error("branch.turns"_key,
                         "so many turns at so many bifurcations (branch.bifurcations) make "
                         "more than a million branches");
      }
    }
    return plan;
  }

  std::span<const ParameterAddress> parameters() const override { return turns_; }
  std::vector<std::string> variation() const override {
    return {key_ + " along branches with up to " + std::to_string(turns_.size()) + " turns at the first " +
            std::to_string(bifurcations_) + " bifurcations"};
  }

  std::uint64_t candidates() const override { return first_of_depth_.back(); }
  std::vector<double> point(std::uint64_t candidate) const override {
    std::vector<double> turns(turns_.size());
    for (std::size_t k = depth(candidate); k > 0; --k) {
      turns[k - 1] = last_turn(candidate);
      candidate = parent(candidate);
    }
    return turns;
  }

  std::vector<std::uint64_t> ask() override { return std::exchange(new_, {}); }
  void tell(std::span<const Result> results) override {
    for (const Result& result : results) {
      const auto of = [&](const Observable& observable) {
        return result.observables[observable_index(observable.name)];
      };
      const Told& told =
          told_.emplace_back(Told{result.candidate, of(observe::bifurcations), of(observe::folds),
                                  of(observe::critical_value), of(observe::branch_value), result.status});
      --awaited_;
      const std::size_t turns = depth(result.candidate);
      const bool has_parent = turns > 0;
      rows_.push_back({.row = result.candidate,
                       .numbers = {static_cast<double>(result.candidate),
                                   has_parent ? static_cast<double>(parent(result.candidate)) : -1.0,
                                   has_parent ? last_turn(result.candidate) : 0.0, told.bifurcations,
                                   told.folds, told.first_critical, told.last_value}});
      if (turns == turns_.size() || !(told.bifurcations > 0.0)) continue;
      const auto followed = std::min(bifurcations_, static_cast<std::uint64_t>(told.bifurcations));
      for (std::uint64_t side = 0; side < 2 * followed; ++side) want(child(result.candidate, side));
    }
  }

  /// Branches told so far, and one more for each that is known to come; before any is told half of those that
  /// may come.
  std::optional<double> expected_members() const override {
    if (told_.empty()) return std::ceil(0.5 * static_cast<double>(candidates()));
    return static_cast<double>(std::max<std::uint64_t>(1, told_.size() + awaited_));
  }

  bool needs_unfinished_branches() const override { return true; }
  bool done() const override { return awaited_ == 0; }
  bool compares_candidates() const override { return false; }
  std::vector<Table> tables() const override {
    return {{.name = "branch",
             .attributes = {{"key", key_}},
             .columns = {{.name = "candidate", .unit = "1", .type = NumberType::integer},
                         {.name = "parent", .unit = "1", .type = NumberType::integer},
                         {.name = "turn", .unit = "1", .type = NumberType::integer},
                         {.name = "bifurcations", .unit = "1"},
                         {.name = "folds", .unit = "1"},
                         {.name = "critical_value", .unit = "as branch.key"},
                         {.name = "last_value", .unit = "as branch.key"}},
             .rows = candidates()},
            {.name = std::string(branch_counts_name),
             .columns = {{.name = "branches", .unit = "1", .type = NumberType::natural},
                         {.name = "to_come", .unit = "1", .type = NumberType::natural}},
             .rows = 1}};
  }

  std::vector<TableRow> take_rows() override {
    std::vector<TableRow> rows = std::exchange(rows_, {});
    if (rows.empty()) return rows;
    const auto known = static_cast<double>(told_.size());
    rows.push_back({.table = 1, .row = 0, .numbers = {known, static_cast<double>(awaited_)}});
    return rows;
  }

  std::string conclusion() const override {
    std::string text = "branches over " + key_ +
                       "\n  branch  leaves  at  bifurcations  folds   first critical       last value\n";
    std::vector<Told> told = told_;
    std::ranges::sort(told, {}, &Told::candidate);
    for (const Told& branch : told) {
      const bool has_parent = branch.candidate > 0;
      const std::string from = has_parent ? std::to_string(parent(branch.candidate)) : "-";
      const std::string at = has_parent ? format_real(last_turn(branch.candidate)) : "-";
      text += formatted("%8lu %7s %3s %13.6g %6.6g %16.9g %16.9g  %s\n", branch.candidate, from, at,
                        branch.bifurcations, branch.folds, branch.first_critical, branch.last_value,
                        std::string(branch.status == MemberStatus::done ? "" : to_string(branch.status)));
    }
    return text;
  }

 private:
  struct Told {
    std::uint64_t candidate = 0;
    double bifurcations = 0.0;
    double folds = 0.0;
    double first_critical = 0.0;
    double last_value = 0.0;
    MemberStatus status = MemberStatus::done;
  };

  std::uint64_t sides() const { return 2 * bifurcations_; }
  std::size_t depth(std::uint64_t candidate) const {
    const auto above = std::ranges::upper_bound(first_of_depth_, candidate);
    return static_cast<std::size_t>(above - first_of_depth_.begin()) - 1;
  }

  std::uint64_t parent(std::uint64_t candidate) const {
    const std::size_t own = depth(candidate);
    return first_of_depth_[own - 1] + (candidate - first_of_depth_[own]) / sides();
  }

  std::uint64_t child(std::uint64_t candidate, std::uint64_t side) const {
    const std::size_t own = depth(candidate);
    return first_of_depth_[own + 1] + (candidate - first_of_depth_[own]) * sides() + side;
  }

  /// Last turn of a candidate that has turns: 1, -1, 2, -2, ...
  double last_turn(std::uint64_t candidate) const {
    const std::uint64_t side = (candidate - first_of_depth_[depth(candidate)]) % sides();
    const std::uint64_t which = side / 2 + 1;
    return (side % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(which);
  }

  void want(std::uint64_t candidate) {
    new_.push_back(candidate);
    ++awaited_;
  }

  std::string key_;
  std::vector<ParameterAddress> turns_;
  std::uint64_t bifurcations_ = 0;             ///< most of a branch that are followed
  std::vector<std::uint64_t> first_of_depth_;  ///< candidate with so many turns; the last one: all of them
  std::vector<std::uint64_t> new_;             ///< to be handed out
  std::vector<Told> told_;
  std::vector<TableRow> rows_;  ///< to be taken
  std::uint64_t awaited_ = 0;
};

}  // namespace

std::unique_ptr<Plan> make_branch_study(const Deck& deck) { return BranchStudy::from_deck(deck); }

StudyState branch_state(const Table& table, const std::optional<TableRow>& newest) {
  StudyState state{.adaptive = true, .compares = false};
  if (!newest) {
    state.line = "no branch followed yet";
    return state;
  }
  const auto number = [&](std::string_view column) { return numbers_in(table, *newest, column).front(); };
  state.ended = number("to_come") == 0.0;
  state.line = format_real(number("branches")) + " branches followed";
  if (!state.ended) state.line += ", " + format_real(number("to_come")) + " known to come";
  return state;
}

}  // namespace rodeo
