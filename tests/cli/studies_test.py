"""Studies of inputs/studies whose number stands beside a closed form, as they are shipped or coarser."""

import unittest

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest


class Studies(CliTest):
    def results(self, name, *options, ranks=None):
        self.succeed("run", campaign.ROOT / "inputs" / "studies" / name, *options, "--output", self.file, ranks=ranks)
        return read_ensemble.Ensemble(self.file)

    def test_an_arm_reaches_a_point_with_the_effort_of_an_elastica(self):
        results = self.results("arm_reach.ini", "--optimize.generations=60", ranks=2)
        best = results.observables["cost"][results.committed].argmin()
        self.assertLess(abs(results.observables["excess"][best]), 2e-3)
        self.assertLess(results.observables["miss"][best], 5e-3)

    def test_bonded_rods_of_which_one_contracts_bend_as_a_bimorph(self):
        results = self.results("bonded_contraction.ini", "--sweep.axis=variable.contraction : list(0.01, 0.03)")
        for ratio in results.observables["bend_over_bimorph"]:
            self.assertLess(abs(ratio - 1), 2e-4)

    def test_a_gridshell_lifts_under_the_load_of_a_rod_alone(self):
        results = self.results("gridshell.ini", "--variable.raise=0.01", "--time.step=0.25", "--output.frames=2")
        self.assertLess(abs(results.observables["part_of_euler"][0] - 1), 2e-3)
        self.assertGreater(results.observables["rise"][0], 0.06)
        self.assertEqual(results.observables["unstable_modes"][0], 0)

    def test_a_school_swims_by_waves_that_travel_only(self):
        results = self.results("swimmer_school.ini", "--sweep.axis=variable.travel : list(-1, 0, 1)", "--time.end=1",
                               "--output.frames=2", "--rod.elements=8", "--rod.density=2000", ranks=2)
        back, stays, goes = results.observables["speed"]
        self.assertGreater(goes, 0.04)
        self.assertLess(abs(stays), 1e-8)
        self.assertLess(abs(goes + back), 1e-6)


if __name__ == "__main__":
    unittest.main()
