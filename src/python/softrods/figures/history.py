"""The picture of the observables that frames hold, over time."""

import matplotlib.pyplot as plt
import numpy as np
from .style import INK, PlotError, heading, label_of, observable_label, style_panel

MOST_MEMBERS = 40
MOST_LABELS = 8


def draw(ensemble, chosen):
    """A panel an observable of the frames, or of those chosen, a curve a member; of many members some, evenly chosen."""
    names = list(chosen or ensemble.frame_observables)
    if not names:
        raise PlotError(f"The frames of {ensemble.path} hold no observables: name some in output.observables.")
    members = np.flatnonzero(ensemble.committed)
    if len(members) > MOST_MEMBERS:
        members = members[np.round(np.linspace(0, len(members) - 1, MOST_MEMBERS)).astype(int)]
    columns = min(2, len(names))
    rows = -(-len(names) // columns)
    figure, panels = plt.subplots(rows, columns, figsize=(7 * columns, 0.6 + 4 * rows), layout="constrained", squeeze=False)
    colours = plt.get_cmap("viridis")(np.linspace(0, 0.9, len(members)))
    print(f"{'observable':36} {'member':>8} {'at the start':>14} {'least':>14} {'greatest':>14} {'at the end':>14}")
    for name, panel in zip(names, panels.flat):
        for member, colour in zip(members, colours):
            time, values = ensemble.history(member, name)
            known = np.isfinite(time) & np.isfinite(values)
            if not known.any():
                continue
            time, values = time[known], values[known]
            panel.plot(time, values, color=colour, label=label_of(ensemble, ensemble.parameters, member))
            print(f"{name:36} {member:8} {values[0]:14.6g} {values.min():14.6g} {values.max():14.6g} {values[-1]:14.6g}")
        style_panel(panel, name.replace("_", " "), observable_label(ensemble, name))
        if ensemble.parameters and len(members) <= MOST_LABELS and panel.lines:
            panel.legend(frameon=False, fontsize=10)
    for panel in panels.flat[len(names):]:
        panel.axis("off")
    figure.suptitle(heading(ensemble, "Observables of the frames"), fontsize=14, color=INK)
    return figure
