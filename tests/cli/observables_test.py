"""What observables say, by their names of today and of yesterday, and how scripts/plot chooses among them."""

import os
import re
import subprocess
import unittest

import h5py
import matplotlib.pyplot as plt
import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest


# A rod of 1 m along z at x = 3 m that moves sideways with nothing to hold it.
FREE_ROD = """\
[rod]
elements = 10
length = 1
radius = 0.02
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
origin = 3, 0, 0
direction = 0, 0, 1
normal = 1, 0, 0
velocity = 2, 0, 0

[time]
step = 1e-4
end = 0.1
"""

# The same rod held at one end and pulled askew.
HELD_ROD = FREE_ROD.replace("velocity = 2, 0, 0\n", "").replace("origin = 3", "origin = 0") + """
[boundary]
first = clamped

[load]
end_force = 0.1, 0, 50
end_couple = 0, 0, 0.001
"""

PARTS = ("translational_energy", "rotational_energy", "bending_energy", "twist_energy", "shear_energy", "stretch_energy")


class Observables(CliTest):
    def results(self, deck, *options):
        self.succeed("run", self.deck(deck), *options, "--output", self.file, "--overwrite")
        return {name: values[0] for name, values in read_ensemble.Ensemble(self.file).observables.items()}

    def test_the_distance_of_the_ends_is_not_that_from_the_origin(self):
        self.assertAlmostEqual(self.results(FREE_ROD)["end_distance_max"], 1.0, places=9)

    def test_the_energies_of_a_rod_are_parts_without_overlap(self):
        found = self.results(HELD_ROD)
        for name in PARTS:
            self.assertGreater(found[name], 0, name)
        self.assertAlmostEqual(sum(found[name] for name in PARTS) / found["total_energy"], 1, places=12)
        self.assertGreater(found["stretch_energy"], 10 * found["shear_energy"])

    def test_what_steps_take_is_that_of_all_rods(self):
        two = HELD_ROD.replace("end_force = 0.1, 0, 50\nend_couple = 0, 0, 0.001", "end_force = 0.1, 0, 0").replace(
            "[time]\nstep = 1e-4", "count = 2\neach = rod.origin[0] : list(0, 5)\n[time]\nmethod = implicit\nstep = 1e-2")
        driven = [self.results(two, f"--actuation.force=x, rod {rod}, end : 0.1 * t")["energy_loss_relative"] for rod in (0, 1)]
        damped = [self.results(two, f"--rod.each=rod.damping : list({of_each})", "--rod.each=rod.origin[0] : list(0, 5)")["energy_loss_relative"]
                  for of_each in ("1, 0", "0, 1")]
        for first, last in (driven, damped):
            self.assertGreater(last, 0)
            np.testing.assert_allclose(first, last, rtol=1e-6)

    def test_a_discrete_elastic_rod_has_no_shear(self):
        found = self.results(HELD_ROD, "--model.kind=der", "--time.step=1e-3")
        self.assertEqual(found["shear_energy"], 0)
        self.assertGreater(found["stretch_energy"], 0)
        self.assertAlmostEqual(sum(found[name] for name in PARTS) / found["total_energy"], 1, places=12)

    def test_the_width_of_a_gait_does_not_count_what_lies_between_rods(self):
        swim = ("--muscle.amplitudes=1e-3, 1e-3", "--muscle.period=0.05", "--muscle.wave_number=6", "--muscle.axis=1, 0, 0")
        alone = self.results(FREE_ROD, *swim)["gait_width"]
        several = self.results(FREE_ROD, *swim, "--rod.count=2", "--rod.each=rod.origin[1] : list(0, 5)")["gait_width"]
        self.assertLess(alone, 1)
        self.assertAlmostEqual(several, alone, places=9)

    def test_a_rod_that_nothing_holds_has_no_reaction(self):
        found = self.results(FREE_ROD)
        self.assertTrue(np.isnan([found["end_force"], found["end_couple"]]).all())
        self.assertTrue(np.isfinite(self.results(HELD_ROD)["end_force"]))


class Plot(CliTest):
    def plot(self, *options, **environment):
        return subprocess.run([campaign.ROOT / "scripts" / "plot", self.file, *options], cwd=self.folder, capture_output=True,
                              text=True, check=False, env=os.environ | environment)

    def drawn(self, *options):
        """The observables that the picture of a sweep over one axis shows, by what is printed, and its width."""
        result = self.plot(*options)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.text = result.stdout
        return re.findall(r"^  (\w+) \[", result.stdout, re.MULTILINE), plt.imread(self.folder / "campaign.png").shape[1]

    def test_a_sweep_over_one_axis_shows_what_is_chosen(self):
        axis = "--sweep.axis=load.end_force[0] : list(0.05, 0.1, 0.15)"
        self.succeed("run", self.deck(HELD_ROD), "--study.kind=sweep", axis, "--output", self.file)
        names, width = self.drawn()
        self.assertEqual(names, ["tip_deflection"])
        self.assertIn("--observable NAME", self.text)
        names, wider = self.drawn("--observable", "end_x", "--observable", "bending_energy")
        self.assertEqual(names, ["end_x", "bending_energy"])
        self.assertGreater(wider, 1.2 * width)
        result = self.plot("--observable", "end_w")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no observable 'end_w'; there are end_x, end_y", result.stderr)

        self.succeed("run", self.deck(HELD_ROD), "--study.kind=sweep", axis, "--study.objective=end_x", "--output", self.file,
                     "--overwrite")
        self.assertEqual(self.drawn()[0], ["end_x"])
        self.assertNotIn("--observable", self.text)

    def test_a_map_shows_what_is_chosen(self):
        axes = ("--study.kind=sweep", "--sweep.axis=load.end_force[0] : list(0.05, 0.1)", "--sweep.axis=rod.radius : list(0.02, 0.03)")
        self.succeed("run", self.deck(HELD_ROD), *axes, "--output", self.file)
        # Nobody watched for buckling, so that there is no probability of it to draw.
        self.assertIn("Mean tip deflection (m) over", self.plot().stdout)
        text = self.plot("--observable", "end_x", "--observable", "total_energy").stdout
        self.assertIn("Mean end x (m) over", text)
        self.assertIn("Mean total energy (J) over", text)
        self.succeed("run", self.deck(), "--output", self.file, "--overwrite")
        self.assertIn("Probability of buckling over", self.plot().stdout)

    def test_a_map_of_buckling_whose_last_columns_are_not_finished(self):
        """Columns without points near Euler's load once left no room for the map, of which matplotlib only warned."""
        axes = ("--sweep.axis=rod.bend_stiffness : linspace(0.5, 2, 4)", "--sweep.axis=load.axial_force : linspace(2, 26, 7)")
        self.succeed("run", campaign.ROOT / "inputs" / "studies" / "euler_buckling_alpha.ini", *axes, "--study.repeats=1",
                     "--rod.elements_per_length=10", "--time.step=5e-5", "--time.end=2", "--output", self.file)
        with h5py.File(self.file, "r+") as file:
            file["members/commit"][9:] = 0  # the second column has its two smallest forces, those after it have none
        drawn = self.plot(PYTHONWARNINGS="error::UserWarning")
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        self.assertIn("load.axial_force: 9 members, 1 repeat a point", drawn.stdout)
        self.assertEqual([line.split()[2:] for line in drawn.stdout.splitlines()[3:6]], [["0.608", "-"], ["-", "-"], ["-", "-"]])
        self.assertGreater(plt.imread(self.folder / "campaign.png").std(), 0.05)

    def test_what_is_no_sweep_takes_no_choice(self):
        self.succeed("run", self.deck(HELD_ROD), "--output.frames=3", "--output.observables=end_x, end_z", "--output", self.file)
        result = self.plot("--observable", "end_x")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Observables are chosen for sweeps", result.stderr)
        self.assertNotIn("end_z", self.plot("--histories", "--observable", "end_x").stdout)


if __name__ == "__main__":
    unittest.main()
