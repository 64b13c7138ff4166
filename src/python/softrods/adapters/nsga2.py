"""Several objectives by pymoo: a deck as its problem, for NSGA-II and all of its other algorithms."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from pymoo.core.problem import Problem

from .values import InProcess, Rounds

WORST = 1e30  # objective of members that did not end well


class DeckProblem(Problem):
    """Objectives are observables of the deck with their senses, {"forward_speed": "max", "muscle_work": "min"}, variables keys
    with their bounds, {"muscle.period": (0.5, 2.0)}. A generation is evaluated at once.

        result = pymoo.optimize.minimize(DeckProblem(values, variables, objectives), NSGA2(pop_size=40), ("n_gen", 50), seed=1)
        front = problem.objectives_of(result.F)
    """

    def __init__(self, values: InProcess | Rounds, variables: Mapping[str, tuple[float, float]], objectives: Mapping[str, str]):
        self._values, self._keys = values, list(variables)
        self._signs = {name: {"min": 1.0, "max": -1.0}[sense] for name, sense in objectives.items()}
        lower, upper = np.array(list(variables.values()), dtype=float).T
        super().__init__(n_var=len(self._keys), n_obj=len(self._signs), xl=lower, xu=upper)

    def _evaluate(self, x, out, *args, **kwargs):
        found = self._values({key: x[:, place] for place, key in enumerate(self._keys)})
        columns = np.column_stack([sign * found[name] for name, sign in self._signs.items()])
        out["F"] = np.where(np.isfinite(columns), columns, WORST)

    def objectives_of(self, minimized: np.ndarray) -> dict[str, np.ndarray]:
        """The objectives with their own signs."""
        return {name: sign * minimized[:, place] for place, (name, sign) in enumerate(self._signs.items())}
