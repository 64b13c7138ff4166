import convergence_figure
import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, BLUE, INK, Case, Quantity, Run, ladder_orders

LENGTH, RADIUS, YOUNG, SHEAR = 3.0, 0.25, 1e6, 1e4
AREA = np.pi * RADIUS**2
BEND = YOUNG * np.pi * RADIUS**4 / 4  # E I
FORCE = 15.0
# The same state of rest, reached soon: critically damped instead of nearly undamped.
AT_REST = ("rod.damping=500", "load.ramp_time=10", "time.end=240")


def timoshenko(s):
    return FORCE * s / (4 / 3 * AREA * SHEAR) + euler_bernoulli(s)


def euler_bernoulli(s):
    return FORCE * s**2 * (LENGTH / 2 - s / 6) / BEND


def quantities(results):
    ours = results["beam"].observables["tip_deflection"][0]
    return [
        Quantity("tip deflection", ours, timoshenko(LENGTH), 2e-3, "m", relative=True),
        *ladder_orders(results["ladder"].convergence, 0.1),
    ]


def draw(results):
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.6), layout="constrained")
    _, position = results["beam"].trajectory(0)
    s = np.linspace(0, LENGTH, position.shape[1])
    left.plot(s, -timoshenko(s), color=INK, label="Timoshenko")
    left.plot(s, -euler_bernoulli(s), color=BLUE, label="Euler-Bernoulli")
    left.plot(s, position[-1, :, 0], "--", color=ACCENT, label="rodeo")
    left.set_xlabel(r"rest arc length $\hat s$ (m)")
    left.set_ylabel("deflection (m)")
    left.legend(frameon=False)
    convergence_figure.draw(right, results["ladder"].convergence)
    return figure


CASE = Case(
    name="timoshenko_cantilever",
    title="Timoshenko cantilever",
    source="[A] eq. 3.14, Fig. 5",
    runs={
        "beam": Run("timoshenko_cantilever", ("output.frames=2",), ("rod.elements=20", *AT_REST)),
        # Eq. 3.14 holds for small deflections: at 15 N a rod of any number of elements ends 5e-5 m from it.
        "ladder": Run(
            "timoshenko_cantilever",
            ("study.kind=convergence", "convergence.axis=rod.elements : list(10, 20, 40, 80, 160)",
             "convergence.reference=timoshenko", "load.end_force=-0.015, 0, 0", *AT_REST),
            ("convergence.axis=rod.elements : list(5, 10, 20, 40)",),
        ),
    },
    quantities=quantities,
    draw=draw,
    note="The orders are measured at a thousandth of the force, where the linear theory holds, and critically damped: at the "
    "caption's 0.1 kg/(m s) the rod still rings by more than the error of 40 elements when the deck ends.",
)
