"""Sobol indices by SALib: which keys of a deck make its observables vary."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from SALib.analyze import sobol as analysis
from SALib.sample import sobol as sample

from ..errors import RodeoError
from .values import InProcess, Rounds


def sobol_indices(values: InProcess | Rounds, bounds: Mapping[str, tuple[float, float]], base_points: int,
                  seed: int = 1) -> dict[str, dict[str, np.ndarray]]:
    """First and total indices with their bands of 95 %: for each observable S1, S1_conf, ST, ST_conf in the order of `bounds`.

    Evaluates base_points x (keys + 2) members of keys that are uniform within their bounds (Saltelli's scheme);
    base_points is a power of two.
    """
    problem = {"num_vars": len(bounds), "names": list(bounds), "bounds": [list(limits) for limits in bounds.values()]}
    points = sample.sample(problem, base_points, calc_second_order=False, seed=seed)
    found = values({key: points[:, place] for place, key in enumerate(bounds)})
    indices = {}
    for name, column in found.items():
        if not np.isfinite(column).all():
            raise RodeoError(f"{np.count_nonzero(~np.isfinite(column))} of {len(column)} members have no {name}, which the "
                             "estimators need of all.")
        result = analysis.analyze(problem, column, calc_second_order=False, seed=seed)
        indices[name] = {key: np.asarray(result[key]) for key in ("S1", "S1_conf", "ST", "ST_conf")}
    return indices
