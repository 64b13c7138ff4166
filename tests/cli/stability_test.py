"""Steps that are too long for contact or ground, energy that grows without work, and rods that cannot start."""

import pathlib
import unittest

import numpy as np
from campaign import read_ensemble
from cli_test_case import BAD_INPUT, FAILED, CliTest

INPUTS = pathlib.Path(__file__).resolve().parents[2] / "inputs"
PILE = INPUTS / "examples" / "pile.ini"


# Two rods that lie across each other, a millimetre apart.
CROSSED_DECK = """
[rod]
count = 2
each = rod.origin[0] : list(-0.1, 0.01)
each = rod.origin[1] : list(0.01, -0.1)
each = rod.origin[2] : list(0, {height})
each = rod.direction[0] : list(1, 0)
each = rod.direction[1] : list(0, 1)
direction = 1, 0, 0
normal = 0, 0, 1
length = 0.2
radius = 0.01
elements = 10
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
[contact]
kind = penalty
stiffness = {stiffness}
[time]
step = 2e-5
end = 0.002
"""

# A rod that falls on the ground.
FALL_DECK = """
[rod]
length = 0.2
radius = 0.01
elements = 10
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
origin = 0, 0, {height}
direction = 1, 0, 0.01
normal = 0, 1, 0
[gravity]
acceleration = 0, 0, -9.81
[ground]
kind = plane
normal = 0, 0, 1
stiffness = {stiffness}
[time]
step = 2e-5
end = 0.2
"""


def crossed(height=0.021, stiffness=1e3):
    return CROSSED_DECK.format(height=height, stiffness=stiffness)


def fall(height=0.02, stiffness=1e3):
    return FALL_DECK.format(height=height, stiffness=stiffness)


def bounds(report):
    """The lines of `rodeo check` on the stable step, by their names."""
    lines = report.stdout.splitlines()
    found = {}
    for line in lines:
        words = line.split()
        for name in ("stable step", "internal", "contact", "ground"):
            if " ".join(words).startswith(name):
                found[name] = float(words[len(name.split())])
    return found


class StableStep(CliTest):
    def test_check_says_which_bound_is_whose(self):
        soft = bounds(self.succeed("check", self.deck(crossed(stiffness=10))))
        hard = bounds(self.succeed("check", self.deck(crossed(stiffness=1e7))))
        self.assertEqual(set(soft), {"stable step", "internal", "contact"})
        self.assertEqual(soft["internal"], hard["internal"])
        self.assertAlmostEqual(soft["contact"] / hard["contact"], 1000, delta=0.1)
        self.assertLess(hard["stable step"], 2e-5)
        ground = bounds(self.succeed("check", self.deck(fall())))
        self.assertEqual(set(ground), {"stable step", "internal", "ground"})

    def test_check_and_run_warn_of_a_step_that_is_too_long_for_contact(self):
        deck = self.deck(crossed(stiffness=1e7))
        check = self.succeed("check", deck).stdout
        self.assertIn("\nwarning: time.step is above its stability bound", check)
        run = self.call("run", deck, "--output", self.file)
        self.assertEqual(run.stderr.count("stability bound"), 1, run.stderr)
        self.assertIn("contact.stiffness allows", run.stderr)
        sound = self.succeed("run", self.deck(crossed()), "--output", self.file, "--overwrite")
        self.assertNotIn("warning", sound.stderr)

    def test_run_warns_of_the_pile_on_a_ground_that_is_too_stiff(self):
        run = self.call("run", PILE, "--ground.stiffness=1e8", "--output", self.file)
        self.assertIn("time.step is above its stability bound", run.stderr)
        self.assertIn("the step is 2e-05 s, and ground.stiffness allows", run.stderr)
        self.assertEqual(run.returncode, FAILED, run.stderr)

    def test_loops_of_one_rod_have_a_bound_above_the_steps_they_run_with(self):
        for name in ("plectoneme.ini", "solenoid.ini"):
            check = self.succeed("check", INPUTS / "validation" / name)
            self.assertNotIn("warning", check.stdout + check.stderr)

    def test_run_warns_once_of_a_sweep_with_the_count_of_candidates(self):
        deck = self.deck(fall() + "[study]\nkind = sweep\n[sweep]\naxis = ground.stiffness : list(1e3, 1e8, 1e9)\n")
        run = self.call("run", deck, "--output", self.file, ranks=2)
        self.assertEqual(run.stderr.count("stability bound"), 1, run.stderr)
        self.assertIn("in 2 of 3 candidates; in candidate 1", run.stderr)
        self.assertIn("ground.stiffness allows", run.stderr)


class EnergyGain(CliTest):
    def test_a_member_whose_energy_comes_from_nowhere_ends_badly(self):
        run = self.call("run", self.deck(fall(stiffness=1e8)), "--output", self.file)
        self.assertEqual(run.returncode, FAILED, run.stderr)
        self.assertIn("gained energy: 1", run.stderr)
        self.assertIn("more than observe.energy_tolerance = 0.02", run.stderr)
        self.assertIn("time.step", run.stderr)

    def test_energy_that_comes_from_nowhere_is_reported_where_it_ends_no_member(self):
        run = self.succeed("run", self.deck(fall(stiffness=1e8)), "--observe.energy_tolerance=1e9", "--output", self.file)
        self.assertIn("1 member gained energy although nothing does work on the rods: member 0 ", run.stderr)
        observables = read_ensemble.Ensemble(self.file).observables
        self.assertGreater(observables["energy_gain"][0], 1e-3)
        self.assertGreater(observables["energy_gain_relative"][0], 0.1)

    def test_a_pile_that_ends_with_more_energy_than_it_had_is_reported(self):
        run = self.call("run", PILE, "--ground.stiffness=1e8", "--time.end=0.05", "--output", self.file)
        self.assertEqual(run.returncode, FAILED, run.stderr)
        self.assertIn("gained energy: 1", run.stderr)
        self.assertIn("is above the stable step", run.stderr)

    def test_a_sound_step_gives_no_warning(self):
        # By springs, which have an energy; the net force of the default has none, and gives this fall 2.5 % at any step.
        run = self.succeed("run", self.deck(fall()), "--ground.response=springs", "--output", self.file)
        self.assertNotIn("warning", run.stderr)
        self.assertLess(read_ensemble.Ensemble(self.file).observables["energy_gain_relative"][0], 1e-6)

    def test_a_swinging_cord_keeps_its_energy_but_with_published_sections(self):
        swing = INPUTS / "validation" / "faults" / "swing.ini"
        for section in ("rigid", "incompressible"):
            self.succeed("run", swing, f"--model.section={section}", "--output", self.file, "--overwrite")
            self.assertLess(read_ensemble.Ensemble(self.file).observables["energy_gain_relative"][0], 1e-3, section)
        run = self.call("run", swing, "--model.section=published", "--output", self.file, "--overwrite")
        self.assertEqual(run.returncode, FAILED, run.stderr)
        self.assertIn("gained energy: 1", run.stderr)
        self.assertIn("model.section = published", run.stderr)

    def test_energy_that_steps_take_is_reported(self):
        release = INPUTS / "validation" / "faults" / "twist_release.ini"
        run = self.succeed("run", release, "--time.step=1e-3", "--output", self.file)
        self.assertIn("1 member lost energy to the steps alone: member 0 ", run.stderr)
        self.assertGreater(read_ensemble.Ensemble(self.file).observables["energy_loss_relative"][0], 0.1)
        # What dashpots take is no loss of the steps, which is told apart; backward Euler does not say what it takes.
        alone = read_ensemble.Ensemble(self.file).observables["energy_loss_relative"][0]
        run = self.succeed("run", release, "--time.step=1e-3", "--rod.damping=1e-3", "--output", self.file, "--overwrite")
        self.assertIn("1 member lost energy to the steps alone: member 0 ", run.stderr)
        self.assertAlmostEqual(read_ensemble.Ensemble(self.file).observables["energy_loss_relative"][0], alone, delta=2e-3)
        self.succeed("run", release, "--time.scheme=backward_euler", "--time.step=1e-3", "--rod.damping=1e-3", "--output", self.file,
                     "--overwrite")  # fmt: skip
        self.assertTrue(np.isnan(read_ensemble.Ensemble(self.file).observables["energy_loss_relative"][0]))


    def test_rods_that_sink_into_a_soft_ground_are_reported(self):
        deck = self.deck("[rod]\nelements = 5\nlength = 0.5\nradius = 0.01\nyoung_modulus = 1e6\npoisson_ratio = 0.5\ndensity = 1000\n"
                         "direction = 1, 0, 0\norigin = 0, 0, 0.01\nnormal = 0, 0, 1\n[gravity]\nacceleration = 0, 0, -9.81\n"
                         "[ground]\nkind = plane\nnormal = 0, 0, 1\nresponse = springs\n[time]\nmethod = static\n")  # fmt: skip
        soft = self.succeed("run", deck, "--ground.stiffness=10", "--output", self.file)
        self.assertIn("1 member sank into the ground by more than a radius: member 0 308 %; ground.stiffness is too small", soft.stderr)
        hard = self.succeed("run", deck, "--ground.stiffness=1000", "--output", self.file, "--overwrite")
        self.assertNotIn("sank", hard.stderr)


class Start(CliTest):
    def test_equilibria_that_are_found_again_and_again_are_warned_of(self):
        deck = self.deck("[rod]\nelements = 4\nlength = 1\nradius = 0.01\nyoung_modulus = 1e6\npoisson_ratio = 0.3\ndensity = 1000\n"
                         "[boundary]\nfirst = clamped\n[time]\nmethod = static\nend = 1\n")  # fmt: skip
        again = self.succeed("check", deck, "--time.step=1e-3")
        self.assertIn("loads change no more for 999 of 1000 steps", again.stdout + again.stderr)
        once = self.succeed("check", deck)
        self.assertNotIn("change no more", once.stdout + once.stderr)

    def test_rods_that_overlap_are_refused_with_the_pair(self):
        self.refuse("run", self.deck(crossed(height=0.012)), "--output", self.file,
                    mentions=("deck.ini:", "contact.kind", "element 5 of rod 0 and element 5 of rod 1",
                              "overlap", "0.008 m"))
        self.refuse("check", self.deck(crossed(height=0.012)), mentions=("contact.kind",))

    def test_rods_that_touch_are_not(self):
        self.succeed("run", self.deck(crossed(height=0.02)), "--output", self.file)

    def test_a_sweep_goes_on_without_the_candidates_that_overlap(self):
        axis = "[study]\nkind = sweep\n[sweep]\naxis = rod.radius : list(0.008, 0.01, 0.012, 0.014)\n"
        deck = self.deck(crossed() + axis)
        run = self.call("run", deck, "--output", self.file)
        self.assertNotEqual(run.returncode, BAD_INPUT, run.stderr)
        self.assertIn("2 of 4 candidates cannot start", run.stderr)
        status = list(read_ensemble.Ensemble(self.file).status)
        self.assertEqual(status[:2], [read_ensemble.DONE] * 2)
        self.assertNotIn(read_ensemble.DONE, status[2:])

    def test_rods_that_begin_in_the_ground_are_warned_of(self):
        run = self.call("run", self.deck(fall(height=0.005)), "--output", self.file)
        self.assertIn("rods stand in the ground as they start", run.stderr)
        self.assertIn("element 0 of rod 0 by ", run.stderr)
        for height in (0.01, 0.02):
            run = self.call("run", self.deck(fall(height=height)), "--output", self.file, "--overwrite")
            self.assertNotIn("stand in the ground", run.stderr)


if __name__ == "__main__":
    unittest.main()
