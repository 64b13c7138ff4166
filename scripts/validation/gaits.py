"""Snake and swimmer with the gaits that [A] found to be the fastest."""

import matplotlib.pyplot as plt
import numpy as np

from .case import ACCENT, BLUE, INK, Case, Run, interval

FRAMES_A_PERIOD = 40
PERIODS = 10


def centre_of_mass(position):
    """Of every frame, m: end nodes have half the mass of the others."""
    mass = np.ones(position.shape[1])
    mass[[0, -1]] = 0.5
    return np.einsum("n,fnk->fk", mass / mass.sum(), position)


def velocities(time, position):
    """Velocity of the centre of mass between frames, m/s, at the middles of the intervals."""
    return (time[1:] + time[:-1]) / 2, np.diff(centre_of_mass(position), axis=0) / np.diff(time)[:, None]


def last_period(position):
    return position[-FRAMES_A_PERIOD - 1 :]


def envelope_width(position):
    """Half of the width that the body sweeps over a period, m."""
    return np.ptp(last_period(position)[:, :, 1]) / 2


def draw_velocities(panel, time, position):
    """Forward and lateral velocity over time: [A] Figs 10f, 11f and 19b."""
    middle, velocity = velocities(time, position)
    panel.axhline(0, color="#999999", linewidth=0.8)
    panel.plot(middle, velocity[:, 0], color=ACCENT, linewidth=1.4, label="forward")
    panel.plot(middle, velocity[:, 1], color=BLUE, linewidth=1.0, label="lateral")
    panel.set_xlabel("time (periods)")
    panel.set_ylabel("velocity (lengths a period)")
    panel.legend(frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)


def draw_envelope(panel, position):
    """Shapes over the last period with the tracks of head and tail: [A] Figs 10g, 11g and 19a."""
    shapes = last_period(position)[::2]
    for k, shape in enumerate(shapes):
        panel.plot(shape[:, 0], shape[:, 1], color=INK, alpha=0.15 + 0.6 * k / len(shapes), linewidth=1)
    for end in (0, -1):
        track = last_period(position)[:, end]
        panel.plot(track[:, 0], track[:, 1], color=ACCENT, linewidth=1.8)
    panel.set_aspect("equal", adjustable="datalim")
    panel.set_xlabel("$x$ (m)")
    panel.set_ylabel("$y$ (m)")


def case(name, title, source, low, high):
    def quantities(results):
        return [interval("forward speed, lengths a period", results["gait"].observables["forward_speed"][0], low, high)]

    def draw(results):
        time, position = results["gait"].trajectory(0)
        figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.2), layout="constrained", width_ratios=(1.1, 1))
        draw_velocities(left, time, position)
        left.axhspan(low, high, color=ACCENT, alpha=0.15, linewidth=0)
        draw_envelope(right, position)
        right.set_title(f"last period, half width {envelope_width(position):.3f} m; red: head and tail", fontsize=10)
        return figure

    return Case(
        name=name,
        title=title,
        source=source,
        runs={"gait": Run(name, (f"output.frames={PERIODS * FRAMES_A_PERIOD + 1}",))},
        quantities=quantities,
        draw=draw,
        note="Shaded: the published mean forward speed.",
    )


SNAKE = case("snake_gait", "Snake on the ground: the fastest gait", "[A] section 5.2, Fig. 10f, g: about 0.6; its authors' program: 0.5855", 0.580, 0.591)
SWIMMER = case("swimmer_gait", "Swimmer at low Reynolds number: the fastest gait",
               "[A] section 5.2.1, Fig. 11f, g: about 0.055", 0.055, 0.056)
