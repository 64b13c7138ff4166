"""Plectoneme and solenoid of [A] Fig. 9: what the ends are turned by is writhe and twist of the rod (White's formula)."""

import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, Case, Quantity, Run


def case(name, title, turns):
    def quantities(results):
        last = {key: values[0] for key, values in results["rod"].observables.items()}
        return [
            Quantity("writhe + twist, turns", last["writhe"] + last["twist_turns"], turns, 0.02, relative=True),
            Quantity("deepest overlap of the rod with itself, radii", last["contact_depth_max"] / 0.025, 0.0, 0.5),
        ]

    def draw(results):
        _, position = results["rod"].trajectory(0)
        figure = plt.figure(figsize=(9, 3.6), layout="constrained")
        panel = figure.add_subplot(projection="3d")
        shape = position[-1]
        panel.plot(shape[:, 2], shape[:, 0], shape[:, 1], color=ACCENT, linewidth=6, solid_capstyle="round")
        panel.set_box_aspect(np.maximum(np.ptp(shape[:, [2, 0, 1]], axis=0), 0.1))
        panel.set_xlabel("$z$ (m)")
        return figure

    return Case(
        name=name,
        title=title,
        source="[A] section 5.1, Fig. 9, which shows shapes and no numbers; linking number of the ends",
        runs={"rod": Run(name, quick=("rod.elements=50", "output.frames=2"))},
        quantities=quantities,
        draw=draw,
    )


PLECTONEME = case("plectoneme", "Plectoneme: four turns without a load", 4.0)
SOLENOID = case("solenoid", "Solenoid: thirteen turns under 300 N", 13.0)
