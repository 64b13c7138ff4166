#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/models/rows.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace {

using namespace rodeo;

/// Rods of eight elements that fall on the floor of a cylinder, a quarter of its volume and less as they
/// start, and rub on it, on its wall and on each other: resting_pile.ini with more of them. The time of an
/// element and step, ns, over the second half of 0.2 s: first they fall, then they pile up.
void pour(benchmark::State& state, int rods, double cylinder_radius) {
  const double volume = rods * 0.04 * M_PI * 0.002 * 0.002;
  const double height = volume / (0.15 * M_PI * cylinder_radius * cylinder_radius) + 0.01;
  const auto number = [](double x) { return std::to_string(x); };
  const std::vector<std::string> overrides = {
      "rod.count=" + std::to_string(rods),
      "rod.elements=8",
      "rod.region_radius=" + number(cylinder_radius),
      "rod.region_length=" + number(height),
      "rod.region_centre=0, 0, " + number(0.5 * height + 0.01),
      "ground.cylinders=0, 0, 0, 0, 0, 1, " + number(-1.1 * cylinder_radius),
      "measure.define=moving [1] : last(translational_energy)",
      "time.end=0.2"};
  const MemberSpec spec =
      make_member_spec(Deck::read(RODEO_SOURCE_DIR "/inputs/examples/resting_pile.ini", overrides));
  const std::vector<MemberJob> jobs = {{spec, 1}};
  double nanoseconds = 0.0;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    const auto batch = make_batch(jobs);
    std::vector<std::chrono::steady_clock::time_point> slices = {std::chrono::steady_clock::now()};
    while (batch->advance()) slices.push_back(std::chrono::steady_clock::now());
    if (!ended_well(batch->outcomes().front().status)) {
      state.SkipWithError("the member did not end well");
      return;
    }
    const std::size_t half = slices.size() / 2;
    const std::chrono::duration<double, std::nano> taken = slices.back() - slices[half];
    const auto steps = static_cast<double>(spec.time.steps) * static_cast<double>(slices.size() - 1 - half) /
                       static_cast<double>(slices.size() - 1);
    nanoseconds = taken.count() / steps / rod_elements(spec);
  }
  state.counters["ns_per_element_step"] = nanoseconds;
  state.counters["bytes_per_element"] =
      static_cast<double>(models::cosserat::memory(spec)) / rod_elements(spec);
}

const int registered = [] {
  const auto add = [](const std::string& name, int rods, double cylinder_radius) {
    benchmark::RegisterBenchmark(name.c_str(), pour, rods, cylinder_radius)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  };
  add("assembly/455", 455, 0.05);
  add("assembly/4000", 500, 0.05);
  add("assembly/100000", 12500, 0.25);
  return 0;
}();

}  // namespace
