import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, INK, Case, Quantity, Run

LENGTH = 0.5  # m
FRAMES = ("output.frames=201",)  # 20 a period
ANISOTROPIC = ("ground.static_friction=0.2, 4, 0.4", "ground.kinetic_friction=0.1, 2, 0.2")


def quantities(results):
    isotropic = {key: values[0] for key, values in results["isotropic"].observables.items()}
    creep = results["anisotropic"].observables["forward_speed"][0] / LENGTH
    return [
        Quantity("drift forward, lengths per period", isotropic["forward_speed"] / LENGTH, 0.0, 1e-6),
        Quantity("drift sideways, lengths per period", isotropic["lateral_speed"] / LENGTH, 0.0, 1e-6),
        Quantity("moves under anisotropic friction (1: more than 1e-4)", float(abs(creep) > 1e-4), 1.0, 0.0),
    ]


def draw(results):
    figure, panels = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained", sharey=True)
    for panel, (label, ensemble) in zip(panels, results.items()):
        last = ensemble.trajectory(0)[1][-21:]
        for k, shape in enumerate(last):
            panel.plot(shape[:, 0], shape[:, 1], color=INK, alpha=0.2 + 0.7 * k / len(last), linewidth=1)
        panel.plot(LENGTH / 2, 0, "^", color=ACCENT)
        panel.set_title(f"{label} friction")
        panel.set_xlabel("$x$ (m)")
        panel.set_aspect("equal")
    panels[0].set_ylabel("$y$ (m)")
    return figure


CASE = Case(
    name="friction_symmetry",
    title="A symmetric gait under isotropic and anisotropic friction",
    source="[A] Appendix G.3, Fig. 19, tenth period; triangle: centre of mass at the start",
    runs={"isotropic": Run("friction_symmetry", FRAMES), "anisotropic": Run("friction_symmetry", FRAMES + ANISOTROPIC)},
    quantities=quantities,
    draw=draw,
)
