import matplotlib.pyplot as plt
import numpy as np

from .buckling import Onset
from .case import ACCENT, INK, Case

RATIOS = (0.90, 0.94, 0.97, 1.00, 1.03, 1.05, 1.10, 1.20)  # F/F_c
LENGTH = 1.0  # m
QUICK = ("study.repeats=4", "rod.elements_per_length=20", "time.step=5e-5")

ONSET = Onset(
    deck="euler_buckling",
    load="load.axial_force",
    ratios=RATIOS,
    critical=lambda stiffness: np.pi**2 * stiffness / LENGTH**2,  # the Euler load of a pinned rod, N (eq. F2)
    key="rod.bend_stiffness",
    values=(0.5, 1.0, 2.0),  # N m^2
    label="alpha",
    names=("F_c", "alpha", " N m^2"),
)


def panel_of_probabilities(figsize):
    figure, panel = plt.subplots(figsize=figsize, layout="constrained")
    panel.axvline(1, color=INK, linewidth=1.2)
    panel.set_xlabel("force over Euler load $F/F_c$")
    panel.set_ylabel("probability of buckling")
    return figure, panel


def draw(results):
    figure, panel = panel_of_probabilities((7, 5))
    panel.axvspan(0.97, 1.03, color=ACCENT, alpha=0.10, linewidth=0)
    for (stiffness, share), marker in zip(ONSET.shares(results).items(), "os^"):
        panel.plot(RATIOS, share, marker + "-", label=f"{stiffness:g}", linewidth=1)
    panel.legend(title=r"$\alpha$ (N m$^2$)", frameon=False)
    return figure


CASE = Case(
    name="euler_buckling",
    title="Onset of Euler buckling",
    source="[A] Appendix F.1, eq. F2, Fig. 14; shaded: 3 % about the Euler load",
    runs=ONSET.runs(QUICK),
    quantities=ONSET.quantities,
    draw=draw,
    quick_note="4 instead of 10 members a force, 20 elements, 5 times the step.",
    note="The whole maps are inputs/studies/euler_buckling_alpha.ini and euler_buckling_length.ini.",
)
