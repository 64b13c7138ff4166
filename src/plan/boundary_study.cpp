#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/study_state.hpp"
#include "rodeo/plan/sweep.hpp"

#include "refinement.hpp"
#include "study_kinds.hpp"

namespace rodeo {

namespace {

/// refine.stride of an axis where the deck does not give it, unless the axis is too short for it.
constexpr int default_stride = 8;

/// Fewer values along an axis of numbers leave nothing to refine.
constexpr std::size_t fewest_values = 4;

/// The word of refine.observable for the status, which every member has.
constexpr std::string_view status_word = "status";

/// The statuses of members that did not end well, in the order of their outcomes. Files have the numbers of
/// these, so that one which no member ends with any more keeps its place.
constexpr std::array bad_ends = {
    MemberStatus::diverged,       MemberStatus::failed,        MemberStatus::timed_out,
    MemberStatus::too_stiff,      MemberStatus::tangled,       MemberStatus::pruned,
    MemberStatus::no_equilibrium, MemberStatus::gained_energy, MemberStatus::passed_through,
    MemberStatus::out_of_points,  MemberStatus::crushed};

/// An axis of the grid.
struct Axis {
  std::size_t values = 0;
  bool is_category = false;  ///< its values have nothing between them
  int stride = 1;
};

/// refine.stride, one number for each axis; empty if it is not given, or is one for all.
std::vector<double> own_strides(const Deck& deck, std::size_t axes) {
  if (!deck.has_value("refine.stride"_key)) return {};
  const std::vector<double>& strides = deck.list("refine.stride"_key);
  for (const double stride : strides) {
    if (stride != std::round(stride))
      throw deck.error("refine.stride"_key, format_real(stride) + " is no whole number of steps");
  }
  if (strides.size() == 1) return {};
  if (strides.size() != axes) {
    throw deck.error("refine.stride"_key, "has " + std::to_string(strides.size()) + " numbers for " +
                                              std::to_string(axes) +
                                              " axes: give one for all, or one for each");
  }
  return strides;
}

/// Throws DeckError where no boundary can be looked for between the values of an axis.
void require_order(const SweepAxis& axis, const std::function<void(const std::string&)>& refuse) {
  if (key_info(axis.address.key).type == ValueType::choice) {
    refuse("takes words, which have nothing between them: its refine.stride is 1");
  }
  if (axis.values.size() < fewest_values) {
    refuse("has " + std::to_string(axis.values.size()) + " values, and a boundary needs at least " +
           std::to_string(fewest_values) + " along an axis, or a list of values that are taken one by one");
  }
  if (std::ranges::adjacent_find(axis.values, std::ranges::greater_equal()) != axis.values.end() &&
      std::ranges::adjacent_find(axis.values, std::ranges::less_equal()) != axis.values.end()) {
    refuse("has values that neither rise nor fall all along, so that none lies between others");
  }
}

/// The stride of an axis of numbers. Throws DeckError if its lattice has no node between the ends.
int stride_of(const Deck& deck, const SweepAxis& axis, std::optional<double> own) {
  const auto largest = static_cast<int>((axis.values.size() - 1) / 2);
  if (!deck.has_value("refine.stride"_key)) return std::min(default_stride, largest);
  const double stride = own.value_or(deck.list("refine.stride"_key).front());
  if (stride > largest) {
    throw deck.error("refine.stride"_key, "is at most " + std::to_string(largest) +
                                              " here, so that the lattice has a node between the ends of " +
                                              axis.address.name() + ", which has " +
                                              std::to_string(axis.values.size()) +
                                              " values; each axis may have a number of its own");
  }
  return static_cast<int>(stride);
}

/// Throws DeckError where no boundary can be looked for along them.
std::vector<Axis> grid_axes(const Deck& deck) {
  const std::vector<SweepAxis> given = deck.sweep_axes();
  if (given.empty()) {
    throw deck.missing_error("sweep.axis"_key, "study.kind = boundary needs two of them, or three");
  }
  const auto refuse = [&](const SweepAxis& axis, const std::string& text) {
    const std::string& place = deck.places("sweep.axis"_key)[axis.line];
    throw DeckError(place + ": sweep.axis: " + axis.address.name() + " " + text);
  };
  for (std::size_t k = 1; k < given.size(); ++k) {
    if (given[k].line != given[k - 1].line) continue;
    refuse(given[k], "moves together with " + given[k - 1].address.name() +
                         ", and the axes of a boundary vary by themselves");
  }
  if (given.size() < 2 || given.size() > 3) {
    throw deck.error("sweep.axis"_key, "makes " + std::to_string(given.size()) +
                                           (given.size() == 1 ? " axis" : " axes") +
                                           ", and study.kind = boundary needs two or three");
  }
  const std::vector<double> strides = own_strides(deck, given.size());
  std::vector<Axis> axes;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const SweepAxis& axis = given[k];
    const std::optional<double> own = strides.empty() ? std::nullopt : std::optional(strides[k]);
    if (axis.listed && own.value_or(1.0) == 1.0) {
      axes.push_back({axis.values.size(), true, 1});
      continue;
    }
    require_order(axis, [&](const std::string& text) { refuse(axis, text); });
    axes.push_back({axis.values.size(), false, stride_of(deck, axis, own)});
  }
  if (std::ranges::all_of(axes, &Axis::is_category)) {
    throw deck.error("sweep.axis"_key,
                     "has lists alone, whose values are taken one by one, so that no boundary lies between "
                     "them: use linspace or logspace for one, give one a refine.stride of its own above 1, "
                     "or use study.kind = sweep");
  }
  return axes;
}

NodeGrid grid_of(const std::vector<Axis>& axes) {
  std::vector<std::size_t> values;
  for (const Axis& axis : axes) values.push_back(axis.values);
  NodeGrid grid(values);
  for (std::size_t k = 0; k < axes.size(); ++k) grid.categories[k] = axes[k].is_category;
  return grid;
}

/// The number of nodes of a lattice.
double lattice_nodes(const NodeGrid& grid, const Coordinates& strides) {
  double nodes = 1.0;
  for (const std::vector<int>& places : lattice_of(grid, strides))
    nodes *= static_cast<double>(places.size());
  return nodes;
}

/// "8", or "8 x 4" where strides differ, of those axes that have any.
std::string text_of(const NodeGrid& grid, const Coordinates& strides, double times) {
  std::vector<double> own;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (grid.counts[axis] > 1 && !grid.categories[axis]) own.push_back(times * strides[axis]);
  }
  const bool are_alike = std::ranges::adjacent_find(own, std::ranges::not_equal_to()) == own.end();
  if (are_alike) own.resize(1);
  std::string text;
  for (const double stride : own) text += (text.empty() ? "" : " x ") + formatted("%.3g", stride);
  return text;
}

/// Standard deviation of a probability of which `some` of `all` members tell, with Jeffreys' prior.
double share_error(std::uint32_t some, std::uint32_t all) {
  const double a = some + 0.5;
  const double b = all - some + 0.5;
  return std::sqrt(a * b / ((a + b) * (a + b) * (a + b + 1.0)));
}

/// Gives places with a negative label that of the nearest one with another, by steps along the axes; from one
/// category to others only if `across`.
void spread_labels(const NodeGrid& grid, bool across, std::vector<int>& labels) {
  std::vector<std::size_t> front;
  for (std::size_t node = 0; node < labels.size(); ++node) {
    if (labels[node] >= 0) front.push_back(node);
  }
  for (std::size_t next = 0; next < front.size(); ++next) {
    const std::size_t node = front[next];
    const Coordinates at = grid.at(node);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (grid.categories[axis] && !across) continue;
      for (const int step : {-1, 1}) {
        Coordinates beside = at;
        beside[axis] += step;
        if (beside[axis] < 0 || beside[axis] >= grid.counts[axis]) continue;
        const std::size_t other = grid.node(beside);
        if (labels[other] >= 0) continue;
        labels[other] = labels[node];
        front.push_back(other);
      }
    }
  }
}

/// Takes a category of which nothing is known yet to be as others are.
void label_the_rest(const NodeGrid& grid, std::vector<int>& labels) {
  for (const bool across : {false, true}) spread_labels(grid, across, labels);
}

std::string times_fewer(double all, double some) {
  return formatted("%.3g times fewer", all / std::max(1.0, some));
}

/// `study.kind = boundary`: where outcomes change over a grid of two or three axes, from a fraction of its
/// members. Candidates are the nodes of the grid, with the numbers and so the seeds that study.kind = sweep
/// gives them; nodes that are not evaluated have the outcome of the nearest one that is.
///
/// Values of a list, words among them, are categories: outcomes change along the other axes, for each
/// combination of categories by itself.
///
/// With several repeats the first one of a node runs at first, and the others where outcomes within a step
/// of it disagree.
class BoundaryStudy final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<BoundaryStudy> from_deck(const Deck& deck) {
    const std::vector<Axis> axes = grid_axes(deck);
    auto plan = std::make_unique<BoundaryStudy>(Sweep::from_deck(deck), grid_of(axes));
    plan->rule_ = OutcomeRule::from_deck(deck);
    if (deck.has_value("refine.observable"_key))
      plan->observable_ = deck.texts("refine.observable"_key).front();
    if (deck.has_value("refine.level"_key)) plan->level_ = format_real(deck.number("refine.level"_key));
    plan->method_ = deck.choice("refine.method"_key);
    for (std::size_t k = 0; k < axes.size(); ++k) plan->strides_[k] = axes[k].stride;
    plan->repeats_ = static_cast<std::uint32_t>(deck.integer("study.repeats"_key));
    const bool by_value = plan->method_ == "value";
    if (plan->method_ != "cells" && plan->repeats_ > 1) {
      throw deck.error("refine.method"_key, plan->method_ +
                                                " takes outcomes as certain, and study.repeats is " +
                                                std::to_string(plan->repeats_) + "; use cells");
    }
    if (by_value && !plan->rule_.has_level()) {
      throw deck.error("refine.method"_key,
                       "= value interpolates an observable: give refine.observable and refine.level");
    }
    if (by_value) {
      const std::size_t place = named_observable(deck, "refine.observable"_key, plan->observable_);
      plan->unit_ = observables_of(deck)[place].unit;
    }
    plan->refinement_ =
        make_refinement(plan->method_, plan->grid_, plan->strides_, deck.number("refine.tolerance"_key));
    plan->outcome_.assign(plan->members(), -1);
    plan->wanted_.assign(plan->members(), false);
    plan->seen_.assign(plan->grid_.nodes(), 0);
    plan->collect();
    return plan;
  }

  BoundaryStudy(std::unique_ptr<Sweep> sweep, const NodeGrid& grid) : sweep_(std::move(sweep)), grid_(grid) {}

  std::span<const ParameterAddress> parameters() const override { return sweep_->parameters(); }
  std::vector<std::string> variation() const override { return sweep_->variation(); }
  std::uint64_t candidates() const override { return sweep_->candidates(); }
  std::vector<double> point(std::uint64_t candidate) const override { return sweep_->point(candidate); }
  bool asks_for_members() const override { return true; }
  std::vector<std::uint64_t> ask() override { return std::exchange(new_, {}); }
  void tell(std::span<const Result> results) override {
    for (const Result& result : results) {
      const std::uint64_t told = result.candidate;
      const auto node = static_cast<std::size_t>(told / repeats_);
      const int outcome = rule_.outcome(result);
      outcome_[told] = static_cast<std::int8_t>(outcome);
      if (wanted_[told]) --awaited_;
      ++known_;
      if (seen_[node] == 0) ++known_nodes_;
      refinement_->learn(node, outcome, rule_.above(result));
      const OutcomeSet bit = set_of(outcome);
      if ((seen_[node] & bit) != 0) continue;
      seen_[node] |= bit;
      if (repeats_ > 1) repeat_around(node);
    }
    collect();
  }

  bool done() const override { return awaited_ == 0; }
  std::optional<double> expected_members() const override {
    // Measured on maps with a boundary from side to side, in nodes for each of the grid's nodes on a side;
    // along a line with one change of outcomes, in bisections.
    const int dimensions = grid_.axes();
    const bool in_space = dimensions == 3;
    const bool on_line = dimensions == 1;
    const auto nodes = static_cast<double>(candidates());
    const int largest = std::ranges::max(strides_);
    if (largest == 1 && !on_line) return nodes * repeats_;
    const double halvings = std::ceil(std::log2(largest));
    const bool in_cells = method_ == "cells";
    const double refined = method_ == "value" ? (in_space ? 2.0 : 1.5)
                           : on_line          ? (in_cells ? halvings : 2.0 * halvings)
                           : in_cells         ? (in_space ? 7.0 : 6.0)
                                              : (in_space ? 3.0 : 3.5);
    const double repeated = on_line ? 4.0 : in_space ? 5.0 : 4.5;
    double combinations = 1.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (grid_.categories[axis]) combinations *= grid_.counts[axis];
    }
    const double side = combinations * std::pow(nodes / combinations, 1.0 - 1.0 / dimensions);
    const double evaluated = lattice_nodes(grid_, strides_) + refined * side;
    return std::min(evaluated, nodes) + std::min(repeated * side, nodes) * (repeats_ - 1.0);
  }

  std::vector<Table> tables() const override {
    std::vector<std::string> names;
    for (const ParameterAddress& address : parameters()) names.push_back(address.name());
    std::vector<std::pair<std::string, std::string>> attributes = {{"method", method_},
                                                                   {"stride", text_of(grid_, strides_, 1.0)}};
    if (!level_.empty())
      attributes.insert(attributes.end(), {{"observable", observable_}, {"level", level_}});
    std::string categories;
    for (std::size_t axis = 0; axis < names.size(); ++axis) {
      if (grid_.categories[axis]) categories += (categories.empty() ? "" : ", ") + names[axis];
    }
    if (!categories.empty()) attributes.emplace_back("categories", categories);
    Table map{.name = "boundary",
              .attributes = std::move(attributes),
              .columns = {{.name = "point", .width = names.size(), .names = names},
                          {.name = "outcome", .unit = "1", .type = NumberType::byte, .names = rule_.names()},
                          {.name = "probability", .unit = "1"},
                          {.name = "error", .unit = "1"},
                          {.name = "members", .unit = "1", .type = NumberType::natural}},
              .rows = candidates()};
    if (method_ == "value") map.columns.push_back({.name = "above", .unit = unit_});
    Table counts{.name = std::string(boundary_counts_name), .rows = 1};
    for (const char* const name : {"nodes", "inferred_nodes", "members", "spared_members", "ended"}) {
      counts.columns.push_back({.name = name, .unit = "1", .type = NumberType::natural});
    }
    return {std::move(map), std::move(counts)};
  }

  std::vector<TableRow> take_rows() override {
    const bool ends_now = done() && !complete_;
    if (known_ > 0 && (ends_now || known_ >= next_map_)) {
      add_map();
      // The whole map is written a few dozen times, however large it is.
      next_map_ = known_ + (known_ < 64 ? known_ : known_ / 4);
    }
    if (known_ > 0 && (ends_now || known_ >= next_counts_)) {
      const auto spared = static_cast<double>(members() - known_ - awaited_);
      rows_.push_back(
          {.table = 1,
           .row = 0,
           .numbers = {static_cast<double>(known_nodes_), static_cast<double>(candidates() - known_nodes_),
                       static_cast<double>(known_), spared, done() ? 1.0 : 0.0}});
      next_counts_ = known_ + 1 + known_ / 64;
    }
    complete_ = done();
    return std::exchange(rows_, {});
  }

  std::string size_note() const override {
    const std::string blind = blind_spot();
    return times_fewer(static_cast<double>(members()), *expected_members()) + " than the whole grid" +
           (blind.empty() ? "" : "; " + blind);
  }

  std::string progress() const override {
    return formatted("%lu of %lu nodes evaluated, %lu members, %lu more asked for", known_nodes_,
                     candidates(), known_, awaited_);
  }

  std::string conclusion() const override {
    if (!done()) return {};
    const std::vector<std::string> names = rule_.names();
    std::vector<std::uint64_t> nodes(names.size(), 0);
    for (const int outcome : outcomes(refinement_->inferred())) ++nodes[static_cast<std::size_t>(outcome)];
    std::string text =
        std::to_string(known_nodes_) + " nodes evaluated and " + std::to_string(candidates() - known_nodes_) +
        " inferred, by " + std::to_string(known_) + " members; " + std::to_string(members() - known_) +
        " spared, " + times_fewer(static_cast<double>(members()), static_cast<double>(known_)) + "\n";
    for (std::size_t outcome = 0; outcome < names.size(); ++outcome) {
      if (nodes[outcome] > 0)
        text += "  " + names[outcome] + ": " + std::to_string(nodes[outcome]) + " nodes\n";
    }
    const std::string blind = blind_spot();
    return blind.empty() ? text : text + blind + "\n";
  }

 private:
  /// Numbers of a node's members that have ended with each outcome.
  using Ends = std::array<std::uint32_t, most_outcomes>;

  std::uint64_t members() const { return candidates() * repeats_; }
  std::uint64_t member(std::size_t node, std::uint32_t repeat) const { return node * repeats_ + repeat; }
  Ends ends_of(std::size_t node) const {
    Ends ends{};
    for (std::uint32_t repeat = 0; repeat < repeats_; ++repeat) {
      const int outcome = outcome_[member(node, repeat)];
      if (outcome >= 0) ++ends[static_cast<std::size_t>(outcome)];
    }
    return ends;
  }

  /// Collects the nodes that the refinement wants now, some of which a resumed campaign may know already.
  void collect() {
    for (;;) {
      const std::vector<std::size_t> nodes = refinement_->take_wanted();
      if (nodes.empty()) return;
      for (const std::size_t node : nodes) want(member(node, 0));
    }
  }

  void want(std::uint64_t member) {
    if (wanted_[member]) return;
    wanted_[member] = true;
    if (outcome_[member] >= 0) return;
    new_.push_back(member);
    ++awaited_;
  }

  /// Wants all members of nodes around one that have disagreeing outcomes next to them.
  void repeat_around(std::size_t node) {
    for_each_neighbour(grid_, grid_.at(node), [&](const Coordinates& at) {
      OutcomeSet seen = 0;
      for_each_neighbour(grid_, at, [&](const Coordinates& beside) { seen |= seen_[grid_.node(beside)]; });
      if (!disagree(seen)) return;
      for (std::uint32_t repeat = 0; repeat < repeats_; ++repeat) want(member(grid_.node(at), repeat));
    });
  }

  /// The most frequent outcome of each known node, the first of equally frequent ones; of other nodes the
  /// inferred one, or that of the nearest node.
  std::vector<int> outcomes(const std::vector<double>& inferred) const {
    std::vector<int> labels(grid_.nodes(), -1);
    for (std::size_t node = 0; node < labels.size(); ++node) {
      if (seen_[node] == 0) {
        if (!inferred.empty() && !std::isnan(inferred[node])) labels[node] = inferred[node] < 0.0 ? 0 : 1;
        continue;
      }
      const Ends ends = ends_of(node);
      labels[node] = static_cast<int>(std::ranges::max_element(ends) - ends.begin());
    }
    label_the_rest(grid_, labels);
    return labels;
  }

  /// Adds all rows of the map. Unknown outcomes are inferred too, so that an unfinished file can be looked
  /// at.
  void add_map() {
    const std::vector<double> inferred = refinement_->inferred();
    const std::vector<int> labels = outcomes(inferred);
    for (std::size_t node = 0; node < labels.size(); ++node) {
      const Ends ends = ends_of(node);
      std::uint32_t all = 0;
      std::uint32_t some = 0;
      for (std::size_t outcome = 0; outcome < ends.size(); ++outcome) {
        all += ends[outcome];
        if (rule_.counts(static_cast<int>(outcome))) some += ends[outcome];
      }
      TableRow& row = rows_.emplace_back();
      row.row = node;
      row.numbers = point(node);
      const double probability = all > 0                      ? static_cast<double>(some) / all
                                 : rule_.counts(labels[node]) ? 1.0
                                                              : 0.0;
      const double error = all > 0 ? share_error(some, all) : std::nan("");
      row.numbers.insert(row.numbers.end(),
                         {static_cast<double>(labels[node]), probability, error, static_cast<double>(all)});
      if (!inferred.empty()) row.numbers.push_back(inferred[node]);
    }
  }

  std::string saving() const;
  /// Tells which islands a lattice can miss: no place is farther from it than half a stride times the root of
  /// the number of axes between whose values there is anything.
  std::string blind_spot() const {
    if (std::ranges::max(strides_) == 1) return {};
    int axes = 0;
    for (std::size_t k = 0; k < strides_.size(); ++k) axes += grid_.counts[k] > 1 && !grid_.categories[k];
    const double always_found = axes > 2 ? 0.9 : 0.75;  // above 0.87 and 0.71
    return "a lattice " + text_of(grid_, strides_, 1.0) +
           " steps of the grid wide can miss islands of a radius below " +
           text_of(grid_, strides_, always_found) + " steps";
  }

  std::unique_ptr<Sweep> sweep_;
  NodeGrid grid_;
  OutcomeRule rule_;
  std::string observable_;
  std::string level_;
  std::string unit_;  ///< of the observable
  std::string method_;
  Coordinates strides_{1, 1, 1};
  std::uint32_t repeats_ = 1;
  std::unique_ptr<Refinement> refinement_;
  std::vector<std::int8_t> outcome_;  ///< by member; -1 while it is not known
  std::vector<bool> wanted_;          ///< by member
  std::vector<OutcomeSet> seen_;      ///< by node
  std::vector<std::uint64_t> new_;    ///< members to be handed out
  std::uint64_t awaited_ = 0;         ///< members that were wanted and are not known
  std::uint64_t known_ = 0;           ///< members
  std::uint64_t known_nodes_ = 0;     ///< with a member that is known
  std::vector<TableRow> rows_;        ///< to be taken
  std::uint64_t next_map_ = 1;        ///< members known, when the map is written again
  std::uint64_t next_counts_ = 0;     ///< the same of the counts
  bool complete_ = false;             ///< the rows of the end were made
};

}  // namespace

std::unique_ptr<Plan> make_boundary_study(const Deck& deck) { return BoundaryStudy::from_deck(deck); }

OutcomeRule OutcomeRule::from_deck(const Deck& deck) {
  OutcomeRule rule;
  const bool names_observable =
      deck.has_value("refine.observable"_key) && deck.texts("refine.observable"_key).front() != status_word;
  if (!names_observable) {
    if (!deck.has_value("refine.level"_key)) return rule;
    throw deck.error("refine.level"_key, "is a level of an observable, and refine.observable names none");
  }
  const std::string& name = deck.texts("refine.observable"_key).front();
  rule.place_ = named_observable(deck, "refine.observable"_key, name);
  if (!deck.has_value("refine.level"_key)) {
    throw deck.missing_error("refine.level"_key, "refine.observable = " + name + " needs it");
  }
  rule.level_ = deck.number("refine.level"_key);
  return rule;
}

int OutcomeRule::outcome(const Result& member) const {
  const int first_bad = place_ ? 3 : 1;
  const auto* const bad = std::ranges::find(bad_ends, member.status);
  if (bad != bad_ends.end()) return first_bad + static_cast<int>(bad - bad_ends.begin());
  if (!place_) return 0;
  const double value = *place_ < member.observables.size() ? member.observables[*place_] : std::nan("");
  if (std::isnan(value)) return 2;
  return value < level_ ? 0 : 1;
}

double OutcomeRule::above(const Result& member) const {
  return place_ && outcome(member) < 2 ? member.observables[*place_] - level_ : std::nan("");
}

std::vector<std::string> OutcomeRule::names() const {
  std::vector<std::string> names = place_ ? std::vector<std::string>{"below", "above", "no number"}
                                          : std::vector<std::string>{"ended well"};
  for (const MemberStatus status : bad_ends) names.emplace_back(to_string(status));
  return names;
}

StudyState boundary_state(const Table& table, const std::optional<TableRow>& newest) {
  StudyState state{.adaptive = true};
  if (!newest) {
    state.line = "no node evaluated yet";
    return state;
  }
  const auto number = [&](std::string_view column) {
    return static_cast<std::uint64_t>(numbers_in(table, *newest, column).front());
  };
  state.ended = number("ended") > 0;
  state.line = formatted("%lu nodes evaluated, %lu inferred; %lu members evaluated, %lu spared%s",
                         number("nodes"), number("inferred_nodes"), number("members"),
                         number("spared_members"), state.ended ? "" : " so far");
  return state;
}

}  // namespace rodeo
