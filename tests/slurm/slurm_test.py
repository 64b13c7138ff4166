"""The batch scripts under a real Slurm: what is lost or run again when jobs end, nodes fail and time is up.

Run by scripts/test --slurm, which installs Slurm; needs build/rodeo.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import campaign
from campaign import read_ensemble
from cluster import Cluster

JOBS = campaign.ROOT / "jobs"
MEMBERS = 48

cluster = None
whole_files = {}  # by deck: the file of an uninterrupted run


def setUpModule():
    global cluster
    cluster = Cluster()


def tearDownModule():
    cluster.stop()
    for path in whole_files.values():
        path.unlink()


class SlurmTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rodeo-slurm-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "campaign.h5"
        self.addCleanup(self.end_all_jobs)
        cluster.wait_for(lambda: cluster.node_states() == ["idle", "idle"], "both nodes idle", 120)

    def end_all_jobs(self):
        cluster.cancel("--user", str(os.geteuid()))
        cluster.wait_for(lambda: set(cluster.node_states()) <= {"idle", "down"}, "idle nodes", 60)

    def deck(self, end=30, name="deck", members=MEMBERS):
        path = self.folder / f"{name}.ini"
        path.write_text(campaign.long_deck(members, end), encoding="utf-8")
        return path

    def submit(self, script, *arguments, options=(), **environment):
        log = self.folder / ("%A_%a.log" if script == "array" else "%j.log")
        return cluster.submit(
            f"--output={log}", "--time=10", *options, JOBS / f"{script}.sbatch", *arguments, environment=environment
        )

    def log(self, job):
        path = self.folder / f"{job}.log"
        return path.read_text() if path.exists() else ""

    def wait_for_members(self, count, path=None, timeout=60):
        return cluster.wait_for(
            lambda: campaign.committed_members(path or self.file) >= count, f"{count} committed members", timeout
        )

    def expect_done(self, job, timeout=180):
        ended = cluster.wait_for_end(job, timeout)
        self.assertEqual(ended["JobState"], "COMPLETED", self.log(job))
        return ended

    def expect_whole(self, deck, path=None):
        """The file is bit by bit that of an uninterrupted run."""
        text = deck.read_text()
        if text not in whole_files:
            number, whole = tempfile.mkstemp(prefix="rodeo-slurm-whole-", suffix=".h5")
            os.close(number)
            whole_files[text] = pathlib.Path(whole)
            result = campaign.rodeo("run", deck, "--output", whole, "--overwrite", ranks=2)
            self.assertEqual(result.returncode, 0, result.stderr)
        ours = read_ensemble.Ensemble(path or self.file)
        self.assertTrue(ours.committed.all())
        self.assertEqual(campaign.differences(read_ensemble.Ensemble(whole_files[text]), ours), [])

    def expect_kept(self, before, path=None):
        """Members that were committed did not run again: their times are those measured then."""
        after = read_ensemble.Ensemble(path or self.file)
        kept = before.committed
        self.assertEqual(before.wall_seconds[kept].tobytes(), after.wall_seconds[kept].tobytes())


class Scripts(SlurmTest):
    def test_one_node(self):
        deck = self.deck(end=1)
        self.expect_done(self.submit("one_node", deck, self.file))
        self.assertEqual(read_ensemble.Ensemble(self.file).attributes["ranks"], cluster.cores)
        self.expect_whole(deck)

    @unittest.skipUnless("RODEO_IMAGE" in os.environ, "RODEO_IMAGE names no image that scripts/container --native made")
    def test_ranks_in_a_container(self):
        """In an image, started by the launcher outside: mpirun on one node, srun on two."""
        deck = self.deck(end=1)
        environment = JOBS / "environments" / "container.bash"
        for script, nodes in (("one_node", 1), ("many_nodes", 2)):
            with self.subTest(script=script):
                path = self.folder / f"{script}.h5"
                self.expect_done(self.submit(script, deck, path, RODEO_ENVIRONMENT=str(environment),
                                             RODEO_IMAGE=os.environ["RODEO_IMAGE"]))
                self.assertEqual(read_ensemble.Ensemble(path).attributes["ranks"], nodes * cluster.cores)
                self.expect_whole(deck, path)

    def test_many_nodes(self):
        deck = self.deck(end=1)
        self.expect_done(self.submit("many_nodes", deck, self.file))
        self.assertEqual(read_ensemble.Ensemble(self.file).attributes["ranks"], 2 * cluster.cores)
        self.expect_whole(deck)

    def test_python_starts_ranks_by_srun(self):
        """In an allocation, softrods.run(deck, launcher="srun") puts its ranks on all nodes; Python's errors are the program's."""
        deck = self.deck(end=1)
        script = self.folder / "job.py"
        script.write_text(f"""#!/usr/bin/python3
#SBATCH --nodes=2 --exclusive
import sys
sys.path.insert(0, {str(campaign.ROOT / 'src' / 'python')!r})
import softrods
file = softrods.run({str(deck)!r}, output={str(self.file)!r}, ranks={2 * cluster.cores}, launcher="srun")
assert file.committed.all()
try:
    softrods.run({str(deck)!r}, {{"time.end": -1}}, output="none.h5", launcher="srun")
except softrods.DeckError as error:
    print(error)
""", encoding="utf-8")
        job = cluster.submit(f"--output={self.folder}/%j.log", "--time=10", script)
        self.expect_done(job)
        attributes = read_ensemble.Ensemble(self.file).attributes
        self.assertEqual(attributes["ranks"], 2 * cluster.cores)
        self.assertEqual(self.log(job).splitlines()[-1], "command line: time.end = '-1' is not allowed (real > 0, s): out of range")
        self.expect_whole(deck)

    def test_nodes_wait_for_each_other(self):
        barrier = pathlib.Path(__file__).with_name("barrier.py")
        self.expect_done(self.submit("many_nodes", self.deck(), self.file, RODEO=str(barrier)))

    def test_threads_of_a_rank(self):
        for script, nodes in (("one_node", 1), ("many_nodes", 2)):
            with self.subTest(script=script):
                path = self.folder / f"{script}.h5"
                job = self.submit(script, self.deck(end=1), path, options=[f"--cpus-per-task={cluster.cores}"])
                self.expect_done(job)
                attributes = read_ensemble.Ensemble(path).attributes
                self.assertEqual(attributes["ranks"], nodes)
                self.assertIn(f"{cluster.cores} threads a rank", str(attributes["backend"]))
                self.assertNotIn("warning", self.log(job))

    def test_a_rank_for_each_gpu(self):
        job = self.submit("gpu_node", self.deck(end=1), self.file, options=["--gpus-per-node=2"])
        self.expect_done(job)
        self.assertEqual(read_ensemble.Ensemble(self.file).attributes["ranks"], 2)
        self.assertEqual(cluster.job(job)["NumCPUs"], "2")

    def test_each_rank_sees_a_gpu_of_its_own(self):
        program = self.folder / "program"
        program.write_text("#!/bin/sh\necho GPU $CUDA_VISIBLE_DEVICES\n", encoding="utf-8")
        program.chmod(0o755)
        job = self.submit("gpu_node", self.deck(end=1), self.file, options=["--gpus-per-node=2"], RODEO=str(program))
        self.expect_done(job)
        seen = [line for line in self.log(job).splitlines() if line.startswith("GPU")]
        self.assertEqual(sorted(seen), ["GPU 0", "GPU 1"])

    def test_a_job_that_misses_a_file_ends(self):
        for name in ("RODEO_ROOT", "RODEO_ENVIRONMENT"):
            with self.subTest(missing=name):
                job = self.submit("one_node", self.deck(), self.file, **{name: str(self.folder / "nowhere")})
                self.assertEqual(cluster.wait_for_end(job)["ExitCode"], "1:0")
                self.assertIn("nowhere", self.log(job))
                self.assertNotIn("command not found", self.log(job))
        self.assertFalse(self.file.exists())

    def test_chain(self):
        decks = [self.deck(end=end, name=name) for end, name in ((30, "first"), (1, "second"))]
        submitted = subprocess.run(
            [JOBS / "chain", JOBS / "one_node.sbatch", *decks], cwd=campaign.ROOT, capture_output=True, text=True, check=True,
            env=cluster.environment
            | {"RODEO_RESULTS": str(self.folder), "SBATCH_TIMELIMIT": "10", "SBATCH_OUTPUT": f"{self.folder}/%j.log"},
        )
        first, second = submitted.stdout.split()
        # The first goes back into the queue, and the second waits all the same.
        self.wait_for_members(1, self.folder / "first.h5")
        cluster.cancel("--batch", "--signal=USR1", first)
        cluster.wait_for(lambda: int(cluster.job(first)["Restarts"]) == 1, "requeue", 60)
        self.assertEqual(cluster.job(second)["JobState"], "PENDING")
        self.expect_done(first)
        self.assertEqual(campaign.committed_members(self.folder / "first.h5"), MEMBERS)
        self.expect_done(second)
        for deck in decks:
            self.expect_whole(deck, self.folder / f"{deck.stem}.h5")

    def test_chain_ends_where_a_campaign_fails(self):
        bad = self.folder / "bad.ini"
        bad.write_text("[rod]\nlenght = 1\n", encoding="utf-8")
        submitted = subprocess.run(
            [JOBS / "chain", JOBS / "one_node.sbatch", bad, self.deck()], cwd=campaign.ROOT, capture_output=True, text=True,
            check=True,
            env=cluster.environment | {"RODEO_RESULTS": str(self.folder), "SBATCH_OUTPUT": f"{self.folder}/%j.log"},
        )
        first, second = submitted.stdout.split()
        self.assertEqual(cluster.wait_for_end(first)["ExitCode"], "1:0")
        self.assertIn("rod.length", self.log(first))
        self.assertEqual(cluster.wait_for_end(second)["JobState"], "CANCELLED")


class Interruption(SlurmTest):
    def test_signal_then_requeue(self):
        for script in ("one_node", "many_nodes"):
            with self.subTest(script=script):
                deck, path = self.deck(), self.folder / f"{script}.h5"
                job = self.submit(script, deck, path)
                self.wait_for_members(1, path)
                cluster.cancel("--batch", "--signal=USR1", job)
                cluster.wait_for(lambda job=job: int(cluster.job(job)["Restarts"]) == 1, "requeue", 60)
                stopped = read_ensemble.Ensemble(path)
                self.assertLess(stopped.committed.sum(), MEMBERS)
                self.expect_done(job)
                self.assertIn("start 2 of job", self.log(job))
                self.expect_kept(stopped, path)
                self.expect_whole(deck, path)

    def test_time_limit(self):
        # Slurm's shortest limit is a minute, and it may signal a minute early: the members wait, together for two minutes.
        deck = self.folder / "deck.ini"
        deck.write_text("[study]\nrepeats = 300\n[model]\nkind = noop\n[noop]\nseconds = 0.4\n", encoding="utf-8")
        job = self.submit("one_node", deck, self.file, options=["--time=1", "--signal=B:USR1@20", "--cpus-per-task=1"])
        self.wait_for_members(1)
        cluster.wait_for(lambda: int(cluster.job(job)["Restarts"]) >= 1, "requeue", 90)
        stopped = read_ensemble.Ensemble(self.file)
        self.assertLess(stopped.committed.sum(), 300)
        self.expect_done(job, timeout=400)
        self.expect_kept(stopped)
        self.assertTrue(read_ensemble.Ensemble(self.file).committed.all())
        self.assertNotIn("DUE TO TIME LIMIT", self.log(job))

    def test_cancel_then_submit_again(self):
        for script in ("one_node", "many_nodes"):
            with self.subTest(script=script):
                deck, path = self.deck(), self.folder / f"{script}.h5"
                job = self.submit(script, deck, path)
                self.wait_for_members(1, path)
                cluster.cancel(job)
                self.assertEqual(cluster.wait_for_end(job)["JobState"], "CANCELLED")
                cancelled = read_ensemble.Ensemble(path)
                self.assertLess(cancelled.committed.sum(), MEMBERS)
                self.expect_done(self.submit(script, deck, path))
                self.expect_kept(cancelled, path)
                self.expect_whole(deck, path)

    def test_array_requeues_one_task(self):
        decks = [self.deck(name=f"deck{k}") for k in (1, 2, 3)]
        job = self.submit("array", *decks, options=["--array=1-3%2"], RODEO_RESULTS=str(self.folder))
        # The first task is the one whose number is that of the array.
        tasks = [f"{job}_{k}" for k in (1, 2, 3)]
        self.wait_for_members(1, self.folder / "deck1.h5")
        cluster.cancel("--batch", "--signal=USR1", tasks[0])
        cluster.wait_for(lambda: int(cluster.job(tasks[0])["Restarts"]) == 1, "requeue", 60)
        for task, deck in zip(tasks, decks):
            ended = self.expect_done(task, timeout=400)
            self.assertEqual(ended["Restarts"], "1" if task == tasks[0] else "0")
            self.expect_whole(deck, self.folder / f"{deck.stem}.h5")

    def test_array_runs_a_sweep_in_parts(self):
        deck = self.deck()
        deck.write_text(deck.read_text().replace("list(2)", "list(2, 1.5, 1)"))
        job = self.submit("array", deck, options=["--array=1-3%2"], RODEO_RESULTS=str(self.folder))
        parts = [self.folder / f"deck_part_{k}_of_3.h5" for k in (1, 2, 3)]
        self.wait_for_members(1, parts[0])
        cluster.cancel("--batch", "--signal=USR1", f"{job}_1")
        for k in (1, 2, 3):
            self.expect_done(f"{job}_{k}", timeout=600)
        merged = campaign.rodeo("merge", *parts, "--output", self.file)
        self.assertEqual(merged.returncode, 0, merged.stderr)
        self.expect_whole(deck)


class Failure(SlurmTest):
    def test_node_down(self):
        deck = self.deck()
        job = self.submit("one_node", deck, self.file)
        self.wait_for_members(1)
        node = cluster.job(job)["NodeList"]
        self.addCleanup(cluster.control, "update", f"NodeName={node}", "State=RESUME")
        cluster.control("update", f"NodeName={node}", "State=DOWN", "Reason=test")
        # Slurm itself puts the job back into the queue, for the other node.
        cluster.wait_for(lambda: int(cluster.job(job)["Restarts"]) == 1, "requeue", 60)
        stopped = read_ensemble.Ensemble(self.file)
        self.expect_done(job)
        self.assertNotEqual(cluster.job(job)["NodeList"], node)
        self.expect_kept(stopped)
        self.expect_whole(deck)

    def test_node_daemon_killed_for_good(self):
        deck = self.deck()
        job = self.submit("one_node", deck, self.file)
        self.wait_for_members(1)
        node = cluster.job(job)["NodeList"]
        self.addCleanup(cluster.start_node, node)
        os.kill(cluster.pid(f"slurmd-{node}"), signal.SIGKILL)
        self.expect_done(job, timeout=240)
        self.expect_whole(deck)

    def test_ranks_killed(self):
        deck = self.deck()
        job = self.submit("many_nodes", deck, self.file)
        self.wait_for_members(1)
        os.kill(writers_of(self.file, "rodeo")[-1], signal.SIGKILL)
        self.assertEqual(cluster.wait_for_end(job)["JobState"], "FAILED")
        killed = read_ensemble.Ensemble(self.file)
        self.expect_done(self.submit("many_nodes", deck, self.file))
        self.expect_kept(killed)
        self.expect_whole(deck)


def writers_of(path, *names):
    """The processes of rodeo and of mpirun, or of those named, with this file as their output."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            arguments = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if pathlib.Path(os.fsdecode(arguments[0])).name in (names or ("rodeo", "mpirun")) and os.fsencode(path) in arguments:
            found.append(int(entry.name))
    return sorted(found)


class OneFile(SlurmTest):
    def test_second_campaign_is_refused(self):
        deck = self.deck(members=100 * MEMBERS)  # it is cancelled when the test ends
        first = self.submit("one_node", deck, self.file)
        self.wait_for_members(1)
        second = self.submit("one_node", deck, self.file)
        self.assertEqual(cluster.wait_for_end(second)["ExitCode"], "1:0")
        self.assertIn("is being written by a running campaign (process ", self.log(second))
        self.assertEqual(cluster.job(first)["JobState"], "RUNNING")

    def test_lock_ends_with_the_job(self):
        deck = self.deck()
        first = self.submit("one_node", deck, self.file)
        self.wait_for_members(1)
        for pid in writers_of(self.file):  # mpirun and its ranks
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(cluster.wait_for_end(first)["JobState"], "FAILED")
        killed = read_ensemble.Ensemble(self.file)
        self.expect_done(self.submit("one_node", deck, self.file))
        self.expect_kept(killed)
        self.expect_whole(deck)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("slurm_test: terminated"))  # by an exception, so that the daemons end
    unittest.main(verbosity=2)
