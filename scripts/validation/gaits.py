"""Snake and swimmer with the gaits that [A] found to be the fastest."""

import matplotlib.pyplot as plt

from .case import ACCENT, INK, Case, Quantity, Run


def case(name, title, source, speed):
    def draw(results):
        last = results["gait"].trajectory(0)[1][-21:]  # the last of ten periods
        figure, panel = plt.subplots(figsize=(7.6, 3.6), layout="constrained")
        for k, shape in enumerate(last):
            panel.plot(shape[:, 0], shape[:, 1], color=INK, alpha=0.2 + 0.7 * k / len(last), linewidth=1)
        for end in (0, -1):
            panel.plot(last[:, end, 0], last[:, end, 1], color=ACCENT, linewidth=1.5)
        panel.set_aspect("equal")
        panel.set_xlabel("$x$ (m)")
        panel.set_ylabel("$y$ (m)")
        return figure

    return Case(
        name=name,
        title=title,
        source=source,
        runs={"gait": Run(name, ("output.frames=201",))},
        # The paper gives one or two digits ("approaches ...").
        quantities=lambda results: [
            Quantity("forward speed, lengths per period", results["gait"].observables["forward_speed"][0], speed, 0.05,
                     "m/s", relative=True)
        ],
        draw=draw,
    )


SNAKE = case("snake_gait", "Snake on the ground: the gait over a period", "[A] section 5.2, Fig. 10: about 0.6", 0.6)
SWIMMER = case("swimmer_gait", "Swimmer at low Reynolds number: the gait over a period",
               "[A] section 5.2.1, Fig. 11: about 0.055", 0.055)
