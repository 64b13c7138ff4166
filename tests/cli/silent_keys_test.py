"""Keys that are given but have no effect."""

import unittest

import campaign
from campaign import SMALL_DECK
from cli_test_case import CliTest
from softrods.ensemble import Ensemble

# Two rods side by side, whose lengths stand in the deck.
TWO_RODS = """\
[rod]
count = 2
each = rod.length : list(1, 2)
each = rod.origin[0] : list(0, 0.5)
elements = 5
radius = 0.02
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5

[time]
step = 1e-4
end = 0.001

[output]
frames = 2
"""


class SilentKeys(CliTest):
    def test_a_key_of_the_deck_names_line_reason_and_remedy(self):
        deck = self.deck(SMALL_DECK + "\n[contact]\nstiffness = 10\n")
        line = deck.read_text().splitlines().index("stiffness = 10") + 1
        mentions = [f"deck.ini:{line}: contact.stiffness", "no effect", "contact.kind = penalty"]
        self.refuse("run", deck, "--output", self.file, mentions=mentions)
        self.refuse("check", deck, mentions=mentions)

    def test_keys_of_the_command_line(self):
        for override, remedy in {
            "--ground.stiffness=3": "ground.kind = plane",
            "--muscle.phase=1": "muscle.amplitudes",
            "--boundary.motion_time=1": "boundary.twist",
            "--newton.iterations=3": "model.kind = der",
            "--optimize.population=9": "study.kind = optimize",
            "--fluid.kind=stokeslets": "fluid.viscosity",
            "--rod.helix_radius=1": "rod.shape = helix",
            "--load.magnetization=1": "load.magnetic_flux_density",
            "--contact.friction=0.3": "contact.kind = penalty|imc|ipc",
            "--noop.seconds=1": "model.kind = noop",
            "--function.name=noise": "model.kind = function",
            "--study.sense=min": "study.objective",
            "--load.axial_force=3": "sweep.axis",
        }.items():
            with self.subTest(override=override):
                key = override[2 : override.index("=")]
                self.refuse("run", self.deck(), override, "--output", self.file, mentions=[key, "no effect", remedy])

    def test_keys_of_some_candidates_are_taken(self):
        axis = "--sweep.axis=contact.kind : list(none, penalty)"
        self.succeed("check", self.deck(SMALL_DECK + "\n[contact]\nstiffness = 10\n"), axis)

    def test_an_override_may_switch_off_what_keys_of_the_deck_belong_to(self):
        deck = self.deck(SMALL_DECK + "\n[contact]\nkind = penalty\nstiffness = 10\n")
        self.succeed("check", deck, "--contact.kind=none")
        self.succeed("check", deck, "--study.kind=single")

    def test_what_check_prints_can_be_run(self):
        printed = self.folder / "printed.ini"
        printed.write_text(self.succeed("check", "--deck", self.deck()).stdout)
        self.succeed("run", printed, "--output", self.file)
        self.succeed("run", self.deck(), "--output", "again.h5")
        self.assertEqual(campaign.differences(Ensemble(self.file), Ensemble(self.folder / "again.h5")), [])

    def test_a_stored_deck_goes_on_and_takes_overrides_that_have_effect(self):
        self.succeed("run", self.deck(), "--output", self.file)
        self.succeed("resume", self.file)
        self.refuse("best", self.file, "--member", 0, "--contact.stiffness=3", mentions=["command line", "contact.stiffness"])
        self.succeed("best", self.file, "--member", 0, "--load.axial_force=3")

    def test_a_list_for_each_rod_replaces_that_of_its_key_alone(self):
        deck = self.deck(TWO_RODS)
        self.succeed("run", deck, "--rod.each=rod.length : list(3, 4)", "--output", self.file)
        position = Ensemble(self.file).trajectory(0)[1][0]
        self.assertAlmostEqual(float(position[5, 2] - position[0, 2]), 3.0)
        self.assertAlmostEqual(float(position[11, 2] - position[6, 2]), 4.0)
        self.assertAlmostEqual(float(position[6, 0]), 0.5)
        self.succeed("run", deck, "--rod.each=rod.origin[1] : list(0, 2)", "--output", self.file, "--overwrite")
        position = Ensemble(self.file).trajectory(0)[1][0]
        self.assertAlmostEqual(float(position[11, 2] - position[6, 2]), 2.0)
        self.assertAlmostEqual(float(position[6, 1]), 2.0)

    def test_places_of_joined_rods(self):
        deck = self.deck(TWO_RODS + "\n[joint]\nkind = ball\n")
        self.refuse("check", deck, mentions=["deck.ini:4: rod.each: rod.origin[0]", "no effect", "joint.kind"])


if __name__ == "__main__":
    unittest.main()
