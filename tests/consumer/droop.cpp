#include <cstdio>
#include <rodeo/rodeo.hpp>

int main(int, char** argv) try {
  const auto cord = rodeo::Problem::read(argv[1]);
  const auto found = cord.evaluate({"rod.young_modulus"}, {1e6, 2e6}, {.observables = {"end_z"}});
  for (const double droop : found.observables) std::printf("%a\n", droop);
} catch (const rodeo::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
