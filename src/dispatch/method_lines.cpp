#include "method_lines.hpp"

#include <sstream>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

std::vector<std::pair<std::string, std::string>> method_lines(const MethodForecast& forecast) {
  if (!forecast.by_implicit) return {};
  const auto in_steps = [](const MethodCost& cost) {
    std::ostringstream text;
    text.precision(2);
    text << ", in steps of " << cost.step << " s";
    return text.str();
  };
  std::vector<std::pair<std::string, std::string>> lines;
  if (const auto& cost = forecast.by_explicit) {
    lines.emplace_back("explicit",
                       format_time(cost->seconds) + " a member or so" + in_steps(*cost) +
                           (forecast.is_stable ? "" : ": 0.9 of the stable one, whatever the motion"));
  }
  std::string implicit =
      format_time(forecast.by_implicit->seconds) + " or so" + in_steps(*forecast.by_implicit);
  if (!forecast.is_implicit)
    implicit += ": for errors of 1e-3 where motion has a period of " + format_time(forecast.period);
  lines.emplace_back("implicit", implicit);
  if (forecast.at_rest)
    lines.emplace_back("static",
                       format_time(forecast.at_rest->seconds) + " or so, for the equilibrium alone");
  lines.emplace_back("cheapest",
                     std::string(forecast.implicit_wins() ? "implicit" : "explicit") +
                         " steps for such motion; explicit ones for what waves of stretch and shear do" +
                         (forecast.at_rest ? "; static where only the rest counts" : ""));
  return lines;
}

}  // namespace rodeo
