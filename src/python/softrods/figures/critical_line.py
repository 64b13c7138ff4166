"""Critical values that a sweep has found (branch.stop), as a line over a map of its axis and of branch.key."""

import numpy as np
from ..ensemble import Ensemble

from .style import PlotError, axis_label

COLOUR = "#1b7f4d"


def draw_over(figure, path):
    """Draws the line into each panel whose axes are those of the sweep in the file."""
    line = Ensemble(path)
    key = (line.deck_values("branch.key") or [None])[0]
    if key is None or len(line.parameters) != 1:
        raise PlotError(f"{path} is no sweep over one key with branch.key, and has no line of critical values.")
    (varied, points), = line.parameters.items()
    values = line.observables["critical_value"]
    order = np.argsort(points)
    columns = {axis_label(varied): points[order], axis_label(key): values[order]}
    drawn = 0
    for panel in figure.axes:
        labels = panel.get_xlabel(), panel.get_ylabel()
        if set(labels) != set(columns):
            continue
        limits = panel.get_xlim(), panel.get_ylim()
        panel.plot(*(columns[label] for label in labels), color=COLOUR, linewidth=1.6, label="critical values")
        panel.set(xlim=limits[0], ylim=limits[1])
        panel.legend(frameon=True, loc="upper left")
        drawn += 1
    if not drawn:
        raise PlotError(f"{path} has critical values of {key} over {varied}, which are not the axes of the picture.")
