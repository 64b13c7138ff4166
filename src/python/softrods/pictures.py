"""Pictures of campaigns as functions: what scripts/plot draws, and rods in three dimensions."""

from __future__ import annotations

import contextlib
import html
import io
import json
import os
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .ensemble import Ensemble
from .own_files import staged

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SMOOTHED = 200  # nodes of all rods that pages draw with points between them
MOST_FRAMES = 200  # in a page; of more some, evenly chosen
SIZE = (640, 400)  # of what a notebook shows, pixels
PAGE = pathlib.Path(__file__).with_name("rods.html")


def plot(file: Ensemble | str | os.PathLike, observables: str | Sequence[str] = (), *, histories: bool = False,
         pareto: bool = False, best: str | os.PathLike | None = None, critical: str | os.PathLike | None = None,
         numbers: bool = False) -> Figure:
    """The figure of a campaign, finished or not, as scripts/plot draws it: maps, curves, shapes, courses of searches, what
    its study asks for. `observables` names those of a sweep or branches; with `histories` those that frames hold are drawn over
    time, with `pareto` the candidates over several objectives. With `numbers` what the figure shows is printed too. Raises
    PlotError where there is nothing to draw."""
    import matplotlib.pyplot as plt

    from .figures import picture
    from .figures.style import STYLE

    ensemble = file if isinstance(file, Ensemble) else Ensemble(file)
    names = [observables] if isinstance(observables, str) else list(observables)
    with plt.rc_context(STYLE), contextlib.nullcontext() if numbers else contextlib.redirect_stdout(io.StringIO()):
        figure = picture.draw(ensemble, names, histories, pareto, best, critical)
        figure.canvas.draw()  # ticks take their style as they are drawn
    plt.close(figure)  # or notebooks would show it twice
    return figure


class Rods:
    """The rods of a member in three dimensions: a notebook shows them, to be turned by hand and seen over time."""

    def __init__(self, ensemble: Ensemble, member: int, mode: int | None = None):
        self._ensemble, self._member, self._mode = ensemble, member, mode

    def _repr_html_(self) -> str:
        page = html.escape(self.page(), quote=True)
        return f'<iframe srcdoc="{page}" width="{SIZE[0]}" height="{SIZE[1] + 40}" style="border:0"></iframe>'

    def page(self) -> str:
        """A page of HTML that needs nothing else."""
        from .figures.film import from_above, view_axes
        from .figures.snapshots import between, smooth
        from .figures.style import moments

        time, rods = self._frames()
        chosen = np.unique(np.linspace(0, len(time) - 1, min(len(time), MOST_FRAMES)).round().astype(int))
        everything = np.concatenate(rods, axis=1)
        gravity = np.array(self._ensemble.of_member(self._member).deck_numbers("gravity.acceleration") or [0.0, 0.0, 0.0])
        axes = view_axes(everything, gravity, from_above(everything, gravity, (0.0, 0.0)))
        radii = self._ensemble.node_radii(self._member) or [0.01 * np.ptp(everything.reshape(-1, 3), axis=0).max()] * len(rods)
        unit = float(np.max(radii[0]))
        parts = 3 if everything.shape[1] < MOST_SMOOTHED else 1
        content = {"moments": moments(self._ensemble, self._member, time[chosen]), "size": SIZE,
                   "radii": [np.round(between(radius, rod.shape[1], parts) / unit, 3).tolist() for radius, rod in zip(radii, rods)],
                   "rods": [[np.round(smooth(rod[k] @ axes.T, parts) / unit, 2).ravel().tolist() for rod in rods] for k in chosen]}
        return PAGE.read_text(encoding="utf-8").replace("RODS", json.dumps(content, separators=(",", ":")))

    def _frames(self):
        if self._mode is not None:
            return self._ensemble.vibration(self._member, self._mode)
        return self._ensemble.reached_rods(self._member)

    def save(self, path: str | os.PathLike, frame: int = -1, turn: tuple[float, float] = (0.0, 20.0),
             size: tuple[int, int] = (1280, 720)) -> None:
        """Writes one frame as a picture of shaded tubes (.png), all of them as a film (.mp4, by ffmpeg), or the page (.html)."""
        from .figures.film import Film, write_film, write_picture

        path = pathlib.Path(path)
        if path.suffix == ".html":
            with staged(path) as file:
                file.write_text(self.page(), encoding="utf-8")
        elif path.suffix == ".mp4":
            write_film(Film(self._ensemble, self._member, turn, size, mode=self._mode), path, 25)
        else:
            film = Film(self._ensemble, self._member, turn, size, frame, mode=self._mode)
            write_picture(film, path)


def show(file: Ensemble | str | os.PathLike, member: int = 0, *, mode: int | None = None) -> Rods:
    """The rods of a member (output.frames > 0) in three dimensions, or with `mode` a period of one of its vibrations: a
    notebook shows what is returned, its `save` writes a picture, a film or a page."""
    ensemble = file if isinstance(file, Ensemble) else Ensemble(file)
    rods = Rods(ensemble, member, mode)
    rods._frames()  # EnsembleError here, if there are none
    return rods
