"""The pictures of an optimisation: objective, step size and parameters over the generations."""

import numpy as np

PARAMETERS_IN_LEGEND = 10


def _restarts(panel, optimize):
    """A line where each restart begins."""
    for generation in np.flatnonzero(np.diff(optimize["restart"])) + 1:
        panel.axvline(generation, color="grey", linewidth=0.8, linestyle=":")


def draw_objective(panel, optimize, label, maximize):
    """Best so far, best and mean of each generation; logarithmic where a minimum near zero is approached."""
    generations = optimize["generation"]
    panel.plot(generations, optimize["mean"], color="#b0b0b0", linewidth=1, label="mean of generation")
    panel.plot(generations, optimize["generation_best"], color="tab:blue", linewidth=1, label="best of generation")
    panel.plot(generations, optimize["best"], color="black", linewidth=1.8, label="best so far")
    best = optimize["best"][np.isfinite(optimize["best"])]
    if not maximize and len(best) and best.min() > 0 and best.max() > 100 * best.min():
        panel.set_yscale("log")
    panel.set_ylabel(label)
    _restarts(panel, optimize)
    panel.legend(frameon=False)


def draw_steps(panel, optimize):
    panel.semilogy(optimize["generation"], optimize["sigma"], color="tab:red", label=r"$\sigma$")
    panel.semilogy(optimize["generation"], optimize["axis_ratio"], color="tab:green", label="axis ratio")
    panel.set_ylabel(r"$\sigma$, longest over shortest axis")
    _restarts(panel, optimize)
    panel.legend(frameon=False)


def draw_parameters(panel, optimize, names, scales):
    """The distribution's mean with one standard deviation to each side, in units of `scales`."""
    for k, name in enumerate(names):
        mean, deviation = optimize["mean_vector"][:, k] / scales[k], optimize["deviation"][:, k] / scales[k]
        (line,) = panel.plot(optimize["generation"], mean, label=name if k < PARAMETERS_IN_LEGEND else None)
        panel.fill_between(optimize["generation"], mean - deviation, mean + deviation, color=line.get_color(), alpha=0.15,
                           linewidth=0)
    limit = 1.5 * np.abs(optimize["mean_vector"] / scales).max()
    panel.set_ylim(-limit, limit)  # the spread of the first generations may be far larger
    panel.set_ylabel("parameters over their largest value" if len(set(scales)) > 1 else "parameters")
    _restarts(panel, optimize)
    panel.legend(frameon=False, fontsize=9)


def print_table(optimize, names, parameters, candidates):
    """The end of the optimisation, and where its best candidate is."""
    stop = optimize["stop_names"][optimize["stop"][-1]]
    print(f"{len(optimize['generation'])} generations, {optimize['evaluations'][-1]} evaluations, stop: {stop}")
    best = optimize["best_candidate"][-1]
    print(f"Best: {optimize['best'][-1]:.10g} (candidate {best})")
    if best >= 0:
        member = np.flatnonzero(candidates == best)[0]
        for name in names:
            print(f"  {name} = {parameters[name][member]:.10g}")
