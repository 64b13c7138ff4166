import matplotlib.pyplot as plt
import numpy as np

from . import euler_buckling, helical_buckling
from .case import ACCENT, INK, Case, Quantity, Run, largest_error, runge_kutta


def elastica_drops(loads):
    """Drops of the end over the length, for w L^3/B = load: theta'' = -load (1 - s) cos theta, by shooting."""
    steps = 200  # as right as 1000 are to 1e-9

    def shoot(slope):
        y = np.stack([np.zeros_like(loads), slope, np.zeros_like(loads)])  # theta, theta', drop

        def rate(s, y):
            return np.stack([y[1], -loads * (1 - s) * np.cos(y[0]), np.sin(y[0])])

        for i in range(steps):
            y = runge_kutta(rate, i / steps, y, 1 / steps)
        return y

    lower, upper = np.zeros_like(loads), np.array(loads, dtype=float)
    for _ in range(40):
        middle = (lower + upper) / 2
        steep = shoot(middle)[1] >= 0
        lower, upper = np.where(steep, lower, middle), np.where(steep, middle, upper)
    return shoot(lower)[2]


def cantilever_drops(ensemble):
    loads = ensemble.parameters["rod.density"] / 1000
    return loads, ensemble.observables["tip_deflection"], elastica_drops(loads)


def cantilever_quantities(results):
    _, ours, exact = cantilever_drops(results["loads"])
    return [largest_error("largest error of the drop, in parts of the length", ours, exact, 1e-3, scale=1.0)]


def draw_cantilever(results):
    loads, ours, exact = cantilever_drops(results["loads"])
    figure, panel = plt.subplots(figsize=(6.4, 5), layout="constrained")
    panel.semilogx(loads, exact, color=INK, label="elastica")
    panel.semilogx(loads, ours, "o", color=ACCENT, label="discrete elastic rods")
    panel.set_xlabel("$w L^3/B$")
    panel.set_ylabel("drop of the end over $L$")
    panel.legend(frameon=False)
    return figure


CANTILEVER = Case(
    name="elastica_cantilever",
    title="Discrete elastic rods: cantilever under its own weight",
    source="elastica, solved by shooting",
    runs={"loads": Run("elastica_cantilever")},
    quantities=cantilever_quantities,
    draw=draw_cantilever,
)

STIFFNESS = 1.0  # N m^2

BUCKLING = Case(
    name="euler_buckling_der",
    title="Discrete elastic rods: onset of Euler buckling",
    source="[A] eq. F2; the deck of the Cosserat rods with the other model",
    runs={
        "sweep": Run(
            "euler_buckling",
            ("model.kind=der", "model.section=rigid", "time.step=1e-3", "time.slice_steps=10",
             "rod.elements_per_length=40"),
            ("study.repeats=2",),
        )
    },
    quantities=lambda results: [
        Quantity(f"probability of buckling at {ratio:.2f} F_c", probability, float(ratio > 1), 0.0)
        for ratio, probability in zip(
            euler_buckling.RATIOS, euler_buckling.ONSET.share(results["sweep"], STIFFNESS), strict=True
        )
        if ratio <= 0.97 or ratio >= 1.10
    ],
    draw=lambda results: draw_buckling(results["sweep"]),
)


def draw_buckling(ensemble):
    figure, panel = euler_buckling.panel_of_probabilities((6.4, 5))
    panel.plot(euler_buckling.RATIOS, euler_buckling.ONSET.share(ensemble, STIFFNESS), "o-", color=ACCENT)
    return figure


HELIX_LEVELS = (200, 400, 800)


def helix_run(elements):
    return Run(
        "helical_buckling",
        ("model.kind=der", "model.section=rigid", f"rod.elements={elements}",
         f"time.step_per_length={elements / 100:g}",  # 1 s
         "time.slice_steps=100", "newton.tolerance=1e-5", "output.frames=2"),
    )


def helix_quantities(results):
    found = {n: results[f"n = {n}"].observables for n in HELIX_LEVELS}
    finest = {name: values[0] for name, values in found[HELIX_LEVELS[-1]].items()}
    quantities = [
        Quantity("theta_max, finest", finest["theta_max"], helical_buckling.THETA_MAX, 0.02, "rad", relative=True),
        Quantity("end couple, finest", finest["end_couple"], helical_buckling.COUPLE, 0.01, "N m", relative=True),
        Quantity("end force, finest", finest["end_force"], helical_buckling.FORCE, 0.04, "N", relative=True),
    ]
    errors = [abs(found[n]["end_force"][0] - helical_buckling.FORCE) for n in HELIX_LEVELS]
    return quantities + [
        Quantity("order of the end force, last two levels", np.log2(errors[-2] / errors[-1]), 2.0, 0.3)
    ]


def draw_helix(results):
    figure, panel = plt.subplots(figsize=(6.4, 5), layout="constrained")
    helical_buckling.draw_envelope(panel, [results[f"n = {n}"].trajectory(0)[1][-1] for n in HELIX_LEVELS])
    return figure


HELIX = Case(
    name="helical_buckling_der",
    title="Discrete elastic rods: localised helical buckling",
    source="[A] eqs 3.10 and 3.11; the deck of the Cosserat rods with the other model",
    runs={f"n = {n}": helix_run(n) for n in HELIX_LEVELS},
    quantities=helix_quantities,
    draw=draw_helix,
    long=True,
    note="The curvatures of eq. 3 are weakened by the twist of a hinge as cos(tau/2), so this case, with 27 turns of "
    "twist, needs more elements than the Cosserat rods do.",
)

SPRING_LENGTH = 0.32  # m


def spring_ends(results):
    """Resolutions, and where the last node stands in each model, [levels, 3]."""
    levels = next(iter(results.values())).parameters["rod.elements"]
    return levels, [
        np.stack([run.observables[f"end_{axis}"] for axis in "xyz"], axis=1) for run in results.values()
    ]


def spring_quantities(results):
    levels, (cosserat, der) = spring_ends(results)
    apart = np.linalg.norm(der - cosserat, axis=1) / SPRING_LENGTH
    limits = [end[-1] + (end[-1] - end[-2]) / 3 for end in (cosserat, der)]  # errors fall as 1/n^2
    return [
        Quantity(f"order of the distance, n = {int(a)} to {int(b)}", np.log2(apart[k] / apart[k + 1]), 2.0, 0.2)
        for k, (a, b) in enumerate(zip(levels[:-1], levels[1:]))
    ] + [
        Quantity("distance of the limits of both, lengths", np.linalg.norm(limits[1] - limits[0]) / SPRING_LENGTH, 0.0, 1e-4)
    ]


def draw_spring(results):
    levels, ends = spring_ends(results)
    limit = ends[0][-1] + (ends[0][-1] - ends[0][-2]) / 3
    figure, (shapes, errors) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
    for ensemble, end, label, style, colour in zip(results.values(), ends, ("Cosserat rods", "discrete elastic rods"),
                                                   ("-", "--"), (INK, ACCENT)):
        position = ensemble.trajectory(len(levels) - 1)[1]
        shapes.plot(position[-1, :, 0], position[-1, :, 2], style, color=colour, label=label)
        errors.loglog(levels, np.linalg.norm(end - limit, axis=1) / SPRING_LENGTH, "o" + style, color=colour, label=label)
    shapes.plot(position[0, :, 0], position[0, :, 2], ":", color=INK, label="before")
    shapes.set(xlabel="$x$ (m)", ylabel="$z$ (m)", aspect="equal", title=f"At rest, n = {int(levels[-1])}")
    errors.set(xlabel="elements", ylabel="distance of the end from the limit over $L$", title="Both towards one limit")
    shapes.xaxis.set_major_locator(plt.MaxNLocator(3))
    shapes.legend(frameon=False)
    errors.xaxis.set_minor_locator(plt.NullLocator())
    errors.set_xticks(levels, [f"{n:g}" for n in levels])
    errors.legend(frameon=False)
    return figure


SPRING = Case(
    name="loaded_helix",
    title="Equilibrium of a helical spring: discrete elastic rods and Cosserat rods",
    source="the same deck by both models",
    runs={
        "cosserat": Run("loaded_helix"),
        "der": Run("loaded_helix", ("model.kind=der", "time.step=0.02", "newton.tolerance=1e-7")),
    },
    quantities=spring_quantities,
    draw=draw_spring,
)

CASES = (CANTILEVER, BUCKLING, HELIX, SPRING)
