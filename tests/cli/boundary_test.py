"""Studies of kind boundary."""

import re
import subprocess
import unittest

import h5py
import numpy as np

import campaign
from campaign import read_ensemble
from softrods.figures import boundary
from cli_test_case import BAD_INPUT, CliTest

NODES = 17 * 17


class Boundary(CliTest):
    """study.kind = boundary as users meet it."""

    def run_study(self, *options, file="campaign.h5", ranks=None, **deck):
        said = self.succeed("run", self.deck(campaign.boundary_deck(**deck)), *options, "--output", file, ranks=ranks)
        return said.stdout, read_ensemble.Ensemble(self.folder / file)

    def assert_same_rows(self, ours, theirs, members):
        for table in ("parameters", "observables"):
            for name, values in getattr(ours, table).items():
                self.assertEqual(values[members].tobytes(), getattr(theirs, table)[name][members].tobytes(), name)
        self.assertEqual(ours.seed[members].tobytes(), theirs.seed[members].tobytes())

    def test_it_finds_the_map_of_the_grid_and_its_members_are_the_grids(self):
        said, few = self.run_study()
        _, all_of_them = self.run_study("--study.kind=sweep", file="grid.h5")
        self.assertLess(few.committed.sum(), NODES / 2)
        self.assertTrue(all_of_them.committed.all())
        self.assert_same_rows(few, all_of_them, few.committed)
        outcome = np.array(few.boundary["outcome_names"])[few.boundary["outcome"]]
        np.testing.assert_array_equal(outcome == "above", all_of_them.observables["buckled"] == 1)
        np.testing.assert_array_equal(few.boundary["members"] > 0, few.committed)
        inferred = few.boundary["members"] == 0
        self.assertTrue(np.isnan(few.boundary["error"][inferred]).all())
        points = np.column_stack(list(all_of_them.parameters.values()))
        np.testing.assert_array_equal(few.boundary["point"], points)
        ran = few.committed.sum()
        self.assertIn(f"{ran} nodes evaluated and {NODES - ran} inferred, by {ran} members; {NODES - ran} spared", said)
        self.assertIn("can miss islands of a radius below 6 steps", said)
        status = self.succeed("status", self.file).stdout
        self.assertIn(f"{ran} nodes evaluated, {NODES - ran} inferred; {ran} members evaluated, {NODES - ran} spared\n", status)
        self.assertIn("complete", status)

    def test_it_is_the_same_on_any_number_of_ranks(self):
        for options in ((), ("--refine.method=predict",), ("--study.repeats=3",)):
            _, one = self.run_study(*options, "--overwrite")
            _, three = self.run_study(*options, "--overwrite", file="three.h5", ranks=3)
            self.assertEqual(campaign.differences(one, three), [])

    def test_a_boundary_is_extended_to_the_grid_and_a_grid_has_its_boundary(self):
        _, few = self.run_study()
        _, whole = self.run_study("--study.kind=sweep", file="grid.h5", ranks=3)
        _, extended = self.run_study("--study.kind=sweep", "--resume")
        self.assertEqual(campaign.differences(whole, extended), [])
        self.assertIsNone(extended.boundary)
        self.assert_same_times(few, extended)
        said, reduced = self.run_study("--resume", file="grid.h5", ranks=2)
        self.assertIn("0 of them in this run", said)
        self.assertTrue(reduced.committed.all())
        np.testing.assert_array_equal(reduced.boundary["outcome"], few.boundary["outcome"])
        self.assertIn("complete", self.succeed("status", "grid.h5").stdout)
        self.succeed("resume", "grid.h5")

    def assert_same_times(self, before, after):
        """Members that ran once did not run again."""
        kept = before.committed
        self.assertEqual(before.wall_seconds[kept].tobytes(), after.wall_seconds[kept].tobytes())

    def test_another_stride_goes_on_with_the_same_file(self):
        _, few = self.run_study("--refine.stride=8")
        _, more = self.run_study("--refine.stride=4", "--resume", ranks=3)
        self.assertGreater(more.committed.sum(), few.committed.sum())
        self.assert_same_times(few, more)
        self.assertEqual(more.deck_values("refine.stride"), ["4"])
        refused = self.call("run", self.deck(campaign.boundary_deck()), "--study.seed=8", "--resume", "--output", self.file)
        self.assertEqual(refused.returncode, BAD_INPUT)
        self.assertIn("belongs to another deck, which differs in study.seed", refused.stderr)

    def test_what_ends_badly_is_an_outcome(self):
        deck = campaign.boundary_deck().replace("level = 0.5\n", "").replace("linspace(1, 33, 17)", "linspace(1, 33, 9)")
        self.succeed("run", self.deck(deck.replace("rod.bend_stiffness : linspace(0.2, 2, 17)", "time.step : logspace(1e-5, 1e-2, 9)")),
                     "--refine.observable=status", "--time.end=0.05", "--output", self.file)
        found = read_ensemble.Ensemble(self.file)
        outcome = np.array(found.boundary["outcome_names"])[found.boundary["outcome"]]
        self.assertEqual(set(outcome), {"ended well", "diverged"})
        np.testing.assert_array_equal(found.boundary["probability"] > 0.5, outcome == "diverged")

    def test_check_tells_what_it_would_cost(self):
        said = self.succeed("check", self.deck(campaign.boundary_deck())).stdout
        self.assertIn(f"members          {NODES} at most", said)
        expected = int(re.search(r"(?m)^expected +(\d+) members or so, [0-9.]+ times fewer than the whole grid; a lattice 8 steps "
                                 "of the grid wide can miss islands", said)[1])
        ran = self.run_study()[1].committed.sum()
        self.assertLess(abs(expected - ran), 0.4 * ran)
        time = re.search(r"(?m)^predicted +(\S+ \w+) on one core or so, (\S+ \w+) at most", said)
        self.assertAlmostEqual(campaign.seconds(time[1]) / campaign.seconds(time[2]), expected / NODES, delta=0.06)

    def test_pictures(self):
        def plot():
            result = subprocess.run([campaign.ROOT / "scripts" / "plot", self.file], capture_output=True, text=True, check=False,
                                    cwd=self.folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout

        _, found = self.run_study()
        self.assertIn(f"{found.committed.sum()} of {NODES} members ran", plot())
        self.run_study("--study.repeats=3", "--refine.stride=4", "--overwrite")
        self.assertRegex(plot(), r"above: \d+ nodes")
        self.run_study("--overwrite", "--sweep.axis=rod.bend_stiffness : linspace(0.2, 2, 5)",
                       "--sweep.axis=load.axial_force : linspace(1, 33, 9)", "--sweep.axis=rod.mass : linspace(0.5, 2, 5)")
        self.assertIn("rod.bend_stiffness, load.axial_force, rod.mass", plot())
        # Of a file that is not finished those of its members are drawn whose outcome is known.
        with h5py.File(self.file, "r+") as file:
            file["boundary/commit"][3:] = 0
        self.assertRegex(plot(), r", 0 inferred")

    def test_categories_are_drawn_side_by_side(self):
        axes = ("--sweep.axis=rod.elements : list(8, 12, 10)", "--sweep.axis=load.axial_force : linspace(1, 33, 33)")
        _, found = self.run_study(*axes, "--refine.stride=16")
        self.assertEqual(found.boundary["categories"], "rod.elements")
        self.assertLess(found.committed.sum(), 3 * 9)
        outcome = found.boundary["outcome"].reshape(3, 33)
        for of_category in outcome:
            self.assertEqual(np.count_nonzero(np.diff(of_category)), 1)
        grid = boundary.Grid(found)
        self.assertEqual([list(axis.points[:3]) for axis in grid.axes], [[8, 12, 10], [1, 2, 3]])
        panel = boundary.draw(found).axes[0]
        self.assertEqual([label.get_text() for label in panel.get_xticklabels()], ["8", "12", "10"])
        self.assertEqual(panel.collections[0].get_paths()[0].vertices[:, 0].max(), 0.4)  # a strip, and a gap before the next

    def test_wrong_decks_are_refused_before_anything_is_written(self):
        deck = campaign.boundary_deck()
        self.refuse("run", self.deck(deck.replace("buckled", "buckle")), mentions=["refine.observable", "did you mean buckled"])
        self.refuse("run", self.deck(deck.replace("axis = load.axial_force : linspace(1, 33, 17)\n", "")),
                    mentions=["sweep.axis", "makes 1 axis"])
        self.refuse("run", self.deck(deck), "--refine.stride=9", mentions=["refine.stride", "at most 8"])
        self.refuse("run", self.deck(deck), "--refine.observable=fluid_force", mentions=["refine.observable", "do not report 'fluid_force'"])
        self.refuse("run", self.deck(deck.replace("kind = boundary", "kind = sweep")), mentions=["refine.observable", "has no effect"])


if __name__ == "__main__":
    unittest.main()
