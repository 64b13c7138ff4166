#include "rodeo/dispatch/study.hpp"

#include <algorithm>

#include "rodeo/math/random.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

int objective_index(const Deck& deck) {
  if (!deck.has_value(Key::study_objective)) return -1;
  const std::string& name = deck.texts(Key::study_objective).front();
  for (std::size_t k = 0; k < observables.size(); ++k) {
    if (observables[k].name == name) return static_cast<int>(k);
  }
  std::string names;
  for (const Observable& observable : observables) names.append(" ").append(observable.name);
  throw deck.error(Key::study_objective, "'" + name + "' is no observable; there are:" + names);
}

}  // namespace

Study::Study(const Deck& deck)
    : deck_(deck),
      plan_(make_plan(deck)),
      repeats_(static_cast<std::uint32_t>(deck.integer(Key::study_repeats))),
      objective_(objective_index(deck)),
      scratch_(deck) {
  const std::uint64_t candidates = plan_->candidates();
  costs_.reserve(candidates);
  nodes_.reserve(candidates);
  for (std::uint64_t candidate = 0; candidate < candidates; ++candidate) {
    const MemberSpec member = spec(plan_->point(candidate));
    frames_ = member.frames;  // output.* cannot vary between candidates
    costs_.push_back(predicted_cost(member));
    nodes_.push_back(frame_nodes(member));
    if (member.rod_count() == 1) continue;
    rod_nodes_.resize(candidates);
    rod_nodes_[candidate] = rod_nodes(member);
  }
}

MemberSpec Study::spec(const std::vector<double>& point) {
  const auto addresses = plan_->parameters();
  for (std::size_t k = 0; k < addresses.size(); ++k) scratch_.set(addresses[k], point[k]);
  return make_member_spec(scratch_);
}

MemberJob Study::job(std::uint64_t member, const std::vector<double>& point) {
  const std::uint64_t candidate = member / repeats_;
  const auto repeat = static_cast<std::uint32_t>(member % repeats_);
  return {spec(point), member_seed(deck_.seed(), candidate, repeat)};
}

std::vector<std::int32_t> Study::padded_rod_nodes() const {
  std::size_t most = 1;
  for (const std::vector<int>& rods : rod_nodes_) most = std::max(most, rods.size());
  std::vector<std::int32_t> table;
  table.reserve(members() * most);
  for (std::size_t candidate = 0; candidate < rod_nodes_.size(); ++candidate) {
    std::vector<int> row = rod_nodes_[candidate];
    if (row.empty()) row = {nodes_[candidate]};
    row.resize(most, 0);
    for (std::uint32_t repeat = 0; repeat < repeats_; ++repeat) {
      table.insert(table.end(), row.begin(), row.end());
    }
  }
  return table;
}

EnsembleSchema Study::schema() const {
  EnsembleSchema schema;
  schema.deck = deck_.resolved();
  for (const ParameterAddress& address : plan_->parameters())
    schema.parameter_names.push_back(address.name());
  for (const Observable& observable : observables) {
    schema.observable_names.emplace_back(observable.name);
    schema.observable_units.emplace_back(observable.unit);
  }
  schema.members = members();
  const bool moves = !nodes_.empty() && *std::max_element(nodes_.begin(), nodes_.end()) > 0;
  schema.frames = moves ? frames_ : 0;
  if (schema.frames > 0) {
    const bool uniform =
        std::all_of(nodes_.begin(), nodes_.end(), [&](int n) { return n == nodes_.front(); });
    if (uniform) {
      schema.nodes = {nodes_.front()};
    } else {
      for (const std::int32_t nodes : nodes_) schema.nodes.insert(schema.nodes.end(), repeats_, nodes);
    }
    if (!rod_nodes_.empty()) schema.rod_nodes = padded_rod_nodes();
  }
  if (plan_->ladder() != nullptr) schema.convergence = *plan_->ladder();
  schema.single_precision = deck_.choice(Key::output_precision) == "float";
  return schema;
}

}  // namespace rodeo
