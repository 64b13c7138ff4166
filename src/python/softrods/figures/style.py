"""What the pictures of campaigns share: colours, labels, headings."""

import re

import numpy as np
from matplotlib import ticker

from ..deck_keys import key_unit
from ..ensemble import AS_BRANCH_KEY, FAILURES, STATUS_NAMES
from ..errors import RodeoError

AXIS_LABELS = {
    "rod.bend_stiffness": r"bending stiffness $\alpha$ (N m$^2$)",
    "rod.length": r"length $L$ (m)",
    "load.axial_force": r"compressive force $F$ (N)",
}
INK = "#1f2a44"
ACCENT = "#c8553d"

# Of matplotlib's rcParams.
STYLE = {
    "font.size": 12,
    "axes.titlesize": 13,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


# What people say instead of a unit: from which number on, and how many of them are one.
HANDY_UNITS = {
    "m": [(0, "µm", 1e6), (1e-3, "mm", 1e3), (0.5, "m", 1)],
    "m/s": [(0, "µm/s", 1e6), (1e-3, "mm/s", 1e3), (0.5, "m/s", 1)],
    "Hz": [(0, "mHz", 1e3), (0.1, "Hz", 1), (5e3, "kHz", 1e-3)],
    "s": [(0, "µs", 1e6), (1e-3, "ms", 1e3), (0.1, "s", 1)],
    "N": [(0, "µN", 1e6), (1e-3, "mN", 1e3), (0.5, "N", 1), (5e3, "kN", 1e-3)],
    "N m": [(0, "µN m", 1e6), (1e-3, "mN m", 1e3), (0.5, "N m", 1), (5e3, "kN m", 1e-3)],
    "J": [(0, "fJ", 1e15), (1e-12, "pJ", 1e12), (1e-9, "nJ", 1e9), (1e-6, "µJ", 1e6), (1e-3, "mJ", 1e3), (0.5, "J", 1), (5e3, "kJ", 1e-3)],
    "Pa": [(0, "Pa", 1), (1e3, "kPa", 1e-3), (1e6, "MPa", 1e-6), (1e9, "GPa", 1e-9)],
    "Pa s": [(0, "mPa s", 1e3), (0.5, "Pa s", 1)],
}


class PlotError(RodeoError):
    """A file that holds nothing to draw; the text is one sentence."""


def axis_label(key):
    """A key as axes name it, with its unit; of a list also one number: load.end_force[2]."""
    unit = key_unit(key)
    return AXIS_LABELS.get(key, key + (f" ({unit})" if unit not in ("", "1") else ""))


def handy_unit(unit, largest):
    """What people say for a unit where numbers of it are so large at most, and how many of it are one."""
    fitting = [(name, factor) for least, name, factor in HANDY_UNITS.get(unit, []) if largest >= least]
    return fitting[-1] if fitting and largest > 0 else (unit, 1)


def length_text(length):
    """A length (m) as people say it."""
    name, factor = handy_unit("m", length)
    return f"{length * factor:.6g} {name}"


def direction_text(axis):
    """A unit vector as people say it."""
    return f"({', '.join(f'{part + 0.0:.2g}' for part in np.round(axis, 2))})"


LABEL_WITH_UNIT = re.compile(r"(.* )?\(([^()]+)\)")


def largest_number(axis):
    """On an axis; on both of a panel of one scale, whose numbers then have one unit."""
    axes = [axis] if axis.axes.get_aspect() == "auto" else [axis.axes.xaxis, axis.axes.yaxis]
    found = [LABEL_WITH_UNIT.fullmatch(one.get_label().get_text()) for one in (axis, *axes)]
    return max(np.abs(one.get_view_interval()).max() for one, label in zip(axes, found[1:]) if label and label[2] == found[0][2])


def use_handy_units(figure):
    """Writes the numbers of axes in units that people would choose; what is drawn stays in SI units."""
    for axis in (axis for panel in figure.get_axes() for axis in (panel.xaxis, panel.yaxis)):
        label = axis.get_label()
        found = LABEL_WITH_UNIT.fullmatch(label.get_text())
        formatter = axis.get_major_formatter()
        if found is None or not isinstance(formatter, (ticker.ScalarFormatter, ticker.LogFormatter)):
            continue
        low, high = sorted(abs(limit) for limit in axis.get_view_interval())
        name, factor = handy_unit(found[2], largest_number(axis))
        if factor == 1:
            continue
        label.set_text(f"{found[1] or ''}({name})")
        axis.set_major_formatter(ticker.FuncFormatter(lambda value, _, factor=factor: f"{value * factor:.6g}"))
        if axis.get_scale() == "log":
            few = high < 10 * low
            axis.set_minor_formatter(axis.get_major_formatter() if few else ticker.NullFormatter())


def observable_label(ensemble, name):
    if ensemble.units[name] == AS_BRANCH_KEY:
        return f"{name.replace('_', ' ')} of {axis_label(ensemble.deck_values('branch.key')[0])}"
    unit = ensemble.unit(name)
    return name.replace("_", " ") + (f" ({unit})" if unit not in ("", "1") else "")


def course(ensemble, member, time):
    """Of a member's frames what changes from one to the next, and its label: their time; along a branch its key, or, where frames
    do not tell that, the number of its point."""
    if not ensemble.deck_values("branch.key"):
        return time, "time (s)"
    if "branch_value" in ensemble.frame_observables:
        reached = dict(zip(*ensemble.history(member, "branch_value")))
        reached[0.0] = float((ensemble.deck_values("branch.from") or [0])[0])  # no step has told it there
        values = np.array([reached.get(point, np.nan) for point in time])
        if np.isfinite(values).all():
            return values, axis_label(ensemble.deck_values("branch.key")[0])
    return time, "point of the branch"


def moments(ensemble, member, time):
    """What stands beside each of a member's frames: its time, or how far a branch has come."""
    values, label = course(ensemble, member, time)
    if label == "time (s)":
        digits = max(0, 1 - int(np.floor(np.log10(time[-1] / 10)))) if time[-1] > 0 else 0
        return [f"t = {instant:.{digits}f} s" for instant in time]
    if label == "point of the branch":
        return [f"point {point:g}" for point in time]
    key = ensemble.deck_values("branch.key")[0]
    return [f"{key} = {value:.4g} {key_unit(key)}".strip() for value in values]


def label_of(ensemble, names, member):
    """What sets a member of a study apart."""
    return ", ".join(f"{name} = {ensemble.parameter_text(name, ensemble.parameters[name][member])}" for name in names)


def style_panel(panel, title, label):
    """A panel over time."""
    panel.set_title(title)
    panel.set_xlabel("time (s)")
    panel.set_ylabel(label)
    panel.grid(color="#e6e6e6")
    panel.set_axisbelow(True)


def heading(ensemble, text):
    """The title of a picture, which also owns up to members that are missing from it."""
    notes = []
    finished = np.count_nonzero(ensemble.committed)
    if finished < len(ensemble) and not ensemble.complete:
        notes.append(f"unfinished: {finished} of {len(ensemble)} members")
    for status in FAILURES:
        if ensemble.count(status):
            notes.append(f"{ensemble.count(status)} {STATUS_NAMES[status]}")
    return text + (f" [{', '.join(notes)}]" if notes else "")
