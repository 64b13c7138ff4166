#include "rodeo/member/energy_ledger.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/member/steady.hpp"
#include "rodeo/observe/energies.hpp"

namespace rodeo {

namespace {

/// Error of the speeds of implicit steps on a ground, as an energy per mass, m^2/s^2. Contact acts in
/// impulses of whole steps, so that speeds are off by what gravity adds in a few of them.
double speed_error(const MemberSpec& spec) {
  constexpr double steps = 3.0;
  if (spec.steps_explicitly() || !spec.has_impacts()) return 0.0;
  return steps * steps * spec.time.step * spec.time.step * dot(spec.load.gravity, spec.load.gravity);
}

/// Whether friction acts at surfaces: its couples on elements are no part of the work that steps measure.
bool has_friction(const MemberSpec& spec) {
  const bool on_ground = spec.ground.exists() && spec.ground.rubs();
  return on_ground || (spec.contact.kind != ContactKind::none && spec.contact.friction > 0.0);
}

/// Share of the largest energy that may be taken at one time and given back at another: any by contact
/// between rods in implicit steps, of which only the energy at first is counted, and by springs of explicit
/// contact; some by schemes. A cantilever that is let go level loses and regains up to 0.08 of its energy in
/// steps that are about to be too long.
double given_back(const MemberSpec& spec) {
  constexpr double any = std::numeric_limits<double>::infinity();
  constexpr double by_scheme = 0.15;
  if (spec.steps_explicitly()) return spec.has_impacts() ? any : 0.0;
  if (spec.contact.kind != ContactKind::none) return any;
  return may_give_back_energy(spec.scheme) ? by_scheme : 0.0;
}

}  // namespace

double rounding_energy(const MemberSpec& spec) {
  const double strain = spec.single_precision ? 1e-6 : 1e-10;
  double energy = 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const double taper = rod.end_radius_ratio;
    const double stretch_stiffness = (1.0 + taper + taper * taper) / 3.0 * rod.stretch_stiffness;  // mean
    energy += stretch_stiffness * rod.length * strain * strain;
  }
  return energy;
}

double unaccounted_share(const MemberSpec& spec) {
  // Undamped rods that fall flat on a plane which answers the net force gain up to 0.22 of their energy in
  // steps of a fourteenth of their bound, and 0.17 however short the step is; in a step of 1.3 times the
  // bound they gain 1.06. Rods so stiff that they hop gain 0.3 to 0.4, and up to 0.8 with dashpots below a
  // hundredth of the critical ones: those end.
  constexpr double of_net_force = 0.28;
  // A step in which a spring of contact begins or ends is off by up to (omega step)^2/8 of what the
  // impact has, omega that of a node on the spring: at half the bound of explicit steps by 0.12.
  constexpr double of_springs = 0.12;
  const bool springs = spec.contact.kind == ContactKind::penalty || spec.ground.exists();
  if (!springs || !spec.steps_explicitly()) return 0.0;
  const bool answers = spec.ground.exists() && spec.ground.response == GroundResponse::net_force;
  return answers ? of_net_force : of_springs;
}

/// A force that is off by df adds (step df)^2/2m on the average, m the mass of a node: the stretch energy of
/// the error of strains times the square of the step over that of waves in an element. As fast as these turn
/// elements of their length, shear turns them as if they were as long as their radius.
double rounding_growth(const MemberSpec& spec) {
  if (!spec.steps_explicitly()) return 0.0;
  double growth = 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    // Four units in the last place: of strains, or of places as far from the origin as rods are long.
    const double strain_error = spec.single_precision ? 2.4e-7 : 4.4e-16 * rod.elements;
    const double wave_speed_squared = rod.stretch_stiffness / (rod.density * M_PI * rod.radius * rod.radius);
    const double element = rod.length / rod.elements;
    const double rate_squared =
        wave_speed_squared * (1.0 / (element * element) + 1.0 / (rod.radius * rod.radius));
    growth += rod.stretch_stiffness * rod.length * strain_error * strain_error * rate_squared *
              spec.time.step * spec.time.step;
  }
  return growth;
}

EnergyLedger::EnergyLedger(const MemberSpec& spec)
    : gravity_(spec.load.gravity),
      rounding_energy_(rounding_energy(spec)),
      rounding_growth_(rounding_growth(spec)),
      speed_error_(speed_error(spec)),
      tolerance_(spec.rests() ? std::numeric_limits<double>::infinity() : spec.energy_tolerance),
      unaccounted_(unaccounted_share(spec)),
      given_back_(given_back(spec)) {
  if (observe::has_no_source(spec)) from_ = steady_from(spec);
  if (has_friction(spec)) driven_until_ = std::numeric_limits<double>::infinity();
  for (int k = 0; k < spec.rod_count(); ++k)
    driven_until_ = std::max(driven_until_, rod_alone(spec, k).boundary.motion_time);
}

void EnergyLedger::add(const Sample& sample, double excess, observe::HighestEnergy& energy) const {
  energy.add(observe::conserved_energy(gravity_, sample) - excess, observe::stored_energy(sample) - excess,
             rounding_energy_ + speed_error_ * sample.mass);
}

void EnergyLedger::add_with_work(const Sample& sample, double work, observe::HighestEnergy& energy) const {
  const double stored = observe::sum_of_energies(sample) + sample.connection_energy;
  energy.add(stored - work, stored, rounding_energy_ + speed_error_ * sample.mass);
}

void EnergyLedger::begin(const Sample& sample, double held, observe::HighestEnergy& energy) const {
  if (from_) add(sample, -held, energy);
  if (!from_) add_with_work(sample, -held, energy);
}

/// Compares the energy with the first one, and with the lowest so far, to which a law or a scheme may give
/// back what it took. Growth that rounding explains is no gain.
bool EnergyLedger::is_gain(const observe::HighestEnergy& energy, std::int64_t explicit_steps) const {
  if (!energy.is_known()) return false;
  const double rounded = rounding_growth_ * static_cast<double>(explicit_steps);
  const double share_of_rounding =
      energy.gain() > 0.0 ? rounded * energy.relative_gain() / energy.gain() : 0.0;
  const double most = tolerance_ + unaccounted_ + share_of_rounding;
  return energy.relative_gain() > most || energy.relative_growth() > most + given_back_;
}

}  // namespace rodeo
