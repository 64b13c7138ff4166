"""What scripts may write over: nothing that they did not make."""

from __future__ import annotations

import contextlib
import os
import pathlib
from collections.abc import Iterator

from .errors import RodeoError

MARK = "made by rodeo"  # stands in whatever is written over again
SEARCHED = 65536  # bytes of a file, at each end


class NotOurs(RodeoError):
    """Something stands where a file is to be written; the text is one sentence."""


def savefig_marks(path: str | os.PathLike) -> dict | None:
    """The metadata that marks a picture of matplotlib, where the format that its name asks for has any."""
    key = {".png": "Software", ".svg": "Creator", ".pdf": "Creator", ".ps": "Creator", ".eps": "Creator"}
    found = key.get(pathlib.Path(path).suffix.lower())
    return {found: MARK} if found else None


def require_ours(path: str | os.PathLike) -> None:
    """Raises NotOurs if a file or anything else stands at the path that rodeo did not write there before."""
    path = pathlib.Path(path)
    if not os.path.lexists(path):
        return
    if path.is_file():
        with path.open("rb") as file:
            begin = file.read(SEARCHED)
            file.seek(max(0, path.stat().st_size - SEARCHED))
            if not begin or MARK.encode() in begin or MARK.encode() in file.read():
                return
    raise NotOurs(f"{path} is there already and was not made by rodeo: it is left as it is; remove it, or give another name")


@contextlib.contextmanager
def staged(path: str | os.PathLike) -> Iterator[pathlib.Path]:
    """A place beside a path for a file that gets its name there when it is whole. What fails leaves nothing, and what rodeo wrote
    there before. Raises NotOurs."""
    path = pathlib.Path(path)
    require_ours(path)
    temporary = path.with_name(f".{path.stem}-{os.getpid()}{path.suffix}")
    try:
        yield temporary
        require_ours(path)  # which somebody may have written meanwhile
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
