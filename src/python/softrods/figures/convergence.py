"""The picture of a convergence study: errors over the resolution, on two logarithmic axes."""

import matplotlib.pyplot as plt
import numpy as np

from .style import PlotError, heading

LOOKS = (("tab:blue", "o"), ("tab:red", "s"), ("black", "^"), ("tab:green", "v"), ("tab:purple", "D"))
NORMS = {"L1": "$L^1$", "L2": "$L^2$", "Linf": r"$L^\infty$"}


def errors(ladder):
    """The errors of the levels by what they are of: norms of profiles, or observables (convergence.observables)."""
    if "error_names" in ladder:
        return dict(zip(ladder["error_names"], ladder["error"].T))
    return {name: ladder[name] for name in NORMS}


def draw(panel, ladder):
    """Draws Ensemble.convergence into matplotlib axes; over the elements, or over the step where that alone varies."""
    in_space = len(set(ladder["n"])) > 1
    x = ladder["n"] if in_space else ladder["step"]
    drawn = {}
    for k, (name, error) in enumerate(errors(ladder).items()):
        known = np.isfinite(error) & (error > 0)
        if known.any():
            colour, marker = LOOKS[k % len(LOOKS)]
            panel.loglog(x[known], error[known], marker + "-", color=colour, markersize=5, label=NORMS.get(name, name))
            drawn[name] = error, known
    if drawn:
        error, known = drawn.get("L2", next(iter(drawn.values())))
        first, last = np.flatnonzero(known)[[0, -1]]
        ends = np.array([x[first], x[last]], dtype=float)
        for order, style in ((1, ":"), (2, "--")):
            slope = -order if in_space else order
            panel.plot(ends, 0.5 * error[first] * (ends / ends[0]) ** slope, style, color="grey", linewidth=1,
                       label=f"order {order}")
    if in_space:
        panel.set_xticks(x, [str(n) for n in x])
        panel.minorticks_off()
    panel.set_xlabel("elements $n$" if in_space else r"step $\delta t$ (s)")
    reference = {"finest": "the finest level", "exact": "the exact value"}.get(
        ladder["reference"], f"the closed form '{ladder['reference']}'")
    panel.set_ylabel(f"error against {reference}")
    panel.grid(color="#e6e6e6", which="both", linewidth=0.5)
    panel.set_axisbelow(True)
    panel.legend(frameon=False)


def print_table(ladder):
    print(f"Convergence over {ladder['key']} against {ladder['reference']}")
    found = errors(ladder)
    print(f"{'elements':>10} {'step (s)':>12}" + "".join(f" {name:>13} {'order':>7}" for name in found))
    for k, elements in enumerate(ladder["n"]):
        line = f"{elements:10d} {ladder['step'][k]:12.5g}"
        for i, (name, error) in enumerate(found.items()):
            line += f" {error[k]:>{max(13, len(name))}.6g} {ladder['observed_order'][k, i]:7.3f}"
        print(line.replace("nan", "  -"))


def draw_study(ensemble):
    """Errors of the levels over the resolution."""
    ladder = ensemble.convergence
    if not any(np.isfinite(error).any() for error in errors(ladder).values()):
        raise PlotError(f"{ensemble.path} has no errors yet: they are measured when all levels have ended.")
    figure, panel = plt.subplots(figsize=(7, 5.4), layout="constrained")
    draw(panel, ladder)
    figure.suptitle(heading(ensemble, f"Convergence over {ladder['key']}"), fontsize=14)
    print_table(ladder)
    return figure
