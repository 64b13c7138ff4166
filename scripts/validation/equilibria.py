"""Equilibria by time.method = static: ladders of elements against closed forms."""

import matplotlib.pyplot as plt
import numpy as np

from . import helical_buckling, timoshenko_cantilever
from .case import ACCENT, INK, Case, Quantity, Run, at_most, orders
from .timoshenko_cantilever import Cantilever

ELASTICA_FORCE = 7.853981633974483  # N
LENGTH, RADIUS, YOUNG, POISSON = 1.0, 0.01, 1e8, 0.3
BEND = YOUNG * np.pi * RADIUS**4 / 4
STRETCH = YOUNG * np.pi * RADIUS**2
SHEAR = 4 / 3 * STRETCH / (2 * (1 + POISSON))
ELASTICA = Cantilever(LENGTH, ELASTICA_FORCE, BEND, SHEAR, STRETCH)


def by_elements(results, run, *names):
    ensemble = results[run]
    return ensemble.parameters["rod.elements"], *(ensemble.observables[name] for name in names)


def elastica_errors(results):
    elements, x, y = by_elements(results, "elastica", "end_x", "end_y")
    deflection, along = ELASTICA.states(2000)[-1, :2]
    return elements, np.hypot(x - along, y - deflection)


def haringx_load():
    """Euler's load of a column between hinges that shortens and shears: P (1 - P/S3 + P/S1) = pi^2 B/L^2."""
    euler = load = np.pi**2 * BEND / LENGTH**2
    for _ in range(100):
        load = euler / (1 - load / STRETCH + load / SHEAR)
    return load


def column_loads(results):
    """The force at which the least stiffness is zero, for each number of elements: a cubic through four forces."""
    elements, stiffness = by_elements(results, "column", "least_stiffness")
    forces = results["column"].parameters["load.axial_force"]
    loads = []
    for n in np.unique(elements):
        own = elements == n
        loads.append(np.polyval(np.polyfit(stiffness[own], forces[own], 3), 0.0))
    return np.unique(elements), np.array(loads)


def helix_limits(results):
    """theta_max of each level, and the limits to which each two of them point, if they are of second order."""
    angles = results["helix"].observables["theta_max"]
    return angles, angles[1:] + (angles[1:] - angles[:-1]) / 3


def helix_branch(results):
    """Slack, theta_max and tension along the branch, from where the clamps are too far from the helix to tell."""
    ensemble = results["helix branch"]
    slack, angle, force = (ensemble.history(0, name)[1] for name in ("branch_value", "theta_max", "end_force"))
    own = slack >= 1.8  # m; NaN before the branch begins
    return slack[own], angle[own], force[own]


def helix_branch_errors(results):
    slack, angle, force = helix_branch(results)
    angles, forces = np.transpose([helical_buckling.angle_and_force(value) for value in slack])
    return np.abs(angle / angles - 1).max(), np.abs(force / forces - 1).max()


FOUNDATION = 640e3  # N/m^2
GROUND_BEND, GROUND_SHEAR, GROUND_WEIGHT, LIFT = 1.0, 1e6, 1.0, 0.2  # N m^2, N, N/m, N


def sunk_beam():
    """How far a force of 1 N presses an endless beam that shears into an elastic foundation."""
    p, q = FOUNDATION / GROUND_SHEAR, FOUNDATION / GROUND_BEND  # of the characteristic k^4 + p k^2 + q
    return (1 / np.sqrt(q) + GROUND_BEND / GROUND_SHEAR) / np.sqrt(p + 2 * np.sqrt(q)) / (2 * GROUND_BEND)


def lifted_end():
    """How high a force lifts the end of a long heavy beam off such a foundation, which does not pull it."""
    rate = (FOUNDATION / (4 * GROUND_BEND)) ** 0.25
    weight, bend = GROUND_WEIGHT, GROUND_BEND
    depth = weight / FOUNDATION
    # Of the length that is free: couple and force are those of the end, and what lies has w = -depth + exp(rate x)
    # (depth cos(rate x) + c sin(rate x)).
    length = max(np.roots([weight / 2, weight / rate - LIFT, 2 * rate**2 * bend * depth - LIFT / rate]).real)
    third = (weight * length - LIFT) / bend
    c = depth + third / (2 * rate**3)
    return (rate * (depth + c) * length + rate**2 * c * length**2 + third * length**3 / 6 -
            weight * length**4 / (24 * bend))


def ground_heights(results):
    """Of each number of elements how far the middle is pressed in beside the weight, and how high an end is lifted."""
    elements, sunk = by_elements(results, "ground", "sunk")
    return elements, sunk - GROUND_WEIGHT / FOUNDATION, results["lifted"].observables["end_z"] - 0.001


PORTAL_SWAY = 1e-4 / 16.8  # m: H h^3/(24 B) (4 + 6 k)/(1 + 6 k) with k = 1


def portal_load():
    """The force on each column under which a portal frame of like members sways, N: u cot u = -6, u^2 = P h^2/B."""
    u = 2.7
    for _ in range(50):
        u -= (u / np.tan(u) + 6) / (1 / np.tan(u) - u / np.sin(u) ** 2)
    return u * u


FRAMES = {
    "portal": ("portal frame: sway under a force", "sway", PORTAL_SWAY, "m"),
    "portal load": ("portal frame: load under which it sways", "critical_value", portal_load(), "N"),
    "grid": ("grid of rods: load under which it leaves its plane", "critical_value", np.pi**2, "N"),
}


def frames(results):
    """Of jointed rods: name, closed form, unit, elements and what was found."""
    for run, (name, observable, exact, unit) in FRAMES.items():
        elements, found = by_elements(results, run, observable)
        yield name, exact, unit, elements, np.abs(found)


def frame_quantities(results):
    for name, exact, unit, elements, found in frames(results):
        yield Quantity(f"{name}, extrapolated from n = {elements[-2]:.0f} and {elements[-1]:.0f}",
                       found[-1] + (found[-1] - found[-2]) / 3, exact, 3e-6, unit, relative=True)
        for a, b, order in zip(elements, elements[1:], orders(elements, np.abs(found - exact))):
            yield Quantity(f"{name}: order, n = {a:.0f} to {b:.0f}", order, 2.0, 0.02)


def quantities(results):
    elements, tips = by_elements(results, "cantilever", "tip_deflection")
    limit = timoshenko_cantilever.ROD.states(4000)[-1, 0]
    tip_errors = np.abs(tips - limit)
    elastica_elements, errors = elastica_errors(results)
    columns, loads = column_loads(results)
    load = haringx_load()
    angles, limits = helix_limits(results)
    ground_elements, sunk, lifted = ground_heights(results)
    _, slack = results["helix branch"].history(0, "branch_value")
    branch_angle, branch_force = helix_branch_errors(results)
    helix_orders = np.log2(np.abs((angles[1:-1] - angles[:-2]) / (angles[2:] - angles[1:-1])))
    return [
        Quantity("cantilever: tip, n = 3200, against large deflections", tips[-1], limit, 2e-7, "m", relative=True),
        *(Quantity(f"cantilever: order at the tip, n = {a:.0f} to {b:.0f}", order, 2.0, 0.02)
          for a, b, order in zip(elements[:6], elements[1:6], orders(elements[:6], tip_errors[:6]))),
        Quantity("elastica: error of the end, n = 800", errors[-1], 0.0, 2e-6, "m"),
        *(Quantity(f"elastica: order, n = {a:.0f} to {b:.0f}", order, 2.0, 0.02)
          for a, b, order in zip(elastica_elements, elastica_elements[1:], orders(elastica_elements, errors))),
        Quantity("column: load at which it buckles, n = 400", loads[-1], load, 1e-5, "N", relative=True),
        Quantity("column: the same, extrapolated from n = 200 and 400", loads[-1] + (loads[-1] - loads[-2]) / 3, load, 1e-6,
                 "N", relative=True),
        *(Quantity(f"column: order of the load, n = {columns[0]:.0f} to {columns[-1]:.0f}", order, 2.0, 0.05)
          for order in orders(columns[[0, -1]], np.abs(loads[[0, -1]] - load))),
        *(Quantity(f"ground: order of the depth under a force, n = {a:.0f} to {b:.0f}", order, 2.0, 0.05) for a, b, order in
          zip(ground_elements, ground_elements[1:], orders(ground_elements, sunk - sunk_beam()))),
        Quantity("ground: the same depth, extrapolated from n = 400 and 800", sunk[-1] + (sunk[-1] - sunk[-2]) / 3, sunk_beam(),
                 1e-6, "m", relative=True),
        Quantity("ground: height of an end that is lifted off, n = 800", lifted[-1], lifted_end(), 1e-4, "m", relative=True),
        *frame_quantities(results),
        Quantity("helix: theta_max, n = 3200, against the closed form", angles[-1], helical_buckling.THETA_MAX, 5e-4, "rad",
                 relative=True),
        Quantity("helix: theta_max, n = 3200, against its limit", angles[-1], limits[-1], 5e-5, "rad", relative=True),
        *(Quantity(f"helix: order of theta_max, level {k}", order, 2.0, 0.15) for k, order in enumerate(helix_orders[1:], 2)),
        Quantity("helix: energy, n = 3200", results["helix"].observables["total_energy"][-1], helical_buckling.ENERGY, 1e-3,
                 "J", relative=True),
        Quantity("helix: its branch from the straight rod goes to a slack of", np.nanmax(slack), 3.0, 1e-9, "m"),
        at_most("helix: largest relative error of theta_max on the branch, n = 800", branch_angle, 1e-3),
        at_most("helix: the same of the tension", branch_force, 1e-3),
    ]


def draw(results):
    figure, ((errors, stiffness), (envelope, branch)) = plt.subplots(2, 2, figsize=(11.5, 8.8), layout="constrained")
    elements, tips = by_elements(results, "cantilever", "tip_deflection")
    limit = timoshenko_cantilever.ROD.states(4000)[-1, 0]
    errors.loglog(elements, np.abs(tips / limit - 1), "o-", color=ACCENT, label="cantilever")
    errors.loglog(*elastica_errors(results), "s-", color=INK, label="elastica")
    columns, loads = column_loads(results)
    errors.loglog(columns, np.abs(loads / haringx_load() - 1), "^-", label="buckling load")
    angles, limits = helix_limits(results)
    helix_elements = results["helix"].convergence["n"]
    errors.loglog(helix_elements, np.abs(angles / limits[-1] - 1), "v-", label=r"helix, $\theta_{max}$")
    for name, exact, _, frame_elements, found in frames(results):
        errors.loglog(frame_elements, np.abs(found / exact - 1), ".-", label=name.replace(":", ",").split(" under")[0])
    errors.loglog(elements, 0.3 * elements**-2.0, "--", color="0.6", label="second order")
    errors.set_xlabel("elements $n$")
    errors.set_ylabel("relative error")
    errors.legend(frameon=False)
    column = results["column"]
    own = column.parameters["rod.elements"] == columns[-1]
    stiffness.axvline(haringx_load(), color=INK, linewidth=1.2, label="closed form")
    stiffness.axhline(0, color="0.6", linewidth=1)
    stiffness.plot(column.parameters["load.axial_force"][own], column.observables["least_stiffness"][own], "o-", color=ACCENT)
    stiffness.set_xlabel("axial force (N)")
    stiffness.set_ylabel("least stiffness (N/m)")
    stiffness.legend(frameon=False)
    helical_buckling.draw_envelope(envelope, [results["helix"].trajectory(k)[1][-1] for k in range(len(results["helix"]))])
    slack, angle, force = (results["helix branch"].history(0, name)[1] for name in ("branch_value", "theta_max", "end_force"))
    closed = np.linspace(0.2, 3, 100)
    branch.plot(closed, [helical_buckling.angle_and_force(value) for value in closed], color=INK, label=["closed form", None])
    branch.plot(slack, angle, "o", color=ACCENT, label=r"$\theta_{max}$ (rad)")
    branch.plot(slack, force, "s", color=ACCENT, fillstyle="none", label="tension (N)")
    branch.set_xlim(0, 3.1)
    branch.set_ylim(0, 0.9)
    branch.set_xlabel("slack (m)")
    branch.set_ylabel("helix, along its branch")
    branch.legend(frameon=False)
    return figure


CASE = Case(
    name="equilibria",
    title="Equilibria and their stability",
    source="time.method = static: [A] eqs 3.10, 3.11 and 3.14; elastica that stretches and shears, by shooting; Haringx 1948; "
           "portal frame: Timoshenko and Gere 1961, section 2.4",
    runs={
        "cantilever": Run("static_cantilever"),
        "elastica": Run("static_elastica"),
        "column": Run("static_column"),
        "ground": Run("static_ground"),
        "lifted": Run("static_ground", ("load.middle_force=0, 0, 0", "load.end_force=0, 0, 0.2")),
        "portal": Run("portal_frame"),
        "portal load": Run("portal_buckling"),
        "grid": Run("grid_buckling"),
        "helix": Run("static_helix"),
        "helix branch": Run("branch_helix"),
    },
    quantities=quantities,
    draw=draw,
    note="helix: the closed form is that of an endless rod that neither stretches nor shears; this one is 100 m long.",
)
