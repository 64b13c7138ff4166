"""The picture of measured data: each coordinate of each place over time with what the rod does there, and residuals."""

import matplotlib.pyplot as plt
import numpy as np
from .style import INK, PlotError, heading, style_panel

MOST_PLACES = 10


def draw(ensemble):
    """A column for each coordinate that is known: the data with the first member's rods above, what is left below."""
    data, found = ensemble.data, ensemble.at_data(0)
    reached = np.isfinite(found).all(axis=1)
    axes = [k for k in range(3) if np.isfinite(data["position"][:, k]).any()]
    if not axes or not reached.any():
        raise PlotError(f"{ensemble.path} reached no point of its data.")
    places = list(dict.fromkeys(data["place"]))
    figure, panels = plt.subplots(2, len(axes), figsize=(1 + 6 * len(axes), 7.5), layout="constrained", squeeze=False,
                                  sharex=True, height_ratios=(2, 1))
    colours = plt.get_cmap("tab10")
    print(f"{'place':20} {'coordinate':>10} {'points':>8} {'mean residual (m)':>18} {'its deviation (m)':>18} {'largest (m)':>12}")
    for k, (above, below) in zip(axes, panels.T):
        name = "xyz"[k]
        for number, place in enumerate(places[:MOST_PLACES]):
            here = (data["place"] == place) & reached
            order = np.flatnonzero(here)[np.argsort(data["time"][here], kind="stable")]
            time, measured, computed = data["time"][order], data["position"][order, k], found[order, k]
            residual = measured - computed
            known = np.isfinite(residual)
            if not known.any():
                continue
            colour = colours(number % 10)
            above.plot(time, measured, ".", color=colour, markersize=4, alpha=0.6)
            above.plot(time, computed, color=colour, linewidth=1.5, label=place)
            below.plot(time, residual, ".", color=colour, markersize=4)
            print(f"{place:20} {name:>10} {known.sum():8} {residual[known].mean():18.4g} {residual[known].std():18.4g} "
                  f"{np.abs(residual[known]).max():12.4g}")
        style_panel(above, f"{name}: data and rod", f"{name} (m)")
        style_panel(below, "data minus rod", f"{name} (m)")
        above.set_xlabel("")
        above.legend(frameon=False, fontsize=10)
    misfit = ensemble.observables["misfit"][0]
    figure.suptitle(heading(ensemble, f"Measured data, misfit {misfit:.4g} m"), fontsize=14, color=INK)
    return figure
