"""The picture of the vibrations of a single run: a panel for each, with the rods at rest and at both ends of their swing."""

import matplotlib.pyplot as plt
import numpy as np
from ..ensemble import EnsembleError
from .shape import draw_scale, print_member, upright, view_axes
from .style import ACCENT, INK, PlotError, direction_text, handy_unit, heading
from .surroundings import draw_held_ends, held_ends
from .view import swings_along

MOST_PANELS = 12
COLUMNS = 4
WIDTH = 3.6  # of a panel, inches
LENGTHWISE = 0.9  # of a swing's square: so much along the rods is seen as a curve over them only


class Swing:
    """A vibration as its panel shows it: rods in a view, or curves over the length of the rods."""

    def __init__(self, ensemble, member, mode):
        self.name = f"{mode}: {frequency_text(ensemble, member, mode)}"
        rest = [rod[-1] for rod in ensemble.reached_rods(member)[1]]
        self.places = [np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(rod, axis=0), axis=1))]) for rod in rest]
        try:
            _, rods = ensemble.vibration(member, mode, frames=5)
        except EnsembleError:  # it moves no node
            turns = np.split(ensemble.mode_shapes(member)[mode - 1, :, 3:], np.cumsum([len(rod) for rod in rest])[:-1])
            largest = np.argmax(np.abs(np.concatenate(turns)).max(axis=0))
            self.curves, self.what = [turn[:-1, largest] for turn in turns], ("turn", "turn", "twist")[largest]
            self.places = [0.5 * (place[1:] + place[:-1]) for place in self.places]
            return
        swings = [rod[1] - rod[0] for rod in rods]
        whole = np.concatenate(swings)
        tangents = [np.gradient(rod, axis=0) for rod in rest]
        along = [(swing * tangent).sum(axis=1) / np.linalg.norm(tangent, axis=1) for swing, tangent in zip(swings, tangents)]
        if (np.concatenate(along) ** 2).sum() > LENGTHWISE * (whole**2).sum():
            self.curves, self.what = along, "displacement along the rod"
            return
        self.curves = None
        _, sizes, axes = np.linalg.svd(whole, full_matrices=False)
        if sizes[1] < 0.1 * sizes[0]:
            axis = axes[0] * np.sign(axes[0][np.argmax(np.abs(axes[0]))])
            self.name += f", along {'xyz'[np.argmax(axis)] if axis.max() > 0.999 else direction_text(axis)}"
        self.seen = [rod @ view(ensemble.of_member(member), rods, whole)[:2].T for rod in rods]
        points = np.concatenate([rod[[0, 1, 3]].reshape(-1, 2) for rod in self.seen])
        self.lower, self.upper = points.min(axis=0), points.max(axis=0)

    def shape(self):
        """How high the panel is, of its width."""
        return 0.6 if self.curves else np.clip(np.divide(*(self.upper - self.lower)[::-1]), 0.25, 1.2)

    def draw(self, panel):
        panel.set_title(self.name, fontsize=11)
        if self.curves:
            for place, curve in zip(self.places, self.curves):
                panel.plot(place, curve, color=ACCENT)
            panel.axhline(0, color=INK, alpha=0.4)
            panel.set_xlabel("along the rod (m)")
            panel.set_ylabel(self.what)
            panel.set_yticks([])
            return
        for rod in self.seen:
            for instant, colour, alpha in ((0, INK, 0.4), (3, ACCENT, 0.35), (1, ACCENT, 1)):
                panel.plot(*rod[instant].T, color=colour, alpha=alpha, solid_capstyle="round")
        panel.set_aspect("equal", adjustable="datalim")
        panel.margins(0.08)
        panel.axis("off")


def view(ensemble, rods, swing):
    """Rows: right, up and towards the reader, of a view of rods [instants, nodes, 3] that shows their swing [nodes, 3]: of the
    plane in which they extend most, or from the side and a little from above, where they swing out of it."""
    points = np.concatenate([rod[1::2].reshape(-1, 3) for rod in rods])
    axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2]
    if swings_along(swing, axes[2]):
        return view_axes(ensemble, points)
    return upright(ensemble, axes)


def frequency_text(ensemble, member, mode):
    frequency, rate = (ensemble.observables[f"{name}_{mode}"][member] for name in ("frequency", "decay_rate"))
    if frequency < 0:
        return f"unstable, grows by {2 * np.pi * -frequency:.3g}/s"
    unit, factor = handy_unit("Hz", frequency)
    return f"{factor * frequency:.4g} {unit}" + (f", {'decays' if rate > 0 else 'grows'} by {abs(rate):.3g}/s" if rate else "")


def draw(ensemble):
    finished = np.flatnonzero(ensemble.usable)
    if len(finished) == 0:
        raise PlotError(f"{ensemble.path} has no finished member to draw yet.")
    member = finished[0]
    known = np.isfinite(ensemble.mode_shapes(member)).all(axis=(1, 2))
    shown = [mode for mode in range(1, len(known) + 1) if known[mode - 1]][:MOST_PANELS]
    if not shown:
        raise PlotError(f"{ensemble.path} has no vibration to draw.")
    swings = [Swing(ensemble, member, mode) for mode in shown]
    rows = -(-len(shown) // COLUMNS)
    columns = min(COLUMNS, len(shown))
    height = 0.7 + WIDTH * max(swing.shape() for swing in swings)
    figure, panels = plt.subplots(rows, columns, figsize=(WIDTH * columns, 0.6 + height * rows), layout="constrained",
                                  squeeze=False)
    for panel in panels.ravel()[len(shown) :]:
        panel.axis("off")
    for panel, swing in zip(panels.ravel(), swings):
        swing.draw(panel)
    count = len(swings[0].places)
    who = "does the rod" if count == 1 else f"do the {count} rods"
    part = f"The {len(shown)} slowest of {len(known)} modes" if len(shown) < len(known) else f"The {len(shown)} slowest modes"
    figure.suptitle(heading(ensemble, f"How {who} vibrate? {part}, enlarged"), fontsize=14)
    figure.draw_without_rendering()
    ends = held_ends(ensemble, member) if count == 1 else {}
    seen = [(panel, swing) for panel, swing in zip(panels.ravel(), swings) if not swing.curves]
    for panel, swing in seen:
        panel.autoscale(False)
        draw_held_ends(panel, ends, swing.seen[0][0])
    for panel, swing in seen[:1]:
        draw_scale(panel, np.array([panel.get_xlim()[0], panel.get_ylim()[0]]), np.ptp([swing.lower, swing.upper], axis=0).max())
    print_member(ensemble, member)
    return figure
