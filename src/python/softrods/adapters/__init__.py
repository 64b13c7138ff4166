"""Other people's optimisers, samplers and clients on rodeo's members: one file for each, which imports its library when it is
imported itself.

All take `values`, a function of points that is either `InProcess`, members in this process, or `Rounds`, campaigns whose
files are a journal: what was evaluated before a kill is read, not run again.
"""

from .values import InProcess, Rounds

__all__ = ["InProcess", "Rounds"]
