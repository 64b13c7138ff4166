#include "rodeo/dispatch/useful_threads.hpp"

#include <algorithm>
#include <stdexcept>

#include "rodeo/member/team.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/scenarios.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

bool shares_its_loops(const MemberSpec& spec) {
  if (!model_of(spec).has_rods) return false;
  constexpr int several = 2;
  return spec.fluid.acts_by(FluidKind::stokeslets) ||
         threads_of_member(several, 1, array_elements(spec)) >= several;
}

}  // namespace

int useful_threads(const Deck& deck, int ranks, int threads) {
  try {
    const std::unique_ptr<Plan> plan = make_plan(deck);
    const std::uint64_t members = plan->candidates() * members_of_candidate(deck);
    const auto all = static_cast<std::uint64_t>(ranks) * static_cast<std::uint64_t>(threads);
    if (members >= all || plan->adaptive()) return threads;
    Deck member = deck;
    member.drop_sweep_axes();
    for (std::uint64_t candidate = 0; candidate < plan->candidates(); ++candidate) {
      const std::vector<double> point = plan->point(candidate);
      for (std::size_t k = 0; k < point.size(); ++k) member.set(plan->parameters()[k], point[k]);
      if (shares_its_loops(make_member_spec(member))) return threads;
    }
    const std::uint64_t each =
        (members + static_cast<std::uint64_t>(ranks) - 1) / static_cast<std::uint64_t>(ranks);
    return std::min(threads, static_cast<int>(each));
  } catch (const std::runtime_error&) {
    return threads;  // what is wrong with the deck is said where its study is made
  } catch (const std::invalid_argument&) {
    return threads;
  }
}

}  // namespace rodeo
