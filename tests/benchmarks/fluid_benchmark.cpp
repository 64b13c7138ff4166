#include <chrono>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/fluid/resistance.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "../fluid/flagella.hpp"

namespace {

using namespace rodeo;
using namespace rodeo::fluid;

/// Steps of a run.
struct Window {
  int start = 50;  ///< before the ones that count, with the start of the motion
  int counted = 100;
};

/// Nodes of all flagella at every step of a run of the program itself.
struct Trajectory {
  Trajectory(const MemberSpec& given, const Window& window) {
    MemberSpec spec = given;
    spec.time.steps = window.start + window.counted;
    spec.time.slice_steps = spec.time.steps;
    spec.frames = static_cast<int>(spec.time.steps) + 1;
    const MemberJob jobs[] = {{spec, 1}};
    const auto batch = make_batch(jobs);
    while (batch->advance()) {
    }
    nodes = frame_nodes(spec);
    for (int frame = 0; frame < spec.frames; ++frame) {
      NodeVectors position(nodes);
      for (int i = 0; i < nodes; ++i) {
        const double* const r = batch->outcomes().front().fields[0].data() + 3 * (frame * nodes + i);
        position.set(i, {r[0], r[1], r[2]});
      }
      positions.push_back(position);
    }
    for (std::size_t k = 1; k < positions.size(); ++k) {
      NodeVectors velocity(nodes);
      for (int i = 0; i < nodes; ++i)
        velocity.set(i, (1.0 / spec.time.step) * (positions[k].at(i) - positions[k - 1].at(i)));
      velocities.push_back(velocity);
    }
  }

  int nodes = 0;
  std::vector<NodeVectors> positions;
  std::vector<NodeVectors> velocities;  ///< entry k: at position k + 1
};

/// The forces of the fluid on flagella, step by step as they move.
void solve(benchmark::State& state, const MemberSpec& spec, Summation summation, const Window& window) {
  const int count = spec.rod_count();
  const Trajectory trajectory(spec, window);
  std::vector<Filament> filaments;
  for (int k = 0; k < count; ++k) {
    const int elements = trajectory.nodes / count - 1;
    filaments.push_back(
        {elements + 1, std::vector<double>(static_cast<std::size_t>(elements), 1.02 * spec.rod.radius)});
  }
  double milliseconds = 0.0;
  double cpu_milliseconds = 0.0;  // of all threads; what to look at on a busy machine
  double iterations = 0.0;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    Resistance resistance(filaments, MobilityKind::full, spec.fluid.tolerance, summation);
    for (int k = 0; k < window.start; ++k) {
      const auto i = static_cast<std::size_t>(k);
      resistance.solve(trajectory.positions[i + 1], trajectory.velocities[i]);
    }
    const ResistanceCounts before = resistance.counts();
    const std::clock_t cpu_begin = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    for (int k = window.start; k < window.start + window.counted; ++k) {
      const auto i = static_cast<std::size_t>(k);
      resistance.solve(trajectory.positions[i + 1], trajectory.velocities[i]);
    }
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    milliseconds += taken.count() / window.counted;
    cpu_milliseconds += 1e3 * static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC / window.counted;
    iterations += static_cast<double>(resistance.counts().iterations - before.iterations) / window.counted;
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["ms_per_step"] = milliseconds / runs;
  state.counters["cpu_ms_per_step"] = cpu_milliseconds / runs;
  state.counters["iterations_per_step"] = iterations / runs;
}

/// Those of Tong et al.
void solve_bundle(benchmark::State& state, int count) {
  solve(state, flagella(count), Summation::matrix, {});
}

/// Rows of five to ten.
void solve_carpet(benchmark::State& state, int rows, int columns, Summation summation) {
  solve(state, flagella_carpet(rows, columns), summation, {20, 40});
}

/// The mobility alone.
void assemble_flagella(benchmark::State& state, int count) {
  const MemberSpec spec = flagella(count);
  const int nodes = count * (spec.rod.elements + 1);
  NodeVectors position(nodes);
  std::vector<Filament> filaments;
  int node = 0;
  for (int k = 0; k < count; ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    for (const Vec3& place : rod.shape_nodes) position.set(node++, rod.origin + place);
    filaments.push_back(
        {rod.elements + 1, std::vector<double>(static_cast<std::size_t>(rod.elements), 1.02 * rod.radius)});
  }
  Mobility mobility(filaments, MobilityKind::full);
  const auto begin = std::chrono::steady_clock::now();
  for (auto iteration : state) {
    static_cast<void>(iteration);
    mobility.assemble(position);
  }
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  const double pairs = static_cast<double>(nodes) * count * spec.rod.elements;
  state.counters["ns_per_pair"] = taken.count() / (pairs * static_cast<double>(state.iterations()));
}

const int fluid_registered = [] {
  for (const int count : {2, 3, 5, 10}) {
    const std::string name = "fluid/" + std::to_string(count);
    benchmark::RegisterBenchmark(name.c_str(), solve_bundle, count)->Unit(benchmark::kMillisecond);
    const std::string assembly = "fluid_assembly/" + std::to_string(count);
    benchmark::RegisterBenchmark(assembly.c_str(), assemble_flagella, count)->Unit(benchmark::kMillisecond);
  }
  for (const auto& [rows, columns] : {std::pair(2, 5), std::pair(4, 5), std::pair(5, 8), std::pair(10, 10)}) {
    const std::string count = std::to_string(rows * columns);
    benchmark::RegisterBenchmark(("stokeslets/" + count).c_str(), solve_carpet, rows, columns,
                                 Summation::clusters)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
    if (rows == 10) continue;  // the matrix and its factors would take 3.9 GB, and these a minute or two
    benchmark::RegisterBenchmark(("stokeslets_matrix/" + count).c_str(), solve_carpet, rows, columns,
                                 Summation::matrix)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  return 0;
}();

}  // namespace
