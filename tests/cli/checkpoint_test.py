"""Checkpoints of members in flight."""

import signal
import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import STOPPED, CliTest


class Checkpoints(CliTest):
    """Members that run when a campaign ends go on from where they were, bit by bit."""

    def setUp(self):
        super().setUp()
        self.checkpoints = self.folder / "campaign.h5.checkpoints"

    def interrupted(self, signal_number, text=campaign.long_deck(1, 100)):
        """A campaign of one member of half a second or so, stopped by a signal once it has a checkpoint."""
        deck = self.deck(text + "checkpoint_interval = 0.1\n")
        process = self.start("run", deck, "--output", self.file)
        campaign.wait_until((self.checkpoints / "member_0").exists, process)
        process.send_signal(signal_number)
        process.wait()
        self.assertFalse(read_ensemble.Ensemble(self.file).committed.any(), "the member ended before the stop")
        self.assertTrue((self.checkpoints / "member_0").exists())
        return deck

    def check_resumed(self, deck):
        result = self.succeed("resume", self.file)
        self.assertFalse(self.checkpoints.exists(), "a checkpoint of a member that ended")
        self.succeed("run", deck, "--output", "whole.h5")
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])
        self.assertFalse((self.folder / "whole.h5.checkpoints").exists())
        return result.stderr

    def test_a_member_goes_on_after_a_signal(self):
        deck = self.interrupted(signal.SIGTERM)
        self.assertIn("checkpoints of 1 member in", self.succeed("status", self.file).stdout)
        self.assertNotIn("anew", self.check_resumed(deck))

    def test_a_member_goes_on_after_a_kill(self):
        deck = self.interrupted(signal.SIGKILL)
        self.assertNotIn("anew", self.check_resumed(deck))

    def test_measures_go_on_after_a_kill(self):
        measures = "define = swing [m] : rms(x(middle))\ndefine = work [J] : integral(power_loads)\n"
        text = campaign.long_deck(1, 100).replace("[output]", f"[measure]\ninterval = 0.007\n{measures}[output]")
        self.assertNotIn("anew", self.check_resumed(self.interrupted(signal.SIGKILL, text)))
        self.assertTrue(np.isfinite(read_ensemble.Ensemble(self.file).observables["swing"]).all())

    def test_flagella_in_contact_go_on_after_a_kill(self):
        deck = self.interrupted(signal.SIGKILL, campaign.flagella_deck([0.3], 2))
        self.assertNotIn("anew", self.check_resumed(deck))
        self.assertGreater(read_ensemble.Ensemble(self.file).observables["contact_steps"][0], 0)

    def test_a_bad_checkpoint_is_told_and_its_member_starts_anew(self):
        deck = self.interrupted(signal.SIGTERM)
        path = self.checkpoints / "member_0"
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        self.assertIn("member_0 is damaged: member 0 starts anew", self.check_resumed(deck))

    def test_a_new_campaign_starts_anew(self):
        deck = self.interrupted(signal.SIGTERM)
        self.succeed("run", deck, "--output", self.file, "--overwrite", "--time.end=0.1")
        self.assertFalse(self.checkpoints.exists())
        self.assertEqual(list(read_ensemble.Ensemble(self.file).steps), [2000])

    def test_a_member_longer_than_the_wall_time_ends_after_some_runs(self):
        deck = self.deck(campaign.waiting_deck((7,)))
        result = self.call("run", deck, "--output", self.file, "--wall-time=0:06")
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertIn("1 member in flight will go on from its checkpoint", result.stderr)
        self.assertTrue((self.checkpoints / "member_0").exists())
        self.assertNotIn("anew", self.succeed("resume", self.file).stderr)
        self.assertFalse(self.checkpoints.exists())

    def test_a_member_beyond_its_deadline_is_stopped(self):
        deck = self.deck(campaign.waiting_deck((0.1, 60)))
        self.succeed("run", deck, "--output", self.file, "--study.deadline=0.3")
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual([read_ensemble.STATUS_NAMES[status] for status in ensemble.status], ["done", "timed out"])


if __name__ == "__main__":
    unittest.main()
