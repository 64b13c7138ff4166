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

/// Each operand of each formula is looked for: names are not copied.
std::optional<std::size_t> ControlSpec::find(std::string_view name) const {
  if (!exists()) return std::nullopt;
  std::size_t place = 1;  // t stands first
  const auto is_in = [&](const auto& numbers) {
    const auto found =
        std::ranges::find(numbers, name, [](const auto& one) -> std::string_view { return one.name; });
    place += static_cast<std::size_t>(found - numbers.begin());
    return found != numbers.end();
  };
  if (is_in(inputs) || is_in(signals) || is_in(states)) return place;
  for (const Network& network : networks) {
    const bool may_be = name.starts_with(network.name);
    for (std::size_t k = 0; may_be && k < network.gives(); ++k) {
      if (name == network.name + "[" + std::to_string(k) + "]") return place + k;
    }
    place += network.gives();
  }
  if (is_in(outputs) || name == work_name) return place;
  return std::nullopt;
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
