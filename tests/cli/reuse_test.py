"""Rows that members take from other campaigns instead of running: study.reuse."""

import unittest

import numpy as np

import campaign
from campaign import SMALL_DECK, read_ensemble
from cli_test_case import CliTest

NOT_RANDOM = SMALL_DECK.replace("repeats = 2\n", "").replace("perturbation = 1e-2\nperturbation_duration = 0.01\n", "")
LONGER = SMALL_DECK.replace("list(2, 60)", "list(2, 60, 50)")


class Reuse(CliTest):
    def run_deck(self, text, file, *options, ranks=None):
        said = self.succeed("run", self.deck(text), "--output", file, *options, ranks=ranks).stdout
        return said, read_ensemble.Ensemble(self.folder / file)

    def expect_equal(self, ours, theirs):
        ours, theirs = (read_ensemble.Ensemble(self.folder / file) for file in (ours, theirs))
        self.assertEqual(campaign.differences(ours, theirs), [])

    def test_rows_are_those_of_a_run_without_and_are_marked(self):
        self.run_deck(SMALL_DECK, "old.h5")
        for ranks in (None, 2):
            with self.subTest(ranks=ranks):
                said, found = self.run_deck(SMALL_DECK, "new.h5", "--study.reuse=old.h5", "--overwrite", ranks=ranks)
                self.assertIn("\n12 of them taken from other files (study.reuse)\n", said)
                self.assertEqual(found.rank.tolist(), [-1] * 12)
                self.assertEqual(found.wall_seconds.tolist(), [0.0] * 12)
                self.expect_equal("new.h5", "old.h5")

    def test_what_no_file_has_runs(self):
        self.run_deck(LONGER, "whole.h5")
        self.run_deck(SMALL_DECK, "old.h5", "--study.repeats=1")
        said, found = self.run_deck(LONGER, "new.h5", "--study.reuse=old.h5", ranks=2)
        # The candidates of the old file have other numbers now, but the first two; and so other random numbers.
        self.assertIn("\n2 of them taken from other files", said)
        self.assertEqual(np.flatnonzero(found.rank == -1).tolist(), [0, 2])
        self.expect_equal("new.h5", "whole.h5")

    def test_without_randomness_numbers_of_candidates_do_not_matter(self):
        self.run_deck(NOT_RANDOM.replace("list(2, 60)", "list(60)"), "sixty.h5")
        self.run_deck(NOT_RANDOM.replace("linspace(0.5, 1.5, 3)", "list(1)"), "soft.h5")
        said, found = self.run_deck(NOT_RANDOM, "new.h5", "--study.reuse=sixty.h5, soft.h5", "--study.seed=3")
        self.assertIn("\n4 of them taken from other files", said)
        self.assertEqual(np.flatnonzero(found.rank == -1).tolist(), [1, 2, 3, 5])
        self.run_deck(NOT_RANDOM, "whole.h5", "--study.seed=3")
        self.expect_equal("new.h5", "whole.h5")

    def test_a_deck_may_leave_the_values_of_axes_to_its_study(self):
        left = NOT_RANDOM.replace("\nbend_stiffness = 1\n", "\n")
        self.run_deck(left, "left.h5")
        self.run_deck(NOT_RANDOM, "given.h5")
        for deck, file in ((left, "left.h5"), (left, "given.h5"), (NOT_RANDOM, "left.h5")):
            said, _ = self.run_deck(deck, "new.h5", f"--study.reuse={file}", "--overwrite")
            self.assertIn("\n6 of them taken from other files", said)

    def test_a_value_of_the_deck_is_a_point_too(self):
        self.run_deck(NOT_RANDOM, "old.h5")
        one = NOT_RANDOM.replace("kind = sweep", "kind = single").replace("axial_force = 1\n", "axial_force = 60\n")
        one = one[: one.index("[sweep]")] + one[one.index("[rod]") :]
        said, found = self.run_deck(one, "one.h5", "--study.reuse=old.h5")
        self.assertIn("\n1 of them taken", said)
        self.run_deck(one, "alone.h5")
        self.expect_equal("one.h5", "alone.h5")

    def test_members_that_ran_with_other_values_or_ended_by_chance_are_not_taken(self):
        self.run_deck(NOT_RANDOM, "old.h5", "--study.rerun=1 with time.step = 2.5e-5")
        _, found = self.run_deck(NOT_RANDOM, "new.h5", "--study.reuse=old.h5")
        self.assertEqual(np.flatnonzero(found.rank != -1).tolist(), [1])
        said, _ = self.run_deck(NOT_RANDOM, "other.h5", "--study.reuse=old.h5", "--study.rerun=1 with time.step = 2.5e-5")
        self.assertIn("\n5 of them taken", said)

    def test_a_search_takes_what_it_comes_across(self):
        deck = campaign.search_deck(10, 0)
        _, first = self.run_deck(deck, "old.h5")
        said, found = self.run_deck(deck, "new.h5", "--study.reuse=old.h5", "--optimize.generations=15")
        self.assertIn(f"\n{first.committed.sum()} of them taken", said)
        self.run_deck(deck, "whole.h5", "--optimize.generations=15")
        self.expect_equal("new.h5", "whole.h5")

    def test_a_campaign_that_is_killed_goes_on(self):
        deck = LONGER.replace("end = 2", "end = 20")
        self.run_deck(deck, "whole.h5")
        self.run_deck(deck.replace("list(2, 60, 50)", "list(2)").replace("linspace(0.5, 1.5, 3)", "list(0.5)"), "old.h5")
        members = len(read_ensemble.Ensemble(self.folder / "whole.h5"))
        for instant in range(20):
            run = ("run", self.deck(deck), "--study.reuse=old.h5", "--output", self.file, "--resume")
            self.kill_after(instant * members // 20, self.file, *run)
        (self.folder / "old.h5").unlink()
        said = self.succeed("resume", self.file)
        self.assertIn("old.h5: No such file or directory; members that it would have given run", said.stderr)
        self.expect_equal(self.file, "whole.h5")
        self.assertEqual(np.flatnonzero(read_ensemble.Ensemble(self.file).rank == -1).tolist(), [0, 1])

    def test_what_cannot_be_taken_is_refused(self):
        self.run_deck(SMALL_DECK, "old.h5")
        deck = self.deck()
        for option, mentions in {
            "--study.reuse=none.h5": ["none.h5: No such file"],
            "--rod.elements=11": ["old.h5 has members of another deck: they differ in rod.elements"],
            "--output.frames=3": ["they differ in output.frames"],
            "--rod.bend_stiffness=7": ["no row that a member of this study could take"],
        }.items():
            options = [option] if "reuse" in option else [option, "--study.reuse=old.h5"]
            if "bend" in option:
                options.append("--sweep.axis=load.axial_force : list(2, 60)")
            self.refuse("run", deck, *options, "--output", "new.h5", mentions=["study.reuse: ", *mentions])
            self.assertFalse((self.folder / "new.h5").exists())
        self.refuse("run", deck, "--study.reuse=old.h5", "--output", "old.h5", "--overwrite", mentions=["one of the deck's study.reuse"])


if __name__ == "__main__":
    unittest.main()
