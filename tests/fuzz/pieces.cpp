#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

#include <Kokkos_Core.hpp>

#include "rodeo/observe/observables.hpp"

#include "member/few_slices.hpp"
#include "member/run_members.hpp"

/// Runs a few slices of the first member of a deck twice, in one batch and in a new batch for each slice.
/// Writes the observables that differ, for combinations.py.
///
///     rodeo_pieces DECK
int main(int count, char** arguments) try {
  if (count != 2) {
    std::fprintf(stderr, "usage: rodeo_pieces DECK\n");
    return 1;
  }
  const Kokkos::ScopeGuard kokkos;
  const auto job = rodeo::few_slices(arguments[1]);
  if (!job) return 0;
  const rodeo::MemberOutcome whole = rodeo::run_members({*job}).front();
  const rodeo::MemberOutcome pieces = rodeo::run_in_new_batches(*job);
  if (whole.status != pieces.status || whole.steps != pieces.steps) std::printf("status or steps\n");
  for (std::size_t k = 0; k < rodeo::observables.size(); ++k) {
    const double a = whole.observables[k];
    const double b = pieces.observables[k];
    if (a != b && !(std::isnan(a) && std::isnan(b)))
      std::printf("%s: %.17g, %.17g\n", std::string(rodeo::observables[k].name).c_str(), a, b);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
