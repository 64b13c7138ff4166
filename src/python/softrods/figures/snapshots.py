"""The picture of a sweep whose members are several rods and store frames: their shapes in time, how far members that
differ in a word are apart, and the objective."""

import matplotlib.pyplot as plt
import numpy as np
from .style import ACCENT, INK, PlotError, axis_label, heading, label_of, observable_label, style_panel
from .shape import draw_tubes

INSTANTS = 4
MOST_ROWS = 5
COLUMNS = {1: 1, 2: 2, 3: 3, 4: 2}  # of so many curves; 3 of more
STYLES = ("-", "--", ":")
WIDTH = 3.9  # of a snapshot, inches
ITERATIONS, CONTACT_STEPS = "newton_iterations_per_contact_step", "contact_steps"
COLOURS = (ACCENT, "#3b6ea5", "#3f7f5f", "#d9a441", "#8a5a9e")


def suits(ensemble):
    """Whether this is the picture for a sweep: all finished members are several rods with frames."""
    finished = np.flatnonzero(ensemble.committed)
    return ensemble.frames > 1 and all(len(ensemble.rod_nodes(member)) > 1 for member in finished)


def broad_axes(rods):
    """Rows: right, up and towards the reader, of the view in which rods, each [..., 3], extend most."""
    points = np.concatenate([rod.reshape(-1, 3) for rod in rods])
    right, up = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2][:2]
    right, up = (axis * np.sign(axis[np.argmax(np.abs(axis))]) for axis in (right, up))
    return np.array([right, up, np.cross(right, up)])


def smooth(rod, parts=4):
    """Points of the smooth curve through the nodes [:, 3] of a rod (Catmull-Rom), `parts` an element."""
    padded = np.concatenate([[2 * rod[0] - rod[1]], rod, [2 * rod[-1] - rod[-2]]])
    before, start, end, after = (padded[k : len(padded) - 3 + k, None] for k in range(4))
    t = np.arange(parts)[None, :, None] / parts
    a, b, c = (end - before) / 2, before - 2.5 * start + 2 * end - after / 2, 1.5 * (start - end) + (after - before) / 2
    return np.concatenate([(start + t * (a + t * (b + t * c))).reshape(-1, 3), rod[-1:]])


def between(radius, nodes, parts=4):
    """The radii at the points of smooth(): of a rod of so many nodes one radius, or those of its nodes."""
    return np.interp(np.arange((nodes - 1) * parts + 1) / parts, np.arange(nodes), np.broadcast_to(radius, nodes))


def distance_in_radii(ensemble, member, other, other_member):
    """time [frames] and the mean distance of the nodes of a member from those of a member of another ensemble, in radii of
    the first rod, as far as both ran: eq. 22 of Tong et al. (2023) where they differ in the model of contact."""
    (time, rods), (other_time, other_rods) = ensemble.reached_rods(member), other.reached_rods(other_member)
    frames = min(len(time), len(other_time))
    if not np.allclose(time[:frames], other_time[:frames]):
        raise PlotError("Members stored their frames at different times.")
    apart = np.concatenate([a[:frames] - b[:frames] for a, b in zip(rods, other_rods)], axis=1)
    return time[:frames], np.linalg.norm(apart, axis=2).mean(axis=1) / ensemble.rod_radii(member)[0]


class Row:
    """Snapshots of one member."""

    def __init__(self, ensemble, member, names):
        self.label = label_of(ensemble, names, member)
        self.time, rods = ensemble.reached_rods(member)
        axes = broad_axes(rods)
        self.rods = [rod @ axes.T for rod in rods]
        points = np.concatenate([rod[..., :2].reshape(-1, 2) for rod in self.rods])
        self.radii = ensemble.node_radii(member) or [0.005 * np.ptp(points[:, 0])] * len(rods)
        thickest = max(np.max(radius) for radius in self.radii)
        self.lower, self.upper = points.min(axis=0) - 2 * thickest, points.max(axis=0) + 2 * thickest

    def draw(self, panels, instants, left, right):
        interval = self.time[1] - self.time[0]
        for panel, instant in zip(panels, instants):
            panel.axis("off")
            if instant > self.time[-1] + 0.5 * interval:
                panel.text(0.5, 0.5, f"ended at {self.time[-1]:.4g} s", transform=panel.transAxes, ha="center", color="#888888")
                continue
            frame = np.argmin(np.abs(self.time - instant))
            radii = [between(radius, rod.shape[1]) for radius, rod in zip(self.radii, self.rods)]
            draw_tubes(panel, [smooth(rod[frame]) for rod in self.rods], radii)
            panel.set(xlim=(left, right), ylim=(self.lower[1], self.upper[1]), aspect="equal")
        panels[0].text(0, 1, self.label, transform=panels[0].transAxes, va="bottom", fontweight="bold")


def draw_rows(figure, rows, heights):
    end = max(row.time[-1] for row in rows)
    interval = rows[0].time[1] - rows[0].time[0]
    instants = np.round(np.linspace(0, end, INSTANTS + 1)[1:] / interval) * interval
    left, right = min(row.lower[0] for row in rows), max(row.upper[0] for row in rows)
    panels = figure.subplots(len(rows), INSTANTS, squeeze=False, gridspec_kw={"height_ratios": heights})
    for row, line in zip(rows, panels):
        row.draw(line, instants, left, right)
    for panel, instant in zip(panels[0], instants):
        panel.set_title(f"t = {instant:.4g} s", pad=20)


def draw_distances(panel, ensemble, finished, word, numbers):
    """How far members are from the first one with the same numbers and another word."""
    groups = {}
    for member in finished:
        groups.setdefault(tuple(ensemble.parameters[name][member] for name in numbers), []).append(member)
    print("Mean distance of the nodes, radii")
    for colour, (first, *others) in zip(np.resize(COLOURS, len(groups)), groups.values()):
        for other in others:
            time, apart = distance_in_radii(ensemble, first, ensemble, other)
            panel.plot(time, apart, color=colour, label=label_of(ensemble, numbers, other))
            print(f"  {label_of(ensemble, [*numbers, word], first)} to {label_of(ensemble, [word], other)}: {apart[-1]:.3g} at "
                  f"{time[-1]:g} s, at most {apart.max():.3g}")
    style_panel(panel, f"Between values of {word}", "mean distance of the nodes (radii)")
    if panel.lines:
        panel.set_ylim(bottom=0)
        panel.legend(frameon=False)


def iterations_in_time(ensemble, member, stretches=50):
    """Times [K] in s and the mean iterations [K] of the steps with contact in as many stretches of a member's frames, or
    fewer, NaN where there were none; from the means since the start that its frames hold."""
    time, mean = ensemble.history(member, ITERATIONS)
    steps = ensemble.history(member, CONTACT_STEPS)[1]
    reached = np.flatnonzero(np.isfinite(time))
    if not len(reached):
        return np.array([]), np.array([])
    chosen = reached[np.unique(np.linspace(0, len(reached) - 1, stretches + 1).astype(int))]
    iterations = np.where(steps > 0, np.nan_to_num(mean) * steps, 0)[chosen]
    with np.errstate(invalid="ignore"):
        return 0.5 * (time[chosen][1:] + time[chosen][:-1]), np.diff(iterations) / np.diff(steps[chosen])


def draw_history(panel, ensemble, finished, word, numbers, history):
    """history(ensemble, member) = time, values of every member: a colour for its numbers, a line style for its word."""
    groups = list(dict.fromkeys(tuple(ensemble.parameters[name][member] for name in numbers) for member in finished))
    words = list(dict.fromkeys(ensemble.parameters[word][finished])) if word else [None]
    colours = COLOURS if len(groups) <= len(COLOURS) else plt.get_cmap("viridis")(np.linspace(0, 0.9, len(groups)))
    named = set()
    for member in finished:
        group = groups.index(tuple(ensemble.parameters[name][member] for name in numbers))
        style = STYLES[words.index(ensemble.parameters[word][member] if word else None) % len(STYLES)]
        label = None if group in named else label_of(ensemble, numbers, member)
        named.add(group)
        panel.plot(*history(ensemble, member), style, color=colours[group], label=label)
    for style, choice in zip(STYLES, words if word else ()):
        panel.plot([], [], style, color="#888888", label=f"{word} = {ensemble.parameter_text(word, choice)}")
    panel.legend(frameon=False, fontsize=9, ncols=1 + (len(named) > 6))


def draw_objective(panel, ensemble, finished, word, number, objective):
    """The objective over a number, a curve a word; open marks: members that did not reach their end."""
    values, x = ensemble.observables[objective], ensemble.parameters[number]
    print(f"{objective} over {number}")
    for colour, choice in zip(COLOURS, [None] if word is None else np.unique(ensemble.parameters[word][finished])):
        mine = finished[np.isfinite(values[finished])]
        if word is not None:
            mine = mine[ensemble.parameters[word][mine] == choice]
        mine = mine[np.argsort(x[mine], kind="stable")]
        name = None if word is None else ensemble.parameter_text(word, choice)
        panel.plot(x[mine], values[mine], color=colour, label=name)
        for these, face in ((mine[ensemble.usable[mine]], colour), (mine[~ensemble.usable[mine]], "white")):
            panel.plot(x[these], values[these], "o", color=colour, markerfacecolor=face, markersize=8)
        for member in mine:
            print(f"  {name or ''} {x[member]:.6g}: {values[member]:.6g}, to {ensemble.reached_rods(member)[0][-1]:g} s")
    if (x == np.round(x)).all():
        panel.xaxis.set_major_locator(plt.MaxNLocator(integer=True))
    panel.set_xlabel(axis_label(number))
    panel.set_ylabel(observable_label(ensemble, objective))
    panel.set_title("Objective")
    if word is not None and panel.lines:
        panel.legend(frameon=False)


def draw(ensemble):
    """Rows of snapshots, members of the first word only; below them the curves."""
    finished = np.flatnonzero(ensemble.committed)
    names = list(ensemble.parameters)
    word = next((name for name in names if name in ensemble.words), None)
    numbers = [name for name in names if name != word]
    shown = finished
    if word is not None:
        shown = finished[ensemble.parameters[word][finished] == ensemble.parameters[word][finished[0]]]
    if len(shown) > MOST_ROWS:
        shown = shown[np.round(np.linspace(0, len(shown) - 1, MOST_ROWS)).astype(int)]
    rows = [Row(ensemble, member, numbers or names) for member in shown]
    width = max(row.upper[0] for row in rows) - min(row.lower[0] for row in rows)
    heights = [0.3 + WIDTH * (row.upper[1] - row.lower[1]) / width for row in rows]

    objective = (ensemble.deck_values("study.objective") or [None])[0]
    has_objective = objective in ensemble.observables and numbers
    histories = set(ensemble.frame_observables)
    has_iterations = {ITERATIONS, CONTACT_STEPS} <= histories
    others = sorted(histories - {ITERATIONS, CONTACT_STEPS} if has_iterations else histories)
    curves = (word is not None) + has_iterations + len(others) + bool(has_objective)
    columns = COLUMNS.get(curves, 3)
    lines = -(-curves // columns)
    figure = plt.figure(figsize=(WIDTH * INSTANTS, 1.3 + sum(heights) + 4 * lines), layout="constrained")
    upper = figure
    if curves:
        upper, lower = figure.subfigures(2, 1, height_ratios=[0.7 + sum(heights), 4 * lines])
        panels = list(lower.subplots(lines, columns, squeeze=False).flat)
        for panel in panels[curves:]:
            panel.axis("off")
        for panel in panels[:curves]:
            panel.grid(color="#e6e6e6")
            panel.set_axisbelow(True)
        if word is not None:
            draw_distances(panels.pop(0), ensemble, finished, word, numbers)
        if has_iterations:
            style_panel(panels[0], "Newton iterations of a step with contact", "mean of a stretch of time")
            draw_history(panels.pop(0), ensemble, finished, word, numbers, iterations_in_time)
        for name in others:
            style_panel(panels[0], name.replace("_", " "), observable_label(ensemble, name))
            draw_history(panels.pop(0), ensemble, finished, word, numbers,
                         lambda ensemble, member, name=name: ensemble.history(member, name))
        if has_objective:
            draw_objective(panels.pop(0), ensemble, finished, word, numbers[0], objective)
    draw_rows(upper, rows, heights)
    title = "Shapes in time" + (f", {label_of(ensemble, [word], shown[0])}" if word else "")
    figure.suptitle(heading(ensemble, title), fontsize=15, color=INK)
    return figure
