"""A deck as a model of UM-Bridge, which uncertainty and optimisation codes of any language ask over HTTP.

    python3 -m rodeo.adapters.umbridge_model cord.ini --key rod.young_modulus --key rod.length --observable end_z [--port 4242]
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

import umbridge

from ..deck import Deck
from ..in_process import evaluate


class DeckModel(umbridge.Model):
    """Inputs are one vector, the values of the keys; outputs one vector, the observables. What the client gives as `config`
    are keys of the deck that are changed. Members run in this process; one that did not end well is an error with its status.
    It has values, and no derivatives."""

    def __init__(self, deck: Deck | str | os.PathLike, keys: Sequence[str], observables: Sequence[str], name: str = "forward"):
        super().__init__(name)
        self._deck, self._keys, self._observables = deck, list(keys), list(observables)

    def get_input_sizes(self, config={}):
        return [len(self._keys)]

    def get_output_sizes(self, config={}):
        return [len(self._observables)]

    def supports_evaluate(self):
        return True

    def __call__(self, parameters, config={}):
        points = {key: [float(value)] for key, value in zip(self._keys, parameters[0], strict=True)}
        found = evaluate(self._deck, points, self._observables, overrides=config)
        if not found.usable[0]:
            raise RuntimeError(found.problems[0] or f"the member ended as {found.status_texts[0]}")
        return [[float(found.observables[name][0]) for name in self._observables]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deck")
    parser.add_argument("--key", action="append", required=True, help="an input, in this order (repeatable)")
    parser.add_argument("--observable", action="append", required=True, help="an output, in this order (repeatable)")
    parser.add_argument("--port", type=int, default=4242)
    arguments = parser.parse_args()
    umbridge.serve_models([DeckModel(arguments.deck, arguments.key, arguments.observable)], arguments.port)


if __name__ == "__main__":
    main()
