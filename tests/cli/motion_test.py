"""Motions of places in time: the study of a pulled thread, results for any number of ranks, and errors."""

import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest


SUTURE = (campaign.ROOT / "inputs" / "studies" / "pulled_suture.ini").read_text(encoding="utf-8")

ROD = """\
[rod]
elements = 10
length = 1
radius = 0.02
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5

[boundary]
first = clamped

[time]
step = 1e-3
end = 1

[model]
kind = der

[motion]
"""


class Motions(CliTest):
    def results(self, text, *options, ranks=None):
        self.succeed("run", self.deck(text), *options, "--output", self.file, "--overwrite", ranks=ranks)
        return read_ensemble.Ensemble(self.file)

    def test_a_suture_pulls_back_as_a_string_does(self):
        alone = self.results(SUTURE)
        self.assertEqual(len(alone.observables["force"]), 5)
        self.assertTrue(np.all(np.diff(alone.observables["force"]) > 0))
        self.assertLess(np.abs(alone.observables["deviation"]).max(), 0.02)
        self.assertTrue(np.all(alone.observables["swings_below"] < 0))
        forces = alone.observables["force"].tobytes()
        self.assertEqual(self.results(SUTURE, ranks=3).observables["force"].tobytes(), forces)

    def test_a_motion_that_cannot_be_ends_before_anything_is_written(self):
        for line, parts in (
            ("position = start : 0, 0, 0", ("deck.ini:20: motion.position", "boundary.first = clamped")),
            ("position = end : 0, 0, 0.1 * cos(t)", ("character 13", "0.1 m", "must begin at 0")),
            ("position = end : 0, 0", ("a comma should stand here",)),
            ("position = ends : 0, 0, 0", ("character 1", "start, middle or end")),
            ("position = end : 0, 0, 0\nrotation = end about 1 0 0 : 0\nposition = node 10 : t - 0.5, 0, 0 from 0.5",
             ("deck.ini:22: motion.position", "deck.ini:20")),
            ("rotation = element 3 about 0 0 0 : 0", ("no direction",)),
        ):
            self.refuse("run", self.deck(ROD + line + "\n"), "--output", self.file, mentions=parts)

    def test_signals_and_features_tell_of_them(self):
        signals = self.succeed("signals").stdout
        for name in ("power_motions", "work_motions", "reaction_x", "reaction_couple_z"):
            self.assertIn(name, signals)
        self.assertIn("held or moved in time", self.succeed("features").stdout)


if __name__ == "__main__":
    unittest.main()
