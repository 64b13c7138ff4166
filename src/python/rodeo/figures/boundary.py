"""The picture of a boundary study: its outcomes, the line between them and the members that ran."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

from . import sweep
from .style import ACCENT, INK, PlotError, axis_label, heading

COLOURS = ("#dfe6f0", "#7f9cc4", "#f2c14e", "#d98c5f", "#9a6fb0", "#6aa684", "#b5b5b5", "#e7a5b8", "#8c8c4e")
MOST_SLICES = 9  # of three axes


class Grid:
    """The map of a boundary study on its axes, whose values rise."""

    def __init__(self, ensemble):
        table = ensemble.boundary
        self.keys = table["point_names"]
        self.axes = [sweep.Axis(column) for column in table["point"].T]
        # The axes of the deck, which may have a value at any distance from the next.
        for axis, column in zip(self.axes, table["point"].T):
            axis.points = np.unique(column)
        counts = [len(axis.points) for axis in self.axes]
        repeats = int((ensemble.deck_values("study.repeats") or ["1"])[0])
        if len(table["outcome"]) * repeats != len(ensemble):
            raise PlotError(f"{ensemble.path} has no map yet; it is written when some members have ended.")
        self.names = table["outcome_names"]
        places = tuple(axis.index(column) for axis, column in zip(self.axes, table["point"].T))
        for name in ("outcome", "probability", "members"):
            values = np.empty(counts, table[name].dtype)
            values[places] = table[name]
            setattr(self, name, values)

    def counts(self):
        """The nodes of each outcome that there is."""
        found, nodes = np.unique(self.outcome, return_counts=True)
        return {self.names[outcome]: count for outcome, count in zip(found, nodes)}


def draw_plane(panel, ensemble, grid, x, y, plane):
    """The nodes of a plane of the grid: `plane` picks them with the axis x first."""
    outcome, probability, members = (
        plane(values).T for values in (grid.outcome, grid.probability, grid.members)
    )
    repeated = grid.members.max() > 1
    across, up = grid.axes[x], grid.axes[y]
    if repeated:
        image = panel.pcolormesh(across.edges(), up.edges(), probability, cmap=sweep.MAP_COLOURS, vmin=0, vmax=1)
    else:
        image = panel.pcolormesh(across.edges(), up.edges(), outcome, cmap=ListedColormap(COLOURS), vmin=-0.5,
                                 vmax=len(COLOURS) - 0.5)
    for found in np.unique(outcome)[1:]:
        panel.contour(across.points, up.points, outcome == found, levels=[0.5], colors=[INK], linewidths=1.6)
    size = np.clip(150 / max(outcome.shape), 0.6, 3)
    for wanted, colour in ((members == 1, INK), (members > 1, ACCENT)):
        rows, columns = np.nonzero(wanted)
        panel.plot(across.points[columns], up.points[rows], ".", color=colour, markersize=size, alpha=0.8)
    panel.set_xscale("log" if across.logarithmic else "linear")
    panel.set_yscale("log" if up.logarithmic else "linear")
    panel.set_xlim(across.edges()[[0, -1]])
    panel.set_ylim(up.edges()[[0, -1]])
    panel.set_xlabel(axis_label(grid.keys[x]))
    panel.set_ylabel(axis_label(grid.keys[y]))
    critical = sweep.critical_force(ensemble, grid.keys[x]) if grid.keys[y] == "load.axial_force" else None
    if critical is not None:
        fine = np.linspace(*across.points[[0, -1]], 400)
        panel.plot(fine, critical(fine), "--", color=ACCENT, linewidth=1.2, label="Euler's load")
    return image


def draw_legend(figure, panels, grid, image):
    """The colours of outcomes, or of probabilities where members were repeated."""
    if grid.members.max() > 1:
        word = grid.names[0] if grid.names[0] != "ended well" else "a bad end"
        figure.colorbar(image, ax=panels, pad=0.02, label=f"probability of {'above' if word == 'below' else word}")
        return
    marks = [plt.Line2D([], [], marker="s", linestyle="", markersize=10, color=COLOURS[grid.names.index(name)], label=name)
             for name in grid.counts()]
    marks.append(plt.Line2D([], [], marker=".", linestyle="", color=INK, label="member that ran"))
    marks += panels[0].get_legend_handles_labels()[0]
    shown = [panel for panel in panels if panel.get_visible()]
    row = shown[(len(shown) - 1) // 3 * 3 :]  # the last one
    row[len(row) // 2].legend(handles=marks, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncol=min(4, len(marks)),
                              frameon=False, fontsize=11)


def draw(ensemble):
    """The map over two axes; over three, slices along the first one."""
    grid = Grid(ensemble)
    evaluated = np.count_nonzero(grid.members)
    if len(grid.axes) == 2:
        # The force goes up the page, as in the maps of sweeps.
        x, y = (0, 1) if grid.keys[0] != "load.axial_force" else (1, 0)
        figure, panel = plt.subplots(figsize=(7.8, 6.4), layout="constrained")
        panels = [panel]
        image = draw_plane(panel, ensemble, grid, x, y, lambda values: values if x == 0 else values.T)
    else:
        first = grid.axes[0].points
        chosen = np.unique(np.linspace(0, len(first) - 1, min(MOST_SLICES, len(first))).round().astype(int))
        figure, panels = plt.subplots(-(-len(chosen) // 3), 3, figsize=(14, 0.8 + 4 * -(-len(chosen) // 3)),
                                      layout="constrained", squeeze=False, sharex=True, sharey=True)
        panels = list(panels.flat)
        for panel, place in zip(panels, chosen):
            image = draw_plane(panel, ensemble, grid, 1, 2, lambda values: values[place])
            panel.set_title(f"{axis_label(grid.keys[0])} = {first[place]:.4g}")
        for panel in panels[len(chosen) :]:
            panel.set_visible(False)
    draw_legend(figure, panels, grid, image)
    sought = ensemble.boundary.get("observable")
    what = f"{sought} = {ensemble.boundary['level']}" if sought else "bad ends"
    ran = np.count_nonzero(ensemble.committed)
    figure.suptitle(heading(ensemble, f"Boundary of {what}: {ran} of {len(ensemble)} members"), fontsize=14)
    print(f"Boundary of {what} over {', '.join(grid.keys)}: {ran} of {len(ensemble)} members ran, {evaluated} nodes evaluated, "
          f"{grid.outcome.size - evaluated} inferred")
    for name, nodes in grid.counts().items():
        print(f"  {name}: {nodes} nodes")
    return figure
