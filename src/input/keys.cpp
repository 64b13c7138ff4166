#include "rodeo/input/keys.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "rodeo/models/models.hpp"
#include "rodeo/spec/search_words.hpp"

namespace rodeo {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Range {
  double minimum = -infinity;
  double maximum = infinity;
  bool minimum_excluded = false;
};
constexpr Range any_number{};
constexpr Range positive{.minimum = 0.0, .minimum_excluded = true};
constexpr Range not_negative{.minimum = 0.0};

constexpr KeyInfo row(Key key, std::string_view name, ValueType type, std::string_view default_text,
                      std::string_view text) {
  return {.key = key,
          .name = name,
          .type = type,
          .unit = "",
          .default_text = default_text,
          .minimum = -infinity,
          .maximum = infinity,
          .minimum_excluded = false,
          .choices = "",
          .list_length = 0,
          .repeatable = false,
          .text = text};
}

constexpr KeyInfo within(Range range, KeyInfo info) {
  info.minimum = range.minimum;
  info.maximum = range.maximum;
  info.minimum_excluded = range.minimum_excluded;
  return info;
}

constexpr KeyInfo real(Key key, std::string_view name, std::string_view unit, std::string_view default_text,
                       Range range, std::string_view text) {
  KeyInfo info = row(key, name, ValueType::real, default_text, text);
  info.unit = unit;
  return within(range, info);
}

constexpr KeyInfo integer(Key key, std::string_view name, std::string_view default_text, double minimum,
                          double maximum, std::string_view text) {
  KeyInfo info = row(key, name, ValueType::integer, default_text, text);
  info.unit = "1";
  return within({.minimum = minimum, .maximum = maximum}, info);
}

constexpr KeyInfo choice(Key key, std::string_view name, std::string_view default_text,
                         std::string_view choices, std::string_view text) {
  KeyInfo info = row(key, name, ValueType::choice, default_text, text);
  info.choices = choices;
  info.minimum = 0.0;  // the places of the words, by which a study holds them
  info.maximum = static_cast<double>(std::ranges::count(choices, '|'));
  return info;
}

constexpr KeyInfo real_list(Key key, std::string_view name, std::string_view unit, std::string_view text,
                            Range range = any_number) {
  KeyInfo info = row(key, name, ValueType::real_list, "", text);
  info.unit = unit;
  return within(range, info);
}

/// A list of a fixed number of reals.
constexpr KeyInfo reals(std::size_t count, Key key, std::string_view name, std::string_view unit,
                        std::string_view default_text, std::string_view text) {
  KeyInfo info = real_list(key, name, unit, text);
  info.default_text = default_text;
  info.list_length = count;
  return info;
}

constexpr KeyInfo vec3(Key key, std::string_view name, std::string_view unit, std::string_view default_text,
                       std::string_view text) {
  return reals(3, key, name, unit, default_text, text);
}

constexpr KeyInfo pair(Key key, std::string_view name, std::string_view unit, std::string_view default_text,
                       std::string_view text) {
  return reals(2, key, name, unit, default_text, text);
}

constexpr KeyInfo friction(Key key, std::string_view name, std::string_view text) {
  return within(not_negative, vec3(key, name, "1", "0, 0, 0", text));
}

constexpr KeyInfo free_text(Key key, std::string_view name, std::string_view text) {
  return row(key, name, ValueType::text, "", text);
}

constexpr KeyInfo repeatable_text(Key key, std::string_view name, std::string_view text) {
  KeyInfo info = free_text(key, name, text);
  info.repeatable = true;
  return info;
}

constexpr std::string_view no_default = "";

constexpr FixedText what_members_advance_with = [] {
  FixedText text("what a member advances with: ");
  for (const Model& model : model_table) {
    if (&model != &model_table.front()) text += &model == &model_table.back() ? ", or " : ", ";
    text += model.text;
  }
  return text;
}();

constexpr auto table = std::to_array<KeyInfo>({
    choice(Key::study_kind, "study.kind", "single", "single|sweep|convergence|optimize",
           "what the deck asks for: one candidate, the candidates of a sweep, the levels of a ladder, or the "
           "best candidate"),
    integer(Key::study_seed, "study.seed", "1", 0.0, 0x1p64, "seed of all random numbers of the study"),
    integer(Key::study_repeats, "study.repeats", "1", 1.0, 1e9,
            "members per candidate, each with random numbers of its own"),
    free_text(Key::study_objective, "study.objective",
              "observable by which candidates are compared (for example forward_speed)"),
    choice(Key::study_sense, "study.sense", "max", "max|min", "whether a large or a small objective is best"),
    real(Key::study_deadline, "study.deadline", "s", "0", not_negative,
         "wall time a member may take, its share of that of its batch; one that takes longer is stopped and "
         "has "
         "timed out; 0: none"),
    repeatable_text(
        Key::sweep_axis, "sweep.axis",
        "KEY : linspace(a,b,n) | logspace(a,b,n) | list(v,...), with KEY or KEY[i] a number of the deck, or "
        "for list a key that takes one of some words; a and b are the first and the last value, also of "
        "logspace (a, b > 0, not exponents)"),
    choice(Key::sweep_sampler, "sweep.sampler", "grid", "grid|latin_hypercube|sobol",
           "grid: all combinations of the axes' values; else sweep.samples points between the axes' ends"),
    integer(Key::sweep_samples, "sweep.samples", no_default, 1.0, 1e9,
            "candidates drawn by latin_hypercube and sobol"),
    free_text(Key::convergence_axis, "convergence.axis",
              "KEY : list(v,...) as for sweep.axis: the levels of a ladder; KEY changes the elements, the "
              "step or both "
              "(time.step_per_length slaves the step to the elements)"),
    choice(Key::convergence_reference, "convergence.reference", "finest", choices<AnalyticReference>,
           "what the levels' profiles are compared to at their end: the nodes of the finest level (needs "
           "output.frames), "
           "or a solution in closed form (in any study: observables profile_error_*)"),
    repeatable_text(
        Key::optimize_parameter, "optimize.parameter",
        "KEY : [lower, upper] start s scale d, with KEY, KEY[i] or KEY[i:j] (entries i to j-1) real numbers "
        "of the deck; without bounds [-inf, inf]; d is the unit of optimize.sigma, by default upper - lower"),
    integer(Key::optimize_population, "optimize.population", no_default, 2.0, 1e6,
            "candidates of a generation, lambda; 4 + floor(3 ln n) for n parameters if not given"),
    real(Key::optimize_sigma, "optimize.sigma", "1", "0.3", positive,
         "standard deviation of the first generation, in units of each parameter's scale"),
    integer(Key::optimize_generations, "optimize.generations", "1000", 1.0, 1e8,
            "most generations, those of restarts included"),
    integer(Key::optimize_evaluations, "optimize.evaluations", no_default, 2.0, 1e9,
            "most candidates, those of restarts included; the file has room for them; optimize.generations "
            "times the population if not given"),
    choice(Key::optimize_restarts, "optimize.restarts", "none", choices<Restarts>,
           "whether a search that has stopped short of optimize.target starts again: with twice the "
           "population, or by turns with large and small ones"),
    choice(Key::optimize_covariance, "optimize.covariance", "full", choices<CovarianceShape>,
           "what is adapted of the covariance matrix; diagonal (separable) for hundreds of parameters"),
    choice(Key::optimize_mode, "optimize.mode", "generational", "generational|asynchronous",
           "whether workers wait for the end of a generation or begin the next one before"),
    integer(
        Key::optimize_ahead, "optimize.ahead", no_default, 1.0, 1e6,
        "candidates of the next generation that optimize.mode = asynchronous begins when all but as many of "
        "this one have ended, at most the population: twice the workers is enough; an eighth of the "
        "population if not given"),
    real(Key::optimize_largest_gain, "optimize.largest_gain", "as the objective", no_default, not_negative,
         "most by which the objective (forward_speed, lateral_speed) at time.end may be better than over any "
         "whole muscle.period that begins at optimize.settled or later: a promise, checked on each member "
         "that "
         "ends; if given, members that cannot enter the best half of their generation any more are stopped"),
    real(Key::optimize_settled, "optimize.settled", "s", no_default, not_negative,
         "from when on optimize.largest_gain holds; 0 if not given"),
    integer(
        Key::optimize_in_flight, "optimize.in_flight", no_default, 1.0, 1e6,
        "candidates that may run at once when all have begun but those that may be stopped: twice the ranks "
        "is enough; the fewer, the more are stopped; 8 if not given"),
    real(Key::optimize_target, "optimize.target", "as the objective", no_default, any_number,
         "objective at which the search stops"),
    real(
        Key::optimize_tolerance, "optimize.tolerance", "as the objective", "1e-11", not_negative,
        "the search stops when the objective varies by less over generations (tolfun, tolfunhist); 0: never"),
    real(
        Key::optimize_tolerance_x, "optimize.tolerance_x", "1", "1e-11", not_negative,
        "the search stops when its standard deviations are below this times the first ones (tolx); 0: never"),
    choice(Key::model_kind, "model.kind", "cosserat", choices<ModelKind>, what_members_advance_with.view()),
    choice(Key::model_precision, "model.precision", "double", "double|single",
           "of the arithmetic of a step of cosserat: single is about 1.5 times as fast, and its forces are "
           "right to about 1e-7 of the stiffest; contact, observables and frames are double in either"),
    choice(Key::model_section, "model.section", no_default, "incompressible|rigid",
           "what becomes of sections as a rod stretches: incompressible (the default of cosserat): area 1/e, "
           "as in "
           "eq. 2.10; rigid (that of der): they stay, and the elastic forces have an energy"),
    real(Key::noop_seconds, "noop.seconds", "s", "0", not_negative,
         "time a member of model.kind = noop waits"),
    choice(Key::function_name, "function.name", "sphere", choices<FunctionKind>,
           "function that a member of model.kind = function reports as function_value"),
    real_list(Key::function_x, "function.x", "1", "point at which the function is taken"),
    real(Key::function_seconds, "function.seconds", "s", "0", not_negative,
         "time a member of model.kind = function waits"),
    real(Key::function_slowest, "function.slowest", "1", "1", {.minimum = 1.0},
         "members wait between function.seconds and this many times as long, at random"),
    integer(Key::rod_count, "rod.count", "1", 1.0, 1e4,
            "number of rods of a member; all keys of rod, boundary and load hold for each of them"),
    repeatable_text(
        Key::rod_each, "rod.each",
        "KEY : list(v,...), one number or word for each rod, where KEY or KEY[i] is a key of rod, "
        "boundary, joint or load that is not to be the same for all of them"),
    real(Key::rod_polygon_side, "rod.polygon_side", "m", "0", not_negative,
         "side of a regular polygon across rod.direction with rod.origin in its middle and a rod at each "
         "corner, "
         "the first towards rod.normal; 0: rods stand at rod.origin"),
    integer(Key::rod_elements, "rod.elements", no_default, 1.0, 1e6, "number of elements of the rod"),
    real(
        Key::rod_elements_per_length, "rod.elements_per_length", "1/m", no_default, positive,
        "instead of rod.elements: elements per rest length, their number rounded to the nearest, at least 1"),
    real(Key::rod_length, "rod.length", "m", no_default, positive, "rest length of the rod"),
    real(Key::rod_radius, "rod.radius", "m", no_default, positive, "radius of the circular cross-section"),
    real(Key::rod_radius_per_length, "rod.radius_per_length", "1", no_default, positive,
         "instead of rod.radius: radius over rest length"),
    real(Key::rod_density, "rod.density", "kg/m^3", no_default, positive, "mass density of the rod"),
    real(Key::rod_mass, "rod.mass", "kg", no_default, positive,
         "instead of rod.density: mass of the whole rod"),
    real(Key::rod_young_modulus, "rod.young_modulus", "Pa", no_default, positive,
         "Young's modulus E; not needed where all stiffnesses are given"),
    real(Key::rod_shear_modulus, "rod.shear_modulus", "Pa", no_default, positive,
         "shear modulus G, for the twist and shear stiffnesses"),
    real(Key::rod_poisson_ratio, "rod.poisson_ratio", "1", no_default,
         {.minimum = -1.0, .maximum = 0.5, .minimum_excluded = true},
         "instead of rod.shear_modulus: Poisson's ratio nu, G = E / (2 (1 + nu))"),
    real(Key::rod_bend_stiffness, "rod.bend_stiffness", "N m^2", no_default, positive,
         "instead of E I, with I = pi r^4 / 4"),
    real(Key::rod_twist_stiffness, "rod.twist_stiffness", "N m^2", no_default, positive,
         "instead of G I3, with I3 = pi r^4 / 2"),
    real(Key::rod_twist_to_bend_ratio, "rod.twist_to_bend_ratio", "1", no_default, positive,
         "instead of rod.twist_stiffness: twist stiffness over bend stiffness"),
    real(Key::rod_shear_stiffness, "rod.shear_stiffness", "N", no_default, positive,
         "instead of 4/3 G A, with A = pi r^2"),
    real(Key::rod_stretch_stiffness, "rod.stretch_stiffness", "N", no_default, positive,
         "instead of E A, with A = pi r^2"),
    real(Key::rod_damping, "rod.damping", "kg/(m s)", "0", not_negative,
         "force over velocity of nodes, per rest length; what resists turning is rod.rotational_damping"),
    choice(Key::rod_damping_law, "rod.damping_law", "separate", "separate|published",
           "what resists the turning of elements: rod.rotational_damping (separate), or the number of "
           "rod.damping in kg m/s (published: eqs 4.1 and 4.2 of Gazzola et al. 2018)"),
    real(Key::rod_rotational_damping, "rod.rotational_damping", "kg m/s", no_default, not_negative,
         "couple over angular velocity of elements, per rest length; if not given, rod.damping times moment "
         "of inertia over mass of the section, so that turning fades as moving does (of der, about the "
         "element's own axis alone)"),
    real(
        Key::rod_relaxation_time, "rod.relaxation_time", "s", no_default, positive,
        "instead of rod.damping: time in which all velocities and angular velocities of a free rod fall by a "
        "factor e"),
    real(Key::rod_damping_ratio, "rod.damping_ratio", "1", no_default, not_negative,
         "instead of rod.damping: fraction of the critical damping of the slowest bending mode of the rod, "
         "straight, unloaded and held as boundary.first and boundary.last say; 1 brings it to rest soonest"),
    vec3(Key::rod_origin, "rod.origin", "m", "0, 0, 0",
         "position of the first node; of a ring or helix, a point of its axis"),
    vec3(Key::rod_direction, "rod.direction", "1", "0, 0, 1",
         "direction from the first node to the last, of a ring or helix its axis; any length but zero"),
    vec3(Key::rod_normal, "rod.normal", "1", no_default,
         "first director, of a ring or helix also the direction from its axis to the first node; any length "
         "but zero; its part along rod.direction (of a file, along the first element) is removed; if not "
         "given, 1, 0, 0, or 0, 1, 0 where that is parallel"),
    real(Key::rod_inertia_ratio, "rod.inertia_ratio", "1", "1", positive,
         "moments of inertia over those of the homogeneous rod: 2 for a thin tube of the same mass"),
    vec3(Key::rod_velocity, "rod.velocity", "m/s", "0, 0, 0", "velocity of the whole rod at the start"),
    real(Key::rod_damping_decay_time, "rod.damping_decay_time", "s", no_default, positive,
         "time in which the damping of the rod falls by a factor e; it is constant if not given"),
    real_list(Key::rod_point_masses, "rod.point_masses", "kg", "point masses on the rod", not_negative),
    real_list(Key::rod_point_mass_positions, "rod.point_mass_positions", "m",
              "where rod.point_masses are, one for each: rest length from the first node; the nearest node "
              "carries the mass",
              not_negative),
    real(Key::rod_end_radius, "rod.end_radius", "m", no_default, positive,
         "radius at the last node of a rod that tapers linearly from rod.radius at the first; stiffnesses "
         "given in place of moduli are those at the first node"),
    choice(Key::rod_shape, "rod.shape", "straight", choices<RodShape>,
           "centre line at the start: straight along rod.direction; ring or helix about it through "
           "rod.origin, right-handed from rod.normal on; file: the nodes of rod.shape_file, moved by "
           "rod.origin"),
    free_text(
        Key::rod_shape_file, "rod.shape_file",
        "nodes of rod.shape = file, one a line as x, y, z in m (CSV), or FILE.h5:/DATASET of shape "
        "[nodes, 3]; a relative path starts at the deck's folder; replaces rod.length and rod.elements"),
    real_list(Key::rod_shape_nodes, "rod.shape_nodes", "m",
              "instead of rod.shape_file: x, y, z of every node; stored decks hold the nodes of the file so"),
    real(Key::rod_helix_radius, "rod.helix_radius", "m", no_default, positive,
         "distance of a helix's nodes from its axis"),
    real(Key::rod_helix_pitch, "rod.helix_pitch", "m", no_default, any_number,
         "advance of a helix along its axis in a turn; negative: left-handed"),
    choice(Key::rod_closed, "rod.closed", no_default, "no|yes",
           "whether the last node is the first, of a ring or a file that lists it once; if not given, a ring "
           "is closed"),
    real(Key::rod_total_twist, "rod.total_twist", "rad", "0", any_number,
         "angle by which the last section stands ahead of the first about the tangent at the start, spread "
         "evenly; elastic"),
    choice(Key::rod_rest_shape, "rod.rest_shape", "initial", "initial|straight",
           "natural shape of the centre line: the one it starts with, or straight"),
    pair(Key::rod_intrinsic_curvature, "rod.intrinsic_curvature", "1/m", "0, 0",
         "natural curvature about the first and second director, besides that of rod.rest_shape"),
    real(Key::rod_intrinsic_twist, "rod.intrinsic_twist", "rad/m", "0", any_number,
         "natural twist about the third director"),
    choice(Key::boundary_first, "boundary.first", "free", choices<EndCondition>,
           "what holds the first end; the sliding ones leave it free along the initial axis, clamped_element "
           "(model der) "
           "holds the whole element there"),
    choice(Key::boundary_last, "boundary.last", "free", choices<EndCondition>,
           "what holds the last end; the sliding ones leave it free along the initial axis, clamped_element "
           "(model der) "
           "holds the whole element there"),
    real(Key::boundary_twist, "boundary.twist", "rad", "0", any_number,
         "angle by which the last end is turned ahead of the first about the initial axis"),
    real(Key::boundary_slack, "boundary.slack", "m", "0", any_number,
         "length by which the ends are brought together along the initial axis; negative pulls them apart"),
    real(
        Key::boundary_motion_time, "boundary.motion_time", "s", no_default, positive,
        "time from the start in which boundary.twist and boundary.slack are applied, at constant rates; then "
        "the ends are held"),
    choice(Key::boundary_driven, "boundary.driven", "both", choices<DrivenEnds>,
           "the end that boundary.twist and boundary.slack move; both: half each"),
    choice(Key::joint_kind, "joint.kind", "none", choices<JointKind>,
           "what joins the first end of each rod but the first to the last end of the rod before, wherever "
           "rod.origin is; joined ends have neither boundary conditions nor end loads"),
    vec3(Key::load_end_force, "load.end_force", "N", "0, 0, 0", "force on the last node, laboratory frame"),
    vec3(Key::load_end_couple, "load.end_couple", "N m", "0, 0, 0",
         "couple on the last element, laboratory frame"),
    real(Key::load_axial_force, "load.axial_force", "N", "0", any_number,
         "force on the last node along the initial axis; positive compresses"),
    real(Key::load_perturbation, "load.perturbation", "N", "0", not_negative,
         "largest norm of a random force on each node"),
    real(Key::load_perturbation_duration, "load.perturbation_duration", "s", no_default, not_negative,
         "time from the start during which load.perturbation and load.middle_force act; the whole simulation "
         "if not given"),
    vec3(Key::load_distributed_force, "load.distributed_force", "N", "0, 0, 0",
         "force on the whole rod, spread evenly over its length, laboratory frame"),
    vec3(Key::load_distributed_couple, "load.distributed_couple", "N m", "0, 0, 0",
         "couple on the whole rod, spread evenly over its length, laboratory frame"),
    real(Key::load_magnetization, "load.magnetization", "A/m", "0", any_number,
         "magnetic moment per volume of the rod, along itself towards the last node"),
    vec3(Key::load_magnetic_flux_density, "load.magnetic_flux_density", "T", "0, 0, 0",
         "magnetic field that turns a magnetised rod, laboratory frame"),
    real(
        Key::load_ramp_time, "load.ramp_time", "s", "0", not_negative,
        "time from the start in which end force, end couple, axial force, distributed loads and the magnetic "
        "field grow linearly to their values"),
    real(Key::load_frequency, "load.frequency", "1/s", "0", not_negative,
         "f of a factor sin(2 pi f t) on end force, end couple, axial force, distributed loads and the "
         "magnetic "
         "field; 0: they are steady"),
    vec3(Key::load_middle_force, "load.middle_force", "N", "0, 0, 0",
         "force at mid-length, laboratory frame: an imperfection to start a buckle from"),
    vec3(Key::gravity_acceleration, "gravity.acceleration", "m/s^2", "0, 0, 0", "acceleration of gravity"),
    real(Key::gravity_incline, "gravity.incline", "rad", "0", any_number,
         "angle by which gravity.acceleration is turned about rod.direction, as on an inclined ground"),
    choice(Key::ground_kind, "ground.kind", "none", "none|plane",
           "plane that the rod may touch, beside ground.spheres and ground.cylinders"),
    vec3(Key::ground_origin, "ground.origin", "m", "0, 0, 0", "a point of the ground's surface"),
    vec3(Key::ground_normal, "ground.normal", "1", "0, 1, 0",
         "direction out of the ground, any length but zero"),
    real(Key::ground_stiffness, "ground.stiffness", "N/m", "1", not_negative,
         "force on an element per depth that it has sunk into the ground"),
    real(Key::ground_damping, "ground.damping", "kg/s", "1e-6", not_negative,
         "force on an element per speed along the ground's normal, while it touches"),
    friction(Key::ground_static_friction, "ground.static_friction",
             "coefficients of static friction: forward (first node to last), backward, rolling (sideways)"),
    friction(Key::ground_kinetic_friction, "ground.kinetic_friction",
             "coefficients of kinetic friction: forward, backward, rolling"),
    real(Key::ground_velocity_threshold, "ground.velocity_threshold", "m/s", "1e-8", positive,
         "speed below which friction is static; it is kinetic above 1.5 times this"),
    real_list(Key::ground_spheres, "ground.spheres", "m",
              "x, y, z, radius of each ball that the rod may touch, of the ground's material; with a "
              "negative radius the rod is inside"),
    real_list(Key::ground_cylinders, "ground.cylinders", "m",
              "point x, y, z and direction x, y, z of the axis, radius of each endless cylinder that the rod "
              "may touch, of the ground's material; with a negative radius the rod is inside"),
    choice(Key::muscle_kind, "muscle.kind", "couple", choices<MuscleKind>,
           "what muscles exert where muscle.amplitudes are given: couples at nodes or forces in elements, "
           "neither "
           "with a resultant"),
    real_list(
        Key::muscle_amplitudes, "muscle.amplitudes", "N m or N",
        "inner control values of the cubic B-spline profile of the muscles' wave from node 0 on, 2 to 32; "
        "the profile is zero at both ends"),
    real(Key::muscle_period, "muscle.period", "s", no_default, positive,
         "period of the muscles' wave, whose amplitude grows linearly over the first one"),
    real(Key::muscle_wave_number, "muscle.wave_number", "rad/m", "0", any_number,
         "2 pi over the length of the muscles' wave; positive: it runs from the last node (the head) to the "
         "first"),
    real(Key::muscle_phase, "muscle.phase", "rad", "0", any_number, "phase of the muscles' wave"),
    choice(Key::muscle_direction, "muscle.direction", no_default, "d1|d2|d3",
           "director along which muscles act; d1 for couples and d3 for forces if neither it nor muscle.axis "
           "is given"),
    vec3(Key::muscle_axis, "muscle.axis", "1", no_default,
         "instead of muscle.direction: laboratory direction along which muscles act, any length but zero"),
    choice(
        Key::fluid_kind, "fluid.kind", "slender_body", choices<FluidKind>,
        "how the fluid acts on rods: drag of each node by its own velocity (model cosserat), or regularised "
        "Stokeslet segments, by which all rods move the fluid around all (model der)"),
    real(Key::fluid_viscosity, "fluid.viscosity", "Pa s", no_default, not_negative,
         "dynamic viscosity mu of the fluid around the rods; 0: no fluid"),
    real(Key::fluid_reynolds, "fluid.reynolds", "1", no_default, positive,
         "instead of fluid.viscosity: Reynolds number, mu = fluid.density rod.length^2 / (muscle.period "
         "fluid.reynolds)"),
    real(Key::fluid_density, "fluid.density", "kg/m^3", "1", positive,
         "density of the fluid, which only the Reynolds number needs"),
    choice(Key::fluid_mobility, "fluid.mobility", "full", choices<MobilityKind>,
           "what is solved for the forces: the mobility, or, as the program of Tong et al. (2023) "
           "does, its lower triangle taken as symmetric"),
    real(Key::fluid_regularization, "fluid.regularization", "m", no_default, positive,
         "length over which Stokeslets are spread; 1.02 times the radius of each element if not given; "
         "sqrt(e) times the radius gives the drag of slender-body theory"),
    real(Key::fluid_tolerance, "fluid.tolerance", "1", "1e-6",
         {.minimum = 0.0, .maximum = 1e-2, .minimum_excluded = true},
         "norm of what the velocities of the fluid may miss those of the nodes by, over the norm "
         "of these"),
    choice(
        Key::contact_kind, "contact.kind", "none", choices<ContactKind>,
        "what keeps rods from passing through themselves and each other: forces (penalty, model cosserat), "
        "or an implicit potential (imc) or barrier (ipc) of model der"),
    real(Key::contact_stiffness, "contact.stiffness", "N/m", no_default, positive,
         "force over overlap of two elements"),
    real(Key::contact_damping, "contact.damping", "kg/s", "0", not_negative,
         "force over the speed at which two touching elements approach"),
    real(Key::contact_tolerance, "contact.tolerance", "m", no_default, positive,
         "gap below which a pair of elements is in contact"),
    real(Key::contact_friction, "contact.friction", "1", "0", not_negative,
         "coefficient of Coulomb friction"),
    real(Key::contact_slip_tolerance, "contact.slip_tolerance", "m/s", no_default, positive,
         "speed up to which elements that slide on each other count as sticking"),
    real(Key::time_step, "time.step", "s", no_default, positive, "time step"),
    real(Key::time_step_per_length, "time.step_per_length", "s/m", no_default, positive,
         "instead of time.step: time step over the rest length of an element"),
    real(Key::time_end, "time.end", "s", no_default, positive,
         "simulated time; where the step does not divide it, the last step ends after it"),
    integer(Key::time_slice_steps, "time.slice_steps", "1000", 1.0, 1e9,
            "time steps between two looks at a member's health and events"),
    real(Key::time_step_per_crossing, "time.step_per_crossing", "1", no_default, positive,
         "instead of time.step: time step over the time a stretch wave takes along the rod at rest, L "
         "sqrt(rho A/S3)"),
    real(Key::time_end_per_crossing, "time.end_per_crossing", "1", no_default, positive,
         "instead of time.end: simulated time over the time a stretch wave takes along the rod at rest"),
    real(Key::newton_tolerance, "newton.tolerance", "1", "1e-6", positive,
         "norm of the force that a step may leave unbalanced, over bend stiffness/rod.length^2"),
    real(Key::newton_relative_tolerance, "newton.relative_tolerance", "1", "0",
         {.minimum = 0.0, .maximum = 1.0},
         "fraction of the first iterate's unbalanced force that is enough as well, where it is "
         "below "
         "a hundredth of the external forces; 0: none is"),
    integer(Key::newton_iterations, "newton.iterations", "50", 1.0, 1e6,
            "most iterations of Newton's method in a step"),
    integer(Key::newton_halvings, "newton.halvings", "10", 0.0, 40.0,
            "how often a step is halved, at most, where its iteration does not converge"),
    real(Key::observe_buckling_energy, "observe.buckling_energy", "J", "0", not_negative,
         "energy of bending and twist above which a member counts as buckled and stops; 0: never"),
    real(Key::observe_buckling_translational_energy, "observe.buckling_translational_energy", "J", "0",
         not_negative, "translational energy above which a member counts as buckled and stops; 0: never"),
    integer(Key::output_frames, "output.frames", "0", 0.0, 1e6,
            "stored instants of a trajectory, from the start to time.end; 0 (none) or at least 2"),
    row(Key::output_keep, "output.keep", ValueType::text, "all",
        "whose frames are kept: all, none, or best K: when all members have ended, the K best by "
        "study.objective "
        "run once more and leave their frames in FILE_kept.h5"),
    free_text(Key::output_fields, "output.fields",
              "comma-separated names of what a frame holds besides positions: velocity, orientation, "
              "angular_velocity, dilatation, radius, curvature"),
    free_text(Key::output_observables, "output.observables",
              "comma-separated names of observables that frames hold too, as they stand at that time"),
    choice(Key::output_precision, "output.precision", "double", "float|double",
           "number type of stored trajectories"),
    real(Key::output_checkpoint_interval, "output.checkpoint_interval", "s", "600", not_negative,
         "wall time between two checkpoints of members that run, from which resume goes on with them; 0: "
         "none"),
});

constexpr bool rows_follow_the_enumeration() {
  for (std::size_t index = 0; index < table.size(); ++index) {
    if (static_cast<std::size_t>(table[index].key) != index) return false;
  }
  return table.size() == static_cast<std::size_t>(Key::count);
}
static_assert(rows_follow_the_enumeration(), "key_info() indexes the table with the enumeration");

}  // namespace

std::span<const KeyInfo> key_table() { return table; }

const KeyInfo& key_info(Key key) { return table[static_cast<std::size_t>(key)]; }

Key find_key(std::string_view name) {
  const auto found = std::ranges::find(table, name, &KeyInfo::name);
  return found == table.end() ? Key::count : found->key;
}

}  // namespace rodeo
