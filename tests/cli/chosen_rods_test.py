"""Frames of some of a member's rods: output.rods."""

import csv
import signal
import subprocess
import unittest

import h5py
import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import BAD_INPUT, CliTest

# A dozen rods of several lengths and radii, which fall in a row.
DECK = f"""\
[rod]
count = 12
each = rod.elements : list({", ".join(str(3 + rod % 3) for rod in range(12))})
each = rod.radius : list({", ".join(f"{0.01 + 0.001 * rod:g}" for rod in range(12))})
each = rod.origin[0] : list({", ".join(f"{0.2 * rod:g}" for rod in range(12))})
length = 1
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
damping = 0.1

[gravity]
acceleration = 0, 1, -9.81

[time]
step = 1e-4
end = 0.01

[output]
frames = 4
fields = velocity
observables = total_energy
"""


class ChosenRods(CliTest):
    def whole(self):
        self.succeed("run", self.deck(DECK), "--output", "whole.h5")
        return read_ensemble.Ensemble(self.folder / "whole.h5")

    def expect_rods_of(self, whole, rods):
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual(ensemble.rod_numbers(0).tolist(), rods)
        self.assertEqual(ensemble.rod_nodes(0).tolist(), [4 + rod % 3 for rod in rods])
        self.assertEqual(ensemble.rod_radii(0), [whole.rod_radii(0)[rod] for rod in rods])
        for field in ("position", "velocity"):
            stored, all_of_them = ensemble.rods(0, field)[1], whole.rods(0, field)[1]
            self.assertEqual([rod.tobytes() for rod in stored], [all_of_them[rod].tobytes() for rod in rods])
        for name, values in whole.observables.items():
            self.assertEqual(ensemble.observables[name].tobytes(), values.tobytes(), name)

    def test_frames_hold_the_chosen_rods_as_files_of_all_do(self):
        whole = self.whole()
        self.assertEqual(whole.rod_numbers(0).tolist(), list(range(12)))
        for text, rods in {
            "every 5": [0, 5, 10],
            "1, 3 to 5, -1": [1, 3, 4, 5, 11],
            "9, 2 to 9 every 4": [2, 6, 9],
            "-3 to -1": [9, 10, 11],
            "7": [7],
            "every 1": list(range(12)),
        }.items():
            with self.subTest(text=text):
                self.succeed("run", self.deck(DECK), f"--output.rods={text}", "--output", self.file, "--overwrite")
                self.expect_rods_of(whole, rods)
        self.assertLess(self.file.stat().st_size, 2 * (self.folder / "whole.h5").stat().st_size)

    def test_members_with_other_rods_have_their_own_numbers(self):
        alike = "\n".join(line for line in DECK.splitlines() if not line.startswith("each")) + "\n"
        self.succeed("run", self.deck(alike), "--rod.elements=3", "--rod.radius=0.01", "--study.kind=sweep",
                     "--sweep.axis=rod.count : list(12, 4)", "--output.rods=every 3", "--output", self.file, ranks=2)
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual([ensemble.rod_numbers(member).tolist() for member in range(2)], [[0, 3, 6, 9], [0, 3]])
        self.assertEqual([len(ensemble.rods(member)[1]) for member in range(2)], [4, 2])

    def test_exports_and_pictures_name_and_draw_them(self):
        self.succeed("run", self.deck(DECK), "--output.rods=4, 10", "--output", self.file)
        self.succeed("export", self.file, "--member", 0, "--format", "csv")
        with open(self.folder / "campaign_member_0.csv", encoding="utf-8") as file:
            self.assertEqual({row["rod"] for row in csv.DictReader(file)}, {"4", "10"})
        self.succeed("export", self.file, "--member", 0)
        with h5py.File(self.folder / "campaign_member_0.hdf") as file:
            self.assertEqual(file["VTKHDF/CellData/rod"][:].tolist(), [4, 10])
            self.assertEqual(file["VTKHDF/Offsets"][:].tolist(), [0, 5, 10])
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual(ensemble.dataset["rod_numbers"].values.tolist(), [[4, 10]])
        for script in (("plot", self.file, "-o", "plot.png"),
                       ("render", self.file, "--frame", "3", "--size", "160x90", "-o", "render.png")):
            done = subprocess.run([campaign.ROOT / "scripts" / script[0], *map(str, script[1:])], cwd=self.folder, capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue((self.folder / script[-1]).exists())

    def test_shapes_of_vibrations_are_those_of_the_chosen_rods(self):
        held = DECK[: DECK.index("[gravity]")] + "[boundary]\nfirst = clamped\n"
        held += "[time]\nmethod = static\nstep = 1\nend = 1\n[modes]\ncount = 3\n[output]\nframes = 2\n"
        held = held.replace("damping = 0.1\n", "")
        self.succeed("run", self.deck(held), "--output", "whole.h5")
        self.succeed("run", self.deck(held), "--output.rods=1, 7 to 9 every 2", "--output", self.file)
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual(ensemble.rod_nodes(0).tolist(), [5, 5, 4])
        parts = np.split(whole.mode_shapes(0), np.cumsum(whole.rod_nodes(0))[:-1], axis=1)
        expected = np.concatenate([parts[rod] for rod in (1, 7, 9)], axis=1)
        self.assertTrue(np.isfinite(expected).all())
        self.assertEqual(ensemble.mode_shapes(0).tobytes(), expected.tobytes())

    def test_a_killed_member_goes_on(self):
        text = DECK.replace("end = 0.01", "end = 80").replace("frames = 4", "frames = 301\ncheckpoint_interval = 0.1")
        chosen = "--output.rods=2 to 4, 8"
        process = self.start("run", self.deck(text), chosen, "--output", self.file)
        campaign.wait_until((self.folder / "campaign.h5.checkpoints" / "member_0").exists, process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertFalse(read_ensemble.Ensemble(self.file).committed.any(), "the member ended before the kill")
        self.assertNotIn("anew", self.succeed("resume", self.file).stderr)
        self.succeed("run", self.deck(text), chosen, "--output", "whole.h5")
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])

    def test_bad_choices_are_said(self):
        for text, mentions in {
            "12": ["no such rod: they are 0 to 11"],
            "0 to 12": ["no such rod: they are 0 to 11"],
            "-13": ["no such rod: they are 0 to 11"],
            "3, 3": ["rod 3 stands there twice"],
            "2 to 4, every 2": ["rod 2 stands there twice"],
            "5 to 3": ["this range has no rod"],
            "every 0": ["every N takes an N of 1 or more"],
            "some": ["a number should stand here"],
            "3 and 4": ["rods are all, or a list of"],
            "": ["output.rods"],
        }.items():
            with self.subTest(text=text):
                self.refuse("check", self.deck(DECK), f"--output.rods={text}", mentions=["output.rods", *mentions])
        self.refuse("check", self.deck(DECK), "--output.rods=3", "--output.frames=0", "--output.observables=", "--output.fields=",
                    mentions=["output."])
        self.refuse("check", self.deck(), "--output.rods=0", mentions=["output.rods", "chooses among several rods, and members have one"])
        bare = self.deck(DECK[: DECK.index("[output]")])
        self.refuse("run", bare, "--output.rods=3", "--output", self.file, mentions=["output.rods", "no effect", "output.frames"])


if __name__ == "__main__":
    unittest.main()
