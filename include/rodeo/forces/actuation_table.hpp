#pragma once

#include <span>
#include <vector>

#include "rodeo/forces/actuation.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// The actuators of a member's rods with their arrays, in host memory.
class ActuationTable {
 public:
  explicit ActuationTable(const MemberSpec& spec);

  const std::vector<Actuator>& actuators() const { return actuators_; }
  const std::vector<double>& numbers() const { return numbers_; }

  /// Actuation of a rod by copies of actuators() and numbers().
  Actuation of_rod(std::size_t rod, const Actuator* actuators, double* numbers) const;
  /// Actuation of a rod by this table, which must not move.
  Actuation of_rod(std::size_t rod) { return of_rod(rod, actuators_.data(), numbers_.data()); }

  /// Sets the live numbers of a copy of numbers(), and the values that are steady until they are set again.
  void set_live(std::span<const double> live, double* numbers) const;
  /// Sets the live numbers in this table's own numbers.
  void set_live(std::span<const double> live) { set_live(live, numbers_.data()); }

  /// Rates of change of the natural strains of a rod.
  struct NaturalRates {
    std::vector<Vec3> curvature;  ///< region i at entry i + 1, 1/(m s)
    std::vector<double> stretch;  ///< element i at entry i + 1, 1/s
  };
  NaturalRates natural_rates(std::size_t rod, double time) const;

 private:
  struct Rod {
    std::size_t first = 0;  ///< of its actuators
    Actuation actuation;    ///< without addresses
  };

  std::vector<Actuator> actuators_;
  std::vector<Formula> formulas_;  ///< of the actuators
  std::vector<std::vector<double>>
      places_;                   ///< of an actuator's entries, -1 at entry 0: parts of the rest length
  std::vector<double> numbers_;  ///< the live numbers, and then the arrays
  std::size_t live_numbers_ = 0;
  std::vector<Rod> rods_;
};

/// True if formulas drive any of a member's rods.
bool is_actuated(const MemberSpec& spec);

/// Memory that an ActuationTable of a member takes, bytes, about.
std::size_t actuation_memory(const MemberSpec& spec);

// Functions as of a Law: an actuation whose formula does not change in time depends on the state alone, and
// constant natural strains are part of the elastic energy.
double steady_from(const ActuationSpec& spec);
bool does_work(const ActuationSpec& spec);

/// The least and the greatest natural length over rest length that formulas give a rod while a member runs,
/// by samples; {1, 1} where none do.
struct StretchRange {
  double least = 1.0;
  double greatest = 1.0;
};
StretchRange natural_stretch_range(const MemberSpec& rod);

}  // namespace rodeo::forces
