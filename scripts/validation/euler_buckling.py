import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, INK, Case, Quantity, Run, buckling_probabilities

STIFFNESSES = (0.5, 1.0, 2.0)  # N m^2
RATIOS = (0.90, 0.94, 0.97, 1.00, 1.03, 1.05, 1.10, 1.20)  # F/F_c
LENGTH = 1.0  # m
QUICK = ("study.repeats=4", "rod.elements_per_length=20", "time.step=5e-5")


def critical_force(stiffness):
    """The Euler load of a pinned rod, N (eq. F2)."""
    return np.pi**2 * stiffness / LENGTH**2


def run(stiffness):
    forces = ", ".join(f"{ratio * critical_force(stiffness):.12g}" for ratio in RATIOS)
    return Run(
        "euler_buckling",
        (f"rod.bend_stiffness={stiffness:g}", f"sweep.axis=load.axial_force : list({forces})"),
        QUICK,
    )


def probabilities(ensemble, stiffness):
    """Probability of buckling at each of RATIOS."""
    return buckling_probabilities(ensemble, "load.axial_force", critical_force(stiffness), RATIOS)


def quantities(results):
    found = []
    for stiffness in STIFFNESSES:
        probability = dict(zip(RATIOS, probabilities(results[f"alpha {stiffness:g}"], stiffness)))
        for ratio, expected in ((0.97, 0.0), (1.03, 1.0)):
            name = f"probability at {ratio:.2f} F_c, alpha = {stiffness:g} N m^2"
            found.append(Quantity(name, probability[ratio], expected, 0.0))
    return found


def draw(results):
    figure, panel = plt.subplots(figsize=(7, 5), layout="constrained")
    panel.axvline(1, color=INK, linewidth=1.2)
    panel.axvspan(0.97, 1.03, color=ACCENT, alpha=0.10, linewidth=0)
    for stiffness, marker in zip(STIFFNESSES, "os^"):
        values = probabilities(results[f"alpha {stiffness:g}"], stiffness)
        panel.plot(RATIOS, values, marker + "-", label=f"{stiffness:g}", linewidth=1)
    panel.set_xlabel("force over Euler load $F/F_c$")
    panel.set_ylabel("probability of buckling")
    panel.legend(title=r"$\alpha$ (N m$^2$)", frameon=False)
    return figure


CASE = Case(
    name="euler_buckling",
    title="Onset of Euler buckling",
    source="[A] Appendix F.1, eq. F2, Fig. 14; shaded: 3 % about the Euler load",
    runs={f"alpha {stiffness:g}": run(stiffness) for stiffness in STIFFNESSES},
    quantities=quantities,
    draw=draw,
    quick_note="4 instead of 10 members a force, 20 elements, 5 times the step.",
    note="The whole maps are inputs/studies/euler_buckling_alpha.ini and euler_buckling_length.ini.",
)
