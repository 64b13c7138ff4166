#include <string>

#include <benchmark/benchmark.h>

#include "rodeo/rodeo.hpp"

namespace rodeo {
namespace {

/// Arms of 20 elements, watched by 20 signals, that a deck may drive by six modes of curvature.
std::string arms(double step, int steps, const std::string& drive) {
  return "[rod]\nlength = 1\nradius = 0.05\ndensity = 1000\nyoung_modulus = 1e6\nshear_modulus = 4e5\n"
         "elements = 20\ndirection = 0, 0, 1\nrelaxation_time = 0.2\n[boundary]\nfirst = clamped\n"
         "[time]\nstep = " +
         std::to_string(step) + "\nend = 1e6\n[control]\ninterval = " + std::to_string(step * steps) +
         "\nsignal = at_x[5] [m] : x(s (k + 1)/5)\nsignal = at_y[5] [m] : y(s (k + 1)/5)\n"
         "signal = at_z[5] [m] : z(s (k + 1)/5)\nsignal = speed_x[5] [m/s] : vx(s (k + 1)/5)\n" +
         drive;
}

const std::string six_modes =
    "input = a[6] : 0 in [-3, 3]\n[actuation]\n"
    "curvature = d1 : a[0]*sin(pi*s) + a[1]*sin(2*pi*s) + a[2]*sin(3*pi*s)\n"
    "curvature = d2 : a[3]*sin(pi*s) + a[4]*sin(2*pi*s) + a[5]*sin(3*pi*s)\n";

/// Eight spheres that no arm can reach.
std::string far_spheres() {
  std::string spheres;
  for (int k = 0; k < 8; ++k)
    spheres += (k > 0 ? ", " : "[ground]\nspheres = ") + std::to_string(100 + k) + ", 0, 0, 0.1";
  return spheres + "\nstiffness = 2e4\n";
}

/// 64 live members that are driven and looked at after so many steps each.
void advance(benchmark::State& state, double step, const std::string& drive) {
  constexpr std::uint32_t members = 64;
  Simulation simulation(Problem::parse(arms(step, static_cast<int>(state.range(0)), drive)), {}, {},
                        {.repeats = members});
  std::size_t turn = 0;
  for (auto _ : state) {
    for (std::size_t k = 0; k < simulation.inputs().size(); ++k)
      simulation.inputs()[k] = 0.5 * static_cast<double>((turn + k) % 3);
    simulation.advance(simulation.interval());
    ++turn;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * members);
}

BENCHMARK_CAPTURE(advance, watched, 2e-4, std::string())->Name("live/watched")->Arg(1)->Arg(100);
BENCHMARK_CAPTURE(advance, held, 2e-4, six_modes)->Name("live/held")->Arg(100);
BENCHMARK_CAPTURE(advance, held_far, 2e-4, six_modes + far_spheres())->Name("live/held_far")->Arg(100);
BENCHMARK_CAPTURE(advance, linear, 2e-4, six_modes + "[control]\nhold = linear\n")
    ->Name("live/linear")
    ->Arg(100);
BENCHMARK_CAPTURE(advance, implicit, 0.05, six_modes + "[time]\nmethod = implicit\n")
    ->Name("live/implicit")
    ->Arg(2);

}  // namespace
}  // namespace rodeo
