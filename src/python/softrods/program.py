"""The program in processes of its own: campaigns that run, are resumed and stopped, and decks that are checked."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import h5py
import numpy as np

from .deck import Deck, DeckError, overrides_text
from .ensemble import Ensemble
from .errors import RodeoError, whole_number
from .launch import find_program, has_own_program, mpirun, mpirun_environment

DONE, BAD_INPUT, FAILED, LOST_RANKS, STOPPED = 0, 1, 2, 3, 75
LOOKS_A_SECOND = 4  # at the file of a campaign that runs


class RunError(RodeoError):
    """A campaign that did not end well; the text is the program's own sentence, `code` its exit code."""

    def __init__(self, text: str, code: int):
        super().__init__(text)
        self.code = code

    def __reduce__(self):
        return type(self), (str(self), self.code)  # so that processes can hand it on


def _launched(ranks: int, launcher: str | None) -> list[str]:
    if launcher is None:
        return []
    if launcher not in ("mpirun", "srun"):
        raise RodeoError(f"launcher = {launcher!r} is not one of 'mpirun', 'srun' and None.")
    whole_number(ranks, "ranks", 1)
    if launcher == "mpirun":
        launcher = mpirun()
        if shutil.which(launcher) is None and has_own_program():
            warnings.warn(f"{launcher} is not there: the program runs as one process of all threads. pip install mpich brings what "
                          "starts more.", stacklevel=5)
            return []
    if shutil.which(launcher) is None:
        raise RodeoError(f"{launcher} is not on the PATH; launcher=None runs the program as one process of all threads.")
    if launcher == "srun":
        return ["srun", "-n", str(ranks)]
    return [launcher, "-n", str(ranks)]


def _environment(ranks: int, launcher: str | None) -> dict[str, str]:
    environment = mpirun_environment() if launcher == "mpirun" else dict(os.environ)
    if launcher is not None and ranks > 1:
        environment.setdefault("OMP_NUM_THREADS", "1")
    if launcher == "srun":
        environment.setdefault("SLURM_MPI_TYPE", "pmix")
        environment.setdefault("SLURM_PMIX_FENCE", "ring")
    return environment


@contextlib.contextmanager
def _file_of(deck: Deck | str | os.PathLike) -> Iterator[tuple[pathlib.Path, str]]:
    """A file with the deck, and the name by which messages call it. In it the files that the deck names are named from
    anywhere: relative paths are looked for beside the deck's own file."""
    if not isinstance(deck, Deck):
        yield pathlib.Path(deck), str(deck)
        return
    with tempfile.NamedTemporaryFile("w", prefix=".deck_", suffix=".ini", encoding="utf-8") as file:
        file.write(str(deck.with_absolute_files()))
        file.flush()
        yield pathlib.Path(file.name), str(deck.path or "deck")


def _sentence(stderr: str, path: pathlib.Path, name: str) -> str:
    """What the program says went wrong, without what launchers add."""
    said: list[str] = []
    inside = False
    for line in stderr.replace(str(path), name).splitlines():
        inside = line.startswith("rodeo: error: ") or inside and line.startswith("  ")
        if inside:
            said.append(line.removeprefix("rodeo: error: "))
    return "\n".join(said)


def check(deck: Deck | str | os.PathLike, overrides: Mapping[str, Any] | None = None, whole_deck: bool = False) -> str:
    """What `rodeo check` prints: members, steps, warnings, cost; with `whole_deck` the deck with all its values too. DeckError
    if it is not valid."""
    with _file_of(deck) as (path, name):
        options = [f"--{override}" for override in overrides_text(overrides)] + ["--deck"] * whole_deck
        done = subprocess.run([find_program(), "check", str(path), *options], capture_output=True, text=True, check=False)
        if done.returncode != DONE:
            raise DeckError(_sentence(done.stderr, path, name) or done.stderr.strip())
        return done.stdout.replace(str(path), name)


def status(file: str | os.PathLike) -> dict[str, Any] | None:
    """What `rodeo status --json` says of a campaign, which may be running; None where the program is not there. RodeoError if the
    file cannot be read."""
    try:
        program = find_program()
    except RodeoError:
        return None
    done = subprocess.run([program, "status", "--json", "--", str(file)], capture_output=True, text=True, check=False)
    if done.returncode != DONE:
        raise RodeoError(_sentence(done.stderr, pathlib.Path(file), str(file)) or done.stderr.strip())
    return json.loads(done.stdout)


class Progress:
    """A line about a campaign that runs, on the terminal or in a notebook."""

    def __init__(self, path: str, shown: bool):
        self._path, self._next, self._display, self._width = path, 0.0, None, 0
        self._shown = shown and (self._in_notebook() or sys.stderr.isatty())

    def _in_notebook(self) -> bool:
        try:
            from IPython import get_ipython
            from IPython.display import display
        except ImportError:
            return False
        shell = get_ipython()
        if shell is None or not hasattr(shell, "kernel"):
            return False
        self._display = display({"text/plain": "starting"}, raw=True, display_id=True)
        return True

    def look(self) -> None:
        now = time.monotonic()
        if not self._shown or now < self._next:
            return
        self._write(self._line())
        # A file of very many members takes longer to look at.
        self._next = time.monotonic() + max(1 / LOOKS_A_SECOND, 20 * (time.monotonic() - now))

    def close(self) -> None:
        if self._shown:
            self._write(self._line())
            if self._display is None:
                print(file=sys.stderr)

    def _line(self) -> str:
        try:
            with h5py.File(self._path, "r", locking=False) as file:
                commit = file["members/commit"][:]
                running = dict(zip((name.decode() for name in file["running"].attrs["names"]), file["running"][:]))
        except (OSError, KeyError):
            return "starting"
        line = f"{np.count_nonzero(commit)} of {len(commit)} members"
        if running["seconds_left"] > 0 and not commit.all():
            line += f", {100 * running['share_done']:.0f} %, about {running['seconds_left']:.0f} s left"
        return line

    def _write(self, line: str) -> None:
        if self._display is not None:
            self._display.update({"text/plain": line}, raw=True)
            return
        print(f"\r{line.ljust(self._width)}", end="", file=sys.stderr, flush=True)
        self._width = len(line)


def _campaign(arguments: list[str], output: str, path: pathlib.Path, name: str, ranks: int, launcher: str | None,
              progress: bool) -> Ensemble:
    with tempfile.TemporaryFile("w+") as stderr:
        # In a session of its own: Ctrl-C on the terminal reaches this process alone, which stops the program once.
        process = subprocess.Popen([*_launched(ranks, launcher), find_program(), *arguments], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=stderr, env=_environment(ranks, launcher), start_new_session=True)
        line = Progress(output, progress)
        try:
            while process.poll() is None:
                line.look()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.02)
        except BaseException as error:
            # The signal that launchers hand on and that makes the program stop in good order.
            process.send_signal(signal.SIGUSR1)
            try:
                process.wait()
            except BaseException:
                process.kill()
                process.wait()
                raise
            if isinstance(error, KeyboardInterrupt) and os.path.exists(output):
                print(f"\nStopped in good order: softrods.resume({output!r}) goes on.", file=sys.stderr)
            raise
        line.close()
        stderr.seek(0)
        printed = stderr.read()
    code, said = process.returncode, _sentence(printed, path, name)
    if code not in (DONE, LOST_RANKS, STOPPED):
        if code == BAD_INPUT and said and arguments[0] == "run":
            raise DeckError(said)
        raise RunError(said or printed.strip() or "The program ended without a word.", code)
    if code == STOPPED:
        warnings.warn(f"{output}: stopped in good order before its end; softrods.resume goes on.", stacklevel=3)
    elif code == LOST_RANKS:
        warnings.warn(f"{output}: done, but ranks were lost on the way.", stacklevel=3)
    return Ensemble(output)


def run(deck: Deck | str | os.PathLike, overrides: Mapping[str, Any] | None = None, *, output: str | os.PathLike | None = None,
        ranks: int = 2, launcher: str | None = "mpirun", progress: bool = True, overwrite: bool = False,
        wall_time: str | None = None) -> Ensemble:
    """Runs a deck as `rodeo run` does and returns its file.

    `overrides` maps keys to values that replace the deck's. `output` is the file to write, the deck's name with .h5 if not
    given, or rodeo.h5. `ranks` processes are started by `launcher`, "mpirun" or "srun"; with None the program runs as one
    process with all threads. Ctrl-C stops the campaign in good order, to be resumed. Raises RunError with the program's
    sentence, DeckError for a deck that is not valid.
    """
    if output is None:
        named = deck.path if isinstance(deck, Deck) else pathlib.Path(deck)
        output = f"{named.stem}.h5" if named else "rodeo.h5"
    if not overwrite and os.path.exists(output):
        raise RunError(f"{output} exists already: softrods.resume goes on with it, overwrite=True replaces it.", BAD_INPUT)
    options = [f"--{override}" for override in overrides_text(overrides)] + ["--overwrite"] * overwrite
    return campaign(deck, output, *options, ranks=ranks, launcher=launcher, progress=progress, wall_time=wall_time)


def campaign(deck: Deck | str | os.PathLike, output: str | os.PathLike, *options: str, ranks: int = 2, launcher: str | None = "mpirun",
             progress: bool = True, wall_time: str | None = None) -> Ensemble:
    """As `run`, with options of the program, of which --resume goes on with a file that is there, if it is of this deck."""
    with _file_of(deck) as (path, name):
        arguments = ["run", str(path), *options, "--output", str(output), *([f"--wall-time={wall_time}"] if wall_time else [])]
        return _campaign(arguments, str(output), path, name, ranks, launcher, progress)


def resume(file: str | os.PathLike, *, ranks: int = 2, launcher: str | None = "mpirun", progress: bool = True,
           wall_time: str | None = None) -> Ensemble:
    """Goes on with a campaign that was stopped or killed, as `rodeo resume` does; on any number of ranks."""
    arguments = ["resume", str(file), *([f"--wall-time={wall_time}"] if wall_time else [])]
    return _campaign(arguments, str(file), pathlib.Path(file), str(file), ranks, launcher, progress)
