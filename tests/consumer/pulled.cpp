#include <cstdio>
#include <rodeo/rodeo.hpp>
#include <vector>

#include "damped_pull/control_law.hpp"

/// Prints what the member of a deck reports: of a run, and of one that was cloned on the way.
int main(int, char** argv) try {
  rodeo::add_control_law(rodeo::own::DampedPull::kind());
  const auto problem = rodeo::Problem::read(argv[1]);
  const std::vector<double> whole = problem.evaluate().observables;
  rodeo::Simulation simulation(problem);
  simulation.advance(0.05);
  rodeo::Simulation clone = simulation.clone(0);
  simulation.advance(0.5);
  clone.advance(0.5);
  for (const std::vector<double>& found : {whole, simulation.observables(0), clone.observables(0)}) {
    for (const double number : found) std::printf("%a ", number);
    std::printf("\n");
  }
} catch (const rodeo::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
