#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/cosserat/verlet.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/member/rod_arrays.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/models/rows.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace {

using namespace rodeo;

/// Rods of elements of 5 mm that fall on the floor of a cylinder, a `share` of its volume as they start, and
/// rub on it, on its wall and on each other: resting_pile.ini with more of them. The time of an
/// element and step, ns, over the second half of 0.2 s: first they fall, then they pile up.
void pour(benchmark::State& state, int rods, int elements, double cylinder_radius, double share) {
  const double length = 0.005 * elements;
  const double volume = rods * length * M_PI * 0.002 * 0.002;
  const double height = volume / (share * M_PI * cylinder_radius * cylinder_radius) + 0.01;
  const auto number = [](double x) { return std::to_string(x); };
  const std::vector<std::string> overrides = {
      "rod.count=" + std::to_string(rods),
      "rod.elements=" + std::to_string(elements),
      "rod.length=" + number(length),
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

/// Rods of ten elements, apart from each other, that swing about their natural curvature.
MemberSpec free_rods(int rods) {
  MemberSpec spec;
  spec.rod.elements = 10;
  spec.rod.length = 1.0;
  spec.rod.radius = 0.05;
  spec.rod.density = 1000.0;
  spec.rod.bend_stiffness = 0.8;
  spec.rod.twist_stiffness = 0.5;
  spec.rod.shear_stiffness = 2000.0;
  spec.rod.stretch_stiffness = 3000.0;
  spec.rod.direction = {0, 0, 1};
  spec.rod.normal = {1, 0, 0};
  spec.rod.intrinsic_curvature = {0.5, 0.2, 0.3};
  spec.time.step = 1e-4;
  RodSetup setup;
  setup.rod = spec.rod;
  spec.further_rods.reserve(static_cast<std::size_t>(rods));
  for (int k = 1; k < rods; ++k) {
    setup.rod.origin = {0.2 * (k % 100), 0.2 * (k / 100 % 100), 2.0 * (k / 10000)};
    spec.further_rods.push_back(setup);
  }
  return spec;
}

/// Rods of ten elements of 5 mm in layers, along x and y in turn, that are pressed together and rub on those
/// of the layers above and below, which move the other way: as fast, and with as many pairs an element, in a
/// stack of any size. They are listed in no order, as those of a pile.
MemberSpec stacked_rods(int rods) {
  constexpr double radius = 0.002;
  constexpr double along = 0.0525;  // m, from rod to rod
  constexpr double across = 0.012;
  constexpr double height = 2.0 * 0.995 * radius;
  constexpr double speed = 0.25;  // m/s
  MemberSpec spec = free_rods(1);
  spec.rod.length = 0.05;
  spec.rod.radius = radius;
  spec.rod.intrinsic_curvature = {};
  const double area = M_PI * radius * radius;
  const double second_moment = 0.25 * area * radius * radius;
  spec.rod.bend_stiffness = 1e7 * second_moment;
  spec.rod.twist_stiffness = 2.0 / 3.0 * 1e7 * second_moment;
  spec.rod.shear_stiffness = 4.0 / 9.0 * 1e7 * area;
  spec.rod.stretch_stiffness = 1e7 * area;
  spec.rod.damping = 0.02;
  spec.contact = {ContactKind::penalty, 500.0, 0.05};
  spec.contact.friction = 0.5;
  spec.contact.tangential_stiffness = 400.0;
  spec.time.step = 1e-5;
  const double side = std::cbrt(rods * along * across * height);
  const int lengthwise = std::max(1, static_cast<int>(side / along));
  const int crosswise = std::max(1, static_cast<int>(side / across));
  std::vector<RodSetup> setups;
  for (int k = 0; k < rods; ++k) {
    const int layer = k / (lengthwise * crosswise);
    const double first = along * (k % lengthwise);
    const double second = across * (k / lengthwise % crosswise);
    RodSetup setup;
    setup.rod = spec.rod;
    setup.rod.direction = layer % 2 == 0 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    setup.rod.normal = {0, 0, 1};
    setup.rod.velocity = {layer % 2 == 0 ? speed : -speed, 0, 0};
    setup.rod.origin =
        layer % 2 == 0 ? Vec3{first, second, height * layer} : Vec3{second, first, height * layer};
    setups.push_back(setup);
  }
  std::ranges::shuffle(setups, std::mt19937_64(1));
  spec.rod = setups.front().rod;
  spec.further_rods.assign(setups.begin() + 1, setups.end());
  return spec;
}

/// Bytes that all threads read and write in a nanosecond as they copy arrays larger than caches.
double copy_rate() {
  constexpr std::size_t numbers = std::size_t{1} << 25;
  const Kokkos::View<double*> from("from", numbers);
  const Kokkos::View<double*> to("to", numbers);
  double least = 1e300;
  for (int repeat = 0; repeat < 4; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    Kokkos::parallel_for(
        Kokkos::RangePolicy<>(0, numbers), KOKKOS_LAMBDA(std::size_t i) { to(i) = from(i); });
    Kokkos::fence();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  return 2.0 * sizeof(double) * numbers / least;
}

/// The time of an element and step, ns, in slices of a hundred steps, by all threads of the process.
void stream(benchmark::State& state, int rods, MemberSpec (*make)(int)) {
  const std::vector<MemberJob> jobs = {{make(rods), 1}};
  const RodArrays<double> arrays(jobs);
  const cosserat::Verlet<double> stepper(jobs, arrays.views());
  constexpr std::int64_t steps = 100;
  std::vector<SliceTask> tasks = {{0, 0, steps, false}};
  double least = 1e300;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    const auto start = std::chrono::steady_clock::now();
    stepper.advance(tasks, {});
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
    tasks.front().first_step += steps;
  }
  state.counters["ns_per_element_step"] =
      least / static_cast<double>(steps) / rod_elements(jobs.front().spec);
  state.counters["bytes_per_element"] =
      static_cast<double>(models::cosserat::memory(jobs.front().spec)) / rod_elements(jobs.front().spec);
  if (jobs.front().spec.contact.kind == ContactKind::penalty) {
    const auto lists =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), arrays.views().contact_integers);
    state.counters["listed_pairs_per_element"] =
        static_cast<double>(lists(contact::list_entry::pairs)) / rod_elements(jobs.front().spec);
    state.counters["lists"] = lists(contact::list_entry::builds);
  }
  state.counters["copied_bytes_per_ns"] = copy_rate();
  state.counters["threads"] = Kokkos::DefaultExecutionSpace().concurrency();
}

const int assembly_registered = [] {
  benchmark::RegisterBenchmark("stream/1000", stream, 100, free_rods)->Unit(benchmark::kMillisecond);
  for (const int rods : {1000, 10000, 100000}) {
    const std::string elements = std::to_string(10 * rods);
    for (const auto& [name, make] :
         {std::pair<std::string, MemberSpec (*)(int)>("stream/", free_rods), {"stack/", stacked_rods}}) {
      auto* const one = benchmark::RegisterBenchmark((name + elements).c_str(), stream, rods, make);
      one->Unit(benchmark::kMillisecond);
      if (make == stacked_rods || rods == 100000) one->Iterations(4);
    }
  }
  const auto add = [](const std::string& name, int rods, int elements, double cylinder_radius, double share) {
    benchmark::RegisterBenchmark(name.c_str(), pour, rods, elements, cylinder_radius, share)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  };
  add("assembly/455", 455, 8, 0.05, 0.15);
  add("assembly/4000", 500, 8, 0.05, 0.15);
  add("assembly/100000", 10000, 10, 0.25, 0.1);  // a member has at most 10,000 rods
  return 0;
}();

}  // namespace
