"""The picture of a study of branches: an observable over the number that changes, solid where equilibria are stable."""

import matplotlib.pyplot as plt
import numpy as np

from .style import ACCENT, INK, PlotError, axis_label, heading, observable_label

NOT_DRAWN = ("branch_value", "unstable_modes", "least_stiffness", "bifurcations", "folds", "critical_value",
             "newton_iterations")


def points(ensemble, member, name):
    """value and observable of a branch's points, and of each but the first whether the piece before it is stable."""
    value = ensemble.history(member, "branch_value")[1]
    known = np.isfinite(value)
    stable = np.ones(len(value), dtype=bool)
    if "unstable_modes" in ensemble.frame_observables:
        stable = ~(ensemble.history(member, "unstable_modes")[1] > 0)
    stable, pieces = stable[known], stable[known][1:].copy()
    for event in ("bifurcations", "folds"):
        if event in ensemble.frame_observables:
            # Up to there a piece is as where it begins.
            there = np.diff(ensemble.history(member, event)[1][known]) > 0
            pieces[there] = stable[:-1][there]
    return value[known], ensemble.history(member, name)[1][known], pieces


def at_bifurcation(ensemble, member, which, name):
    """Where a branch has its bifurcation of that number; None if its frames do not tell."""
    if "bifurcations" not in ensemble.frame_observables:
        return None
    value = ensemble.history(member, "branch_value")[1]
    passed = np.flatnonzero(np.isfinite(value) & (ensemble.history(member, "bifurcations")[1] >= which))
    return (value[passed[0]], ensemble.history(member, name)[1][passed[0]]) if len(passed) else None


def draw_branch(panel, value, observable, solid, colour):
    """Pieces between points that are stable are solid, the others dashed."""
    ends = np.flatnonzero(np.diff(solid)) + 1
    for first, last in zip([0, *ends], [*ends, len(solid)]):
        style = "-" if solid[first] else "--"
        panel.plot(value[first : last + 1], observable[first : last + 1], style, color=colour, linewidth=1.6)


def draw(ensemble, chosen):
    """A panel an observable of the frames, or of those chosen."""
    table = ensemble.tables["branch"]
    names = chosen or [name for name in ensemble.frame_observables if name not in NOT_DRAWN]
    if not names:
        raise PlotError(f"The frames of {ensemble.path} hold nothing to draw over {table['key']}: name an observable of "
                        "the rods' shape in output.observables, theta_max for example.")
    figure, panels = plt.subplots(1, len(names), figsize=(7 * len(names), 5), layout="constrained", squeeze=False)
    members = np.flatnonzero(ensemble.committed)
    for name, panel in zip(names, panels.flat):
        marks = []
        for member in members:
            value, observable, stable = points(ensemble, member, name)
            if len(value) < 2:
                continue
            row = np.flatnonzero(table["candidate"] == member)[0]
            turn = int(table["turn"][row])
            if turn != 0:
                crossing = at_bifurcation(ensemble, int(table["parent"][row]), abs(turn), name)
                if crossing is not None:
                    marks.append(crossing)
                    value, observable = np.insert(value, 0, crossing[0]), np.insert(observable, 0, crossing[1])
                    stable = np.insert(stable, 0, stable[0])
            draw_branch(panel, value, observable, stable, INK if turn == 0 else ACCENT)
        if marks:
            panel.plot(*np.transpose(marks), "o", color="white", markeredgecolor=INK, markersize=6)
        panel.plot([], [], "-", color=INK, label="stable")
        panel.plot([], [], "--", color=INK, label="unstable")
        panel.legend(frameon=False)
        panel.set_xlabel(axis_label(table["key"]))
        panel.set_ylabel(observable_label(ensemble, name))
        panel.grid(color="#e6e6e6")
        panel.set_axisbelow(True)
    figure.suptitle(heading(ensemble, f"Branches over {table['key']}"), fontsize=14, color=INK)
    print_table(ensemble, table)
    return figure


def print_table(ensemble, table):
    print(f"{'branch':>6} {'leaves':>6} {'at':>4} {'points':>6} {'bifurcations':>12} {'folds':>5} {'first critical':>16} "
          f"{'last value':>16}")
    for k in np.argsort(table["candidate"]):
        branch = table["candidate"][k]
        count = np.isfinite(ensemble.history(branch, "branch_value")[1]).sum()
        parent, turn = (table["parent"][k], table["turn"][k]) if table["turn"][k] else ("-", "-")
        print(f"{branch:6} {parent:>6} {turn:>4} {count:6} {table['bifurcations'][k]:12.0f} {table['folds'][k]:5.0f} "
              f"{table['critical_value'][k]:16.9g} {table['last_value'][k]:16.9g}".replace("nan", "  -"))
