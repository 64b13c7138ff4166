"""The picture of a boundary study: its outcomes, the line between them and the members that ran."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

from . import sweep
from .style import ACCENT, INK, PlotError, axis_label, heading

COLOURS = ("#dfe6f0", "#7f9cc4", "#f2c14e", "#d98c5f", "#9a6fb0", "#6aa684", "#b5b5b5", "#e7a5b8", "#8c8c4e")
MOST_SLICES = 9  # of three axes
UNKNOWN = -1  # the outcome of a node of which nothing is known yet
STRIP = 0.8  # width of a category's strip, of the distance between them


class Grid:
    """The map of a boundary study on its axes, whose values rise, and of categories in the order of the deck. Where rows of it
    are not there yet it has the members that ended."""

    def __init__(self, ensemble):
        table = ensemble.boundary
        self.keys = table["point_names"]
        categories = [key.strip() for key in table.get("categories", "").split(",")]
        self.categories = [key in categories for key in self.keys]
        points = [ensemble.axis_points(key) for key in self.keys]
        self.axes = [sweep.Axis.of(ensemble, key) for key in self.keys]
        for k, axis in enumerate(self.axes):
            if self.categories[k]:
                axis.points = points[k]
        self.names = table["outcome_names"]
        counts = [len(axis.points) for axis in self.axes]
        self.outcome = np.full(counts, UNKNOWN)
        self.probability = np.full(counts, np.nan)
        self.members = np.zeros(counts, dtype=int)
        if len(table["outcome"]) < self.outcome.size:
            self._add_members(ensemble, points)
        there = tuple(axis.index(column) for axis, column in zip(self.axes, table["point"].T))
        for name in ("outcome", "probability", "members"):
            getattr(self, name)[there] = table[name]
        if (self.outcome == UNKNOWN).all():
            raise PlotError(f"{ensemble.path} has no node with an outcome yet.")

    def _add_members(self, ensemble, points):
        """The outcome of each node by its first member that ended, as the study tells it."""
        sought = ensemble.boundary.get("observable")
        level = float(ensemble.boundary.get("level", "nan"))
        for member in np.flatnonzero(ensemble.committed)[::-1]:
            status = ensemble.status_names[ensemble.status[member]]
            value = ensemble.observables[sought][member] if sought else np.nan
            word = "ended well" if not sought else "no number" if np.isnan(value) else "below" if value < level else "above"
            outcome = self.names.index(status if status in self.names else word)
            places = np.unravel_index(ensemble.candidate[member], [len(values) for values in points])
            node = tuple(int(axis.index(values[[place]])[0]) for axis, values, place in zip(self.axes, points, places))
            self.outcome[node] = outcome
            self.probability[node] = float(outcome == 1 if sought else outcome > 0)
            self.members[node] += 1

    def counts(self):
        """The nodes of each outcome that there is."""
        found, nodes = np.unique(self.outcome, return_counts=True)
        return {self.names[outcome]: count for outcome, count in zip(found, nodes) if outcome != UNKNOWN}

    def inferred(self):
        """The number of nodes whose outcome is that of their neighbours."""
        return np.count_nonzero((self.outcome != UNKNOWN) & (self.members == 0))

    def image(self, ensemble, outcome, probability):
        """What is drawn, and how: outcomes, or probabilities where members were repeated."""
        if self.members.max() > 1 and ensemble.repeat.max(initial=0) > 0:
            return probability, {"cmap": sweep.MAP_COLOURS, "vmin": 0, "vmax": 1}
        return np.where(outcome == UNKNOWN, np.nan, outcome), {"cmap": ListedColormap(COLOURS), "vmin": -0.5,
                                                               "vmax": len(COLOURS) - 0.5}


def draw_plane(panel, ensemble, grid, x, y, plane):
    """The nodes of a plane of the grid: `plane` picks them with the axis x first."""
    if grid.categories[x] or grid.categories[y]:
        return draw_strips(panel, ensemble, grid, x, y, plane)
    outcome, probability, members = (
        plane(values).T for values in (grid.outcome, grid.probability, grid.members)
    )
    across, up = grid.axes[x], grid.axes[y]
    panel.set_facecolor(sweep.MISSING)  # nodes of which nothing is known yet
    values, colours = grid.image(ensemble, outcome, probability)
    image = panel.pcolormesh(across.edges(), up.edges(), values, **colours)
    for found in np.unique(outcome[outcome != UNKNOWN])[1:]:
        side = np.ma.masked_where(outcome == UNKNOWN, outcome == found)
        panel.contour(across.points, up.points, side, levels=[0.5], colors=[INK], linewidths=1.6)
    draw_members(panel, members, across.points, up.points)
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


def draw_strips(panel, ensemble, grid, x, y, plane):
    """A strip for each category, as nothing lies between them, across the axis of numbers, which goes up the page."""
    if not grid.categories[x]:
        across, up, plane_of = y, x, lambda values: plane(values).T
    else:
        across, up, plane_of = x, y, plane
    outcome, probability, members = (plane_of(values).T for values in (grid.outcome, grid.probability, grid.members))
    axis = grid.axes[up]
    panel.set_facecolor("white")
    values, colours = grid.image(ensemble, outcome, probability)
    edges = axis.edges()
    for k in range(outcome.shape[1]):
        sides = [k - STRIP / 2, k + STRIP / 2]
        panel.fill_between(sides, *edges[[0, -1]], color=sweep.MISSING, linewidth=0)
        image = panel.pcolormesh(sides, edges, values[:, [k]], **colours)
        column = outcome[:, k]
        changes = np.flatnonzero((np.diff(column) != 0) & (column[1:] != UNKNOWN) & (column[:-1] != UNKNOWN))
        panel.hlines(edges[changes + 1], *sides, color=INK, linewidth=1.6)
    draw_members(panel, members, np.arange(outcome.shape[1]), axis.points)
    panel.set_yscale("log" if axis.logarithmic else "linear")
    panel.set_xlim(-0.5, outcome.shape[1] - 0.5)
    panel.set_ylim(edges[[0, -1]])
    key = grid.keys[across]
    panel.set_xticks(range(outcome.shape[1]), [ensemble.parameter_text(key, value) for value in grid.axes[across].points])
    panel.set_xlabel(axis_label(key))
    panel.set_ylabel(axis_label(grid.keys[up]))
    return image


def draw_members(panel, members, across, up):
    size = np.clip(150 / max(members.shape), 0.6, 3)
    for wanted, colour in ((members == 1, INK), (members > 1, ACCENT)):
        rows, columns = np.nonzero(wanted)
        panel.plot(across[columns], up[rows], ".", color=colour, markersize=size, alpha=0.8)


def draw_legend(figure, panels, grid, image):
    """The colours of outcomes, or of probabilities where members were repeated."""
    if image.get_clim() == (0, 1):
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
    """The map over two axes; over three, slices along the first one that is of categories, or the first one of all."""
    grid = Grid(ensemble)
    evaluated = np.count_nonzero(grid.members)
    if len(grid.axes) == 2:
        # The force goes up the page, as in the maps of sweeps.
        x, y = (0, 1) if grid.keys[0] != "load.axial_force" else (1, 0)
        figure, panel = plt.subplots(figsize=(7.8, 6.4), layout="constrained")
        panels = [panel]
        image = draw_plane(panel, ensemble, grid, x, y, lambda values: values if x == 0 else values.T)
    else:
        along = grid.categories.index(True) if any(grid.categories) else 0
        x, y = (k for k in range(3) if k != along)
        first = grid.axes[along].points
        chosen = np.unique(np.linspace(0, len(first) - 1, min(MOST_SLICES, len(first))).round().astype(int))
        figure, panels = plt.subplots(-(-len(chosen) // 3), 3, figsize=(14, 0.8 + 4 * -(-len(chosen) // 3)),
                                      layout="constrained", squeeze=False, sharex=True, sharey=True)
        panels = list(panels.flat)
        for panel, place in zip(panels, chosen):
            image = draw_plane(panel, ensemble, grid, x, y, lambda values: values.take(place, axis=along))
            value = (ensemble.parameter_text(grid.keys[along], first[place]) if grid.categories[along]
                     else f"{first[place]:.4g}")
            panel.set_title(f"{axis_label(grid.keys[along])} = {value}")
        for panel in panels[len(chosen) :]:
            panel.set_visible(False)
    draw_legend(figure, panels, grid, image)
    sought = ensemble.boundary.get("observable")
    what = f"{sought} = {ensemble.boundary['level']}" if sought else "bad ends"
    ran = np.count_nonzero(ensemble.committed)
    asked = f"Where {sought.replace('_', ' ')} passes {ensemble.boundary['level']}" if sought else "Where members end badly"
    figure.suptitle(heading(ensemble, f"{asked}: {ran} of {len(ensemble)} members ran"), fontsize=14)
    print(f"Boundary of {what} over {', '.join(grid.keys)}: {ran} of {len(ensemble)} members ran, {evaluated} nodes evaluated, "
          f"{grid.inferred()} inferred")
    for name, nodes in grid.counts().items():
        print(f"  {name}: {nodes} nodes")
    return figure
