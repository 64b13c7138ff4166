#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/models/models.hpp"

#include "statics/equilibria_in_lanes.hpp"
#include "statics/standing_member.hpp"

namespace {

using namespace rodeo;

/// Runs the member of a deck of inputs/validation to its end, and reports the least time of many runs, ms,
/// without that of making its specification.
void run_member(benchmark::State& state, const std::string& deck, std::vector<std::string> overrides) {
  overrides.emplace_back("study.kind=single");
  const MemberSpec spec =
      make_member_spec(Deck::read(RODEO_SOURCE_DIR "/inputs/validation/" + deck + ".ini", overrides));
  const std::vector<MemberJob> jobs = {{spec, 1}};
  double least = 1e300;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    const auto batch = make_batch(jobs);
    const auto start = std::chrono::steady_clock::now();
    while (batch->advance()) {
    }
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
    if (!ended_well(batch->outcomes().front().status)) {
      state.SkipWithError("the member did not end well");
      return;
    }
  }
  state.counters["least_ms"] = least;
}

/// Cantilevers that rising forces bend, up to this one, N.
std::vector<MemberJob> cantilevers(int elements, int members, double most) {
  std::vector<MemberJob> jobs;
  for (int k = 0; k < members; ++k) {
    const double force = most * (k + 1) / members;
    const std::vector<std::string> overrides = {"study.kind=single",
                                                "rod.elements=" + std::to_string(elements),
                                                "load.end_force=0, " + std::to_string(force) + ", 0"};
    jobs.push_back(
        {make_member_spec(Deck::read(RODEO_SOURCE_DIR "/inputs/validation/static_elastica.ini", overrides)),
         1});
  }
  return jobs;
}

/// So many side by side as a worker runs them: the least time of a member, us, from the first step to its
/// row.
void run_batch(benchmark::State& state, int elements, int members) {
  const std::vector<MemberJob> jobs = cantilevers(elements, members, 7.85);
  double least = 1e300;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    const auto batch = make_batch(jobs);
    const auto start = std::chrono::steady_clock::now();
    while (batch->advance()) {
    }
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
    for (const MemberOutcome& outcome : batch->outcomes()) {
      if (!ended_well(outcome.status)) state.SkipWithError("a member did not end well");
    }
  }
  state.counters["us_per_member"] = least / members;
}

/// Newton's method of such cantilevers, so little bent that their Hessians stay positive definite, with all
/// that belongs to it: the time of an iteration and an element of one of them, ns. Up to eight go side by
/// side.
void find_equilibria(benchmark::State& state, int elements, int members) {
  std::vector<std::unique_ptr<statics::StandingMember>> standing;
  std::vector<std::unique_ptr<statics::Equilibrium>> equilibria;
  std::vector<statics::Equilibrium*> pointers;
  for (const MemberJob& job : cantilevers(elements, members, 2.0)) {
    standing.push_back(std::make_unique<statics::StandingMember>(job.spec));
    equilibria.push_back(std::make_unique<statics::Equilibrium>(job.spec, standing.back()->arrays()));
    pointers.push_back(equilibria.back().get());
  }
  const std::vector<Placement> start = equilibria.front()->rods().state();
  const std::vector<double> times(pointers.size(), 1.0);
  statics::EquilibriaInLanes lanes(*pointers.front());
  double least = 1e300;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    for (statics::Equilibrium* const equilibrium : pointers) {
      equilibrium->rods().restore(start);
      equilibrium->begin(0.0, true);
    }
    const auto before = std::chrono::steady_clock::now();
    const std::vector<statics::SolveOutcome> outcomes =
        lanes.solve(pointers, times, std::vector<bool>(times.size(), true));
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - before;
    double iterations = 0.0;
    for (const statics::SolveOutcome& outcome : outcomes) iterations += outcome.iterations;
    least = std::min(least, taken.count() / iterations);
  }
  state.counters["ns_per_element_iteration"] = least / elements;
}

void add(const std::string& name, const std::string& deck, int elements,
         std::vector<std::string> overrides = {}) {
  overrides.push_back("rod.elements=" + std::to_string(elements));
  benchmark::RegisterBenchmark(("statics/" + name + "/" + std::to_string(elements)).c_str(),
                               [=](benchmark::State& state) { run_member(state, deck, overrides); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

[[maybe_unused]] const bool statics_registered = [] {
  for (const int elements : {100, 400, 3200}) add("elastica", "static_elastica", elements);
  for (const int elements : {400, 3200}) add("helix", "static_helix", elements);
  for (const char* const load : {"critical_euler", "critical_greenhill", "critical_twist", "critical_ring"})
    add(load, load, 400);
  for (const char* const ends : {"modes_clamped_free", "modes_free_free"}) add(ends, ends, 400);
  for (const int elements : {100, 400}) {
    for (const int members : {1, 8, 64}) {
      const std::string size = std::to_string(elements) + "/" + std::to_string(members);
      benchmark::RegisterBenchmark(("statics/batch/" + size).c_str(), [=](benchmark::State& state) {
        run_batch(state, elements, members);
      })->Unit(benchmark::kMillisecond);
      if (members > static_cast<int>(statics::EquilibriaInLanes::lanes)) continue;
      benchmark::RegisterBenchmark(("statics/newton/" + size).c_str(), [=](benchmark::State& state) {
        find_equilibria(state, elements, members);
      })->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
