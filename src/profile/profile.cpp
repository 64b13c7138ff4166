#include "profiles.hpp"

namespace rodeo {

namespace {

/// The solution a member is compared to, or null.
const AnalyticProfile* profile_of(const MemberSpec& spec) {
  if (spec.reference == AnalyticReference::none) return nullptr;
  return &analytic_profiles[static_cast<std::size_t>(spec.reference) - 1];
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
  return reason.empty() ? reason
                        : "the solution '" + std::string(profile->name) + "' needs another deck: " + reason;
}

}  // namespace rodeo
