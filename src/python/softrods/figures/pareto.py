"""The candidates of a study over several objectives, and those of which none is better in all."""

import numpy as np
from .style import PlotError, heading, observable_label

import matplotlib.pyplot as plt


def draw(ensemble):
    """The first objective over each of the others."""
    table = ensemble.tables.get("pareto")
    if table is None:
        raise PlotError(f"{ensemble.path} has no study.pareto.")
    names = [entry.split()[0] for entry in ",".join(ensemble.deck_values("study.pareto")).split(",")]
    best = table["in_set"] == 1
    if not best.any():
        raise PlotError(f"{ensemble.path} has no candidate yet that is compared.")
    first, *others = names
    figure, panels = plt.subplots(1, len(others), figsize=(6 * len(others) + 0.8, 5), layout="constrained", squeeze=False)
    for panel, name in zip(panels[0], others):
        panel.plot(table[name][~best], table[first][~best], ".", color="#b0b0b0", markersize=5,
                   label="dominated")
        order = np.flatnonzero(best)[np.argsort(table[name][best])]
        line = "-" if len(names) == 2 else ""
        panel.plot(table[name][order], table[first][order], "o" + line, color="tab:blue", markersize=5, linewidth=1,
                   label="none better in all")
        panel.set_xlabel(observable_label(ensemble, name))
        panel.set_ylabel(observable_label(ensemble, first))
        panel.grid(color="#e6e6e6")
        panel.set_axisbelow(True)
    panels[0][0].legend(frameon=False)
    figure.suptitle(heading(ensemble, f"{best.sum()} of {len(best)} candidates: none is better in all of {', '.join(names)}"),
                    fontsize=14)
    return figure
