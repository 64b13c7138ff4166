#include "energy_gain.hpp"

#include "rodeo/observe/energies.hpp"

namespace rodeo {

double energy_excess(const Look& look) {
  if (look.spec.sections_shrink == 0.0 || look.spec.sections_have_energy) return 0.0;
  double sum = 0.0;
  for (const ConstRodView& rod : look.rods.each()) sum += observe::stretch_energy_excess(rod);
  return sum;
}

MemberStatus EnergyGain::slice(const Look& look) {
  if (!ledger_->counts(look.time())) return MemberStatus::pending;
  if (look.sample.implicit.pressed_at_first) {
    energy_ = {};
  } else if (look.sample.implicit.energy.is_known()) {
    energy_ = look.sample.implicit.energy;
  } else {
    ledger_->add(look.sample, energy_excess(look), energy_);
  }
  return ledger_->is_gain(energy_, look.steps) ? MemberStatus::gained_energy : MemberStatus::pending;
}

}  // namespace rodeo
