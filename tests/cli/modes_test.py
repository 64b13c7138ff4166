"""Vibrations about equilibria: in files, sweeps and objectives, after a resume, in pictures and films."""

import subprocess
import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest

SCRIPTS = campaign.ROOT / "scripts"

SWEEP = """\
[study]
kind = sweep
objective = frequency_1
sense = max

[sweep]
axis = rod.elements : list(8, 12, 12, 20)
axis = load.end_force[2] : list(0, -3)

[rod]
length = 0.5
radius = 0.004
density = 1100
young_modulus = 2e7
poisson_ratio = 0.5
direction = 1, 0, 0
normal = 0, 0, 1

[boundary]
first = clamped

[time]
method = static

[modes]
count = 4

[output]
frames = 2
"""


class Modes(CliTest):
    def script(self, name, *options):
        result = subprocess.run([SCRIPTS / name, *options], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_they_are_in_the_file_on_any_number_of_ranks(self):
        deck = self.deck(SWEEP)
        self.succeed("run", deck, "--output", self.file)
        one = read_ensemble.Ensemble(self.file)
        self.succeed("run", deck, "--output", "two.h5", ranks=2)
        two = read_ensemble.Ensemble(self.folder / "two.h5")
        self.assertEqual(campaign.differences(one, two), [])
        for member, nodes in enumerate((9, 9, 13, 13, 13, 13, 21, 21)):
            shapes = two.mode_shapes(member)
            self.assertEqual(shapes.shape, (4, nodes, 6))
            np.testing.assert_array_equal(shapes, one.mode_shapes(member))
            np.testing.assert_array_equal(shapes[:, 0, :3], 0)  # at the clamp
            self.assertGreater(np.abs(shapes[:, -1, :3]).max(), 1)
        # A beam that hangs under a weight at its end swings faster.
        for first in range(0, 8, 2):
            self.assertGreater(one.observables["frequency_1"][first + 1], one.observables["frequency_1"][first])
        self.script("plot", self.file, "--observable", "frequency_1")

    def test_pictures_and_films_show_them(self):
        self.succeed("run", self.deck(SWEEP), "--output", self.file, "--study.kind=single", "--rod.elements=16",
                     "--load.end_force=0, 0, -3")
        self.assertIn("frequency_4", self.script("plot", self.file))
        self.script("render", self.file, "--mode", "3", "--frame", "12", "--size", "160x90", "-o", "mode.png")
        self.assertTrue((self.folder / "mode.png").exists())
        _, rods = read_ensemble.Ensemble(self.file).vibration(0, 3)
        self.assertEqual(len(rods), 1)
        np.testing.assert_allclose(rods[0][0], rods[0][-1], atol=1e-12)
        missing = subprocess.run([SCRIPTS / "render", self.file, "--mode", "5"], cwd=self.folder, capture_output=True, text=True,
                                 check=False)
        self.assertIn("has modes 1 to 4, not 5", missing.stderr)

    def test_a_search_finds_the_stiffness_of_a_frequency(self):
        self.succeed("run", self.deck(SWEEP.replace("kind = sweep", "kind = optimize").split("[sweep]")[0] + "[optimize]\n"
                                      "parameter = rod.young_modulus : [1e6, 1e8] start 1e7 log\ntarget = 0.01\npopulation = 6\n"
                                      "[measure]\ndefine = off [Hz] : abs(last(frequency_1) - 1)\n"
                                      + "[rod]" + SWEEP.split("[rod]")[1].replace("young_modulus = 2e7\n", "elements = 10\n")),
                     "--study.objective=off", "--study.sense=min", "--output", self.file)
        found = read_ensemble.Ensemble(self.file)
        self.assertLess(np.abs(found.observables["frequency_1"] - 1)[found.committed].min(), 0.01)

    def test_a_mirror_image_decays_alike_where_couples_have_no_energy(self):
        # Damping couples the motions that are found; how many these are must not hang on how many have converged.
        helix = """\
[rod]
elements = 14
density = 295.616
young_modulus = 194611
poisson_ratio = 0.3
length = 0.30621
shape = helix
helix_radius = 0.0142965
helix_pitch = 0.155586
radius = 0.00371681
end_radius = 0.0033809
damping = 0.00282934
direction = 0, 0, 1
normal = 1, 0, 0
[boundary]
first = clamped
[gravity]
acceleration = 0, 0, -0.0231572
[load]
distributed_couple = -3.71571e-05, 5.77716e-05, -5.11931e-05
[time]
method = static
[modes]
count = 4
"""
        mirrored = ("--rod.direction=0, 0, -1", "--rod.helix_pitch=-0.155586",
                    "--load.distributed_couple=3.71571e-05, 5.77716e-05, 5.11931e-05")
        self.succeed("run", self.deck(helix), "--output", "one.h5")
        self.succeed("run", self.deck(helix), *mirrored, "--output", "other.h5")
        one, other = (read_ensemble.Ensemble(self.folder / f"{file}.h5").observables for file in ("one", "other"))
        for k in range(1, 5):
            for name in (f"frequency_{k}", f"decay_rate_{k}"):
                np.testing.assert_allclose(other[name], one[name], rtol=1e-8, err_msg=name)

    def test_they_know_no_unit_of_mass(self):
        # What kept an end on its axis was 1 N/m once, and what turns cost was summed up with numbers beyond the matrix, without a unit.
        hanging = SWEEP.replace("rod.elements : list(8, 12, 12, 20)", "rod.radius : list(0.004, 1e-5)")  # in the plain and the mixed form
        hanging = hanging.replace("= 1, 0, 0", "= 2, 1, 0.5") + "[gravity]\nacceleration = 0, 0, -1\n"
        for last in ("free", "clamped_sliding"):
            for elements in (2, 12):
                found = []
                for unit in (1.0, 2.0**-60):
                    deck = hanging.replace("2e7", repr(2e7 * unit)).replace("1100", repr(1100 * unit)).replace("list(0, -3)", f"list(0, {-1e-12 * unit!r})")
                    self.succeed("run", self.deck(deck), f"--boundary.last={last}", f"--rod.elements={elements}", "--output", self.file, "--overwrite")
                    found.append(read_ensemble.Ensemble(self.file).observables)
                for name, factor in (("frequency_1", 1.0), ("frequency_4", 1.0), ("least_stiffness", 2.0**60)):
                    np.testing.assert_allclose(found[1][name] * factor, found[0][name], rtol=1e-8, err_msg=f"{name}, {last}, {elements} elements")

    def test_sheared_pieces_of_a_rod_vibrate_as_the_rod(self):
        # Couples of magnets shear rods with pinned ends and leave them straight: turns and rolls are alike to 1e-5, and rounding hid the roll of all.
        rod = "[rod]\ndensity = 553.463\nyoung_modulus = 2.7786e8\npoisson_ratio = 0.3\nradius = 0.00113443\ndirection = 0, -1, 0\nnormal = 1, 0, 0\n"
        load = ("[load]\nmagnetization = 251983\nmagnetic_flux_density = -0.0037499, -0.00893993, -0.00245274\n"
                "[time]\nmethod = static\n[modes]\ncount = 4\n")
        pieces = ("length = 0.063923\nelements = 48\ncount = 2\neach = boundary.first : list(pinned, free)\neach = boundary.last : list(free, pinned_sliding)\n"
                  "each = rod.origin[1] : list(0, -0.063923)\n[connection]\nrigid = rod 0, end to rod 1, start\n")
        whole = "length = 0.127846\nelements = 96\n[boundary]\nfirst = pinned\nlast = pinned_sliding\n"
        found = []
        for of in (whole, pieces):
            self.succeed("run", self.deck(rod + of + load), "--output", self.file, "--overwrite")
            found.append(read_ensemble.Ensemble(self.file).observables)
        one, two = found
        for k in range(1, 5):
            np.testing.assert_allclose(two[f"frequency_{k}"], one[f"frequency_{k}"], rtol=1e-6, err_msg=str(k))
        np.testing.assert_array_equal(two["unstable_modes"], one["unstable_modes"])

    def test_what_has_no_effect_is_refused(self):
        dynamic = SWEEP.replace("method = static", "step = 1e-5\nend = 1e-3")
        self.refuse("check", self.deck(dynamic), mentions=["modes.count", "it needs time.method = static"])
        self.refuse("check", self.deck(SWEEP.replace("rod.elements : list(8, 12, 12, 20)", "modes.count : list(1, 2)")),
                    mentions=["modes.count holds for the study as a whole"])
        self.refuse("check", self.deck(SWEEP.replace("frequency_1", "frequency_5")), mentions=["frequency_5"])


if __name__ == "__main__":
    unittest.main()
