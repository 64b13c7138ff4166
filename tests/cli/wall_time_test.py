"""rodeo run --wall-time."""

import resource
import time
import unittest

import campaign
import lost_file_test
from campaign import read_ensemble, rodeo
from cli_test_case import DONE, FAILED, STOPPED, CliTest


class WallTime(CliTest):
    """A campaign that knows when it must end starts no member that would be cut off, unless it keeps checkpoints."""

    NO_CHECKPOINTS = "--output.checkpoint_interval=0"

    def run_until(self, deck, *arguments, ranks=None, **environment):
        return rodeo("run", self.deck(deck), "--output", self.file, *arguments, ranks=ranks, directory=self.folder, **environment)

    def finished(self):
        ensemble = read_ensemble.Ensemble(self.file)
        return sorted(ensemble.parameters["noop.seconds"][ensemble.committed])

    def test_members_too_long_for_the_time_are_not_started(self):
        """Nor does it wait for anything: it would for ten minutes."""
        result = self.run_until(campaign.waiting_deck((0.1, 3600, 0.2, 7200)), "--wall-time=10:00", self.NO_CHECKPOINTS)
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertIn("before the end of its time", result.stderr)
        self.assertEqual(self.finished(), [0.1, 0.2])

    def test_what_fits_is_done_before_the_end(self):
        deck = campaign.waiting_deck((0.5,), repeats=100)
        result = self.run_until(deck, "--wall-time=0:12", ranks=2)
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        stopped = read_ensemble.Ensemble(self.file)
        self.assertGreater(stopped.committed.sum(), 0)
        self.assertLess(stopped.committed.sum(), 2 * 12 / 0.5)
        self.succeed("resume", self.file, ranks=16)
        resumed = read_ensemble.Ensemble(self.file)
        self.assertTrue(resumed.committed.all())
        kept = stopped.committed
        self.assertEqual(stopped.wall_seconds[kept].tobytes(), resumed.wall_seconds[kept].tobytes())

    def test_the_end_comes_within_a_long_slice(self):
        """A thousand steps of a pile take half a minute of a core."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = self.run_until(lost_file_test.Seconds.PILE, "--wall-time=0:06")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertLess(after.ru_utime - before.ru_utime, 12, "it went on to the end of the slice")
        self.assertIn("1 member in flight will go on from its checkpoint", result.stderr)
        self.assertTrue((self.folder / "campaign.h5.checkpoints" / "member_0").exists())

    def test_nothing_done_is_a_failure(self):
        # With code 75 a batch system would start it again, for ever.
        result = self.run_until(campaign.waiting_deck((3600,)), "--wall-time=10:00", self.NO_CHECKPOINTS)
        self.assertEqual(result.returncode, FAILED, result.stderr)
        self.assertIn("no member ended within the wall time", result.stderr)

    def test_end_of_the_slurm_job_counts_too(self):
        end = str(int(time.time()) + 600)
        result = self.run_until(campaign.waiting_deck((0.1, 3600)), "--wall-time=1:00:00", self.NO_CHECKPOINTS,
                                   SLURM_JOB_END_TIME=end)
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertEqual(self.finished(), [0.1])

    def test_enough_time_changes_nothing(self):
        result = self.run_until(campaign.waiting_deck((0.1, 0.2)), "--wall-time=1-00:00:00")
        self.assertEqual(result.returncode, DONE, result.stderr)

    def test_bad_wall_time_is_refused(self):
        for text in ("60", "1:2:3:4", "soon", "1-30", "-1:00", ""):
            with self.subTest(text=text):
                self.refuse("run", self.deck(), "--output", self.file, f"--wall-time={text}", mentions=["--wall-time"])


if __name__ == "__main__":
    unittest.main()
