#!/usr/bin/python3
"""Kills campaigns at random instants and checks that no committed member is lost.

Each trial starts a campaign, a sweep, a convergence ladder, a search by CMA-ES ("optimize"), one over scenarios, one on several levels
of fidelity, the refinement of a boundary, or a study of sensitivities, kills one rank, all ranks or mpirun itself with SIGKILL,
resumes it, and compares: the rows that were committed before the kill must still be there, not run again, and the finished
file must equal that of an uninterrupted run bit by bit. Trials take their studies and victims in turn. With --rows the kill
comes some time after a random number of rows: members of a ladder end late, and most of its random instants come before any
of them. The victim "slurmd" is the daemon of the node that runs the campaign as a batch job, which Slurm then puts on another
node; it needs the daemons that scripts/test --slurm installs. Power loss is beyond what a kill can show.
"""

import argparse
import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "cli"), str(TESTS / "slurm")]
import campaign
from campaign import read_ensemble, rodeo
from cluster import Cluster

RANKS = 3
DECKS = {
    "sweep": campaign.long_deck(96, 3),  # some 20 ms of work a member
    "convergence": campaign.ladder_deck(4),
    "optimize": campaign.search_deck(40, 0.01),
    "scenarios": campaign.scenarios_deck(20, 0.005),
    "fidelity": campaign.climbing_deck(0.004),
    "boundary": campaign.boundary_deck(repeats=3, end=6),  # some 10 ms of work a member
    "sensitivity": campaign.sensitivity_deck(256, 0.01),
}
VICTIMS = ("last rank", "all ranks", "mpirun", "rank 0", "slurmd")


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
    result = campaign.resume_when_free(path, RANKS)
    if result.returncode != 0:
        raise Loss(f"resume ended with {result.returncode}: {result.stderr.strip()}")
    return time.monotonic() - started


class Instant:
    """When a trial kills: `delay` seconds after the start, or after `rows` members are committed."""

    def __init__(self, delay, rows):
        self.delay, self.rows = delay, rows

    def wait(self, path):
        """Waits until it has come; returns the seconds since now."""
        started = time.monotonic()
        while campaign.committed_members(path) < self.rows:
            if time.monotonic() - started > 120:
                raise Loss(f"no {self.rows} members within 120 s")
            time.sleep(0.01)
        time.sleep(self.delay)
        return time.monotonic() - started


def kill_mpirun_or_ranks(deck, path, victim, instant):
    """One kill and what it takes to go on; returns when it was, the file before and after and the wait until resume went on."""
    mpirun = subprocess.Popen(
        campaign.command("run", deck, "--output", path, ranks=RANKS),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        at = instant.wait(path)
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
        if killed is not None:
            return at, before, killed, resume(path)
        if before is not None:
            raise Loss("the file is gone")
        result = rodeo("run", deck, "--output", path, "--overwrite", ranks=RANKS)
        if result.returncode != 0:
            raise Loss(f"a new run ended with {result.returncode}: {result.stderr.strip()}")
        return at, before, killed, 0.0
    finally:
        mpirun.kill()
        mpirun.wait()


def submit(cluster, deck, path):
    """A batch job for the campaign, once both nodes are there for it."""
    cluster.wait_for(lambda: cluster.node_states() == ["idle", "idle"], "both nodes idle", 120)
    return cluster.submit(f"--output={path}.log", "--time=10", campaign.ROOT / "jobs" / "one_node.sbatch", deck, path)


def kill_slurmd(cluster, deck, path, instant):
    """The same with a batch job whose node's daemon is killed; the wait is that until the job is done."""
    job = submit(cluster, deck, path)
    cluster.wait_for_state(job, "RUNNING", "COMPLETED")
    at = instant.wait(path)
    before = snapshot(path)
    node = cluster.job(job)["NodeList"]
    os.kill(cluster.pid(f"slurmd-{node}"), signal.SIGKILL)
    killed = snapshot(path)
    started = time.monotonic()
    try:
        ended = cluster.wait_for_end(job, timeout=240)
    finally:
        cluster.start_node(node)
    if ended["JobState"] == "FAILED":
        # Killed while it was launching the ranks, which Slurm takes for a failure of the job: submitted again.
        ended = cluster.wait_for_end(submit(cluster, deck, path), timeout=240)
    if ended["JobState"] != "COMPLETED":
        raise Loss(f"the job ended as {ended['JobState']}: {pathlib.Path(f'{path}.log').read_text()}")
    return at, before, killed, time.monotonic() - started


def trial(cluster, deck, path, victim, instant, whole):
    """One kill; returns when it was, the members committed before and after it and the wait until the campaign went on."""
    if victim == "slurmd":
        at, before, killed, waited = kill_slurmd(cluster, deck, path, instant)
    else:
        at, before, killed, waited = kill_mpirun_or_ranks(deck, path, victim, instant)
    if before is not None and not same_rows(before, killed):
        raise Loss("rows lost by the kill")
    resumed = read_ensemble.Ensemble(path)
    if killed is not None and not same_rows(killed, resumed):
        raise Loss("rows lost or run again by resume")
    wrong = campaign.differences(whole, resumed)
    if wrong:
        raise Loss(f"not equal to the uninterrupted run: {', '.join(wrong)}")
    counts = [0 if ensemble is None else int(ensemble.committed.sum()) for ensemble in (before, killed)]
    return at, *counts, waited


class Study:
    """A deck in the folder with its uninterrupted run."""

    def __init__(self, folder, name):
        self.name = name
        self.deck = folder / f"{name}.ini"
        self.deck.write_text(DECKS[name], encoding="utf-8")
        path = folder / f"{name}.h5"
        started = time.monotonic()
        result = rodeo("run", self.deck, "--output", path, ranks=RANKS)
        self.duration = time.monotonic() - started
        if result.returncode != 0:
            sys.exit(f"kill_test: the uninterrupted {name} ended with {result.returncode}: {result.stderr.strip()}")
        self.whole = read_ensemble.Ensemble(path)
        self.members = int(self.whole.committed.sum())
        print(f"Uninterrupted {name}: {self.members} members on {RANKS} ranks in {self.duration:.2f} s")

    def instant(self, number, rows):
        """When trial `number` kills."""
        chance = random.Random(number)
        if not rows:
            return Instant(chance.uniform(0, self.duration), 0)
        return Instant(chance.uniform(0, 0.25 * self.duration / self.members), chance.randint(1, self.members - 1))


def summarise(outcomes, members):
    """Prints a line for each study and victim."""
    print(f"\n{'study':<12} {'killed':<10} {'kills':>5} {'before any row':>15} {'between rows':>13} {'after the last':>15} {'lost':>5}")
    for (study, victim), results in sorted(outcomes.items()):
        kept = [after for after in results if after is not None]
        counts = (
            len(results), kept.count(0), sum(0 < after < members[study] for after in kept), kept.count(members[study]),
            len(results) - len(kept),
        )
        print("{:<12} {:<10} {:5} {:15} {:13} {:15} {:5}".format(study, victim, *counts))


def names(allowed):
    def split(text):
        chosen = text.split(",")
        unknown = set(chosen) - set(allowed)
        if unknown:
            raise argparse.ArgumentTypeError(f"no {', '.join(unknown)}; there are {', '.join(allowed)}")
        return chosen

    return split


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=20, help="number of kills (default 20)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one, to go on with a longer series")
    parser.add_argument("--studies", type=names(DECKS), default=["sweep"], help=f"some of {','.join(DECKS)} (default sweep)")
    parser.add_argument(
        "--victims", type=names(VICTIMS), default=VICTIMS[:4], help=f"some of {','.join(VICTIMS)} (default all but slurmd)"
    )
    parser.add_argument("--rows", action="store_true", help="kill after a random number of rows, not at a random instant")
    arguments = parser.parse_args()

    outcomes = collections.defaultdict(list)  # by study and victim: members after the kill, None where it lost any
    with tempfile.TemporaryDirectory(prefix="rodeo-kill-") as name:
        folder = pathlib.Path(name)
        cluster = Cluster() if "slurmd" in arguments.victims else None
        try:
            studies = [Study(folder, study) for study in arguments.studies]
            print(f"{'trial':>5}  {'study':<12} {'killed':<10} {'at (s)':>7} {'before':>7} {'after':>6} {'wait (s)':>8}  result")
            for number in range(arguments.first, arguments.first + arguments.trials):
                study = studies[number % len(studies)]
                victim = arguments.victims[number // len(studies) % len(arguments.victims)]
                line = f"{number:5}  {study.name:<12} {victim:<10}"
                path = folder / f"trial{number}.h5"
                try:
                    instant = study.instant(number, arguments.rows)
                    at, before, after, waited = trial(cluster, study.deck, path, victim, instant, study.whole)
                    outcomes[study.name, victim].append(after)
                    print(f"{line} {at:7.3f} {before:7} {after:6} {waited:8.2f}  kept", flush=True)
                    path.unlink()
                except Loss as loss:
                    outcomes[study.name, victim].append(None)
                    print(f"{line} {'-':>7} {'-':>7} {'-':>6} {'-':>8}  LOST: {loss}", flush=True)
        finally:
            if cluster is not None:
                cluster.stop()
    summarise(outcomes, {study.name: study.members for study in studies})
    losses = sum(results.count(None) for results in outcomes.values())
    print(f"{arguments.trials - losses} of {arguments.trials} kills without any loss")
    sys.exit(1 if losses else 0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("kill_test: terminated"))  # by an exception, so that daemons end
    main()
