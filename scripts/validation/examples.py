"""Problems of a user, each in a deck of inputs/examples that says its closed form."""

import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, INK, Case, Quantity, Run, interval, largest_error


def bent_rod_figure(results, along, shape, label):
    """The last frame of the run `rod`, across the axis over its place along it, with the closed form."""
    figure, panel = plt.subplots(figsize=(7, 4.4), layout="constrained")
    _, position = results["rod"].trajectory(0)
    place, across = position[-1, :, along], np.delete(position[-1], along, axis=1)
    aside = across[:, np.argmax(np.abs(across[-1]))]
    s = np.linspace(0, 1, 200)
    panel.plot(*shape(s), color=INK, label=label)
    panel.plot(1e3 * place, 1e3 * np.abs(aside), "o", color=ACCENT, markersize=3, label="rodeo")
    panel.set_xlabel("along the axis (mm)")
    panel.set_ylabel("aside (mm)")
    panel.legend(frameon=False)
    return figure


STEEL_LENGTH, STEEL_RADIUS, STEEL_YOUNG, STEEL_SHEAR, WEIGHT = 0.5, 0.025, 200e9, 200e9 / 2.6, 1000.0


def steel_deflection(s):
    """Deflection of Timoshenko's beam at s of its length, m."""
    area = np.pi * STEEL_RADIUS**2
    bend = STEEL_YOUNG * area * STEEL_RADIUS**2 / 4
    x = s * STEEL_LENGTH
    return WEIGHT * x**2 * (STEEL_LENGTH / 2 - x / 6) / bend + WEIGHT * x / (4 / 3 * STEEL_SHEAR * area)


STEEL = Case(
    name="steel_cantilever",
    title="Steel cantilever under a weight",
    source="F L^3/(3 E I) + F L/(4/3 G A)",
    runs={"rod": Run("../examples/steel_cantilever", ("output.frames=2",))},
    quantities=lambda results: [
        Quantity("deflection of the end", results["rod"].observables["tip_deflection"][0], steel_deflection(1.0), 5e-4,
                 "m", relative=True),
    ],
    draw=lambda results: bent_rod_figure(
        results, 0, lambda s: (1e3 * s * STEEL_LENGTH, 1e3 * steel_deflection(s)), "Timoshenko's beam"
    ),
)

def threads_droop(parameters):
    """Of a slender rod that droops little under its own weight, m."""
    weight = parameters["rod.density"] * 9.81 * parameters["rod.length"] ** 4
    return weight / (2 * parameters["rod.young_modulus"] * parameters["rod.radius"] ** 2)


def draw_threads(results):
    threads = results["sweep"]
    figure, panel = plt.subplots(figsize=(7, 4.4), layout="constrained")
    droop = 1e3 * threads_droop(threads.parameters)
    panel.loglog([droop.min(), droop.max()], [droop.min(), droop.max()], color=INK, label="small droop")
    panel.loglog(droop, 1e3 * threads.observables["tip_deflection"], "o", color=ACCENT, label="rodeo")
    panel.set_xlabel("closed form (mm)")
    panel.set_ylabel("droop (mm)")
    panel.legend(frameon=False)
    return figure


THREADS = Case(
    name="threads",
    title="Threads of five materials under their own weight",
    source="rho g A L^4/(8 E I)",
    runs={"sweep": Run("../examples/threads")},
    quantities=lambda results: [
        largest_error("droop", results["sweep"].observables["tip_deflection"], threads_droop(results["sweep"].parameters),
                      5e-3),
    ],
    draw=draw_threads,
)

CURVATURE, SLENDER_LENGTH = 5e-4 / (1e6 * np.pi * 0.005**4 / 4), 0.2


def arc(s):
    """Place along the axis and beside it, m."""
    angle = CURVATURE * s * SLENDER_LENGTH
    return np.sin(angle) / CURVATURE, (1 - np.cos(angle)) / CURVATURE


def slender_quantities(results):
    time, position = results["rod"].trajectory(0)
    aside = position[:, -1, 0]
    return [
        Quantity("displacement of the end", results["rod"].observables["tip_deflection"][0], arc(1.0)[1], 1e-5, "m",
                 relative=True),
        Quantity("the same at half the time", aside[len(time) // 2], arc(1.0)[1], 1e-4, "m", relative=True),
        Quantity("the same by discrete elastic rods", results["implicit"].observables["tip_deflection"][0], arc(1.0)[1],
                 1e-4, "m", relative=True),
    ]


SLENDER = Case(
    name="coupled_slender_rod",
    title="Slender rod bent by an end couple",
    source="a circular arc of curvature M/(E I)",
    runs={
        "rod": Run("../examples/coupled_slender_rod"),
        "implicit": Run("../examples/coupled_slender_rod", ("model.kind=der", "time.step=5e-3")),
    },
    quantities=slender_quantities,
    draw=lambda results: bent_rod_figure(
        results, 2, lambda s: tuple(1e3 * x for x in arc(s)), "circular arc"
    ),
)

# (7.8373 E I/(rho g A))^(1/3)
CRITICAL_LENGTH = (7.8373 * 1e6 * 0.005**2 / 4 / (1000 * 9.81)) ** (1 / 3)


def column_quantities(results):
    columns = results["sweep"]
    lengths, buckled = columns.parameters["rod.length"], columns.observables["buckled"] > 0
    return [
        interval("tallest that stands", lengths[~buckled].max(initial=0.0), CRITICAL_LENGTH - 2e-3, CRITICAL_LENGTH, "m"),
        interval("shortest that falls", lengths[buckled].min(initial=1.0), CRITICAL_LENGTH, CRITICAL_LENGTH + 2e-3, "m"),
    ]


def draw_columns(results):
    columns = results["sweep"]
    figure, panel = plt.subplots(figsize=(7, 4.4), layout="constrained")
    panel.axvline(1e3 * CRITICAL_LENGTH, color=INK, label="Greenhill")
    panel.plot(1e3 * columns.parameters["rod.length"], columns.observables["buckled"], "o-", color=ACCENT, label="rodeo")
    panel.set_xlabel("length (mm)")
    panel.set_ylabel("buckled")
    panel.legend(frameon=False)
    return figure


COLUMN = Case(
    name="greenhill_column",
    title="Column under its own weight",
    source="Greenhill 1881: L^3 = 7.8373 E I/(rho g A)",
    runs={"sweep": Run("../examples/greenhill_column")},
    quantities=column_quantities,
    draw=draw_columns,
)
