"""Rods that fall on the ground and on each other: the pile of inputs/examples, which says its closed forms, and a nest."""

import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, INK, Case, Quantity, Run, at_most

RADIUS, LENGTH, DENSITY, GRAVITY, RODS, FALL = 0.005, 0.1, 1000.0, 9.81, 25, 0.009
MASS = RODS * DENSITY * np.pi * RADIUS**2 * LENGTH


def heights(ensemble):
    """Times, and the height of the centre of mass: nodes at the ends of rods weigh half."""
    time, position = ensemble.trajectory(0)
    nodes = position.shape[1] // RODS
    weights = np.ones(nodes)
    weights[[0, -1]] = 0.5
    return time, np.average(position[:, :, 2], axis=1, weights=np.tile(weights, RODS))


def quantities(results):
    pile = results["pile"]
    time, height = heights(pile)
    velocity = np.diff(height) / np.diff(time)
    half = len(velocity) // 2
    # What bears the weight is the change of momentum less gravity, here between two instants of the rest.
    force = MASS * (GRAVITY + (velocity[-1] - velocity[half]) / (time[-1] - time[half + 1]))
    return [
        Quantity("height of the centre of mass", height[-1], 5 * RADIUS, 5e-5, "m"),
        Quantity("energy that was dissipated", -pile.observables["energy_drift"][0], MASS * GRAVITY * FALL, 5e-3, "J",
                 relative=True),
        at_most("energy gained", pile.observables["energy_gain"][0], 1e-9, "J"),
        Quantity("force of the ground at rest", force, MASS * GRAVITY, 1e-3, "N", relative=True),
        at_most("deepest overlap of rods", pile.observables["contact_depth_max"][0], 0.02 * RADIUS, "m"),
        at_most("depth in the ground at rest", RADIUS - pile.trajectory(0)[1][-1, :, 2].min(), 0.02 * RADIUS, "m"),
    ]


def draw(results):
    figure, panel = plt.subplots(figsize=(7, 4.4), layout="constrained")
    time, height = heights(results["pile"])
    panel.axhline(5e3 * RADIUS, color=INK, label="five layers")
    panel.plot(time, 1e3 * height, "o-", color=ACCENT, markersize=3, label="rodeo")
    panel.set_xlabel("time (s)")
    panel.set_ylabel("height of the centre of mass (mm)")
    panel.legend(frameon=False)
    return figure


PILE = Case(
    name="pile",
    title="Pile of 25 rods",
    source="layers at r, 3 r, ..., 9 r; m g times the fall",
    runs={"pile": Run("../examples/pile")},
    quantities=quantities,
    draw=draw,
)


def nest_quantities(results):
    observed = results["nest"].observables
    freed = -observed["energy_drift"][0]
    return [
        at_most("kinetic energy at rest over what gravity set free, largest in the second half", observed["resting_energy"][0] / freed,
                1e-13),
        at_most("energy gained", observed["energy_gain"][0], 1e-9, "J"),
        at_most("deepest overlap of rods over the radius", observed["contact_depth_max"][0] / NEST_RADIUS, 0.05),
    ]


def lasting_quantities(results):
    nest = results["nest"]
    observed = nest.observables
    freed = -observed["energy_drift"][0]
    time, position = nest.trajectory(0)
    moved = position[-1] - position[np.searchsorted(time, REST)]
    return [
        at_most("kinetic energy over a minute at rest over what gravity set free, largest", observed["resting_energy"][0] / freed, 1e-8),
        at_most("how far a node creeps in that minute, largest, over the radius", np.linalg.norm(moved, axis=1).max() / NEST_RADIUS,
                1e-3),
        at_most("energy gained", observed["energy_gain"][0], 1e-9, "J"),
        at_most("deepest overlap of rods over the radius", observed["contact_depth_max"][0] / NEST_RADIUS, 0.05),
    ]


def draw_nest(results):
    figure, panel = plt.subplots(figsize=(6, 6), layout="constrained")
    _, position = results["nest"].trajectory(0)
    for rod in np.split(position[-1], len(results["nest"].rod_nodes(0))):
        panel.plot(1e3 * rod[:, 0], 1e3 * rod[:, 2], color=ACCENT, linewidth=4, solid_capstyle="round", alpha=0.6)
    panel.set_aspect("equal")
    panel.set_xlabel("x (mm)")
    panel.set_ylabel("z (mm)")
    return figure


NEST_RADIUS, REST = 0.004, 3.0

NEST = Case(
    name="resting_nest",
    title="Nest of 100 rods at rest by friction",
    source="no motion, as nothing does work",
    runs={"nest": Run("resting_nest")},
    quantities=nest_quantities,
    draw=draw_nest,
    long=True,
)

LASTING_NEST = Case(
    name="lasting_nest",
    title="Nest of 455 rods for a minute",
    source="no motion, as nothing does work",
    runs={"nest": Run("lasting_nest")},
    quantities=lasting_quantities,
    draw=draw_nest,
    long=True,
)
