"""A deck as a model of UM-Bridge, which uncertainty and optimisation codes of any language ask over HTTP.

    python3 -m softrods.adapters.umbridge_model cord.ini --key rod.young_modulus --key rod.length --observable end_z [--port 4242]

Clients of this machine alone reach it, unless --address says otherwise, and change no keys but those of --config.
"""

from __future__ import annotations

import argparse
import functools
import os
from collections.abc import Sequence
from unittest import mock

import umbridge
from aiohttp import web

from ..deck import Deck
from ..in_process import evaluate


class DeckModel(umbridge.Model):
    """Inputs are one vector, the values of the keys; outputs one vector, the observables. What the client gives as `config`
    are keys of the deck that are changed, of those in `changeable`: others may name files of this machine, or ask for any
    amount of work. Members run in this process; one that did not end well is an error with its status. It has values, and no
    derivatives."""

    def __init__(self, deck: Deck | str | os.PathLike, keys: Sequence[str], observables: Sequence[str], name: str = "forward",
                 changeable: Sequence[str] = ()):
        super().__init__(name)
        self._deck, self._keys, self._observables, self._changeable = deck, list(keys), list(observables), set(changeable)

    def get_input_sizes(self, config={}):
        return [len(self._keys)]

    def get_output_sizes(self, config={}):
        return [len(self._observables)]

    def supports_evaluate(self):
        return True

    def __call__(self, parameters, config={}):
        refused = sorted(set(config) - self._changeable)
        if refused:
            raise ValueError(f"clients may not change {', '.join(refused)}; the server was started with --config for "
                             f"{', '.join(sorted(self._changeable)) or 'no key'}")
        points = {key: [float(value)] for key, value in zip(self._keys, parameters[0], strict=True)}
        found = evaluate(self._deck, points, self._observables, overrides=config)
        if not found.usable[0]:
            raise RuntimeError(found.problems[0] or f"the member ended as {found.status_texts[0]}")
        return [[float(found.observables[name][0]) for name in self._observables]]


def serve(models: Sequence[umbridge.Model], port: int, address: str = "127.0.0.1") -> None:
    """As umbridge.serve_models, which listens on all of a machine's addresses, on one of them."""
    with mock.patch.object(web, "run_app", functools.partial(web.run_app, host=address)):
        umbridge.serve_models(models, port)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deck")
    parser.add_argument("--key", action="append", required=True, help="an input, in this order (repeatable)")
    parser.add_argument("--observable", action="append", required=True, help="an output, in this order (repeatable)")
    parser.add_argument("--config", action="append", default=[], help="a key that clients may change (repeatable)")
    parser.add_argument("--port", type=int, default=4242)
    parser.add_argument("--address", default="127.0.0.1", help="where it listens; 0.0.0.0 is everywhere (default: this machine)")
    arguments = parser.parse_args()
    model = DeckModel(arguments.deck, arguments.key, arguments.observable, changeable=arguments.config)
    serve([model], arguments.port, arguments.address)


if __name__ == "__main__":
    main()
