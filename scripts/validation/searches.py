"""The inverse problems of [A]: CMA-ES finds the gaits of snake and swimmer from a start at rest."""

import matplotlib.pyplot as plt
import numpy as np
from softrods.figures import optimize as optimize_figure

from .case import Case, Quantity, Run, at_most, interval

BOUND = 50  # N m, of every couple of the muscles' wave


def best_point(search):
    """The parameters of the best candidate, by name."""
    member = np.flatnonzero(search.candidate == search.optimize["best_candidate"][-1])[0]
    return {name: values[member] for name, values in search.parameters.items()}


def wave_length(point):
    return 2 * np.pi / abs(point["muscle.wave_number"])


def smallest_couple(point):
    return min(abs(point[f"muscle.amplitudes[{k}]"]) for k in range(4))


def draw(results):
    optimize, names = results["search"].optimize, list(results["search"].parameters)
    figure, panels = plt.subplots(1, 3, figsize=(15, 4.2), layout="constrained")
    optimize_figure.draw_objective(panels[0], optimize, "forward speed (lengths a period)", maximize=True)
    optimize_figure.draw_steps(panels[1], optimize)
    optimize_figure.draw_parameters(panels[2], optimize, names, np.abs(optimize["mean_vector"]).max(axis=0), False)
    for panel in panels:
        panel.set_xlabel("generation")
    return figure


def case(name, title, source, speed, gait):
    """`speed`: limits in lengths a period; `gait`: the quantities of the best point."""

    def quantities(results):
        optimize = results["search"].optimize
        return [
            interval("forward speed, lengths a period", optimize["best"][-1], *speed),
            *gait(best_point(results["search"])),
            at_most("generations", len(optimize["generation"]), 100),
        ]

    return Case(
        name=name,
        title=title,
        source=source,
        runs={"search": Run(f"../studies/{name}")},
        quantities=quantities,
        draw=draw,
        note="Couples and wave number start from zero.",
        long=True,
    )


SNAKE = case(
    "snake_cma", "Snake on the ground: search for the fastest gait", "[A] section 5.2, Fig. 10: about 0.6, a wave of about L",
    (0.58, 0.62), lambda point: [Quantity("wave length", wave_length(point), 1.0, 0.15, "L", relative=True)],
)  # fmt: skip
SWIMMER = case(
    "swimmer_cma", "Swimmer at low Reynolds number: search for the fastest gait",
    "[A] section 5.2.1, Fig. 11: 0.055, couples at their bound, a wave of 0.385 L",
    (0.054, 0.057), lambda point: [
        Quantity("wave length", wave_length(point), 0.385, 0.1, "L", relative=True),
        Quantity("smallest couple", smallest_couple(point), BOUND, 0.01, "N m", relative=True),
    ],
)  # fmt: skip
