"""Measured data: misfits in files, after a kill, in a fit, in pictures and messages."""

import csv
import io
import subprocess
import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import BAD_INPUT, CliTest
from softrods.commands.report import best_members

STUDY = campaign.ROOT / "inputs" / "studies" / "track_fit.ini"
SCRIPTS = campaign.ROOT / "scripts"
TRUTH = ("--study.kind=single", "--rod.young_modulus=1.2e6", "--rod.damping=0.08")

SWEEP = """\
[study]
kind = sweep

[sweep]
axis = rod.young_modulus : logspace(5e5, 5e6, 6)

[rod]
elements = 12
length = 0.2
radius = 0.004
density = 1100
poisson_ratio = 0.5
direction = 1, 0, 0

[boundary]
first = clamped

[gravity]
acceleration = 0, 0, -9.81

[time]
step = 5e-5
end = 0.3

[measure]
data = track.csv

[output]
frames = 3
"""
TRACK = """\
time, node, x, z, weight
0,     12,  0.2, 0,     1
0.0333, 12, 0.2, -0.005, 2
0.15001, 6,    , -0.01, 1
0.3,   -1,  0.19,  ,    0.5
"""

FORCES = """\
[study]
kind = optimize
objective = misfit
sense = min

[optimize]
parameter = load.end_force[1] : [-2e-3, 2e-3] start 1e-3
parameter = load.end_force[2] : [-2e-3, 2e-3] start -1e-3
generations = 60

[rod]
elements = 12
length = 0.2
radius = 0.004
density = 1100
young_modulus = 2e6
poisson_ratio = 0.5
direction = 1, 0, 0

[boundary]
first = clamped

[time]
method = static

[measure]
data = track.csv
"""


class Data(CliTest):
    def track(self, text=TRACK):
        path = self.folder / "track.csv"
        path.write_text(text, encoding="utf-8")
        return path

    def script(self, name, *options):
        result = subprocess.run([SCRIPTS / name, *options], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_misfits_are_those_of_the_data_on_any_number_of_ranks(self):
        self.track()
        for model, step in (("cosserat", "5e-5"), ("der", "1e-3")):
            options = (f"--model.kind={model}", f"--time.step={step}", "--overwrite", "--output", self.file)
            self.succeed("run", self.deck(SWEEP), *options)
            one = read_ensemble.Ensemble(self.file)
            for member in range(6):
                left = (one.data["position"] - one.at_data(member))[:, [0, 2]]
                squares = np.nansum(left**2, axis=1)
                weight = one.data["weight"]
                self.assertAlmostEqual(one.observables["misfit"][member], np.sqrt((weight @ squares) / weight.sum()), delta=1e-15)
                self.assertAlmostEqual(one.observables["misfit_weighted"][member], np.sqrt((weight @ squares) / 6), delta=1e-15)
                self.assertAlmostEqual(one.observables["misfit_max"][member], np.sqrt(squares.max()), delta=1e-15)
            np.testing.assert_array_equal(one.observables["misfit_coordinates"], 6)
            self.assertEqual(len(set(one.observables["misfit"])), 6)
            self.succeed("run", self.deck(SWEEP), *options, ranks=2)
            two = read_ensemble.Ensemble(self.file)
            self.assertEqual(campaign.differences(one, two), [])
            np.testing.assert_array_equal(one.at_data(5), two.at_data(5))
            # What a run stores at its last step is what the data see there.
            _, position = two.trajectory(3)
            np.testing.assert_array_equal(two.at_data(3)[3], position[-1, 12])

    def test_a_killed_campaign_goes_on_without_its_data(self):
        track = self.track()
        deck = self.deck(SWEEP.replace("rod.young_modulus : logspace(5e5, 5e6, 6)", "time.end : linspace(0.31, 20, 24)")
                         .replace("poisson_ratio", "young_modulus = 1e6\npoisson_ratio").replace("end = 0.3\n", ""))
        self.kill_after(1, self.file, "run", deck, "--output", self.file, "--output.checkpoint_interval=0.2")
        self.assertFalse(read_ensemble.Ensemble(self.file).committed.all())
        moved = track.rename(self.folder / "moved.csv")
        self.succeed("resume", self.file, ranks=2)
        moved.rename(track)
        self.succeed("run", deck, "--output", "whole.h5", ranks=2)
        resumed, whole = read_ensemble.Ensemble(self.file), read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, resumed), [])
        for member in range(24):
            np.testing.assert_array_equal(resumed.at_data(member), whole.at_data(member))
        self.track(TRACK.replace("-0.005", "-0.006"))
        changed = self.call("run", deck, "--resume", "--output", self.file)
        self.assertEqual(changed.returncode, BAD_INPUT)
        self.assertIn("belongs to another deck: its data are not those of ", changed.stderr)
        self.assertIn("track.csv; go on with the stored one", changed.stderr)
        self.refuse("run", deck, "--output", track, "--overwrite", mentions=["is the deck's measure.data"])

    def test_a_file_is_printed_by_its_name(self):
        track = self.track()
        printed = self.succeed("check", "--deck", self.deck(SWEEP)).stdout
        self.assertIn(f"data = {track}\n", printed)
        self.assertNotIn("\npoint =", printed)
        (self.folder / "printed.ini").write_text(printed, encoding="utf-8")
        self.succeed("check", "printed.ini")

    def test_a_search_recovers_modulus_and_damping(self):
        printed = self.succeed("run", STUDY, "--output", self.file, ranks=2).stdout
        self.assertIn("done", printed)
        found = self.script("fit_spread", self.file)
        self.assertIn("misfit_weighted", found)
        values = {}
        for line in found.splitlines()[1:]:
            name, _, rest = line.strip().partition(" = ")
            value, deviation = rest.split("   ")[0].split(" +- ")
            values[name] = float(value), float(deviation)
        for name, truth in (("rod.young_modulus", 1.2e6), ("rod.damping", 0.08)):
            value, deviation = values[name]
            self.assertLess(abs(value - truth), 3 * deviation, found)
            self.assertLess(deviation, 0.02 * truth, found)
        weighted = read_ensemble.Ensemble(self.file).observables["misfit_weighted"]
        self.assertAlmostEqual(np.nanmin(weighted), 1.0, delta=0.12)  # of 428 coordinates: 3 deviations of 1/sqrt(2 * 428)
        self.succeed("best", self.file, "--output.frames=2")
        self.assertIn("misfit", read_ensemble.Ensemble(self.folder / "campaign_best.h5").observables)
        drawn = self.script("plot", self.folder / "campaign_best.h5")
        self.assertIn("s 0.5", drawn)
        self.assertTrue((self.folder / "campaign_best.png").exists())

    def fitted(self, *options):
        """What fit_spread finds of the forces that bend a cantilever: value and deviation by name."""
        self.succeed("run", self.deck(FORCES), "--overwrite", "--output", self.file, *options)
        lines = (line.strip().partition(" = ") for line in self.script("fit_spread", self.file).splitlines()[1:])
        return {name: tuple(map(float, rest.split("   ")[0].split(" +- "))) for name, _, rest in lines}

    def test_a_fit_is_that_of_the_members_that_count(self):
        truth = ("--study.kind=single", "--load.end_force=0, 2e-4, 5e-4", "--output.frames=2", "--output", "truth.h5")
        self.track("time, s, x, y, z\n" + "".join(f"1, {k / 10}, {k / 50}, 0, 0\n" for k in range(1, 11)))
        self.succeed("run", self.deck(FORCES), *truth)
        self.track(self.script("noisy_track", "truth.h5", "--deviation", "2e-4", "--seed", "1"))
        alone = self.fitted()
        self.assertLess(abs(alone["load.end_force[2]"][0] - 5e-4), 3 * alone["load.end_force[2]"][1])
        noise = ("--control.interval=1", "--control.signal=height [m] : z(end) noise 1e-6")
        for options in (("--fidelity.level=rod.elements = 3", "--fidelity.level=rod.elements = 12"), ("--study.repeats=2", *noise)):
            with self.subTest(options=options):
                found = self.fitted(*options)
                self.assertEqual(list(found), list(alone))  # no key of a level is one that was fitted
                for name, (value, deviation) in alone.items():
                    self.assertLess(abs(found[name][0] - value), deviation)
                    self.assertAlmostEqual(found[name][1] / deviation, 1, delta=0.3)
                ensemble = read_ensemble.Ensemble(self.file)
                page, best = best_members(ensemble)
                self.assertEqual("over their repeats" in page, "--study.repeats=2" in options)
                self.assertEqual(ensemble.parameters["rod.elements"][best] if "rod.elements" in ensemble.parameters else 12, 12)
        self.succeed("run", self.deck(FORCES), "--overwrite", "--output", self.file, "--optimize.constraint=end_z <= 0.002")
        ensemble = read_ensemble.Ensemble(self.file)
        best = best_members(ensemble)[1]
        self.assertLessEqual(ensemble.observables["end_z"][best], 0.002)
        self.assertLess(ensemble.observables["misfit"].min(), ensemble.observables["misfit"][best])

    def test_the_track_of_the_study_can_be_made_again(self):
        self.succeed("run", STUDY, *TRUTH, "--output.frames=2", "--output", "truth.h5")
        made = list(csv.reader(io.StringIO(self.script("noisy_track", "truth.h5", "--deviation", "5e-4", "--seed", "1"))))
        kept = list(csv.reader(io.StringIO((STUDY.parent / "track.csv").read_text(encoding="utf-8"))))
        self.assertEqual(made[0], kept[0])
        self.assertEqual(len(made), len(kept))
        for ours, theirs in zip(made[1:], kept[1:]):
            self.assertEqual([not cell for cell in ours], [not cell for cell in theirs])
            np.testing.assert_allclose([float(cell or 0) for cell in ours], [float(cell or 0) for cell in theirs], atol=2e-6)

    def test_data_that_are_hardly_of_the_rod_are_asked_about(self):
        header, *rows = (line.split(",") for line in TRACK.splitlines())
        in_mm = "\n".join(",".join([row[0], row[1], *(f"{1000 * float(x)}" if x.strip() else "" for x in row[2:4]), row[4]]) for row in rows)
        cases = {
            TRACK: None,
            ",".join(header) + "\n" + in_mm: "measured data are far from the rods: at ",
            TRACK.replace("6,    , -0.01", "6,   0, 0"): "exactly 0 in all coordinates, away from where the rod starts: first at ",
        }
        single = ("--study.kind=single", "--rod.young_modulus=1e6", "--time.step=5e-5")
        deck = self.deck(SWEEP.replace("axis = rod.young_modulus : logspace(5e5, 5e6, 6)\n", ""))
        for text, sentence in cases.items():
            with self.subTest(sentence=sentence):
                self.track(text)
                said = self.succeed("check", deck, *single).stdout, self.succeed("run", deck, *single, "--overwrite", "--output", self.file).stderr
                for lines in said:
                    self.assertEqual("measured data" in lines, sentence is not None, lines)
                    self.assertIn(sentence or "", lines)

    def test_mistakes_are_reported_with_line_and_column(self):
        cases = {
            TRACK.replace("-0.01,", "deep,"): ["track.csv:4:18", "z 'deep' is not a finite decimal number"],
            TRACK.replace("0.3, ", "0.7, "): ["track.csv:5:1: measure.point: ", "the time 0.7 s is not within", "0 to 0.3 s"],
            TRACK.replace("weight", "wait"): ["track.csv:1:19", "'wait' is no column"],
            TRACK.replace("0.15001, 6,", "0.15001, 13,"): ["track.csv:4:1: measure.point: ", "there is no such node: this rod has 0 to 12"],
            "time, x\n0, 1\n": ["track.csv:1:1", "takes one of the columns node, s"],
        }
        for text, mentions in cases.items():
            with self.subTest(text=text):
                self.track(text)
                self.refuse("run", self.deck(SWEEP), "--output", self.file, mentions=mentions)
        self.refuse("run", self.deck(SWEEP), "--measure.data=none.csv", "--output", self.file,
                    mentions=["none.csv: cannot read this file of measured data (measure.data, command line)"])
        self.refuse("run", self.deck(SWEEP.replace("[measure]\ndata = track.csv\n", "")), "--study.objective=misfit",
                    "--output", self.file, mentions=["do not report 'misfit'", "it needs measure.data or measure.point"])


if __name__ == "__main__":
    unittest.main()
