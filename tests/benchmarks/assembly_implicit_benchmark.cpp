#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/models/models.hpp"

namespace {

using namespace rodeo;

/// What a member's slices take but the first `share` of them, ns a step; 0 if it did not end well.
double nanoseconds_a_step(const MemberSpec& spec, double share, benchmark::State& state) {
  const std::vector<MemberJob> jobs = {{spec, 1}};
  const auto batch = make_batch(jobs);
  const auto whole = static_cast<double>(spec.time.steps) / static_cast<double>(spec.time.slice_steps);
  const auto skipped = static_cast<std::int64_t>(share * whole);
  for (std::int64_t k = 0; k < skipped; ++k) batch->advance();
  const auto start = std::chrono::steady_clock::now();
  while (batch->advance()) {
  }
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  if (!ended_well(batch->outcomes().front().status)) {
    state.SkipWithError("the member did not end well");
    return 0.0;
  }
  return taken.count() / static_cast<double>(spec.time.steps - skipped * spec.time.slice_steps);
}

/// Rods of der that lie on a floor and across each other in so many layers, each of rods in rows like bricks,
/// and rub. The time of a step, ms, once contact has been made.
void stack(benchmark::State& state, int rods, int layers) {
  constexpr double length = 0.1, pitch = 0.02, spacing = 0.12;  // m
  const int in_layer = rods / layers;
  const int columns = std::max(1, static_cast<int>(std::lround(std::sqrt(in_layer * pitch / spacing))));
  const int rows = (in_layer + columns - 1) / columns;
  std::string places[5];  // along x, y, z; directions along x, y
  for (int k = 0; k < rods; ++k) {
    const int layer = std::min(k / in_layer, layers - 1);
    const int place = k - layer * in_layer;
    const int row = place % rows;
    const double along = place / rows * spacing + ((row + layer / 2) % 2 == 1 ? 0.5 * spacing : 0.0);
    const double across = (row + 0.5) * pitch;
    const double askew = 0.01 * std::sin(static_cast<double>(k) * k);
    const double numbers[5] = {layer % 2 == 0 ? along : across, layer % 2 == 0 ? across : along,
                               0.0052 + 0.01005 * layer, layer % 2 == 0 ? 1.0 : askew,
                               layer % 2 == 0 ? askew : 1.0};
    for (int c = 0; c < 5; ++c) places[c] += (k > 0 ? ", " : "") + std::to_string(numbers[c]);
  }
  const std::string deck =
      "[model]\nkind = der\n[rod]\ncount = " + std::to_string(rods) + "\neach = rod.origin[0] : list(" +
      places[0] + ")\neach = rod.origin[1] : list(" + places[1] + ")\neach = rod.origin[2] : list(" +
      places[2] + ")\neach = rod.direction[0] : list(" + places[3] + ")\neach = rod.direction[1] : list(" +
      places[4] + ")\ndirection = 1, 0, 0\nnormal = 0, 0, 1\nlength = " + std::to_string(length) +
      "\nradius = 0.005\nelements = 8\ndensity = 1000\nyoung_modulus = 1e6\npoisson_ratio = 0.5\n"
      "relaxation_time = 0.2\n[gravity]\nacceleration = 0, 0, -9.81\n[ground]\nkind = plane\nnormal = 0, 0, "
      "1\n"
      "stiffness = 2e4\ndamping = 1\nstatic_friction = 0.4, 0.4, 0.4\nkinetic_friction = 0.4, 0.4, 0.4\n"
      "[contact]\nkind = imc\ntolerance = 1e-4\nfriction = 0.4\nslip_tolerance = 1e-4\n[newton]\n"
      "tolerance = 1e-5\nrelative_tolerance = 1e-3\n[time]\nstep = 2e-3\nend = 0.05\nslice_steps = 5\n";
  const MemberSpec spec = make_member_spec(Deck::parse(deck, "stack", {}));
  double milliseconds = 0.0;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    milliseconds = 1e-6 * nanoseconds_a_step(spec, 0.2, state);
  }
  state.counters["ms_per_step"] = milliseconds;
  state.counters["us_per_rod_step"] = 1e3 * milliseconds / rods;
}

const int assembly_implicit_registered = [] {
  const auto add = [](const std::string& name, int rods, int layers) {
    benchmark::RegisterBenchmark(name.c_str(), stack, rods, layers)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  };
  add("assembly_implicit/10", 10, 2);
  add("assembly_implicit/100", 100, 4);
  add("assembly_implicit/1000", 1000, 8);
  return 0;
}();

}  // namespace
