#!/usr/bin/python3
"""Kills campaigns at random instants and checks that no committed member is lost.

Each trial starts a campaign, a sweep, a convergence ladder, a search by CMA-ES ("optimize"), one over scenarios, one on several levels
of fidelity, the refinement of a boundary, or a study of sensitivities, kills one rank, all ranks or mpirun itself with SIGKILL,
resumes it, and compares: the rows that were committed before the kill must still be there, not run again, and the finished
file must equal that of an uninterrupted run bit by bit. So must those of campaigns that go by other files: a search from another
one's end ("from"), a sweep with rows of another ("reuse"), members that ended badly run again ("failed"), a part, merged with the
others once it is whole ("part"), and the merging itself ("merge").
Trials take their studies and victims in turn. With --rows the kill comes some time after a random number of rows: members of a
ladder end late, and most of its random instants come before any of them. The victim "slurmd" is the daemon of the node that runs
the campaign as a batch job, which Slurm then puts on another node; it needs the daemons that scripts/test --slurm installs. Power
loss is beyond what a kill can show.
"""

import argparse
import collections
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "cli"), str(TESTS / "slurm")]
import campaign
from campaign import read_ensemble, rodeo
from cluster import Cluster

RANKS = 3
SWEEP = campaign.SMALL_DECK.replace("end = 2", "end = 60")
DECKS = {
    "sweep": campaign.long_deck(96, 3),  # some 20 ms of work a member
    "convergence": campaign.ladder_deck(4),
    "optimize": campaign.search_deck(40, 0.01),
    "scenarios": campaign.scenarios_deck(20, 0.005),
    "fidelity": campaign.climbing_deck(0.004),
    "boundary": campaign.boundary_deck(repeats=3, end=6),  # some 10 ms of work a member
    "sensitivity": campaign.sensitivity_deck(256, 0.01),
    "from": campaign.search_deck(40, 0.01),
    "reuse": SWEEP,
    "failed": campaign.failing_deck(2),
    "part": SWEEP,
    "merge": SWEEP,
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


def same_rows(before, after, kept):
    """True if the rows `kept` of `before` stand unchanged in `after`; equal wall times show they ran once."""
    pairs = [(before.wall_seconds, after.wall_seconds), (before.rank, after.rank), (before.status, after.status)]
    for table in ("parameters", "observables"):
        pairs += [(values, getattr(after, table)[name]) for name, values in getattr(before, table).items()]
    return all(ours[kept].tobytes() == theirs[kept].tobytes() for ours, theirs in pairs)


def go_on(*arguments):
    """Calls rodeo once the killed campaign's last writer is gone, which takes a few seconds; returns the seconds waited."""
    started = time.monotonic()
    result = campaign.when_free(*arguments, ranks=RANKS)
    if result.returncode != 0:
        raise Loss(f"{arguments[0]} ended with {result.returncode}: {result.stderr.strip()}")
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


def kill_mpirun_or_ranks(study, path, victim, instant):
    """One kill and what it takes to go on; returns when it was, the file before and after and the wait until resume went on."""
    mpirun = subprocess.Popen(
        campaign.command(*study.start(path), ranks=RANKS), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
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
        if killed is None and before is not None:
            raise Loss("the file is gone")
        return at, before, killed, go_on(*study.next(path, killed))
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


def trial(cluster, study, path, victim, instant):
    """One kill; returns when it was, the members committed before and after it and the wait until the campaign went on."""
    if victim == "slurmd":
        at, before, killed, waited = kill_slurmd(cluster, study.deck, path, instant)
    else:
        at, before, killed, waited = kill_mpirun_or_ranks(study, path, victim, instant)
    if before is not None and not same_rows(before, killed, study.stay(before)):
        raise Loss("rows lost by the kill")
    resumed = read_ensemble.Ensemble(path)
    if killed is not None and not same_rows(killed, resumed, study.stay(killed)):
        raise Loss("rows lost or run again by resume")
    wrong = campaign.differences(study.whole, study.result(path))
    if wrong:
        raise Loss(f"not equal to the uninterrupted run: {', '.join(wrong)}")
    counts = [0 if ensemble is None else int(ensemble.committed.sum()) for ensemble in (before, killed)]
    return at, *counts, waited


class Study:
    """A deck in the folder with its uninterrupted run."""

    def __init__(self, folder, name):
        self.name, self.folder = name, folder
        self.deck = folder / f"{name}.ini"
        self.deck.write_text(DECKS[name], encoding="utf-8")
        self.prepare()
        path = folder / f"{name}.h5"
        started = time.monotonic()
        self.call(*self.start(path))
        self.duration = time.monotonic() - started
        self.whole = self.result(path)
        self.members = int(read_ensemble.Ensemble(path).committed.sum())
        print(f"Uninterrupted {name}: {self.members} members on {RANKS} ranks in {self.duration:.2f} s")

    def call(self, *arguments, allowed=(0,)):
        """Calls rodeo for what comes before the kills."""
        result = rodeo(*arguments, ranks=RANKS)
        if result.returncode not in allowed:
            sys.exit(f"kill_test: {arguments[0]} for {self.name} ended with {result.returncode}: {result.stderr.strip()}")

    def prepare(self):
        """Makes the files that the study goes by."""

    def start(self, path):
        """The call that is killed."""
        return "run", self.deck, "--output", path

    def next(self, path, killed):
        """The call that goes on after the kill left the file `killed`, or None."""
        return ("resume", path) if killed is not None else (*self.start(path), "--overwrite")

    def stay(self, ensemble):
        """Which rows of a file must stay as they are, by member."""
        return ensemble.committed

    def result(self, path):
        """What must be that of an uninterrupted run, once the file is whole."""
        return read_ensemble.Ensemble(path)

    def instant(self, number, rows):
        """When trial `number` kills."""
        chance = random.Random(number)
        if not rows:
            return Instant(chance.uniform(0, self.duration), 0)
        return Instant(chance.uniform(0, 0.25 * self.duration / self.members), chance.randint(1, self.members - 1))


class From(Study):
    """A search that starts with the mean, sigma and covariance of another one's end."""

    def prepare(self):
        self.other = self.folder / "shorter_search.h5"
        self.call("run", self.deck, "--optimize.generations=5", "--output", self.other)

    def start(self, path):
        return *super().start(path), f"--optimize.from={self.other}"


class Reuse(Study):
    """A sweep that takes half of its rows from another file."""

    def prepare(self):
        self.other = self.folder / "half_sweep.h5"
        self.call("run", self.deck, "--study.repeats=1", "--output", self.other)

    def start(self, path):
        return *super().start(path), f"--study.reuse={self.other}"


class Failed(Study):
    """A campaign of which the members that ended badly run again, by shorter steps."""

    def prepare(self):
        self.ended = self.folder / "ended_badly.h5"
        self.call("run", self.deck, "--output", self.ended, allowed=(0, 2))

    def start(self, path):
        shutil.copy(self.ended, path)
        return "extend", path, "--failed", "--time.step=5e-6"

    def next(self, path, killed):
        return ("resume", path) if killed.deck_values("study.rerun") else self.start(path)

    def stay(self, ensemble):
        return ensemble.committed & ~np.isin(ensemble.status, read_ensemble.FAILURES)


class Part(Study):
    """The second part of a sweep; merged with the others it is the sweep of one run."""

    PARTS = 3

    def prepare(self):
        self.one_run = self.folder / f"{self.name}_in_one_run.h5"
        self.call("run", self.deck, "--output", self.one_run)
        self.others = [self.run_part(number) for number in range(1, self.PARTS + 1) if number != 2]

    def run_part(self, number):
        path = self.folder / f"{self.name}_{number}.h5"
        self.call("run", self.deck, f"--part={number}/{self.PARTS}", "--output", path)
        return path

    def start(self, path):
        return *super().start(path), f"--part=2/{self.PARTS}"

    def result(self, path):
        merged = self.folder / f"{self.name}_merged.h5"
        self.call("merge", *self.others, path, "--output", merged, "--overwrite")
        self.expect_one_run(merged)
        return read_ensemble.Ensemble(merged)

    def expect_one_run(self, merged):
        """Compares with the sweep of one run."""
        wrong = campaign.differences(read_ensemble.Ensemble(self.one_run), read_ensemble.Ensemble(merged))
        if wrong:
            raise Loss(f"the parts are not the sweep: {', '.join(wrong)}")


class Merge(Part):
    """The merging of parts; a kill leaves no file or the whole one."""

    def prepare(self):
        super().prepare()
        self.others.insert(1, self.run_part(2))

    def start(self, path):
        return "merge", *self.others, "--output", path

    def next(self, path, killed):
        if killed is not None and not killed.committed.all():
            raise Loss("a part of a merged file")
        return *self.start(path), "--overwrite"

    def result(self, path):
        self.expect_one_run(path)
        return read_ensemble.Ensemble(path)


STUDIES = collections.defaultdict(
    lambda: Study, {"from": From, "reuse": Reuse, "failed": Failed, "part": Part, "merge": Merge}
)


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

    if "slurmd" in arguments.victims and set(arguments.studies) & set(STUDIES):
        parser.error(f"slurmd cannot be the victim of {', '.join(STUDIES)}, which the batch scripts do not call so")

    outcomes = collections.defaultdict(list)  # by study and victim: members after the kill, None where it lost any
    with tempfile.TemporaryDirectory(prefix="rodeo-kill-") as name:
        folder = pathlib.Path(name)
        cluster = Cluster() if "slurmd" in arguments.victims else None
        try:
            studies = [STUDIES[study](folder, study) for study in arguments.studies]
            print(f"{'trial':>5}  {'study':<12} {'killed':<10} {'at (s)':>7} {'before':>7} {'after':>6} {'wait (s)':>8}  result")
            for number in range(arguments.first, arguments.first + arguments.trials):
                study = studies[number % len(studies)]
                victim = arguments.victims[number // len(studies) % len(arguments.victims)]
                line = f"{number:5}  {study.name:<12} {victim:<10}"
                path = folder / f"trial{number}.h5"
                try:
                    instant = study.instant(number, arguments.rows)
                    at, before, after, waited = trial(cluster, study, path, victim, instant)
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
