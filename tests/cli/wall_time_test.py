"""rodeo run --wall-time."""

import time
import unittest

import campaign
import lost_file_test
from campaign import read_ensemble, rodeo
from cli_test_case import DONE, FAILED, STOPPED, CliTest


class WallTime(CliTest):
    """A campaign that knows when it must end starts no member that would be cut off, unless it keeps checkpoints."""

    NO_CHECKPOINTS = "--output.checkpoint_interval=0"

    def run_timed(self, deck, *arguments, ranks=None, **environment):
        started = time.monotonic()
        result = rodeo("run", self.deck(deck), "--output", self.file, *arguments, ranks=ranks, directory=self.folder,
                       **environment)
        return result, time.monotonic() - started

    def finished(self):
        ensemble = read_ensemble.Ensemble(self.file)
        return sorted(ensemble.parameters["noop.seconds"][ensemble.committed])

    def test_members_too_long_for_the_time_are_not_started(self):
        result, seconds = self.run_timed(campaign.waiting_deck((0.1, 30, 0.2, 60)), "--wall-time=0:20", self.NO_CHECKPOINTS)
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertIn("before the end of its time", result.stderr)
        self.assertEqual(self.finished(), [0.1, 0.2])
        self.assertLess(seconds, 15, "it waited for nothing")

    def test_what_fits_is_done_before_the_end(self):
        deck = campaign.waiting_deck((0.5,), repeats=100)
        result, seconds = self.run_timed(deck, "--wall-time=0:08", ranks=2)
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertLess(seconds, 12)
        stopped = read_ensemble.Ensemble(self.file)
        self.assertGreater(stopped.committed.sum(), 5)
        self.assertLess(stopped.committed.sum(), 40)
        self.succeed("resume", self.file, ranks=16)
        resumed = read_ensemble.Ensemble(self.file)
        self.assertTrue(resumed.committed.all())
        kept = stopped.committed
        self.assertEqual(stopped.wall_seconds[kept].tobytes(), resumed.wall_seconds[kept].tobytes())

    def test_the_end_comes_within_a_long_slice(self):
        """A thousand steps of a pile take half a minute."""
        result, seconds = self.run_timed(lost_file_test.Seconds.PILE, "--wall-time=0:03")
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertLess(seconds, 8)
        self.assertIn("1 member in flight will go on from its checkpoint", result.stderr)
        self.assertTrue((self.folder / "campaign.h5.checkpoints" / "member_0").exists())

    def test_nothing_done_is_a_failure(self):
        # With code 75 a batch system would start it again, for ever.
        result, seconds = self.run_timed(campaign.waiting_deck((30,)), "--wall-time=0:10", self.NO_CHECKPOINTS)
        self.assertEqual(result.returncode, FAILED, result.stderr)
        self.assertIn("no member ended within the wall time", result.stderr)
        self.assertLess(seconds, 8)

    def test_end_of_the_slurm_job_counts_too(self):
        end = str(int(time.time()) + 20)
        result, _ = self.run_timed(campaign.waiting_deck((0.1, 30)), "--wall-time=1:00:00", self.NO_CHECKPOINTS,
                                   SLURM_JOB_END_TIME=end)
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertEqual(self.finished(), [0.1])

    def test_enough_time_changes_nothing(self):
        result, _ = self.run_timed(campaign.waiting_deck((0.1, 0.2)), "--wall-time=1-00:00:00")
        self.assertEqual(result.returncode, DONE, result.stderr)

    def test_bad_wall_time_is_refused(self):
        for text in ("60", "1:2:3:4", "soon", "1-30", "-1:00", ""):
            with self.subTest(text=text):
                self.refuse("run", self.deck(), "--output", self.file, f"--wall-time={text}", mentions=["--wall-time"])


if __name__ == "__main__":
    unittest.main()
