#include <chrono>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/fluid/resistance.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "../fluid/flagella.hpp"

namespace {

using namespace rodeo;
using namespace rodeo::fluid;

constexpr int start = 50;  // steps before the ones that count, with the start of the motion
constexpr int counted = 100;

/// Nodes of all flagella at every step of a run of the program itself.
struct Trajectory {
  explicit Trajectory(const MemberSpec& given) {
    MemberSpec spec = given;
    spec.time.steps = start + counted;
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

/// The forces of the fluid on the flagella of Tong et al., step by step as they move.
void solve_flagella(benchmark::State& state, int count) {
  const MemberSpec spec = flagella(count);
  const Trajectory trajectory(spec);
  std::vector<Filament> filaments;
  for (int k = 0; k < count; ++k) {
    const int elements = trajectory.nodes / count - 1;
    filaments.push_back(
        {elements + 1, std::vector<double>(static_cast<std::size_t>(elements), 1.02 * spec.rod.radius)});
  }
  double milliseconds = 0.0;
  double iterations = 0.0;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    Resistance resistance(filaments, MobilityKind::full, spec.fluid.tolerance);
    for (int k = 0; k < start; ++k) {
      const auto i = static_cast<std::size_t>(k);
      resistance.solve(trajectory.positions[i + 1], trajectory.velocities[i]);
    }
    const ResistanceCounts before = resistance.counts();
    const auto begin = std::chrono::steady_clock::now();
    for (int k = start; k < start + counted; ++k) {
      const auto i = static_cast<std::size_t>(k);
      resistance.solve(trajectory.positions[i + 1], trajectory.velocities[i]);
    }
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    milliseconds += taken.count() / counted;
    iterations += static_cast<double>(resistance.counts().iterations - before.iterations) / counted;
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["ms_per_step"] = milliseconds / runs;
  state.counters["iterations_per_step"] = iterations / runs;
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

const int registered = [] {
  for (const int count : {2, 3, 5, 10}) {
    const std::string name = "fluid/" + std::to_string(count);
    benchmark::RegisterBenchmark(name.c_str(), solve_flagella, count)->Unit(benchmark::kMillisecond);
    const std::string assembly = "fluid_assembly/" + std::to_string(count);
    benchmark::RegisterBenchmark(assembly.c_str(), assemble_flagella, count)->Unit(benchmark::kMillisecond);
  }
  return 0;
}();

}  // namespace
