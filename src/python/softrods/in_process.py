"""Members in this process, without MPI and files."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .deck import Deck, DeckError, content_digest, overrides_text
from .deck_keys import all_keys
from .ensemble import STATUS_NAMES, USABLE
from .errors import RodeoError, whole_number

if TYPE_CHECKING:
    import pandas


MOST_REPEATS = 2**32 - 1
MOST_SEED = 2**64 - 1


class NoNativeModule(RodeoError, ImportError):
    """The package was built without its native module."""


@functools.cache
def _native():
    try:
        from . import _native as module
    except ImportError as error:
        raise NoNativeModule("softrods.evaluate needs the native module of the package, which is not there: pip install "
                             "./src/python builds it where a compiler and the program's dependencies are "
                             f"({error}).") from None
    return module


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """What points have come to, [members] in the order points x repeats."""

    points: dict[str, np.ndarray]  #: the values of each key
    observables: dict[str, np.ndarray]  #: NaN where one does not apply
    units: dict[str, str]
    status: np.ndarray  #: as in STATUS_NAMES
    steps: np.ndarray
    wall_seconds: np.ndarray
    seeds: np.ndarray
    problems: list[str]  #: why a member could not start; else empty
    frames: list[dict[str, np.ndarray]]  #: time [frames] and fields [frames, nodes, components], if they were asked for

    def __len__(self) -> int:
        return len(self.status)

    @property
    def usable(self) -> np.ndarray:
        """Whether the observables of a member mean what they say."""
        return np.isin(self.status, USABLE)

    @property
    def status_texts(self) -> list[str]:
        return [STATUS_NAMES[status] for status in self.status]

    @property
    def members(self) -> pandas.DataFrame:
        """A row a member, as Ensemble.members has it."""
        import pandas

        status = pandas.Categorical.from_codes(self.status, STATUS_NAMES)
        return pandas.DataFrame({"status": status, "steps": self.steps, "wall_seconds": self.wall_seconds, **self.points,
                                 **self.observables}).rename_axis("member")


def _read_shape(path: str, dataset: str) -> np.ndarray:
    import h5py

    try:
        with h5py.File(path, "r", locking=False) as file:
            return np.asarray(file[dataset], dtype=float).ravel()
    except (OSError, KeyError) as error:
        raise DeckError(f"{path}: cannot read {dataset} ({error})") from None


@functools.lru_cache(maxsize=32)
def _problem_of_text(text: str, name: str, contents: str, overrides: tuple[str, ...]):
    return _native().Problem.parse(text, name, list(overrides), _read_shape)


@functools.lru_cache(maxsize=32)
def _problem_of_file(path: str, contents: str, overrides: tuple[str, ...]):
    return _native().Problem.read(path, list(overrides), _read_shape)


@functools.lru_cache(maxsize=32)
def _units(problem) -> dict[str, str]:
    return dict(problem.observables())


def _problem(deck: Deck | str | os.PathLike, overrides: Mapping[str, Any] | None):
    """The deck as it was read and checked, once for as long as it stays the same."""
    changes = tuple(overrides_text(overrides))
    try:
        contents = content_digest(deck if isinstance(deck, Deck) else Deck.read(deck), changes)
    except (OSError, ValueError, RodeoError):
        contents = os.urandom(16).hex()  # it is read again, and the program says what is wrong with it
    try:
        if isinstance(deck, Deck):
            return _problem_of_text(str(deck), str(deck.path or "deck"), contents, changes)
        return _problem_of_file(str(deck), contents, changes)
    except _native().NativeError as error:
        raise DeckError(str(error)) from None


def _columns(points) -> tuple[list[str], np.ndarray]:
    """The keys, and the values of all keys for each point [points, keys]."""
    if points is None:
        return [], np.empty((1, 0))
    columns = {str(key): np.atleast_1d(np.asarray(values)) for key, values in points.items()}
    if len({len(values) for values in columns.values()}) > 1:
        raise RodeoError("The keys of points differ in how many values they have: "
                         + ", ".join(f"{key} {len(values)}" for key, values in columns.items()) + ".")
    rows = np.empty((len(next(iter(columns.values()), [])), len(columns)))
    for place, (key, values) in enumerate(columns.items()):
        if values.dtype.kind in "UO":
            known = all_keys().get(key)
            choices = known.choices if known else ()
            if not set(values) <= set(choices):
                raise RodeoError(f"{key} takes numbers." if not choices else f"{key} is one of {', '.join(choices)}.")
            values = [choices.index(word) for word in values]
        rows[:, place] = values
    return list(columns), rows


def evaluate(deck: Deck | str | os.PathLike, points: Mapping[str, Any] | pandas.DataFrame | None = None,
             observables: Sequence[str] | str | None = None, *, overrides: Mapping[str, Any] | None = None, repeats: int = 1,
             first_candidate: int = 0, frames: bool = False) -> Evaluation:
    """Runs the deck's member at points, on all threads (OMP_NUM_THREADS) and without Python's lock.

    `points` maps keys ("rod.length", "rod.direction[0]") to as many values each, in SI units, or words; without it the deck
    itself is run. `observables` names those to return; all, if not given. Members have the bits that `rodeo run` gives
    for the candidates `first_candidate` and on, from which the seeds of `repeats` members of a point follow. A point that
    cannot start fails alone; `problems` says why. Raises DeckError with the program's sentence, NoNativeModule where the
    package was built without its native module. Ctrl-C ends it.
    """
    problem = _problem(deck, overrides)
    keys, rows = _columns(points)
    units = _units(problem)
    names = list(units) if observables is None else [observables] if isinstance(observables, str) else list(observables)
    if len(rows) == 0:
        raise RodeoError("There are no points to evaluate.")
    repeats = whole_number(repeats, "repeats", 0, MOST_REPEATS)
    first_candidate = whole_number(first_candidate, "first_candidate", 0, MOST_SEED)
    try:
        found = problem.evaluate(keys, rows, names, repeats, first_candidate, frames)
    except _native().NativeError as error:
        raise DeckError(str(error)) from None
    values = found.pop("observables")
    return Evaluation({key: np.repeat(rows[:, place], repeats) for place, key in enumerate(keys)},
                      {name: values[:, place] for place, name in enumerate(names)},
                      {name: units.get(name, "") for name in names}, frames=found.pop("frames", []), **found)
