"""The picture of a convergence study: norms of the error over the resolution, on two logarithmic axes."""

import matplotlib.pyplot as plt
import numpy as np

from .style import PlotError, heading

NORMS = (("L1", "tab:blue", "o"), ("L2", "tab:red", "s"), ("Linf", "black", "^"))


def draw(panel, ladder):
    """Draws Ensemble.convergence into matplotlib axes; over the elements, or over the step where that alone varies."""
    in_space = len(set(ladder["n"])) > 1
    x = ladder["n"] if in_space else ladder["step"]
    drawn = False
    for name, colour, marker in NORMS:
        known = np.isfinite(ladder[name]) & (ladder[name] > 0)
        if known.any():
            drawn = True
            label = r"$L^\infty$" if name == "Linf" else f"$L^{name[1]}$"
            panel.loglog(x[known], ladder[name][known], marker + "-", color=colour, markersize=5, label=label)
    if drawn:
        known = np.isfinite(ladder["L2"]) & (ladder["L2"] > 0)
        first, last = np.flatnonzero(known)[[0, -1]]
        ends = np.array([x[first], x[last]], dtype=float)
        for order, style in ((1, ":"), (2, "--")):
            slope = -order if in_space else order
            panel.plot(ends, 0.5 * ladder["L2"][first] * (ends / ends[0]) ** slope, style, color="grey", linewidth=1,
                       label=f"order {order}")
    if in_space:
        panel.set_xticks(x, [str(n) for n in x])
        panel.minorticks_off()
    panel.set_xlabel("elements $n$" if in_space else r"step $\delta t$ (s)")
    reference = "the finest level" if ladder["reference"] == "finest" else f"the closed form '{ladder['reference']}'"
    panel.set_ylabel(f"error against {reference}")
    panel.grid(color="#e6e6e6", which="both", linewidth=0.5)
    panel.set_axisbelow(True)
    panel.legend(frameon=False)


def print_table(ladder):
    print(f"Convergence over {ladder['key']} against {ladder['reference']}")
    print(f"{'elements':>10} {'step (s)':>12}" + "".join(f" {name:>13} {'order':>7}" for name, _, _ in NORMS))
    for k, elements in enumerate(ladder["n"]):
        line = f"{elements:10d} {ladder['step'][k]:12.5g}"
        for i, (name, _, _) in enumerate(NORMS):
            line += f" {ladder[name][k]:13.6g} {ladder['observed_order'][k, i]:7.3f}"
        print(line.replace("nan", "  -"))


def draw_study(ensemble):
    """Errors of the levels over the resolution."""
    ladder = ensemble.convergence
    if not any(np.isfinite(ladder[name]).any() for name, _, _ in NORMS):
        raise PlotError(f"{ensemble.path} has no errors yet: they are measured when all levels have ended.")
    figure, panel = plt.subplots(figsize=(7, 5.4), layout="constrained")
    draw(panel, ladder)
    figure.suptitle(heading(ensemble, f"Convergence over {ladder['key']}"), fontsize=14)
    print_table(ladder)
    return figure
