"""Observables at points, for whoever asks and tells: by members in this process, or by campaigns that survive a kill."""

from __future__ import annotations

import csv
import os
import pathlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..deck import Deck, content_digest
from ..ensemble import Ensemble
from ..errors import RodeoError

Points = Mapping[str, Sequence[float]]


class InProcess:
    """Observables by members in this process, without files: `values({"rod.length": [0.1, 0.2]})["end_z"]` are two numbers, NaN
    for members that did not end well."""

    def __init__(self, deck: Deck | str | os.PathLike, observables: Sequence[str], *, repeats: int = 1):
        self._deck, self._observables, self._repeats = deck, list(observables), repeats

    def __call__(self, points: Points) -> dict[str, np.ndarray]:
        from ..in_process import evaluate

        found = evaluate(self._deck, points, self._observables, repeats=self._repeats)
        return {name: _mean(np.where(found.usable, column, np.nan), self._repeats) for name, column in found.observables.items()}


class Rounds:
    """The same by a campaign for each call, round_0001.h5 and on in `folder`: a sweep over the points, by the program on
    `ranks` ranks.

    The files are the journal. After a kill, whoever asks asks again from the beginning: rounds whose files are there are read,
    the one that was on its way is resumed, with checkpoints of its members as any campaign, and then new ones are run. No
    other state is kept, so that nothing can be lost. Points that differ from those of a file are an error, unless
    `stored` rounds are taken first; so are files of another deck, and files that cannot be read: none is ever removed.
    Beside each file stand its points, round_0001.csv, and which deck it is known to be of, round_0001.deck.
    """

    def __init__(self, deck: Deck | str | os.PathLike, folder: str | os.PathLike, observables: Sequence[str], **options: Any):
        self._deck = deck.copy() if isinstance(deck, Deck) else Deck.read(deck)
        self._folder, self._observables = pathlib.Path(folder), list(observables)
        self._options = {"progress": False} | options  # of run and resume
        self._round = 0
        self._folder.mkdir(parents=True, exist_ok=True)

    def _path(self, number: int) -> pathlib.Path:
        return self._folder / f"round_{number:04}.h5"

    def stored(self) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]] | None:
        """Points and observables of the next round, if it was begun before; it counts as asked for."""
        path = self._path(self._round + 1)
        if not path.exists():
            return None
        points = _points_of(Ensemble(path))
        self._round += 1
        return points, self._observables_of(self._finished(path, points))

    def __call__(self, points: Points) -> dict[str, np.ndarray]:
        self._round += 1
        path = self._path(self._round)
        if path.exists():
            stored = _points_of(Ensemble(path))
            if list(stored) != list(points) or any(stored[key].tolist() != np.asarray(points[key], float).tolist() for key in points):
                raise RodeoError(f"{path} holds other points than those of round {self._round}: give another folder, or ask with "
                                 "the same seed.")
        return self._observables_of(self._finished(path, points))

    def _finished(self, path: pathlib.Path, points: Points) -> Ensemble:
        """The file of a round, which is brought to its end if it was begun before. The program itself says whether a file is
        of this deck, but where that is known from the last time."""
        from ..program import campaign

        table = path.with_suffix(".csv")
        known = path.with_suffix(".deck")
        if path.exists():
            file = Ensemble(path)
            if file.committed.all() and known.exists() and known.read_text(encoding="utf-8") == self._mark(file):
                return file
        with table.open("w", newline="", encoding="utf-8") as rows_of:
            writer = csv.writer(rows_of, lineterminator="\n")
            writer.writerow(points)
            writer.writerows([repr(float(value)) for value in row] for row in zip(*points.values(), strict=True))
        deck = self._deck.copy()
        deck.study.kind = "sweep"
        deck.sweep.points = str(table.resolve())
        file = campaign(deck, path, "--resume", **self._options)
        known.write_text(self._mark(file), encoding="utf-8")
        return file

    def _mark(self, file: Ensemble) -> str:
        """What tells this deck, with all that it reads, and the one that stands in the file."""
        return f"{content_digest(self._deck)} {zlib.crc32(file.deck.encode()):08x}\n"

    def _observables_of(self, file: Ensemble) -> dict[str, np.ndarray]:
        repeats = int(file.repeat.max()) + 1
        return {name: _mean(np.where(file.usable, file.observables[name], np.nan), repeats) for name in self._observables}


def _mean(values: np.ndarray, repeats: int) -> np.ndarray:
    return values.reshape(-1, repeats).mean(axis=1) if repeats > 1 else values


def _points_of(file: Ensemble) -> dict[str, np.ndarray]:
    first = file.repeat == 0
    return {key: column[first] for key, column in file.parameters.items()}


def rows(table: Mapping[str, np.ndarray]) -> Iterator[dict[str, float]]:
    """A dictionary for each row of a table of columns."""
    for row in zip(*table.values()):
        yield {key: float(value) for key, value in zip(table, row)}
