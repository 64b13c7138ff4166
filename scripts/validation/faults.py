"""Problems to which rodeo once gave a wrong answer that looked right: what each of them must come to.

Each deck of inputs/validation/faults says what it shows. A member either gives the right number or ends badly, with a
status that says why.
"""

import dataclasses
import math

import matplotlib.pyplot as plt
import numpy as np
from rodeo.ensemble import FAILURES, STATUS_NAMES

from .case import BLUE, INK, Case, Quantity, Run


@dataclasses.dataclass(frozen=True)
class Fault:
    """What an observable of a deck must be, or the statuses that its member may end with, or either."""

    deck: str
    observable: str = ""
    right: float = math.nan
    tolerance: float = 0.0  # in the unit of the observable
    overrides: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()  # with which all is well, whatever the observables are

    @property
    def label(self):
        return " ".join((self.deck, *(f"--{override}" for override in self.overrides)))

    def quantity(self, ensemble):
        """The last member's number, or 1 for an end that is right and 0 for one that is not."""
        end = STATUS_NAMES[ensemble.status[-1]]
        if end in self.statuses or not self.observable or ensemble.status[-1] in FAILURES:
            wanted = " or ".join(self.statuses) or "a good end"
            return Quantity(f"{self.label}: {end}", float(end in self.statuses), 1.0, 0.0, limits=wanted)
        value = float(ensemble.observables[self.observable][-1])
        return Quantity(f"{self.label}: {self.observable}", value, self.right, self.tolerance)


FAULTS: tuple[Fault, ...] = (
)


def quantities(results):
    return [fault.quantity(results[fault.label]) for fault in FAULTS]


def draw(results):
    """How much of its tolerance each deck needs."""
    shares = [abs(q.ours - q.reference) / (q.tolerance or 1.0) for q in quantities(results)]
    figure, panel = plt.subplots(figsize=(8, 1.2 + 0.25 * len(shares)), layout="constrained")
    panel.barh(np.arange(len(shares)), shares, color=BLUE)
    panel.axvline(1.0, color=INK)
    panel.set_yticks(np.arange(len(shares)), [fault.label for fault in FAULTS], fontsize=7)
    panel.set_xlabel("distance from the right value, in parts of the tolerance")
    return figure


CASE = Case(
    name="faults",
    title="Wrong answers that looked right",
    source="Closed forms, which the head of each deck gives",
    runs={fault.label: Run(f"faults/{fault.deck}", fault.overrides, may_end_badly=True) for fault in FAULTS},
    quantities=quantities,
    draw=draw,
)
