#pragma once

#include <cstdint>
#include <optional>

#include "rodeo/observe/sample.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Apparent growth of a member's energy, over the largest so far, that inexact accounts of its laws explain.
/// It comes on top of observe.energy_tolerance.
double unaccounted_share(const MemberSpec& spec);

/// Upper bound of the energy that rounding of strains gives rods at rest, J.
double rounding_energy(const MemberSpec& spec);

/// Energy that rounding may add to a member in each explicit step, J: errors of strains make forces that push
/// nodes at random. Zero for other steps, which are damped or found anew.
double rounding_growth(const MemberSpec& spec);

/// Account against which the energy of a member is held: its potentials, from the time on at which its loads
/// and boundaries are steady, if nothing else can do work on it. Otherwise, in implicit steps of Cosserat
/// rods, it is the most that their work may be, once every driven end has a known reaction. Keeps nothing of
/// the member itself.
class EnergyLedger {
 public:
  explicit EnergyLedger(const MemberSpec& spec);

  /// Whether the energy at a time counts.
  bool counts(double time) const { return from_ && time >= *from_; }

  /// Whether the energy at a time counts if the work in steps from then on is measured.
  bool counts_with_work(double time) const { return !from_ && time >= driven_until_; }

  /// Whether energies are held against work.
  bool takes_work() const { return !from_; }

  /// Adds the energy of a sample less the work of all but elasticity and links up to then.
  void add_with_work(const Sample& sample, double work, observe::HighestEnergy& energy) const;

  /// Adds the energy of a sample at a time that counts, less an excess.
  void add(const Sample& sample, double excess, observe::HighestEnergy& energy) const;

  /// Whether the energy at a time counts and is the first that does.
  bool begins(double time, const observe::HighestEnergy& energy) const {
    return (counts(time) || counts_with_work(time)) && !energy.is_known();
  }
  /// Adds the first energy, and the energy that contact between rods holds and may turn into motion.
  void begin(const Sample& sample, double held, observe::HighestEnergy& energy) const;

  /// Whether the energy has grown by more than it may, after so many explicit steps.
  bool is_gain(const observe::HighestEnergy& energy, std::int64_t explicit_steps = 0) const;

 private:
  Vec3 gravity_;                ///< m/s^2
  std::optional<double> from_;  ///< s; nothing where something does work
  double driven_until_ = 0.0;   ///< s
  double rounding_energy_;      ///< J
  double rounding_growth_;      ///< J a step
  double speed_error_;          ///< J/kg
  double tolerance_;            ///< infinite for equilibria, which have no motion
  double unaccounted_;
  double given_back_;  ///< share of the largest energy that may come back after it was taken
};

}  // namespace rodeo
