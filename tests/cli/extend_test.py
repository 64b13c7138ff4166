"""Campaigns that are to have more: rodeo extend."""

import signal
import subprocess
import unittest

import h5py
import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import BAD_INPUT, DONE, CliTest

# Equilibria of a cantilever at points of a Sobol sequence.
POINTS = """\
[study]
kind = sweep
objective = tip_deflection

[sweep]
sampler = sobol
samples = 16
axis = rod.young_modulus : logspace(1e5, 1e7, 2)
axis = rod.radius : linspace(2e-3, 4e-3, 2)

[rod]
elements = 20
length = 0.2
density = 1000
poisson_ratio = 0.5
direction = 1, 0, 0

[boundary]
first = clamped

[gravity]
acceleration = 0, 0, -9.81

[time]
method = static
"""

# Three cantilevers that swing; the observables are of all the time and of its last frame.
SWINGING = """\
[study]
kind = sweep

[sweep]
axis = gravity.acceleration[2] : list(-5, -9.81, -20)

[rod]
elements = 10
length = 0.5
radius = 0.005
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
direction = 1, 0, 0

[boundary]
first = clamped

[gravity]
acceleration = 0, 0, -9.81

[time]
step = 5e-5
end = 0.2
slice_steps = 700

[measure]
define = lowest [m] : min(z(end))
define = swing [m] : rms(z(middle))
interval = 0.01

[output]
frames = 5
fields = velocity
observables = tip_deflection
"""


def rows(file, columns=("parameters", "repeat", "status", "observables", "steps", "wall_seconds", "rank", "seed")):
    """The bytes of each row's columns, but for those that number it."""
    with h5py.File(file, "r") as opened:
        data = [opened["members"][name][()] for name in columns]
    return [tuple(column[k].tobytes() for column in data) for k in range(len(data[0]))]


class Extend(CliTest):
    """What stands stays bit by bit, the rest runs, and the file is that of the larger campaign."""

    def whole(self, text):
        self.succeed("run", self.deck(text), "--output", "whole.h5", "--overwrite")
        return read_ensemble.Ensemble(self.folder / "whole.h5")

    def extended_file(self):
        file = read_ensemble.Ensemble(self.file)
        self.assertTrue(file.committed.all())
        return file

    def test_members_may_have_observables_that_those_before_had_not(self):
        text = SWINGING.replace("kind = sweep\n", "kind = sweep\nobjective = tip_deflection\n")
        text = text.replace("[sweep]", "[muscle]\nperiod = 0.05\n[sweep]\naxis = observe.settle : list(0)")
        deck = self.deck(text)
        self.succeed("run", deck, "--output", self.file)
        self.succeed("run", deck, "--output", "first.h5")
        self.assertNotIn("periods_run", read_ensemble.Ensemble(self.file).observables)
        self.succeed("extend", self.file, "--sweep.axis=observe.settle : list(0, 1e-9)")
        self.succeed("run", self.deck(text.replace("list(0)", "list(0, 1e-9)")), "--output", "whole.h5")
        extended = read_ensemble.Ensemble(self.file)
        self.assertEqual(campaign.differences(extended, read_ensemble.Ensemble(self.folder / "whole.h5")), [])
        self.assertEqual(np.isnan(extended.observables["periods_run"]).tolist(), 3 * [True] + 3 * [False])
        # Those rows fit a campaign without these columns too.
        self.succeed("run", self.deck(text), "--study.reuse=whole.h5", "--output", "again.h5")
        again, first = (read_ensemble.Ensemble(self.folder / name) for name in ("again.h5", "first.h5"))
        self.assertEqual(again.rank.tolist(), 3 * [-1])
        self.assertEqual(campaign.differences(again, first), [])

    def test_the_first_points_of_a_sequence_stay(self):
        self.succeed("run", self.deck(POINTS), "--output", self.file)
        before = rows(self.file)
        result = self.succeed("extend", self.file, "--sweep.samples=32")
        self.assertIn("16 members of 32 stand", result.stdout)
        self.assertEqual(rows(self.file)[:16], before)
        whole = self.whole(POINTS.replace("samples = 16", "samples = 32"))
        self.assertEqual(campaign.differences(whole, self.extended_file()), [])
        # The stored deck is that of the larger campaign.
        self.succeed("run", self.folder / "deck.ini", "--output", self.file, "--resume")

    def test_repeats_are_added_to_each_candidate(self):
        self.succeed("run", self.deck(), "--output", self.file)
        before = rows(self.file)
        self.succeed("extend", self.file, "--study.repeats=3", ranks=2)
        after = rows(self.file)
        self.assertEqual([row for k, row in enumerate(after) if k % 3 < 2], before)
        whole = self.whole(campaign.SMALL_DECK.replace("repeats = 2", "repeats = 3"))
        self.assertEqual(campaign.differences(whole, self.extended_file()), [])

    def test_values_are_added_to_an_axis(self):
        still = campaign.SMALL_DECK.replace("perturbation = 1e-2\nperturbation_duration = 0.01\n", "").replace("repeats = 2\n", "")
        self.succeed("run", self.deck(still), "--output", self.file)
        before = rows(self.file)
        self.succeed("extend", self.file, "--sweep.axis=load.axial_force : list(2, 30, 60)")
        file = self.extended_file()
        whole = self.whole(still.replace("list(2, 60)", "list(2, 30, 60)"))
        # Random streams go by the number of a candidate, and these members draw from none.
        self.assertEqual(campaign.differences(whole, file), ["seed"])
        after = rows(self.file)
        self.assertEqual([row for k, row in enumerate(after) if k % 3 != 1], before)

    def test_random_members_keep_their_streams(self):
        self.succeed("run", self.deck(), "--output", self.file)
        self.refuse("extend", self.file, "--sweep.axis=load.axial_force : list(2, 30, 60)",
                    mentions=["draw random numbers"])
        self.succeed("extend", self.file, "--sweep.axis=rod.bend_stiffness : linspace(0.5, 2, 4)")
        whole = self.whole(campaign.SMALL_DECK.replace("linspace(0.5, 1.5, 3)", "linspace(0.5, 2, 4)"))
        self.assertEqual(campaign.differences(whole, self.extended_file()), [])

    def test_a_file_of_points_may_grow(self):
        (self.folder / "points.csv").write_text("load.axial_force\n2\n60\n")
        text = campaign.SMALL_DECK.replace("axis = rod.bend_stiffness : linspace(0.5, 1.5, 3)\n", "").replace(
            "axis = load.axial_force : list(2, 60)", "points = points.csv")
        self.succeed("run", self.deck(text), "--output", self.file)
        (self.folder / "points.csv").write_text("load.axial_force\n2\n60\n33\n")
        self.succeed("extend", self.file, "--sweep.points=points.csv")
        self.assertEqual(campaign.differences(self.whole(text), self.extended_file()), [])

    def test_longer_members_go_on_from_their_states(self):
        self.check_longer(SWINGING + "states = last\n", "3 members run longer, on from their states")
        steps = 8000
        np.testing.assert_array_equal(self.extended_file().steps, steps)
        # A third piece goes on from the second.
        result = self.succeed("extend", self.file, "--time.end=0.6")
        self.assertIn("on from their states", result.stdout)
        whole = self.whole(SWINGING.replace("end = 0.2", "end = 0.6").replace("frames = 5", "frames = 13"))
        self.assertEqual(campaign.differences(whole, self.extended_file()), [])

    def test_longer_members_run_anew_without_states(self):
        self.check_longer(SWINGING, "3 members run longer, anew")

    def test_what_was_about_the_end_runs_anew(self):
        text = SWINGING.replace("interval = 0.01", "interval = 0.03") + "states = last\n"
        self.succeed("run", self.deck(text), "--output", self.file)
        self.assertIn("3 members run longer, anew", self.succeed("extend", self.file, "--time.end=0.4").stdout)
        whole = self.whole(SWINGING.replace("interval = 0.01", "interval = 0.03").replace("end = 0.2", "end = 0.4")
                           .replace("frames = 5", "frames = 9"))
        self.assertEqual(campaign.differences(whole, self.extended_file()), [])

    def check_longer(self, text, note):
        self.succeed("run", self.deck(text), "--output", self.file)
        before = self.file.read_bytes()
        result = self.succeed("extend", self.file, "--time.end=0.4")
        self.assertIn(note, result.stdout)
        self.assertEqual((self.folder / "campaign_until_0.2s.h5").read_bytes(), before)
        whole = self.whole(SWINGING.replace("end = 0.2", "end = 0.4").replace("frames = 5", "frames = 9"))
        self.assertEqual(campaign.differences(whole, self.extended_file()), [])

    def test_a_kill_loses_no_row(self):
        text = campaign.long_deck(4, 1)
        self.succeed("run", self.deck(text), "--output", self.file)
        original = self.file.read_bytes()
        before = rows(self.file)
        whole = self.whole(text.replace("repeats = 4", "repeats = 9"))
        for moment in ("before the new file has its name", "after that"):
            self.file.write_bytes(original)
            if moment == "after that":
                process = self.start("extend", self.file, "--study.repeats=9")
                campaign.wait_until(lambda: len(read_ensemble.Ensemble(self.file)) == 9, process)
                process.send_signal(signal.SIGKILL)
            elif campaign.can_trace():
                killed = ["strace", "-f", "-o", "/dev/null", "-e", "inject=rename:signal=SIGKILL"]
                process = subprocess.Popen([*killed, *campaign.command("extend", self.file, "--study.repeats=9")])
            else:
                continue
            self.assertEqual(process.wait(), -signal.SIGKILL)
            self.assertEqual(any(self.folder.glob("campaign.h5.creating-*")), moment != "after that")
            killed = read_ensemble.Ensemble(self.file)
            self.assertIn(len(killed.committed), (4, 9))
            self.assertEqual(rows(self.file)[:4], before)
            self.assertTrue(killed.committed[:4].all())
            again = ("resume", self.file) if len(killed.committed) == 9 else ("extend", self.file, "--study.repeats=9")
            self.succeed(*again)
            self.assertEqual(campaign.differences(whole, self.extended_file()), [])

    def test_what_cannot_be_extended_is_refused(self):
        self.succeed("run", self.deck(POINTS), "--output", self.file)
        for change, mentions in {
            "--sweep.samples=8": ["sweep.samples", "less than the 16"],
            "--sweep.samples=16": ["about all this already", "rodeo resume"],
            "--rod.length=0.3": ["rod.length", "rows of", "sweep.samples"],
            "--sweep.axis=rod.length : list(1, 2)": ["no axis over rod.length", "rod.radius"],
            "--time.end=2": ["time.end"],
            "--output.frames=3": ["output.frames"],
            "--study.kind=optimize": ["study.kind"],
        }.items():
            with self.subTest(change=change):
                self.refuse("extend", self.file, change, mentions=mentions)
        self.refuse("extend", self.file, mentions=["--sweep.samples"])
        # A campaign of another deck is told of the way.
        result = self.call("run", self.folder / "deck.ini", "--output", self.file, "--resume", "--sweep.samples=32")
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertIn("rodeo extend", result.stderr)

    def test_other_studies_are_refused(self):
        cube = POINTS.replace("sobol", "latin_hypercube")
        self.succeed("run", self.deck(cube), "--output", self.file)
        self.refuse("extend", self.file, "--sweep.samples=32", mentions=["latin_hypercube", "sobol"])
        self.succeed("run", self.deck(campaign.search_deck(2, 0)), "--output", self.file, "--overwrite")
        self.refuse("extend", self.file, "--study.repeats=3", mentions=["optimize", "cannot be extended"])
        self.succeed("run", self.deck(SWINGING), "--output", self.file, "--overwrite")
        self.refuse("extend", self.file, "--time.end=0.1", mentions=["time.end", "0.2 s"])
        self.refuse("extend", self.file, "--time.end=0.33", mentions=["every 0.05 s", "0.35"])
        self.refuse("extend", self.file, "--time.end=0.4", "--output.frames=5", mentions=["output.frames", "0.05 s"])
        self.assertEqual(self.call("extend", self.file, "--time.end=0.4", "--output.frames=9").returncode, DONE)


if __name__ == "__main__":
    unittest.main()
