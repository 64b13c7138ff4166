#include "equilibria_in_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rodeo/member/host_stepper.hpp"

#include "eigenvalue_search.hpp"

namespace rodeo::statics {

namespace {

constexpr int fewest = HostMember::fewest_together;

/// Member of a lane; lanes that are left over repeat the first.
template <class Members>
auto& member_in(std::size_t lane, Members& members) {
  return members[lane < members.size() ? lane : 0];
}

/// Packs a number of each member; lanes that are left over repeat that of the first.
template <class Of>
DoublePack in_lanes(std::size_t count, const Of& of) {
  DoublePack pack;
  for (std::size_t lane = 0; lane < EquilibriaInLanes::lanes; ++lane)
    pack.set(static_cast<int>(lane), of(lane < count ? lane : 0));
  return pack;
}

}  // namespace

std::vector<SolveOutcome> EquilibriaInLanes::solve(std::span<Equilibrium* const> members,
                                                   std::span<const double> times,
                                                   const std::vector<bool>& can_be_halved) {
  std::vector<std::vector<Placement>> before;
  std::vector<Lane> all;
  for (std::size_t k = 0; k < members.size(); ++k) {
    before.push_back(members[k]->rods_.state());
    all.push_back({members[k], times[k], *members[k]->begin_search(times[k], can_be_halved[k])});
  }
  iterate(all);
  std::vector<SolveOutcome> outcomes;
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].member->iterate(times[k], 1.0, all[k].criterion);
    outcomes.push_back(all[k].member->end_search(times[k], all[k].criterion, before[k]));
  }
  return outcomes;
}

/// Takes the iterations of Equilibrium::iterate() side by side while enough members go on.
void EquilibriaInLanes::iterate(std::vector<Lane>& members) {
  const auto running = [&] { return std::ranges::count_if(members, &Lane::runs); };
  if (running() < fewest) return;
  for (std::size_t k = 0; k < lanes; ++k) {
    RestingRods& rods = member_in(k, members).member->rods_;
    rods_.load(static_cast<int>(k), rods);
  }
  for (bool first = true; running() >= fewest; first = false) {
    set_loads(members, first);
    for (Lane& lane : members) {
      if (lane.runs()) lane.criterion.look_at_fall(lane.member->rods_.unheld_pulls());
    }
    rods_.linearize(pull_, !first);
    take_steps(members, find_steps(members));
  }
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (!members[k].runs()) continue;
    rods_.store(static_cast<int>(k), members[k].member->rods_);
    rods_.store_stress(static_cast<int>(k), members[k].member->rods_);
  }
}

void EquilibriaInLanes::set_loads(std::span<const Lane> members, bool first) {
  for (std::size_t k = 0; k < lanes; ++k) {
    const Lane& lane = member_in(k, members);
    RestingRods& rods = lane.member->rods_;
    if (!first && (k >= members.size() || !lane.runs() || rods.have_dead_loads())) continue;
    if (!first) rods_.store(static_cast<int>(k), rods);
    rods.set_loads(lane.time, 1.0);
    rods_.load_loads(static_cast<int>(k), rods);
  }
}

void EquilibriaInLanes::take_steps(std::span<Lane> members, const std::array<Found, lanes>& found) {
  const coupling::LargestStep<DoublePack> turns = rods_.turns(step_);
  const coupling::LargestStep<DoublePack> shifts = rods_.shifts(step_);
  std::array<bool, lanes> moves{};
  DoublePack part(0.0);
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (!members[k].runs()) continue;
    const auto lane = static_cast<int>(k);
    RestCriterion& criterion = members[k].criterion;
    criterion.look_at({turns.size(lane), shifts.size(lane), found[k].inertia, found[k].unstable});
    moves[k] = criterion.is_finite();
    if (moves[k]) part.set(lane, criterion.most_part());
  }
  rods_.take(step_, part);
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (!moves[k]) continue;
    const auto lane = static_cast<int>(k);
    Equilibrium& member = *members[k].member;
    RestCriterion& criterion = members[k].criterion;
    if (criterion.is_rounding() && found[k].inertia > member.neutral_)
      member.hide(found[k].inertia, rods_.rounding()[lane]);
    criterion.judge(member.neutral_);
    if (!criterion.goes_on()) rods_.store(lane, member.rods_);
  }
}

/// Runs Equilibrium::find_step() side by side for the members that go on.
std::array<EquilibriaInLanes::Found, EquilibriaInLanes::lanes> EquilibriaInLanes::find_steps(
    std::span<const Lane> members) {
  std::array<Found, lanes> found{};
  DoublePack share = in_lanes(members.size(), [&](std::size_t k) { return members[k].member->neutral_; });
  const DoublePack negative = rods_.solve(share, pull_, step_);
  const coupling::LargestStep<DoublePack> turned = rods_.turns(step_);
  std::vector<std::pair<int, method::InertiaSearch>> searches;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto lane = static_cast<int>(k);
    found[k] = {members[k].member->neutral_, static_cast<int>(negative[lane])};
    const bool is_definite = negative[lane] == 0.0 && std::isfinite(turned.size(lane));
    if (members[k].criterion.goes_on() && !is_definite)
      searches.push_back({lane, method::InertiaSearch(members[k].criterion.inertia(), found[k].inertia,
                                                      members[k].member->rods_.slowest())});
  }
  const auto runs = [](const auto& search) { return search.second.goes_on(); };
  while (std::ranges::any_of(searches, runs)) {
    for (const auto& [lane, search] : searches) share.set(lane, search.share());
    const DoublePack left = rods_.solve(share, pull_, trial_);
    const coupling::LargestStep<DoublePack> turns = rods_.turns(trial_);
    for (auto& [lane, search] : searches) {
      if (!search.goes_on()) continue;
      const bool definite = left[lane] == 0.0 && std::isfinite(turns.size(lane));
      if (search.judge(definite, definite ? turns.size(lane) : 0.0)) {
        for (std::size_t i = 0; i < step_.size(); ++i) step_[i].set(lane, trial_[i][lane]);
      }
    }
  }
  for (const auto& [lane, search] : searches) {
    found[static_cast<std::size_t>(lane)].inertia = search.enough();
    if (std::isfinite(search.enough())) continue;
    for (DoublePack& entry : step_) entry.set(lane, std::nan(""));
  }
  return found;
}

std::vector<Stability> EquilibriaInLanes::stability(std::span<Equilibrium* const> members) {
  std::vector<Stability> answers(members.size());
  const std::vector<bool> found = ordinary_stability(members, answers);
  for (std::size_t k = 0; k < members.size(); ++k) {
    if (!found[k]) answers[k] = members[k]->stability();
  }
  return answers;
}

/// Sets the answers of members whose matrix is positive definite and whose first eigenvalue has a sign.
std::vector<bool> EquilibriaInLanes::ordinary_stability(std::span<Equilibrium* const> members,
                                                        std::span<Stability> answers) {
  const std::size_t count = members.size();
  std::vector<bool> found(count, false);
  if (static_cast<int>(count) < fewest) return found;
  for (std::size_t k = 0; k < lanes; ++k) {
    Equilibrium& member = *member_in(k, members);
    if (k < count) {
      member.rods_.forget_free_motions();
      member.rods_.set_loads(member.time_, 1.0);
    }
    rods_.load(static_cast<int>(k), member.rods_);
    rods_.load_loads(static_cast<int>(k), member.rods_);
  }
  rods_.linearize(pull_, false);
  const DoublePack rounding = rods_.rounding();
  const DoublePack no_sign = in_lanes(
      count, [&](std::size_t k) { return least_sign(members[k]->neutral_, rounding[static_cast<int>(k)]); });
  DoublePack unstable = rods_.factor(no_sign);
  const auto nearest = [&](const DoublePack& share, double digits) {
    return nearest_eigenvalue<DoublePack>(
        rods_.inertia(), {share, digits, rounding}, [&](auto& vector) { rods_.solve_again(vector); },
        [](auto&) {}, mode_);
  };
  start_mode(mode_, rods_.inertia().size(), [&](auto& mode) { rods_.hold(mode); });
  const DoublePack roughly = nearest(no_sign, few_digits);
  const auto ordinary = (unstable <= DoublePack(0.0)) & (magnitude(roughly) > no_sign);
  const DoublePack least = refined<DoublePack>(
      {no_sign, few_digits, rounding}, roughly,
      [&](const DoublePack& closer) {
        const DoublePack share = select(ordinary, closer, no_sign);
        unstable += rods_.factor(share);
        return share;
      },
      nearest);
  for (std::size_t k = 0; k < count; ++k) {
    const auto lane = static_cast<int>(k);
    found[k] = ordinary[lane] != 0 && unstable[lane] == 0.0 && !std::isnan(least[lane]);
    if (found[k]) answers[k] = {0.0, least[lane] * members[k]->rods_.mass()};
  }
  return found;
}

}  // namespace rodeo::statics
