"""Plectoneme and solenoid of [A] Fig. 9: what the ends are turned by becomes writhe of the rod."""

import pathlib
import subprocess

import matplotlib.pyplot as plt

from .case import Case, Quantity, Run

RENDER = pathlib.Path(__file__).resolve().parents[1] / "render"
INSTANTS = (8, 15, 25)  # frames, 5 s apart


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
        figure, panels = plt.subplots(len(INSTANTS), 1, figsize=(8, 9), layout="constrained")
        for panel, instant in zip(panels, INSTANTS):
            path = pathlib.Path(results["rod"].path).with_suffix(".png")
            subprocess.run([RENDER, results["rod"].path, "--frame", str(instant), "--size", "800x268", "-o", path],
                           check=True, capture_output=True)
            panel.imshow(plt.imread(path))
            path.unlink()
            panel.set_axis_off()
            panel.set_title(f"$t$ = {results['rod'].trajectory(0)[0][instant]:g} s", fontsize=10)
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
