"""The picture of the vibrations of a single run: a panel for each, with the rods at rest and at both ends of their swing."""

import matplotlib.pyplot as plt
import numpy as np
from ..ensemble import EnsembleError
from .shape import print_member
from .style import ACCENT, INK, PlotError, heading

MOST_PANELS = 12
COLUMNS = 4


def seen_axes(points):
    """Rows: right and up, of a view in which the points [:, 3] extend most."""
    axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2][:2]
    return axes * np.sign([axis[np.argmax(np.abs(axis))] for axis in axes])[:, None]


def title_of(ensemble, member, mode):
    frequency = ensemble.observables[f"frequency_{mode}"][member]
    decay = ensemble.observables[f"decay_rate_{mode}"][member]
    return f"{mode}: {frequency:.5g} Hz" + (f", {decay:.3g}/s" if decay else "")


def draw_mode(panel, ensemble, member, mode):
    """The rods at rest, and displaced one way and the other; a mode that moves no node by the turns of its sections."""
    panel.set_title(title_of(ensemble, member, mode), fontsize=11)
    try:
        _, rods = ensemble.vibration(member, mode, frames=5)
    except EnsembleError:
        turn = ensemble.mode_shapes(member)[mode - 1, :-1, 3:]
        panel.plot(turn[:, np.argmax(np.abs(turn).max(axis=0))], color=ACCENT)
        panel.set_xlabel("element")
        panel.set_ylabel("turn")
        panel.set_yticks([])
        return
    axes = seen_axes(np.concatenate([rod[1::2].reshape(-1, 3) for rod in rods]))
    for rod in rods:
        seen = rod @ axes.T
        for instant, style in ((0, {"color": INK, "alpha": 0.4}), (3, {"color": ACCENT, "alpha": 0.35}), (1, {"color": ACCENT})):
            panel.plot(*seen[instant].T, **style)
    panel.set_aspect("equal", adjustable="datalim")
    panel.axis("off")


def draw(ensemble):
    finished = np.flatnonzero(ensemble.usable)
    if len(finished) == 0:
        raise PlotError(f"{ensemble.path} has no finished member to draw yet.")
    member = finished[0]
    known = np.isfinite(ensemble.mode_shapes(member)).all(axis=(1, 2))
    shown = [mode for mode in range(1, len(known) + 1) if known[mode - 1]][:MOST_PANELS]
    if not shown:
        raise PlotError(f"{ensemble.path} has no vibration to draw.")
    rows = -(-len(shown) // COLUMNS)
    columns = min(COLUMNS, len(shown))
    figure, panels = plt.subplots(rows, columns, figsize=(3.6 * columns, 0.6 + 2.4 * rows), layout="constrained", squeeze=False)
    for panel in panels.ravel()[len(shown) :]:
        panel.axis("off")
    for panel, mode in zip(panels.ravel(), shown):
        draw_mode(panel, ensemble, member, mode)
    figure.suptitle(heading(ensemble, f"Vibrations: {len(shown)} of {len(known)}" if len(shown) < len(known) else "Vibrations"),
                    fontsize=14)
    print_member(ensemble, member)
    return figure
