"""What a validation case is: decks to run, quantities with their references, a picture."""

import dataclasses
import math
from collections.abc import Callable, Mapping

import numpy as np

INK = "#1f2a44"
ACCENT = "#c8553d"
BLUE = "#3b6ea5"


@dataclasses.dataclass(frozen=True)
class Run:
    """One call of rodeo: a deck of inputs/validation, or by its path from there, and what is changed in it."""

    deck: str
    overrides: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()  # further overrides of a --quick run
    may_end_badly: bool = False  # the case judges by itself how members ended


@dataclasses.dataclass(frozen=True)
class Quantity:
    """A measured number and what it should be."""

    name: str
    ours: float
    reference: float
    tolerance: float  # largest distance, in the unit, or as a part of the reference if `relative`
    unit: str = "1"
    relative: bool = False
    limits: str = ""  # the tolerance in words, where it is not a distance

    @property
    def passed(self):
        allowed = self.tolerance * (abs(self.reference) if self.relative else 1.0)
        return math.isfinite(self.ours) and abs(self.ours - self.reference) <= allowed

    @property
    def tolerance_text(self):
        return self.limits or (f"+- {100 * self.tolerance:g} %" if self.relative else f"+- {self.tolerance:g}")


def interval(name, ours, low, high, unit="1"):
    """A number that must lie between two others."""
    return Quantity(name, ours, (low + high) / 2, (high - low) / 2, unit, limits=f"{low:g} to {high:g}")


def at_most(name, ours, limit, unit="1"):
    """A size that must not exceed a limit."""
    return Quantity(name, abs(ours), 0.0, limit, unit, limits=f"<= {limit:g}")


@dataclasses.dataclass(frozen=True)
class Case:
    """`quantities` and `draw` get the ensembles of all runs by the names of `runs`."""

    name: str
    title: str
    source: str  # where the reference stands
    runs: Mapping[str, Run]
    quantities: Callable[[Mapping], list[Quantity]]
    draw: Callable[[Mapping], object]  # returns a matplotlib figure
    note: str = ""  # what a reader of the report should know
    quick_note: str = ""  # in what a --quick run is shorter, coarser or less strict
    long: bool = False  # for --full only: nothing shorter would tell anything
    side_by_side: bool = False  # its runs have few members: they run on a core each, as many at once as there are
    noted: bool = True  # a full run notes its numbers in inputs/validation/results
    renew: Callable[[Mapping], None] | None = None  # stores what the runs gave, where later ones are compared with it


def largest_error(name, ours, reference, tolerance, scale=None):
    """The largest distance of a list of numbers from its reference, in parts of the reference or of `scale`."""
    errors = [abs(a - b) / abs(scale or b) for a, b in zip(ours, reference, strict=True)]
    worst = max(errors) if errors and all(math.isfinite(error) for error in errors) else math.nan
    return Quantity(name, worst, 0.0, tolerance, limits=f"<= {100 * tolerance:g} %")


NORMS = ("L1", "L2", "Linf")  # of the errors of a convergence study


def ladder_orders(ladder, tolerance, expected=2.0):
    """Observed orders of a convergence study, level by level and norm by norm."""
    resolution = [f"n = {n}" for n in ladder["n"]]
    return [
        Quantity(f"order in {norm}, {resolution[k - 1]} to {ladder['n'][k]}", ladder["observed_order"][k, i], expected,
                 tolerance)
        for k in range(1, len(ladder["n"]))
        for i, norm in enumerate(NORMS)
        if k + 1 < len(ladder["n"]) or ladder["reference"] != "finest"
    ]


def orders(elements, errors):
    """At which power of the number of elements errors fall, from each number to the next."""
    return np.log(errors[:-1] / errors[1:]) / np.log(elements[1:] / elements[:-1])


def runge_kutta(rate, s, y, h):
    """y after one step of length h of dy/ds = rate(s, y)."""
    a = rate(s, y)
    b = rate(s + h / 2, y + h / 2 * a)
    c = rate(s + h / 2, y + h / 2 * b)
    d = rate(s + h, y + h * c)
    return y + h / 6 * (a + 2 * b + 2 * c + d)
