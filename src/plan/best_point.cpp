#include "best_point.hpp"

#include <vector>

#include "rodeo/input/listing.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

constexpr std::size_t widest_line = 96;

}  // namespace

std::string value_text(const ParameterAddress& address, double value) {
  const KeyInfo& info = key_info(address.key);
  if (info.type != ValueType::choice) return format_real(value);
  return std::string(split(info.choices, '|')[static_cast<std::size_t>(value)]);
}

std::string point_lines(std::span<const ParameterAddress> addresses, std::span<const double> point) {
  std::vector<std::string> names;
  for (const ParameterAddress& address : addresses) names.push_back(address.name());
  std::string lines;
  for (const NameRun& run : runs_of(names)) {
    std::string text = run.name + " = ";
    for (std::size_t k = run.first; k < run.first + run.count; ++k) {
      text.append(k == run.first ? "" : ", ").append(value_text(addresses[k], point[k]));
    }
    std::string begin = "  ";
    for (const std::string& part : wrapped(text, widest_line)) {
      lines.append(begin).append(part).append("\n");
      begin = "    ";
    }
  }
  return lines;
}

}  // namespace rodeo
