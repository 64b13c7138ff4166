#include "rodeo/observe/modes.hpp"

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
    list.push_back({"decay_rate_" + number, "1/s", "rate at which vibration " + number + " fades"});
  }
  return list;
}

std::vector<double> mode_values(int modes, const FoundModes* found) {
  if (found == nullptr) return std::vector<double>(2 * static_cast<std::size_t>(modes), std::nan(""));
  std::vector<double> values = found->frequencies;
  values.insert(values.end(), found->decay_rates.begin(), found->decay_rates.end());
  return values;
}

}  // namespace rodeo
