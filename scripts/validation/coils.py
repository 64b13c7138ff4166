"""Plectoneme and solenoid of [A] Fig. 9: what the ends are turned by becomes writhe of the rod."""

import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, Case, Quantity, Run


def case(name, title, turns, writhe, distance):
    def quantities(results):
        last = {key: values[0] for key, values in results["rod"].observables.items()}
        return [
            Quantity("link of the ends, turns", last["link"], turns, 1e-3),
            Quantity("writhe (own value)", last["writhe"], writhe, 0.05, relative=True),
            Quantity("distance of the ends (own value)", last["end_z"], distance, 0.05, "m", relative=True),
            Quantity("deepest overlap of the rod with itself, radii", last["contact_depth_max"] / 0.025, 0.0, 0.05),
            Quantity("kinetic energy at the end", last["translational_energy"] + last["rotational_energy"], 0.0, 1e-6, "J"),
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
        runs={"rod": Run(name)},
        quantities=quantities,
        draw=draw,
    )


PLECTONEME = case("plectoneme", "Plectoneme: four turns without a load", 4.0, 2.34, 0.1394)
SOLENOID = case("solenoid", "Solenoid: thirteen turns under 300 N", 13.0, 4.18, 0.387)
