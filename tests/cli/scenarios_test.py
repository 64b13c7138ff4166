"""Searches whose candidates meet scenarios (study.scenarios)."""

import json
import signal

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import DONE, STOPPED, CliTest


# A cantilever that bends little: the end goes where the force pulls it, in proportion.
REACH = """\
[study]
kind = optimize
objective = miss
sense = min
scenarios = goals.csv
scenarios = rod.bend_stiffness : lognormal(1e-3, 0.05)
draws = 2

[optimize]
parameter = load.end_force[1:3] : [-0.01, 0.01] start 0
population = 6
generations = 25

[rod]
elements = 20
length = 0.1
radius = 1e-3
density = 1000
bend_stiffness = 1e-3
twist_stiffness = 1e-3
stretch_stiffness = 1e3
direction = 1, 0, 0

[model]
kind = der

[boundary]
first = clamped

[time]
method = static

[variable]
goal = 0.001

[measure]
define = miss [1] : 1e6*((z(end) - goal)^2 + y(end)^2)
"""
GOALS = "variable.goal\n0.0005\n0.001\n0.003\n"


class ScenariosTest(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "goals.csv").write_text(GOALS, encoding="utf-8")

    def test_a_search_finds_what_is_best_on_average(self):
        said = self.succeed("run", self.deck(REACH), "--output", self.file).stdout
        self.assertIn("mean over 6 scenarios)", said)
        self.assertIn("load.end_force[1:3] = ", said)
        found = read_ensemble.Ensemble(self.file)
        members = found.committed
        goal, stiffness = found.parameters["variable.goal"], found.parameters["rod.bend_stiffness"]
        scenario = found.scenario
        # The same scenarios for all candidates, and their seeds.
        for k in range(6):
            of = members & (scenario == k)
            self.assertEqual(len(np.unique(goal[of])), 1)
            self.assertEqual(len(np.unique(stiffness[of])), 1)
            self.assertEqual(len(np.unique(found.seed[of])), 1)
        self.assertEqual(sorted(np.unique(goal[members])), [0.0005, 0.001, 0.003])
        self.assertEqual(len(np.unique(stiffness[members])), 6)
        # The end moves by c F / B, so that the mean square is least at the sum of goal/B over that of 1/B^2.
        goals, b = (np.array([values[members & (scenario == k)][0] for k in range(6)]) for values in (goal, stiffness))
        right = (goals / b).sum() / (1 / b**2).sum() / (0.1**3 / 3)
        best = int(found.optimize["best_candidate"][-1])
        force = found.parameters["load.end_force[2]"][found.candidate == best][0]
        self.assertAlmostEqual(force / right, 1, delta=2e-3)
        mean = found.observables["miss"][members & (found.candidate == best)].mean()
        self.assertAlmostEqual(found.optimize["best"][-1] / mean, 1, delta=1e-14)

        status = self.succeed("status", self.file).stdout
        self.assertRegex(status, rf"best miss: \S+ 1, candidate {best}, mean over 6 scenarios at load.end_force\[1\] = ")
        self.assertIn("varied: load.end_force[1:3]\n6 scenarios: variable.goal, rod.bend_stiffness\n", status)
        told = json.loads(self.succeed("status", self.file, "--json").stdout)
        self.assertEqual((told["scenarios"], told["best"]["candidate"], told["best"]["member"]), (6, best, 6 * best))
        self.assertEqual(list(told["best"]["parameters"]), ["load.end_force[1]", "load.end_force[2]"])
        self.assertAlmostEqual(told["best"]["value"] / mean, 1, delta=1e-14)
        self.succeed("best", self.file)
        again = read_ensemble.Ensemble(self.folder / "campaign_best.h5")
        self.assertEqual(again.observables["miss"][0], found.observables["miss"][6 * best])

        data = found.dataset
        self.assertEqual(data["scenario"].dims, ("member",))
        along = found.scenarios
        self.assertEqual(dict(along.sizes), {"candidate": len(found) // 6, "scenario": 6})
        np.testing.assert_array_equal(along["variable.goal"], goals)
        self.assertEqual(float(along["miss"].sel(candidate=best).mean("scenario")), mean)

    def test_the_worst_case_is_in_the_middle_between_goals(self):
        deck = self.deck(REACH.replace("scenarios = rod.bend_stiffness : lognormal(1e-3, 0.05)\ndraws = 2\n", "worst_share = 0\n"))
        check = self.succeed("check", deck).stdout
        self.assertIn("scenarios        variable.goal 5e-04 to 0.003: 3 points\n", check)
        self.assertIn("150 candidates x 3 scenarios x 1 repeats", check)
        said = self.succeed("run", deck, "--output.keep=best 2", "--output.frames=2", "--output", self.file).stdout
        self.assertIn("the worst of 3 scenarios)", said)
        found = read_ensemble.Ensemble(self.file)
        best = int(found.optimize["best_candidate"][-1])
        force = found.parameters["load.end_force[2]"][found.candidate == best][0]
        self.assertAlmostEqual(force * 0.1**3 / 3 / 1e-3 / 0.00175, 1, delta=2e-3)
        worst = found.observables["miss"].reshape(-1, 3).max(axis=1)
        self.assertEqual(np.nanargmin(np.where(found.committed[::3], worst, np.nan)), best)
        self.assertEqual(found.optimize["best"][-1], worst[best])
        kept = read_ensemble.Ensemble(self.folder / "campaign_kept.h5")
        self.assertEqual(list(kept.candidate), [best, best])
        self.assertEqual(list(kept.scenario), [0, 1])
        self.succeed("status", self.folder / "campaign_kept.h5")
        self.succeed("resume", self.file)

    def test_constraints_hold_in_the_mean_or_in_the_worst_scenario(self):
        text = REACH.replace("[rod]", "constraint = high <= 1\n\n[rod]", 1) + "define = high [1] : 1e3*(z(end) + goal)\n"
        for share, lowest in (("1", 1 - 1.5), ("0", 1 - 3)):
            self.succeed("run", self.deck(text), f"--study.worst_share={share}", "--optimize.generations=60",
                         "--output", self.file, "--overwrite")
            found = read_ensemble.Ensemble(self.file)
            best = int(found.optimize["best_candidate"][-1])
            high = found.observables["high"].reshape(-1, 6)[best]
            reduced = high.mean() if share == "1" else high.max()
            self.assertLessEqual(reduced, 1)
            self.assertGreater(reduced, 0.9)
            self.assertIn(f"candidate {best}, ", self.succeed("status", self.file).stdout)

    def test_a_killed_search_goes_on_and_ranks_make_no_difference(self):
        deck = self.deck(campaign.scenarios_deck(40, 0.004))
        process = self.start("run", deck, "--output", self.file, ranks=2)
        campaign.wait_for_members(self.file, 50, process)
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(), STOPPED)
        self.kill_after(200, self.file, "resume", self.file, ranks=2)
        self.assertEqual(campaign.when_free("resume", self.file).returncode, DONE)
        self.succeed("run", deck, "--output", "one.h5")
        self.succeed("run", deck, "--output", "three.h5", ranks=3)
        whole = read_ensemble.Ensemble(self.folder / "one.h5")
        self.assertEqual(len(whole), 40 * 6 * 3 * 2)
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.folder / "three.h5")), [])
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])

    def test_a_ladder_of_levels_has_scenarios_on_each(self):
        text = campaign.climbing_deck(1e-5).replace("kind = optimize\n", "kind = optimize\nscenarios = function.x[2] : list(0.5, 1)\n")
        text = text.replace("x[0:3]", "x[0:2]")
        self.succeed("run", self.deck(text), "--output", self.file)
        one = read_ensemble.Ensemble(self.file)
        self.assertEqual(list(one.parameters)[-1], "function.x[2]")
        self.assertIn("complete", self.succeed("status", self.file).stdout)
        self.succeed("run", self.deck(text), "--output", "two.h5", ranks=2)
        self.assertEqual(campaign.differences(one, read_ensemble.Ensemble(self.folder / "two.h5")), [])

    def test_bad_scenarios_are_refused(self):
        text = REACH
        self.refuse("check", self.deck(text.replace("kind = optimize", "kind = sweep").split("[optimize]")[0] + "[sweep]\naxis = rod.length : list(0.1, 0.2)\n" + text[text.index("[rod]"):]),
                    mentions=["deck.ini:5", "study.scenarios", "it needs study.kind = optimize"])
        (self.folder / "goals.csv").write_text("variable.gaol\n1\n", encoding="utf-8")
        self.refuse("check", self.deck(text), mentions=["goals.csv:1:1", "did you mean variable.goal?"])
        (self.folder / "goals.csv").write_text("variable.goal\n1\nfar\n", encoding="utf-8")
        self.refuse("check", self.deck(text), mentions=["goals.csv:3:1", "not a finite decimal number"])
        (self.folder / "goals.csv").write_text("variable.goal\n", encoding="utf-8")
        self.refuse("check", self.deck(text), mentions=["no row follows the header", "file of scenarios (study.scenarios,"])
        (self.folder / "goals.csv").write_text(GOALS, encoding="utf-8")
        self.refuse("check", self.deck(text.replace("rod.bend_stiffness :", "rod.bend_stifness :")), mentions=["deck.ini:6", "did you mean rod.bend_stiffness?"])
        self.refuse("check", self.deck(text.replace("scenarios = goals.csv\n", "").replace("scenarios = rod.bend_stiffness : lognormal(1e-3, 0.05)\n", "")),
                    mentions=["deck.ini:5", "study.draws", "it needs study.scenarios"])
        self.refuse("check", self.deck(text.replace("end_force[1:3]", "end_force[0:4]")), mentions=["load.end_force has no entry [3]"])

    def test_a_hundred_parameters_are_listed_in_a_line(self):
        text = REACH.replace("load.end_force[1:3] : [-0.01, 0.01] start 0", "variable.w[0:100] : [-2, 2] start 0")
        text = text.replace("25", "3").replace("(z(end) - goal)^2", "(w[0] - goal)^2 + w[99]^2 + z(end)^2")
        text = text.replace("goal = 0.001\n", "goal = 0.001\nw = " + ", ".join(["0"] * 100) + "\n")
        check = self.succeed("check", self.deck(text)).stdout
        self.assertIn("varied           variable.w[0:100] -2 to 2\nscenarios ", check)
        said = self.succeed("run", self.deck(text), "--output", self.file).stdout
        self.assertIn("  variable.w[0:100] = ", said)
        self.assertLess(max(map(len, said.splitlines())), 110)
        status = self.succeed("status", self.file).stdout
        self.assertIn("varied: variable.w[0:100]\n", status)
        self.assertLess(max(map(len, status.splitlines())), 240)
        self.refuse("check", self.deck(text.replace("w[0:100] :", "w[0:120] :")),
                    mentions=["variable.w[0:120] is the entries 0 to 119 of a list, and the deck lists 100 numbers"])
