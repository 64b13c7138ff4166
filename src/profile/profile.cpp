#include "profiles.hpp"

namespace rodeo {

namespace {

/// The solution a member is compared to, or null.
const AnalyticProfile* profile_of(const MemberSpec& spec) {
  if (spec.reference == AnalyticReference::none) return nullptr;
  return &analytic_profiles[static_cast<std::size_t>(spec.reference) - 1];
}

/// First load on a member that its solution leaves out, as a deck calls it; empty if there is none. A load
/// that ends before the member may disturb it, and drag holds nothing that has come to rest.
std::string_view also_acting(const MemberSpec& spec, const AnalyticProfile& profile) {
  LoadSpec load = spec.load;
  BoundarySpec boundary = spec.boundary;
  profile.leave_out(load, boundary);
  const auto acts = [](const Vec3& vector) { return norm(vector) > 0.0; };
  const double end = static_cast<double>(spec.time.steps) * spec.time.step;
  const bool stays = load.perturbation_duration >= end;
  if (acts(load.gravity)) return "gravity.acceleration";
  if (acts(load.end_force)) return "load.end_force";
  if (acts(load.end_couple)) return "load.end_couple";
  if (load.axial_force != 0.0) return "load.axial_force";
  if (acts(load.distributed_force)) return "load.distributed_force";
  if (acts(load.distributed_couple)) return "load.distributed_couple";
  if (acts(load.follower_force)) return "load.follower_force";
  if (acts(load.middle_force) && stays) return "load.middle_force";
  if (load.perturbation > 0.0 && stays) return "load.perturbation";
  if (load.frequency > 0.0) return "load.frequency";
  if (load.ramp_time > end) return "load.ramp_time, which ends after the member,";
  if (load.magnetization != 0.0 && acts(load.magnetic_flux_density)) return "the magnetic load";
  if (load.tether_stiffness > 0.0 || load.tether_hardening > 0.0) return "the tether";
  if (boundary.twist != 0.0) return "boundary.twist";
  if (boundary.slack != 0.0) return "boundary.slack";
  if (spec.muscle.kind != MuscleKind::none) return "the muscle";
  if (!spec.actuation.empty()) return "actuation";
  if (!spec.motions.empty()) return "motion";
  if (!spec.connections.empty() || spec.rod_count() > 1) return "another rod";
  if (spec.ground.exists()) return "ground";
  return {};
}

}  // namespace

std::vector<double> places_along(const RodSpec& rod, Sampling sampling) {
  const double element_length = rod.length / rod.elements;
  const int count = sampling == Sampling::nodes ? rod.elements + 1 : rod.elements;
  std::vector<double> places;
  places.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    places.push_back((sampling == Sampling::nodes ? i : i + 0.5) * element_length);
  return places;
}

ErrorNorms profile_error(const MemberSpec& spec, const ConstRodView& rod, double time) {
  const AnalyticProfile* const profile = profile_of(spec);
  if (profile == nullptr) return no_error_norms();
  std::vector<double> errors = profile->measured(spec, rod);
  const std::vector<double> exact =
      profile->exact(spec, rod, places_along(spec.rod, profile->sampling), time);
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] -= exact[i];
  return error_norms(errors, profile->sampling);
}

std::string profile_obstacle(const MemberSpec& spec) {
  const AnalyticProfile* const profile = profile_of(spec);
  if (profile == nullptr) return {};
  const bool plain = spec.rod.shape == RodShape::straight && spec.rod.end_radius_ratio == 1.0 &&
                     spec.rod.total_twist == 0.0 && norm(spec.rod.intrinsic_curvature) == 0.0;
  std::string reason = plain ? profile->obstacle(spec)
                             : "the rod must be straight and uniform, without twist or intrinsic curvature";
  if (const std::string_view other = also_acting(spec, *profile); reason.empty() && !other.empty())
    reason = std::string(other) + " acts too, which it does not know";
  return reason.empty() ? reason
                        : "the solution '" + std::string(profile->name) + "' needs another deck: " + reason;
}

}  // namespace rodeo
