#include "model_features.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "rodeo/input/need.hpp"

namespace rodeo {

namespace {

constexpr std::string_view always = "always";

constexpr auto table = std::to_array<ModelFeature>({
    {"bend, twist and stretch", always, true, true},
    {"shear", always, true, false},
    {"sections that narrow as rods stretch", "model.section = incompressible", true, false},
    {"rigid sections", "model.section = rigid", true, true},
    {"single precision", "model.precision = single", true, false},
    {"steps on a device", always, true, false},
    {"several rods", "rod.count > 1", true, true},
    {"joints", "joint.kind = ball|rigid", true, false},
    {"closed rods", "rod.closed = yes or rod.shape = ring and no rod.closed or rod.closed = yes", true,
     false},
    {"helices, open rings, shapes of a file", "rod.shape = helix|ring|file", true, true},
    {"natural curvature and twist", "rod.intrinsic_curvature or rod.intrinsic_twist", true, true},
    {"tapered rods, point masses", "rod.end_radius or rod.point_masses", true, true},
    {"ends clamped, pinned or sliding", "boundary.first or boundary.last", true, true},
    {"ends held by a whole element", "boundary.first = clamped_element or boundary.last = clamped_element",
     false, true},
    {"ends that move", "boundary.twist or boundary.slack", true, true},
    {"end loads", "load.end_force or load.end_couple or load.axial_force", true, true},
    {"distributed loads", "load.distributed_force or load.distributed_couple", true, true},
    {"magnetised rods", "load.magnetization", true, true},
    {"random perturbations", "load.perturbation", true, true},
    {"gravity", "gravity.acceleration", true, true},
    {"ground", "ground.kind = plane or ground.spheres or ground.cylinders", true, false},
    {"muscles", "muscle.amplitudes", true, false},
    {"slender-body drag", "fluid.viscosity > 0 or fluid.reynolds and fluid.kind = slender_body", true, false},
    {"Stokeslets", "fluid.kind = stokeslets and fluid.viscosity > 0 or fluid.reynolds", false, true},
    {"contact by penalty forces", "contact.kind = penalty", true, false},
    {"contact by an implicit potential", "contact.kind = imc", false, true},
    {"contact by an implicit barrier", "contact.kind = ipc", false, true},
    {"friction between rods", "contact.friction and contact.kind = imc|ipc", false, true},
    {"stop at buckling", "observe.buckling_energy or observe.buckling_translational_energy", true, true},
});

struct ParsedFeature {
  const ModelFeature* feature;
  std::vector<Clause> asked;
};

/// The features that a deck may ask for and a model may not have.
const std::vector<ParsedFeature>& refusable() {
  static const std::vector<ParsedFeature> features = [] {
    std::vector<ParsedFeature> parsed;
    for (const ModelFeature& feature : table) {
      if (feature.asked != always) parsed.push_back({&feature, parse_need(feature.asked)});
    }
    return parsed;
  }();
  return features;
}

bool has(std::string_view model, const ModelFeature& feature) {
  return (model == "cosserat" && feature.cosserat) || (model == "der" && feature.der);
}

/// "; it has contact.kind = imc, contact.kind = ipc": the model's features that the same key asks for.
std::string alternatives(std::string_view model, const Condition& asked) {
  std::string text;
  if (asked.kind != Condition::Kind::one_of) return text;
  for (const ParsedFeature& other : refusable()) {
    const Clause& first = other.asked.front();
    if (first.conditions.size() > 1 || first.conditions.front().key != asked.key) continue;
    if (has(model, *other.feature)) text.append(text.empty() ? "; it has " : ", ").append(first.text);
  }
  return text;
}

}  // namespace

std::span<const ModelFeature> model_features() { return table; }

void check_features(const Deck& deck) {
  const std::string_view model = deck.choice(Key::model_kind);
  const PossibleValues values = PossibleValues::of_member(deck);
  for (const auto& [feature, asked] : refusable()) {
    if (has(model, *feature) || values.unmet(asked) != nullptr) continue;
    const std::vector<Condition>& conditions = asked.front().conditions;
    const auto by = std::ranges::find_if(
        conditions, [&](const Condition& condition) { return values.can_hold(condition); });
    if (model != "cosserat" && model != "der" && by->key != Key::model_precision) continue;
    throw deck.error(by->key, "model.kind = " + std::string(model) + " (" + deck.place(Key::model_kind) +
                                  ") has no " + std::string(feature->name) + " (" +
                                  std::string(asked.front().text) + ")" + alternatives(model, *by) +
                                  "; model.kind = " + (feature->cosserat ? "cosserat" : "der") + " has");
  }
}

}  // namespace rodeo
