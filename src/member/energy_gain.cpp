#include "energy_gain.hpp"

#include "rodeo/observe/drift.hpp"

namespace rodeo {

namespace {

/// More than what rounding of the strains makes of a rod at rest, J.
double rounding_energy(const MemberSpec& spec) {
  const double strain = spec.single_precision ? 1e-6 : 1e-10;
  double energy = 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    energy += rod.stretch_stiffness * rod.length * strain * strain;
  }
  return energy;
}

/// By how much the sampled energy of stretch exceeds the potential of the tension, J.
double stretch_energy_excess(const Look& look) {
  if (look.spec.sections_shrink == 0.0) return 0.0;
  double sum = 0.0;
  for (const ConstRodView& rod : look.rods.each()) sum += observe::stretch_energy_excess(rod);
  return look.spec.sections_shrink * sum;
}

}  // namespace

void EnergyGain::start(const MemberJob& job, MemberOutcome&) {
  if (observe::has_no_source(job.spec)) from_ = steady_from(job.spec);
  rounding_energy_ = rounding_energy(job.spec);
}

MemberStatus EnergyGain::slice(const Look& look) {
  if (from_ && look.time() >= *from_) {
    const double excess = stretch_energy_excess(look);
    energy_.add(observe::conserved_energy(look.spec, look.sample) - excess,
                observe::stored_energy(look.sample) - excess, rounding_energy_);
  }
  return MemberStatus::pending;
}

}  // namespace rodeo
