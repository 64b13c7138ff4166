"""Damping: what its keys do, and what rod.damping of campaigns of earlier revisions goes on doing."""

import math
import re
import unittest

import h5py
import numpy as np

from campaign import read_ensemble
from cli_test_case import BAD_INPUT, CliTest

# Clamped at one end and bent by a couple at the other; rod.damping is about critical for its slowest mode.
SLENDER_ROD = """\
[rod]
length = 0.2
radius = 0.005
elements = 20
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
damping = 1.1

[boundary]
first = clamped

[load]
end_couple = 0, 5e-4, 0

[time]
step = 1e-4
end = 4
"""
# Three short members that damping moves, held and driven as in a sweep.
SWEEP = SLENDER_ROD.replace("end = 4", "end = 0.05") + """\
[study]
kind = sweep
objective = tip_deflection

[sweep]
axis = rod.damping : list(0.5, 1, 2)
"""


class Damping(CliTest):
    def tip(self, *overrides):
        self.succeed("run", self.deck(SLENDER_ROD), *overrides, "--output", self.file, "--overwrite")
        return read_ensemble.Ensemble(self.file).observables["tip_deflection"][0]

    def test_slender_rod_under_a_couple_does_not_creep(self):
        curvature = 5e-4 / (1e6 * math.pi * 0.005**4 / 4)
        arc = (1 - math.cos(0.2 * curvature)) / curvature  # 20.3 mm
        self.assertAlmostEqual(self.tip(), arc, delta=1e-4 * arc)
        self.assertLess(self.tip("--rod.damping_law=published"), 0.2 * arc)
        for alone in ("--rod.damping_ratio=1", "--rod.relaxation_time=0.07"):
            self.assertAlmostEqual(self.tip("--rod.damping=0", alone), arc, delta=1e-4 * arc)
        implicit = ("--model.kind=der", "--time.step=0.005")
        self.assertAlmostEqual(self.tip(*implicit), arc, delta=1e-4 * arc)
        self.assertLess(self.tip(*implicit, "--rod.damping_law=published"), 0.2 * arc)

    def test_two_dampings_are_refused_by_name(self):
        self.refuse("run", self.deck(SLENDER_ROD), "--rod.damping_ratio=1",
                    mentions=("rod.damping_ratio", "contradicts rod.damping", "deck.ini:8"))
        self.refuse("run", self.deck(SLENDER_ROD + "[rod]\nrelaxation_time = 0\n"),
                    mentions=("deck.ini:20: rod.relaxation_time", "real > 0", "s"))
        self.refuse("run", self.deck(SLENDER_ROD + "[rod]\nrotational_damping = -1\n"),
                    mentions=("deck.ini:20: rod.rotational_damping", "real >= 0", "kg m/s"))

    def make_earlier(self, lines=rb"(damping_law|rotational_damping|relaxation_time|damping_ratio) = .*"):
        """Has the file say what a revision wrote that lacked such lines, with its second member yet to run."""
        with h5py.File(self.file, "r+") as file:
            deck = file["deck"][()]
            old = re.sub(rb"\n" + lines, lambda line: b"\n" + b"#" * (len(line[0]) - 1), deck)
            self.assertNotEqual(old, deck)
            file["deck"][()] = old
            del file["deck"].attrs["crc32"]  # files of earlier revisions have none
            file["members/commit"][1] = 0
            file["members/status"][1] = 0
            file["members/observables"][1] = 0

    def test_campaigns_of_earlier_revisions_go_on_as_they_were(self):
        deck = self.deck(SWEEP)
        self.succeed("run", deck, "--output", self.file)
        separate = read_ensemble.Ensemble(self.file).observables["tip_deflection"]
        self.succeed("run", deck, "--rod.damping_law=published", "--output", self.file, "--overwrite")
        published = read_ensemble.Ensemble(self.file).observables["tip_deflection"]
        self.assertTrue(np.all(published < 0.5 * separate))
        self.make_earlier()
        self.succeed("resume", self.file)
        self.assertEqual(read_ensemble.Ensemble(self.file).observables["tip_deflection"].tobytes(), published.tobytes())
        self.succeed("best", self.file)
        best = read_ensemble.Ensemble(self.folder / "campaign_best.h5")
        # With frames, which end the drifts of nodes elsewhere.
        self.assertAlmostEqual(best.observables["tip_deflection"][0] / published.max(), 1, delta=1e-9)
        self.assertIn("damping_law = published", best.deck)
        # Its own deck has to say so now; without, it asks for something else.
        other = self.call("run", deck, "--resume", "--output", self.file)
        self.assertEqual(other.returncode, BAD_INPUT)
        self.assertIn("belongs to another deck", other.stderr)
        self.succeed("run", deck, "--rod.damping_law=published", "--resume", "--output", self.file)

    def test_campaigns_of_earlier_revisions_keep_their_sections(self):
        deck = self.deck(SWEEP)
        self.succeed("run", deck, "--output", self.file)
        rigid = read_ensemble.Ensemble(self.file).observables["tip_deflection"]
        self.succeed("run", deck, "--model.section=published", "--output", self.file, "--overwrite")
        published = read_ensemble.Ensemble(self.file).observables["tip_deflection"]
        self.assertTrue(np.all(published != rigid))
        self.make_earlier(rb"(section = published|energy_tolerance = .*)")
        self.succeed("resume", self.file)
        self.assertEqual(read_ensemble.Ensemble(self.file).observables["tip_deflection"].tobytes(), published.tobytes())


if __name__ == "__main__":
    unittest.main()
