"""Onsets of buckling: sweeps of a load about its critical value, and the share of the members that buckled."""

import dataclasses
from collections.abc import Callable

import numpy as np

from .case import Quantity, Run


@dataclasses.dataclass(frozen=True)
class Onset:
    """A sweep of the load for each value of another key of the deck."""

    deck: str
    load: str  # the key that is swept
    ratios: tuple[float, ...]  # of the load to its critical value
    critical: Callable[[float], float]  # load for a value of the other key
    key: str
    values: tuple[float, ...]
    label: str  # of the runs
    names: tuple[str, str, str]  # of the critical load, of the other key and its unit

    def runs(self, quick):
        return {f"{self.label} {value:g}": self._run(value, quick) for value in self.values}

    def _run(self, value, quick):
        loads = ", ".join(f"{ratio * self.critical(value):.12g}" for ratio in self.ratios)
        return Run(self.deck, (f"{self.key}={value:g}", f"sweep.axis={self.load} : list({loads})"), quick)

    def share(self, ensemble, value):
        """Share of the members that buckled at each of the ratios, in a sweep for a value of the other key."""
        found = ensemble.parameters[self.load] / self.critical(value)
        return np.array([ensemble.observables["buckled"][np.abs(found - ratio) < 1e-6].mean() for ratio in self.ratios])

    def shares(self, results):
        """The same for each of the values."""
        return {value: self.share(results[f"{self.label} {value:g}"], value) for value in self.values}

    def quantities(self, results):
        """Nobody buckles 3 % below the critical load, everybody 3 % above."""
        critical, name, unit = self.names
        return [
            Quantity(f"probability at {ratio:.2f} {critical}, {name} = {value:g}{unit}", share[self.ratios.index(ratio)],
                     expected, 0.0)
            for value, share in self.shares(results).items()
            for ratio, expected in ((0.97, 0.0), (1.03, 1.0))
        ]
