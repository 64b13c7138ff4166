"""Sweeps that run in parts, each by itself, and the one campaign that rodeo merge makes of them."""

import shutil
import unittest

import h5py

import campaign
from campaign import SMALL_DECK, SMALL_MEMBERS, read_ensemble
from cli_test_case import CliTest

PARTS = 3

SEVERAL_OBJECTIVES = SMALL_DECK.replace(
    "repeats = 2\n", "repeats = 2\nobjective = total_energy\npareto = total_energy min, tip_deflection max\n"
)
BEST_FRAMES = SEVERAL_OBJECTIVES.replace("frames = 5", "frames = 5\nkeep = best 2")


class Parts(CliTest):
    def part(self, number, count=PARTS):
        return self.folder / f"deck_part_{number}_of_{count}.h5"

    def run_parts(self, deck, numbers=range(1, PARTS + 1)):
        for number in numbers:
            self.succeed("run", deck, "--part", f"{number}/{PARTS}")
        return [self.part(number) for number in numbers]

    def merged(self, *files, ranks=None):
        self.succeed("merge", *files, ranks=ranks)
        return read_ensemble.Ensemble(self.folder / "deck.h5")

    def whole(self, deck):
        self.succeed("run", deck, "--output", "whole.h5", "--overwrite")
        return read_ensemble.Ensemble(self.folder / "whole.h5")

    def test_the_whole_is_that_of_one_run(self):
        for text in (SMALL_DECK, SEVERAL_OBJECTIVES, BEST_FRAMES):
            for ranks in (None, 2):
                with self.subTest(text=text, ranks=ranks):
                    deck = self.deck(text)
                    files = self.run_parts(deck)
                    merged = self.merged(*reversed(files), ranks=ranks)
                    whole = self.whole(deck)
                    self.assertEqual(campaign.differences(whole, merged), [])
                    self.assertEqual(merged.deck, whole.deck)
                    for end in (".h5", "_kept.h5"):
                        self.assertEqual((self.folder / f"deck{end}").exists(), (self.folder / f"whole{end}").exists())
                    for file in self.folder.glob("*.h5"):
                        file.unlink()

    def test_members_with_other_rods_keep_their_frames(self):
        deck = self.deck(SMALL_DECK.replace("load.axial_force : list(2, 60)", "rod.elements : list(4, 9, 6)"))
        merged = self.merged(*self.run_parts(deck))
        self.assertEqual(campaign.differences(self.whole(deck), merged), [])

    def test_a_part_numbers_its_candidates_as_the_whole(self):
        self.run_parts(self.deck(), [2])
        part = read_ensemble.Ensemble(self.part(2))
        self.assertEqual(part.candidate.tolist(), [1, 1, 4, 4])
        self.assertEqual(part.repeat.tolist(), [0, 1, 0, 1])
        self.succeed("best", self.part(2), "--member=3", "--output", "one.h5")
        one = read_ensemble.Ensemble(self.folder / "one.h5")
        self.assertEqual(one.seed.tolist(), part.seed[3:].tolist())
        self.assertEqual(one.observables["total_energy"].tolist(), part.observables["total_energy"][3:].tolist())

    def test_parts_that_are_killed_go_on(self):
        deck = self.deck(SMALL_DECK.replace("end = 2", "end = 20"))
        for instant in range(6):
            for number in range(1, PARTS + 1):
                part = ("run", deck, "--part", f"{number}/{PARTS}", "--output", self.part(number), "--resume")
                self.kill_after(instant * SMALL_MEMBERS // PARTS // 6, self.part(number), *part)
        for number in range(1, PARTS + 1):
            self.succeed("resume", self.part(number))
        self.assertEqual(campaign.differences(self.whole(deck), self.merged(*map(self.part, range(1, PARTS + 1)))), [])

    def test_what_is_no_set_of_parts_is_refused(self):
        deck = self.deck()
        one, two, three = self.run_parts(deck)
        self.refuse("merge", one, two, mentions=["part 3/3 is missing"])
        self.refuse("merge", one, mentions=["part 2/3 is missing, as are 1 more"])
        self.refuse("merge", one, two, two, mentions=["holds the same part"])
        self.refuse("merge", one, two, three, "--output", two, mentions=["is one of the parts"])
        self.refuse("merge", mentions=["takes the files of all parts"])
        self.succeed("run", deck, "--part=3/3", "--rod.elements=9", "--output", "other.h5")
        self.refuse("merge", one, two, "other.h5", mentions=["they differ in rod.elements"])
        self.succeed("run", deck, "--part=3/4", "--output", "fourth.h5")
        self.refuse("merge", one, two, "fourth.h5", mentions=["they differ in study.part"])
        shutil.copy(three, self.folder / "renamed.h5")
        self.refuse("merge", "renamed.h5", one, two, mentions=["--output FILE.h5 is missing"])
        self.succeed("merge", one, two, "renamed.h5")
        self.refuse("merge", one, two, three, mentions=["deck.h5 exists already"])
        self.succeed("merge", one, two, three, "--overwrite")
        self.refuse("merge", "deck.h5", "--output=again.h5", mentions=["is no part of a campaign"])

    def test_a_part_that_has_not_ended_is_named(self):
        one, two, three = self.run_parts(self.deck())
        with h5py.File(two, "r+") as file:
            file["members/commit"][2] = 0
        self.refuse("merge", one, two, three, mentions=[f"{two} has 1 of its 4 members to run yet", f"rodeo resume {two}"])
        self.succeed("resume", two)
        self.succeed("merge", one, two, three)

    def test_what_cannot_be_shared_out_is_refused(self):
        deck = self.deck()
        for text in ("0/3", "4/3", "2", "a/b", "1/3x", "-1/3", "1/3/3"):
            self.refuse("run", deck, f"--part={text}", mentions=["part K of N with whole numbers"])
        self.refuse("run", deck, "--part=7/7", mentions=["has no candidate: the study has 6"])
        self.refuse("run", self.deck(campaign.search_deck(6, 0)), "--part=1/2", mentions=["study.part", "study.kind = sweep"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
