"""softrods: rodeo in Python. Files of campaigns, decks, runs, pictures, and members in this process.

    file = softrods.open("campaign.h5")        members, trajectories, tables, deck and provenance of a campaign
    deck = softrods.Deck.read("cord.ini")      a deck to read, change and check
    file = softrods.run(deck)                  the program in processes of its own, with MPI
    softrods.evaluate(deck, points)            members in this process, without MPI and files
    softrods.Simulation(deck)                  members that are advanced step by step, watched and driven
    softrods.plot(file), softrods.show(file)   figures, and rods in three dimensions
    softrods.from_pyelastica(simulator, ...)   a simulator of PyElastica as a deck

Only numpy and h5py are needed to read; the rest is imported when it is used.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

from .errors import RodeoError

if TYPE_CHECKING:
    from .adapters.pyelastica import from_pyelastica
    from .deck import Deck, DeckError
    from .deck_keys import Key, keys
    from .ensemble import Ensemble, EnsembleError
    from .in_process import Evaluation, NoNativeModule, evaluate
    from .pictures import plot, show
    from .program import RunError, check, resume, run
    from .simulation import LiveNumber, Simulation

# Where names come from that are imported when they are used.
_PLACES = {"Ensemble": "ensemble", "EnsembleError": "ensemble", "Deck": "deck", "DeckError": "deck", "Evaluation": "in_process", "NoNativeModule": "in_process", "evaluate": "in_process", "Key": "deck_keys", "keys": "deck_keys", "from_pyelastica": "adapters.pyelastica",
           "plot": "pictures", "show": "pictures", "RunError": "program", "check": "program", "resume": "program", "run": "program", "LiveNumber": "simulation",
           "Simulation": "simulation"}
__all__ = ["RodeoError", "open", *_PLACES]
__version__ = "0.2.0"


def open(path: str | os.PathLike) -> Ensemble:  # hides the builtin in this module only
    """The file of a campaign, finished or not, packed or not."""
    from .ensemble import Ensemble

    return Ensemble(path)


def __getattr__(name: str):
    if name not in _PLACES:
        raise AttributeError(f"module 'softrods' has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_PLACES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
