#include <chrono>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/member/rod_arrays.hpp"
#include "rodeo/member/team.hpp"

#include "cosserat/kernels.hpp"
#include "operations.hpp"

namespace {

using namespace rodeo;
using namespace rodeo::cosserat;
using benchmarks::Operations;

/// The rod of Figure 14 (alpha = 1 N m^2).
MemberSpec figure_14_rod(int elements) {
  MemberSpec spec;
  spec.rod.elements = elements;
  spec.rod.length = 1.0;
  spec.rod.radius = 0.025;
  spec.rod.density = 1.0 / (3.141592653589793 * 0.025 * 0.025);
  spec.rod.bend_stiffness = 1.0;
  spec.rod.twist_stiffness = 2.0 / 3.0;
  spec.rod.shear_stiffness = 1e5;
  spec.rod.stretch_stiffness = 1e5;
  spec.rod.direction = {0, 0, 1};
  spec.rod.normal = {1, 0, 0};
  spec.time.step = 0.3 * stable_step(spec.rod);
  return spec;
}

/// The swimmer of Figure 11 with its published gait.
MemberSpec figure_11_swimmer() {
  MemberSpec spec;
  const double area = 3.141592653589793 * 0.025 * 0.025;
  const double second_moment = area * area / (4 * 3.141592653589793);
  spec.rod.elements = 50;
  spec.rod.length = 1.0;
  spec.rod.radius = 0.025;
  spec.rod.density = 1000.0;
  spec.rod.bend_stiffness = 1e7 * second_moment;
  spec.rod.twist_stiffness = 2e7 / 3 * 2 * second_moment;
  spec.rod.shear_stiffness = 4.0 / 3 * 2e7 / 3 * area;
  spec.rod.stretch_stiffness = 1e7 * area;
  spec.rod.damping = 5.0;
  spec.rod.direction = {1, 0, 0};
  spec.rod.normal = {0, 0, 1};
  spec.muscle.kind = MuscleKind::couple;
  spec.muscle.amplitudes.fill(50.0);
  spec.muscle.amplitude_count = 4;
  spec.muscle.period = 1.0;
  spec.muscle.wave_number = 2 * 3.141592653589793 * 2.6;
  spec.muscle.axis = {1, 0, 0};
  spec.fluid.viscosity = 1e4;
  spec.time.step = 2.5e-5;
  return spec;
}

/// The snake of Figure 10 with its published gait: the same body on the ground.
MemberSpec figure_10_snake() {
  MemberSpec spec = figure_11_swimmer();
  spec.fluid.viscosity = 0.0;
  spec.muscle.amplitudes = {17.4, 48.5, 5.4, 14.7};
  spec.muscle.wave_number = 2 * 3.141592653589793 * 0.97;
  spec.load.gravity = {0, 0, -9.81};
  const double friction = 1.0 / (0.1 * 9.81);  // Froude number 0.1
  spec.ground.has_plane = true;
  spec.ground.origin = {0, 0, -0.025};
  spec.ground.normal = {0, 0, 1};
  spec.ground.stiffness = 1.0;
  spec.ground.damping = 1e-6;
  spec.ground.static_friction = {2 * friction, 3 * friction, 4 * friction};
  spec.ground.kinetic_friction = {friction, 1.5 * friction, 2 * friction};
  spec.ground.velocity_threshold = 1e-8;
  return spec;
}

/// How the rods move at the start, so that no term is zero.
std::shared_ptr<const RodStart> moving(int elements) {
  RodStart start;
  for (int i = 0; i <= elements; ++i) {
    const double s = i < elements ? static_cast<double>(i) / elements : 0.0;
    start.velocities.push_back({0.01 * s, 0.02 * s * s, 0.0});
    if (i < elements) start.angular_velocities.push_back({0.01, -0.02, 0.3 * s});
  }
  return std::make_shared<const RodStart>(start);
}

/// `members` rods in one batch; many steps a launch, as in a campaign. `operations` are those of an element
/// and step.
template <class Real>
void run_batch(benchmark::State& state, std::size_t members, MemberSpec spec, const Operations& operations) {
  const int elements = spec.rod.elements;
  const std::int64_t steps = 200000 / elements;
  spec.single_precision = std::is_same_v<Real, float>;
  spec.rod.start = moving(elements);
  const std::vector<MemberJob> jobs(members, {spec, 1});
  const RodArrays<Real> arrays(jobs);
  const BasicBatchViews<Real>& batch = arrays.views();
  const auto tasks = Kokkos::create_mirror_view(batch.tasks);
  for (std::size_t k = 0; k < members; ++k) tasks(k) = {static_cast<int>(k), 0, steps};
  Kokkos::deep_copy(batch.tasks, tasks);
  const auto start = std::chrono::steady_clock::now();
  for (auto iteration : state) {
    static_cast<void>(iteration);
    advance_slice(batch, static_cast<int>(members), team_size());
  }
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  benchmarks::report(state,
                     taken.count() / (static_cast<double>(elements) * static_cast<double>(steps) *
                                      static_cast<double>(members) * static_cast<double>(state.iterations())),
                     operations, sizeof(Real));
}

const int cosserat_registered = [] {
  using namespace benchmarks;
  const Operations internal = internal_mechanics + kick_free;
  const Operations driven = internal_mechanics + kick_forced + muscle_couples + gravity;
  const auto add = [](const std::string& name, std::size_t members, const MemberSpec& spec,
                      const Operations& operations) {
    benchmark::RegisterBenchmark(name.c_str(), run_batch<double>, members, spec, operations)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((name + "/single").c_str(), run_batch<float>, members, spec, operations)
        ->Unit(benchmark::kMillisecond);
  };
  for (const int elements : {50, 100, 400, 3200}) {
    add("internal/" + std::to_string(elements), 1, figure_14_rod(elements), internal);
  }
  add("batch/64x50", 64, figure_14_rod(50), internal);
  add("snake/50", 1, figure_10_snake(), driven + wall_on_plane);
  add("swimmer/50", 1, figure_11_swimmer(), driven + slender_body_drag);
  return 0;
}();

}  // namespace
