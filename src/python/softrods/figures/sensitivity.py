"""The picture of a study of sensitivities: Sobol indices with their bands, and how the observable is distributed."""

import matplotlib.pyplot as plt
import numpy as np

from .style import ACCENT, INK, PlotError, heading, observable_label

MUTED = "#8fa3c4"


def newest_rows(ensemble):
    """The newest row of each observable, as places in the table."""
    table = ensemble.sensitivity
    return [np.flatnonzero(table["observable"] == place)[-1] for place in np.unique(table["observable"])]


def draw_indices(panel, table, row):
    """Bars of the first and total indices of each parameter, the largest at the top."""
    names = table["first_names"]
    order = np.argsort(np.nan_to_num(table["total"][row]), kind="stable")
    for shift, name, label, colour in ((0.19, "first", "alone (first)", MUTED), (-0.19, "total", "with others (total)", INK)):
        values, errors = table[name][row][order], table[f"{name}_error"][row][order]
        panel.barh(np.arange(len(names)) + shift, values, height=0.36, color=colour, label=label)
        panel.errorbar(values, np.arange(len(names)) + shift, xerr=errors, fmt="none", ecolor=ACCENT, capsize=2, linewidth=1.2)
    panel.set_yticks(np.arange(len(names)), [names[k] for k in order])
    panel.set_xlim(left=min(0, panel.get_xlim()[0]))
    panel.set_xlabel("Sobol index: share of the variance")
    panel.legend(frameon=False, loc="lower right")


def draw_distribution(panel, ensemble, name, table, row):
    """Histogram of what candidates reported, with the quantiles of the table."""
    values = ensemble.observables[name][ensemble.usable]
    values = values[np.isfinite(values)]
    panel.hist(values, bins=min(40, max(8, int(1.2 * np.sqrt(len(values))))), color=MUTED, density=True)
    quantiles = table["quantiles"][row]
    for k, value in enumerate(quantiles):
        panel.axvline(value, color=ACCENT, linestyle="-" if k == len(quantiles) // 2 else ":", linewidth=1.4)
    panel.set_xlabel(observable_label(ensemble, name))
    panel.set_yticks([])
    panel.spines["left"].set_visible(False)
    panel.set_title(f"mean {table['mean'][row]:.4g}, deviation {table['deviation'][row]:.3g}", fontsize=11)


def draw(ensemble):
    """A row of two panels for each observable."""
    table = ensemble.sensitivity
    if not len(table["evaluations"]):
        raise PlotError(f"{ensemble.path} has no finished round yet.")
    rows = newest_rows(ensemble)
    parameters = len(table["first_names"])
    figure, panels = plt.subplots(len(rows), 2, figsize=(13, 0.8 + len(rows) * (1.6 + 0.5 * parameters)),
                                  layout="constrained", squeeze=False, width_ratios=(3, 2))
    for (left, right), row in zip(panels, rows):
        name = table["observable_names"][table["observable"][row]]
        draw_indices(left, table, row)
        left.set_title(f"What {name.replace('_', ' ')} varies with", fontsize=11)
        draw_distribution(right, ensemble, name, table, row)
        print_row(table, row, name)
    evaluations = table["evaluations"][rows[-1]]
    figure.suptitle(heading(ensemble, f"Sensitivity to {parameters} parameters, {evaluations} evaluations"), fontsize=14)
    return figure


def print_row(table, row, name):
    method = table["method_names"][table["method"][row]]
    print(f"{name}: {table['evaluations'][row]} evaluations, {table['failed'][row]} failed, method {method}, "
          f"prediction error {table['prediction_error'][row]:.3g}")
    print(f"  mean {table['mean'][row]:.6g}, deviation {table['deviation'][row]:.4g}, "
          + ", ".join(f"{share}: {value:.5g}" for share, value in zip(table["quantiles_names"], table["quantiles"][row])))
    for k in np.argsort(-np.nan_to_num(table["total"][row]), kind="stable"):
        print(f"  {table['first_names'][k]:32} first {table['first'][row, k]:8.4f} +- {table['first_error'][row, k]:.4f}"
              f"   total {table['total'][row, k]:8.4f} +- {table['total_error'][row, k]:.4f}")
