#include <cmath>
#include <stdexcept>

#include "rodeo/forces/own_laws.hpp"
#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "line_reader.hpp"
#include "spec_parts.hpp"

namespace rodeo {

ParameterAddress Deck::branch_address() const {
  constexpr Key key = "branch.key"_key;
  const std::string& name = texts(key).front();
  const ParameterAddress address = reading(key, [&] {
    ParameterAddress named = parse_parameter_address(name);
    check_varied(named);
    if (named.index >= 0) number(named);
    return named;
  });
  const ValueType type = key_info(address.key).type;
  if (type == ValueType::integer || type == ValueType::choice) {
    throw error(key, in_quotes(name) + " cannot change step by step: it is no real number");
  }
  const bool is_own = name.starts_with("time.") || name.starts_with("branch.");
  if (is_own) throw error(key, in_quotes(name) + " is what branches are followed with, not what changes");
  return address;
}

namespace {

std::string_view key_of(const ActuationSpec& actuation) {
  switch (actuation.kind) {
    case ActuationKind::force:
      return actuation.in_laboratory ? "" : "actuation.force along a director";
    case ActuationKind::couple:
      return "actuation.couple";
    case ActuationKind::internal_couple:
      return "actuation.internal_couple";
    case ActuationKind::curvature:
    case ActuationKind::stretch:
      break;
  }
  return "";
}

/// The key of a law of one's own that has no energy; empty if all have one.
template <class... Laws>
std::string_view own_load_without_energy([[maybe_unused]] const MemberSpec& rod, const LawList<Laws...>*) {
  std::string_view key;
  ((key = LawList<Laws>::of(rod).has_energy() ? key : Laws::asked), ...);
  return key;
}

/// The key of a load on a rod that has no energy, as coupling::LoadTangent says; empty if all have one.
std::string_view load_without_energy(const MemberSpec& rod) {
  if (norm(rod.load.end_couple) > 0.0) return "load.end_couple";
  if (norm(rod.load.distributed_couple) > 0.0) return "load.distributed_couple";
  if (norm(rod.load.follower_force) > 0.0) return "load.follower_force";
  if (rod.muscle.kind == MuscleKind::couple) return "muscle.kind = couple";
  if (rod.muscle.kind == MuscleKind::force && rod.muscle.in_laboratory) return "muscle.kind = force";
  for (const ActuationSpec& actuation : rod.actuation) {
    if (const std::string_view key = key_of(actuation); !key.empty()) return key;
  }
  return own_load_without_energy(rod, static_cast<const own::Laws*>(nullptr));
}

std::string_view load_without_energy_of(const MemberSpec& spec) {
  for (int k = 0; k < spec.rod_count(); ++k) {
    if (const std::string_view key = load_without_energy(rod_alone(spec, k)); !key.empty()) return key;
  }
  return "";
}

/// Throws if the control of a member depends on the number that changes along its branch, where it no longer
/// acts.
void check_control(const Deck& deck) {
  if (!deck.has_value("control.interval"_key)) return;
  const ParameterAddress address = deck.branch_address();
  const std::string name =
      address.variable.empty() ? std::string(key_info(address.key).name) : address.variable;
  const auto refuse = [&](const std::string& why) {
    throw deck.error("branch.key"_key, why +
                                           ", and control acts in time, which stands still along a branch; "
                                           "formulas of actuation and motion may name what changes");
  };
  if (name.starts_with("control.")) refuse("= " + name + " is a number of the control");
  for (const KeyInfo& info : key_table()) {
    if (!info.name.starts_with("control.") || info.type != ValueType::text) continue;
    const std::vector<std::string>& lines = deck.texts(info.key);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (!names_word(lines[k], name)) continue;
      refuse("= " + address.name() + " stands in " + std::string(info.name) + " (" +
             deck.places(info.key)[k] + ")");
    }
  }
}

}  // namespace

void set_branch(const Deck& deck, const MemberSpec& end, MemberSpec& spec) {
  check_control(deck);
  BranchSpec& branch = spec.branch;
  deck.fill(branch);
  if (branch.to == branch.from) throw deck.error("branch.to"_key, "is branch.from: nothing changes");
  branch.turns = deck.list("branch.turns"_key);
  for (const double turn : branch.turns) {
    if (turn != std::round(turn))
      throw deck.error("branch.turns"_key, format_real(turn) + " is no number of a bifurcation");
  }
  const bool turns = branch.turns.front() != 0.0;
  const bool of_study = deck.choice("study.kind"_key) == "branch";
  const bool needs_energy = turns || of_study || branch.stop == BranchStop::first_bifurcation;
  std::string_view load = load_without_energy_of(spec);
  if (load.empty()) load = load_without_energy_of(end);
  if (branch.stop == BranchStop::first_flutter) {
    if (load.empty()) {
      throw deck.error("branch.stop"_key,
                       "= first_flutter is for loads that have no energy, as a force that follows the rod; "
                       "those of this deck have one: first_bifurcation");
    }
    if (spec.modes == 0) {
      throw deck.error(
          "branch.stop"_key,
          "= first_flutter looks for the vibration that grows among modes.count of them; it is 0");
    }
  }
  if (needs_energy && !load.empty()) {
    throw deck.error(
        turns      ? "branch.turns"_key
        : of_study ? "study.kind"_key
                   : "branch.stop"_key,
        "asks for bifurcations, which are not told from other points with " + std::string(load) +
            ", a load that has no energy; without it, or with branch.stop = range, the branch is followed as "
            "far as it goes, and its folds are found; first_flutter finds where rods begin to flutter");
  }
}

}  // namespace rodeo
