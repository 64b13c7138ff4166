"""Generators of gest-api (those of Xopt, Optimas and libEnsemble) that drive a campaign: they suggest, rodeo evaluates, they
ingest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .values import InProcess, Rounds, rows


def drive(generator: Any, values: InProcess | Rounds, rounds: int, points_a_round: int | None = None,
          names: Mapping[str, str] | None = None, failed: float | None = None) -> list[dict[str, float]]:
    """Evaluates `rounds` times what the generator suggests, and returns all points with their observables.

    Variables and objectives of the generator's VOCS are keys and observables of the deck, or stand in `names` for them, as {"x":
    "rod.length", "f": "end_z"}. Of members that did not end well the generator learns nothing, or with `failed` that
    number.

    With `Rounds` a course that was killed is gone through again: the generator gets the results of the files that are there. One
    that suggests the same again, as those with a seed do, goes on as if nothing had happened, with its own identifiers; to
    another the rounds are told as points from elsewhere.
    """
    names = dict(names or {})
    own = {there: here for here, there in names.items()}
    every = []
    for _ in range(rounds):
        suggested = generator.suggest(points_a_round)
        asked = [{names.get(key, key): np.asarray(value, float).item() for key, value in point.items() if key != "_id"}
                 for point in suggested]
        points = {key: np.array([point[key] for point in asked]) for key in asked[0]}
        before = values.stored() if isinstance(values, Rounds) else None
        found = before[1] if before else values(points)
        same = before is None or list(rows(before[0])) == list(rows(points))
        results = []
        for k, (point, told) in enumerate(zip(rows(points if same else before[0]), rows(found))):
            if failed is not None:
                told = {name: value if np.isfinite(value) else failed for name, value in told.items()}
            result = {own.get(key, key): value for key, value in (point | told).items()}
            every.append(result)
            if all(np.isfinite(value) for value in told.values()):
                results.append(result | ({"_id": suggested[k]["_id"]} if same and "_id" in suggested[k] else {}))
        generator.ingest(results)
    return every
