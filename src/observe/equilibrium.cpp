#include "rodeo/observe/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace rodeo {

std::vector<DefinedObservable> mode_observables(int modes) {
  std::vector<DefinedObservable> list;
  for (int k = 1; k <= modes; ++k) {
    const std::string number = std::to_string(k);
    list.push_back(
        {"frequency_" + number, "Hz",
         "frequency of vibration " + number +
             " about the equilibrium at time.end; negative if it is one that grows, without damping"});
  }
  for (int k = 1; k <= modes; ++k) {
    const std::string number = std::to_string(k);
    list.push_back({"decay_rate_" + number, "1/s",
                    "rate at which vibration " + number +
                        " fades by the damping of rods; NaN where connections have dashpots"});
  }
  return list;
}

std::vector<double> mode_values(const MemberSpec& spec, const FoundModes* found) {
  if (found == nullptr) return std::vector<double>(2 * static_cast<std::size_t>(spec.modes), std::nan(""));
  std::vector<double> values = found->frequencies;
  values.insert(values.end(), found->decay_rates.begin(), found->decay_rates.end());
  const bool has_dashpots = std::ranges::any_of(spec.connections, [](const ConnectionSpec& connection) {
    return connection.damping > 0.0 || connection.rotational_damping > 0.0;
  });
  if (has_dashpots) std::fill(values.begin() + spec.modes, values.end(), std::nan(""));
  return values;
}

}  // namespace rodeo
