#pragma once

#include <cstdint>
#include <optional>

#include "rodeo/observe/highest_energy.hpp"
#include "rodeo/observe/sample.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// By how much the energy of a member may seem to grow besides observe.energy_tolerance, over the largest so
/// far: what the laws that act on it have no exact account of.
double unaccounted_share(const MemberSpec& spec);

/// More than what rounding of the strains makes of a rod at rest, J.
double rounding_energy(const MemberSpec& spec);

/// What rounding may add to the energy of a member in each of its explicit steps, J: by its forces, whose
/// strains it changes, it pushes nodes at random. Nothing in other steps, which are damped or found anew.
double rounding_growth(const MemberSpec& spec);

/// What the energy of a member is held against: its potentials, from the time on at which its loads and
/// boundaries are steady, if nothing else can do work on it then; in implicit steps of Cosserat rods else the
/// most that the work in their steps may be, from the time on at which no end is driven without its reaction
/// being known. It keeps nothing of the member itself.
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

  /// Adds the energy at a time that counts, of which the sample has so much too much.
  void add(const Sample& sample, double excess, observe::HighestEnergy& energy) const;

  /// Whether the energy at a time counts and is the first that does.
  bool begins(double time, const observe::HighestEnergy& energy) const {
    return (counts(time) || counts_with_work(time)) && !energy.is_known();
  }
  /// Adds the first energy, of which contact between rods holds so much that may become motion.
  void begin(const Sample& sample, double held, observe::HighestEnergy& energy) const;

  /// Whether it has grown by more than it may, after so many explicit steps.
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
