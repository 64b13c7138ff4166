import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, INK, Case, Quantity, Run


def quantities(results):
    ours = results["swimmer"].observables["forward_speed"][0]
    return [Quantity("forward speed, lengths per period", ours, 0.055, 0.05, "m/s", relative=True)]


def draw(results):
    _, position = results["swimmer"].trajectory(0)
    last = position[-21:]  # the last of ten periods
    figure, panel = plt.subplots(figsize=(7.6, 3.6), layout="constrained")
    for k, shape in enumerate(last):
        panel.plot(shape[:, 0], shape[:, 1], color=INK, alpha=0.2 + 0.7 * k / len(last), linewidth=1)
    for end in (0, -1):
        panel.plot(last[:, end, 0], last[:, end, 1], color=ACCENT, linewidth=1.5)
    panel.set_aspect("equal")
    panel.set_xlabel("$x$ (m)")
    panel.set_ylabel("$y$ (m)")
    return figure


CASE = Case(
    name="swimmer_gait",
    title="Swimmer at low Reynolds number: the gait over a period",
    source="[A] section 5.2.1, Fig. 11: about 0.055, read with two digits from text and figure",
    runs={"swimmer": Run("swimmer_gait", ("output.frames=201",))},
    quantities=quantities,
    draw=draw,
)
