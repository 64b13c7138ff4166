"""Studies of kind branch."""

import os
import signal
import subprocess
import time
import unittest

import h5py
import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import STOPPED, CliTest

COLUMN = """\
[study]
kind = branch

[time]
method = static

[rod]
elements = 40
length = 1
radius = 0.001
density = 1000
bend_stiffness = 1
twist_stiffness = 0.7
stretch_stiffness = 1e6
shear_stiffness = 1e6

[boundary]
first = pinned
last = pinned_sliding

[branch]
key = load.axial_force
to = 50

[output]
frames = 102
observables = branch_value, unstable_modes, bifurcations, theta_max
"""


class Branches(CliTest):
    """The buckled column: a straight branch with two bifurcations, and the branches that cross there."""

    def run_study(self, *options, file="campaign.h5", ranks=None):
        said = self.succeed("run", self.deck(COLUMN), *options, "--output", file, ranks=ranks)
        return said.stdout, read_ensemble.Ensemble(self.folder / file)

    def test_it_finds_the_branches_that_cross(self):
        said, found = self.run_study()
        np.testing.assert_array_equal(np.flatnonzero(found.committed), [0, 1, 2, 3, 4])
        table = found.tables["branch"]
        self.assertEqual(table["key"], "load.axial_force")
        np.testing.assert_array_equal(table["turn"][:5], [0, 1, -1, 2, -2])
        np.testing.assert_array_equal(table["parent"][:5], [-1, 0, 0, 0, 0])
        self.assertEqual(table["bifurcations"][0], 2)
        self.assertAlmostEqual(table["critical_value"][0] / np.pi**2, 1, places=2)
        self.assertIn("branches over load.axial_force", said)
        # Between its bifurcations the straight column is unstable in both planes; the one that buckled is not.
        for member, unstable in ((0, 2), (1, 0), (2, 0)):
            value = found.history(member, "branch_value")[1]
            known = (value > 12) & (value < 18)
            self.assertEqual(set(found.history(member, "unstable_modes")[1][known]), {unstable})
        status = self.succeed("status", self.file).stdout
        self.assertIn("complete", status)

    def test_values_of_the_key_have_its_unit(self):
        self.run_study("--study.kind=single", "--branch.stop=first_bifurcation", "--branch.to=20")
        self.assertRegex(self.succeed("status", self.file).stdout, r"(?m)^branch_value +N +")
        sensitivity = ("--study.kind=sensitivity", "--sensitivity.parameter=rod.bend_stiffness : uniform(0.9, 1.1)",
                       "--sensitivity.parameter=rod.length : uniform(0.9, 1.1)", "--sensitivity.observable=critical_value",
                       "--sensitivity.evaluations=128", "--rod.elements=6", "--branch.stop=first_bifurcation", "--branch.step=0.2")
        said = self.succeed("run", self.deck(COLUMN), *sensitivity, "--output", "sensitivity.h5").stdout
        self.assertRegex(said, r"critical_value of \d+ candidates: mean \S+, deviation \S+ N\n")

    def test_any_branch_can_be_run_alone(self):
        _, found = self.run_study()
        _, alone = self.run_study("--study.kind=single", "--branch.turns=-2", file="alone.h5")
        for name in ("branch_value", "theta_max"):
            self.assertEqual(alone.history(0, name)[1].tobytes(), found.history(4, name)[1].tobytes())

    def test_it_is_the_same_on_any_number_of_ranks(self):
        _, one = self.run_study()
        for ranks in (2, 4):
            _, more = self.run_study("--overwrite", file="more.h5", ranks=ranks)
            self.assertEqual(campaign.differences(one, more), [])

    def go_on_after(self, stop, options):
        """Runs the study, which is stopped a few times once it has written a checkpoint more; how often it was."""
        process = self.start("run", self.deck(COLUMN), *options, "--output", self.file)
        stops = 0
        for _ in range(4):
            seen = campaign.newest_checkpoint(self.file)
            while process.poll() is None and campaign.newest_checkpoint(self.file) <= seen:
                time.sleep(0.01)
            if process.poll() is not None:
                break
            process.send_signal(stop)
            stops += process.wait() in (STOPPED, -signal.SIGKILL)
            process = self.start("resume", self.file)
        self.assertEqual(process.wait(), 0)
        return stops

    def test_killed_and_resumed_it_is_the_same(self):
        options = ("--rod.elements=100", "--branch.step=0.01", "--branch.points=300", "--output.frames=302",
                   "--output.checkpoint_interval=0.05")
        _, whole = self.run_study(*options, file="whole.h5")
        self.assertGreater(self.go_on_after(signal.SIGKILL, options), 0)
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])

    def test_a_branch_that_runs_out_of_points_ends_badly(self):
        short = ("--branch.points=12", "--output.frames=14")
        run = self.call("run", self.deck(COLUMN), "--study.kind=single", "--branch.stop=first_bifurcation", "--branch.points=3",
                        "--output", self.file)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("out of points", run.stderr)
        self.assertIn("took the 3 points of branch.points before it came to a bifurcation", run.stderr)
        self.assertIn("branch.step than 0.05", run.stderr)
        # A diagram follows what its branches have come across nevertheless.
        run = self.call("run", self.deck(COLUMN), *short, "--output", "short.h5")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("before its value left 0 to 50", run.stderr)
        found = read_ensemble.Ensemble(self.folder / "short.h5")
        np.testing.assert_array_equal(np.flatnonzero(found.committed), [0, 1, 2])
        self.assertEqual(set(found.status[:3]), {read_ensemble.OUT_OF_POINTS})
        self.assertEqual(found.tables["branch"]["bifurcations"][0], 1)

    def test_a_finished_diagram_is_complete(self):
        _, found = self.run_study()
        self.assertFalse(found.committed.all())
        self.assertTrue(found.complete)
        with h5py.File(self.file, "r+") as file:
            file["branch_counts/to_come"][:] = 1
        self.assertFalse(read_ensemble.Ensemble(self.file).complete)

    def test_stopped_and_resumed_it_has_the_same_bits(self):
        """Along an axis on which ends that slide are not placed without rounding."""
        options = ("--rod.direction=0.6, 0.48, 0.64", "--rod.elements=60", "--branch.step=0.01", "--branch.points=300",
                   "--output.frames=302", "--branch.bifurcations=1", "--output.checkpoint_interval=0.05")
        _, whole = self.run_study(*options, file="whole.h5")
        self.assertGreater(self.go_on_after(signal.SIGTERM, options), 0)
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])

    def test_picture(self):
        self.run_study("--branch.bifurcations=1")
        result = subprocess.run([campaign.ROOT / "scripts" / "plot", self.file], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("first critical", result.stdout)
        self.assertGreater(self.file.with_suffix(".png").stat().st_size, 10_000)

    def test_wrong_decks_are_refused_before_anything_is_written(self):
        for option, mentions in (
            ("--branch.key=load.axial_forse", ["branch.key", "did you mean load.axial_force"]),
            ("--branch.key=rod.elements", ["branch.key", "no real number"]),
            ("--branch.key=time.end", ["branch.key", "what branches are followed with"]),
            ("--branch.to=0", ["branch.to", "nothing changes"]),
            ("--branch.turns=1", ["branch.turns", "study.kind = branch follows all"]),
            ("--output.observables=theta_max", ["output.observables", "lacks branch_value"]),
            ("--output.frames=0", ["output.frames"]),
            ("--study.repeats=2", ["study.repeats", "something random"]),
        ):
            with self.subTest(option):
                self.refuse("run", self.deck(COLUMN), option, mentions=mentions)
        self.refuse("run", self.deck(COLUMN), "--branch.key=rod.bend_stiffness", "--branch.to=-1",
                    mentions=["rod.bend_stiffness", "out of range"])
        moving = COLUMN.replace("method = static", "step = 1e-4\nend = 1").replace("unstable_modes, ", "")
        self.refuse("run", self.deck(moving), mentions=["branch.key", "time.method = static"])
        self.refuse("run", self.deck(COLUMN), "--study.kind=single", "--branch.turns=0.5",
                    mentions=["branch.turns", "no number of a bifurcation"])
        self.refuse("run", self.deck(COLUMN), "--study.kind=single", "--branch.stop=first_bifurcation",
                    "--load.end_couple=0, 0, 1", mentions=["branch.stop", "no energy"])
        self.refuse("run", self.deck(COLUMN), "--study.kind=single", "--branch.stop=first_bifurcation",
                    "--branch.key=load.follower_force[0]", mentions=["branch.stop", "no energy"])
        for load in ("actuation.force=d1 : 1", "actuation.couple=x, element -1 : 1", "muscle.amplitudes=1e-3, 2e-3"):
            with self.subTest(load):
                self.refuse("run", self.deck(COLUMN), "--study.kind=single", "--branch.stop=first_bifurcation", f"--{load}",
                            *(("--muscle.period=1",) if "muscle" in load else ()),
                            mentions=["branch.stop", load.partition(".")[0], "no energy", "branch.stop = range"])
        self.refuse("run", self.deck(COLUMN), "--actuation.force=d1 : 1", mentions=["study.kind", "no energy"])
        self.refuse("run", self.deck(COLUMN.replace("to = 50\n", "")), mentions=["branch.to"])
        self.refuse("run", self.deck(COLUMN.replace("key = load.axial_force\n", "")), mentions=["branch.key"])


if __name__ == "__main__":
    unittest.main()
