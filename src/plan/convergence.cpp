#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/study_state.hpp"
#include "rodeo/profile/profile.hpp"

#include "convergence_table.hpp"
#include "study_kinds.hpp"

namespace rodeo {

namespace {

/// A level before the levels are put in order.
struct Level {
  double value = 0.0;  ///< of the axis
  double element_length = 0.0;
  double end = 0.0;  ///< when its last step ends, s
  RodSpec rod;       ///< the first one
  ConvergenceRow row;
};

void require_profile(const Deck& deck, const MemberSpec& spec) {
  if (const std::string obstacle = profile_obstacle(spec); !obstacle.empty()) {
    throw deck.error("convergence.reference"_key, obstacle);
  }
  if (spec.rod_count() > 1) {
    throw deck.error("rod.count"_key,
                     "must be 1 with study.kind = convergence, unless convergence.observables names what is "
                     "compared");
  }
}

Level make_level(Deck& deck, const ParameterAddress& address, double value, bool by_profile) {
  deck.set(address, value);
  const MemberSpec spec = make_member_spec(deck);
  if (by_profile) require_profile(deck, spec);
  Level level;
  level.value = value;
  level.element_length = spec.rod.length / spec.rod.elements;
  level.end = static_cast<double>(spec.time.steps) * spec.time.step;
  level.rod = spec.rod;
  level.row.elements = spec.rod.elements;
  level.row.step = spec.time.step;
  return level;
}

/// Throws DeckError unless all levels are of one rod, which alone can be resolved better and better.
void check_rods(const Deck& deck, const std::string& key, const std::vector<Level>& levels) {
  constexpr auto numbers =
      std::to_array({&RodSpec::length, &RodSpec::radius, &RodSpec::density, &RodSpec::bend_stiffness,
                     &RodSpec::twist_stiffness, &RodSpec::stretch_stiffness});
  for (const Level& level : levels) {
    const auto differs = [&](double RodSpec::*number) {
      return std::abs(level.rod.*number - levels.front().rod.*number) > 1e-9 * std::abs(level.rod.*number);
    };
    if (std::ranges::none_of(numbers, differs)) continue;
    throw deck.error("convergence.axis"_key,
                     key +
                         " makes other rods of the levels, not finer ones; use rod.elements (with "
                         "time.step_per_length to refine both) or time.step");
  }
}

/// Sets the spacing that each level's order refers to, and puts the coarsest first. Returns whether it is a
/// length; else it is a time.
bool order_levels(const Deck& deck, const std::string& key, std::vector<Level>& levels) {
  const auto varies = [&](const auto& quantity) {
    return std::ranges::any_of(
        levels, [&](const Level& level) { return quantity(level) != quantity(levels.front()); });
  };
  const auto length = [](const Level& level) { return level.element_length; };
  const auto step = [](const Level& level) { return level.row.step; };
  const bool in_space = varies(length);
  if (!in_space && !varies(step)) {
    throw deck.error(
        "convergence.axis"_key,
        key +
            " changes neither the elements nor the step, so nothing is refined; use rod.elements "
            "(with time.step_per_length to refine both) or time.step");
  }
  for (Level& level : levels) level.row.spacing = in_space ? length(level) : step(level);
  std::ranges::sort(levels, std::ranges::greater(), [](const Level& level) { return level.row.spacing; });
  for (std::size_t k = 1; k < levels.size(); ++k) {
    if (levels[k].row.spacing < levels[k - 1].row.spacing) continue;
    throw deck.error("convergence.axis"_key, "two levels have the same resolution: " + key + " = " +
                                                 format_real(levels[k - 1].value) + " and " +
                                                 format_real(levels[k].value));
  }
  return in_space;
}

/// Throws unless all levels end at one instant.
void check_ends(const Deck& deck, const std::vector<Level>& levels) {
  constexpr double rounding = 1e-9;
  for (const Level& level : levels) {
    if (std::abs(level.end - levels.back().end) <= rounding * level.end) continue;
    throw deck.error("time.end"_key, "is no whole number of steps at every level: they end at " +
                                         format_real(level.end) + " s and " + format_real(levels.back().end) +
                                         " s, which would count as an error");
  }
}

/// Throws unless the last frames of all levels can be compared, in full precision.
void check_comparable(const Deck& deck, const std::vector<Level>& levels) {
  if (deck.integer("output.frames"_key) < 2) {
    throw deck.error(
        "output.frames"_key,
        "must be at least 2: convergence.reference = finest compares the last frames of the levels");
  }
  if (deck.choice("output.precision"_key) == "float") {
    throw deck.error("output.precision"_key,
                     "float would round the differences between levels away; use double");
  }
  check_ends(deck, levels);
}

/// convergence.observables; empty if it is not given.
std::vector<FollowedObservable> followed_observables(const Deck& deck) {
  constexpr Key key = "convergence.observables"_key;
  std::vector<FollowedObservable> followed;
  if (!deck.has_value(key)) return followed;
  const ObservableList list = observables_of(deck);
  for (const std::string_view text : split(deck.texts(key).front(), ',')) {
    const std::size_t place = named_observable(deck, key, trimmed(text));
    if (std::ranges::count(followed, place, &FollowedObservable::place) > 0)
      throw deck.error(key, in_quotes(text) + " stands there twice");
    followed.push_back({.name = std::string(list[place].name),
                        .unit = std::string(unit_in(deck, list[place].unit)),
                        .place = place});
  }
  if (!deck.has_value("convergence.exact"_key)) return followed;
  const std::vector<double>& exact = deck.list("convergence.exact"_key);
  if (exact.size() != followed.size()) {
    throw deck.error("convergence.exact"_key, "has " + std::to_string(exact.size()) + " numbers for " +
                                                  std::to_string(followed.size()) +
                                                  " observables (convergence.observables)");
  }
  for (std::size_t k = 0; k < exact.size(); ++k) followed[k].exact = exact[k];
  return followed;
}

/// Reference that levels are compared with.
std::string reference_of(const Deck& deck, const std::vector<FollowedObservable>& observables) {
  const std::string reference(deck.choice("convergence.reference"_key));
  if (observables.empty()) return reference;
  if (reference != "finest") {
    throw deck.error("convergence.reference"_key,
                     in_quotes(reference) +
                         " is a profile in closed form; what convergence.observables converge to is given by "
                         "convergence.exact");
  }
  return observables.front().exact ? "exact" : reference;
}

/// `study.kind = convergence`: one simulation at several resolutions, from coarse to fine. Its candidates are
/// the rows of its table. It compares profiles of the rod, or observables.
class Convergence final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<Convergence> from_deck(const Deck& deck) {
    const SweepAxis axis = deck.convergence_axis();
    std::vector<FollowedObservable> observables = followed_observables(deck);
    const bool by_profile = observables.empty();
    const std::string reference = reference_of(deck, observables);
    const bool finest = reference == "finest";
    if (axis.values.size() < (finest ? 3 : 2)) {
      throw deck.error("convergence.axis"_key,
                       "has " + std::to_string(axis.values.size()) + " level(s); an order takes at least " +
                           (finest ? "three, the finest being the reference" : "two"));
    }
    if (deck.integer("study.repeats"_key) != 1) {
      throw deck.error("study.repeats"_key,
                       "must be 1 with study.kind = convergence: a ladder compares single runs");
    }
    const Model& model = model_of(chosen<ModelKind>(deck, "model.kind"_key));
    if (by_profile && !model.has_rods) {
      throw deck.error("model.kind"_key, in_quotes(model.name) + " has no profile that could converge");
    }

    auto plan = std::make_unique<Convergence>();
    plan->address_ = axis.address;
    plan->table_.key = axis.address.name();
    plan->table_.reference = reference;
    plan->observables_ = std::move(observables);
    Deck scratch = deck;
    std::vector<Level> levels;
    for (const double value : axis.values)
      levels.push_back(make_level(scratch, axis.address, value, by_profile));
    plan->in_space_ = order_levels(deck, plan->table_.key, levels);
    check_rods(deck, plan->table_.key, levels);
    if (!by_profile) {
      check_ends(deck, levels);
    } else if (finest) {
      check_comparable(deck, levels);
    }
    for (const Level& level : levels) {
      plan->values_.push_back(level.value);
      plan->table_.rows.push_back(level.row);
    }
    plan->levels_.resize(levels.size());
    for (FollowedObservable& observable : plan->observables_) {
      observable.values.assign(levels.size(), std::nan(""));
      set_errors(observable, plan->table_.rows);
    }
    return plan;
  }

  std::span<const ParameterAddress> parameters() const override { return {&address_, 1}; }
  std::vector<std::string> variation() const override {
    return {address_.name() + " " + format_real(values_.front()) + " to " + format_real(values_.back()) +
            ": " + std::to_string(values_.size()) + " levels"};
  }

  std::uint64_t candidates() const override { return values_.size(); }
  std::vector<double> point(std::uint64_t candidate) const override { return {values_[candidate]}; }
  std::vector<std::uint64_t> ask() override {
    if (asked_) return {};
    asked_ = true;
    std::vector<std::uint64_t> all(values_.size());
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }

  void tell(std::span<const Result> results) override {
    const auto error = [](const Result& result, const Observable& norm) {
      return result.observables[observable_index(norm.name)];
    };
    for (const Result& result : results) {
      LevelResult& level = levels_[result.candidate];
      level.done = result.status == MemberStatus::done;
      level.profile_error = {error(result, observe::profile_error_l1),
                             error(result, observe::profile_error_l2),
                             error(result, observe::profile_error_linf)};
      level.last_frame = result.last_frame;
      for (FollowedObservable& observable : observables_)
        observable.values[result.candidate] = result.observables[observable.place];
    }
    told_ += results.size();
    if (!done()) return;
    for (FollowedObservable& observable : observables_) set_errors(observable, table_.rows);
    if (observables_.empty()) set_errors(table_, levels_);
    rows_changed_ = true;
  }

  bool needs_frames() const override { return observables_.empty() && table_.against_finest(); }
  bool done() const override { return told_ == values_.size(); }
  bool compares_candidates() const override { return false; }
  std::vector<Table> tables() const override {
    Table table{.name = std::string(convergence_table_name),
                .attributes = {{"key", table_.key}, {"reference", table_.reference}},
                .columns = {{.name = "n", .unit = "1", .type = NumberType::integer},
                            {.name = "step", .unit = "s"},
                            {.name = "spacing", .unit = in_space_ ? "m" : "s"}},
                .rows = table_.rows.size()};
    const std::vector<TableColumn> columns =
        observables_.empty() ? profile_columns() : columns_of(observables_);
    table.columns.insert(table.columns.end(), columns.begin(), columns.end());
    return {table};
  }

  std::vector<TableRow> take_rows() override {
    std::vector<TableRow> rows;
    if (!std::exchange(rows_changed_, false)) return rows;
    for (const ConvergenceRow& level : table_.rows) {
      const std::vector<double> found = observables_.empty()
                                            ? std::vector{level.error.l1, level.error.l2, level.error.linf,
                                                          level.order.l1, level.order.l2, level.order.linf}
                                            : numbers_of(observables_, rows.size());
      TableRow row{.row = rows.size(),
                   .numbers = {static_cast<double>(level.elements), level.step, level.spacing}};
      row.numbers.insert(row.numbers.end(), found.begin(), found.end());
      rows.push_back(std::move(row));
    }
    return rows;
  }

  std::string conclusion() const override {
    if (!done()) return "";
    return observables_.empty() ? to_text(table_) : to_text(table_, observables_);
  }

 private:
  std::vector<TableColumn> profile_columns() const {
    const std::string error_unit(table_.against_finest() ? "m" : observe::profile_error_l1.unit);
    const std::vector<std::string> norms = {"L1", "L2", "Linf"};
    return {{.name = "L1", .unit = error_unit},
            {.name = "L2", .unit = error_unit},
            {.name = "Linf", .unit = error_unit},
            {.name = "observed_order", .unit = "1", .width = norms.size(), .names = norms}};
  }

  ParameterAddress address_;
  std::vector<double> values_;  ///< of the address, from the coarsest level to the finest
  ConvergenceTable table_;      ///< without errors until all levels are told
  std::vector<LevelResult> levels_;
  std::vector<FollowedObservable> observables_;  ///< none: profiles are compared
  std::size_t told_ = 0;                         ///< levels
  bool rows_changed_ = true;                     ///< since they were taken
  bool in_space_ = true;                         ///< the levels differ in the lengths of their elements
  bool asked_ = false;
};

}  // namespace

std::unique_ptr<Plan> make_convergence(const Deck& deck) { return Convergence::from_deck(deck); }

StudyState convergence_state(const Table&, const std::optional<TableRow>&) { return {.compares = false}; }

}  // namespace rodeo
