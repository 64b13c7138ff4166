#include <chrono>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/member/build_rod.hpp"

#include "cosserat/kernels.hpp"
#include "member/rod_precision.hpp"
#include "operations.hpp"

namespace {

using namespace rodeo;
using namespace rodeo::cosserat;
using benchmarks::Operations;

/// The rod of Figure 14 (alpha = 1 N m^2), bent, twisted and moving a little so that no term is zero.
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

/// `members` rods in one batch; many steps a launch, as in a campaign. `operations` are those of an element
/// and step.
template <class Real>
void run_batch(benchmark::State& state, std::size_t members, const MemberSpec& spec,
               const Operations& operations) {
  const int elements = spec.rod.elements;
  const std::size_t size = rod_size<Real>(elements);
  BasicBatchViews<Real> batch;
  batch.storage = Kokkos::View<Real*>("rods", members * size);
  std::vector<double> arrays(rod_size(elements));
  batch.members = Kokkos::View<MemberData*>("members", members);
  batch.rods = Kokkos::View<RodData*>("rods of members", members);
  batch.tasks = Kokkos::View<SliceTask*>("tasks", members);
  batch.samples = Kokkos::View<Sample*>("samples", members);
  const std::int64_t steps = 200000 / elements;
  for (std::size_t k = 0; k < members; ++k) {
    const RodView rod(arrays.data(), elements, 1.0);
    build_rods(spec, rod);
    for (int i = 0; i < elements; ++i) {
      const double s = static_cast<double>(i) / elements;
      rod.set_vec3(field::velocity, i, {0.01 * s, 0.02 * s * s, 0.0});
      rod.set_vec3(field::angular_velocity, i, {0.01, -0.02, 0.3 * s});
    }
    batch.members(k) = make_member_data(spec, k, k * size);
    batch.members(k).first_rod = static_cast<int>(k);
    batch.rods(k) = make_rod_data(spec, rod).front();
    batch.tasks(k) = {static_cast<int>(k), 0, steps};
    const BasicRodView<Real> rounded(batch.storage.data() + k * size, elements, 1.0);
    round_rods(rod, rounded);
    clear_work(rounded.work, rounded.work_pitch);
  }
  const auto start = std::chrono::steady_clock::now();
  for (auto iteration : state) {
    static_cast<void>(iteration);
    advance_slice(batch, static_cast<int>(members), 1);
  }
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  benchmarks::report(state,
                     taken.count() / (static_cast<double>(elements) * static_cast<double>(steps) *
                                      static_cast<double>(members) * static_cast<double>(state.iterations())),
                     operations, sizeof(Real));
}

const int registered = [] {
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
