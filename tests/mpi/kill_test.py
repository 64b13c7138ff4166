#!/usr/bin/python3
"""Kills campaigns at random instants and checks that no committed member is lost.

Each trial starts a campaign under mpirun, a sweep, or with --study optimize a search by CMA-ES, with --study race one
that stops outclassed members, kills one rank, all ranks or mpirun itself with SIGKILL, resumes it, and compares: the
rows that were committed before the kill must still be there, not run again, and the finished file must equal that of an
uninterrupted run bit by bit. Power loss and the loss of a node are beyond what a kill can show.
"""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import campaign
from campaign import read_ensemble, rodeo

RANKS = 3
MEMBERS = 96
END = 5  # s of simulated time: some 20 ms of work a member
GENERATIONS = 40
WAIT = 0.01  # s a member of a search takes at least
RACE_STEP = 4e-6  # s: 25000 steps, some milliseconds of work a member
VICTIMS = ("last rank", "all ranks", "mpirun", "rank 0")


class Loss(Exception):
    """What went wrong in a trial."""


def kill(mpirun, victim):
    """Kills the victim at once. Ranks whose mpirun was killed live on for a while and then end by themselves."""
    ranks = campaign.ranks_of(mpirun)
    targets = {"mpirun": [mpirun.pid], "all ranks": ranks, "rank 0": ranks[:1], "last rank": ranks[-1:]}[victim]
    for pid in targets:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # the campaign was over already


def snapshot(path):
    """The file as a reader finds it now, or None before there is one."""
    if not path.exists():
        return None
    try:
        return read_ensemble.Ensemble(path)
    except read_ensemble.EnsembleError as error:
        raise Loss(f"unreadable: {error}") from error


def same_rows(before, after):
    """True if the rows committed in `before` stand unchanged in `after`; equal wall times show they ran once."""
    kept = before.committed
    pairs = [(before.wall_seconds, after.wall_seconds), (before.rank, after.rank), (before.status, after.status)]
    for table in ("parameters", "observables"):
        pairs += [(values, getattr(after, table)[name]) for name, values in getattr(before, table).items()]
    return all(ours[kept].tobytes() == theirs[kept].tobytes() for ours, theirs in pairs)


def resume(path):
    """Resumes once the killed campaign's last writer is gone, which takes a few seconds; returns the seconds waited."""
    started = time.monotonic()
    while True:
        waited = time.monotonic() - started
        result = rodeo("resume", path, ranks=RANKS)
        if result.returncode == 0:
            return waited
        if waited > 15:
            raise Loss(f"resume ended with {result.returncode}: {result.stderr.strip()}")
        time.sleep(0.25)


def trial(deck, path, victim, delay, whole):
    """One kill; returns the numbers of members committed before and after it and the wait until resume went on."""
    mpirun = subprocess.Popen(
        campaign.command("run", deck, "--output", path, ranks=RANKS),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        time.sleep(delay)
        before = snapshot(path)
        kill(mpirun, victim)
        try:
            mpirun.wait(timeout=10)
        except subprocess.TimeoutExpired:
            # Ranks killed while Open MPI was still launching them: mpirun and the others wait for them for ever.
            kill(mpirun, "all ranks")
            kill(mpirun, "mpirun")
            mpirun.wait()
        killed = snapshot(path)
        if killed is None:
            if before is not None:
                raise Loss("the file is gone")
            result = rodeo("run", deck, "--output", path, "--overwrite", ranks=RANKS)
            if result.returncode != 0:
                raise Loss(f"a new run ended with {result.returncode}: {result.stderr.strip()}")
            waited = 0.0
        else:
            if before is not None and not same_rows(before, killed):
                raise Loss("rows lost by the kill")
            waited = resume(path)
    finally:
        mpirun.kill()
        mpirun.wait()
    resumed = read_ensemble.Ensemble(path)
    if killed is not None and not same_rows(killed, resumed):
        raise Loss("rows lost or run again by resume")
    wrong = campaign.differences(whole, resumed)
    if wrong:
        raise Loss(f"not equal to the uninterrupted run: {', '.join(wrong)}")
    counts = [0 if ensemble is None else int(ensemble.committed.sum()) for ensemble in (before, killed)]
    return *counts, waited


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=20, help="number of kills (default 20)")
    parser.add_argument("--study", choices=("sweep", "optimize", "race"), default="sweep", help="what is killed (default sweep)")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="rodeo-kill-") as name:
        folder = pathlib.Path(name)
        deck = folder / "deck.ini"
        texts = {
            "sweep": campaign.long_deck(MEMBERS, END),
            "optimize": campaign.search_deck(GENERATIONS, WAIT),
            "race": campaign.race_deck(GENERATIONS, RACE_STEP),
        }
        deck.write_text(texts[arguments.study], encoding="utf-8")
        started = time.monotonic()
        result = rodeo("run", deck, "--output", folder / "whole.h5", ranks=RANKS)
        duration = time.monotonic() - started
        if result.returncode != 0:
            sys.exit(f"kill_test: the uninterrupted run ended with {result.returncode}: {result.stderr.strip()}")
        whole = read_ensemble.Ensemble(folder / "whole.h5")
        print(f"Uninterrupted: {whole.committed.sum()} members on {RANKS} ranks in {duration:.2f} s")
        print(f"{'trial':>5}  {'killed':<10} {'at (s)':>7} {'before':>7} {'after':>6} {'wait (s)':>8}  result")

        losses = 0
        instants = random.Random(1)
        for number in range(arguments.trials):
            victim = VICTIMS[number % len(VICTIMS)]
            delay = instants.uniform(0, duration)
            path = folder / f"trial{number}.h5"
            line = f"{number:5}  {victim:<10} {delay:7.3f}"
            try:
                before, after, waited = trial(deck, path, victim, delay, whole)
                print(f"{line} {before:7} {after:6} {waited:8.2f}  kept", flush=True)
            except Loss as loss:
                losses += 1
                print(f"{line} {'-':>7} {'-':>6} {'-':>8}  LOST: {loss}", flush=True)
        print(f"{arguments.trials - losses} of {arguments.trials} kills without any loss")
    sys.exit(1 if losses else 0)


if __name__ == "__main__":
    main()
