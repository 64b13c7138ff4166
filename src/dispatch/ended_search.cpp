#include "rodeo/dispatch/ended_search.hpp"

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/errors.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/scenarios.hpp"

#include "result_gatherer.hpp"

namespace rodeo {

SearchDistribution ended_search(const std::string& path) {
  EnsembleReader reader(path);
  const Deck deck = Deck::parse_stored(reader.schema().deck, path + ":/deck");
  const std::string kind(deck.choice("study.kind"_key));
  if (kind != "optimize") throw FileError(path + " holds no search: its deck has study.kind = " + kind);
  reader.set_observables(observables_of(deck).names());
  const std::unique_ptr<Plan> plan = make_plan(deck);
  const std::uint32_t members = members_of_candidate(deck);
  ResultGatherer results(members, Scenarios(deck).count(), plan->needs_unfinished_branches());
  reader.for_each_row([&](const MemberRow& row) {
    if (row.status == MemberStatus::pending) return;
    if (!plan->agrees(row.member / members, reader.schema().of_candidate(row.parameters)))
      throw FileError(
          path + " was written by another version of rodeo, which alone can tell how its search " + "ended");
    results.add(ended_member(row, false));
    if (results.any_complete()) plan->tell(results.take_complete());
    plan->ask();
  });
  if (std::optional<SearchDistribution> found = plan->distribution_at_end()) return *std::move(found);
  throw FileError(path + " holds a search that has not ended: go on with it by rodeo resume " + path);
}

}  // namespace rodeo
