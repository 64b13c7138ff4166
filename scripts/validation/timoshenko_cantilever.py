import dataclasses
import functools

import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, BLUE, INK, Case, Quantity, Run, orders, runge_kutta

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


@dataclasses.dataclass(frozen=True)
class Cantilever:
    """At rest under a force across its end: the steady state of eqs 3.8 and 3.9 with rigid sections, n = S sigma and B kappa."""

    length: float  # m
    force: float  # N
    bend: float  # N m^2
    shear: float  # N
    stretch: float  # N

    def slopes(self, _, state):
        """d/ds_hat of deflection x, height z, angle a of the directors and couple m; all sections carry the end force."""
        _, _, a, m = state
        across, along = self.force * np.cos(a) / self.shear, 1 + self.force * np.sin(a) / self.stretch
        dz = along * np.cos(a) - across * np.sin(a)
        return np.array([across * np.cos(a) + along * np.sin(a), dz, m / self.bend, -dz * self.force])

    @functools.cache
    def states(self, steps):
        """From the clamp to the end, by Runge-Kutta steps from the couple at the clamp that leaves none at the end. That is
        between none and the couple of the undeflected rod: by secants within (the Illinois rule)."""
        def march(couple):
            states, h = [np.array([0.0, 0.0, 0.0, couple])], self.length / steps
            for k in range(steps):
                states.append(runge_kutta(self.slopes, k * h, states[-1], h))
            return np.array(states)

        low, high = 0.0, self.force * self.length
        left_low, left_high, side = march(low)[-1, 3], march(high)[-1, 3], 0
        while True:
            couple = (low * left_high - high * left_low) / (left_high - left_low)
            states = march(couple)
            left = states[-1, 3]
            if abs(left) <= 1e-13 * self.force * self.length or not low < couple < high:
                return states
            if left > 0:
                high, left_high, left_low, side = couple, left, left_low / 2 if side > 0 else left_low, 1
            else:
                low, left_low, left_high, side = couple, left, left_high / 2 if side < 0 else left_high, -1


ROD = Cantilever(LENGTH, FORCE, BEND, SHEAR_STIFFNESS, STRETCH_STIFFNESS)


def quantities(results):
    elements, tips = tip_deflections(results)
    limit = ROD.states(1000)[-1, 0]
    errors = np.abs(tips - limit)
    return [
        Quantity("tip deflection, against eq. 3.14", results["beam"].observables["tip_deflection"][0],
                 timoshenko(LENGTH), 1e-2, "m", relative=True),
        Quantity(f"tip deflection, n = {int(elements[-1])}, against large deflections", tips[-1], limit,
                 1e-5 * (400 / elements[-1]) ** 2, "m", relative=True),
        *(Quantity(f"order at the tip, n = {int(a)} to {int(b)}", order, 2.0, 0.2)
          for a, b, order in zip(elements[:-1], elements[1:], orders(elements, errors))),
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
    errors = np.abs(tips / ROD.states(1000)[-1, 0] - 1)
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
