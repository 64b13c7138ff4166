"""Ends that motions hold, what is read and applied there, and elements that are pressed to nothing."""

import math
import unittest

import campaign
from campaign import read_ensemble
from cli_test_case import FAILED, CliTest

FAULTS = campaign.ROOT / "inputs" / "validation" / "faults"

STATIC, DER = (), ("--model.kind=der",)
IMPLICIT = ("--time.method=implicit", "--time.scheme=backward_euler", "--rod.relaxation_time=0.5", "--time.step=0.05", "--time.end=20")
EXPLICIT = ("--time.method=dynamic",)

BEAM = """\
[rod]
elements = {elements}
length = 0.5
radius = 0.01
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
direction = 1, 0, 0
normal = 0, 1, 0
[time]
method = static
"""
BEND = 1e6 * math.pi * 1e-8 / 4  # N m^2
TWIST = 2 * BEND / 3


HELD = "[motion]\nposition = start : 0, 0, 0\nrotation = start about 0 0 1 : 0\nposition = end : 0, 0, 0\nrotation = end about 0 0 1 : 0\n"
CLAMPED = "[boundary]\nfirst = clamped\nlast = clamped\n"


def half_circle(elements):
    """A straight strip whose nodes stand on half a circle, between ends that motions hold."""
    chords = 2 * elements / math.pi * math.sin(math.pi / (2 * elements))
    text = (FAULTS / "half_motion.ini").read_text(encoding="utf-8")
    lines = [f"elements = {elements}" if line.startswith("elements") else f"length = {chords!r}" if line.startswith("length") else line
             for line in text.splitlines()]  # fmt: skip
    return "\n".join(lines) + "\n"


class HeldEnds(CliTest):
    def results(self, text, *options):
        self.succeed("run", self.deck(text), *options, "--output", self.file, "--overwrite")
        return {name: values[0] for name, values in read_ensemble.Ensemble(self.file).observables.items()}

    def test_a_motion_holds_the_tangent_of_an_end_as_a_clamp_does(self):
        for method in (STATIC, DER, IMPLICIT):
            with self.subTest(method=method):
                errors = [self.results(half_circle(elements), *method)["couple_over_B"] - math.pi for elements in (12, 24, 48)]
                self.assertLess(abs(errors[0]), 0.05)
                for coarse, fine in zip(errors, errors[1:]):
                    self.assertGreater(coarse / fine, 3.1)  # 2.49, 2.81, 2.98 once, of first order
                clamped = self.results(half_circle(12).replace(HELD, CLAMPED), *method)["couple_over_B"] - math.pi
                self.assertAlmostEqual(errors[0] / clamped, 1.0, delta=1e-6)
        damped = ("--rod.relaxation_time=0.05", "--time.step=1e-6", "--time.end=2")
        at_rest = self.results(half_circle(12))["couple_over_B"]
        self.assertAlmostEqual(self.results(half_circle(12), *EXPLICIT, *damped)["couple_over_B"], at_rest, delta=1e-5)

    def test_one_motion_of_an_end_goes_on_where_another_leaves_it(self):
        deck = BEAM.format(elements=10) + (
            "step = 0.5\nend = 2\n[boundary]\nfirst = clamped\n[motion]\nposition = end : free, 0, 0\n"
            "rotation = end about 0 1 0 : 0.5 * t until 1\nrotation = end about 0 1 0 : 0 from 1\n"
            "[measure]\ndefine = couple [N m] : last(reaction_couple_y(end))\n")  # fmt: skip
        one = deck.replace("0.5 * t until 1", "0.5 * min(t, 1)").replace("rotation = end about 0 1 0 : 0 from 1\n", "")
        for method in (STATIC, DER, IMPLICIT):
            with self.subTest(method=method):
                couple = self.results(one, *method)["couple"]
                self.assertAlmostEqual(couple / (4 * BEND * 0.5 / 0.5), 1.0, delta=0.1)
                self.assertAlmostEqual(self.results(deck, *method)["couple"] / couple, 1.0, delta=1e-6)

    def test_what_holds_an_end_bears_the_couple_on_it_until_it_lets_go(self):
        couple = 0.004
        deck = BEAM.format(elements=8) + (
            f"step = 1\nend = 2\n[boundary]\nfirst = clamped\n[load]\nend_couple = 0, {couple}, 0\n"
            "[motion]\nrotation = end about 0 1 0 : 0 until 1\n[measure]\n"
            "define = held [m] : min(z(end))\ndefine = borne [N m] : min(reaction_couple_y(end))\ninterval = 1\n")  # fmt: skip
        angle = couple * 0.5 / BEND
        sag = -0.5 * (1 - math.cos(angle)) / angle
        for method in (STATIC, DER):
            with self.subTest(method=method):
                self.assertAlmostEqual(self.results(deck, *method)["borne"], -couple, delta=1e-12)
                self.assertAlmostEqual(self.results(deck, *method)["end_z"], sag, delta=5e-3 * abs(sag))
                still = self.results(deck, *method, "--time.end=1", "--time.step=0.5")
                self.assertAlmostEqual(still["held"], 0.0, delta=1e-12)
        # One that takes hold of an end which a couple has bent finds it bent.
        later = deck.replace("until 1", "from 1").replace("min(reaction", "last(reaction")
        for method in (STATIC, DER):
            with self.subTest(method=method):
                found = self.results(later, *method)
                self.assertAlmostEqual(found["end_z"], sag, delta=5e-3 * abs(sag))
                self.assertAlmostEqual(found["borne"], 0.0, delta=2e-3 * couple)

    def test_a_joint_at_an_end_that_a_motion_holds_still_is_one_at_a_clamp(self):
        """Two rods stand out from one point to both sides and bend under their weight; the second is joined to the end of the first."""
        deck = BEAM.format(elements=6) + (
            "[rod]\ncount = 2\neach = rod.direction[0] : list(1, -1)\neach = boundary.first : list({support}, free)\n"
            "[gravity]\nacceleration = 0, 0, -3\n[connection]\nrigid = rod 0, start to rod 1, start\n")  # fmt: skip
        held = deck.format(support="pinned") + "[motion]\nrotation = rod 0, start about 0 1 0 : 0\n"
        for method in (STATIC, DER):
            with self.subTest(method=method):
                end = self.results(deck.format(support="clamped"), *method)["end_z"]
                self.assertLess(end, -0.05)
                self.assertAlmostEqual(self.results(held, *method)["end_z"] / end, 1.0, delta=1e-9)

    def test_a_fork_holds_twist_alone(self):
        """Both ends lie in forks: a couple about the axis at the middle twists both halves, a force bends the whole as on rollers."""
        deck = BEAM.format(elements=20) + (
            "[boundary]\nfirst = pinned\nlast = pinned_sliding\n[motion]\nrotation = start about 1 0 0 alone : 0\n"
            "rotation = end about 1 0 0 alone : 0\n[load]\nmiddle_force = 0, 0, 0.01\n[actuation]\n"
            "couple = x, middle : 0.002\n[measure]\ndefine = sag [m] : last(z(middle))\n"
            "define = borne [N m] : last(reaction_couple_x(end))\n")  # fmt: skip
        for method in (STATIC, DER):
            with self.subTest(method=method):
                found = self.results(deck, *method)
                self.assertAlmostEqual(found["borne"], -0.001, delta=2e-5)
                inside = 1 - 1 / 20  # of the length, as the couple is spread over two elements
                energy = inside * 0.002**2 * 0.5 / (8 * TWIST)
                self.assertAlmostEqual(found["twist_energy"] / energy, 1.0, delta=1e-3)
                sag = 0.01 * 0.5**3 / (48 * BEND)
                self.assertAlmostEqual(found["sag"], sag, delta=0.02 * sag)  # a clamp at each end: a quarter of it
        for line, parts in (
            ("rotation = element 3 about 1 0 0 alone : 0", ("one turn alone is held at start or end",)),
            ("rotation = end about 0 1 0 alone : 0", ("the tangent of the end, 1 0 0",)),
        ):
            self.refuse("run", self.deck(deck.replace("rotation = end about 1 0 0 alone : 0", line)), "--output", self.file,
                        mentions=parts)

    def test_an_element_that_is_held_at_an_end_is_told_of(self):
        deck = BEAM.format(elements=10) + "[motion]\nrotation = element 0 about 1 0 0 : 0\nposition = start : 0, 0, 0\n"
        said = self.succeed("check", self.deck(deck))
        self.assertRegex(said.stdout + said.stderr, "holds all its turns at its middle, half an element from the end")

    def test_a_held_element_carries_what_a_clamp_would(self):
        for observable, right in (("end_force", 1.0), ("end_couple", 1e-4)):
            for boundary in ("clamped_element", "clamped"):
                deck = (FAULTS / "end_force_clamped_element.ini").read_text(encoding="utf-8")
                found = self.results(deck, f"--boundary.first={boundary}")[observable]
                self.assertAlmostEqual(found / right, 1.0, delta=1e-8)

    def test_a_damping_ratio_counts_ends_that_motions_hold(self):
        deck = (FAULTS / "damping_held_by_motion.ini").read_text(encoding="utf-8")
        overshoot = math.exp(-0.02 * math.pi / math.sqrt(1 - 0.02**2))
        self.assertAlmostEqual(self.results(deck)["peak"] / (0.1007 * (1 + overshoot)), 1.0, delta=0.01)
        self.refuse("run", self.deck(deck.replace("position = start : 0, 0, 0", "position = node 5 : 0, 0, 0")), "--output",
                    self.file, mentions=("rod.damping_ratio", "holds its node 5", "relaxation_time"))  # fmt: skip

    def test_contact_that_touches_nothing_changes_no_step(self):
        # Moves in a step were bounded by a few radii: steps of a thin rod that swings were halved.
        text = BEAM.format(elements=10).replace("radius = 0.01", "radius = 1e-4") + "[boundary]\nfirst = pinned\n[gravity]\nacceleration = 0, 0, -9.81\n"
        swing = (*DER, "--time.method=dynamic", "--time.step=1e-3", "--time.end=0.1")
        alone = self.results(text, *swing)
        for kind in ("imc", "ipc"):
            with self.subTest(kind=kind):
                beside = self.results(text + f"[contact]\nkind = {kind}\ntolerance = 1e-6\n", *swing)
                for name in ("end_x", "end_z", "newton_iterations"):
                    self.assertEqual(beside[name], alone[name], name)

    def test_elements_that_are_pressed_to_nothing_end_a_member_in_one_voice(self):
        dynamic = ("--model.kind=der", "--time.method=dynamic", "--time.step=1e-3")
        for deck, methods in (
            ("crush", (STATIC, DER, ("--time.method=implicit", "--time.step=1e-3"), dynamic, (*EXPLICIT, "--time.step=1e-5"),
                       ("--load.axial_force=0", "--branch.key=load.axial_force", "--branch.to=150"))),
            ("inside_out", ((), dynamic, (*EXPLICIT, "--time.step=2e-5"))),
        ):
            for method in methods:
                with self.subTest(deck=deck, method=method):
                    result = self.call("run", FAULTS / f"{deck}.ini", *method, "--output", self.file, "--overwrite")
                    self.assertEqual(result.returncode, FAILED, result.stdout + result.stderr)
                    self.assertIn("crushed: 1, member 0", result.stderr)
                    self.assertIn("pressed to less than a tenth of its natural length", result.stderr)
        allowed = self.results((FAULTS / "crush.ini").read_text(encoding="utf-8"), "--load.axial_force=89")
        self.assertAlmostEqual(allowed["z"], 0.011, delta=1e-9)
        half = self.results((FAULTS / "crush.ini").read_text(encoding="utf-8"), "--model.section=incompressible", *EXPLICIT,
                            "--time.step=1e-5", "--time.end=3", "--rod.relaxation_time=0.05")
        self.assertAlmostEqual(half["z"], 0.05, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
