"""Members that ended badly and run again: rodeo extend --failed."""

import json
import signal
import time
import unittest

import h5py
import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest
from extend_test import rows

DECK = campaign.failing_deck(0.4)
SHORTER = "--time.step=5e-6"
GOOD = [0, 1, 2, 3]
BAD = list(range(4, 12))


class FailedAgain(CliTest):
    def run_with_failures(self, deck=DECK):
        result = self.call("run", self.deck(deck), "--output", self.file)
        self.assertIn(result.returncode, (0, 2), result.stderr)
        found = read_ensemble.Ensemble(self.file)
        self.assertEqual(np.flatnonzero(np.isin(found.status, read_ensemble.FAILURES)).tolist(), BAD)
        return found

    def again(self):
        return read_ensemble.Ensemble(self.file)

    def expect_shorter_steps(self, members, deck=DECK):
        """Members that ran again have the rows of a deck that says the shorter step itself."""
        self.succeed("run", self.deck(deck), SHORTER, "--output", "shorter.h5", "--overwrite")
        same = ("parameters", "observables", "status", "steps", "seed")
        whole, ours = rows(self.folder / "shorter.h5", same), rows(self.file, same)
        self.assertEqual([ours[member] for member in members], [whole[member] for member in members])

    def test_they_run_with_other_steps_and_the_others_stay(self):
        self.run_with_failures()
        before = rows(self.file)
        result = self.succeed("extend", self.file, "--failed", SHORTER, ranks=2)
        self.assertIn("8 members that ended badly run again", result.stdout)
        after = rows(self.file)
        self.assertEqual([after[k] for k in GOOD], [before[k] for k in GOOD])
        self.expect_shorter_steps(BAD)
        self.assertEqual(self.again().deck_values("study.rerun"), ["4-11 with time.step=5e-6"])
        self.assertEqual(self.again().members["rerun"].tolist(), [0] * 4 + [1] * 8)
        # What ran again is known to all that goes on with the file, or shows it.
        self.assertTrue(json.loads(self.succeed("status", self.file, "--json").stdout)["complete"])
        self.succeed("best", self.file, "--member=5", "--output", "one.h5")
        one = read_ensemble.Ensemble(self.folder / "one.h5")
        self.assertEqual(one.observables["total_energy"].tolist(), self.again().observables["total_energy"][5:6].tolist())
        self.refuse("extend", self.file, "--failed", SHORTER, mentions=["no member of", "ended badly"])
        with h5py.File(self.file, "r+") as file:
            file["members/commit"][6] = 0
        self.succeed("resume", self.file)
        self.assertEqual(rows(self.file, ("observables", "steps"))[6], tuple(after[6][k] for k in (3, 4)))

    def test_a_second_time_the_last_line_holds(self):
        self.run_with_failures()
        self.call("extend", self.file, "--failed", "--time.step=1.6e-5")
        bad = np.flatnonzero(np.isin(self.again().status, read_ensemble.FAILURES))
        self.assertGreater(len(BAD), len(bad))
        self.assertGreater(len(bad), 0)
        self.succeed("extend", self.file, "--failed", SHORTER)
        self.expect_shorter_steps(bad)

    def test_with_nothing_changed_they_run_as_before(self):
        before = self.run_with_failures()
        result = self.call("extend", self.file, "--failed")
        self.assertIn("8 members that ended badly run again", result.stdout)
        self.assertEqual(campaign.differences(before, self.again()), [])
        self.assertEqual(self.again().deck, before.deck)

    def test_a_kill_at_any_instant_leaves_either_campaign(self):
        deck = campaign.failing_deck(2)
        self.call("run", self.deck(deck), "--output", self.file)
        for instant in range(20):
            process = self.start("extend", self.file, "--failed", SHORTER)
            time.sleep(0.01 * instant)  # whenever: each instant is as good
            process.send_signal(signal.SIGKILL)
            process.wait()
            statuses = self.again().status
            if (statuses == 0).any():
                break
        else:
            self.skipTest("no kill came between the first row and the last")
        self.succeed("resume", self.file)
        self.expect_shorter_steps(BAD, deck)

    def test_parts_run_their_own_again_and_make_one_campaign(self):
        deck = self.deck(DECK)
        for number in (1, 2):
            self.call("run", deck, "--part", f"{number}/2")
            self.succeed("extend", f"deck_part_{number}_of_2.h5", "--failed", SHORTER)
        self.succeed("merge", "deck_part_1_of_2.h5", "deck_part_2_of_2.h5", "--output", self.file)
        self.expect_shorter_steps(BAD)

    def test_what_cannot_change_is_refused(self):
        self.run_with_failures()
        self.refuse("extend", self.file, "--failed", "--time.end=1", mentions=["cannot change time.end"])
        self.refuse("extend", self.file, "--failed", "--study.repeats=3", mentions=["cannot change study.repeats"])
        self.refuse("extend", self.file, "--failed", "--time.stp=1", mentions=["time.step"])
        self.succeed("extend", self.file, "--failed", SHORTER)
        self.refuse("extend", self.file, "--study.repeats=3", mentions=["study.rerun"])
        for line, reason in (
            ("3", "is not of the form"),
            ("3 with", "is not of the form"),
            ("3-1 with time.step=1e-5", "is not of the form"),
            ("40 with time.step=1e-5", "names a member beyond the last, 11"),
            ("3 with rod.length=1", "cannot change rod.length"),
        ):
            self.refuse("run", self.deck(), f"--study.rerun={line}", "--output=new.h5", mentions=["study.rerun", reason])
        self.succeed("run", self.deck(campaign.search_deck(2, 0)), "--output", "search.h5")
        self.refuse("extend", "search.h5", "--failed", mentions=["cannot be extended"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
