"""What the numbers of decks and of results are: units, and what they become where a problem is turned, mirrored or rescaled.

Kinds of vectors and of components along directors, which a change of the deck maps:

    point         a place
    polar         a displacement, velocity, force; directors d1 and d3 and the tangent, which a mirror takes along
    axial         an angular velocity or couple in the laboratory
    d1, d2, d3    directors; d2 = d3 x d1 turns round in a mirror
    flux          a force that one part of the rod exerts on the part before it
    body_axial    components of an axial vector along d1, d2, d3
    body_polar    components of a polar vector along d1, d2, d3
    strain        shear and stretch strains along d1, d2, d3
    curvature     curvatures about d1 and d2 and the twist, or the couples that belong to them

and of numbers: scalar, pseudo (changes sign in a mirror), size (its sign is a convention).
"""

import dataclasses
import functools
import json
import re
import subprocess

from combinations import campaign

# Length, mass and time in each unit. Electric current stays as it is.
UNITS = {
    "1": (0, 0, 0), "": (0, 0, 0), "rad": (0, 0, 0), "A": (0, 0, 0), "m": (1, 0, 0), "kg": (0, 1, 0), "s": (0, 0, 1), "Hz": (0, 0, -1),
    "N": (1, 1, -2), "J": (2, 1, -2), "W": (2, 1, -3), "Pa": (-1, 1, -2), "T": (0, 1, -2),
}


@functools.cache
def dimension(unit):
    """Powers of length, mass and time: of "kg/(m s)" -1, 1, -1."""
    powers = [0, 0, 0]
    over, _, under = unit.partition("/")
    for part, sign in ((over, 1), (under.strip("()"), -1)):
        for factor in part.split():
            name, _, power = factor.partition("^")
            for k, exponent in enumerate(UNITS[name]):
                powers[k] += sign * exponent * int(power or 1)
    return tuple(powers)


@functools.cache
def listed(what):
    """What the program lists of its keys or observables, by name."""
    run = subprocess.run([campaign.RODEO, what, "--json"], capture_output=True, text=True, check=True)
    return {row["name"]: row for row in json.loads(run.stdout)}


# Kinds of the keys of decks that are no plain numbers. Text, and lists of several things, have rules of their own (changes.py).
KEY_KINDS = {
    "rod.direction": "polar", "rod.normal": "polar", "rod.velocity": "polar", "gravity.acceleration": "polar", "load.end_force": "polar",
    "load.distributed_force": "polar", "load.middle_force": "polar", "load.magnetic_flux_density": "polar", "ground.normal": "polar",
    "load.end_couple": "axial", "load.distributed_couple": "axial", "muscle.axis": "axial",
    "rod.origin": "point", "load.tether_point": "point", "ground.origin": "point",
    "load.follower_force": "body_polar", "rod.intrinsic_curvature": "body_axial",
    "rod.total_twist": "pseudo", "rod.intrinsic_twist": "pseudo", "boundary.twist": "pseudo", "rod.helix_pitch": "pseudo",
    "gravity.incline": "pseudo",
}


@dataclasses.dataclass(frozen=True)
class Quantity:
    """A number or vector of results. `scope` says whose it is:

    sum       of all rods, added up               whole     of all rods
    last      of the last rod                     end       of the last node of the last rod
    held      of the end that is held             steps     how the steps were taken
    origin    about x = y = z = 0                 modes     of a vibration
    rod, node, region, element                    of one of these, frames of all nodes
    """

    kind: str
    unit: str
    scope: str
    reduction: str = "last"  # over time, of a signal


OBSERVABLES = {
    "tip_deflection": ("scalar", "end"), "translational_energy": ("scalar", "sum"), "rotational_energy": ("scalar", "sum"),
    "bending_energy": ("scalar", "sum"), "twist_energy": ("scalar", "sum"), "shear_energy": ("scalar", "sum"),
    "stretch_energy": ("scalar", "sum"), "total_energy": ("scalar", "sum"), "buckled": ("scalar", "whole"),
    "buckling_time": ("scalar", "whole"), "energy_drift": ("scalar", "sum"), "momentum_drift": ("scalar", "sum"),
    "angular_momentum_drift": ("scalar", "origin"), "forward_speed": ("scalar", "last"), "lateral_speed": ("size", "last"),
    "gait_width": ("scalar", "whole"), "theta_max": ("scalar", "last"), "end_twist": ("pseudo", "last"), "end_force": ("scalar", "held"),
    "end_couple": ("pseudo", "held"), "end_distance_period": ("scalar", "last"), "end_distance_max": ("scalar", "last"),
    "contact_count": ("scalar", "sum"), "contact_depth_max": ("scalar", "whole"), "writhe": ("pseudo", "last"),
    "twist_turns": ("pseudo", "last"), "link": ("pseudo", "last"), "winding": ("pseudo", "last"),
    "newton_iterations_per_step": ("scalar", "steps"), "newton_iterations_per_contact_step": ("scalar", "steps"),
    "contact_steps": ("scalar", "whole"), "contact_gap_min": ("scalar", "whole"), "fluid_force": ("scalar", "whole"),
    "fluid_iterations_per_step": ("scalar", "steps"), "energy_gain": ("scalar", "sum"), "energy_gain_relative": ("scalar", "whole"),
    "energy_loss_relative": ("scalar", "whole"), "energy_balance": ("scalar", "sum"),
    "energy_balance_relative": ("scalar", "whole"), "work_done": ("scalar", "sum"), "damping_loss": ("scalar", "sum"),
    "scheme_loss": ("scalar", "steps"), "curvature_max": ("scalar", "last"), "friction_loss": ("scalar", "sum"),
    "connection_energy": ("scalar", "sum"), "broken_bonds": ("scalar", "sum"), "ground_loss": ("scalar", "sum"),
    "ground_depth_relative": ("scalar", "whole"), "periods_run": ("scalar", "whole"), "newton_iterations": ("scalar", "steps"),
    "unstable_modes": ("scalar", "sum"), "least_stiffness": ("scalar", "sum"), "branch_value": ("scalar", "whole"),
    "bifurcations": ("scalar", "whole"), "folds": ("scalar", "whole"), "critical_value": ("scalar", "whole"),
}

# Those of which no deck of random_decks.py has a value.
WITHOUT_VALUE = {"function_value", "misfit", "misfit_max", "misfit_weighted", "misfit_coordinates", "profile_error_l1", "profile_error_l2",
                 "profile_error_linf"}


def observable(name, branch_key=None):
    """What an observable is; end_x, end_y and end_z are one vector, under the name end."""
    if name == "end":
        return Quantity("point", "m", "end")
    if mode := re.fullmatch(r"(frequency|decay_rate)_\d+", name):
        return Quantity("scalar", "1/s", "modes")
    kind, scope = OBSERVABLES[name]
    unit = listed("observables")[name]["unit"]
    if unit == "as branch.key":
        unit = listed("keys")[re.sub(r"\[.*", "", branch_key)]["unit"] if branch_key else "1"
    return Quantity(kind, unit, scope)


@dataclasses.dataclass(frozen=True)
class Signal:
    """One or three signals of a place, as `rodeo signals` has them."""

    names: tuple
    kind: str
    unit: str
    of: str  # node, region (around a node), element or rod
    section: str = ""  # of the deck that there must be


SIGNALS = (
    Signal(("x", "y", "z"), "point", "m", "node"),
    Signal(("vx", "vy", "vz"), "polar", "m/s", "node"),
    Signal(("d1x", "d1y", "d1z"), "d1", "1", "element"),
    Signal(("d2x", "d2y", "d2z"), "d2", "1", "element"),
    Signal(("d3x", "d3y", "d3z"), "d3", "1", "element"),
    Signal(("tx", "ty", "tz"), "d3", "1", "element"),
    Signal(("fx", "fy", "fz"), "flux", "N", "element"),
    Signal(("omega_1", "omega_2", "omega_3"), "body_axial", "rad/s", "element"),
    Signal(("shear_1", "shear_2", "stretch"), "strain", "1", "element"),
    Signal(("curvature_1", "curvature_2", "twist"), "curvature", "1/m", "region"),
    Signal(("couple_1", "couple_2", "couple_3"), "curvature", "N m", "region"),
    Signal(("reaction_x", "reaction_y", "reaction_z"), "polar", "N", "node", "motion"),
    Signal(("reaction_couple_x", "reaction_couple_y", "reaction_couple_z"), "axial", "N m", "element", "motion"),
    Signal(("speed",), "scalar", "m/s", "node"),
    Signal(("dilatation",), "scalar", "1", "element"),
    Signal(("tension",), "scalar", "N", "element"),
    Signal(("curvature",), "scalar", "1/m", "region"),
    Signal(("kinetic_energy",), "scalar", "J", "element"),
    Signal(("bending_energy",), "scalar", "J", "element"),
    Signal(("stretch_energy",), "scalar", "J", "element"),
    Signal(("twist_energy",), "scalar", "J", "element"),
    Signal(("power_gravity",), "scalar", "W", "rod"),
    Signal(("power_loads",), "scalar", "W", "rod"),
    Signal(("power_muscles",), "scalar", "W", "rod"),
    Signal(("power_actuation",), "scalar", "W", "rod"),
    Signal(("power_drag",), "scalar", "W", "rod"),
    Signal(("power_connections",), "scalar", "W", "rod"),
    Signal(("power_motions",), "scalar", "W", "rod"),
    Signal(("work_motions",), "scalar", "J", "rod"),
    Signal(("connection_energy",), "scalar", "J", "rod"),
    Signal(("total_energy",), "scalar", "J", "rod"),
    Signal(("plane_load",), "scalar", "N", "rod", "plane"),
    Signal(("contact_force",), "scalar", "N", "rod", "contact"),
    Signal(("touching_rods",), "scalar", "1", "rod", "contact"),
)
