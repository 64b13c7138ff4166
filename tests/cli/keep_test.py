"""Whose frames a campaign keeps: output.keep."""

import signal
import unittest

import numpy as np

import campaign
from campaign import SMALL_MEMBERS, read_ensemble
from cli_test_case import BAD_INPUT, DONE, FAILED, STOPPED, CliTest

BEST = ("--study.objective=total_energy", "--output.keep=best 3")


class Keep(CliTest):
    def setUp(self):
        super().setUp()
        self.kept = self.folder / "campaign_kept.h5"

    def expect_best_of(self, whole):
        """The kept file holds the frames that the members of `whole` with the greatest energies have, bit by bit."""
        kept = read_ensemble.Ensemble(self.kept)
        self.assertTrue(kept.committed.all())
        energy = whole.observables["total_energy"]
        best = np.argsort(-energy, kind="stable")[:3]
        self.assertEqual(list(2 * kept.candidate + kept.repeat), list(best))
        for slot, member in enumerate(best):
            self.assertEqual(kept.seed[slot], whole.seed[member])
            self.assertEqual(kept.steps[slot], whole.steps[member])
            for name, values in whole.observables.items():
                self.assertEqual(kept.observables[name][slot].tobytes(), values[member].tobytes(), name)
            for ours, theirs in zip(kept.trajectory(slot), whole.trajectory(member)):
                self.assertEqual(ours.tobytes(), theirs.tobytes())

    def whole(self, deck):
        self.succeed("run", deck, "--output", "whole.h5")
        return read_ensemble.Ensemble(self.folder / "whole.h5")

    def test_frames_of_the_best_are_those_of_all_on_any_number_of_ranks(self):
        deck = self.deck()
        whole = self.whole(deck)
        for ranks in (1, 3):
            self.succeed("run", deck, *BEST, "--output", self.file, "--overwrite", ranks=ranks)
            ours = read_ensemble.Ensemble(self.file)
            self.assertEqual(ours.frames, 0)
            self.assertEqual(ours.observables["total_energy"].tobytes(), whole.observables["total_energy"].tobytes())
            self.expect_best_of(whole)
        self.assertLess(self.file.stat().st_size, (self.folder / "whole.h5").stat().st_size)
        self.assertIn("kept frames", self.succeed("check", deck, *BEST).stdout)

    def test_resume_makes_what_is_missing(self):
        deck = self.deck()
        whole = self.whole(deck)
        self.succeed("run", deck, *BEST, "--output", self.file)
        self.kept.write_text("something else")
        taken = self.call("resume", self.file)
        self.assertEqual(taken.returncode, FAILED, taken.stderr)
        self.assertIn(f"go on with: rodeo resume {self.file}", taken.stderr)
        self.kept.unlink()
        self.assertIn("rodeo resume", self.succeed("status", self.file).stdout)
        self.succeed("resume", self.file)
        self.expect_best_of(whole)
        self.assertNotIn("rodeo resume", self.succeed("status", self.file).stdout)

    def test_stop_while_the_best_run_again(self):
        deck = self.deck(campaign.long_deck(2, 60))
        best = ("--study.objective=total_energy", "--output.keep=best 1", "--output.checkpoint_interval=0.1")
        process = self.start("run", deck, *best, "--output", self.file)
        campaign.wait_until(self.kept.exists, process)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), STOPPED)
        self.assertFalse(read_ensemble.Ensemble(self.kept).committed.any())
        alone = self.call("resume", self.kept)
        self.assertEqual(alone.returncode, BAD_INPUT)
        self.assertIn("goes on with its campaign's file", alone.stderr)
        self.assertEqual(self.call("resume", self.file).returncode, DONE)
        whole = self.whole(deck)
        kept = read_ensemble.Ensemble(self.kept)
        member = int(np.argmax(whole.observables["total_energy"]))
        self.assertEqual(kept.trajectory(0)[1].tobytes(), whole.trajectory(member)[1].tobytes())

    def test_best_member_of_a_campaign_that_keeps_the_best(self):
        self.succeed("run", self.deck(), *BEST, "--output", self.file)
        self.succeed("best", self.file)
        best = read_ensemble.Ensemble(self.folder / "campaign_best.h5")
        kept = read_ensemble.Ensemble(self.kept)
        self.assertEqual(best.trajectory(0)[1].shape, kept.trajectory(0)[1].shape)

    def test_none(self):
        self.succeed("run", self.deck(), "--output.keep=none", "--output", self.file)
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual((ensemble.frames, int(ensemble.committed.sum())), (0, SMALL_MEMBERS))
        self.assertFalse(self.kept.exists())

    def test_what_cannot_be_kept_is_refused(self):
        deck = self.deck()
        self.refuse("run", deck, "--output.keep=some", "--output", self.file, mentions=["output.keep", "all, none or best K"])
        self.refuse("run", deck, "--output.keep=best 0", "--output", self.file, mentions=["output.keep", "best K"])
        self.refuse("run", deck, "--output.keep=best 2", "--output", self.file, mentions=["study.objective", "missing"])
        self.refuse("run", deck, *BEST, "--output.frames=0", "--output", self.file, mentions=["output.keep", "output.frames"])
        ladder = campaign.ROOT / "inputs" / "validation" / "hanging_rod.ini"
        self.refuse("run", ladder, "--output.keep=none", "--output", self.file, mentions=["output.keep", "convergence"])
        self.kept.write_text("something else")
        self.refuse("run", deck, *BEST, "--output", self.file, mentions=[str(self.kept), "not an ensemble file"])
        self.kept.unlink()
        self.succeed("run", deck, "--output", self.kept)
        self.refuse("run", deck, *BEST, "--output", self.file, mentions=[str(self.kept), "exists already"])


if __name__ == "__main__":
    unittest.main()
