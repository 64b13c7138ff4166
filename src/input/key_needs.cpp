#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "rodeo/forces/own_laws.hpp"
#include "rodeo/input/key_effects.hpp"
#include "rodeo/input/need.hpp"

namespace rodeo {

namespace {

constexpr std::string_view rods = needs_rods.view();
constexpr std::string_view measured = "model.kind = cosserat|der|rigid|function";
constexpr std::string_view deforms = "model.kind = cosserat|der";
constexpr std::string_view fluid = "fluid.viscosity > 0 or fluid.reynolds";
// Total twist also acts on a rod that starts from a state: in a clamped last end, or in the seam of a closed
// rod.
constexpr std::string_view twisted_start =
    "no rod.state or boundary.last = clamped|clamped_sliding|clamped_element or rod.shape = ring or "
    "rod.closed";
constexpr std::string_view twisted_start_of_numbers =
    "no rod.state_positions or boundary.last = clamped|clamped_sliding|clamped_element or rod.shape = ring "
    "or rod.closed";
constexpr std::string_view tether = "load.tether_stiffness or load.tether_hardening";
constexpr std::string_view solids =
    "ground.kind = plane or ground.planes or ground.spheres or ground.cylinders or ground.platen";

/// Condition under which members draw random numbers; laws of one's own may in every model.
template <class... Laws>
constexpr std::string_view random_members(const LawList<Laws...>*) {
  if (sizeof...(Laws) > 0) return "model.kind = cosserat|der|rigid|noop|function";
  return "load.perturbation or drawn control.signal or model.kind = noop|function";
}

constexpr auto needs_in_rodeo = std::to_array<KeyNeed>({
    {"sweep.", "study.kind = sweep|boundary|single and given study.kind",
     "study.kind = sweep or boundary, or study.kind = single to run one member without it"},
    {"sweep.points", "study.kind = sweep|single", "study.kind = sweep"},
    {"sweep.sampler", "study.kind = sweep|single", "study.kind = sweep"},
    {"refine.", "study.kind = boundary|single and given study.kind",
     "study.kind = boundary, or study.kind = single to run one member without it"},
    {"convergence.axis", "study.kind = convergence|single and given study.kind",
     "study.kind = convergence, or study.kind = single to run one member without it"},
    {"convergence.observables", "study.kind = convergence|single and given study.kind",
     "study.kind = convergence, or study.kind = single to run one member without it"},
    {"convergence.exact", "convergence.observables"},
    {"optimize.", "study.kind = optimize|single and given study.kind",
     "study.kind = optimize, or study.kind = single to run one member without it"},
    {"fidelity.", "study.kind = optimize|sweep|single and given study.kind",
     "study.kind = optimize or sweep, or study.kind = single to run one member without it"},
    {"fidelity.correlation", "fidelity.level"},
    {"fidelity.compared", "fidelity.level"},
    {"fidelity.runners_up", "fidelity.level"},
    {"fidelity.sigma", "fidelity.level"},
    {"fidelity.sigma", "study.kind = optimize|single"},
    {"fidelity.tolerance", "fidelity.level"},
    {"fidelity.tolerance", "study.kind = optimize|single"},
    {"fidelity.population", "fidelity.level"},
    {"fidelity.population", "study.kind = optimize|single"},
    {"fidelity.share", "fidelity.level"},
    {"fidelity.share", "study.kind = sweep|single"},
    {"sensitivity.", "study.kind = sensitivity|single and given study.kind",
     "study.kind = sensitivity, or study.kind = single to run one member without it"},
    {"study.scenarios", "study.kind = optimize|single and given study.kind",
     "study.kind = optimize, which compares candidates by an objective, or study.kind = single to run one "
     "member without it"},
    {"study.part", "study.kind = sweep|single and given study.kind",
     "study.kind = sweep, whose candidates do not follow from results"},
    {"study.part", "no fidelity.level"},
    {"study.rerun", "study.kind = sweep|convergence|single and given study.kind",
     "study.kind = sweep or convergence, whose candidates do not follow from results"},
    {"study.rerun", "no fidelity.level"},
    {"study.member_seed", "study.kind = single"},
    {"study.repeats", random_members(static_cast<const own::Laws*>(nullptr)),
     "something random: load.perturbation, or noise in control.signal"},
    {"study.draws", "study.scenarios"},
    {"study.correlation",
     "sweep.sampler = latin_hypercube|sobol or study.kind = sensitivity|single or study.scenarios and given "
     "study.kind",
     "numbers that a study draws: sweep.sampler = latin_hypercube|sobol, study.kind = sensitivity or "
     "study.scenarios"},
    {"study.worst_share", "study.scenarios"},
    {"study.sense", "study.objective"},
    {"study.pareto", "study.kind = sweep|optimize|single and given study.kind",
     "study.kind = sweep or optimize, or study.kind = single to run one member without it"},
    {"sweep.samples", "sweep.sampler = latin_hypercube|sobol"},
    {"convergence.reference", rods},
    {"branch.", "branch.key"},
    {"branch.key", "time.method = static"},
    {"branch.bifurcations", "study.kind = branch|single"},
    {"optimize.ahead", "optimize.mode = asynchronous"},
    {"optimize.sigma", "no optimize.from or optimize.restarts = ipop|bipop or fidelity.level"},
    {"optimize.sigma", "no optimize.distribution or optimize.restarts = ipop|bipop or fidelity.level"},
    {"refine.tolerance", "refine.method = value"},

    {"model.section", rods},
    {"model.laws", "model.kind = der or contact.kind = imc|ipc"},
    {"noop.", "model.kind = noop"},
    {"function.", "model.kind = function"},
    {"function.slowest", "function.seconds"},

    {"rod.", rods},
    {"rod.polygon_side", "rod.placement = each"},
    {"rod.polygon_side", "rod.count > 1"},
    {"rod.scene", "rod.placement = file"},
    {"rod.lattice", "rod.placement = lattice"},
    {"rod.lattice_spacing", "rod.placement = lattice"},
    {"rod.region", "rod.placement = random"},
    {"rod.region_centre", "rod.placement = random"},
    {"rod.region_size", "rod.placement = random"},
    {"rod.region_size", "rod.region = box"},
    {"rod.region_radius", "rod.placement = random"},
    {"rod.region_radius", "rod.region = cylinder|sphere"},
    {"rod.region_length", "rod.placement = random"},
    {"rod.region_length", "rod.region = cylinder"},
    {"rod.region_axis", "rod.placement = random"},
    {"rod.region_axis", "rod.region = cylinder"},
    {"rod.volume_share", "rod.placement = random"},
    {"rod.orientation", "rod.placement = random"},
    {"rod.orientation_spread", "rod.placement = random"},
    {"rod.orientation_spread", "rod.orientation = distributed"},
    {"rod.placement_seed", "rod.placement = random or drawn rod.each",
     "rod.placement = random or a distribution in rod.each"},
    {"rod.origin", "rod.placement = each|lattice|file"},
    {"rod.direction", "rod.placement = each|lattice|file or rod.orientation = aligned|distributed"},
    {"rod.normal",
     "rod.placement = each|lattice|file or rod.orientation = aligned|distributed or rod.shape = file"},
    {"rod.elements_per_length", "rod.shape = straight|ring|helix"},
    {"rod.length", "rod.shape = straight|ring|helix"},
    {"rod.radius", "rod.section = circle"},
    {"rod.radius_per_length", "rod.section = circle"},
    {"rod.end_radius", "rod.section = circle"},
    {"rod.width", "rod.section = ellipse|rectangle"},
    {"rod.thickness", "rod.section = ellipse|rectangle"},
    {"rod.end_width", "rod.section = ellipse|rectangle"},
    {"rod.young_modulus", deforms},
    {"rod.shear_modulus", deforms},
    {"rod.poisson_ratio", deforms},
    {"rod.bend_stiffness", deforms},
    {"rod.second_bend_stiffness", deforms},
    {"rod.twist_stiffness", deforms},
    {"rod.twist_to_bend_ratio", deforms},
    {"rod.stretch_stiffness", deforms},
    {"rod.damping_ratio", deforms},
    {"rod.rest_shape", deforms},
    {"rod.young_modulus",
     "no rod.bend_stiffness or no rod.stretch_stiffness or rod.poisson_ratio or rod.section = "
     "ellipse|rectangle"},
    {"rod.young_modulus",
     "no rod.bend_stiffness or no rod.stretch_stiffness or rod.poisson_ratio or no "
     "rod.second_bend_stiffness"},
    {"rod.shear_modulus", "no rod.twist_stiffness or no rod.shear_stiffness"},
    {"rod.shear_modulus", "no rod.twist_to_bend_ratio or no rod.shear_stiffness"},
    {"rod.poisson_ratio", "no rod.twist_stiffness or no rod.shear_stiffness"},
    {"rod.poisson_ratio", "no rod.twist_to_bend_ratio or no rod.shear_stiffness"},
    {"rod.shear_stiffness", "model.kind = cosserat"},
    {"rod.second_shear_stiffness", "model.kind = cosserat"},
    {"rod.retardation_time", deforms},
    {"rod.retardation_time", "time.method = dynamic|implicit or modes.count"},
    {"rod.damping_decay_time",
     "rod.damping or rod.rotational_damping or rod.relaxation_time or rod.damping_ratio"},
    {"rod.shape_file", "rod.shape = file"},
    {"rod.shape_nodes", "rod.shape = file"},
    {"rod.rest_lengths", "rod.shape = file"},
    {"rod.rest_length_file", "rod.shape = file"},
    {"rod.state_orientations", "rod.state_positions"},
    {"rod.state_velocities", "rod.state_positions"},
    {"rod.state_angular_velocities", "rod.state_positions"},
    {"rod.state", "rod.placement = each"},
    {"rod.velocity", "time.method = dynamic|implicit"},
    {"rod.velocity", "no rod.state"},
    {"rod.velocity", "no rod.state_positions"},
    {"rod.start_velocity", "time.method = dynamic|implicit"},
    {"rod.start_spin", "time.method = dynamic|implicit"},
    {"rod.total_twist", twisted_start},
    {"rod.total_twist", twisted_start_of_numbers},
    {"rod.helix_radius", "rod.shape = helix"},
    {"rod.helix_pitch", "rod.shape = helix"},
    {"rod.closed", "rod.shape = ring|file"},
    {"rod.rest_shape", "rod.shape = ring|helix|file"},

    {"boundary.", rods},
    {"boundary.motion_time", "boundary.twist or boundary.slack"},
    {"boundary.driven", "boundary.twist or boundary.slack"},
    {"joint.", rods},
    {"joint.kind", "rod.placement = each"},
    {"joint.kind", "rod.count > 1"},
    {"motion.", rods},

    {"connection.", rods},

    {"load.", rods},
    {"load.end_force", "boundary.last = free|clamped_sliding|pinned_sliding"},
    {"load.end_couple", "boundary.last = free|pinned|pinned_sliding"},
    {"load.axial_force", "boundary.last = free|clamped_sliding|pinned_sliding"},
    {"load.perturbation_duration", "load.perturbation or load.middle_force"},
    {"load.magnetization", "load.magnetic_flux_density"},
    {"load.magnetic_flux_density", "load.magnetization"},
    {"load.ramp_time",
     "load.end_force or load.end_couple or load.axial_force or load.distributed_force or "
     "load.distributed_couple or load.magnetic_flux_density"},
    {"load.frequency",
     "load.end_force or load.end_couple or load.axial_force or load.distributed_force or "
     "load.distributed_couple or load.magnetic_flux_density"},
    {"load.tether_point", tether},
    {"load.tether_length", tether},
    {"load.tether_place", tether},
    {"gravity.", rods},
    {"gravity.incline", "gravity.acceleration"},

    {"ground.", rods},
    {"ground.origin", "ground.kind = plane"},
    {"ground.normal", "ground.kind = plane"},
    {"ground.response", solids},
    {"ground.stiffness", solids},
    {"ground.damping", solids},
    {"ground.damping", "time.method = dynamic|implicit"},
    {"ground.static_friction", solids},
    {"ground.kinetic_friction", solids},
    {"ground.velocity_threshold", solids},
    {"ground.velocity_threshold", "ground.static_friction or ground.kinetic_friction"},

    {"actuation.", rods},
    {"table.", rods},
    {"muscle.", rods},
    {"muscle.kind", "muscle.amplitudes"},
    {"muscle.wave_number", "muscle.amplitudes"},
    {"muscle.phase", "muscle.amplitudes"},
    {"muscle.direction", "muscle.amplitudes"},
    {"muscle.axis", "muscle.amplitudes"},

    {"fluid.", rods},
    {"fluid.kind", fluid},
    {"fluid.density", "fluid.reynolds"},
    {"fluid.mobility", fluid},
    {"fluid.mobility", "fluid.kind = stokeslets"},
    {"fluid.regularization", fluid},
    {"fluid.regularization", "fluid.kind = stokeslets"},
    {"fluid.tolerance", fluid},
    {"fluid.tolerance", "fluid.kind = stokeslets"},

    {"contact.", rods},
    {"contact.stiffness", "contact.kind = penalty"},
    {"contact.damping", "contact.kind = penalty"},
    {"contact.tolerance", "contact.kind = imc|ipc"},
    {"contact.tangential_stiffness", "contact.kind = penalty and contact.friction"},
    {"contact.friction", "contact.kind = penalty|imc|ipc"},
    {"contact.slip_tolerance", "contact.kind = imc|ipc and contact.friction"},

    {"control.", rods},
    {"control.hold", "control.interval"},
    {"control.input", "control.interval"},
    {"control.signal", "control.interval"},
    {"control.state", "control.interval"},
    {"control.network", "control.interval"},
    {"control.output", "control.interval"},

    {"time.", rods},
    {"time.scheme", "model.kind = der or time.method = implicit"},
    {"time.scheme", "time.method = dynamic|implicit"},
    {"time.from", "time.method = dynamic|implicit"},
    {"time.from", deforms},
    {"time.tolerance", "time.method = implicit"},
    {"time.tolerance", "time.scheme = generalized_alpha or no time.scheme"},
    {"time.spectral_radius", "time.scheme = generalized_alpha or time.method = implicit"},
    {"time.spectral_radius", "time.scheme = generalized_alpha or no time.scheme"},
    {"newton.tolerance", "model.kind = der"},
    {"newton.relative_tolerance", "model.kind = der"},
    {"newton.", "model.kind = der or time.method = static|implicit"},
    {"modes.", "time.method = static"},
    {"observe.", rods},
    {"observe.settle_in", "observe.settle"},
    {"observe.settle_periods", "observe.settle"},
    {"observe.settle_interval", "observe.settle"},
    {"measure.define", measured},
    {"measure.interval", rods},
    {"measure.interval", "measure.define"},
    {"measure.data", rods},
    {"measure.point", rods},
    {"output.frames", rods},
    {"output.keep", "output.frames"},
    {"output.fields", "output.frames"},
    {"output.rods", "output.frames"},
    {"output.observables", "output.frames"},
    {"output.precision", "output.frames"},
    {"output.states", rods},
});

/// Keys of a law of one's own need rods, and what asks for the law.
template <std::size_t size, class... Laws>
consteval auto and_laws(const std::array<KeyNeed, size>& needs, const LawList<Laws...>*) {
  std::array<KeyNeed, size + 2 * sizeof...(Laws)> all{};
  [[maybe_unused]] auto next = std::ranges::copy(needs, all.begin()).out;
  [[maybe_unused]] const auto add = [&](std::string_view asked) {
    const std::string_view section = asked.substr(0, asked.find('.') + 1);
    *next++ = {section, rods};
    *next++ = {section, asked};
  };
  (add(Laws::asked), ...);
  return all;
}

constexpr auto table = and_laws(needs_in_rodeo, static_cast<const own::Laws*>(nullptr));

}  // namespace

std::span<const KeyNeed> key_needs() { return table; }

std::string own_need(Key key) {
  std::string text;
  for (const KeyNeed& row : table) {
    if (row.keys != key_info(key).name) continue;
    text.append(text.empty() ? "" : ", and ").append(row.text.empty() ? row.need : row.text);
  }
  return text;
}

}  // namespace rodeo
