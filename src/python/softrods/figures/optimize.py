"""The pictures of an optimisation: its course over the generations, and the motion of its best member."""

import pathlib

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

from ..ensemble import Ensemble
from .style import INK, PlotError, heading, observable_label

PARAMETERS_IN_LEGEND = 10
PARAMETERS_PRINTED = 20
SNAPSHOTS = 5
FORWARD = "#c8553d"
LATERAL = "#3b6ea5"


def _restarts(panel, optimize):
    """A line where each restart begins, or the search goes to another level of fidelity."""
    for generation in np.flatnonzero(np.diff(optimize["restart"]) + np.diff(optimize.get("level", optimize["restart"]))) + 1:
        panel.axvline(generation, color="grey", linewidth=0.8, linestyle=":")


def draw_objective(panel, optimize, quantity, maximize):
    """Best so far, best and mean of each generation; logarithmic where a minimum near zero is approached."""
    generations = optimize["generation"]
    panel.plot(generations, optimize["mean"], color="#b0b0b0", linewidth=1, label="mean of generation")
    panel.plot(generations, optimize["generation_best"], color="tab:blue", linewidth=1, label="best of generation")
    # On several levels only what the last one has seen counts.
    label = "best on the last level" if "level" in optimize else "best so far"
    panel.plot(generations, optimize["best"], color="black", linewidth=1.8, label=label)
    best = optimize["best"][np.isfinite(optimize["best"])]
    if not maximize and len(best) and best.min() > 0 and best.max() > 100 * best.min():
        panel.set_yscale("log")
    panel.set_ylabel(quantity)
    _restarts(panel, optimize)
    panel.legend(frameon=False)


def draw_steps(panel, optimize):
    panel.semilogy(optimize["generation"], optimize["sigma"], color="tab:red", label=r"$\sigma$")
    panel.semilogy(optimize["generation"], optimize["axis_ratio"], color="tab:green", label="axis ratio")
    panel.set_ylabel(r"$\sigma$, longest over shortest axis")
    _restarts(panel, optimize)
    panel.legend(frameon=False)


def draw_parameters(panel, optimize, names, scales, logarithmic):
    """The distribution's mean with one standard deviation to each side, in units of `scales`."""
    for k, name in enumerate(names):
        mean, deviation = optimize["mean_vector"][:, k] / scales[k], optimize["deviation"][:, k] / scales[k]
        (line,) = panel.plot(optimize["generation"], mean, label=name if k < PARAMETERS_IN_LEGEND else None)
        factor = np.exp(deviation / mean) if logarithmic else None  # the deviation is that of the logarithm times the mean
        lower, upper = (mean / factor, mean * factor) if logarithmic else (mean - deviation, mean + deviation)
        panel.fill_between(optimize["generation"], lower, upper, color=line.get_color(), alpha=0.15, linewidth=0)
    means = optimize["mean_vector"] / scales
    # The spread of the first generations may be far larger.
    if logarithmic:
        panel.set_yscale("log")
        panel.set_ylim(means.min() / 3, means.max() * 3)
    else:
        spread = optimize["deviation"][len(means) // 2 :] / scales
        lower, upper = (means[len(means) // 2 :] - spread).min(), (means[len(means) // 2 :] + spread).max()
        lower, upper = min(lower, means.min()), max(upper, means.max())
        margin = 0.08 * (upper - lower) or 0.5 * (abs(upper) or 1.0)
        panel.set_ylim(lower - margin, upper + margin)
    panel.set_ylabel("parameters over their largest value" if len(set(scales)) > 1 else "parameters")
    _restarts(panel, optimize)
    panel.legend(frameon=False, fontsize=10, loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0)


def _last_period(time, period):
    """Indices of the frames of the last `period` seconds."""
    return np.flatnonzero(time >= time[-1] - period * (1 + 1e-9))


def _centre_of_mass(position):
    """Of every frame, m: an end node carries half the mass of another."""
    mass = np.ones(position.shape[1])
    mass[[0, -1]] = 0.5
    return np.einsum("n,fnk->fk", mass / mass.sum(), position)


def plane_of_motion(position, direction):
    """The unit vectors along and across the motion, and the positions in them relative to the first tail: [frames, nodes, 2].

    Across is the direction, normal to `direction`, in which the nodes' positions spread most."""
    forward = direction / np.linalg.norm(direction)
    relative = position - position[0, 0]
    across = relative - relative @ forward[:, None] * forward
    moments = np.einsum("fni,fnj->ij", across, across)
    lateral = np.linalg.eigh(moments)[1][:, -1]
    lateral *= np.sign(lateral[np.argmax(np.abs(lateral))])
    return np.stack([relative @ forward, relative @ lateral], axis=-1)


def draw_velocities(panel, time, plane, period, length):
    """Velocity of the centre of mass over time: [A] Figs 10f and 11f."""
    centre = _centre_of_mass(plane)
    velocity = np.diff(centre, axis=0) / np.diff(time)[:, None] * period / length
    middle = 0.5 * (time[1:] + time[:-1]) / period
    panel.axhline(0, color="#999999", linewidth=0.8)
    panel.plot(middle, velocity[:, 1], color=LATERAL, linewidth=1.2, label="lateral")
    panel.plot(middle, velocity[:, 0], color=FORWARD, linewidth=1.6, label="forward")
    last = _last_period(time, period)
    mean = (centre[last[-1], 0] - centre[last[0], 0]) / (time[last[-1]] - time[last[0]]) * period / length
    panel.axhline(mean, color=FORWARD, linewidth=1, linestyle="--", label=f"mean of the last period: {mean:.3g}")
    panel.set_xlim(0, time[-1] / period)
    lower, upper = panel.get_ylim()
    panel.set_ylim(lower, upper + 0.3 * (upper - lower))  # room for the legend
    panel.set_xlabel("time (periods)")
    panel.set_ylabel("velocity (lengths a period)")
    panel.legend(frameon=False, fontsize=10, ncols=2, loc="upper left")


def draw_envelope(panel, time, plane, period, length):
    """Shapes over the last period with the tracks of head and tail: [A] Figs 10g and 11g."""
    last = _last_period(time, period)
    middle = 0.5 * (plane[last, :, 1].min() + plane[last, :, 1].max())
    shapes = (plane[last] - [plane[last[0], :, 0].min(), middle]) / length
    for k, shape in enumerate(shapes[:: max(1, len(shapes) // 20)]):
        panel.plot(*shape.T, color=INK, alpha=0.12 + 0.5 * k / 20, linewidth=1.2)
    panel.plot(*shapes[:, -1].T, color=FORWARD, linewidth=2.2, label="head")
    panel.plot(*shapes[:, 0].T, color=LATERAL, linewidth=2.2, label="tail")
    panel.set_aspect("equal", adjustable="datalim")
    panel.margins(y=0.25)
    panel.set_xlabel("forward (lengths)")
    panel.set_ylabel("across (lengths)")
    panel.legend(frameon=False, fontsize=10, ncols=2, loc="upper left")


def draw_snapshots(panel, time, plane, period, length, radius):
    """The body at instants of the last period, one below the other, as thick as it is."""
    last = _last_period(time, period)
    instants = last[np.linspace(0, len(last) - 1, SNAPSHOTS + 1).round().astype(int)[:-1]]
    shapes = (plane[instants] - [plane[instants[0], :, 0].min(), 0.0]) / length
    shapes[:, :, 1] -= shapes[:, :, 1].mean(axis=1)[:, None]
    gap = 1.15 * max(np.ptp(shapes[:, :, 1], axis=1).max(), 4 * radius / length)
    colours = matplotlib.colormaps["viridis"]
    for k, (instant, shape) in enumerate(zip(instants, shapes)):
        offset = [0.0, -k * gap]
        edges = np.diff(shape, axis=0)
        normal = np.column_stack([-edges[:, 1], edges[:, 0]]) / np.linalg.norm(edges, axis=1)[:, None]
        normal = np.concatenate([normal[:1], 0.5 * (normal[1:] + normal[:-1]), normal[-1:]]) * radius / length
        outline = np.concatenate([shape + normal, (shape - normal)[::-1]]) + offset
        panel.fill(*outline.T, color=colours(0.85 * k / SNAPSHOTS), linewidth=0)
        panel.plot(*(shape[-1] + offset), "o", color=FORWARD, markersize=6)
        phase = (time[instant] - time[last[0]]) / period
        panel.annotate(f"{phase:.3g} T", shape[0] + offset, xytext=(-8, 0), textcoords="offset points", ha="right",
                       va="center", fontsize=10)
    panel.set_aspect("equal", adjustable="datalim")
    panel.margins(x=0.12)
    panel.set_yticks([])
    panel.spines["left"].set_visible(False)
    panel.set_xlabel("forward (lengths)")


def print_table(optimize, names, parameters, candidates):
    """The end of the optimisation, and where its best candidate is."""
    stop = optimize["stop_names"][optimize["stop"][-1]]
    print(f"{len(optimize['generation'])} generations, {optimize['evaluations'][-1]} evaluations, stop: {stop}")
    best = optimize["best_candidate"][-1]
    print(f"Best: {optimize['best'][-1]:.10g} (candidate {best})")
    if best >= 0:
        member = np.flatnonzero(candidates == best)[0]
        for name in names[:PARAMETERS_PRINTED]:
            print(f"  {name} = {parameters[name][member]:.10g}")
        if len(names) > PARAMETERS_PRINTED:
            print(f"  and {len(names) - PARAMETERS_PRINTED} more (scripts/read_ensemble.py --csv has all)")


def best_run(ensemble, path):
    """What `rodeo best` made of the campaign, if it has been run and stores a motion to show; else None."""
    default = pathlib.Path(ensemble.path).with_name(pathlib.Path(ensemble.path).stem + "_best.h5")
    if path is None and not default.exists():
        return None
    best = Ensemble(path or default)
    if not best.committed.any() or best.frames < 3 or not best.deck_values("muscle.period"):
        if path is None:
            return None
        raise PlotError(f"{best.path} holds no motion over a muscle.period (rodeo best makes it).")
    return best


def draw_motion(panels, best):
    """The panels of the best member's motion."""
    time, position = best.trajectory(0)
    reached = np.isfinite(time)
    time, position = time[reached], position[reached]
    number = lambda key: float(best.deck_values(key)[0])
    direction = np.array(best.deck_numbers("rod.direction"))
    period, length = number("muscle.period"), number("rod.length")
    plane = plane_of_motion(position, direction)
    draw_velocities(panels[0], time, plane, period, length)
    draw_envelope(panels[1], time, plane, period, length)
    draw_snapshots(panels[2], time, plane, period, length, best.rod_radii(0)[0])
    for panel, title in zip(panels, ("Best member: velocity", "Last period: head and tail", "Last period: snapshots")):
        panel.set_title(title)


def draw(ensemble, best):
    """Objective, step size and parameters over the generations; the motion of the best member, if it is there."""
    optimize = ensemble.optimize
    names = optimize.get("mean_vector_names", list(ensemble.parameters))  # without those of levels of fidelity
    if not len(optimize["generation"]):
        raise PlotError(f"{ensemble.path} has no finished generation yet.")
    objective = ensemble.deck_values("study.objective")[0]
    largest = np.abs(optimize["mean_vector"]).max(axis=0)
    keys = {name.partition("[")[0] for name in names}
    scales = np.where(largest > 0, largest, 1) if len(keys) > 1 else np.ones(len(names))
    rows = 1 if best is None else 2
    figure, panels = plt.subplots(rows, 3, figsize=(16, 0.6 + 4.6 * rows), layout="constrained", squeeze=False)
    figure.get_layout_engine().set(hspace=0.08)
    if best is not None:
        draw_motion(panels[1], best)
    panels = panels[0]
    maximize = ensemble.deck_values("study.sense") != ["min"]
    draw_objective(panels[0], optimize, observable_label(ensemble, objective), maximize)
    draw_steps(panels[1], optimize)
    logarithmic = all(line.split()[-1] == "log" for line in ensemble.deck_values("optimize.parameter"))
    draw_parameters(panels[2], optimize, names, scales, logarithmic)
    for panel, title in zip(panels, ("Objective", "Step size", "Parameters: mean and deviation")):
        panel.set_title(title)
    for panel in panels:
        panel.set_xlabel("generation")
        panel.xaxis.set_major_locator(plt.MaxNLocator(integer=True))
        panel.grid(color="#e6e6e6")
        panel.set_axisbelow(True)
    population = optimize["population"][0]
    figure.suptitle(heading(ensemble, f"Optimisation of {objective} over {len(names)} parameters, population {population}"),
                    fontsize=14)
    print_table(optimize, names, ensemble.parameters, ensemble.candidate)
    return figure
