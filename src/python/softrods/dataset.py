"""All that a campaign's file holds as a dataset of xarray, read when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import h5py
import numpy as np
import xarray
from xarray.backends import BackendArray
from xarray.core import indexing

from .ensemble import EnsembleError

if TYPE_CHECKING:
    from .ensemble import Ensemble

AXES = ("x", "y", "z")
DIRECTORS = ("d1", "d2", "d3")
# What frames hold: the name, labels and unit of the components of each field; others are read without.
FIELDS = {
    "position": ("axis", AXES, "m"),
    "velocity": ("axis", AXES, "m/s"),
    "orientation": ("quaternion", ("w", "x", "y", "z"), "1"),
    "angular_velocity": ("director", DIRECTORS, "rad/s"),
    "dilatation": (None, (), "1"),
    "radius": (None, (), "m"),
    "curvature": ("director", DIRECTORS, "1/m"),
}
# What stands beside them and has its own lines below.
NO_FIELDS = ("time", "offset", "nodes", "rod_nodes", "rod_numbers", "observables", "at_data", "mode_shapes")
MODE_COMPONENTS = ("x", "y", "z", "turn_d1", "turn_d2", "turn_d3")


class Stored(BackendArray):
    """A dataset of the file, or a column of one; NaN in the rows of members that `is_there` tells not to be finished."""

    def __init__(self, path: str, stored: h5py.Dataset, column: int | None = None,
                 is_there: Callable[[np.ndarray], np.ndarray] | None = None):
        self._path, self._name, self._column = path, stored.name, column
        self._is_there = is_there if stored.dtype.kind == "f" else None
        self.dtype = stored.dtype
        self.shape = stored.shape if column is None else stored.shape[:-1]

    def __getitem__(self, key: indexing.ExplicitIndexer):
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER_1VECTOR, self._part)

    def _part(self, key: tuple):
        with h5py.File(self._path, "r", locking=False) as file:
            values = file[self._name][key if self._column is None else (*key, self._column)]
        if self._is_there is None:
            return values
        there = self._is_there(np.arange(self.shape[0])[key[0]])
        return np.where(np.reshape(there, np.shape(there) + (1,) * (np.ndim(values) - np.ndim(there))), values, np.nan)


def dataset_of(ensemble: Ensemble) -> xarray.Dataset:
    """Members along `member`, with parameters as coordinates and observables as variables; frames along `frame`, nodes along
    `node`. Where members differ in their numbers of nodes, fields stand along `row`, and `first_row` and `nodes` say which rows
    are whose."""
    coordinates: dict = {"member": np.arange(len(ensemble))}
    variables: dict = {}
    with h5py.File(ensemble.path, "r", locking=False) as file:

        def is_there(members):
            return ensemble.committed[members]

        def is_whole(members):
            return np.reshape(ensemble.whole(np.ravel(members)), np.shape(members))

        def lazily(name, dimensions, column=None, masked=False, **attributes):
            stored = Stored(ensemble.path, file[name], column,
                            None if not masked else is_whole if name.startswith("trajectories/") else is_there)
            return xarray.Variable(dimensions, indexing.LazilyIndexedArray(stored), attributes)

        for name in ("candidate", *(["scenario"] if ensemble.scenario_keys else []), "repeat", "seed"):
            coordinates[name] = ("member", getattr(ensemble, name))
        variables["status"] = ("member", ensemble.status, _flags(ensemble))
        for name, unit in (("steps", "1"), ("wall_seconds", "s"), ("rank", "1")):
            variables[name] = ("member", getattr(ensemble, name), {"units": unit})
        for place, name in enumerate(ensemble.parameters):
            attributes = {"words": ", ".join(ensemble.words[name])} if name in ensemble.words else {"units": ensemble.unit(name) or "1"}
            coordinates[name] = lazily("members/parameters", "member", place, masked=True, **attributes)
        for place, name in enumerate(ensemble.observables):
            attributes = {"units": ensemble.units[name]}
            if name in ensemble.definitions:
                attributes["definition"] = ensemble.definitions[name]
            variables[name] = lazily("members/observables", "member", place, masked=True, **attributes)
        if ensemble.frames:
            _add_frames(ensemble, file["trajectories"], lazily, coordinates, variables)
    attributes = {name: value for name, value in ensemble.attributes.items() if name != "tables"}
    return xarray.Dataset(variables, coordinates, {**attributes, "deck": str(ensemble.deck)})


def _add_frames(ensemble, group: h5py.Group, lazily, coordinates: dict, variables: dict) -> None:
    coordinates["time"] = lazily("trajectories/time", ("member", "frame"), masked=True, units="s")
    ragged = "offset" in group
    where = ("row",) if ragged else ("member", "frame", "node")
    if ragged:
        coordinates["first_row"] = lazily("trajectories/offset", "member")
        coordinates["nodes"] = lazily("trajectories/nodes", "member")
    for name in [name for name in group if name not in NO_FIELDS]:
        dimension, labels, unit = FIELDS.get(name, (f"{name}_component", (), ""))
        components = group[name].ndim > len(where)
        if dimension is None or not components:
            variables[name] = lazily(f"trajectories/{name}", where, 0 if components else None, masked=not ragged, units=unit)
            continue
        if labels:
            coordinates[dimension] = list(labels)
        variables[name] = lazily(f"trajectories/{name}", (*where, dimension), masked=not ragged, units=unit)
    for name in ensemble.frame_observables:
        variables[f"{name}_history"] = lazily(f"trajectories/observables/{name}", ("member", "frame"), masked=True,
                                              units=ensemble.units[name])
    for name in ("rod_nodes", "rod_numbers"):
        if name in group:
            variables[name] = lazily(f"trajectories/{name}", ("member", "rod"))
    if "at_data" in group:
        variables["at_data"] = lazily("trajectories/at_data", ("member", "point", "axis"), masked=True, units="m")
    if "mode_shapes" in group:
        coordinates["mode_component"] = list(MODE_COMPONENTS)
        of = ("mode_row",) if ragged else ("member", "mode", "node")
        variables["mode_shapes"] = lazily("trajectories/mode_shapes", (*of, "mode_component"), masked=not ragged)


def grid_of(ensemble: Ensemble) -> xarray.Dataset:
    """Observables and statuses along the axes of a sweep's deck, and along `repeat` where there are several. An axis has the name
    of its first key; those that move with it are coordinates along it."""
    axes = [[(key, ensemble.axis_points(key)) for key in together] for together in ensemble.axes]
    if not axes or any(points is None for together in axes for _, points in together):
        raise EnsembleError(f"{ensemble.path} has no grid: its study is no sweep over axes, or draws points from them.")
    shape = [len(together[0][1]) for together in axes]
    dimensions = [together[0][0] for together in axes]
    coordinates: dict = {}
    for dimension, together in zip(dimensions, axes):
        for key, points in together:
            values = [ensemble.parameter_text(key, point) for point in points] if key in ensemble.words else points
            unit = {} if key in ensemble.words else {"units": ensemble.unit(key) or "1"}
            coordinates[key] = (dimension, values, unit)
    repeats = int(ensemble.repeat[ensemble.committed].max(initial=0)) + 1
    if repeats > 1:
        dimensions, shape = [*dimensions, "repeat"], [*shape, repeats]
    there = np.flatnonzero(ensemble.committed)
    places = (*np.unravel_index(ensemble.candidate[there], shape[: len(axes)]), *([ensemble.repeat[there]] if repeats > 1 else []))

    def spread(values, empty):
        grid = np.full(shape, empty)
        grid[places] = values[there]
        return grid

    variables: dict = {"status": (dimensions, spread(ensemble.status, ensemble.status.dtype.type(0)), _flags(ensemble))}
    for name, values in ensemble.observables.items():
        variables[name] = (dimensions, spread(values, np.nan), {"units": ensemble.unit(name)})
    return xarray.Dataset(variables, coordinates, {"deck": str(ensemble.deck), "source": ensemble.path})


def scenarios_of(ensemble: Ensemble) -> xarray.Dataset:
    """Observables and statuses along `candidate` and `scenario`, and along `repeat` where there are several. What a search moves is
    a coordinate along `candidate`, what scenarios set one along `scenario`."""
    if not ensemble.scenario_keys:
        raise EnsembleError(f"{ensemble.path} has no scenarios: its deck has no study.scenarios.")
    there = ensemble.committed
    places = {"candidate": ensemble.candidate, "scenario": ensemble.scenario, "repeat": ensemble.repeat}
    sizes = {name: int(values[there].max(initial=0)) + 1 for name, values in places.items()}
    sizes["scenario"] = int(ensemble.scenario.max()) + 1
    sizes["candidate"] = max(sizes["candidate"], len(ensemble) // (sizes["scenario"] * sizes["repeat"]))
    dimensions = [name for name in sizes if name != "repeat" or sizes[name] > 1]

    def spread(values, empty, along):
        grid = np.full([sizes[name] for name in along], empty)
        grid[tuple(places[name][there] for name in along)] = values[there]
        return grid

    coordinates: dict = {}
    for key, values in ensemble.parameters.items():
        along = ["scenario"] if key in ensemble.scenario_keys else ["candidate"]
        unit = {} if key in ensemble.words else {"units": ensemble.unit(key) or "1"}
        numbers = spread(values, np.nan, along)
        if key in ensemble.words:
            numbers = [ensemble.parameter_text(key, number) for number in numbers]
        coordinates[key] = (along, numbers, unit)
    variables: dict = {"status": (dimensions, spread(ensemble.status, ensemble.status.dtype.type(0), dimensions), _flags(ensemble))}
    for name, values in ensemble.observables.items():
        variables[name] = (dimensions, spread(values, np.nan, dimensions), {"units": ensemble.unit(name)})
    return xarray.Dataset(variables, coordinates, {"deck": str(ensemble.deck), "source": ensemble.path})


def _flags(ensemble: Ensemble) -> dict:
    """What the numbers of statuses mean, as the conventions of climate and forecast files have it."""
    return {"flag_values": np.arange(len(ensemble.status_names), dtype=ensemble.status.dtype),
            "flag_meanings": " ".join(name.replace(" ", "_") for name in ensemble.status_names)}
