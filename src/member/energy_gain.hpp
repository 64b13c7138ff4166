#pragma once

#include <optional>

#include "rodeo/member/energy_ledger.hpp"
#include "rodeo/observe/energies.hpp"

#include "observer.hpp"

namespace rodeo {

/// Excess of the sampled energy of shear and stretch over the potential of the tension, J.
double energy_excess(const Look& look);

/// The highest energy of a member since its loads and boundaries became steady, if nothing can do work on it
/// then. Steppers that note the energy at the ends of their steps are believed.
class EnergyGain {
 public:
  void start(const MemberJob& job, MemberOutcome&) {
    ledger_.emplace(job.spec);
    only_steps_take_ = observe::only_steps_take_energy(job.spec);
  }
  MemberStatus slice(const Look& look);
  void finish(const Look&, Observation& observation) const {
    observation.energy = energy_;
    observation.only_steps_take_energy = only_steps_take_;
  }
  void visit(StateArchive& archive) { archive.visit(energy_); }

 private:
  std::optional<EnergyLedger> ledger_;
  observe::HighestEnergy energy_;
  bool only_steps_take_ = false;
};

}  // namespace rodeo
