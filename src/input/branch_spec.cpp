#include <cmath>
#include <stdexcept>

#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

ParameterAddress Deck::branch_address() const {
  constexpr Key key = "branch.key"_key;
  const std::string& name = texts(key).front();
  ParameterAddress address;
  try {
    address = parse_parameter_address(name);
    check_varied(address);
    if (address.index >= 0) number(address);
  } catch (const std::invalid_argument& reason) {
    throw error(key, reason.what());
  }
  const ValueType type = key_info(address.key).type;
  if (type == ValueType::integer || type == ValueType::choice) {
    throw error(key, in_quotes(name) + " cannot change step by step: it is no real number");
  }
  const bool is_own = name.starts_with("time.") || name.starts_with("branch.");
  if (is_own) throw error(key, in_quotes(name) + " is what branches are followed with, not what changes");
  return address;
}

namespace {

/// Whether the loads on all rods have one.
bool have_energy(const MemberSpec& spec) {
  for (int k = 0; k < spec.rod_count(); ++k) {
    const LoadSpec load = rod_alone(spec, k).load;
    const double without = norm(load.end_couple) + norm(load.distributed_couple) + norm(load.follower_force);
    if (without > 0.0) return false;
  }
  return true;
}

}  // namespace

void set_branch(const Deck& deck, const MemberSpec& end, MemberSpec& spec) {
  BranchSpec& branch = spec.branch;
  deck.fill(branch);
  if (branch.to == branch.from) throw deck.error("branch.to"_key, "is branch.from: nothing changes");
  branch.turns = deck.list("branch.turns"_key);
  for (const double turn : branch.turns) {
    if (turn != std::round(turn))
      throw deck.error("branch.turns"_key, format_real(turn) + " is no number of a bifurcation");
  }
  const bool turns = branch.turns.front() != 0.0;
  const bool needs_energy = turns || branch.stop == BranchStop::first_bifurcation;
  if (needs_energy && !(have_energy(spec) && have_energy(end))) {
    throw deck.error(turns ? "branch.turns"_key : "branch.stop"_key,
                     "asks for bifurcations, which are not told from other points where loads have no energy "
                     "(load.end_couple, load.distributed_couple, load.follower_force)");
  }
}

}  // namespace rodeo
