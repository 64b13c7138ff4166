import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, INK, Case, Run, largest_error

MASS, GRAVITY, TIME = 1.0, 9.81, 0.25
KEY = "gravity.acceleration[0]"  # the mass is 1 kg, so this is the force in N


def energy(force):
    """E_T after TIME, J; forward friction 0.8 and 0.4, backward 0.4 and 0.2 (static and kinetic)."""
    static = np.where(force > 0, 0.8, 0.4) * MASS * GRAVITY
    kinetic = np.where(force > 0, 0.4, 0.2) * MASS * GRAVITY
    return np.where(np.abs(force) > static, (TIME * (np.abs(force) - kinetic)) ** 2 / (2 * MASS), 0.0)


def quantities(results):
    force = results["sweep"].parameters[KEY]
    ours = results["sweep"].observables["translational_energy"]
    moves = energy(force) > 0
    largest = energy(force).max()
    return [
        largest_error("energy of rods that slide, largest relative error", ours[moves], energy(force)[moves], 0.01),
        largest_error("energy of rods that stick, over the largest of all", ours[~moves], energy(force)[~moves], 1e-3, largest),
    ]


def draw(results):
    force = results["sweep"].parameters[KEY]
    fine = np.linspace(force.min(), force.max(), 2000)
    figure, panel = plt.subplots(figsize=(6.8, 4.8), layout="constrained")
    panel.plot(fine, energy(fine), color=INK, label="closed form")
    panel.plot(force, results["sweep"].observables["translational_energy"], "o", color=ACCENT, markersize=5, label="rodeo")
    panel.set_xlabel("force along the rod (N)")
    panel.set_ylabel("translational energy $E_T$ (J)")
    panel.legend(frameon=False)
    return figure


CASE = Case(
    name="longitudinal_friction",
    title="Anisotropic longitudinal friction",
    source="[A] Appendix G.2, Fig. 18",
    runs={"sweep": Run("longitudinal_friction")},
    quantities=quantities,
    draw=draw,
)
