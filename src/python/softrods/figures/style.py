"""What the pictures of campaigns share: colours, labels, headings."""

import numpy as np

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


class PlotError(RodeoError):
    """A file that holds nothing to draw; the text is one sentence."""


def axis_label(key):
    """A key as axes name it, with its unit; of a list also one number: load.end_force[2]."""
    unit = key_unit(key)
    return AXIS_LABELS.get(key, key + (f" ({unit})" if unit not in ("", "1") else ""))


def observable_label(ensemble, name):
    if ensemble.units[name] == AS_BRANCH_KEY:
        return f"{name.replace('_', ' ')} of {axis_label(ensemble.deck_values('branch.key')[0])}"
    unit = ensemble.unit(name)
    return name.replace("_", " ") + (f" ({unit})" if unit not in ("", "1") else "")


def moments(ensemble, member, time):
    """What stands beside each of a member's frames: its time, or how far the key of a branch has come."""
    if "branch" not in ensemble.tables:
        digits = max(0, 1 - int(np.floor(np.log10(max(time[-1], 1e-300) / 10))))
        return [f"t = {instant:.{digits}f} s" for instant in time]
    key = ensemble.tables["branch"]["key"]
    reached = {}
    if "branch_value" in ensemble.frame_observables:
        reached = dict(zip(*ensemble.history(member, "branch_value")))
    return [f"{key} = {reached[point]:.4g} {key_unit(key)}".strip() if np.isfinite(reached.get(point, np.nan)) else f"point {point:g}"
            for point in time]


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
