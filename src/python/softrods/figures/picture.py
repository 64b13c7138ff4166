"""Which picture shows a campaign, and the function that draws it."""

from . import (boundary, branch, convergence, critical_line, data, history, modes, optimize, pareto, sensitivity, shape,
               snapshots, sweep)
from .style import PlotError, use_handy_units


def chosen_observables(ensemble, names):
    """The observables that the user named, all of which the file has."""
    for name in names:
        if name not in ensemble.observables:
            raise PlotError(f"{ensemble.path} has no observable {name!r}; there are {', '.join(ensemble.observables)}.")
    return list(names)


def draw_sweep(ensemble, axes, chosen):
    """A curve over one axis, a map over two, a panel for each of more, which points of a sampler or a file have."""
    names = chosen or sweep.default_observables(ensemble)
    if len(axes) == 1:
        return sweep.draw_curves(ensemble, axes[0], names)
    if len(axes) == 2:
        return sweep.draw_maps(ensemble, axes, names)
    return sweep.draw_clouds(ensemble, axes, names)


def draw(ensemble, observables=(), histories=False, pareto_front=False, best=None, critical=None):
    """The figure of a campaign, finished or not: what it shows follows from the kind of its study. Prints its numbers.

    `observables` chooses those of a sweep, of branches or of histories; `best` is the file of rodeo best that goes with a
    search, `critical` the file of a sweep with branch.stop whose line is drawn over a map.
    """
    if not ensemble.committed.any():
        raise PlotError(f"{ensemble.path} has no finished member yet.")
    if "fidelity" in ensemble.tables and ensemble.optimize is None:
        ensemble.keep_widest_level()
    keys = list(ensemble.parameters)
    chosen = chosen_observables(ensemble, observables)
    of_other_studies = (ensemble.optimize, ensemble.convergence, ensemble.sensitivity)
    is_branches = "branch" in ensemble.tables
    is_sweep = keys and not is_branches and all(table is None for table in of_other_studies)
    if chosen and not histories and not is_sweep and not is_branches:
        raise PlotError(f"Observables are chosen for sweeps, branches and histories, and {ensemble.path} is none of these.")
    axes = [axis[0] for axis in sweep.drawn_axes(ensemble)] if is_sweep else []
    is_boundary = ensemble.boundary is not None and not chosen
    if len(axes) > 2 and not is_boundary and not histories and sweep.is_on_grid(ensemble):
        raise PlotError(f"{ensemble.path} varies {len(axes)} parameters, and a picture of a grid shows one or two.")
    if pareto_front:
        figure = pareto.draw(ensemble)
    elif histories:
        figure = history.draw(ensemble, chosen)
    elif ensemble.optimize is not None:
        figure = optimize.draw(ensemble, optimize.best_run(ensemble, best))
    elif is_branches:
        figure = branch.draw(ensemble, chosen)
    elif ensemble.sensitivity is not None:
        figure = sensitivity.draw(ensemble)
    elif ensemble.convergence is not None:
        figure = convergence.draw_study(ensemble)
    elif is_boundary:
        figure = boundary.draw(ensemble)
    elif keys and not chosen and snapshots.suits(ensemble):
        figure = snapshots.draw(ensemble)
    elif axes:
        figure = draw_sweep(ensemble, axes, chosen)
    elif ensemble.frames and len(ensemble.data["time"]):
        figure = data.draw(ensemble)
    elif ensemble.frames and ensemble.modes:
        figure = modes.draw(ensemble)
    else:
        figure = shape.draw_shapes(ensemble)
    if critical:
        critical_line.draw_over(figure, critical)
    use_handy_units(figure)
    return figure
