"""What a campaign says, and returns, of members that do not end well."""

import re
import unittest

import numpy as np

import campaign
from campaign import SMALL_DECK, SMALL_MEMBERS, read_ensemble
from cli_test_case import DONE, FAILED, STOPPED, CliTest

# Ten times the step that the springs between ten elements of a metre allow.
UNSTABLE = "--time.step=2e-2"
FAULTS = campaign.ROOT / "inputs" / "validation" / "faults"


class Outcome(CliTest):
    def fails(self, *arguments, ranks=None):
        result = self.call(*arguments, ranks=ranks)
        self.assertEqual(result.returncode, FAILED, f"stdout: {result.stdout}\nstderr: {result.stderr}")
        self.assertNotIn("done: ", result.stdout)
        return result

    def expect_cause(self, text):
        self.assertRegex(text, r"likely cause.*: time\.step = 0\.02 s is above the stable step, [0-9.e-]+ s, which comes from the rods' elasticity")

    def test_a_single_run_that_diverges_has_failed(self):
        deck = self.deck()
        result = self.fails("run", deck, "--study.kind=single", "--study.repeats=1", UNSTABLE, "--output", self.file)
        self.assertIn("failed: 1 of 1 members", result.stdout)
        self.assertIn("the only member did not end well", result.stderr)
        self.assertIn("diverged: 1, member 0", result.stderr)
        self.expect_cause(result.stderr)
        self.assertEqual(read_ensemble.Ensemble(self.file).count(read_ensemble.DIVERGED), 1)
        # So has whatever looks at the same members again.
        self.expect_cause(self.fails("resume", self.file).stderr)
        self.expect_cause(self.fails("run", deck, "--study.kind=single", "--study.repeats=1", UNSTABLE, "--output", self.file,
                                    "--resume").stderr)
        self.fails("best", self.file, "--member", "0")

    def test_steps_of_heavy_rods_far_away_are_found_however_often_they_are_halved(self):
        # Rounding of places makes forces of inertia, the larger the shorter the step: no iteration can get below these.
        rod = """\
[rod]
elements = 16
length = 0.6
section = ellipse
width = 0.1385
thickness = 0.035
density = 730
young_modulus = 1.6e11
poisson_ratio = 0
direction = 1, 0, 0
normal = 0, 0, 1
relaxation_time = 0.006
point_masses = 1.4
point_mass_positions = 0.6
[gravity]
acceleration = 0, 0, -20000
[load]
end_couple = 1.5e5, 3.5e5, 4.5e5
[model]
kind = der
[time]
scheme = sdirk2
step = 1.7e-4
end = 2.7e-3
[newton]
tolerance = 1e-9
"""
        ends = []
        for origin in ((0, 0, 0), (7, 16, -5)):
            self.succeed("run", self.deck(rod), f"--rod.origin={', '.join(map(str, origin))}", "--output", self.file, "--overwrite")
            ends.append([read_ensemble.Ensemble(self.file).observables[f"end_{axis}"][0] - x for axis, x in zip("xyz", origin)])
        np.testing.assert_allclose(ends[1], ends[0], atol=1e-5)

    def test_what_has_no_equilibrium_or_no_stable_one_says_so(self):
        beam = """\
[time]
method = static
[rod]
elements = 20
length = 1
radius = 0.01
density = 1000
young_modulus = 1e6
poisson_ratio = 0.3
direction = 1, 0, 0
normal = 0, 0, 1
"""
        weight = "--gravity.acceleration=0, 0, -9.81"
        far_too_much = ("--boundary.first=clamped", "--load.end_force=1e9, 1e9, 0", "--newton.iterations=3", "--newton.halvings=1")
        rolling = ("--boundary.first=pinned", "--boundary.last=pinned", "--load.end_couple=1, 0, 0")
        for options in ((weight,), rolling, far_too_much):  # nothing holds the first two
            with self.subTest(options=options):
                result = self.fails("run", self.deck(beam), *options, "--output", self.file, "--overwrite")
                self.assertIn("no equilibrium: 1, member 0", result.stderr)
                self.assertRegex(result.stderr, "likely cause: .*nothing holds them")
        # A column beyond its critical force, 0.019 N, stands straight.
        column = ("--boundary.first=clamped", "--load.axial_force=0.05")
        result = self.succeed("run", self.deck(beam), *column, "--output", self.file, "--overwrite")
        self.assertRegex(result.stdout, "unstable +1")
        # Of loads that have no energy an equilibrium is found, and it is not said whether it is stable.
        self.succeed("run", self.deck(beam), "--boundary.first=clamped", "--load.follower_force=0, 1e-3, 0", "--output", self.file,
                     "--overwrite")
        self.assertTrue(np.isnan(read_ensemble.Ensemble(self.file).observables["unstable_modes"][0]))

    def test_contact_that_does_not_hold_names_what_would(self):
        for deck in ("soft_penalty.ini", "tunnel.ini", "coarse_knot.ini"):
            with self.subTest(deck=deck):
                result = self.fails("run", FAULTS / deck, "--output", self.file, "--overwrite")
                self.assertIn("passed through: 1, member 0", result.stderr)
                advice = re.search(r"contact\.stiffness = (\S+) N/m(?: and time\.step = (\S+) s)? would have", result.stderr)
                self.assertIsNotNone(advice, result.stderr)
                options = [f"--contact.stiffness={advice[1]}"] + ([f"--time.step={advice[2]}"] if advice[2] else [])
                again = self.call("run", FAULTS / deck, *options, "--output", self.file, "--overwrite")
                self.assertIn(again.returncode, (DONE, FAILED), again.stderr)
                self.assertNotIn("passed through", again.stdout + again.stderr)
                # A knot of eight elements that holds is wound up farther than these tell.
                self.assertTrue(again.returncode == DONE or "rod.elements = 16" in again.stderr, again.stderr)

    def test_energy_from_implicit_steps_names_what_would_keep_it(self):
        """There is no ground, nothing touches, and every step converges."""
        run = ("run", FAULTS / "implicit_arms.ini", "--output", self.file, "--overwrite")
        said = self.fails(*run).stderr
        self.assertRegex(said, r"gained energy: 8, .*\n +likely cause for member 0: .*: time\.step = 0\.05 s is too long for the motion, "
                               r"or time\.spectral_radius = 1 keeps too much .*; time\.scheme = energy_momentum keeps the energy")
        for beside_the_point in ("ground", "contact", "newton"):
            self.assertNotIn(beside_the_point, said)
        for advice in ("--time.step=0.01", "--time.spectral_radius=0.8", "--time.scheme=energy_momentum"):
            with self.subTest(advice=advice):
                self.assertNotIn("end well", self.succeed(*run, advice).stderr)
                self.assertLess(read_ensemble.Ensemble(self.file).observables["total_energy"].max(), 5.2)

        # Steps that keep the energy have no ground, and are not named where there is one.
        said = self.fails(*run, "--ground.kind=plane", "--ground.normal=0,0,1", "--ground.origin=0,0,-100").stderr
        self.assertRegex(said, r"gained energy: 8, .*\n +likely cause for member 0: .*time\.spectral_radius = 1 keeps too much")
        self.assertNotIn("energy_momentum", said)

    def test_rods_that_tangle_with_friction_name_the_speed_at_which_they_rest(self):
        run = ("run", FAULTS / "rails_roll.ini", "--newton.iterations=3", "--output", self.file, "--overwrite")
        said = self.fails(*run).stderr
        self.assertIn("tangled: 1, member 0", said)
        self.assertIn("with friction: try a larger contact.slip_tolerance than 0.0001 m/s", said)
        self.succeed(*run, "--contact.slip_tolerance=1e-2")

    def test_twist_beyond_what_elements_tell_is_refused(self):
        deck = FAULTS / "twist.ini"
        slowly = ("--boundary.motion_time=1e3", "--time.end=1e3")
        for options in ((), ("--time.method=dynamic", "--time.step=1e-4", *slowly), ("--model.kind=der",),
                        ("--model.kind=der", "--time.method=dynamic", "--time.step=1e-2", *slowly),
                        ("--time.method=implicit", "--time.step=1e-2", *slowly)):
            with self.subTest(options=options):
                self.refuse("run", deck, "--rod.elements=4", *options, "--output", self.file,
                            mentions=("boundary.twist", "3.25 rad", "rod.elements = 5 "))

    def test_a_sweep_of_which_nothing_is_left_has_failed_on_any_ranks(self):
        for ranks in (None, 3):
            with self.subTest(ranks=ranks):
                result = self.fails("run", self.deck(), UNSTABLE, "--output", self.file, "--overwrite", ranks=ranks)
                self.assertIn(f"none of the {SMALL_MEMBERS} members ended well", result.stderr)
                self.assertIn(f"diverged: {SMALL_MEMBERS}, first member 0 (rod.bend_stiffness = 0.5, load.axial_force = 2), "
                              "member 1 (", result.stderr)
                self.assertNotIn("member 3 (", result.stderr)
                self.expect_cause(result.stderr)

    def test_a_search_of_which_nothing_is_left_has_failed(self):
        deck = self.deck(campaign.race_deck(2, 2e-4).replace("end = 0.1", "end = 1").replace("period = 0.01", "period = 0.1"))
        result = self.fails("run", deck, "--time.step=0.05", "--output", self.file)
        self.assertIn("members ended well", result.stderr)
        self.assertIn("gravity.acceleration[0] = ", result.stderr)

    def test_a_ladder_of_which_nothing_is_left_has_failed_and_keeps_its_table(self):
        deck = self.deck(campaign.ladder_deck(1))
        result = self.fails("run", deck, "--time.step_per_length=1", "--output", self.file, ranks=2)
        self.assertIn("none of the 7 members ended well", result.stderr)
        self.assertIn("against finest", result.stdout)

    def test_a_part_that_failed_is_told(self):
        deck = self.deck(SMALL_DECK.replace("axis = load.axial_force : list(2, 60)", "axis = time.step : list(5e-5, 2e-2)"))
        result = self.succeed("run", deck, "--output", self.file)
        self.assertIn("done: ", result.stdout)
        self.assertIn(f"rodeo: warning: {SMALL_MEMBERS // 2} of {SMALL_MEMBERS} members that ended did not end well", result.stderr)
        self.assertIn(f"diverged: {SMALL_MEMBERS // 2}, first member 2 (rod.bend_stiffness = 0.5, time.step = 0.02)",
                      result.stderr)
        self.expect_cause(result.stderr)

    def test_members_past_their_deadline_name_it(self):
        result = self.fails("run", self.deck(campaign.waiting_deck((30, 40))), "--study.deadline=0.2", "--output", self.file)
        self.assertIn("timed out: 2, member 0 (noop.seconds = 30), member 1 (noop.seconds = 40)", result.stderr)
        self.assertIn("study.deadline = 0.2 s", result.stderr)

    def test_a_stopped_campaign_may_go_on_whatever_ended_so_far(self):
        result = self.call("run", self.deck(campaign.waiting_deck((0.3, 60))), "--study.deadline=0.2", "--wall-time=0:05",
                           "--output.checkpoint_interval=0", "--output", self.file)
        self.assertEqual(result.returncode, STOPPED, result.stderr)
        self.assertIn("warning: 1 of 1 members that ended did not end well", result.stderr)

    def test_good_members_say_nothing(self):
        result = self.succeed("run", self.deck(), "--output", self.file)
        self.assertNotIn("end well", result.stderr)
        self.assertNotIn("the same", result.stderr)

    def test_a_flat_objective_is_told(self):
        # Nothing moves rods that nothing pushes, so they all lie where they lay.
        still = ("--load.axial_force=0", "--load.perturbation=0", "--study.objective=end_x")
        deck = self.deck(SMALL_DECK.replace("axis = load.axial_force : list(2, 60)\n", ""))
        result = self.succeed("run", deck, *still, "--output", self.file)
        self.assertRegex(result.stderr, r"warning: all 6 members that ended well have the same end_x, .*no candidate")
        self.assertRegex(self.succeed("status", self.file).stdout, r"all 6 members that ended well have the same end_x")
        single = self.succeed("run", deck, *still, "--study.kind=single", "--output", "single.h5")
        self.assertNotIn("the same", single.stderr)

    def test_a_flat_search_is_told(self):
        deck = self.deck(campaign.search_deck(3, 0).replace("name = rosenbrock\nx = 0, 0, 0", "name = sphere\nx = 0, 0, 0"))
        varied = self.succeed("run", deck, "--output", self.file)
        self.assertNotIn("the same", varied.stderr)
        flat = self.deck(campaign.race_deck(2, 2e-4).replace("parameter = gravity.acceleration[0:2]", "parameter = gravity.acceleration[1]"))
        result = self.succeed("run", flat, "--output", "flat.h5")
        self.assertRegex(result.stderr, "members that ended well have the same forward_speed, [-+.e0-9]+: it tells no candidate")

    def test_exit_codes_are_in_the_usage_text(self):
        text = self.succeed("--help").stdout
        self.assertIn("2 failed, or no member ended well", text)
        self.assertIn("3 done, but ranks were lost", text)


class UnknownStability(CliTest):
    COLUMN = FAULTS / "slender_column.ini"

    def test_it_is_said_where_rounding_hides_it(self):
        for kind, said in (("der", True), ("cosserat", False)):
            run = self.call("run", self.COLUMN, f"--model.kind={kind}", "--rod.radius=1e-6", "--output", self.file, "--overwrite")
            self.assertEqual("whether the rods would stay there is not known (unstable_modes), first of member 0" in run.stderr, said,
                             run.stderr)
            modes = read_ensemble.Ensemble(self.file).observables["unstable_modes"][0]
            self.assertEqual(np.isnan(modes), said)


if __name__ == "__main__":
    unittest.main()
