"""Signals and resume."""

import signal
import unittest

import h5py

import campaign
from campaign import read_ensemble
from cli_test_case import BAD_INPUT, STOPPED, CliTest


class Interruption(CliTest):
    """A signal stops a campaign in good order; resume ends where an uninterrupted run would have."""

    MEMBERS = 128

    def long_campaign(self, ranks=None, end=3):
        deck = self.deck(campaign.long_deck(self.MEMBERS, end))
        process = self.start("run", deck, "--output", self.file, ranks=ranks)
        campaign.wait_for_members(self.file, 1, process)
        return deck, process

    def check_resumed(self, deck, process):
        self.assertEqual(process.wait(), STOPPED)
        stopped = read_ensemble.Ensemble(self.file)
        kept = stopped.committed
        self.assertLess(kept.sum(), self.MEMBERS, "the campaign was over before the signal came")
        self.succeed("resume", self.file, ranks=2)
        resumed = read_ensemble.Ensemble(self.file)
        self.assertTrue(resumed.committed.all())
        self.assertEqual(stopped.wall_seconds[kept].tobytes(), resumed.wall_seconds[kept].tobytes(), "members ran twice")
        self.succeed("run", deck, "--output", "whole.h5", ranks=3)
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, resumed), [])

    def test_term_of_a_single_process(self):
        deck, process = self.long_campaign()
        process.send_signal(signal.SIGTERM)
        self.check_resumed(deck, process)

    def test_user_signal_through_mpirun(self):
        deck, process = self.long_campaign(ranks=3)
        process.send_signal(signal.SIGUSR1)
        self.check_resumed(deck, process)

    def test_running_campaign_can_be_read_but_not_taken_over(self):
        # Longer than the seconds for which resume waits in case the writer is only just ending.
        _, process = self.long_campaign(ranks=2, end=60)
        with h5py.File(self.file, "r") as file:
            self.assertEqual(file["members/status"].shape, (self.MEMBERS,))
        self.succeed("status", self.file)
        result = self.call("resume", self.file)
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertIn("campaign.h5", result.stderr)
        self.assertIsNone(process.poll(), "the campaign ended before it could be taken over")
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(), STOPPED)


if __name__ == "__main__":
    unittest.main()
