"""Members that are advanced step by step, watched and driven."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .deck import Deck, DeckError
from .ensemble import STATUS_NAMES
from .errors import RodeoError, whole_number
from .in_process import MOST_REPEATS, MOST_SEED, _columns, _native, _problem, _units


@dataclasses.dataclass(frozen=True)
class LiveNumber:
    """An input or a signal of a deck's control, entry by entry of arrays."""

    name: str
    unit: str  #: as the deck gives it; empty if it gives none
    start: float  #: of an input
    low: float  #: of an input, the ends of its range
    high: float


class Simulation:
    """Members of a deck, side by side, that go as far as one wants, are watched through the signals of the deck's [control]
    and driven through its inputs.

    `points` and `overrides` are as in evaluate(); `members` are so many of each point, which differ in their seeds. The arrays
    `inputs` [members, inputs], `signals` [members, signals], `status` [members] and `time` [members, s] are views of the
    simulation's own memory: they stay, and show what is there now. Inputs that are set are taken at the next sample, which is
    the present one if the members stand at one. A member that is advanced by whole intervals of the control has the bits that
    `rodeo run` gives it with the same inputs. Raises DeckError with the program's sentence.
    """

    def __init__(self, deck: Deck | str | os.PathLike, points: Mapping[str, Any] | None = None, *, members: int = 1,
                 overrides: Mapping[str, Any] | None = None, first_candidate: int = 0):
        problem = _problem(deck, overrides)
        keys, rows = _columns(points)
        self._own = self._guarded(_native().Simulation, problem, keys, rows, whole_number(members, "members", 1, MOST_REPEATS),
                                  whole_number(first_candidate, "first_candidate", 0, MOST_SEED))
        self._origin, self._keys = (deck, overrides), keys
        self._rows = np.repeat(rows, members, axis=0)  # of each member
        self._observables = list(_units(problem))
        self._take_views()

    def _take_views(self) -> None:
        self.inputs: np.ndarray = self._own.inputs()
        self.signals: np.ndarray = self._own.signals()
        self.status: np.ndarray = self._own.status()
        self.time: np.ndarray = self._own.time()
        self.interval: float = self._own.interval()  #: s, between two samples of the control of the first member; 0 without one
        for view in (self.signals, self.status, self.time):
            view.flags.writeable = False
        self.input_numbers = [LiveNumber(*text) for text in self._own.input_texts()]
        self.signal_numbers = [LiveNumber(*text) for text in self._own.signal_texts()]
        self._callbacks: list[Callable[[Simulation], Any]] = []

    @staticmethod
    def _guarded(call, *arguments):
        try:
            return call(*arguments)
        except _native().NativeError as error:
            raise DeckError(str(error)) from None

    def __len__(self) -> int:
        return self._own.members()

    @property
    def running(self) -> np.ndarray:
        """Whether members have not ended."""
        return self.status == 0

    @property
    def status_texts(self) -> list[str]:
        """How members ended; "pending" of those that run."""
        return [STATUS_NAMES[status] for status in self.status]

    def problem(self, member: int = 0) -> str:
        """Why a member has failed while it was advanced: an input was no number; else empty."""
        return self._guarded(self._own.problem, self._place(member))

    def _place(self, member) -> int:
        if not hasattr(member, "__index__") or not 0 <= member < len(self):
            raise DeckError(f"there is no member {member!r}: they are 0 to {len(self) - 1}")
        return member

    def _mask(self, mask) -> np.ndarray | None:
        if mask is None:
            return None
        mask = np.asarray(mask)
        if mask.dtype == bool:
            return np.ascontiguousarray(mask)
        chosen = np.zeros(len(self), dtype=bool)
        chosen[mask] = True
        return chosen

    def advance(self, seconds: float | None = None, mask=None) -> None:
        """Advances members by so many seconds, a whole number of their time steps; by an interval of the control if not given.

        `mask` says which ones: booleans, or their numbers. Those that have ended stay. Python's lock is released meanwhile.
        With functions of on_sample() they are called before each interval, and `seconds` is a whole number of these.
        """
        mask = self._mask(mask)
        interval = self.interval
        if interval == 0 and (seconds is None or self._callbacks):
            raise RodeoError("The deck has no [control], and so no samples: say how many seconds to advance by.")
        if not self._callbacks:
            self._guarded(self._own.advance, interval if seconds is None else float(seconds), mask)
            return
        intervals = 1 if seconds is None else np.round(seconds / interval)
        if seconds is not None and not (intervals >= 0 and np.isclose(intervals * interval, seconds, rtol=1e-6)):
            raise RodeoError(f"{seconds:g} s are no whole number of intervals of {interval:g} s, at which functions are called.")
        while intervals > 0 and self.running[slice(None) if mask is None else mask].any():
            for function in self._callbacks:
                function(self)
            self._guarded(self._own.advance, interval, mask)
            intervals -= 1

    def on_sample(self, function: Callable[[Simulation], Any]) -> Callable[[Simulation], Any]:
        """Has a function called before each interval that advance() takes: it reads `signals` and sets `inputs`.

        For trying out controllers: each call costs what Python does, and intervals are taken one by one.
        """
        self._callbacks.append(function)
        return function

    def save(self, member: int = 0) -> bytes:
        """The state of a member that runs."""
        return self._guarded(self._own.save, self._place(member))

    def restore(self, member: int, state: bytes) -> None:
        """Has a member go on from a state of the same deck, point and seed, which the same build of the package saved."""
        self._guarded(self._own.restore, self._place(member), state)

    def clone(self, member: int = 0, copies: int = 1) -> Simulation:
        """So many members that go on as this one does, noise included."""
        clone = object.__new__(Simulation)
        clone._own = self._guarded(self._own.clone, self._place(member), whole_number(copies, "copies", 1, 2**63 - 1))
        clone._origin, clone._keys = self._origin, self._keys
        clone._rows = np.repeat(self._rows[[member]], copies, axis=0)
        clone._observables = self._observables
        clone._take_views()
        return clone

    def reset(self, mask=None, points: Mapping[str, Any] | None = None, seeds=None, inputs=None) -> None:
        """Takes members back to where they began, or to t = 0 at other points of the same keys, with other seeds, with other
        inputs [members that are reset, inputs] than the deck's.

        Inputs, and other values of variables that nothing but signals, states, outputs and measures name, cost no more than none;
        those of other keys, and seeds, have rods built anew, which takes a hundred times as long.
        """
        mask = self._mask(mask)
        rows = np.empty((0, len(self._keys)))
        if points is not None:
            keys, rows = _columns(points)
            if keys != self._keys:
                raise RodeoError(f"The simulation's points are of {', '.join(self._keys) or 'no keys'}, in this order, not of "
                                 f"{', '.join(keys)}.")
        seeds = [whole_number(seed, "A seed", 0, MOST_SEED) for seed in seeds] if seeds is not None else []
        inputs = np.empty((0, 0)) if inputs is None else np.ascontiguousarray(inputs, dtype=np.float64)
        self._guarded(self._own.reset, mask, np.ascontiguousarray(rows), np.array(seeds, dtype=np.uint64), inputs)
        if points is not None:
            self._rows[slice(None) if mask is None else mask] = rows

    def __getstate__(self) -> dict[str, Any]:
        """What another process makes the same members of, which all run. It needs the files of the deck, and the same build."""
        members = range(len(self))
        return {"origin": self._origin, "keys": self._keys, "rows": self._rows, "seeds": [self._own.seed(k) for k in members],
                "states": [self.save(k) for k in members], "inputs": self.inputs.copy(), "callbacks": self._callbacks}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._origin, self._keys, self._rows = state["origin"], state["keys"], state["rows"]
        problem, count = _problem(*self._origin), len(state["states"])
        rows, members = (self._rows, 1) if self._keys else (np.empty((1, 0)), count)
        self._own = self._guarded(_native().Simulation, problem, self._keys, rows, members, 0)
        self._observables = list(_units(problem))
        self._take_views()
        self.reset(seeds=state["seeds"])
        for member, saved in enumerate(state["states"]):
            self.restore(member, saved)
        self.inputs[:] = state["inputs"]
        self._callbacks = state["callbacks"]

    def field(self, name: str, member: int = 0) -> np.ndarray:
        """A field of all nodes as they stand, [nodes, components]: position (m), velocity, orientation and what else
        output.fields takes."""
        values = self._guarded(self._own.field, self._place(member), name)
        return values.reshape(len(self.position(member)), -1)

    def position(self, member: int = 0) -> np.ndarray:
        """Where the nodes of a member are, m, [nodes, 3]."""
        return self._guarded(self._own.field, self._place(member), "position").reshape(-1, 3)

    def rods(self, member: int = 0) -> list[np.ndarray]:
        """Where the nodes of each rod of a member are, m, [nodes, 3]."""
        nodes = self._guarded(self._own.rod_nodes, self._place(member))
        return np.split(self.position(member), np.cumsum(nodes)[:-1])

    def observables(self, member: int = 0) -> dict[str, float]:
        """What a member that has ended reports; NaN of one that runs."""
        return dict(zip(self._observables, self._guarded(self._own.observables, self._place(member))))
