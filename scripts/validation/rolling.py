"""The three tests of rolling friction of [A] Fig. 17 for a rod of 1 kg and radius 0.025 m: energies after a time."""

import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, BLUE, INK, Case, Run, largest_error

MASS, RADIUS, GRAVITY, STATIC, KINETIC = 1.0, 0.025, 9.81, 0.4, 0.2
INERTIA = MASS * RADIUS**2 / 2
TOLERANCE = 0.01


def incline(angle, time=0.5):
    rolls = np.tan(angle) <= 3 * STATIC
    rolling = 2 * MASS * (GRAVITY * time * np.sin(angle)) ** 2 / 9
    sliding = MASS * (GRAVITY * time * (np.sin(angle) - KINETIC * np.cos(angle))) ** 2 / 2
    spinning = (KINETIC * MASS * GRAVITY * RADIUS * time * np.cos(angle)) ** 2 / (2 * INERTIA)
    return np.where(rolls, rolling, sliding), np.where(rolls, rolling / 2, spinning)


def couple(torque, time=1.0):
    rolls = torque <= 1.5 * STATIC * MASS * GRAVITY * RADIUS
    rolling = 2 * (time * torque / RADIUS) ** 2 / (9 * MASS)
    sliding = MASS * (KINETIC * GRAVITY * time) ** 2 / 2
    spinning = ((torque - KINETIC * MASS * GRAVITY * RADIUS) * time) ** 2 / (2 * INERTIA)
    return np.where(rolls, rolling, sliding), np.where(rolls, rolling / 2, spinning)


def slowdown(ratio, velocity=1.0):
    translational = 0.5 * MASS * velocity**2 / (1 + ratio / 2) ** 2
    return translational, translational * ratio / 2


def case(name, title, key, label, closed_form, quick_axis):
    def measured(results):
        ensemble = results["sweep"]
        return ensemble.parameters[key], ensemble.observables["translational_energy"], ensemble.observables["rotational_energy"]

    def quantities(results):
        parameter, translational, rotational = measured(results)
        expected = closed_form(parameter)
        return [
            largest_error("translational energy, largest relative error", translational, expected[0], TOLERANCE),
            largest_error("rotational energy, largest relative error", rotational, expected[1], TOLERANCE),
        ]

    def draw(results):
        parameter, translational, rotational = measured(results)
        fine = np.linspace(parameter.min(), parameter.max(), 1000)
        expected = closed_form(fine)
        figure, panel = plt.subplots(figsize=(6.8, 4.8), layout="constrained")
        panel.plot(fine, expected[0], color=INK, label="$E_T$, closed form")
        panel.plot(fine, expected[1], "--", color=INK, label="$E_R$, closed form")
        panel.plot(parameter, translational, "o", color=BLUE, markersize=5, label="$E_T$, rodeo")
        panel.plot(parameter, rotational, "s", color=ACCENT, markersize=5, label="$E_R$, rodeo")
        panel.set_xlabel(label)
        panel.set_ylabel("energy (J)")
        panel.legend(frameon=False)
        return figure

    return Case(
        name=name,
        title=title,
        source="[A] Appendix G.1, Fig. 17",
        runs={"sweep": Run(name, quick=(f"sweep.axis={key} : {quick_axis}", "rod.elements=10"))},
        quantities=quantities,
        draw=draw,
        quick_note="fewer members, of 10 elements.",
    )


INCLINE = case("rolling_incline", "Rod on an inclined plane", "gravity.incline", r"angle $\alpha_s$ (rad)", incline,
               "linspace(0.1, 1.5, 4)")
COUPLE = case("rolling_couple", "Rod driven by a couple", "load.distributed_couple[0]", "couple $C$ (N m)", couple,
              "linspace(0.03, 0.3, 4)")
SLOWDOWN = case("rolling_slowdown", "Rod that slips until it rolls", "rod.inertia_ratio", r"$\lambda$", slowdown,
                "linspace(0.25, 2, 4)")
