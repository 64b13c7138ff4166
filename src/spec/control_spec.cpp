#include "rodeo/spec/control_spec.hpp"

#include <algorithm>
#include <cmath>

namespace rodeo {

namespace {

/// With what `of` says of an input or an output.
template <class Of>
std::vector<double> live_numbers(const ControlSpec& control, const Of& of) {
  std::vector<double> numbers;
  numbers.reserve(LiveNumber::size * control.live_count());
  const auto add = [&](const auto& number) { numbers.insert(numbers.end(), {of(number), 0.0, 0.0}); };
  for (const ControlSpec::Input& input : control.inputs) add(input);
  for (const ControlSpec::Output& output : control.outputs) add(output);
  return numbers;
}

}  // namespace

std::vector<std::string> ControlSpec::names() const {
  std::vector<std::string> names = {"t"};
  for (const Input& input : inputs) names.push_back(input.name);
  for (const Signal& signal : signals) names.push_back(signal.name);
  for (const State& state : states) names.push_back(state.name);
  for (const Network& network : networks) {
    for (std::size_t k = 0; k < network.gives(); ++k)
      names.push_back(network.name + "[" + std::to_string(k) + "]");
  }
  for (const Output& output : outputs) names.push_back(output.name);
  names.emplace_back(work_name);
  return names;
}

std::optional<std::size_t> ControlSpec::find(std::string_view name) const {
  if (!exists()) return std::nullopt;
  const std::vector<std::string> all = names();
  const auto found = std::ranges::find(all.begin() + 1, all.end(), name);
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

std::vector<double> ControlSpec::live_at_start() const {
  return live_numbers(*this, [](const auto& number) { return number.start; });
}

std::vector<std::vector<double>> ControlSpec::live_at_extremes() const {
  const auto known = [](double bound, double start) { return std::isfinite(bound) ? bound : start; };
  return {live_at_start(),
          live_numbers(*this, [&](const auto& number) { return known(number.range.low, number.start); }),
          live_numbers(*this, [&](const auto& number) { return known(number.range.high, number.start); })};
}

}  // namespace rodeo
