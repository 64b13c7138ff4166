import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, BLUE, INK, Case, Quantity, Run

LENGTH = 0.1  # m
STRETCH_STIFFNESS = 100.0  # E A_hat, N


def elongation(results):
    """Force (N) and elongation factor of every member."""
    ensemble = results["sweep"]
    return ensemble.parameters["load.end_force[2]"], ensemble.observables["end_z"] / LENGTH


def quantities(results):
    return [
        Quantity(f"elongation at {force:g} N", ours, 1 / (1 - force / STRETCH_STIFFNESS), 1e-9, relative=True)
        for force, ours in zip(*elongation(results))
        if force > 0
    ]


def draw(results):
    force, ours = elongation(results)
    e = np.linspace(1, 2.05, 300)
    neo_hookean = STRETCH_STIFFNESS / 3 * (e - 1 / e**2)  # 2 C10 A_hat (e - 1/e^2), E = 6 C10
    mooney_rivlin = STRETCH_STIFFNESS / 6 * (e**2 - 1 / e) * (1 + 1 / e) / e  # C10 = C01, E = 6 (C10 + C01)
    figure, panel = plt.subplots(figsize=(7, 5), layout="constrained")
    panel.axvspan(1, 1.3, color=INK, alpha=0.06, linewidth=0)
    panel.plot(e, STRETCH_STIFFNESS * (e - 1) / e, color=INK, label=r"$\hat A E\,(e-1)/e$")
    panel.plot(e, neo_hookean, color=BLUE, linestyle="--", label="neo-Hookean")
    panel.plot(e, mooney_rivlin, color=BLUE, linestyle=":", label="Mooney-Rivlin")
    panel.plot(ours, force, "o", color=ACCENT, label="rodeo")
    panel.set_xlabel("elongation factor $e$")
    panel.set_ylabel("force (N)")
    panel.legend(frameon=False)
    return figure


CASE = Case(
    name="hyperelastic_stretch",
    title="Load response of a stretched rubber beam",
    source="[A] Appendix B, Fig. 12: F = E A (e - 1)/e",
    runs={"sweep": Run("hyperelastic_stretch")},
    quantities=quantities,
    draw=draw,
    note="Shaded: the 30 % within which [A] calls the linear law a reasonable approximation of the hyperelastic ones.",
)
