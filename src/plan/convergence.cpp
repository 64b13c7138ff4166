#include "convergence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "rodeo/input/chosen.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/profile/profile.hpp"

namespace rodeo {

namespace {

/// A level before the levels are put in order.
struct Level {
  double value = 0.0;  ///< of the axis
  double element_length = 0.0;
  double end = 0.0;  ///< when its last step ends, s
  ConvergenceRow row;
};

Level make_level(Deck& deck, const ParameterAddress& address, double value) {
  deck.set(address, value);
  const MemberSpec spec = make_member_spec(deck);
  if (const std::string obstacle = profile_obstacle(spec); !obstacle.empty()) {
    throw deck.error("convergence.reference"_key, obstacle);
  }
  if (spec.rod_count() > 1) throw deck.error("rod.count"_key, "must be 1 with study.kind = convergence");
  Level level;
  level.value = value;
  level.element_length = spec.rod.length / spec.rod.elements;
  level.end = static_cast<double>(spec.time.steps) * spec.time.step;
  level.row.elements = spec.rod.elements;
  level.row.step = spec.time.step;
  return level;
}

/// Sets what each level's order refers to, and puts the coarsest first. Returns whether that is a length;
/// else it is a time.
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

/// A comparison of levels needs their last nodes, at one instant, in full precision.
void check_comparable(const Deck& deck, const std::vector<Level>& levels) {
  constexpr double rounding = 1e-9;
  if (deck.integer("output.frames"_key) < 2) {
    throw deck.error(
        "output.frames"_key,
        "must be at least 2: convergence.reference = finest compares the last frames of the levels");
  }
  if (deck.choice("output.precision"_key) == "float") {
    throw deck.error("output.precision"_key,
                     "float would round the differences between levels away; use double");
  }
  for (const Level& level : levels) {
    if (std::abs(level.end - levels.back().end) <= rounding * level.end) continue;
    throw deck.error("time.end"_key, "is no whole number of steps at every level: they end at " +
                                         format_real(level.end) + " s and " + format_real(levels.back().end) +
                                         " s, which would count as an error");
  }
}

}  // namespace

std::unique_ptr<Convergence> Convergence::from_deck(const Deck& deck) {
  const SweepAxis axis = deck.convergence_axis();
  const std::string reference(deck.choice("convergence.reference"_key));
  const bool finest = reference == "finest";
  if (axis.values.size() < (finest ? 3 : 2)) {
    throw deck.error("convergence.axis"_key, "has " + std::to_string(axis.values.size()) +
                                                 " level(s); an order takes at least " +
                                                 (finest ? "three, the finest being the reference" : "two"));
  }
  if (deck.integer("study.repeats"_key) != 1) {
    throw deck.error("study.repeats"_key,
                     "must be 1 with study.kind = convergence: a ladder compares single runs");
  }
  const Model& model = model_of(chosen<ModelKind>(deck, "model.kind"_key));
  if (!model.has_rods) {
    throw deck.error("model.kind"_key, in_quotes(model.name) + " has no profile that could converge");
  }

  auto plan = std::make_unique<Convergence>();
  plan->address_ = axis.address;
  plan->table_.key = axis.address.name();
  plan->table_.reference = reference;
  Deck scratch = deck;
  std::vector<Level> levels;
  for (const double value : axis.values) levels.push_back(make_level(scratch, axis.address, value));
  plan->in_space_ = order_levels(deck, plan->table_.key, levels);
  if (finest) check_comparable(deck, levels);
  for (const Level& level : levels) {
    plan->values_.push_back(level.value);
    plan->table_.rows.push_back(level.row);
  }
  plan->levels_.resize(levels.size());
  return plan;
}

std::vector<std::string> Convergence::variation() const {
  return {address_.name() + " " + format_real(values_.front()) + " to " + format_real(values_.back()) + ": " +
          std::to_string(values_.size()) + " levels"};
}

std::vector<std::uint64_t> Convergence::ask() {
  if (asked_) return {};
  asked_ = true;
  std::vector<std::uint64_t> all(values_.size());
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

void Convergence::tell(std::span<const Result> results) {
  const auto error = [](const Result& result, const Observable& norm) {
    return result.observables[observable_index(norm.name)];
  };
  for (const Result& result : results) {
    LevelResult& level = levels_[result.candidate];
    level.done = result.status == MemberStatus::done;
    level.profile_error = {error(result, observe::profile_error_l1), error(result, observe::profile_error_l2),
                           error(result, observe::profile_error_linf)};
    level.last_frame = result.last_frame;
  }
  told_ += results.size();
  if (!done()) return;
  set_errors(table_, levels_);
  rows_changed_ = true;
}

std::vector<Table> Convergence::tables() const {
  const std::string error_unit(table_.against_finest() ? "m" : observe::profile_error_l1.unit);
  const std::vector<std::string> norms = {"L1", "L2", "Linf"};
  return {{.name = std::string(convergence_table_name),
           .attributes = {{"key", table_.key}, {"reference", table_.reference}},
           .columns = {{.name = "n", .unit = "1", .type = NumberType::integer},
                       {.name = "step", .unit = "s"},
                       {.name = "spacing", .unit = in_space_ ? "m" : "s"},
                       {.name = "L1", .unit = error_unit},
                       {.name = "L2", .unit = error_unit},
                       {.name = "Linf", .unit = error_unit},
                       {.name = "observed_order", .unit = "1", .width = norms.size(), .names = norms}},
           .rows = table_.rows.size()}};
}

std::vector<TableRow> Convergence::take_rows() {
  std::vector<TableRow> rows;
  if (!std::exchange(rows_changed_, false)) return rows;
  for (const ConvergenceRow& level : table_.rows) {
    rows.push_back(
        {.row = rows.size(),
         .numbers = {static_cast<double>(level.elements), level.step, level.spacing, level.error.l1,
                     level.error.l2, level.error.linf, level.order.l1, level.order.l2, level.order.linf}});
  }
  return rows;
}

std::string Convergence::conclusion() const { return done() ? to_text(table_) : ""; }

StudyState convergence_state(const Table&, const std::optional<TableRow>&) { return {.compares = false}; }

}  // namespace rodeo
