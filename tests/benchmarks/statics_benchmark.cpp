#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/models/models.hpp"

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

void add(const std::string& name, const std::string& deck, int elements,
         std::vector<std::string> overrides = {}) {
  overrides.push_back("rod.elements=" + std::to_string(elements));
  benchmark::RegisterBenchmark(("statics/" + name + "/" + std::to_string(elements)).c_str(),
                               [=](benchmark::State& state) { run_member(state, deck, overrides); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

[[maybe_unused]] const bool registered = [] {
  for (const int elements : {100, 400, 3200}) add("elastica", "static_elastica", elements);
  for (const int elements : {400, 3200}) add("helix", "static_helix", elements);
  for (const char* const load : {"critical_euler", "critical_greenhill", "critical_twist", "critical_ring"})
    add(load, load, 400);
  return true;
}();

}  // namespace
