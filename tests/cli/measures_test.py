"""Measures that decks define themselves: in files, searches, pictures and messages."""

import subprocess
import unittest

import h5py
import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import BAD_INPUT, CliTest


CORD = (campaign.ROOT / "inputs" / "examples" / "drooping_cord.ini").read_text(encoding="utf-8")

# A heavy rod that swings, held at one end; its measures need looks, glances and powers.
SWINGING = """\
[study]
kind = sweep

[sweep]
axis = rod.radius : list(0.01, 0.015, 0.02)

[rod]
elements = 12
length = 1
radius = 0.02
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
direction = 1, 0, 0
normal = 0, 1, 0

[boundary]
first = clamped

[gravity]
acceleration = 0, 0, -9.81

[time]
step = 1e-4
end = 0.2

[measure]
interval = 7e-3
define = depth [m] : -min(z(end))
define = mean_energy [J] : mean(total_energy)
define = work [J] : integral(power_gravity over 0.05 to 0.15)
define = sharpest [1/m] : max(max_along(curvature))
"""
MEASURES = ("depth", "mean_energy", "work", "sharpest")


# A formula in the place of rods, with which any study can be tried.
FORMULA = """\
[study]
kind = sweep

[sweep]
axis = variable.a : list(-1, 0.5, 2)

[model]
kind = function

[function]
x = 3, 4

[variable]
a = 0

[measure]
define = wave [1] : sin(variable.a) + function.x[1]
define = product [m] : wave*function_value
"""


class OfAFormula(CliTest):
    def test_measures_of_the_function_and_of_the_decks_numbers(self):
        self.succeed("run", self.deck(FORMULA), "--output", self.file)
        found = read_ensemble.Ensemble(self.file)
        wave = np.sin([-1, 0.5, 2]) + 4
        np.testing.assert_allclose(found.observables["wave"], wave, rtol=1e-15)
        np.testing.assert_allclose(found.observables["product"], 25 * wave, rtol=1e-15)
        self.assertEqual(found.units["product"], "m")

    def test_a_search_by_one_and_a_constraint_by_another(self):
        search = FORMULA.replace("kind = sweep", "kind = optimize\nobjective = wave\nsense = min").replace(
            "[sweep]\naxis = variable.a : list(-1, 0.5, 2)",
            "[optimize]\nparameter = variable.a : [-4, 1] start 0\nconstraint = product >= 76\ngenerations = 40")
        self.succeed("run", self.deck(search), "--output", self.file)
        found = read_ensemble.Ensemble(self.file)
        best = found.observables["wave"][found.observables["product"] >= 76].min()
        self.assertAlmostEqual(best, 76 / 25, delta=1e-3)

    def test_a_member_that_times_out_has_none(self):
        slow = ("--study.deadline=0.01", "--function.seconds=10")
        self.assertEqual(self.call("run", self.deck(FORMULA), *slow, "--output", self.file).returncode, 2)
        found = read_ensemble.Ensemble(self.file)
        self.assertTrue(np.isnan(found.observables["wave"]).all())
        self.assertTrue(found.committed.all())

    def test_what_rods_alone_have_is_refused(self):
        for expression in ("last(x(end))", "max(function_value)", "t", "tip_deflection", "mean(length)"):
            with self.subTest(expression=expression):
                self.refuse("run", self.deck(FORMULA), f"--measure.define=q [1] : {expression}", mentions=["measure.define"])


class Measures(CliTest):
    def results(self, text, *options, ranks=None):
        self.succeed("run", self.deck(text), *options, "--output", self.file, "--overwrite", ranks=ranks)
        return read_ensemble.Ensemble(self.file)

    def test_a_drooping_cord_comes_to_its_closed_forms(self):
        for model in ("cosserat", "der"):
            step = "--time.step=1e-3" if model == "der" else "--time.step=1e-5"
            found = self.results(CORD, f"--model.kind={model}", step)
            values = {name: numbers[0] for name, numbers in found.observables.items()}
            self.assertAlmostEqual(values["droop_over_theory"], 1, delta=0.01)
            self.assertAlmostEqual(values["clamp_over_theory"], 1, delta=0.03)
            self.assertAlmostEqual(values["droop"], -values["end_z"], places=15)
            self.assertTrue(0 < values["half_way"] < 0.3)
            self.assertGreater(values["work_of_weight"], 0)

    def test_they_have_tables_that_the_file_keeps(self):
        (self.folder / "seen.csv").write_text("t, height\n0, 0\n0.1, 1\n0.2, 3\n", encoding="utf-8")
        seen = SWINGING + "define = seen [m] : at(0.15, table(seen.csv, t, height))\n"
        found = self.results(seen)
        np.testing.assert_allclose(found.observables["seen"], 2.0, rtol=1e-12)
        (self.folder / "seen.csv").unlink()
        self.succeed("resume", self.file)
        self.succeed("run", self.deck(found.deck), "--output", "again.h5")
        again = read_ensemble.Ensemble(self.folder / "again.h5")
        self.assertEqual(campaign.differences(found, again), [])

    def test_they_stand_in_the_file_with_unit_and_definition(self):
        found = self.results(CORD)
        self.assertEqual(found.units["droop"], "m")
        self.assertEqual(found.definitions["droop"], "-z(end)")
        self.assertNotIn("end_z", found.definitions)
        with h5py.File(self.file) as file:
            attributes = file["members/observables"].attrs
            self.assertEqual(len(attributes["definitions"]), 7)
            self.assertEqual(attributes["names"][-1].decode(), "sharpest")
        self.assertIn("sharpest", self.succeed("status", self.file).stdout)

    def test_results_do_not_depend_on_ranks(self):
        for model in ("cosserat", "der"):
            one = self.results(SWINGING, f"--model.kind={model}")
            two = self.results(SWINGING, f"--model.kind={model}", ranks=2)
            for name in MEASURES:
                self.assertTrue(np.isfinite(one.observables[name]).all(), name)
                np.testing.assert_array_equal(one.observables[name], two.observables[name])
            self.assertEqual(len(set(one.observables["depth"])), 3)

    def test_a_search_looks_for_a_measure(self):
        deck = CORD + """
define = miss [m] : abs(z(end) + 2.5e-3)
[study]
kind = optimize
objective = miss
sense = min
[optimize]
parameter = rod.young_modulus : [1.5e8, 2.5e8] start 1.7e8 scale 1e8
population = 6
generations = 12
"""
        found = self.results(deck, "--time.end=0.2", ranks=2)
        best = found.observables["miss"][found.usable].min()
        self.assertLess(best, 2e-5)
        modulus = found.parameters["rod.young_modulus"][np.nanargmin(found.observables["miss"])]
        self.assertAlmostEqual(modulus / (1100 * 9.81 * 0.2**4 / (2 * 0.004**2 * 2.5e-3)), 1, delta=0.03)
        self.assertIn("miss", self.succeed("status", self.file).stdout)

    def test_a_ladder_has_them(self):
        deck = CORD + "[study]\nkind = convergence\n[convergence]\naxis = rod.elements : list(5, 10, 20)\n[output]\nframes = 2\n"
        error = np.abs(self.results(deck).observables["droop_over_theory"] - 1)
        self.assertGreater(error[0], error[2])

    def plot(self, *options):
        command = [campaign.ROOT / "scripts" / "plot", self.file, *options]
        result = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_frames_hold_them_and_pictures_show_them(self):
        found = self.results(SWINGING, "--output.frames=6", "--output.observables=depth, end_z")
        time, depth = found.history(0, "depth")
        self.assertTrue((np.diff(depth) >= 0).all())
        self.assertEqual(depth[-1], found.observables["depth"][0])
        self.assertEqual(time[-1], 0.2)
        self.assertIn("depth [", self.plot("--observable", "depth"))
        self.assertIn("depth", self.plot("--histories", "--observable", "depth"))

    def test_lists_show_them(self):
        text = self.succeed("observables", self.deck(CORD), "droop").stdout
        self.assertIn("droop_over_theory", text)
        self.assertIn("unit m; a measure of the deck", text)
        self.assertNotIn("end_x", text)
        signals = self.succeed("signals").stdout
        for name in ("curvature_1", "power_muscles", "first_time", "max_along", "hypot"):
            self.assertIn(name, signals)
        self.assertIn("did you mean curvature?", self.call("signals", "curvatur_e").stderr)
        work = self.succeed("signals", "control_work").stdout
        self.assertIn("unit J", work)
        self.assertNotIn("power_", work)
        grounds = self.succeed("signals", "ground").stdout  # which stands in their texts alone
        for name in ("plane_load", "spheres_load", "cylinders_load", "platen_force_x"):
            self.assertIn(name, grounds)
        self.assertNotIn("kinetic", grounds)

    def test_a_file_with_other_measures_is_not_gone_on_with(self):
        self.results(SWINGING)
        other = self.deck(SWINGING.replace("-min(z(end))", "-min(z(middle))"))
        result = self.call("run", other, "--output", self.file, "--resume")
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertIn("belongs to another deck", result.stderr)

    def test_bad_lines_are_told_with_their_character(self):
        bad = {
            "x [m] : maen(z(end))": ("deck.ini:37: measure.define: character 9, 'maen(z(end))'", "did you mean mean?"),
            "x [m] : z(node 21)": ("character 16", "this rod has 0 to 20"),
            "x [m] : (z(end)": ("character 16", "is not closed"),
            "end_x [m] : 1": ("every study has an observable end_x",),
            "droop [m] : 1": ("droop is defined twice",),
            "x [] : 1": ("[1] for a pure number",),
        }
        for line, mentions in bad.items():
            self.refuse("run", self.deck(CORD + f"define = {line}\n"), "--output", self.file, mentions=mentions)
        self.refuse("run", self.deck(CORD), "--measure.interval=1e-6", "--output", self.file, mentions=("less than a time step",))
        self.refuse(
            "run", self.deck(CORD.replace("-z(end)", "-z(node 20)") + "[study]\nkind = sweep\n[sweep]\naxis = rod.elements : list(20, 10)\n"),
            "--output", self.file, mentions=("there is no such node: this rod has 0 to 10",))
        self.refuse(
            "run", self.deck(CORD), "--study.kind=single", "--study.objective=drop", "--output", self.file,
            mentions=("did you mean droop?",))
        self.refuse("run", self.deck(CORD + "define = speed_of_all [m/s] : mean(forward_speed)\n"), "--output", self.file,
                    mentions=("forward_speed", "muscle.period"))
        self.assertEqual(self.call("observables", self.deck(CORD + "define = x\n")).returncode, BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
