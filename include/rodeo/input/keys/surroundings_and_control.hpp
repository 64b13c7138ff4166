#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"

namespace rodeo::keys {

/// Surroundings and drives of rods: ground, muscles, formulas, fluid, contact; and control, which samples a
/// member while it runs and drives it.
inline constexpr auto surroundings_and_control = std::to_array<KeyInfo>({
    flag<&GroundSpec::has_plane>(
        "ground.kind", "none", "none|plane",
        "plane that the rod may touch, beside ground.planes, ground.spheres and ground.cylinders"),
    vec3<&GroundSpec::origin>("ground.origin", "m", "0, 0, 0", "a point of the ground's surface"),
    vec3("ground.normal", "1", "0, 1, 0", "direction out of the ground, any length but zero"),
    choice<&GroundSpec::response>(
        "ground.response", no_default,
        "what the ground answers: all force on an element that touches it, at any depth, or its depth and "
        "its way along the surface, by springs; net_force if not given, in model.kind = der and by "
        "time.method = static|implicit springs"),
    real<&GroundSpec::stiffness>(
        "ground.stiffness", "N/m", "1", not_negative,
        "force on an element per depth that it has sunk into the ground, half of it where one of its ends "
        "alone has, and on springs per way along it until friction yields"),
    real<&GroundSpec::damping>("ground.damping", "kg/s", "1e-6", not_negative,
                               "force on an element per speed along the ground's normal, while it touches, "
                               "and on springs per speed along the surface"),
    friction<&GroundSpec::static_friction>(
        "ground.static_friction",
        "coefficients of static friction: forward (first node to last), backward, rolling (sideways)"),
    friction<&GroundSpec::kinetic_friction>(
        "ground.kinetic_friction",
        "coefficients of kinetic friction: forward, backward, rolling; those of static friction if not given",
        no_default),
    real<&GroundSpec::velocity_threshold>(
        "ground.velocity_threshold", "m/s", no_default, positive,
        "speed below which friction is static; it is kinetic above 1.5 times this. If not given 1e-8; by "
        "springs a fiftieth of the speed that an element takes up where they let it go, limit of friction / "
        "sqrt(stiffness * mass)"),
    real_list("ground.planes", "m",
              "point x, y, z and direction x, y, z out of the ground of each further plane that the rod may "
              "touch, of the ground's material; a box is six of them"),
    real_list("ground.spheres", "m",
              "x, y, z, radius of each ball that the rod may touch, of the ground's material; with a "
              "negative radius the rod is inside"),
    real_list("ground.cylinders", "m",
              "point x, y, z and direction x, y, z of the axis, radius of each endless cylinder that the rod "
              "may touch, of the ground's material; with a negative radius the rod is inside"),
    formulas("ground.platen",
             "X, Y, Z, NX, NY, NZ : DX, DY, DZ, a plane that moves, of the ground's material: a point of it, "
             "the direction out of it, and formulas of the time t (s) of its displacement (m), for example "
             "0, 0, 0.1, 0, 0, -1 : 0, 0, -0.01 * ramp(t, 0, 1)"),
    choice<&MuscleSpec::kind>("muscle.kind", "couple",
                              "what muscles exert where muscle.amplitudes are given: couples at nodes or "
                              "forces in elements, neither with a resultant"),
    real_list("muscle.amplitudes", "N m or N",
              "inner control values of the cubic B-spline profile of the muscles' wave from node 0 on, 2 to "
              "32; the profile is zero at both ends"),
    real<&MuscleSpec::period>(
        "muscle.period", "s", no_default, positive,
        "period of the muscles' wave, whose amplitude grows linearly over the first one"),
    real<&MuscleSpec::wave_number>("muscle.wave_number", "rad/m", "0", any_number,
                                   "2 pi over the length of the muscles' wave; positive: it runs from the "
                                   "last node (the head) to the first"),
    real<&MuscleSpec::phase>("muscle.phase", "rad", "0", any_number, "phase of the muscles' wave"),
    choice("muscle.direction", no_default, "d1|d2|d3",
           "director along which muscles act; d1 for couples and d3 for forces if neither it nor muscle.axis "
           "is given"),
    vec3("muscle.axis", "1", no_default,
         "instead of muscle.direction: laboratory direction along which muscles act, any length but zero"),
    repeatable_formulas(
        "actuation.force",
        "AXIS [, PLACE] : FORMULA, a force that drives rods: per rest length in N/m, or at a node, element "
        "or point in N, for example x, rod 0, s 0.2 to 0.4 : 0.1 * sin(2 * pi * t)"),
    repeatable_formulas("actuation.couple",
                        "AXIS [, PLACE] : FORMULA, an external couple: per rest length in N, or at a place "
                        "in N m, for example z, end : 1e-3 * ramp(t, 0, 1)"),
    repeatable_formulas("actuation.internal_couple",
                        "AXIS [, PLACE] : FORMULA, a couple of one part of the rod on the next in N m, "
                        "without a resultant, as muscles exert it; positive bends as positive curvature"),
    repeatable_formulas("actuation.curvature",
                        "d1|d2 [, PLACE] : FORMULA, natural curvature in 1/m besides the rod's own, for "
                        "example d1 : 5 * sin(2 * pi * (t - s))"),
    repeatable_formulas("actuation.twist",
                        "d3 [, PLACE] : FORMULA, natural twist in rad/m besides the rod's own"),
    repeatable_formulas("actuation.stretch",
                        "d3 [, PLACE] : FORMULA, natural length over rest length: 1 at rest, more for "
                        "growth, less for contraction"),
    repeatable_text("table.column",
                    "FILE : COLUMN : v, ..., a column of a CSV file that a formula names by table(FILE, X, "
                    "COLUMN): decks that are stored have it from there"),
    choice<&FluidSpec::kind>(
        "fluid.kind", "slender_body",
        "how the fluid acts on rods: drag of each node by its own velocity, or regularised Stokeslet "
        "segments, by which all rods move the fluid around all (model der, and implicit steps)"),
    real<&FluidSpec::viscosity>("fluid.viscosity", "Pa s", no_default, not_negative,
                                "dynamic viscosity mu of the fluid around the rods; 0: no fluid"),
    real("fluid.reynolds", "1", no_default, positive,
         "instead of fluid.viscosity: Reynolds number, mu = fluid.density rod.length^2 / (muscle.period "
         "fluid.reynolds)"),
    real("fluid.density", "kg/m^3", "1", positive,
         "density of the fluid, which only the Reynolds number needs"),
    choice<&FluidSpec::mobility>("fluid.mobility", "full",
                                 "what is solved for the forces: the mobility, or, as the program of Tong et "
                                 "al. (2023) does, its lower triangle taken as symmetric"),
    real<&FluidSpec::regularization>(
        "fluid.regularization", "m", no_default, positive,
        "length over which Stokeslets are spread; 1.02 times the radius of each element if not given; "
        "sqrt(e) times the radius gives the drag of slender-body theory"),
    real<&FluidSpec::tolerance>(
        "fluid.tolerance", "1", "1e-6", {.minimum = 0.0, .maximum = 1e-2, .minimum_excluded = true},
        "norm of what the velocities of the fluid may miss those of the nodes by, over the norm of these; "
        "below 1e-6 members of 700 nodes and more have the matrix of all pairs of nodes, as smaller ones do, "
        "instead of sums over clusters"),
    choice<&ContactSpec::kind>(
        "contact.kind", "none",
        "what keeps rods from passing through themselves and each other: forces (penalty, model cosserat), "
        "or an implicit potential (imc) or barrier (ipc) for implicit steps"),
    real<&ContactSpec::stiffness>("contact.stiffness", "N/m", no_default, positive,
                                  "force over overlap of two elements"),
    real<&ContactSpec::damping>(
        "contact.damping", "kg/s", "0", not_negative,
        "force over the speed at which two touching elements approach, and with contact.friction slide"),
    real<&ContactSpec::tangential_stiffness>("contact.tangential_stiffness", "N/m", no_default, positive,
                                             "of the springs that hold elements on each other until friction "
                                             "yields; 0.8 contact.stiffness if not given"),
    real<&ContactSpec::tolerance>("contact.tolerance", "m", no_default, positive,
                                  "gap below which a pair of elements is in contact"),
    real<&ContactSpec::friction>("contact.friction", "1", "0", not_negative,
                                 "coefficient of Coulomb friction between elements in contact"),
    real<&ContactSpec::slip_tolerance>(
        "contact.slip_tolerance", "m/s", no_default, positive,
        "speed up to which elements that slide on each other count as sticking"),
    real("control.interval", "s", no_default, positive,
         "time between two samples, a whole number of time steps; the first is at t = 0"),
    choice("control.hold", "zero", "zero|linear",
           "what inputs and outputs do between samples: stay (zero), or go linearly to their new value and "
           "are there at the next sample"),
    repeatable_formulas(
        "control.input",
        "NAME : START in [LOW, HIGH], a number that programs set from outside while the member runs "
        "(softrods.Simulation); in rodeo run it stays at START. NAME[N] gives N of them, with index k"),
    repeatable_formulas("control.signal",
                        "NAME [UNIT] : EXPRESSION [delay T] [noise SIGMA], what is measured at each sample: "
                        "a formula of signals of measures and of inputs, for example tip [m] : x(end) - "
                        "goal. It is seen T seconds later, with normal noise of standard deviation SIGMA. "
                        "NAME[N] gives N, with index k: bend[10] : curvature_1(s (k + 0.5)/10)"),
    repeatable_formulas(
        "control.state",
        "NAME : START, RATE, a number with a rate per second, a formula of t, inputs, signals and states, "
        "integrated from sample to sample. NAME[N] gives N, with index k"),
    repeatable_formulas(
        "control.network",
        "NAME[N] : LAYERS of NUMBERS with WEIGHTS, a feedforward network that gives N numbers, for example "
        "u[6] : tanh 16, tanh of tip, bend with variable.w. Layers are linear, tanh, relu, sigmoid or sin, "
        "each with its units but the last; weights are a list of the deck or table(FILE, COLUMN), layer by "
        "layer and unit by unit: a weight for each number that the layer sees, then the bias. A law of "
        "control in C++ that the program was given stands in the place of LAYERS by its name"),
    repeatable_formulas(
        "control.output",
        "NAME : EXPRESSION [in [LOW, HIGH]] [rate R] [from START], a number for the formulas of actuation, "
        "motion and ground.platen, found at each sample of all numbers above it, cut to its range, and "
        "changed by R per second at most, from START (0) on. NAME[N] gives N, with index k"),
});

}  // namespace rodeo::keys
