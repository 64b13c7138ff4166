"""The pictures of a sweep: a map over two axes, curves over one."""

import itertools

import matplotlib
import matplotlib.patheffects as patheffects
import matplotlib.pyplot as plt
import numpy as np
from .style import ACCENT, INK, PlotError, axis_label, heading, observable_label

NO_BUCKLING_BELOW = 0.97  # of the critical force: the band in which the published transition lies
BUCKLING_ABOVE = 1.10
MAP_COLOURS = "cividis"
MISSING = "#d9d9d9"
MOST_COLUMNS = 3  # of panels


class Axis:
    """The grid points of a sweep axis and how they are spaced; of a file without them those of its members, with gaps of an
    unfinished campaign filled in."""

    @classmethod
    def of(cls, ensemble, key):
        points = ensemble.axis_points(key)
        axis = cls(ensemble.parameters[key][ensemble.committed] if points is None else points)
        if points is not None:
            axis.points = np.unique(points)
        return axis

    def __init__(self, values):
        found = np.unique(values)
        self.logarithmic = False
        self.points = self._even(found)
        if self.points is None and found[0] > 0:
            logarithms = self._even(np.log(found))
            self.logarithmic = logarithms is not None
            self.points = np.exp(logarithms) if self.logarithmic else None
        if self.points is None:
            self.points = found  # a list of values without a rule

    @staticmethod
    def _even(found):
        if len(found) < 3:
            return found
        steps = (found - found[0]) / np.diff(found).min()
        count = int(round(steps[-1])) + 1
        if count > 4 * len(found) or np.abs(steps - np.round(steps)).max() > 1e-3:
            return None
        return np.linspace(found[0], found[-1], count)

    def index(self, values):
        """Which point is nearest to each value."""
        return np.searchsorted(0.5 * (self.points[1:] + self.points[:-1]), values)

    def edges(self):
        """Cell boundaries half-way between the points, on the scale the points are even on."""
        if len(self.points) == 1:
            half = 0.5 * abs(self.points[0]) or 0.5
            return np.array([self.points[0] - half, self.points[0] + half])
        points = np.log(self.points) if self.logarithmic else self.points
        middle = 0.5 * (points[1:] + points[:-1])
        edges = np.concatenate([[2 * points[0] - middle[0]], middle, [2 * points[-1] - middle[-1]]])
        return np.exp(edges) if self.logarithmic else edges


def critical_force(ensemble, key):
    """The Euler load pi^2 alpha / L^2 (eq. F2) as a function of the axis `key`, or None where it does not apply."""
    other = {"rod.bend_stiffness": "rod.length", "rod.length": "rod.bend_stiffness"}.get(key)
    ends = [ensemble.deck_values(f"boundary.{end}") for end in ("first", "last")]
    constant = ensemble.deck_values(other) if other and other not in ensemble.parameters else []
    if ends != [["pinned"], ["pinned_sliding"]] or not constant:
        return None
    constant = float(constant[0])
    if key == "rod.bend_stiffness":
        return lambda stiffness: np.pi**2 * stiffness / constant**2
    return lambda length: np.pi**2 * constant / length**2


def print_transition(x, y, probability, critical, symbol):
    """Between which forces of the grid the transition lies, for each value of the axis and over the whole map."""
    relative = y.points[:, None] / critical(x.points)[None, :]
    print(f"{symbol:>10} {'F_c (N)':>10} {'none up to F/F_c':>17} {'all from F/F_c':>15}")

    def bound(found, choose):
        return f"{choose(found):.3f}" if len(found) else "-"

    for column, value in enumerate(x.points):
        known = relative[:, column], probability[:, column]
        never, certain = (known[0][known[1] == wanted] for wanted in (0, 1))
        print(f"{value:10.4g} {critical(value):10.4f} {bound(never, max):>17} {bound(certain, min):>15}")
    never, certain = (relative[probability == wanted] for wanted in (0, 1))
    print(f"Over all of them: no buckling up to {bound(never, max)} F_c, certain buckling from {bound(certain, min)} F_c; "
          "Euler's load is 1.")


def draw_collapse(panel, x, y, probability, critical):
    """Probability against F/F_c: all columns of the map fall on one curve if the solver finds the Euler load."""
    colours = matplotlib.colors.LinearSegmentedColormap.from_list("column", ["#8fb8de", INK])
    panel.axvspan(NO_BUCKLING_BELOW, BUCKLING_ABOVE, color=ACCENT, alpha=0.10, linewidth=0)
    for mark in (NO_BUCKLING_BELOW, BUCKLING_ABOVE):
        panel.axvline(mark, color=ACCENT, linewidth=1.2, linestyle="--")
        panel.text(mark, 1.06, f"{mark:.2f}", color=ACCENT, ha="center", va="bottom", fontsize=11)
    panel.axvline(1.0, color=INK, linewidth=1.2)
    ratio = y.points[:, None] / critical(x.points)[None, :]
    shown = np.isfinite(probability) & (ratio >= 0.7) & (ratio <= 1.4)
    # A line without points that is not clipped has no extent, with which there is no layout.
    drawn = np.flatnonzero(shown.any(axis=0))
    for column in drawn:
        here = shown[:, column]
        panel.plot(ratio[here, column], probability[here, column], "o", color=colours(column / max(1, len(x.points) - 1)),
                   markersize=7, markeredgecolor="white", markeredgewidth=0.7, clip_on=False, zorder=3,
                   label=f"{x.points[column]:.3g}" if column in drawn[[0, len(drawn) // 2, -1]] else None)
    panel.set_xlim(0.7, 1.4)
    panel.set_ylim(-0.03, 1.03)
    panel.set_xlabel(r"force over critical force $F/F_c$")
    panel.set_ylabel("probability of buckling")


def drawn_axes(ensemble):
    """What a picture has axes for: lists of a parameter and those that rise or fall with it. Points of a file that do
    neither leave each parameter to itself."""
    axes = []
    for together in ensemble.axes:
        if len(together) == 1:
            axes.append(together)
            continue
        points = np.unique(np.column_stack([ensemble.parameters[key][ensemble.committed] for key in together]), axis=0)
        steps = np.diff(points, axis=0)
        follows = (steps[:, 0] > 0).all() and ((steps >= 0).all(axis=0) | (steps <= 0).all(axis=0)).all()
        axes += [together] if follows else [[key] for key in together]
    return axes


def parameter_label(ensemble, key):
    """An axis of a picture, with the parameters that move along it."""
    companions = next((axis[1:] for axis in drawn_axes(ensemble) if axis[0] == key), [])
    return axis_label(key) + (f" with {', '.join(companions)}" if companions else "")


def name_words(axis, ensemble, key):
    """Ticks of an axis over words bear them."""
    if key in ensemble.words:
        values = np.unique(ensemble.parameters[key][ensemble.committed])
        axis.set_ticks(values, [ensemble.parameter_text(key, value) for value in values])


def default_observables(ensemble):
    """What a sweep's picture shows where nobody chose: one observable that says most, with a sentence on how to choose."""
    objective = ensemble.deck_values("study.objective")
    if objective:
        return [objective[0]]
    thresholds = ("observe.buckling_energy", "observe.buckling_translational_energy")
    if any(float(value) > 0 for key in thresholds for value in ensemble.deck_values(key)):
        return ["buckled"]

    def varies(values):
        values = values[ensemble.usable & np.isfinite(values)]
        return len(values) > 0 and values.min() < values.max()

    first = ((name, ensemble.observables[name]) for name in ("forward_speed", "tip_deflection") if name in ensemble.observables)
    columns = itertools.chain(first, ensemble.observables.one_by_one())
    name = next((name for name, values in columns if varies(values)), None)
    if name is None:
        raise PlotError(f"{ensemble.path} has no observable that varies yet.")
    print(f"{name} is drawn, as the deck names no study.objective; choose others by --observable NAME (repeatable).")
    return [name]


def draw_maps(ensemble, keys, names):
    """A sweep over two axes: a map for each observable, beside that of buckling alone its collapse on Euler's load."""
    # The force goes up the page, so that the critical force reads as a curve over the other axis.
    x_key, y_key = keys if keys[0] != "load.axial_force" else keys[::-1]
    if names == ["buckled"]:
        return draw_map_of_buckling(ensemble, x_key, y_key)
    columns = min(MOST_COLUMNS, len(names))
    rows = -(-len(names) // columns)
    figure, panels = plt.subplots(rows, columns, figsize=(7.6 * columns, 5.6 * rows), layout="constrained", squeeze=False)
    for panel, name in zip(panels.flat, names):
        draw_map(panel, ensemble, x_key, y_key, name)
    for panel in panels.flat[len(names) :]:
        panel.set_visible(False)
    figure.suptitle(heading(ensemble, f"{question(names, keys)}\n{repeats_text(ensemble)}"), fontsize=14)
    return figure


def question(names, keys):
    """What a sweep asks: "How the tip deflection depends on rod.length and rod.radius"."""
    what = names[0].replace("_", " ") if len(names) == 1 else f"{len(names)} observables"
    return f"How {what} depend{'s' if len(names) == 1 else ''} on {' and '.join(keys)}"


def repeats_text(ensemble):
    repeats = int(ensemble.repeat[ensemble.committed].max()) + 1
    return f"{repeats} repeat{'s' if repeats > 1 else ''} a point"


def map_quantity(ensemble, name):
    return "Probability of buckling" if name == "buckled" else "Mean " + observable_label(ensemble, name)


def is_on_grid(ensemble):
    """Whether the candidates are all combinations of the values along the axes of the picture."""
    return ensemble.deck_values("sweep.sampler") in ([], ["grid"]) and len(drawn_axes(ensemble)) == len(ensemble.axes)


def draw_map(panel, ensemble, x_key, y_key, name):
    """The mean of an observable over the repeats in each cell. The axes and means on a grid; else nothing."""
    buckling = name == "buckled"
    values = ensemble.observables[name]
    watched = ensemble.usable & np.isfinite(values)
    if not watched.any():
        raise PlotError(f"{ensemble.path} has no finished member with a value of {name} yet.")
    x_values, y_values = ensemble.parameters[x_key], ensemble.parameters[y_key]
    limits = {"vmin": 0, "vmax": 1} if buckling else {}
    on_grid = is_on_grid(ensemble)
    if on_grid:
        x, y = Axis.of(ensemble, x_key), Axis.of(ensemble, y_key)
        total, count = np.zeros((2, len(y.points), len(x.points)))
        cell = (y.index(y_values[watched]), x.index(x_values[watched]))
        np.add.at(total, cell, values[watched])
        np.add.at(count, cell, 1)
        mean = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
        panel.set_facecolor(MISSING)  # cells without a finished member
        image = panel.pcolormesh(x.edges(), y.edges(), mean, cmap=MAP_COLOURS, edgecolors="face", linewidth=0.1, **limits)
        panel.set_xscale("log" if x.logarithmic else "linear")
        panel.set_yscale("log" if y.logarithmic else "linear")
        panel.set_xlim(x.edges()[[0, -1]])
        panel.set_ylim(y.edges()[[0, -1]])
    else:
        x, y, mean = None, None, None
        image = panel.scatter(x_values[watched], y_values[watched], c=values[watched], s=28, cmap=MAP_COLOURS, **limits)
    panel.set_xlabel(parameter_label(ensemble, x_key))
    panel.set_ylabel(parameter_label(ensemble, y_key))
    for key, axis in ((x_key, panel.xaxis), (y_key, panel.yaxis)):
        name_words(axis, ensemble, key)
    quantity = map_quantity(ensemble, name)
    panel.figure.colorbar(image, ax=panel, pad=0.02, label=quantity.lower() if buckling else quantity)
    print(f"{quantity} over {x_key} and {y_key}: {np.count_nonzero(watched)} members, {repeats_text(ensemble)}")
    return x, y, mean


def draw_map_of_buckling(ensemble, x_key, y_key):
    critical = critical_force(ensemble, x_key) if y_key == "load.axial_force" else None
    collapse = critical is not None and is_on_grid(ensemble)
    figure, panels = plt.subplots(
        1, 2 if collapse else 1, figsize=(13.2, 5.6) if collapse else (7.6, 5.6), layout="constrained",
        gridspec_kw={"width_ratios": [1.15, 1]} if collapse else None, squeeze=False,
    )
    panel = panels[0, 0]
    x, y, mean = draw_map(panel, ensemble, x_key, y_key, "buckled")
    repeats = repeats_text(ensemble)
    if critical is not None:
        draw_critical_line(panel, critical, x_key)
        title = "Euler buckling"
        fixed = "rod.length" if x_key == "rod.bend_stiffness" else "rod.bend_stiffness"
        constant = float(ensemble.deck_values(fixed)[0])
        title += rf", $L$ = {constant:g} m" if fixed == "rod.length" else rf", $\alpha$ = {constant:g} N m$^2$"
        figure.suptitle(heading(ensemble, f"{title}, {repeats}"), fontsize=15)
        panel.set_title("Probability map and Euler load", pad=24)
        figure.get_layout_engine().set(wspace=0.06)
    else:
        figure.suptitle(heading(ensemble, f"Probability of buckling, {repeats}"), fontsize=14)
    if collapse:
        draw_collapse(panels[0, 1], x, y, mean, critical)
        symbol = r"$\alpha$ (N m$^2$)" if x_key == "rod.bend_stiffness" else "$L$ (m)"
        if panels[0, 1].get_legend_handles_labels()[0]:
            panels[0, 1].legend(title=symbol, loc="lower right", frameon=False)
        panels[0, 1].set_title("All columns against the Euler load", pad=24)
        print_transition(x, y, mean, critical, "alpha" if x_key == "rod.bend_stiffness" else "L (m)")
    return figure


def draw_critical_line(panel, critical, x_key):
    limits = panel.get_xlim(), panel.get_ylim()
    x = np.linspace(*limits[0], 400)
    panel.plot(x, critical(x), color="white", linewidth=2, path_effects=[patheffects.withStroke(linewidth=4, foreground=INK)])
    panel.set_xlim(limits[0])
    panel.set_ylim(limits[1])

    # The label lies along the line, above the middle of its part in view: among the cells that buckle.
    inside = np.flatnonzero((critical(x) > limits[1][0]) & (critical(x) < limits[1][1]))
    if len(inside) < 10:
        return
    panel.figure.canvas.draw()
    here = inside[len(inside) // 2]
    points = panel.transData.transform(np.column_stack([x, critical(x)])[[here - 3, here + 3]])
    angle = np.degrees(np.arctan2(*(points[1] - points[0])[::-1]))
    panel.annotate(
        r"$F_c = \pi^2 \alpha / L^2$", (x[here], critical(x[here])), xytext=(0, 14), textcoords="offset points",
        rotation=angle, rotation_mode="anchor", ha="center", va="bottom", color=INK, fontsize=14,
    )


def draw_curves(ensemble, key, names):
    """A sweep over one axis: observables, mean and spread over the repeats."""
    watched = ensemble.usable
    parameter = ensemble.parameters[key]
    for name in names:
        if not np.isfinite(ensemble.observables[name][watched]).any():
            raise PlotError(f"{ensemble.path} has no finished member with a value of {name} yet.")
    axis = Axis(parameter[ensemble.committed])
    columns = min(MOST_COLUMNS, len(names))
    rows = -(-len(names) // columns)
    figure, panels = plt.subplots(
        rows, columns, figsize=(max(6.4, 4.4 * columns), 0.9 + 3.4 * rows), layout="constrained", squeeze=False
    )
    repeated = ensemble.repeat.max(initial=0) > 0
    print(f"Observables over {key}" + (", mean and standard deviation over the repeats" if repeated else ""))
    for panel, name in zip(panels.flat, names):
        values = ensemble.observables[name]
        points, means, spreads = [], [], []
        for point in np.unique(parameter[watched & np.isfinite(values)]):
            here = values[watched & (parameter == point) & np.isfinite(values)]
            points.append(point)
            means.append(here.mean())
            spreads.append(here.std())
        means, spreads = np.array(means), np.array(spreads)
        panel.fill_between(points, means - spreads, means + spreads, color=ACCENT, alpha=0.2, linewidth=0)
        panel.plot(points, means, "o-", color=ACCENT, markersize=5, linewidth=1.5)
        panel.set_xscale("log" if axis.logarithmic else "linear")
        panel.set_xlabel(parameter_label(ensemble, key))
        name_words(panel.xaxis, ensemble, key)
        panel.set_ylabel(observable_label(ensemble, name))
        panel.grid(color="#e6e6e6")
        panel.set_axisbelow(True)
        print(f"  {name} [{ensemble.units[name]}]")
        for point, mean, spread in zip(points, means, spreads):
            print(f"    {point:12.6g} {mean:14.6g}" + (f" +- {spread:.2g}" if repeated else ""))
    for panel in panels.flat[len(names) :]:
        panel.set_visible(False)
    title = question(names, [key]) + ("\nmean and standard deviation of the repeats" if repeated else "")
    figure.suptitle(heading(ensemble, title), fontsize=14)
    return figure


def draw_clouds(ensemble, keys, names):
    """Points of a sampler or a file in more than two parameters: each observable over each parameter."""
    columns = min(MOST_COLUMNS, len(keys))
    rows = -(-len(keys) // columns)
    figure, panels = plt.subplots(len(names) * rows, columns, figsize=(0.6 + 3.4 * columns, 0.9 + 3.0 * len(names) * rows),
                                  layout="constrained", squeeze=False)
    for panel in panels.flat:
        panel.set_visible(False)
    for name, panels_of_name in zip(names, np.split(panels, len(names))):
        values = ensemble.observables[name]
        watched = ensemble.usable & np.isfinite(values)
        if not watched.any():
            raise PlotError(f"{ensemble.path} has no finished member with a value of {name} yet.")
        print(f"{name} over {', '.join(keys)}: {np.count_nonzero(watched)} members")
        for panel, key in zip(panels_of_name.flat, keys):
            found = ensemble.parameters[key][watched]
            panel.set_visible(True)
            panel.plot(found, values[watched], ".", color=ACCENT, markersize=5)
            if key not in ensemble.words and found.min() > 0 and found.max() > 30 * found.min():
                panel.set_xscale("log")
            else:
                panel.xaxis.set_major_locator(plt.MaxNLocator(4))
            panel.set_xlabel(axis_label(key))
            panel.set_ylabel(observable_label(ensemble, name))
            name_words(panel.xaxis, ensemble, key)
            panel.grid(color="#e6e6e6")
            panel.set_axisbelow(True)
    candidates = np.unique(ensemble.candidate[ensemble.committed]).size
    figure.suptitle(heading(ensemble, f"{question(names, [f'{len(keys)} keys'])}, {candidates} candidates"), fontsize=14)
    return figure
