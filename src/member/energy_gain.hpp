#pragma once

#include "observer.hpp"
#include "steady.hpp"

namespace rodeo {

/// The highest energy of a member since its loads and boundaries became steady, if nothing can do work on it
/// then.
class EnergyGain {
 public:
  void start(const MemberJob& job, MemberOutcome&);
  MemberStatus slice(const Look& look);
  void finish(const Look&, Observation& observation) const { observation.energy = energy_; }
  void visit(StateArchive& archive) { archive.visit(energy_); }

 private:
  std::optional<double> from_;    ///< s; nothing if it does not look
  double rounding_energy_ = 0.0;  ///< J
  observe::HighestEnergy energy_;
};

}  // namespace rodeo
