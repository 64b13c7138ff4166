#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <rodeo/rodeo.hpp>
#include <string>
#include <vector>

namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

}  // namespace

/// Runs the members of a deck's candidates within this process, for combinations.py to compare with what a
/// campaign stored:
///
///     rodeo_evaluate DECK REPEATS KEY,KEY VALUE,VALUE VALUE,VALUE
///
/// with the values of each candidate. Writes a line for each member: status, seed, steps and all observables.
int main(int count, char** arguments) try {
  if (count < 4) {
    std::fprintf(stderr, "usage: rodeo_evaluate DECK REPEATS KEY,KEY VALUE,VALUE ...\n");
    return 1;
  }
  std::vector<double> points;
  for (int k = 4; k < count; ++k) {
    for (const std::string& value : split(arguments[k]))
      points.push_back(std::strtod(value.c_str(), nullptr));
  }
  const auto problem = rodeo::Problem::read(arguments[1]);
  const auto found = problem.evaluate(split(arguments[3]), points,
                                      {.repeats = static_cast<std::uint32_t>(std::atoi(arguments[2]))});
  const auto observables = problem.observables();
  for (std::size_t member = 0; member < found.members(); ++member) {
    std::printf("%d %llu %llu", static_cast<int>(found.status[member]),
                static_cast<unsigned long long>(found.seeds[member]),
                static_cast<unsigned long long>(found.steps[member]));
    for (std::size_t k = 0; k < observables.size(); ++k)
      std::printf(" %s=%a", observables[k].name.c_str(), found.observables[member * observables.size() + k]);
    std::printf("\n");
  }
} catch (const rodeo::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
