#!/usr/bin/python3
"""Stands in for rodeo: passes the barrier that ends MPI_Init, and fails if another rank does so before the last is there.

It is called as rodeo is: barrier.py run DECK --output FILE ...
"""

import ctypes
import os
import pathlib
import sys
import time

NOTHING = (None, ctypes.c_size_t(0))  # an array and its length


def pmix(function, *arguments):
    status = getattr(ctypes.CDLL("libpmix.so.2"), function)(*arguments)
    if status != 0:
        sys.exit(f"barrier: {function}: {status}")


def marks(folder, place):
    return sorted(path.name for path in folder.glob(f"{place}-*"))


def watch_others(folder, others):
    """What the others have passed a second after all of them came to the barrier."""
    deadline = time.monotonic() + 60
    while len(marks(folder, "before")) < others:
        if time.monotonic() > deadline:
            sys.exit(f"barrier: only {marks(folder, 'before')} came")
        time.sleep(0.01)
    time.sleep(1)
    return marks(folder, "after")


def main():
    folder = pathlib.Path(sys.argv[sys.argv.index("--output") + 1]).parent
    rank, ranks = int(os.environ["SLURM_PROCID"]), int(os.environ["SLURM_NTASKS"])
    pmix("PMIx_Init", None, *NOTHING)
    passed = []
    if rank == ranks - 1:
        passed = watch_others(folder, ranks - 1)
    else:
        (folder / f"before-{rank}").touch()
    pmix("PMIx_Fence", *NOTHING, *NOTHING)
    (folder / f"after-{rank}").touch()
    pmix("PMIx_Finalize", *NOTHING)
    if passed:
        sys.exit(f"barrier: passed without rank {rank}: {', '.join(passed)}")


if __name__ == "__main__":
    main()
