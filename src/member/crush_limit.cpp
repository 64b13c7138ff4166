#include "crush_limit.hpp"

#include <algorithm>
#include <limits>

#include "rodeo/member/crushed_elements.hpp"
#include "rodeo/member/state_archive.hpp"
#include "rodeo/rod/initial_shape.hpp"

namespace rodeo {

namespace {

constexpr double pressed = 0.5;  // the part of its length from which on an element is watched more closely
constexpr double share = 0.5;    // of the time after which it would be crushed, to the next look

/// Least energy that presses an element to `pressed` of its length, J; 0 if natural lengths may change.
double least_energy(const MemberSpec& spec) {
  if (spec.model == ModelKind::rigid) return std::numeric_limits<double>::infinity();
  if (!spec.actuation.empty()) return 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const double taper = std::min(1.0, rod.end_radius_ratio);
    const double strain = 1.0 - pressed;
    least = std::min(least,
                     0.5 * taper * taper * rod.stretch_stiffness * strain * strain * shortest_element(rod));
  }
  return least;
}

}  // namespace

void CrushLimit::start(const MemberJob& job, MemberOutcome&) {
  become(job.spec);
  steps_explicitly_ = job.spec.steps_explicitly();
}

void CrushLimit::become(const MemberSpec& spec) { safe_energy_ = least_energy(spec); }

std::int64_t CrushLimit::next_look(std::int64_t steps) const {
  return due_ > steps ? due_ : std::numeric_limits<std::int64_t>::max();
}

MemberStatus CrushLimit::slice(const Look& look) {
  due_ = 0;
  if (look.sample.shear_energy < safe_energy_) return MemberStatus::pending;
  double soonest = std::numeric_limits<double>::infinity();  // s
  for (const ConstRodView& rod : look.rods.each()) {
    for (int i = 0; i < rod.elements; ++i) {
      const AxialStretch stretch = AxialStretch::of(rod, i);
      if (stretch.value < least_stretch) return MemberStatus::crushed;
      if (stretch.value > pressed || stretch.rate >= 0.0) continue;
      soonest = std::min(soonest, (stretch.value - least_stretch) / -stretch.rate);
    }
  }
  const double steps = share * soonest / look.spec.time.step;
  const bool is_soon = steps_explicitly_ && steps < static_cast<double>(look.spec.time.slice_steps);
  if (is_soon) due_ = look.steps + std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
  return MemberStatus::pending;
}

void CrushLimit::visit(StateArchive& archive) { archive.visit(due_); }

}  // namespace rodeo
