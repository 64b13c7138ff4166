#include <chrono>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/member/rod_arrays.hpp"
#include "rodeo/member/team.hpp"

#include "cosserat/figure_rods.hpp"
#include "cosserat/kernels.hpp"
#include "operations.hpp"

namespace {

using namespace rodeo;
using namespace rodeo::cosserat;
using benchmarks::Operations;

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
    advance_slice(batch, 0, static_cast<int>(members), team_size());
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
