#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

#include "rodeo/forces/own_laws.hpp"

namespace rodeo {

/// Feature that a deck can ask of a model.
struct ModelFeature {
  std::string_view name;
  std::string_view asked;  ///< how a deck asks for it, as parse_need() reads it; asked_always: every one does
};

inline constexpr std::string_view asked_always = "always";

namespace detail {

inline constexpr auto features_of_rodeo = std::to_array<ModelFeature>({
    {"bend, twist and stretch", asked_always},
    {"shear", asked_always},
    {"sections that narrow as rods stretch", "model.section = incompressible|published"},
    {"rigid sections", "model.section = rigid"},
    {"single precision", "model.precision = single"},
    {"steps on a device", "model.device = gpu"},
    {"several rods", "rod.count > 1"},
    {"ball joints", "joint.kind = ball"},
    {"rigid joints", "joint.kind = rigid"},
    {"balls at any places", "connection.ball"},
    {"springs, hinges, rigid connections", "connection.spring or connection.hinge or connection.rigid"},
    {"bonds side by side", "connection.bond"},
    {"closed rods", "rod.closed = yes or rod.shape = ring and no rod.closed or rod.closed = yes"},
    {"helices, open rings, shapes of a file", "rod.shape = helix|ring|file"},
    {"natural curvature and twist", "rod.intrinsic_curvature or rod.intrinsic_twist"},
    {"tapered rods, point masses", "rod.end_radius or rod.end_width or rod.point_masses"},
    {"material damping", "rod.retardation_time"},
    {"sections with two bend stiffnesses",
     "rod.section = ellipse|rectangle or rod.second_bend_stiffness or rod.second_shear_stiffness"},
    {"ends clamped, pinned or sliding", "boundary.first or boundary.last"},
    {"ends held by a whole element", "boundary.first = clamped_element or boundary.last = clamped_element"},
    {"ends that move", "boundary.twist or boundary.slack"},
    {"places that are held or moved in time", "motion.position or motion.rotation"},
    {"end loads", "load.end_force or load.end_couple or load.axial_force"},
    {"distributed loads", "load.distributed_force or load.distributed_couple"},
    {"follower forces", "load.follower_force"},
    {"magnetised rods", "load.magnetization"},
    {"tethers", "load.tether_stiffness or load.tether_hardening"},
    {"random perturbations", "load.perturbation"},
    {"gravity", "gravity.acceleration"},
    {"ground", "ground.kind = plane or ground.planes or ground.spheres or ground.cylinders"},
    {"planes that move", "ground.platen"},
    {"a ground that answers the net force", "ground.response = net_force"},
    {"friction of the ground", "ground.static_friction or ground.kinetic_friction"},
    {"muscles", "muscle.amplitudes"},
    {"forces and couples by formulas", "actuation.force or actuation.couple or actuation.internal_couple"},
    {"natural shape by formulas", "actuation.curvature or actuation.twist or actuation.stretch"},
    {"slender-body drag", "fluid.viscosity > 0 or fluid.reynolds and fluid.kind = slender_body"},
    {"Stokeslets", "fluid.kind = stokeslets and fluid.viscosity > 0 or fluid.reynolds"},
    {"contact by penalty forces", "contact.kind = penalty"},
    {"contact by an implicit potential", "contact.kind = imc"},
    {"contact by an implicit barrier", "contact.kind = ipc"},
    {"friction between rods", "contact.friction and contact.kind = penalty|imc|ipc"},
    {"stop at buckling", "observe.buckling_energy or observe.buckling_translational_energy"},
});

template <std::size_t size, class... Laws>
consteval auto and_laws(const std::array<ModelFeature, size>& features, const LawList<Laws...>*) {
  std::array<ModelFeature, size + sizeof...(Laws)> all{};
  [[maybe_unused]] auto next = std::ranges::copy(features, all.begin()).out;
  ((*next++ = {Laws::feature, Laws::asked}), ...);
  return all;
}

}  // namespace detail

/// The list of features, in the order in which `rodeo features` prints them, those of one's own laws last.
inline constexpr auto model_features =
    detail::and_laws(detail::features_of_rodeo, static_cast<const own::Laws*>(nullptr));

/// Place of a feature in the list. A name that is not there does not compile.
consteval std::size_t feature(std::string_view name) {
  for (std::size_t place = 0; place < model_features.size(); ++place) {
    if (model_features[place].name == name) return place;
  }
  throw std::invalid_argument("no feature has this name");
}

/// Feature that a model lacks, and why.
struct Gap {
  std::string_view feature;
  std::string_view reason;  ///< a sentence for who asked for it, without its full stop
};

/// Features that a model lacks. A gap without a reason does not compile.
class Gaps {
 public:
  constexpr Gaps() = default;
  consteval Gaps(std::initializer_list<Gap> gaps) {
    for (const Gap& gap : gaps) {
      if (gap.reason.empty()) throw std::invalid_argument("a gap has no reason");
      reasons_[feature(gap.feature)] = gap.reason;
    }
  }

  /// Adds the gaps of others to these.
  consteval Gaps and_also(const Gaps& others) const {
    Gaps all = *this;
    for (std::size_t place = 0; place < model_features.size(); ++place) {
      if (others.has(place)) all.reasons_[place] = others.reasons_[place];
    }
    return all;
  }

  constexpr bool has(std::size_t feature) const { return !reasons_[feature].empty(); }
  constexpr std::string_view reason(std::size_t feature) const { return reasons_[feature]; }

 private:
  std::array<std::string_view, model_features.size()> reasons_ = {};
};

}  // namespace rodeo
