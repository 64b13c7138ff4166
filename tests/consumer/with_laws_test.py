#!/usr/bin/python3
"""The program with the laws of tests/consumer, built by a project from the sources of this tree: compiles all of rodeo.

    tests/consumer/with_laws_test.py [FOLDER]        (default: build-with-laws; what stands there is built on)
"""

import math
import os
import pathlib
import resource
import subprocess
import sys
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import campaign
from pulled_decks import BY_FORMULAS, BY_LAW

FOLDER = ROOT / "build-with-laws"
RODEO = None

PROJECT = """cmake_minimum_required(VERSION 3.22)
project(mine CXX)
include({ROOT}/src/own_laws.cmake)
rodeo_add_law({laws}/line_spring {laws}/damped_pull {laws}/place_drag)
"""

LENGTH, STRETCH, MASS, SPRING = 0.5, 20.0, 0.04, 30.0
ROD = f"""[rod]
length = {LENGTH}
radius = 0.01
mass = {MASS}
bend_stiffness = 1e-3
twist_stiffness = 1e-3
shear_stiffness = 20
stretch_stiffness = {STRETCH}
direction = 1, 0, 0
"""
# From a line across the axis of a rod, ahead of its end.
AHEAD, YOUNG, RADIUS = 0.05, 1e5, 0.01
HELD = f"""[rod]
length = {LENGTH}
radius = {RADIUS}
density = 1000
young_modulus = {YOUNG}
poisson_ratio = 0.5
direction = 1, 0, 0
elements = 8
[boundary]
first = clamped
[line_spring]
point = {LENGTH + AHEAD}, 0, 0
stiffness = {SPRING}
[measure]
define = x [m] : x(end)
[time]
"""
# The same line where its end is, which is pushed.
FREE = ROD + f"""elements = 1
velocity = 1, 0, 0
[model]
section = rigid
[line_spring]
point = {LENGTH}, 0, 0
stiffness = {SPRING}
[measure]
define = first [m] : last(x(start))
define = last [m] : last(x(end))
[time]
step = 1e-4
end = 0.3
"""
# A rod that a drag c + s x stops, where c x + s x^2/2 = m v/L.
DRAG, GROWTH = 50.0, 2.0
STOPPED = f"""[model]
section = rigid
[rod]
elements = 4
length = 0.2
radius = 0.01
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
direction = 0, 1, 0
normal = 0, 0, 1
velocity = 1, 0, 0
[place_drag]
at_zero = {DRAG}
slope = {GROWTH}
[measure]
define = way [m] : last(x(end))
[time]
"""


def run(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)


class WithLaws(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        global RODEO
        FOLDER.mkdir(exist_ok=True)
        laws = ROOT / "tests" / "consumer"
        (FOLDER / "CMakeLists.txt").write_text(PROJECT.format(ROOT=ROOT, laws=laws), encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for command in (("cmake", "-S", FOLDER, "-B", FOLDER / "build", "-G", "Ninja"), ("cmake", "--build", FOLDER / "build")):
            done = run(*command)
            if done.returncode != 0:
                raise AssertionError(done.stdout + done.stderr)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"built in {after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.0f} CPU s")
        RODEO = FOLDER / "build" / "rodeo_with_laws" / "rodeo"

    def rodeo(self, command, deck, *more, ranks=1, threads=1):
        path = FOLDER / "deck.ini"
        path.write_text(deck, encoding="utf-8")
        start = [campaign.MPIRUN, "-n", ranks] if ranks > 1 else []
        return run(*start, RODEO, command, path, *more, env=os.environ | {"OMP_NUM_THREADS": str(threads)})

    def results(self, deck, *more, **options):
        file = FOLDER / "results.h5"
        file.unlink(missing_ok=True)
        done = self.rodeo("run", deck, *more, "--output", file, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        results = campaign.read_ensemble.Ensemble(file)
        self.assertEqual(set(results.status), {1}, done.stdout)
        return results

    def numbers(self, deck, *more, **options):
        return {name: values.copy() for name, values in self.results(deck, *more, **options).observables.items()}

    def test_a_drag_stops_a_rod_in_steps_that_are_longer_than_it_takes(self):
        """Explicit in the velocity, steps of 10 ms throw it back: -3.72 mm once, and -1e6 m with ten times the drag."""
        line_mass = 1000 * math.pi * 0.01**2
        for drag in (DRAG, 10 * DRAG):
            right = (-drag + math.sqrt(drag**2 + 2 * GROWTH * line_mass)) / GROWTH
            for scheme in ("backward_euler", "sdirk2", "midpoint"):
                with self.subTest(drag=drag, scheme=scheme):
                    way = self.numbers(STOPPED + "step = 1e-2\nend = 1\n", "--model.kind=der", f"--time.scheme={scheme}",
                                       f"--place_drag.at_zero={drag}")["way"][0]
                    self.assertAlmostEqual(way / right, 1.0, delta=2e-3)
        way = self.numbers(STOPPED + "step = 1e-4\nend = 1\n")["way"][0]
        self.assertAlmostEqual(way / 0.0062824, 1.0, delta=0.02)
        said = self.rodeo("check", STOPPED + "step = 1e-4\nend = 1\n", "--place_drag.at_zero=1e5")
        self.assertIn("the answer of laws to velocities", said.stdout + said.stderr)

    def test_it_says_that_it_has_them(self):
        self.assertIn("line_spring", run(RODEO, "--version").stdout)
        keys = run(RODEO, "keys").stdout
        for key in ("point", "along", "stiffness", "place"):
            self.assertIn(f"line_spring.{key}", keys)
        self.assertIn("springs to lines", run(RODEO, "features").stdout)
        for wrong, sentence in (("line_spring.stifness=1", "did you mean line_spring.stiffness?"),
                                ("line_spring.stiffness=-1", "line_spring.stiffness")):
            done = self.rodeo("check", HELD + "method = static\n", wrong)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(sentence, done.stderr)
        without = self.rodeo("check", HELD.replace(f"stiffness = {SPRING}\n", "") + "method = static\n")
        self.assertIn("line_spring.point: has no effect: it needs line_spring.stiffness", without.stderr)
        self.assertNotIn("line_spring", run(campaign.RODEO, "keys").stdout)
        noop = self.rodeo("check", "[model]\nkind = noop\n[line_spring]\nstiffness = 1\n")
        self.assertIn("line_spring.stiffness", noop.stderr)

    def test_it_balances_a_rod_by_all_methods(self):
        """A spring of so many N/m in a row with the rod's own, E A/L."""
        u = SPRING * AHEAD / (YOUNG * np.pi * RADIUS**2 / LENGTH + SPRING)
        damped = "step = 0.01\nend = 20\n[rod]\nrelaxation_time = 0.2\n"
        der = "[model]\nkind = der\n[newton]\ntolerance = 1e-9\n"
        for more in ("method = static\n", "method = static\n" + der, "method = implicit\nscheme = backward_euler\n" + damped,
                     "scheme = backward_euler\n" + damped + der):
            with self.subTest(more):
                x = self.numbers(HELD + more)["x"][0]
                self.assertAlmostEqual(x - LENGTH, u, delta=1e-7 * u)

    def test_it_moves_by_the_recursion_of_its_steps(self):
        """Two nodes of half the mass, the rod's spring between them, and its own on one: position Verlet, and the exact motion."""
        k, m, h, steps = STRETCH / LENGTH, MASS / 2, 1e-4, 3000
        found = self.numbers(FREE)
        x, v = np.zeros(2), np.ones(2)
        stiffness = np.array([[k, -k], [-k, k + SPRING]])
        for _ in range(steps):
            x = x + 0.5 * h * v
            v = v - h / m * stiffness @ x
            x = x + 0.5 * h * v
        np.testing.assert_allclose([found["first"][0], found["last"][0] - LENGTH], x, rtol=0, atol=1e-11)
        squares, modes = np.linalg.eigh(stiffness / m)
        rates = np.sqrt(squares)
        exact = modes @ (np.sin(rates * h * steps) / rates * (modes.T @ np.ones(2)))
        np.testing.assert_allclose([found["first"][0], found["last"][0] - LENGTH], exact, rtol=0, atol=1e-6)
        self.assertLess(found["energy_gain_relative"][0], 1e-5)

    def test_it_gives_energy_back(self):
        """Its energy is counted: without that the ledger would be off by all of it."""
        found = self.numbers(FREE.replace("step = 1e-4", "step = 1e-3\nmethod = implicit\nscheme = energy_momentum"))
        self.assertLess(found["energy_gain_relative"][0], 1e-9)

    def test_it_bounds_explicit_steps(self):
        done = self.rodeo("check", FREE, "line_spring.stiffness=1e9")
        self.assertIn("line_spring.stiffness", done.stdout + done.stderr)

    def test_studies_vary_it_with_the_same_bits_on_any_ranks_and_threads(self):
        sweep = "[study]\nkind = sweep\n[sweep]\naxis = line_spring.stiffness : list(10, 20, 30, 40)\n" + FREE
        one = self.numbers(sweep)
        np.testing.assert_array_equal(one["last"][2], self.numbers(FREE)["last"][0])
        for options in ({"ranks": 3}, {"threads": 2}):
            other = self.numbers(sweep, **options)
            np.testing.assert_array_equal(one["last"], other["last"])
            np.testing.assert_array_equal(one["first"], other["first"])

    def test_each_rod_may_have_its_own(self):
        two = FREE.replace(f"stiffness = {SPRING}\n", "")
        two = two.replace("elements = 1\n", "elements = 1\ncount = 2\neach = line_spring.stiffness : list(30, 10)\n"
                          "each = rod.origin[2] : list(0, 1)\n")
        two = two.replace("x(end)", "x(rod 1, end)").replace("x(start)", "x(rod 1, start)")
        alone = self.numbers(FREE, "line_spring.stiffness=10")
        np.testing.assert_allclose(self.numbers(two)["last"], alone["last"], rtol=1e-12)

    def test_a_law_of_control_has_the_bits_of_formulas(self):
        law, formula = self.numbers(BY_LAW), self.numbers(BY_FORMULAS)
        for name in ("z", "pushed"):
            np.testing.assert_array_equal(law[name], formula[name])
        sweep = "[study]\nkind = sweep\n[sweep]\naxis = variable.w[1] : list(-90, 0)\n"
        both = self.numbers(sweep + BY_LAW, ranks=3)
        self.assertEqual(both["z"][0], law["z"][0])
        self.assertNotEqual(both["z"][0], both["z"][1])

    def test_decks_without_them_keep_their_bits(self):
        deck = ROOT / "inputs" / "examples" / "tip_control.ini"
        files = []
        for program, name in ((RODEO, "own.h5"), (campaign.RODEO, "plain.h5")):
            file = FOLDER / name
            file.unlink(missing_ok=True)
            done = run(program, "run", deck, "--output", file, "time.end=0.5", "measure.define=settled [m] : rms(z(end))")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            files.append(campaign.read_ensemble.Ensemble(file))
        for name, values in files[0].observables.items():
            np.testing.assert_array_equal(values, files[1].observables[name], err_msg=name)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-") and "." not in sys.argv[1]:
        FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
