"""rodeo in Python: campaigns' files, decks, runs and pictures."""

from .ensemble import Ensemble, EnsembleError
from .errors import RodeoError

__all__ = ["Ensemble", "EnsembleError", "RodeoError", "open"]


def open(path) -> Ensemble:  # the name that users of files look for; hides the builtin in this module only
    """The file of a campaign, finished or not, packed or not."""
    return Ensemble(path)
