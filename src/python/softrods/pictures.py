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

from .ensemble import Ensemble, EnsembleError
from .own_files import staged

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_MEMBERS = 12  # side by side in a page
MOST_NUMBERS = 6_000_000  # of the positions of a page, which are 16 MB of text
HEIGHT = 460  # of what a notebook shows, pixels
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
    """The rods of members in three dimensions: a notebook shows them, to be turned by hand and seen over time, the members side by
    side."""

    def __init__(self, ensemble: Ensemble, members: Sequence[int], mode: int | None = None):
        self._ensemble, self._members, self._mode = ensemble, members, mode

    def _repr_html_(self) -> str:
        return self.framed(HEIGHT)

    def framed(self, height: int, most: int = MOST_NUMBERS) -> str:
        """The page as a frame of this height (pixels) for another page, whose width it takes; `most` as in page()."""
        page = html.escape(self.page(most), quote=True)
        return f'<iframe srcdoc="{page}" title="rods" loading="lazy" style="border:0;width:100%;height:{height}px"></iframe>'

    def page(self, most: int = MOST_NUMBERS) -> str:
        """A page of HTML that needs nothing else. Of many frames, or more than `most` numbers of positions, it has some, evenly chosen,
        and says so."""
        from .figures.scene import scene

        content = json.dumps(scene(self._ensemble, self._members, self._mode, most), separators=(",", ":")).replace("<", "\\u003c")
        return PAGE.read_text(encoding="utf-8").replace("RODS", content, 1)

    def save(self, path: str | os.PathLike, frame: int = -1, turn: tuple[float, float] = (0.0, 20.0),
             size: tuple[int, int] = (1280, 720)) -> None:
        """Writes the page (.html), or of the first member one frame as a picture of shaded tubes (.png) or all of them as a film
        (.mp4, by ffmpeg)."""
        from .figures.film import Film, write_film, write_picture

        path = pathlib.Path(path)
        if path.suffix == ".html":
            with staged(path) as file:
                file.write_text(self.page(), encoding="utf-8")
        elif path.suffix == ".mp4":
            write_film(Film(self._ensemble, self._members[0], turn, size, mode=self._mode), path, 25)
        else:
            film = Film(self._ensemble, self._members[0], turn, size, frame, mode=self._mode)
            write_picture(film, path)


def show(file: Ensemble | str | os.PathLike, members: int | Sequence[int] = 0, *, mode: int | None = None) -> Rods:
    """The rods of one or more members (output.frames > 0) in three dimensions, or with `mode` a period of one of their vibrations:
    a notebook shows what is returned, its `save` writes a page, a picture or a film."""
    ensemble = file if isinstance(file, Ensemble) else Ensemble(file)
    chosen = [members] if isinstance(members, (int, np.integer)) else list(members)
    if not 0 < len(chosen) <= MOST_MEMBERS:
        raise EnsembleError(f"A page shows 1 to {MOST_MEMBERS} members, not {len(chosen)}.")
    for member in chosen:  # EnsembleError here, if there are no frames
        ensemble.reached_rods(member) if mode is None else ensemble.vibration(member, mode)
    return Rods(ensemble, chosen, mode)
