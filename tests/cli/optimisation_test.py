"""Studies of kind optimize."""

import math
import re
import signal
import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import STOPPED, CliTest


# A cantilever under its weight, which bends least where it is thick and its end is held.
MIXED = """\
[study]
kind = optimize
objective = tip_deflection
sense = min

[optimize]
parameter = rod.radius : list(1e-3, 2e-3, 4e-3) start 2e-3
parameter = rod.elements : [5, 12] start 8
parameter = boundary.last : list(free, pinned_sliding) start free
generations = 12

[rod]
elements = 8
length = 0.2
radius = 2e-3
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
direction = 1, 0, 0

[boundary]
first = clamped

[gravity]
acceleration = 0, 0, -9.81

[time]
method = static
"""


class Optimisation(CliTest):
    """study.kind = optimize as users meet it."""

    def test_a_rank_that_is_alone_does_not_wait(self):
        said = self.succeed("run", *self.search(seconds=0.01), "--output", self.file).stdout
        share = float(re.search(r"workers waited ([0-9.]+) % of their time", said)[1])
        self.assertLess(share, 50)

    def test_a_search_that_ends_early_gives_back_the_room_of_what_did_not_run(self):
        for ranks in (None, 2):
            with self.subTest(ranks=ranks):
                self.succeed("run", self.deck(campaign.search_deck(5000, 0)), "--output", self.file, "--overwrite", ranks=ranks)
                found = read_ensemble.Ensemble(self.file)
                self.assertLess(found.committed.sum(), len(found) / 10)
                room = self.file.stat()
                self.assertLess(512 * room.st_blocks, room.st_size / 5)
                whole = self.folder / "whole.h5"
                whole.write_bytes(self.file.read_bytes())
                self.succeed("resume", self.file)
                self.assertEqual(campaign.differences(read_ensemble.Ensemble(whole), read_ensemble.Ensemble(self.file)), [])

    def test_a_search_without_a_finite_objective_has_failed(self):
        deck = self.deck(MIXED.replace("objective = tip_deflection", "objective = cost") +
                         "[measure]\ndefine = cost [1] : sqrt(-1 - r)\n[variable]\nr = 2\n")
        run = self.call("run", deck, "--optimize.parameter=variable.r : [0.5, 8.5] start 2", "--output", self.file)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("failed: ", run.stdout)
        self.assertIn("no member has a finite cost", run.stderr)
        self.assertIn("it is no number (nan), first of member 0 (variable.r = ", run.stderr)
        self.assertIn("cost: sqrt(-1 - r)", run.stderr)
        self.assertIn("root or logarithm of a negative number", run.stderr)

    def test_an_infinite_objective_is_never_the_best(self):
        deck = self.deck(MIXED.replace("objective = tip_deflection", "objective = cost") +
                         "[measure]\ndefine = cost [1] : -1 / max(0, 2 - r)\n[variable]\nr = 1\n")
        self.succeed("run", deck, "--optimize.parameter=variable.r : [0, 4] start 2", "--optimize.generations=4", "--output",
                     self.file)
        found = read_ensemble.Ensemble(self.file)
        cost = found.observables["cost"][found.committed]
        self.assertTrue(np.isinf(cost).any())
        best = found.optimize["best"][-1]
        self.assertEqual(best, cost[np.isfinite(cost)].min())
        self.assertIn(f"{best:.4f}"[:6], self.succeed("status", self.file).stdout)
        self.succeed("best", self.file)
        self.assertEqual(read_ensemble.Ensemble(self.folder / "campaign_best.h5").observables["cost"][0], best)

    def test_whole_numbers_and_words_are_parameters(self):
        deck = self.deck(MIXED)
        check = self.succeed("check", deck).stdout
        self.assertIn("rod.elements 5 to 12, whole numbers", check)
        self.assertIn("boundary.last free|pinned_sliding", check)
        said = self.succeed("run", deck, "--output", self.file).stdout
        self.assertRegex(said, r"rod.elements = \d+\n")
        self.assertIn("boundary.last = pinned_sliding", said)
        found = read_ensemble.Ensemble(self.file)
        elements = found.parameters["rod.elements"][found.committed]
        np.testing.assert_array_equal(elements, elements.round())
        self.assertGreater(len(np.unique(elements)), 3)
        self.assertEqual(len(np.unique(found.parameters["boundary.last"][found.committed])), 2)
        self.succeed("best", self.file)
        self.succeed("run", deck, "--output", "three.h5", ranks=3)
        self.assertEqual(campaign.differences(found, read_ensemble.Ensemble(self.folder / "three.h5")), [])
        self.refuse("run", deck, "--output.frames=2", mentions=["output.frames", "must be 0"])

    def search(self, *overrides, generations=30, seconds=0):
        return [self.deck(campaign.search_deck(generations, seconds)), *overrides]

    def test_search_runs_is_reported_and_is_the_same_on_any_number_of_ranks(self):
        said = self.succeed("run", *self.search(), "--output", self.file).stdout
        self.assertIn("stopped by generations after 30 generations and 180 evaluations", said)
        self.assertRegex(said, r"function.x\[0:3\] = \S+, \S+, \S+\n")
        status = self.succeed("status", self.file).stdout
        self.assertIn("generation 30 of at most 30", status)
        self.assertIn("complete", status)
        one = read_ensemble.Ensemble(self.file)
        self.assertEqual(len(one.optimize["best"]), 30)
        self.assertEqual(one.optimize["best"][-1], one.observables["function_value"].reshape(-1, 2)[:, 0].min())
        self.succeed("run", *self.search(), "--output", "four.h5", ranks=4)
        self.assertEqual(campaign.differences(one, read_ensemble.Ensemble(self.folder / "four.h5")), [])

    def test_search_that_ends_early_is_complete(self):
        self.succeed("run", *self.search("--optimize.target=1e-3", generations=500), "--output", self.file)
        self.assertIn("stopped by target", self.succeed("status", self.file).stdout)
        self.assertIn("complete", self.succeed("status", self.file).stdout)
        before = read_ensemble.Ensemble(self.file)
        self.succeed("resume", self.file)
        self.assertEqual(campaign.differences(before, read_ensemble.Ensemble(self.file)), [])

    def logarithmic(self, seconds=0):
        """The sum of the squares of x is least at the lower bounds, five decades below the start."""
        text = campaign.search_deck(60, seconds).replace("rosenbrock", "sphere")
        return self.deck(text.replace("[-2, 2] start -1", "[1e-3, 1e3] start 100 log"))

    def test_search_in_the_logarithm_reports_values(self):
        check = self.succeed("check", self.logarithmic()).stdout
        self.assertIn("varied           function.x[0:3] 0.001 to 1000, logarithmic\n", check)
        self.succeed("run", self.logarithmic(), "--output", self.file)
        one = read_ensemble.Ensemble(self.file)
        for values in one.parameters.values():
            self.assertGreaterEqual(values[one.committed].min(), 1e-3)
            self.assertLessEqual(values[one.committed].max(), 1e3)
        self.assertLess(one.optimize["best"][-1], 1e-5)
        mean, deviation = one.optimize["mean_vector"], one.optimize["deviation"]
        self.assertGreaterEqual(mean.min(), 1e-3, "values, not their logarithms")
        self.assertTrue((deviation < 6 * math.log(10) * mean).all())
        self.succeed("best", self.file)
        best = read_ensemble.Ensemble(self.folder / "campaign_best.h5")
        self.assertEqual(best.observables["function_value"][0], one.optimize["best"][-1])

    def test_search_in_the_logarithm_goes_on_after_a_signal(self):
        deck = self.logarithmic(seconds=0.01)
        process = self.start("run", deck, "--output", self.file, ranks=2)
        campaign.wait_for_members(self.file, 40, process)
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(), STOPPED)
        self.succeed("resume", self.file, ranks=3)
        resumed = read_ensemble.Ensemble(self.file)
        self.succeed("run", deck, "--output", "whole.h5", ranks=3)
        self.assertEqual(campaign.differences(read_ensemble.Ensemble(self.folder / "whole.h5"), resumed), [])

    def test_equal_candidates_run_once_where_nothing_is_random(self):
        deck = self.deck("""\
[study]
kind = optimize
objective = tip_deflection
sense = min
[optimize]
parameter = rod.elements : [4, 8] start 6 scale 2
parameter = variable.n : list(1,2,3) start 2 scale 1
generations = 15
[variable]
n = 2
[rod]
elements = 6
length = 1
radius = 0.01
density = 1000
young_modulus = 1e6
poisson_ratio = 0.4
direction = 1, 0, 0
[boundary]
first = clamped
[actuation]
force = z, end : -1e-4*variable.n
[gravity]
acceleration = 0, 0, -1
[time]
method = implicit
step = 0.02
end = 0.2
""")
        self.succeed("run", deck, "--output", self.file)
        found = read_ensemble.Ensemble(self.file)
        points = np.column_stack(list(found.parameters.values()))[found.committed]
        ran = found.wall_seconds[found.committed] > 0
        self.assertEqual(len(points), 90)
        self.assertEqual(ran.sum(), len(np.unique(points, axis=0)))
        self.assertEqual(len(np.unique(points[ran], axis=0)), ran.sum())
        values = found.observables["tip_deflection"][found.committed]
        self.assertEqual(len(np.unique(np.column_stack([points, values]), axis=0)), ran.sum())
        self.succeed("run", deck, "--output", "two.h5", ranks=2)
        self.assertEqual(campaign.differences(found, read_ensemble.Ensemble(self.folder / "two.h5")), [])
        self.succeed("run", deck, "--load.perturbation=1e-9", "--output", "random.h5")
        self.assertTrue((read_ensemble.Ensemble(self.folder / "random.h5").wall_seconds > 0).all())

    def test_search_stops_on_a_signal_and_resumes(self):
        deck = self.search(seconds=0.01)
        process = self.start("run", *deck, "--output", self.file, ranks=2)
        campaign.wait_for_members(self.file, 20, process)
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(), STOPPED)
        self.assertIn("not running", self.succeed("status", self.file).stdout)
        self.succeed("resume", self.file, ranks=3)
        self.succeed("run", *deck, "--output", "whole.h5")
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])

    def test_a_noisy_search_is_the_same_after_kills_and_on_any_number_of_ranks(self):
        deck = self.search("--optimize.learning=adapted", "--function.noise=1", generations=14)
        self.succeed("run", *deck, "--output", "one.h5")
        one = read_ensemble.Ensemble(self.folder / "one.h5")
        # The sixth candidate of six repeats the first one, as a member with noise of its own.
        points = np.column_stack(list(one.parameters.values())).reshape(14, 6, 2, 3)
        same = (points[:, 0] == points[:, 5]).all(axis=(1, 2))
        self.assertEqual(list(np.flatnonzero(same)), [0, 1, 6, 12])
        values = one.observables["function_value"].reshape(14, 6, 2)
        self.assertTrue((values[:, 0] != values[:, 5]).all())
        self.succeed("run", *deck, "--output", "three.h5", ranks=3)
        killed = self.folder / "killed.h5"
        for instant in range(8):
            self.kill_after(11 * instant + 7, killed, "run", *deck, "--function.seconds=0.01", "--output", killed, "--resume")
        self.assertFalse(read_ensemble.Ensemble(killed).optimize["last"].any())
        self.succeed("resume", killed)
        for other in ("three.h5", "killed.h5"):
            found = read_ensemble.Ensemble(self.folder / other)
            self.assertEqual(campaign.differences(found, one), [], other)

    def test_check_tells_evaluations(self):
        self.assertIn("evaluations      180 at most, in 30 generations", self.succeed("check", *self.search()).stdout)

    def test_members_that_settle_end_early_on_any_number_of_ranks(self):
        search = [campaign.ROOT / "inputs" / "studies" / "snake_cma_quick.ini", "--optimize.generations=2", "--rod.elements=10",
                  "--time.step=2e-4", "--time.end=8"]
        self.succeed("run", *search, "--output", "whole.h5")
        for ranks in (None, 3):
            self.succeed("run", *search, "--observe.settle=1e-3", "--observe.settle_periods=1", "--output", f"{ranks}.h5", ranks=ranks)
        whole, one, three = (read_ensemble.Ensemble(self.folder / name) for name in ("whole.h5", "None.h5", "3.h5"))
        self.assertEqual(campaign.differences(one, three), [])
        settled = one.status == read_ensemble.SETTLED
        self.assertGreater(settled.sum(), 6)
        self.assertTrue(one.usable.all())
        self.assertLess(one.observables["periods_run"][settled].max(), 8)
        self.assertLess(one.steps[settled].max(), whole.steps.min())
        # The first generation is the same in both.
        first = np.flatnonzero(settled[:12])
        speed, full = (file.observables["forward_speed"][first] for file in (one, whole))
        self.assertLess(np.max(np.abs(speed / full - 1)), 5e-3)

    def test_the_best_member_fulfils_the_constraints_on_any_number_of_ranks(self):
        search = [campaign.ROOT / "inputs" / "studies" / "lightest_beam.ini", "--optimize.generations=8", "--rod.elements=8",
                  "--time.step=2e-4", "--time.end=2"]
        said = self.succeed("run", *search, "--output", self.file).stdout
        self.assertRegex(said, r"sag = 0\.00\d+, sag <= 0\.01")
        one = read_ensemble.Ensemble(self.file)
        table = one.tables["constraints"]
        self.assertGreater(table["multiplier"][-1], 0)
        best = one.optimize["best_candidate"][-1]
        sag, mass = one.observables["sag"][one.committed], one.observables["mass"][one.committed]
        self.assertEqual(mass[sag <= 0.01].min(), one.observables["mass"][best])
        self.assertGreater((sag > 0.01).sum(), 0)
        self.assertIn(f"member {best} at", self.succeed("status", self.file).stdout)
        self.succeed("run", *search, "--output", "three.h5", ranks=3)
        self.assertEqual(campaign.differences(one, read_ensemble.Ensemble(self.folder / "three.h5")), [])
        self.refuse("run", *search, "--output.keep=best 2", "--output.frames=2", "--output", "kept.h5",
                    mentions=["output.keep", "all or none with optimize.constraint"])

    def test_best_member_runs_alone_and_stores_its_motion(self):
        deck = self.deck(campaign.race_deck(4, 2e-4))
        self.succeed("run", deck, "--output.frames=0", "--output", self.file)
        search = read_ensemble.Ensemble(self.file)
        self.succeed("best", self.file)
        best = read_ensemble.Ensemble(self.folder / "campaign_best.h5")
        self.assertEqual(len(best), 1)
        # Frames cut its steps into other slices, which round otherwise.
        self.assertAlmostEqual(best.observables["forward_speed"][0], search.optimize["best"][-1], delta=1e-9)
        self.assertEqual(best.frames, 401)
        self.refuse("best", self.file, mentions=["exists"])
        self.succeed("best", self.file, "--overwrite", "--member", "3", "--output.frames=3", "--output", "third.h5")
        third = read_ensemble.Ensemble(self.folder / "third.h5")
        self.assertEqual(third.frames, 3)
        self.assertIn(repr(float(search.parameters["gravity.acceleration[0]"][3]))[:12],
                      third.deck_values("gravity.acceleration")[0])
        self.refuse("best", self.file, "--member", "64", mentions=["has members 0 to 63, not 64"])
        self.refuse("best", self.file, "--output.frames=1", mentions=["output.frames"])
        self.succeed("run", self.deck(), "--output", "sweep.h5")
        self.refuse("best", "sweep.h5", mentions=["study.objective"])

    def test_a_search_goes_on_from_the_end_of_another_without_its_file(self):
        first = self.search("--optimize.generations=10")
        self.succeed("run", *first, "--output", "first.h5")
        later = [*first, "--optimize.from=first.h5", "--study.seed=9"]
        self.succeed("run", *later, "--output", "one.h5")
        deck = read_ensemble.Ensemble(self.folder / "one.h5").deck
        self.assertNotIn("first.h5", deck)
        earlier = read_ensemble.Ensemble(self.folder / "first.h5").optimize
        sigma, *numbers = [float(word) for word in re.search("distribution = (.*)", deck)[1].split(",")]
        self.assertEqual(sigma, earlier["sigma"][-1])
        # The mean is in units of the scale, which is the range of 4, and is itself away from the bounds.
        np.testing.assert_array_equal(4 * np.array(numbers[:3]), earlier["mean_vector"][-1])
        self.succeed("run", *later, "--output", "three.h5", ranks=3)
        killed = self.folder / "killed.h5"
        for instant in range(20):
            self.kill_after(3 * instant + 1, killed, "run", *later, "--function.seconds=0.01", "--output", killed, "--resume")
        self.assertFalse(read_ensemble.Ensemble(killed).optimize["last"].any())
        (self.folder / "first.h5").unlink()
        self.succeed("resume", killed)
        one = read_ensemble.Ensemble(self.folder / "one.h5")
        for other in ("three.h5", "killed.h5"):
            found = read_ensemble.Ensemble(self.folder / other)
            self.assertEqual(campaign.differences(found, one), [], other)

    def test_a_search_cannot_go_on_from_what_is_no_end_of_a_search(self):
        first = self.search("--optimize.generations=4")
        self.succeed("run", *first, "--output", "first.h5")
        self.succeed("run", self.deck(), "--output", "sweep.h5")
        process = self.start("run", *self.search("--optimize.generations=1000", "--function.seconds=0.01"), "--output", "begun.h5")
        campaign.wait_until((self.folder / "begun.h5").exists, process)
        process.send_signal(signal.SIGTERM)
        process.wait()
        for options, mention in (
            (["--optimize.from=none.h5"], "none.h5: No such file"),
            (["--optimize.from=sweep.h5"], "sweep.h5 holds no search: its deck has study.kind = sweep"),
            (["--optimize.from=begun.h5"], "has not ended: go on with it by rodeo resume"),
            (["--optimize.from=first.h5", "--optimize.sigma=0.1"], "optimize.sigma: has no effect"),
            (["--optimize.from=first.h5", "--optimize.distribution=1, 0, 1"], "stands beside optimize.distribution"),
            (["--optimize.from=first.h5", "--optimize.parameter=function.x[0] : [-2, 2] start 1"], "too, which is no parameter here"),
        ):
            self.refuse("run", *self.search(*options), "--output", "new.h5", mentions=["optimize.", mention])
            self.assertFalse((self.folder / "new.h5").exists())

    def test_wrong_searches_are_refused(self):
        for override, mention in (
            ("--optimize.parameter=function.z[0] : [0, 1] start 0", "did you mean function.x"),
            ("--optimize.parameter=function.x[7] : [0, 1] start 0", "function.x[7] has no value"),
            ("--optimize.parameter=function.x[0] : [0, 1] start 2", "outside the bounds"),
            ("--study.objective=forward_speed", "do not report 'forward_speed'"),
            ("--study.objective=speed", "is no observable"),
            ("--study.objective=function_vaule", "did you mean function_value?"),
            ("--optimize.parameter=function.x[0] : [0, 1]", "has no start"),
            ("--optimize.population=1", "integer in [2, 1000000]"),
            ("--optimize.generations=0", "integer in [1, 100000000]"),
            ("--optimize.parameter=function.x[0] : [1, 0] start 0", "lower must be below upper"),
            ("--optimize.parameter=function.x[2:5] : [0, 1] start 0", "the deck lists 3 numbers"),
            ("--optimize.parameter=function.x[0] : [0, 1] start 0.5 log", "both bounds must be above 0"),
            ("--optimize.largest_gain=1", "unknown key 'optimize.largest_gain'"),
        ):
            self.refuse("run", *self.search(override), "--output", self.file, mentions=[mention])


if __name__ == "__main__":
    unittest.main()
