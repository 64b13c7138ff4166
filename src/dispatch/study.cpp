#include "study.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "rodeo/input/assignments.hpp"
#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/frame_contents.hpp"
#include "rodeo/input/need.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/placement.hpp"
#include "rodeo/math/random.hpp"
#include "rodeo/member/period_steps.hpp"
#include "rodeo/member/settling.hpp"
#include "rodeo/member/start_state.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/observe/trajectory_fields.hpp"
#include "rodeo/plan/sweep.hpp"
#include "rodeo/profile/profile.hpp"
#include "rodeo/rod/frame_rods.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

constexpr std::size_t most_rows = 1'000'000;

TableColumn table_column(const PlacedRods::Column& column) {
  TableColumn stored{.name = column.key, .unit = std::string(column.unit)};
  if (column.width > 1) stored.width = column.width;
  if (column.words.empty()) return stored;
  for (const std::string_view word : split(column.words, '|')) stored.names.emplace_back(word);
  return stored;
}

/// The rods that random numbers have placed or made: table /scene, with a row for each rod of each candidate
/// whose rods differ from those of the candidate before, as far as a million rows go. Nothing where the deck
/// says all of them itself, and of a search that varies keys of rods, whose candidates are not known.
std::optional<SceneTable> make_scene_table(const Deck& deck, const Plan& plan, const Part& part,
                                           std::span<const ParameterAddress> parameters) {
  if (!has_computed_rods(deck)) return std::nullopt;
  const bool varied = std::ranges::any_of(parameters, [](const ParameterAddress& address) {
    return address.key == "variable.NAME"_key || key_info(address.key).name.starts_with("rod.");
  });
  if (varied && plan.adaptive()) return std::nullopt;
  SceneTable scene;
  scene.table.name = "scene";
  scene.table.columns = {{.name = "candidate", .unit = "1", .type = NumberType::natural},
                         {.name = "rod", .unit = "1", .type = NumberType::natural}};
  Deck own = deck;
  PlacedRods before;
  const std::uint64_t candidates = varied ? plan.candidates() : 1;
  for (std::uint64_t candidate = 0; candidate < candidates; ++candidate) {
    if (varied) {
      const std::vector<double> point = plan.point(candidate);
      for (std::size_t k = 0; k < point.size(); ++k) own.set(parameters[k], point[k]);
    }
    PlacedRods placed = placed_rods(own);
    if (placed.rods == before.rods) continue;
    if (scene.rows.size() + placed.rods.size() > most_rows) break;
    for (std::size_t rod = 0; rod < placed.rods.size(); ++rod) {
      TableRow& row = scene.rows.emplace_back();
      row.row = scene.rows.size() - 1;
      row.numbers = {static_cast<double>(part.candidate(candidate)), static_cast<double>(rod)};
      row.numbers.insert(row.numbers.end(), placed.rods[rod].begin(), placed.rods[rod].end());
    }
    before = std::move(placed);
  }
  if (scene.rows.empty()) return std::nullopt;
  for (const PlacedRods::Column& column : before.columns) scene.table.columns.push_back(table_column(column));
  scene.table.rows = scene.rows.size();
  return scene;
}

}  // namespace

Study::Study(const Deck& deck)
    : deck_(deck),
      plan_(make_plan(deck)),
      part_(Part::from_deck(deck)),
      repeats_(static_cast<std::uint32_t>(deck.integer("study.repeats"_key))),
      scenarios_(deck),
      scenario_parameters_(scenarios_.addresses().size()),
      addresses_(plan_->parameters().begin(), plan_->parameters().end()),
      objectives_(objectives_of(deck)),
      pareto_(part_.is_whole() ? ParetoSet::from_deck(deck, plan_->candidates()) : std::nullopt),
      keeps_frames_(kept_frames(deck).kind == KeptFrames::Kind::all),
      reported_(reported_observables(deck)),
      scratch_(deck) {
  scratch_.drop_sweep_axes();
  take_reruns();
  if (deck.member_seed() && plan_->candidates() * members_of_candidate() > 1) {
    throw deck.error("study.member_seed"_key,
                     "is the seed of one member, and this study has more: leave it out");
  }
  addresses_.insert(addresses_.end(), scenarios_.addresses().begin(), scenarios_.addresses().end());
  for (const Objective& objective : objectives_) {
    asked_.push_back({"study.objective"_key, named_observable(deck, "study.objective"_key, objective.name)});
  }
  for (const std::string& name : deck.texts("sensitivity.observable"_key)) {
    const Key key = "sensitivity.observable"_key;
    asked_.push_back({key, named_observable(deck, key, name)});
  }
  if (deck.choice("study.kind"_key) == "convergence" && deck.has_value("convergence.observables"_key)) {
    const Key key = "convergence.observables"_key;
    for (const std::string_view name : split(deck.texts(key).front(), ','))
      asked_.push_back({key, named_observable(deck, key, trimmed(name))});
  }
  if (pareto_) {
    for (const Objective& objective : pareto_->objectives()) {
      asked_.push_back({"study.pareto"_key, objective.place});
    }
  }
  for (const Constraint& constraint : constraints_of(deck)) {
    asked_.push_back({"optimize.constraint"_key, constraint.place});
  }
  if (deck.has_value("observe.settle_in"_key)) {
    const std::string& name = deck.texts("observe.settle_in"_key).front();
    asked_.push_back({"observe.settle_in"_key, named_observable(deck, "observe.settle_in"_key, name)});
  }
  if (deck.choice("study.kind"_key) == "boundary" && deck.has_value("refine.level"_key)) {
    const std::string& name = deck.texts("refine.observable"_key).front();
    asked_.push_back({"refine.observable"_key, named_observable(deck, "refine.observable"_key, name)});
  }
  for (const std::size_t place : frame_observables(deck)) asked_.push_back({"output.observables"_key, place});
  if (plan_->adaptive()) {
    const std::vector<std::vector<double>> probes = this->probes();
    for (std::size_t k = 0; k < probes.size(); ++k) {
      const MemberSpec& probe = add(probes[k]);
      if (k > 0 && k <= probes.size() - scenarios_.count()) continue;  // one that the search may come across
      check_refusal(probe);
      require_start(probe);
    }
    scenario_costs_ = {1.0};
    for (std::size_t k = probes.size() + 1 - scenarios_.count(); k < probes.size(); ++k)
      scenario_costs_.push_back(costs_.front() > 0.0 ? costs_[k] / costs_.front() : 1.0);
    costs_.resize(probes.size() + 1 - scenarios_.count());
    check_nodes();
  } else {
    check_candidates();
  }
  check_reruns();
  check_reports();
  if (settles_ && !can_settle_) {
    const Deck& giving = deck.is_given("observe.settle"_key) ? deck : scratch_;
    throw giving.error("observe.settle"_key, "can end no member: none has enough periods before its end");
  }
  if (nodes_.front() > 0) scene_ = make_scene_table(deck, *plan_, part_, addresses_);
}

Study::Study(const Deck& deck, const std::vector<MemberRow>& rows)
    : deck_(deck), objectives_(objectives_of(deck)), reported_(reported_observables(deck)), scratch_(deck) {
  scratch_.drop_sweep_axes();
  take_reruns();
  const Scenarios scenarios(deck);
  const auto repeats = static_cast<std::uint64_t>(deck.integer("study.repeats"_key));
  std::vector<std::vector<double>> points;
  for (const MemberRow& row : rows) {
    points.push_back(row.parameters);
    const auto scenario = static_cast<std::uint32_t>(row.member / repeats % scenarios.count());
    origins_.push_back({row.candidate, scenario, row.repeat, row.seed, row.member});
  }
  const std::unique_ptr<Plan> plan = make_plan(deck);
  scenario_parameters_ = scenarios.addresses().size();
  addresses_.assign(plan->parameters().begin(), plan->parameters().end());
  addresses_.insert(addresses_.end(), scenarios.addresses().begin(), scenarios.addresses().end());
  plan_ = Sweep::of_points(addresses_, points);
  for (const std::vector<double>& point : points) add(point);
}

void Study::check_candidates() {
  const std::uint64_t candidates = plan_->candidates();
  costs_.reserve(candidates);
  nodes_.reserve(candidates);
  std::uint64_t failing = 0;
  std::uint64_t first = 0;
  std::optional<DeckError> refusal;
  for (std::uint64_t candidate = 0; candidate < candidates; ++candidate) {
    const MemberSpec& member = add(plan_->point(candidate));
    check_refusal(member);
    try {
      require_start(member);
    } catch (const DeckError& error) {
      if (failing++ > 0) continue;
      first = candidate;
      refusal = error;
    }
  }
  if (failing == 0) return;
  if (failing == candidates) throw DeckError(*refusal);
  start_note_ = std::to_string(failing) + " of " + std::to_string(candidates) +
                " candidates cannot start, and their members will be counted as failed; of candidate " +
                std::to_string(first) + ": " + refusal->what();
}

const MemberSpec& Study::add(const std::vector<double>& point) {
  const MemberSpec& member = spec(point);
  frames_ = member.frames;  // output.* and model.kind cannot vary between candidates
  has_period_ = has_period_ || period_steps(member) > 0;
  settles_ = settles_ || member.settle.acts();
  rests_ = member.rests();
  can_settle_ = can_settle_ || can_settle(member);
  if (costs_.empty()) {
    for (const std::size_t place : measured_observables(member))
      asked_.push_back({"measure.define"_key, place});
  }
  costs_.push_back(predicted_cost(member));
  largest_memory_ = std::max(largest_memory_, member_memory(member));
  nodes_.push_back(model_of(member).has_rods ? frame_nodes(member) : 0);
  if (member.rod_count() == 1) return member;
  rod_nodes_.resize(nodes_.size());
  rod_nodes_.back() = frame_rod_nodes(member);
  if (deck_.texts("output.rods"_key).front() == "all") return member;
  rod_numbers_.resize(nodes_.size());
  rod_numbers_.back() = frame_rods(member);
  return member;
}

Study::Origin Study::origin(std::uint64_t member) const {
  if (!origins_.empty()) return origins_[member];
  const std::uint64_t candidate = part_.candidate(member / members_of_candidate());
  const auto place = static_cast<std::uint32_t>(member % members_of_candidate());
  // Candidates are compared in the same scenarios, what is random in them included.
  const std::uint64_t seed = member_seed(deck_.seed(), scenarios_.any() ? 0 : candidate, place);
  return {candidate, place / repeats_, place % repeats_, deck_.member_seed().value_or(seed),
          candidate * members_of_candidate() + place};
}

std::vector<double> Study::in_scenario(std::vector<double> point, std::uint32_t scenario) const {
  if (!scenarios_.any()) return point;
  const std::span<const double> values = scenarios_.values(scenario);
  point.insert(point.end(), values.begin(), values.end());
  return point;
}

std::vector<double> Study::point(std::uint64_t member) const {
  const auto place = static_cast<std::uint32_t>(member % members_of_candidate());
  return in_scenario(plan_->point(member / members_of_candidate()), place / repeats_);
}

std::vector<std::vector<double>> Study::probes() const {
  std::vector<std::vector<double>> points = plan_->probes();
  const std::size_t count = points.size();
  for (std::uint32_t scenario = 1; count > 0 && scenario < scenarios_.count(); ++scenario)
    points.push_back(in_scenario(points.front(), scenario));
  for (std::size_t k = 0; k < count; ++k) points[k] = in_scenario(points[k], 0);
  return points;
}

bool Study::agrees(std::uint64_t member, std::span<const double> point) const {
  const std::uint64_t candidate = member / members_of_candidate();
  if (!scenarios_.any()) return plan_->agrees(candidate, point);
  const std::span<const double> own = scenarios_.values(origin(member).scenario);
  // Another machine may round what is drawn otherwise.
  const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(a); };
  return std::ranges::equal(own, point.last(own.size()), same) &&
         plan_->agrees(candidate, point.first(point.size() - own.size()));
}

void Study::check_reports() const {
  const PossibleValues values(deck_);
  for (const AskedObservable& asked : asked_) {
    if (asked.place >= observables.size()) continue;  // what the deck defines
    const Observable& observable = observables[asked.place];
    const std::vector<Clause> need = need_of(observable);
    const Clause* const unmet = values.unmet(need);
    const bool lacks_period = observable.known == Known::mean_over_period && !has_period_;
    if (unmet == nullptr && !lacks_period) continue;
    const std::string missing(unmet != nullptr ? unmet->text : "a whole muscle.period before time.end");
    throw deck_.error(asked.key,
                      "members of this deck, of model.kind = " + std::string(deck_.choice("model.kind"_key)) +
                          ", do not report '" + std::string(observable.name) + "' (" +
                          std::string(observable.text) + "): it needs " + missing);
  }
}

/// The file has room for trajectories of known size only.
void Study::check_nodes() const {
  const auto uniform = [](const auto& nodes) {
    return std::ranges::all_of(nodes, [&](const auto& n) { return n == nodes.front(); });
  };
  if (frames_ == 0 || !keeps_frames_ || (uniform(nodes_) && uniform(rod_nodes_) && uniform(rod_numbers_)))
    return;
  throw deck_.error("output.frames"_key,
                    "must be 0 where a parameter of the study or a level of fidelity changes the number of "
                    "elements, also by way of rod.elements_per_length");
}

double Study::cost(std::uint64_t member) {
  const std::uint64_t candidate = member / members_of_candidate();
  if (const ChangedMembers* const changed = changes_of(member))
    return slowness_ * predicted_cost(spec_of(*changed, point(member)));
  if (!plan_->adaptive()) return slowness_ * costs_[candidate];
  try {
    // The first scenario serves for all: its specification is at hand, and made once.
    return slowness_ * scenario_costs_[origin(member).scenario] *
           predicted_cost(spec(in_scenario(plan_->point(candidate), 0)));
  } catch (const DeckError&) {
    return 0.0;  // no member can be made at this point; the worker that tries says so
  }
}

double Study::cost() const {
  const std::vector<double> counts = plan_->probe_candidates();
  if (!counts.empty()) return cost_of(counts);
  if (plan_->adaptive())
    return slowness_ * costs_.front() * members_cost() * static_cast<double>(plan_->candidates());
  return slowness_ * std::accumulate(costs_.begin(), costs_.end(), 0.0) * repeats_;
}

/// Cost of all members of a candidate, over that of one in the first scenario.
double Study::members_cost() const {
  if (!scenarios_.any()) return repeats_;
  return std::accumulate(scenario_costs_.begin(), scenario_costs_.end(), 0.0) * repeats_;
}

double Study::plain_cost() const { return cost_of(plan_->plain_probe_candidates()); }

/// Predicted time of so many candidates as each probe stands for, ns.
double Study::cost_of(const std::vector<double>& counts) const {
  return slowness_ * members_cost() * std::inner_product(counts.begin(), counts.end(), costs_.begin(), 0.0);
}

std::string_view Study::cost_note() const {
  if (!plan_->probe_candidates().empty()) {
    return can_settle_ ? " if its levels correlate and no member settles" : " if its levels correlate";
  }
  if (plan_->adaptive() || plan_->expected_members()) return " at most";
  return can_settle_ ? " if no member settles" : "";
}

std::vector<std::vector<double>> Study::representatives() const {
  const std::vector<double> counts = plan_->probe_candidates();
  const std::vector<std::vector<double>> probes = this->probes();
  if (plan_->adaptive() && counts.empty()) return {probes.front()};
  std::vector<std::uint64_t> order(costs_.size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  if (plan_->adaptive()) std::erase_if(order, [&](std::uint64_t k) { return counts[k] == 0.0; });
  const auto cheaper = [this](std::uint64_t a, std::uint64_t b) { return costs_[a] < costs_[b]; };
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
  std::nth_element(order.begin(), middle, order.end(), cheaper);
  std::set<std::uint64_t> places = {*middle, *std::ranges::min_element(order, cheaper),
                                    *std::ranges::max_element(order, cheaper)};
  std::vector<std::vector<double>> points;
  for (const std::uint64_t place : places) {
    points.push_back(plan_->adaptive() ? probes[place] : plan_->point(place));
  }
  return points;
}

const MemberSpec& Study::spec(const std::vector<double>& point) {
  // Repeats of a candidate come one after the other, and what looks at the only one does so again and again.
  const auto same_bits = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  };
  if (last_spec_ && std::ranges::equal(point, last_point_, same_bits)) return *last_spec_;
  last_spec_.reset();
  for (std::size_t k = 0; k < addresses_.size(); ++k) scratch_.set(addresses_[k], point[k]);
  last_point_ = point;
  return last_spec_.emplace(make_member_spec(scratch_));
}

void Study::require_start(const MemberSpec& member) const {
  // The member cannot run here at all, and a search for overlaps would take as much.
  if (member_memory(member) > machine_memory()) return;
  if (const auto problem = failure_at_start(member))
    throw scratch_.error(find_key(problem->key), problem->text);
}

void Study::check_refusal(const MemberSpec& member) const {
  if (const std::string obstacle = profile_obstacle(member); !obstacle.empty())
    throw scratch_.error("convergence.reference"_key, obstacle);
  if (const auto problem = refusal_at_start(member))
    throw scratch_.error(find_key(problem->key), problem->text);
}

MemberJob Study::job(std::uint64_t member, const std::vector<double>& point) {
  const ChangedMembers* const changed = changes_of(member);
  return {changed != nullptr ? spec_of(*changed, point) : spec(point), origin(member).seed};
}

void Study::take_reruns() {
  for (const Rerun& rerun : reruns_of(deck_)) {
    reruns_.push_back({rerun, Deck::parse(scratch_.resolved(), "study.rerun", rerun.overrides)});
    const auto more = reported_observables(Deck::parse(deck_.resolved(), "study.rerun", rerun.overrides));
    for (std::size_t k = 0; k < more.size(); ++k) reported_[k] = reported_[k] || more[k];
  }
}

const Study::ChangedMembers* Study::changes_of(std::uint64_t member) const {
  if (reruns_.empty()) return nullptr;
  const std::uint64_t number = origin(member).number;
  const auto last = std::find_if(reruns_.rbegin(), reruns_.rend(),
                                 [&](const ChangedMembers& c) { return c.rerun.has(number); });
  return last == reruns_.rend() ? nullptr : &*last;
}

MemberSpec Study::spec_of(const ChangedMembers& changed, const std::vector<double>& point) const {
  Deck deck = changed.deck;
  for (std::size_t k = 0; k < addresses_.size(); ++k) deck.set(addresses_[k], point[k]);
  return make_member_spec(deck);
}

/// Looks at the first member of each line, whose row must have room for its frames. Lines of other parts are
/// left to the whole.
void Study::check_reruns() const {
  for (const ChangedMembers& changed : reruns_) {
    const auto refuse = [&](const std::string& reason) {
      throw deck_.error("study.rerun"_key, "= " + changed.rerun.text() + " " + reason);
    };
    for (const std::string& change : changed.rerun.overrides) {
      const Key key = find_key(parse_override(change).name);
      if (std::ranges::find(addresses_, key, &ParameterAddress::key) != addresses_.end())
        refuse("changes a parameter of the study");
    }
    if (part_.is_whole() && changed.rerun.members.back().last >= members())
      refuse("names a member beyond the last, " + std::to_string(members() - 1));
    std::uint64_t member = 0;
    while (member < members() && !changed.rerun.has(origin(member).number)) ++member;
    if (member == members()) continue;
    const MemberSpec spec = spec_of(changed, point(member));
    const std::int32_t nodes = model_of(spec).has_rods ? frame_nodes(spec) : 0;
    if (spec.frames != frames_ || nodes != nodes_[member / members_of_candidate()])
      refuse("changes the frames of members");
    check_refusal(spec);
  }
}

/// A line for each member, of the numbers of its rods and what stands beyond the last.
std::vector<std::int32_t> Study::padded(const std::vector<std::vector<int>>& of_rods, int beyond) const {
  std::size_t most = 1;
  for (const std::vector<int>& rods : of_rods) most = std::max(most, rods.size());
  std::vector<std::int32_t> table;
  table.reserve(members() * most);
  for (std::uint64_t candidate = 0; candidate < plan_->candidates(); ++candidate) {
    // All candidates of an adaptive plan have the nodes of its first probe.
    const std::size_t k = plan_->adaptive() ? 0 : static_cast<std::size_t>(candidate);
    std::vector<int> row = k < of_rods.size() ? of_rods[k] : std::vector<int>{};
    if (row.empty()) row = {nodes_[k]};
    row.resize(most, beyond);
    for (std::uint32_t place = 0; place < members_of_candidate(); ++place) {
      table.insert(table.end(), row.begin(), row.end());
    }
  }
  return table;
}

std::vector<Table> Study::tables() const {
  std::vector<Table> tables = plan_->tables();
  if (pareto_) tables.push_back(pareto_->table());
  return tables;
}

void Study::tell(std::span<const Result> results) {
  plan_->tell(results);
  if (pareto_) pareto_->tell(results);
}

std::vector<TableRow> Study::take_rows() {
  std::vector<TableRow> rows = plan_->take_rows();
  if (pareto_) {
    const std::size_t table = plan_->tables().size();
    for (TableRow& row : pareto_->take_rows()) {
      row.table = table;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

void Study::require_columns(std::span<const double> values) const {
  for (std::size_t place = 0; place < std::min(values.size(), reported_.size()); ++place) {
    if (reported_[place] || std::isnan(values[place])) continue;
    throw std::logic_error(
        "a member has a number of " + std::string(observables[place].name) +
        ", which needs what its deck does not say: " + std::string(observables[place].need));
  }
}

/// The scenario of each member; empty where there is none.
std::vector<std::uint32_t> Study::scenario_of_members() const {
  if (scenario_parameters_ == 0) return {};
  std::vector<std::uint32_t> scenarios(members());
  for (std::uint64_t member = 0; member < members(); ++member) scenarios[member] = origin(member).scenario;
  return scenarios;
}

EnsembleSchema Study::schema() const {
  EnsembleSchema schema;
  schema.deck = deck_.resolved();
  for (const ParameterAddress& address : addresses_) {
    schema.parameter_names.push_back(address.name());
    schema.parameter_words.emplace_back(key_info(address.key).choices);
    const std::string_view unit = key_info(address.key).unit;
    schema.parameter_units.emplace_back(unit.empty() ? "1" : unit);
  }
  const ObservableList list = observables_of(deck_);
  for (std::size_t place = 0; place < list.size(); ++place) {
    if (place < reported_.size() && !reported_[place]) continue;
    schema.observable_names.emplace_back(list[place].name);
    schema.observable_units.emplace_back(list[place].unit);
  }
  for (const DefinedObservable& defined : list.defined())
    schema.observable_definitions.push_back(defined.definition);
  schema.members = members();
  schema.scenario_parameters = scenario_parameters_;
  schema.scenario = scenario_of_members();
  const bool moves = !nodes_.empty() && *std::max_element(nodes_.begin(), nodes_.end()) > 0;
  schema.frames = moves && keeps_frames_ ? frames_ : 0;
  if (schema.frames > 0) {
    const bool uniform =
        std::all_of(nodes_.begin(), nodes_.end(), [&](int n) { return n == nodes_.front(); });
    if (uniform) {
      schema.nodes = {nodes_.front()};
    } else {
      for (const std::int32_t nodes : nodes_)
        schema.nodes.insert(schema.nodes.end(), members_of_candidate(), nodes);
    }
    if (!rod_nodes_.empty()) schema.rod_nodes = padded(rod_nodes_, 0);
    if (!rod_numbers_.empty()) schema.rod_numbers = padded(rod_numbers_, -1);
  }
  schema.tables = tables();
  if (scene_) schema.tables.push_back(scene_->table);
  for (const std::size_t field : further_fields(deck_)) {
    const TrajectoryField& format = trajectory_fields[field];
    schema.fields.push_back({std::string(format.name), std::string(format.unit), format.components});
  }
  for (const std::size_t place : frame_observables(deck_)) {
    schema.fields.push_back({std::string(list[place].name), std::string(list[place].unit), 1, false});
  }
  if (const std::size_t points = deck_.texts("measure.point"_key).size(); points > 0) {
    schema.fields.push_back(at_data_field(static_cast<std::int32_t>(points)));
  }
  if (const std::int64_t modes = deck_.integer("modes.count"_key); modes > 0) {
    schema.fields.push_back(mode_shapes_field(static_cast<std::int32_t>(modes)));
  }
  schema.single_precision = deck_.choice("output.precision"_key) == "float";
  return schema;
}

}  // namespace rodeo
