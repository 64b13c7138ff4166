"""The checksums of a campaign's file, as the program has them (src/output/seal.hpp)."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np

SEED, FACTOR, LAST_FACTOR = 0x9E3779B97F4A7C15, 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53
ALL_BITS = 2**64 - 1
ROWS_AT_ONCE = 2**12  # their words stay in the cache
FEW = 16  # rows
# The scalars of a row, in the order in which they enter its checksum.
SCALARS = ("parameters", "candidate", "repeat", "seed", "status", "observables", "steps", "wall_seconds", "rank")
# The fields of frames in that order; observables of frames follow, then what is not of frames.
FIELDS = ("position", "velocity", "orientation", "angular_velocity", "dilatation", "radius", "curvature")
SEALED = ("deck", "members/parameter_name", "members/observable_name", "trajectories/nodes", "trajectories/offset",
          "trajectories/rod_nodes", "trajectories/rod_numbers", "members/scenario")


def broken_seal(file: h5py.File) -> str | None:
    """A dataset that is written once and is not as it was written; files of earlier revisions have no seals."""
    for name in SEALED:
        if name not in file or "crc32" not in file[name].attrs:
            continue
        stored = np.empty(file[name].shape, file[name].dtype)
        file[name].read_direct(stored)
        if zlib.crc32(stored.tobytes()) != file[name].attrs["crc32"]:
            return f"/{name}"
    return None


def _words(column: np.ndarray) -> np.ndarray:
    """Entries of rows as words of 32 bits [words, rows]."""
    if column.dtype.itemsize == 1:  # the status, a word by itself
        return column.astype(np.uint32)[np.newaxis]
    if column.size == 0:
        return np.empty((0, len(column)), np.uint32)
    rows = np.ascontiguousarray(column.reshape(len(column), -1))
    return np.ascontiguousarray(rows.view(np.uint32).T)


def _start(rows: np.ndarray) -> np.ndarray:
    return rows.astype(np.uint64) ^ np.uint64(SEED)


def _add(states: np.ndarray, words: np.ndarray) -> None:
    """Takes a word of each row into its running checksum, and so on."""
    factor, half, shifted = np.uint64(FACTOR), np.uint64(32), np.empty_like(states)
    for word in words:
        np.bitwise_xor(states, word, out=states)
        np.multiply(states, factor, out=states)
        np.right_shift(states, half, out=shifted)
        np.bitwise_xor(states, shifted, out=states)


def _values(states: np.ndarray) -> np.ndarray:
    return ((states ^ (states >> np.uint64(29))) * np.uint64(LAST_FACTOR)) >> np.uint64(32)


def sound_scalars(members: h5py.Group, commit: np.ndarray) -> np.ndarray:
    """Which rows have the scalars that they were committed with [members]. `commit` was read before them."""
    sound = np.zeros(len(commit), dtype=bool)

    def check(first: int) -> None:
        part = slice(first, min(first + 8 * ROWS_AT_ONCE, len(commit)))
        if not commit[part].any():
            return
        columns = [members[name][part] for name in SCALARS]
        for begin in range(0, part.stop - first, ROWS_AT_ONCE):
            rows = slice(begin, min(begin + ROWS_AT_ONCE, part.stop - first))
            states = _start(np.arange(first + rows.start, first + rows.stop))
            for column in columns:
                _add(states, _words(column[rows]))
            words = commit[first + rows.start : first + rows.stop]
            sound[first + rows.start : first + rows.stop] = (words != 0) & (words >> np.uint64(32) == _values(states))

    places = range(0, len(commit), 8 * ROWS_AT_ONCE)
    if len(places) == 1:
        check(0)
    else:
        with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as threads:
            list(threads.map(check, places))
    return sound


def sound_rows(columns: Iterable[np.ndarray], commit: np.ndarray) -> np.ndarray:
    """Which rows of a study's table are as they were committed; its columns in the order of the table."""
    states = _start(np.arange(len(commit)))
    for column in columns:
        _add(states, _words(column.astype(np.float64)))
    values = _values(states)
    return (commit != 0) & (commit == np.maximum((values << np.uint64(32)) | values, np.uint64(1)))


def whole_rows(members: h5py.Group, rows: np.ndarray, stored: Iterable[np.ndarray]) -> np.ndarray:
    """Which rows are as they were committed with all that belongs to them: `stored` are the times of their frames and then
    their fields [rows, ...], in the order of the file's checksums."""
    span, places = slice(rows[0], rows[-1] + 1), rows - rows[0]
    commit = members["commit"][span][places]
    states = _start(rows)
    for name in SCALARS:
        _add(states, _words(members[name][span][places]))
    scalars = _values(states)
    for numbers in stored:
        if len(rows) > FEW:
            _add(states, _words(numbers))
        else:
            states[:] = [_added(int(state), row) for state, row in zip(states, numbers)]
    word = np.maximum((scalars << np.uint64(32)) | _values(states), np.uint64(1))
    return (commit != 0) & (commit == word)


def _added(state: int, numbers: np.ndarray) -> int:
    """A running checksum with all words of a row: with few rows faster than array by array."""
    for word in np.ascontiguousarray(numbers).reshape(-1).view(np.uint32).tolist():
        state = (state ^ word) * FACTOR & ALL_BITS
        state ^= state >> 32
    return state
