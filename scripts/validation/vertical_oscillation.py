import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, BLUE, Case, Quantity, Run

GRAVITY, ROD_MASS, LENGTH, AREA = 9.81, 1.0, 1.0, 1e-3


def spring(young, end_mass, xi):
    """Period T* and largest length L + 2 Delta L* of the mass on a spring (eqs 3.12 and 3.13)."""
    stiffness = young * AREA / LENGTH
    period = 2 * np.pi * np.sqrt((end_mass + ROD_MASS / xi) / stiffness)
    return period, 2 * GRAVITY * (end_mass + ROD_MASS / 2) / stiffness


def measured(results):
    ensemble = results["sweep"]
    young = ensemble.parameters["rod.young_modulus"]
    return young, ensemble.observables["oscillation_period"], ensemble.observables["largest_length"] - LENGTH


def case(name, title, end_mass, xi, quick):
    def quantities(results):
        young, period, extension = (values[-1] for values in measured(results))
        expected = spring(young, end_mass, xi)
        return [
            Quantity(f"period at E = {young:g} Pa", period, expected[0], 1e-3, "s", relative=True),
            Quantity(f"largest extension at E = {young:g} Pa", extension, expected[1], 1e-3, "m", relative=True),
        ]

    def draw(results):
        young, period, extension = measured(results)
        expected = spring(young, end_mass, xi)
        figure, panel = plt.subplots(figsize=(6.8, 4.8), layout="constrained")
        panel.loglog(young, np.abs(period / expected[0] - 1), "o-", color=BLUE, label="period $T^*$")
        panel.loglog(young, np.abs(extension / expected[1] - 1), "s-", color=ACCENT, label=r"largest extension $2\Delta L^*$")
        panel.set_xlabel("Young's modulus (Pa)")
        panel.set_ylabel("relative distance from the spring")
        panel.legend(frameon=False)
        return figure

    return Case(
        name=name,
        title=title,
        source="[A] eqs 3.12 and 3.13, Fig. 4, in the limit of a stiff rod",
        runs={"sweep": Run(name, quick=quick)},
        quantities=quantities,
        draw=draw,
    )


HEAVY = case("vertical_oscillation_heavy", "Vertical oscillation with a heavy end", 100.0, 3.0,
             ("rod.elements=25", "time.step_per_crossing=1.2587297142e-3", "time.slice_steps=50"))
LIGHT = case("vertical_oscillation_light", "Vertical oscillation under the rod's own weight", 0.0, np.pi**2 / 4,
             ("rod.elements=25", "time.step_per_crossing=4e-4", "time.slice_steps=10"))
