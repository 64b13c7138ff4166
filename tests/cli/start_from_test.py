"""How rods start: from a state of another file, with a motion of their own, at rest, with other rest lengths."""

import unittest

import h5py
import numpy as np

from cli_test_case import CliTest

CANTILEVER = """\
[model]
section = rigid

[rod]
elements = 10
length = 0.5
radius = 0.005
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
direction = 1, 0, 0
normal = 0, 1, 0

[boundary]
first = clamped

[load]
end_force = 0, 1e-3, -2e-3

[time]
step = 2e-5
end = 0.2

[output]
frames = 3
fields = velocity, orientation, angular_velocity, dilatation
"""

FREE = """\
[model]
section = rigid

[rod]
elements = 20
length = 1
radius = 0.01
density = 1000
young_modulus = 1e7
poisson_ratio = 0.5
direction = 1, 0, 0
normal = 0, 1, 0

[time]
step = 1e-5
end = 0.01

[output]
frames = 2
fields = velocity, orientation, angular_velocity, dilatation
"""


def frames(file, field):
    with h5py.File(file, "r") as opened:
        return opened["trajectories"][field][()]


def observable(file, name):
    with h5py.File(file, "r") as opened:
        table = opened["members/observables"]
        return table[:, list(table.attrs["names"].astype(str)).index(name)]


class States(CliTest):
    """rod.state: from where a member of another file stood."""

    def check_goes_on(self, text):
        self.succeed("run", self.deck(text), "--output", "first.h5")
        self.succeed("run", self.deck(text), "--output", "whole.h5", "--time.end=0.4", "--output.frames=5")
        self.succeed("run", self.deck(text), "--output", "second.h5", "--rod.state=first.h5:0")
        for field in ("position", "velocity", "orientation", "angular_velocity"):
            whole = frames(self.folder / "whole.h5", field)
            second = frames(self.folder / "second.h5", field)
            np.testing.assert_array_equal(second[:, 0], whole[:, 2], field)
            np.testing.assert_array_equal(second[:, 2], whole[:, 4], field)

    def test_explicit_steps_go_on_bit_by_bit(self):
        self.check_goes_on(CANTILEVER)

    def test_several_rods_go_on_bit_by_bit(self):
        text = CANTILEVER.replace("elements = 10", "count = 2\nelements = 10\neach = rod.origin[1] : list(0, 1)\n"
                                  "each = rod.length : list(rod.length, 0.8*rod.length)")
        self.check_goes_on(text)

    def test_a_frame_on_the_way(self):
        self.succeed("run", self.deck(CANTILEVER), "--output", "first.h5")
        self.succeed("run", self.deck(CANTILEVER), "--output", "second.h5", "--rod.state=first.h5:0@0.1",
                     "--time.end=0.1", "--output.frames=2")
        np.testing.assert_array_equal(frames(self.folder / "second.h5", "position")[0, 1],
                                      frames(self.folder / "first.h5", "position")[0, 2])
        # The stored deck has the state, and needs the file no more.
        (self.folder / "first.h5").unlink()
        self.succeed("best", "second.h5", "--member", "0", "--output", "again.h5")
        np.testing.assert_array_equal(frames(self.folder / "again.h5", "position"),
                                      frames(self.folder / "second.h5", "position"))

    def test_other_loads_move_it_elsewhere(self):
        self.succeed("run", self.deck(CANTILEVER), "--output", "first.h5")
        for method in (("--time.method=implicit", "--time.step=1e-3"), ("--model.kind=der", "--time.step=1e-3"),
                       ("--time.method=static", "--time.step=0.2")):
            self.succeed("run", self.deck(CANTILEVER), "--output", "second.h5", "--overwrite",
                         "--rod.state=first.h5:0", "--load.end_force=0, 0, 0", *method)
            np.testing.assert_array_equal(frames(self.folder / "second.h5", "position")[0, 0],
                                          frames(self.folder / "first.h5", "position")[0, 2])
        # At rest without a load it is straight, whatever it starts from.
        self.assertLess(np.abs(frames(self.folder / "second.h5", "position")[0, 2, :, 1:]).max(), 1e-8)

    def test_what_is_missing_is_said(self):
        deck = self.deck(CANTILEVER)
        self.succeed("run", deck, "--output", "bare.h5", "--output.fields=velocity")
        self.succeed("run", deck, "--output", "frameless.h5", "--output.frames=0")
        self.succeed("run", deck, "--output", "first.h5")
        for source, mentions in {
            "bare.h5:0": ["hold no orientation, angular_velocity", "output.fields"],
            "frameless.h5:0": ["no frames", "output.frames"],
            "first.h5:3": ["members 0 to 0"],
            "first.h5:0@0.15": ["no frame at 0.15 s", "0.1 s", "0.2 s"],
            "first.h5": ["FILE.h5:MEMBER"],
            "nowhere.h5:0": ["nowhere.h5"],
        }.items():
            with self.subTest(source=source):
                self.refuse("run", deck, "--output", "x.h5", f"--rod.state={source}", mentions=mentions)
        self.refuse("run", deck, "--output", "x.h5", "--rod.state=first.h5:0", "--rod.elements=12",
                    mentions=["rod.state_positions", "33 numbers", "13 nodes"])
        self.refuse("run", deck, "--output", "x.h5", "--rod.state=first.h5:0", "--rod.origin=0, 0, 0.1",
                    mentions=["boundary.first", "0.1", "rod.origin"])
        self.refuse("run", deck, "--output", "first.h5", "--overwrite", "--rod.state=first.h5:0",
                    mentions=["rod.state"])


class Motion(CliTest):
    """rod.start_velocity and rod.start_spin, formulas of the place."""

    def test_a_rod_that_turns_keeps_turning(self):
        text = FREE.replace("normal = 0, 1, 0\n", "normal = 0, 1, 0\nstart_velocity = 0, variable.rate*(s - 0.5), 0\n"
                            "start_spin = 0, 0, variable.rate\nvelocity = 0, 0, 2\n") + "[variable]\nrate = 3\n"
        self.succeed("run", self.deck(text.replace("end = 0.01", "end = 0.2")), "--output", self.file)
        velocity = frames(self.file, "velocity")[0, 0]
        places = np.linspace(-0.5, 0.5, 21)
        np.testing.assert_allclose(velocity, np.stack([0 * places, 3 * places, 0 * places + 2], 1), atol=1e-14)
        # d1 is y, d2 z and d3 x: a turn about z is one about d2.
        np.testing.assert_allclose(frames(self.file, "angular_velocity")[0, 0], [[0, 3, 0]] * 21, atol=1e-14)
        positions = frames(self.file, "position")[0, 1]
        angle = 3 * 0.2
        axis = np.array([np.cos(angle), np.sin(angle), 0.0])
        expected = np.array([0.5, 0, 0.4]) + places[:, None] * axis
        np.testing.assert_allclose(positions, expected, atol=1e-3)

    def test_bad_formulas_are_refused(self):
        for change, mentions in {
            "--rod.start_velocity=1, 2": ["rod.start_velocity", "three formulas"],
            "--rod.start_velocity=t, 0, 0": ["rod.start_velocity", "'t'"],
            "--rod.start_spin=0, 0, 1/s/0": ["rod.start_spin"],
            "--rod.start_spin=0, 0, t_end": ["t_end"],
        }.items():
            with self.subTest(change=change):
                self.refuse("run", self.deck(FREE), "--output", self.file, change, mentions=mentions)


class Equilibrium(CliTest):
    """time.from = equilibrium: a rod that begins at rest stays there."""

    SAGGING = CANTILEVER.replace("[load]\nend_force = 0, 1e-3, -2e-3\n", "[gravity]\nacceleration = 0, 0, -9.81\n")

    def largest_move(self, *changes):
        self.succeed("run", self.deck(self.SAGGING), "--output", self.file, "--overwrite", *changes)
        positions = frames(self.file, "position")[0]
        self.assertGreater(np.abs(positions[0, -1, 2]), 0.1, "it does not sag")
        return np.abs(positions - positions[0]).max()

    def test_it_stays_where_it_is_at_rest(self):
        for method in ((), ("--time.method=implicit", "--time.step=1e-3"), ("--model.kind=der", "--time.step=1e-3")):
            with self.subTest(method=method):
                self.assertLess(self.largest_move("--time.from=equilibrium", *method), 1e-6)
                self.assertGreater(self.largest_move("--rod.velocity=0, 0, 0.1", "--time.from=equilibrium", *method), 1e-3)

    def test_what_has_no_rest_is_said(self):
        deck = self.deck(self.SAGGING)
        self.refuse("run", deck, "--output", self.file, "--time.from=equilibrium", "--model.section=incompressible",
                    mentions=["time.from", "model.section = rigid"])
        self.refuse("run", deck, "--output", self.file, "--time.from=equilibrium", "--contact.kind=penalty",
                    "--contact.stiffness=1e3", mentions=["time.from", "imc"])
        self.refuse("run", deck, "--output", self.file, "--time.from=equilibrium", "--time.method=static",
                    mentions=["time.from"])
        result = self.call("run", deck, "--output", self.file, "--time.from=equilibrium", "--boundary.first=free")
        self.assertNotEqual(result.returncode, 0)


class RestLengths(CliTest):
    """rod.rest_lengths, files of them, and shapes for each rod."""

    def setUp(self):
        super().setUp()
        (self.folder / "line.csv").write_text("".join(f"{0.1 * k:.10g}, 0, 0\n" for k in range(11)))
        (self.folder / "bent.csv").write_text("".join(f"{0.1 * k:.10g}, 1, {0.01 * k * k:.10g}\n" for k in range(8)))
        (self.folder / "lengths.csv").write_text("length\n" + "0.08\n" * 10)
        self.text = FREE.replace("elements = 20\nlength = 1\n", "shape = file\nshape_file = line.csv\n").replace(
            "[output]", "[measure]\ndefine = rest [m] : rod.length\n[output]")

    def test_a_rod_that_starts_stretched(self):
        strain = 0.25
        stiffness = 1e7 * np.pi * 0.01**2
        for change in ("--rod.rest_lengths=0.08", "--rod.rest_length_file=lengths.csv"):
            with self.subTest(change=change):
                self.succeed("run", self.deck(self.text), "--output", self.file, "--overwrite", change,
                             "--output.observables=stretch_energy")
                np.testing.assert_allclose(frames(self.file, "dilatation")[0, 0], 1 + strain, rtol=1e-12)
                np.testing.assert_allclose(observable(self.file, "rest"), 0.8, rtol=1e-14)
                with h5py.File(self.file, "r") as file:
                    energy = file["trajectories/observables/stretch_energy"][0, 0]
                np.testing.assert_allclose(energy, 0.5 * stiffness * strain**2 * 0.8, rtol=1e-10)

    def test_rest_length_of_a_shape_in_measures(self):
        self.succeed("run", self.deck(self.text), "--output", self.file)
        np.testing.assert_allclose(observable(self.file, "rest"), 1.0, rtol=1e-14)

    def test_wrong_lengths_are_refused(self):
        deck = self.deck(self.text)
        self.refuse("run", deck, "--output", self.file, "--rod.rest_lengths=0.1, 0.1", mentions=["2 lengths", "10 elements"])
        self.refuse("run", deck, "--output", self.file, "--rod.rest_lengths=0", mentions=["rod.rest_lengths"])
        (self.folder / "lengths.csv").write_text("0.1, 0.2\n")
        self.refuse("run", deck, "--output", self.file, "--rod.rest_length_file=lengths.csv", mentions=["lengths.csv:1"])

    def test_a_shape_for_each_rod(self):
        text = self.text.replace("shape_file = line.csv\n", "count = 2\neach = rod.shape_file : list(line.csv, bent.csv)\n"
                                 "start_velocity = 0, s, 0\n").replace("[measure]\ndefine = rest [m] : rod.length\n", "")
        self.succeed("run", self.deck(text), "--output", "both.h5")
        alone = text.replace("count = 2\neach = rod.shape_file : list(line.csv, bent.csv)\n", "shape_file = bent.csv\n")
        self.succeed("run", self.deck(alone), "--output", "alone.h5")
        np.testing.assert_array_equal(frames(self.folder / "both.h5", "position")[0, :, 11:],
                                      frames(self.folder / "alone.h5", "position")[0])
        # The stored deck holds all nodes.
        (self.folder / "bent.csv").unlink()
        self.succeed("best", "both.h5", "--member", "0", "--output", "again.h5")
        self.refuse("run", self.deck(text), "--output", "x.h5", mentions=["bent.csv"])
        self.refuse("run", self.deck(text.replace(", bent.csv", "")), "--output", "x.h5", mentions=["1 files for 2 rods"])


class EachRod(CliTest):
    """Values of rod.each that are expressions."""

    def lengths(self, *changes):
        text = FREE.replace("length = 1\n", "count = 3\nlength = 1\n").replace("elements = 20", "elements = 4")
        self.succeed("run", self.deck(text), "--output", self.file, "--overwrite", *changes)
        positions = frames(self.file, "position")[:, 0].reshape(-1, 3, 5, 3)
        return positions[:, :, -1, 0] - positions[:, :, 0, 0]

    def test_they_name_variables_and_the_key_itself(self):
        np.testing.assert_allclose(self.lengths("--variable.a=0.5", "--rod.each=rod.length : list(a, 2*a, max(a, 0.7))"),
                                   [[0.5, 1, 0.7]])
        np.testing.assert_allclose(self.lengths("--rod.each=rod.length : list(rod.length, 2*rod.length, 3)"), [[1, 2, 3]])

    def test_studies_vary_them(self):
        study = ("--study.kind=sweep", "--rod.each=rod.length : list(rod.length, 2*rod.length, 3)")
        lengths = self.lengths(*study, "--sweep.axis=rod.length : list(0.5, 1)")
        np.testing.assert_allclose(lengths, [[0.5, 1, 3], [1, 2, 3]])

    def test_a_value_that_nothing_names_is_said(self):
        text = FREE.replace("length = 1\n", "count = 2\nlength = 1\neach = rod.length : list(1, 2)\n")
        self.refuse("run", self.deck(text), "--output", self.file, mentions=["has no effect", "2*rod.length"])
        text = text.replace("list(1, 2)", "list(rod.length, 0*rod.length)")
        self.refuse("run", self.deck(text), "--output", self.file, mentions=["rod.each", "rod.length = '0*rod.length'"])


if __name__ == "__main__":
    unittest.main()
