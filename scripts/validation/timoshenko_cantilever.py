import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, BLUE, INK, Case, Quantity, Run, runge_kutta

LENGTH, RADIUS, YOUNG, SHEAR = 3.0, 0.25, 1e6, 1e4
AREA = np.pi * RADIUS**2
BEND = YOUNG * np.pi * RADIUS**4 / 4  # E I
SHEAR_STIFFNESS, STRETCH_STIFFNESS = 4 / 3 * AREA * SHEAR, AREA * YOUNG
FORCE = 15.0
# The same state of rest, reached soon: critically damped.
AT_REST = ("rod.damping=500", "load.ramp_time=10", "time.end=240")


def timoshenko(s):
    """Deflection, m, for small loads (eq. 3.14)."""
    return FORCE * s / SHEAR_STIFFNESS + euler_bernoulli(s)


def euler_bernoulli(s):
    return FORCE * s**2 * (LENGTH / 2 - s / 6) / BEND


def slopes(_, state):
    """d/ds_hat of deflection x, height z, angle a of the directors and couple m of a rod at rest whose sections all carry
    the end force: the steady state of eqs 3.8 and 3.9 with rigid sections, n = S sigma and B kappa."""
    _, _, a, m = state
    across, along = FORCE * np.cos(a) / SHEAR_STIFFNESS, 1 + FORCE * np.sin(a) / STRETCH_STIFFNESS
    dz = along * np.cos(a) - across * np.sin(a)
    return np.array([across * np.cos(a) + along * np.sin(a), dz, m / BEND, -dz * FORCE])


def large_deflection(steps=1000):
    """States from the clamp to the end, by Runge-Kutta steps from the couple at the clamp that leaves none at the end."""
    def march(couple):
        states, h = [np.array([0.0, 0.0, 0.0, couple])], LENGTH / steps
        for k in range(steps):
            states.append(runge_kutta(slopes, k * h, states[-1], h))
        return np.array(states)

    couple, before = FORCE * LENGTH, 0.9 * FORCE * LENGTH
    left, left_before = march(couple)[-1, 3], march(before)[-1, 3]
    while abs(left) > 1e-12:
        couple, before = couple - left * (couple - before) / (left - left_before), couple
        left, left_before = march(couple)[-1, 3], left
    return march(couple)


def quantities(results):
    elements, tips = tip_deflections(results)
    limit = large_deflection()[-1, 0]
    errors = np.abs(tips - limit)
    orders = np.log(errors[:-1] / errors[1:]) / np.log(elements[1:] / elements[:-1])
    return [
        Quantity("tip deflection, against eq. 3.14", results["beam"].observables["tip_deflection"][0],
                 timoshenko(LENGTH), 1e-2, "m", relative=True),
        Quantity(f"tip deflection, n = {int(elements[-1])}, against large deflections", tips[-1], limit,
                 1e-5 * (400 / elements[-1]) ** 2, "m", relative=True),
        *(Quantity(f"order at the tip, n = {int(a)} to {int(b)}", order, 2.0, 0.2)
          for a, b, order in zip(elements[:-1], elements[1:], orders)),
    ]


def tip_deflections(results):
    ladder = results["ladder"]
    return ladder.parameters["rod.elements"], ladder.observables["tip_deflection"]


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
    elements, tips = tip_deflections(results)
    errors = np.abs(tips / large_deflection()[-1, 0] - 1)
    right.loglog(elements, errors, "o-", color=ACCENT, label="tip, against large deflections")
    right.loglog(elements, errors[0] * (elements[0] / elements) ** 2, "--", color=INK, label="second order")
    right.set_xlabel("elements $n$")
    right.set_ylabel("relative error")
    right.legend(frameon=False)
    return figure


CASE = Case(
    name="timoshenko_cantilever",
    title="Timoshenko cantilever",
    source="[A] eq. 3.14, Fig. 5; large deflections: the steady state of eqs 3.8 and 3.9 with rigid sections by shooting",
    runs={
        "beam": Run("timoshenko_cantilever", ("output.frames=2",), ("rod.elements=20", *AT_REST)),
        "ladder": Run(
            "timoshenko_cantilever",
            ("study.kind=sweep", "sweep.axis=rod.elements : list(10, 20, 50, 100, 200, 400)", *AT_REST),
            ("sweep.axis=rod.elements : list(5, 10, 20, 40)",),
        ),
    },
    quantities=quantities,
    draw=draw,
    note="Sections are rigid: with the paper's, whose area follows the stretch, rods of 100 elements and more diverge at the "
    "caption's damping, whatever the step; the deck says why.",
)
