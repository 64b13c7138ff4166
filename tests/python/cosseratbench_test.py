"""rodeo's solvers of cosseratbench against the benchmark itself, where that is installed."""

import dataclasses
import importlib
import importlib.util
import json
import math
import os
import subprocess
import tomllib
import unittest

import numpy as np

from package_test_case import ROOT, PackageTest, softrods

EXPERIMENTS = ("cantilever", "capstan", "catenary", "crossing", "pendulum", "pile", "twist")
AT_REST = ("cantilever", "catenary", "crossing")  # what equilibria are asked for


@unittest.skipIf(importlib.util.find_spec("cosseratbench") is None, "not installed: cosseratbench (PyPI)")
class Cosseratbench(PackageTest):
    @classmethod
    def setUpClass(cls):
        import cosseratbench
        import cosseratbench.registry

        cls.bench, cls.registry = cosseratbench, cosseratbench.registry
        cls.solvers = importlib.import_module(f"{softrods.__name__}.adapters.cosseratbench")
        cls.moving = (cls.solvers.Explicit, cls.solvers.Implicit, cls.solvers.Der)

    def cord(self, **changes):
        """A soft cord of 0.2 m along x."""
        material = self.bench.Material(youngs_modulus=1e6, shear_modulus=1e6 / 3, density=1000.0)
        return self.bench.Rod(**{"centerline": ((0.0, 0.0, 0.0), (0.2, 0.0, 0.0)), "radius": 0.005, "material": material} | changes)

    def result(self, experiment, solver, **options):
        return self.bench.run(self.registry.load_experiment(experiment), solver, **options)

    def test_entry_points_name_the_solvers(self):
        with (ROOT / "src" / "python" / "pyproject.toml").open("rb") as file:
            entries = tomllib.load(file)["project"]["entry-points"]["cosseratbench.solvers"]
        for name, place in entries.items():
            module, _, solver = place.partition(":")
            self.assertEqual(getattr(importlib.import_module(module), solver).name, name)
        self.assertEqual(len(entries), 4)

    def test_every_experiment_starts_as_its_scenario_says(self):
        for name in EXPERIMENTS:
            experiment = self.registry.load_experiment(name)
            scenario, n = experiment.scenario, experiment.n_elements
            short = dataclasses.replace(scenario, duration=1e-3 * scenario.duration)
            for solver in self.moving + (self.solvers.Static,) * (name in AT_REST):
                with self.subTest(experiment=name, solver=solver.name):
                    found = solver().run(short, n_elements=n, n_frames=3)
                    np.testing.assert_allclose(found.times, np.linspace(0, short.duration, 3))
                    for rod, nodes, directors in zip(scenario.rods, found.positions, found.directors, strict=True):
                        np.testing.assert_allclose(nodes[0], rod.nodes(n), rtol=0, atol=1e-9)
                        np.testing.assert_allclose(directors[0], rod.directors(n), rtol=0, atol=1e-9)
                        self.assertTrue(np.isfinite(nodes).all() and np.isfinite(directors).all())

    def test_explicit_steps_are_half_of_the_stable_ones(self):
        for name in EXPERIMENTS:
            experiment = self.registry.load_experiment(name)
            deck = self.solvers.Explicit().deck(experiment.scenario, experiment.n_elements, experiment.n_frames)
            deck.write(self.folder / "deck.ini")
            command = [os.environ["RODEO"], "check", self.folder / "deck.ini", "--json"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            bounds = json.loads(done.stdout)["stable_step"]
            with self.subTest(experiment=name):
                self.assertGreater(bounds["all"] / deck.time.step, 2 - 1e-3)
                self.assertLess(bounds["all"] / deck.time.step, 2.2)

    def test_beams_bend_as_euler_says_to_second_order(self):
        found = [self.result("cantilever", self.solvers.Static(), n_elements=n).trajectory for n in (10, 20, 40)]
        ends = [trajectory.positions[0][-1, -1, 2] for trajectory in found]
        self.assertAlmostEqual((ends[0] - ends[1]) / (ends[1] - ends[2]), 4, delta=0.1)
        for solver in (*self.moving, self.solvers.Static):
            self.assertLess(self.result("cantilever", solver()).metrics["tip_deflection_error"], 2e-3, solver.name)

    def test_cables_hang_and_swing(self):
        for solver in (*self.moving, self.solvers.Static):
            self.assertLess(self.result("catenary", solver()).metrics["sag_error"], 3e-4, solver.name)
        swung = self.result("pendulum", self.solvers.Implicit(), n_elements=25).metrics
        self.assertLess(swung["period_error"], 6e-4)
        self.assertLess(abs(swung["amplitude_change"]), 1e-4)

    def test_a_rope_holds_below_the_capstans_limit_and_slides_above(self):
        for solver in self.moving:
            held = self.result("capstan", solver())
            self.assertLess(held.metrics["slide"], 1e-4, solver.name)
            self.assertLess(held.observations["max_penetration"], 0.05, solver.name)
        self.assertGreater(self.result("capstan", self.solvers.Explicit(), values={"overhang": 1.5}).metrics["slide"], 0.05)

    def test_crossed_ropes_press_on_each_other(self):
        found = self.result("crossing", self.solvers.Static(), n_elements=50)  # a node where they touch
        self.assertLess(found.metrics["shape_error"], 1e-3)
        self.assertLess(found.observations["max_rod_overlap"], 1e-2)

    def test_driven_ends_are_where_their_motions_have_them(self):
        motion = self.bench.Motion(times=(0.0, 0.05, 0.1), displacement=((0.0, 0.0, 0.0), (0.01, 0.0, 0.02), (0.01, 0.01, 0.03)),
                                   rotation=((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), (0.8, 0.0, 0.0)))
        sliding = self.bench.Motion(times=(0.0, 0.1), displacement=((0.0, 0.0, 0.0), (0.0, 0.01, 0.0)),
                                    rotation=((0.0, 0.0, 0.0), (0.8, 0.0, 0.0)), slides_along=(1.0, 0.0, 0.0))
        clamped = self.bench.EndCondition.CLAMPED
        rod = self.cord(start=clamped, start_motion=motion, end=clamped, end_motion=sliding)
        scenario = self.bench.Scenario(rods=(rod,), duration=0.1, self_contact=False, quasi_static=True)
        for solver in self.moving:
            with self.subTest(solver=solver.name):
                found = solver().run(scenario, n_elements=10, n_frames=5)
                for time, nodes, directors in zip(found.times, found.positions[0], found.directors[0]):
                    np.testing.assert_allclose(nodes[0], motion.pose(time)[0], rtol=0, atol=1e-9)
                    np.testing.assert_allclose(nodes[-1, 1:], sliding.pose(time)[0][1:], rtol=0, atol=1e-9)
                self.assertGreater(abs(found.positions[0][-1, -1, 0] - 0.2), 1e-4)  # it slid
                turned = math.atan2(-directors[0, 1], directors[0, 2])
                self.assertAlmostEqual(turned, 0.8, delta=0.05)

    def test_loads_pull_at_either_end(self):
        pinned, stiffness = self.bench.EndCondition.PINNED, 1e6 * np.pi * 0.005**2
        at_start = self.cord(end=pinned, loads=(self.bench.PointLoad((-1.0, 0.0, 0.0), self.bench.End.START),))
        at_end = self.cord(start=pinned, loads=(self.bench.PointLoad((1.0, 0.0, 0.0)),))
        for rod in (at_start, at_end):
            scenario = self.bench.Scenario(rods=(rod,), duration=1.0, self_contact=False, quasi_static=True)
            nodes = self.solvers.Static().run(scenario, n_elements=8, n_frames=3).positions[0][-1]
            self.assertAlmostEqual(np.linalg.norm(nodes[-1] - nodes[0]), 0.2 * (1 + 1 / stiffness), delta=1e-9)

    def test_what_solvers_do_not_have_is_unsupported_with_the_reason(self):
        for name, reason in (("pendulum", "motion in time"), ("capstan", "friction"), ("twist", "ends that are moved")):
            found = self.result(name, self.solvers.Static())
            self.assertEqual(found.outcome, "unsupported")
            self.assertRegex(found.missing[0], reason)
        turning = self.bench.Motion(times=(0.0, 1.0, 2.0), displacement=((0.0,) * 3,) * 3,
                                    rotation=((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.1, 0.1, 0.0)))
        floors = tuple(self.bench.Plane((0.0, 0.0, -1.0), (0.0, 0.0, 1.0), friction) for friction in (0.1, 0.2))
        clamped = self.bench.EndCondition.CLAMPED
        for reason, scenario in (
                ("an axis which changes", self.bench.Scenario((self.cord(start=clamped, start_motion=turning),), 1.0)),
                ("friction of obstacles", self.bench.Scenario((self.cord(),), 1.0, obstacles=floors))):
            with self.assertRaisesRegex(NotImplementedError, reason):
                self.solvers.Explicit().run(scenario, n_elements=10, n_frames=3)

    def test_steps_that_are_too_long_diverge(self):
        found = self.result("catenary", self.solvers.Explicit(time_step_scale=4))
        self.assertEqual(found.outcome, "diverged")
        self.assertLess(found.diverged_at, 1)
        self.assertRegex(found.failure, "did not end well")


if __name__ == "__main__":
    unittest.main()
