"""Candidates from a file, and keys that move together."""

import os
import subprocess
import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import BAD_INPUT, CliTest

AXES = campaign.SMALL_DECK[campaign.SMALL_DECK.index("axis") : campaign.SMALL_DECK.index("[rod]")]
# The candidates of SMALL_DECK, in the order of its grid.
POINTS = """\
rod.bend_stiffness, load.axial_force
0.5, 2
0.5, 60
1, 2   # of six
1, 60

1.5, 2
1.5, 60
"""


class Points(CliTest):
    def points(self, text=POINTS):
        path = self.folder / "points.csv"
        path.write_text(text, encoding="utf-8")
        return path

    def deck_of_points(self, text=campaign.SMALL_DECK):
        return self.deck(text.replace(AXES, "points = points.csv\n\n"))

    def test_results_are_those_of_the_same_axes_on_any_number_of_ranks(self):
        self.succeed("run", self.deck(), "--output", "axes.h5")
        axes = read_ensemble.Ensemble(self.folder / "axes.h5")
        self.points()
        deck = self.deck_of_points()
        for ranks in (None, 1, 3):
            # The deck may be called from anywhere: its points stand beside it.
            self.succeed("run", deck, "--output", self.file, "--overwrite", ranks=ranks)
            self.assertEqual(campaign.differences(read_ensemble.Ensemble(self.file), axes), [])
        self.assertIn("varied: rod.bend_stiffness, load.axial_force", self.succeed("status", self.file).stdout)

    def test_check_says_what_varies_and_prints_a_deck_that_can_be_run(self):
        points = self.points()
        printed = self.succeed("check", "--deck", self.deck_of_points()).stdout
        self.assertIn(f"points = {points}\n", printed)
        self.assertIn("# varied           rod.bend_stiffness 0.5 to 1.5 with load.axial_force 2 to 60: 6 points of ", printed)
        self.assertIn("# members          12 (6 candidates x 2 repeats)", printed)
        (self.folder / "printed.ini").write_text(printed, encoding="utf-8")
        self.assertEqual(self.succeed("check", "--deck", "printed.ini").stdout.splitlines()[0:3], printed.splitlines()[0:3])
        grid = self.succeed("check", self.deck()).stdout
        self.assertIn("varied           rod.bend_stiffness 0.5 to 1.5: 3 points\n"
                      "                 load.axial_force 2 to 60: 2 points\n", grid)

    def killed_campaign(self):
        """A campaign over the rows of a file, killed when some of its members have ended."""
        points = self.points("load.axial_force, rod.elements\n" + "".join(f"{1 + 0.01 * k}, 20\n" for k in range(64)))
        deck = self.deck_of_points(campaign.long_deck(1, 6).replace("axis = load.axial_force : list(2)\n\n", AXES))
        self.kill_after(1, self.file, "run", deck, "--output", self.file)
        self.assertFalse(read_ensemble.Ensemble(self.file).committed.all())
        return deck, points

    def test_a_killed_campaign_goes_on_without_its_file(self):
        deck, points = self.killed_campaign()
        moved = points.rename(self.folder / "moved.csv")
        gone = self.call("run", deck, "--resume", "--output", self.file)
        self.assertEqual(gone.returncode, BAD_INPUT)
        self.assertIn("points.csv: cannot read this file of candidates", gone.stderr)
        self.succeed("resume", self.file, ranks=2)
        moved.rename(points)
        self.succeed("run", deck, "--output", "whole.h5", ranks=3)
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])
        self.assertEqual(list(whole.parameters), ["load.axial_force", "rod.elements"])
        np.testing.assert_allclose(whole.parameters["load.axial_force"], 1 + 0.01 * np.arange(64))

    def test_a_file_that_changed_is_refused(self):
        self.points()
        deck = self.deck_of_points()
        self.succeed("run", deck, "--time.end=0.1", "--output", self.file)
        before = self.file.read_bytes()
        self.points(POINTS.replace("1.5, 60", "1.6, 60"))
        changed = self.call("run", deck, "--time.end=0.1", "--resume", "--output", self.file)
        self.assertEqual(changed.returncode, BAD_INPUT)
        self.assertIn("belongs to another deck: its points are not those of ", changed.stderr)
        self.assertIn("rodeo resume", changed.stderr)
        # Nor is it said of points what another key differs in.
        self.points()
        changed = self.call("run", deck, "--time.end=0.2", "--resume", "--output", self.file)
        self.assertIn("belongs to another deck, which differs in time.end", changed.stderr)
        self.assertEqual(len(before), self.file.stat().st_size)
        # What is written otherwise and means the same has not changed.
        self.points(POINTS.replace("1.5, 2", '"1.50",2.0').replace("   # of six", ""))
        self.succeed("run", deck, "--time.end=0.1", "--resume", "--output", self.file)

    def test_mistakes_are_reported_with_file_line_and_column(self):
        deck = self.deck_of_points()
        cases = {
            POINTS.replace("load.axial_force", "load.axial_forc"): ["points.csv:1:21:", "did you mean load.axial_force?"],
            POINTS.replace("1, 60", "1, strong"): ["points.csv:5:4:", "load.axial_force = 'strong'", "N"],
            POINTS.replace("1, 60", "-1, 60"): ["points.csv:5:1:", "rod.bend_stiffness = '-1'", "real > 0"],
            POINTS.replace("1, 60", "1"): ["points.csv:5:2:", "1 value in this row", "2 keys"],
            POINTS.splitlines()[0]: ["points.csv:1:", "no row follows"],
            "": ["points.csv:1:1:", "no header", "deck.ini:"],
        }
        for text, mentions in cases.items():
            with self.subTest(mentions=mentions):
                self.points(text)
                for action in ("run", "check"):
                    self.refuse(action, deck, *(("--output", self.file) if action == "run" else ()), mentions=mentions)
        (self.folder / "points.csv").unlink()
        self.refuse("run", deck, "--output", self.file, mentions=["points.csv: cannot read", "sweep.points, ", "deck.ini:"])
        self.assertFalse(self.file.exists())

    def test_the_file_is_not_replaced(self):
        points = self.points()
        deck = self.deck_of_points()
        self.refuse("run", deck, "--output", points, "--overwrite", mentions=["is the deck's sweep.points"])
        os.link(points, self.file)
        self.refuse("run", deck, "--output", self.file, "--overwrite", mentions=["is the deck's sweep.points"])

    def test_pictures(self):
        def printed(points, *lines):
            self.points(points)
            text = campaign.SMALL_DECK.replace(AXES, "\n".join(lines) + "\n\n")
            self.succeed("run", self.deck(text), "--time.end=0.1", "--output", self.file, "--overwrite")
            return self.plot()

        together = "axis = rod.bend_stiffness : linspace(0.5, 1.5, 3) with load.axial_force : list(2, 3, 60)"
        self.assertIn("over rod.bend_stiffness, mean", printed("", together))
        self.assertIn("over rod.bend_stiffness and rod.mass: 18 members", printed("", together, "axis = rod.mass : list(1, 2, 3)"))
        self.assertIn("over rod.bend_stiffness, mean", printed("rod.bend_stiffness, load.axial_force\n0.5, 2\n1, 3\n", "points = points.csv"))
        cloud = "rod.bend_stiffness, load.axial_force\n0.5, 2\n1, 60\n0.7, 3\n1.2, 1\n"
        self.assertIn("over rod.bend_stiffness and load.axial_force: 8 members", printed(cloud, "points = points.csv"))
        self.assertIn("over rod.bend_stiffness, load.axial_force, rod.mass: 16 members",
                      printed(cloud, "points = points.csv", "axis = rod.mass : list(1, 2)"))
        summary = subprocess.run(
            [campaign.ROOT / "scripts" / "read_ensemble.py", self.file], capture_output=True, text=True, check=True
        ).stdout
        self.assertIn("Moving together: rod.bend_stiffness, load.axial_force\n", summary)

    def plot(self):
        result = subprocess.run(
            [campaign.ROOT / "scripts" / "plot", self.file, "--observable", "end_x"], capture_output=True, text=True, check=False
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.folder / "campaign.png").exists())
        return result.stdout


if __name__ == "__main__":
    unittest.main()
