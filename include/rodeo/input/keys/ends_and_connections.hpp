#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"

namespace rodeo::keys {

/// End conditions, joints and loads of rods, and connections between any places of them.
inline constexpr auto ends_and_connections = std::to_array<KeyInfo>({
    choice<&BoundarySpec::first>("boundary.first", "free",
                                 "what holds the first end; the sliding ones leave it free along the initial "
                                 "axis, clamped_element (model der) holds the whole element there"),
    choice<&BoundarySpec::last>("boundary.last", "free",
                                "what holds the last end; the sliding ones leave it free along the initial "
                                "axis, clamped_element (model der) holds the whole element there"),
    real<&BoundarySpec::twist>(
        "boundary.twist", "rad", "0", any_number,
        "angle by which the last end is turned ahead of the first about the initial axis"),
    real<&BoundarySpec::slack>(
        "boundary.slack", "m", "0", any_number,
        "length by which the ends are brought together along the initial axis; negative pulls them apart"),
    real("boundary.motion_time", "s", no_default, positive,
         "time from the start in which boundary.twist and boundary.slack are applied, at constant rates; "
         "then the ends are held"),
    choice<&BoundarySpec::driven>("boundary.driven", "both",
                                  "the end that boundary.twist and boundary.slack move; both: half each"),
    choice<&RodSetup::joint>(
        "joint.kind", "none",
        "what joins the first end of each rod but the first to the last end of the rod before, wherever "
        "rod.origin is; joined ends have neither boundary conditions nor end loads"),
    repeatable_formulas("motion.position",
                        "PLACE : X, Y, Z [from T0] [until T1], displacements (m) of a node from where it "
                        "stands as the motion begins, formulas of the time t (s), or free; 0, 0, 0 holds it. "
                        "For example end : 0, 0, 0.01 * sin(2 * pi * t) until 5"),
    repeatable_formulas("motion.rotation",
                        "PLACE about X Y Z [alone] : ANGLE [from T0] [until T1], turn (rad) of an element, "
                        "or of the directors of start or end, about an axis of the laboratory, a formula of "
                        "the time t (s); 0 holds it. It turns about no other axis, unless alone leaves the "
                        "bending of an end free about whose tangent it is"),
    vec3<&LoadSpec::end_force>("load.end_force", "N", "0, 0, 0", "force on the last node, laboratory frame"),
    vec3<&LoadSpec::end_couple>(
        "load.end_couple", "N m", "0, 0, 0",
        "couple on the last end, laboratory frame; a motion.rotation that holds the end bears it"),
    real<&LoadSpec::axial_force>("load.axial_force", "N", "0", any_number,
                                 "force on the last node along rod.direction; positive compresses"),
    real<&LoadSpec::perturbation>("load.perturbation", "N", "0", not_negative,
                                  "largest norm of a random force on each node"),
    real<&LoadSpec::perturbation_duration>("load.perturbation_duration", "s", no_default, not_negative,
                                           "time from the start during which load.perturbation and "
                                           "load.middle_force act; the whole simulation if not given"),
    vec3<&LoadSpec::distributed_force>(
        "load.distributed_force", "N", "0, 0, 0",
        "force on the whole rod, spread evenly over its length, laboratory frame"),
    vec3<&LoadSpec::distributed_couple>(
        "load.distributed_couple", "N m", "0, 0, 0",
        "couple on the whole rod, spread evenly over its length, laboratory frame"),
    vec3<&LoadSpec::follower_force>("load.follower_force", "N", "0, 0, 0",
                                    "steady force on the whole rod, spread evenly over its length, along "
                                    "each element's directors d1, d2, d3 (d3 points towards the last node)"),
    real<&LoadSpec::magnetization>(
        "load.magnetization", "A/m", "0", any_number,
        "magnetic moment per volume of the rod, along itself towards the last node"),
    vec3<&LoadSpec::magnetic_flux_density>("load.magnetic_flux_density", "T", "0, 0, 0",
                                           "magnetic field that turns a magnetised rod, laboratory frame"),
    real<&LoadSpec::ramp_time>("load.ramp_time", "s", "0", not_negative,
                               "time from the start in which end force, end couple, axial force, distributed "
                               "loads and the magnetic field grow linearly to their values"),
    real<&LoadSpec::frequency>("load.frequency", "1/s", "0", not_negative,
                               "f of a factor sin(2 pi f t) on end force, end couple, axial force, "
                               "distributed loads and the magnetic field; 0: they are steady"),
    vec3<&LoadSpec::middle_force>(
        "load.middle_force", "N", "0, 0, 0",
        "force at mid-length, laboratory frame: an imperfection to start a buckle from"),
    vec3<&LoadSpec::tether_point>(
        "load.tether_point", "m", "0, 0, 0",
        "point of the laboratory that a spring holds a node of the rod to: it pulls by k u + h u^3 where it "
        "is longer by u than its length, and is slack where it is shorter"),
    real<&LoadSpec::tether_stiffness>("load.tether_stiffness", "N/m", "0", not_negative,
                                      "k of the spring to load.tether_point"),
    real<&LoadSpec::tether_hardening>("load.tether_hardening", "N/m^3", "0", not_negative,
                                      "h of the spring to load.tether_point"),
    real<&LoadSpec::tether_length>("load.tether_length", "m", "0", not_negative,
                                   "length up to which the spring to load.tether_point is slack"),
    real<&LoadSpec::tether_place>("load.tether_place", "1", "1", {.minimum = 0.0, .maximum = 1.0},
                                  "where along the rod the spring to load.tether_point holds it, from 0 at "
                                  "its start to 1 at its end: the nearest node"),
    vec3("gravity.acceleration", "m/s^2", "0, 0, 0", "acceleration of gravity"),
    real("gravity.incline", "rad", "0", any_number,
         "angle by which gravity.acceleration is turned about rod.direction, as on an inclined ground"),
    repeatable_formulas("connection.spring",
                        "PLACE to PLACE : stiffness K [length L] [damping C], a spring along the line "
                        "between two places (N/m, m, kg/s); a place is rod K, then after a comma node K, "
                        "element K, s FRACTION, s LENGTH m, start, middle or end; L: their distance in the "
                        "rods' own shapes if not given, 0 draws them together"),
    repeatable_formulas(
        "connection.ball",
        "PLACE to PLACE [: stiffness K damping C], one point of both, about which they turn freely: nodes "
        "that stand together are one, exactly, unless a stiffness is given (N/m, kg/s)"),
    repeatable_formulas(
        "connection.hinge",
        "PLACE to PLACE [: axis X Y Z stiffness K damping C rotational_stiffness K rotational_damping C], "
        "the same with one axis about which they turn freely, d1 of the first place if not given (N m, N m "
        "s); the rotational stiffness is in series with half of the elements there"),
    repeatable_formulas("connection.rigid",
                        "PLACE to PLACE [: stiffness K damping C rotational_stiffness K rotational_damping "
                        "C], the same with the angle that they have in the rods' own shapes"),
    repeatable_formulas("connection.bond",
                        "rod A to rod B [s FROM to TO] : stiffness K [damping C] [strength F], what holds "
                        "the elements of two rods side by side where they face each other, per rest length "
                        "of rod A (N/m^2, kg/(m s)); where the force exceeds F (N/m) it breaks for good"),
});

}  // namespace rodeo::keys
