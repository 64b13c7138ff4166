#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"
#include "rodeo/models/models.hpp"

namespace rodeo::keys {

inline constexpr FixedText what_members_advance_with = [] {
  FixedText text("what a member advances with: ");
  for (const Model& model : model_table) {
    if (!is_default(model)) continue;
    if (&model != &model_table.front()) text += &model == &model_table.back() ? ", or " : ", ";
    text += model.text;
  }
  return text;
}();

/// Models, those without rods among them, and rods.
inline constexpr auto model_and_rod = std::to_array<KeyInfo>({
    choice<&SharedSpec::model>("model.kind", "cosserat", what_members_advance_with.view()),
    flag<&SharedSpec::single_precision>(
        "model.precision", "double", "double|single",
        "of the arithmetic of a step of cosserat: single is about 1.5 times as fast, and its forces are "
        "right to about 1e-7 of the stiffest; contact, observables and frames are double in either"),
    flag<&SharedSpec::on_device>(
        "model.device", "host", "host|gpu",
        "what takes the explicit steps of cosserat: the cores of the host, or a GPU, which is faster for "
        "dozens of members and more and takes neither contact, motions, connections, formulas nor sections "
        "with two bend stiffnesses; results differ by rounding"),
    choice("model.section", "rigid", "rigid|incompressible|published",
           "what becomes of sections as a rod stretches: rigid: they stay; incompressible: their area falls "
           "as 1/e, and forces are all of the derivative of the energy with stiffnesses S/e and B/E^3; "
           "published: that law as eqs 2.10, 3.8 and 3.9 have it, without what the stiffnesses of such an "
           "energy do to the tension, so that undamped rods gain or lose energy; the last two are for "
           "explicit steps of cosserat"),
    flag<&SharedSpec::published_laws>(
        "model.laws", "consistent", "consistent|published",
        "published: as Tong et al. (2023) print them, the bend stiffness of der falls by the squared cosine "
        "of half the twist between elements, and friction of imc and ipc acts on centre lines, also of "
        "elements along each other in their closest points"),
    real<&SharedSpec::noop_seconds>("noop.seconds", "s", "0", not_negative,
                                    "time a member of model.kind = noop waits"),
    choice<&FunctionSpec::kind>("function.name", "sphere",
                                "function that a member of model.kind = function reports as function_value"),
    real_list<&FunctionSpec::x>("function.x", "1", "point at which the function is taken"),
    real<&FunctionSpec::deviation>("function.noise", "1", "0", not_negative,
                                   "standard deviation of a normal random number that is added to the value"),
    real<&FunctionSpec::seconds>("function.seconds", "s", "0", not_negative,
                                 "time a member of model.kind = function waits"),
    real<&FunctionSpec::slowest>(
        "function.slowest", "1", "1", {.minimum = 1.0},
        "members wait between function.seconds and this many times as long, at random"),
    integer("rod.count", "1", 1.0, 1e4,
            "number of rods of a member; all keys of rod, boundary and load hold for each of them"),
    repeatable_text(
        "rod.each",
        "KEY : list(v,...) | uniform(lower,upper) | normal(mean,deviation), one number or word for each rod, "
        "or random numbers, where KEY or KEY[i] is a key of rod, boundary, joint, load or muscle that is not "
        "to be the same for all of them; numbers may be expressions; rod.shape_file takes a list of files"),
    repeatable_text("rod.lists",
                    "K KEY : v,..., numbers of rod K (from 0) alone for rod.shape_nodes, rod.rest_lengths or "
                    "rod.state_positions and its like; stored decks hold the files of several rods so"),
    choice("rod.placement", "each", "each|lattice|random|file",
           "where a member's rods stand: as rod.origin, rod.direction and rod.each say; on a lattice that "
           "begins at rod.origin; at random places in rod.region, without overlap; as rod.scene says"),
    free_text(
        "rod.scene",
        "CSV file of the rods of rod.placement = file: a header of keys that rod.each may name, and a row "
        "for each rod; or FILE.h5:/GROUP with a dataset for each key, as in the table scene of a campaign's "
        "file; a relative path starts at the deck's folder; stored decks hold it as rod.each"),
    detail::within({.minimum = 1.0, .maximum = 1e4},
                   vec3("rod.lattice", "1", "1, 1, 1",
                        "numbers of rods along x, y and z, whose product is rod.count; those along x come "
                        "first, then those along y")),
    detail::within(not_negative, vec3("rod.lattice_spacing", "m", "0, 0, 0",
                                      "distance from a rod to the next along x, y and z")),
    choice("rod.region", "box", "box|cylinder|sphere",
           "what encloses the rods of rod.placement = random, with their radii"),
    vec3("rod.region_centre", "m", "0, 0, 0", "middle of rod.region"),
    detail::within(positive, vec3("rod.region_size", "m", no_default, "edges of a box along x, y and z")),
    real("rod.region_radius", "m", no_default, positive, "radius of a cylinder or sphere"),
    real("rod.region_length", "m", no_default, positive, "length of a cylinder"),
    vec3("rod.region_axis", "1", "0, 0, 1", "axis of a cylinder; any length but zero"),
    real("rod.volume_share", "1", no_default, {.minimum = 0.0, .maximum = 1.0, .minimum_excluded = true},
         "instead of rod.count: volume of all rods over that of rod.region, to half a rod"),
    choice("rod.orientation", "free", "free|aligned|distributed",
           "how rods of rod.placement = random are turned: all orientations equally likely (free); as "
           "rod.direction and rod.normal say (aligned); about rod.direction, by rod.orientation_spread "
           "(distributed)"),
    real("rod.orientation_spread", "rad", no_default, positive,
         "standard deviation, about each of two axes, of the angle between a rod and rod.direction where it "
         "is small; of any size, the Fisher distribution of concentration 1/rod.orientation_spread^2"),
    integer("rod.placement_seed", "0", 0.0, 4294967295.0,
            "seed of rod.placement = random and of random numbers of rod.each: the same rods for all members "
            "of a study that does not vary it, whatever study.seed is"),
    real("rod.polygon_side", "m", "0", not_negative,
         "side of a regular polygon across rod.direction with rod.origin in its middle and a rod at each "
         "corner, the first towards rod.normal; 0: rods stand at rod.origin"),
    integer("rod.elements", no_default, 1.0, 1e6, "number of elements of the rod"),
    real(
        "rod.elements_per_length", "1/m", no_default, positive,
        "instead of rod.elements: elements per rest length, their number rounded to the nearest, at least 1"),
    real("rod.length", "m", no_default, positive, "rest length of the rod"),
    choice<&RodSpec::section>("rod.section", "circle",
                              "cross-section: a circle of rod.radius; an ellipse or rectangle of rod.width "
                              "along the first director (rod.normal) and rod.thickness along the second"),
    real("rod.radius", "m", no_default, positive, "radius of the circular cross-section"),
    real("rod.radius_per_length", "1", no_default, positive,
         "instead of rod.radius: radius over rest length"),
    real<&RodSpec::width>("rod.width", "m", no_default, positive,
                          "full width of an ellipse or rectangle along the first director"),
    real<&RodSpec::thickness>("rod.thickness", "m", no_default, positive,
                              "full width of an ellipse or rectangle along the second director"),
    real("rod.density", "kg/m^3", no_default, positive, "mass density of the rod"),
    real("rod.mass", "kg", no_default, positive, "instead of rod.density: mass of the whole rod"),
    real("rod.young_modulus", "Pa", no_default, positive,
         "Young's modulus E; not needed where all stiffnesses are given"),
    real("rod.shear_modulus", "Pa", no_default, positive,
         "shear modulus G, for the twist and shear stiffnesses"),
    real("rod.poisson_ratio", "1", no_default, {.minimum = -1.0, .maximum = 0.5, .minimum_excluded = true},
         "instead of rod.shear_modulus: Poisson's ratio nu, G = E / (2 (1 + nu))"),
    real("rod.bend_stiffness", "N m^2", no_default, positive,
         "instead of E I1: about the first director, of a circle about both; I1 = pi r^4 / 4, w t^3 pi / 64 "
         "of an ellipse and w t^3 / 12 of a rectangle of width w and thickness t"),
    real("rod.second_bend_stiffness", "N m^2", no_default, positive,
         "instead of E I2: about the second director, which of a circle is rod.bend_stiffness if not given; "
         "I2 = w^3 t pi / 64 of an ellipse and w^3 t / 12 of a rectangle"),
    real("rod.twist_stiffness", "N m^2", no_default, positive,
         "instead of G I3 with the torsion constant of the section: I3 = pi r^4 / 2 of a circle, w^3 t^3 pi "
         "/ (16 (w^2 + t^2)) of an ellipse, Saint-Venant's series of a rectangle; ends are free to warp"),
    real("rod.twist_to_bend_ratio", "1", no_default, positive,
         "instead of rod.twist_stiffness: twist stiffness over bend stiffness"),
    real("rod.shear_stiffness", "N", no_default, positive,
         "instead of 4/3 G A, with A = pi r^2, of a circle, 4/3 G A of an ellipse, 5/6 G A of a rectangle: "
         "along the first director"),
    real("rod.second_shear_stiffness", "N", no_default, positive,
         "shear stiffness along the second director; rod.shear_stiffness if not given"),
    real("rod.stretch_stiffness", "N", no_default, positive, "instead of E A, with A = pi r^2"),
    real<&RodSpec::damping>(
        "rod.damping", "kg/(m s)", "0", not_negative,
        "force over velocity of nodes, per rest length; what resists turning is rod.rotational_damping"),
    choice("rod.damping_law", "separate", "separate|published",
           "what resists the turning of elements: rod.rotational_damping (separate), or the number of "
           "rod.damping in kg m/s (published: eqs 4.1 and 4.2 of Gazzola et al. 2018)"),
    real<&RodSpec::rotational_damping>(
        "rod.rotational_damping", "kg m/s", no_default, not_negative,
        "couple over angular velocity of elements, per rest length; if not given, rod.damping times moment "
        "of inertia over mass of the section, so that turning fades as moving does (of der, about the "
        "element's own axis alone)"),
    real("rod.relaxation_time", "s", no_default, positive,
         "instead of rod.damping: time in which all velocities and angular velocities of a free rod fall by "
         "a factor e"),
    real("rod.damping_ratio", "1", no_default, not_negative,
         "instead of rod.damping: fraction of the critical damping of the slowest bending mode of the rod, "
         "straight, unloaded and held as boundary.first and boundary.last say, and as motions do that last "
         "to the end; 1 brings it to rest soonest"),
    real<&RodSpec::retardation_time>(
        "rod.retardation_time", "s", "0", not_negative,
        "Kelvin-Voigt damping of the material: couples of bend and twist grow by this time times stiffness "
        "times rate of the curvature, which damps a vibration by this time times half its angular frequency, "
        "over the critical damping"),
    vec3<&RodSpec::origin>("rod.origin", "m", "0, 0, 0",
                           "position of the first node; of a ring or helix, a point of its axis"),
    vec3("rod.direction", "1", "0, 0, 1",
         "direction from the first node to the last, of a ring or helix its axis; any length but zero; of a "
         "file not found from its nodes, so give it where something acts along it"),
    vec3("rod.normal", "1", no_default,
         "first director, of a ring or helix also the direction from its axis to the first node; any length "
         "but zero; its part along rod.direction (of a file, along the first element) is removed; if not "
         "given, 1, 0, 0, or 0, 1, 0 where that is parallel"),
    real<&RodSpec::inertia_ratio>(
        "rod.inertia_ratio", "1", "1", positive,
        "moments of inertia over those of the homogeneous rod: 2 for a thin tube of the same mass"),
    vec3<&RodSpec::velocity>("rod.velocity", "m/s", "0, 0, 0", "velocity of the whole rod at the start"),
    formulas("rod.start_velocity",
             "VX, VY, VZ: formulas of the place s (part of the rest length), velocity of nodes along x, y "
             "and z at the start besides rod.velocity, m/s"),
    formulas("rod.start_spin",
             "WX, WY, WZ: formulas of the place s, angular velocity of elements about x, y and z at the "
             "start, rad/s"),
    free_text("rod.state",
              "FILE.h5:MEMBER or FILE.h5:MEMBER@TIME: rods start as those of that member stood and moved at "
              "its last frame, or at TIME (s): places, directors, velocities, angular velocities; what rods "
              "are, this deck says; time begins at 0; a relative path starts at the deck's folder; stored "
              "decks hold it as rod.state_positions and its like"),
    real_list("rod.state_positions", "m", "instead of rod.state: x, y, z of every node at the start"),
    real_list("rod.state_orientations", "1",
              "with rod.state_positions: w, x, y, z of every element's quaternion, which turns x, y, z into "
              "d1, d2, d3"),
    real_list("rod.state_velocities", "m/s", "with rod.state_positions: x, y, z of every node's velocity"),
    real_list("rod.state_angular_velocities", "rad/s",
              "with rod.state_positions: angular velocity of every element along d1, d2, d3"),
    real<&RodSpec::damping_decay_time>(
        "rod.damping_decay_time", "s",
        no_default, positive,
        "time in which the damping of the rod falls by a factor e; it is constant if not given"),
    real_list("rod.point_masses", "kg", "point masses on the rod", not_negative),
    real_list("rod.point_mass_positions", "m",
              "where rod.point_masses are, one for each: rest length from the first node; the nearest node "
              "carries the mass",
              not_negative),
    real("rod.end_radius", "m", no_default, positive,
         "radius at the last node of a rod that tapers linearly from rod.radius at the first; stiffnesses "
         "given in place of moduli are those at the first node"),
    real("rod.end_width", "m", no_default, positive,
         "width at the last node of a rod whose width and thickness taper linearly, by the same ratio"),
    choice<&RodSpec::shape>(
        "rod.shape", "straight",
        "centre line at the start: straight along rod.direction; ring or helix about it through rod.origin, "
        "right-handed from rod.normal on; file: the nodes of rod.shape_file, moved by rod.origin"),
    free_text(
        "rod.shape_file",
        "nodes of rod.shape = file, one a line as x, y, z in m (CSV), or FILE.h5:/DATASET of shape [nodes, "
        "3]; a relative path starts at the deck's folder; replaces rod.length and rod.elements"),
    real_list("rod.shape_nodes", "m",
              "instead of rod.shape_file: x, y, z of every node; stored decks hold the nodes of the file so"),
    real_list("rod.rest_lengths", "m",
              "of rod.shape = file: rest length of every element, or one number for all; as long as at the "
              "start if not given",
              positive),
    free_text("rod.rest_length_file",
              "instead of rod.rest_lengths: CSV file with a number for each element, one a line; a relative "
              "path starts at the deck's folder; stored decks hold it as rod.rest_lengths"),
    real<&RodSpec::helix_radius>("rod.helix_radius", "m", no_default, positive,
                                 "distance of a helix's nodes from its axis"),
    real<&RodSpec::helix_pitch>("rod.helix_pitch", "m", no_default, any_number,
                                "advance of a helix along its axis in a turn; negative: left-handed"),
    choice("rod.closed", no_default, "no|yes",
           "whether the last node is the first, of a ring or a file that lists it once; if not given, a ring "
           "is closed"),
    real<&RodSpec::total_twist>("rod.total_twist", "rad", "0", any_number,
                                "angle by which the last section stands ahead of the first about the tangent "
                                "at the start, spread evenly; elastic"),
    flag<&RodSpec::rests_straight>("rod.rest_shape", "initial", "initial|straight",
                                   "natural shape of the centre line: the one it starts with, or straight"),
    pair("rod.intrinsic_curvature", "1/m", "0, 0",
         "natural curvature about the first and second director, besides that of rod.rest_shape"),
    real("rod.intrinsic_twist", "rad/m", "0", any_number, "natural twist about the third director"),
});

}  // namespace rodeo::keys
