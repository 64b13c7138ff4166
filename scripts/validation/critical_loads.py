"""Loads at which equilibria become unstable, found on their branches (branch.stop = first_bifurcation), against closed forms."""

import matplotlib.pyplot as plt
import numpy as np

from .case import Case, Quantity, Run, at_most

TANGENT_ROOT = 4.493409457909064  # of tan x = x
SHEAR = 1e6  # N


def hinged_root():
    """Of tan x = x (1 - x^2 B/(S1 L^2)): the column between clamp and hinge."""
    x = TANGENT_ROOT
    for _ in range(50):
        x = np.pi + np.arctan(x * (1 - x * x / SHEAR))
    return x


def twisted_root():
    """Of tan x = x / (1 + 4 x^2 B/(S1 L^2)): the rod between clamps that turn."""
    x = TANGENT_ROOT
    for _ in range(50):
        x = np.pi + np.arctan(x / (1 + 4 * x * x / SHEAR))
    return x


EULER = {
    ("pinned", "pinned_sliding"): ("hinges", np.pi**2),
    ("clamped", "free"): ("clamp and free end", np.pi**2 / 4),
    ("clamped", "clamped_sliding"): ("clamps", 4 * np.pi**2),
    ("clamped", "pinned_sliding"): ("clamp and hinge", hinged_root() ** 2),
}
GREENHILL = 7.837347436  # N/m: 9/4 j^2, j the first zero of the Bessel function of order -1/3
TWIST = 2 * twisted_root() / 0.7
RING = 2 * np.pi * np.sqrt(3) / 2
LINES = {
    "euler_line": ("Fig. 14b, 50 stiffnesses", lambda stiffness: np.pi**2 * stiffness),
    "length_line": ("Fig. 14c, 50 lengths", lambda length: np.pi**2 / length**2),
    "mitchell_line": ("Fig. 15a, 50 ratios of stiffness", lambda ratio: 2 * np.sqrt(3) * np.pi / ratio),
}


def ladders(results):
    """Name, closed form, elements and critical values of each ladder."""
    euler = results["euler"]
    values = euler.observables["critical_value"]
    supports = list(zip(*([euler.parameter_text(key, value) for value in euler.parameters[key]]
                          for key in ("boundary.first", "boundary.last"))))
    for ends, (name, load) in EULER.items():
        own = np.array([each == ends for each in supports])
        yield f"column, {name}", load, euler.parameters["rod.elements"][own], values[own]
    for run, name, load in (("greenhill", "column under its weight", GREENHILL), ("twist", "twisted rod", TWIST),
                            ("ring", "twisted ring", RING)):
        ensemble = results[run]
        yield name, load, ensemble.parameters["rod.elements"], np.abs(ensemble.observables["critical_value"])


def extrapolated(values):
    """The limit to which the last two of levels by factors of two point, if they are of second order."""
    return values[-1] + (values[-1] - values[-2]) / 3


def line_errors(results, run, closed_form):
    """Of critical values along a line relative to the closed form."""
    ensemble = results[run]
    (key, axis), = ensemble.parameters.items()
    return axis, ensemble.observables["critical_value"] / closed_form(axis) - 1


def quantities(results):
    found = []
    for name, load, elements, values in ladders(results):
        found.append(Quantity(f"{name}, n = {elements[-1]:.0f}", values[-1], load, 2.5e-5, "", relative=True))
        found.append(Quantity(f"{name}, extrapolated", extrapolated(values), load, 1e-6, "", relative=True))
    for run, (name, closed_form) in LINES.items():
        _, errors = line_errors(results, run, closed_form)
        found.append(at_most(f"{name}: largest relative error", errors[np.argmax(np.abs(errors))], 1e-4))
    return found


def draw(results):
    figure, panel = plt.subplots(figsize=(7, 5), layout="constrained")
    for name, load, elements, values in ladders(results):
        panel.loglog(elements, np.abs(values / load - 1), "o-", label=name)
    panel.loglog(elements, 4.0 * elements**-2.0, "--", color="0.6", label="second order")
    panel.set_xlabel("elements $n$")
    panel.set_ylabel("relative error of the critical load")
    panel.legend(frameon=False, fontsize=9)
    return figure


CASE = Case(
    name="critical_loads",
    title="Critical loads",
    source="Euler 1744; Greenhill 1881 and 1883; Mitchell 1889, [A] eq. F3",
    runs={
        "euler": Run("critical_euler"),
        "greenhill": Run("critical_greenhill"),
        "twist": Run("critical_twist"),
        "ring": Run("critical_ring"),
        "euler_line": Run("../studies/euler_critical"),
        "length_line": Run("../studies/euler_length_critical"),
        "mitchell_line": Run("../studies/mitchell_critical"),
    },
    quantities=quantities,
    draw=draw,
    note="a rod of round section has no plane in which it is softer, and so no lateral-torsional buckling.",
)
