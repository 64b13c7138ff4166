"""Bayesian optimisation by the library bayesian-optimization, as a generator of gest-api: `gest.drive` runs it on a deck."""

from __future__ import annotations

from typing import Any

from bayes_opt import BayesianOptimization, acquisition
from gest_api.generator import Generator
from gest_api.vocs import MinimizeObjective


class BayesianGenerator(Generator):
    """A Gaussian process with expected improvement. Of several points asked for at once, each is chosen as if those before it
    had come out as well as the best one (constant liar). With the same seed it suggests the same."""

    def __init__(self, vocs: Any, seed: int = 1, improvement: float = 0.01, first_points: int = 5):
        super().__init__(vocs)
        (self._objective, sense), = vocs.objectives.items()
        self._sign = -1.0 if isinstance(sense, MinimizeObjective) else 1.0
        bounds = {name: tuple(variable.domain) for name, variable in vocs.variables.items()}
        liar = acquisition.ConstantLiar(acquisition.ExpectedImprovement(xi=improvement), strategy="max")
        self._search = BayesianOptimization(f=None, pbounds=bounds, acquisition_function=liar, random_state=seed, verbose=0,
                                            allow_duplicate_points=True)
        self._first = first_points

    def _validate_vocs(self, vocs: Any) -> None:
        if len(vocs.objectives) != 1 or vocs.constraints:
            raise ValueError("BayesianGenerator takes one objective and no constraints")

    def suggest(self, num_points: int | None = None) -> list[dict]:
        points = []
        for _ in range(num_points or 1):
            points.append(self._search.random_sample()[0] if self._first > 0 else self._search.suggest())
            self._first -= 1
        return [{name: float(value) for name, value in point.items()} for point in points]

    def ingest(self, results: list[dict]) -> None:
        for result in results:
            point = {name: result[name] for name in self._search.space.keys}
            self._search.register(point, self._sign * result[self._objective])
