"""Rods on a lattice, at random places, and from the file of a scene."""

import os
import unittest

import h5py
import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import BAD_INPUT, CliTest

RODS = """\
[study]
seed = 7

[rod]
elements = 8
length = 0.2
radius = 0.005
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
damping = 1
PLACEMENT

[gravity]
acceleration = 0, 0, -9.81

[contact]
kind = penalty
stiffness = 100
damping = 0.01

[time]
step = 2e-5
end = 0.02

[output]
frames = 2
"""
RANDOM = "count = 40\nplacement = random\nregion_size = 0.3, 0.3, 0.3\n"
SEEDS = RODS.replace("seed = 7", "kind = sweep\n\n[sweep]\naxis = rod.placement_seed : list(0, 1, 2)\n"
                     "axis = rod.young_modulus : list(1e6, 2e6)")
SCENE = """\
rod.length, rod.origin[0], rod.origin[2], boundary.first
0.2,  0,    0.1, clamped
0.15, 0.05, 0.1, free    # of three

0.1,  0.1,  0.1, free
"""


class Placement(CliTest):
    def rods(self, placement, text=RODS):
        return self.deck(text.replace("PLACEMENT\n", placement))

    def deck_of_scene(self, text=RODS):
        return self.rods("placement = file\nscene = scene.csv\n", text.replace("length = 0.2\n", ""))

    def scene(self, text=SCENE):
        path = self.folder / "scene.csv"
        path.write_text(text, encoding="utf-8")
        return path

    def nodes_at_start(self, file, member=0):
        """Of each rod of a member."""
        ensemble = read_ensemble.Ensemble(file)
        _, position = ensemble.trajectory(member)
        return position[0]

    def test_random_rods_are_the_same_on_any_number_of_ranks(self):
        deck = self.rods(RANDOM, SEEDS)
        self.succeed("run", deck, "--output", "one.h5")
        one = read_ensemble.Ensemble(self.folder / "one.h5")
        self.succeed("run", deck, "--output", self.file, ranks=2)
        self.assertEqual(campaign.differences(read_ensemble.Ensemble(self.file), one), [])
        starts = [self.nodes_at_start(self.file, member) for member in range(6)]
        np.testing.assert_array_equal(starts[0], starts[1])  # Young's modulus alone differs
        self.assertFalse(np.array_equal(starts[0], starts[2]))
        # Nor does the study's own seed matter.
        self.succeed("run", self.rods(RANDOM), "--study.seed=8", "--output", self.file, "--overwrite")
        np.testing.assert_array_equal(self.nodes_at_start(self.file), starts[0])

    def test_check_says_how_many_rods_there_are_and_what_they_fill(self):
        self.assertIn("rods             40 a member, which take 0.0233 of the volume of rod.region\n",
                      self.succeed("check", self.rods(RANDOM)).stdout)
        deck = self.rods("placement = lattice\nlattice = 3, 4, 1\nlattice_spacing = 0.02, 0.03, 0\n")
        printed = self.succeed("check", "--deck", deck).stdout
        self.assertIn("rods             12 a member\n", printed)
        (self.folder / "printed.ini").write_text(printed, encoding="utf-8")
        self.assertIn("rods             12 a member\n", self.succeed("check", "printed.ini").stdout)
        self.assertIn("rods             40 to 41 a member, which take 0.0233 to 0.0239 of",
                      self.succeed("check", self.rods(RANDOM), "--study.kind=sweep", "--sweep.axis=rod.count : list(40, 41)").stdout)

    def test_a_lattice_stands_where_it_is_said(self):
        deck = self.rods("origin = 0, 0, 1\nplacement = lattice\nlattice = 3, 4, 1\nlattice_spacing = 0.02, 0.03, 0\n")
        self.succeed("run", deck, "--output", self.file)
        first_nodes = self.nodes_at_start(self.file).reshape(12, 9, 3)[:, 0, :]
        expected = [(0.02 * (k % 3), 0.03 * (k // 3), 1) for k in range(12)]
        np.testing.assert_allclose(first_nodes, expected, atol=1e-15)

    def test_a_killed_campaign_goes_on_without_its_scene(self):
        scene = self.scene()
        sweep = RODS.replace("seed = 7", "kind = sweep\n\n[sweep]\naxis = time.end : linspace(0.02, 3, 24)")
        deck = self.deck_of_scene(sweep)
        self.kill_after(1, self.file, "run", deck, "--output", self.file)
        self.assertFalse(read_ensemble.Ensemble(self.file).committed.all())
        moved = scene.rename(self.folder / "moved.csv")
        gone = self.call("run", deck, "--resume", "--output", self.file)
        self.assertEqual(gone.returncode, BAD_INPUT)
        self.assertIn("scene.csv: cannot read this scene (rod.scene, ", gone.stderr)
        self.succeed("resume", self.file, ranks=2)
        moved.rename(scene)
        self.succeed("run", deck, "--output", "whole.h5", ranks=2)
        whole = read_ensemble.Ensemble(self.folder / "whole.h5")
        self.assertEqual(campaign.differences(whole, read_ensemble.Ensemble(self.file)), [])
        np.testing.assert_array_equal(self.nodes_at_start(self.file).reshape(3, 9, 3)[:, 0, :],
                                      [(0, 0, 0.1), (0.05, 0, 0.1), (0.1, 0, 0.1)])
        # A scene that changed is another deck.
        self.scene(SCENE.replace("0.15, 0.05", "0.15, 0.06"))
        changed = self.call("run", deck, "--resume", "--output", self.file)
        self.assertEqual(changed.returncode, BAD_INPUT)
        self.assertIn("belongs to another deck: its rods are not those of ", changed.stderr)
        self.assertIn("rodeo resume", changed.stderr)

    def test_a_nest_comes_to_rest_on_the_ground(self):
        self.succeed("run", campaign.ROOT / "inputs" / "examples" / "nest.ini", "--output.frames=2", "--output", self.file)
        ensemble = read_ensemble.Ensemble(self.file)
        _, position = ensemble.trajectory(0)
        start, end = position[0, :, 2], position[-1, :, 2]
        self.assertGreater(start.max(), 0.1)
        self.assertGreaterEqual(start.min(), 0.01 + 0.005 - 1e-9)
        self.assertLess(end.max(), 0.06)
        # The ground carries elements at their middles; the last node of a rod that leans may be lower.
        middles = [(rod[-1, 1:, 2] + rod[-1, :-1, 2]) / 2 for rod in ensemble.rods(0)[1]]
        self.assertGreater(min(middle.min() for middle in middles), 0.95 * 0.005)
        self.assertLess(abs(ensemble.observables["energy_gain"][0]), 1e-3)

    def test_a_scene_is_printed_by_its_name_and_not_replaced(self):
        scene = self.scene()
        deck = self.deck_of_scene()
        printed = self.succeed("check", "--deck", deck).stdout
        self.assertIn(f"placement = file\nscene = {scene}\n", printed)
        self.assertIn("rods             3 a member\n", printed)
        (self.folder / "printed.ini").write_text(printed, encoding="utf-8")
        self.assertIn("rods             3 a member\n", self.succeed("check", "printed.ini").stdout)
        self.refuse("run", deck, "--output", scene, "--overwrite", mentions=["is the deck's rod.scene"])
        os.link(scene, self.file)
        self.refuse("run", deck, "--output", self.file, "--overwrite", mentions=["is the deck's rod.scene"])

    def test_random_rods_are_stored_and_make_a_scene(self):
        random = RANDOM + "each = rod.radius : uniform(0.003, 0.005)\neach = boundary.first : list(" + \
            ", ".join(["free", "pinned"] * 20) + ")\n"
        self.succeed("run", self.rods(random, RODS.replace("radius = 0.005\n", "")), "--output", self.file)
        scene = read_ensemble.Ensemble(self.file).tables["scene"]
        np.testing.assert_array_equal(scene["rod"], range(40))
        starts = self.nodes_at_start(self.file)
        np.testing.assert_array_equal(scene["rod.origin"], starts.reshape(40, 9, 3)[:, 0])
        along = starts.reshape(40, 9, 3)[:, -1] - scene["rod.origin"]
        np.testing.assert_allclose(along, 0.2 * scene["rod.direction"], atol=1e-12)
        self.assertEqual(read_ensemble.Ensemble(self.file).rod_radii(0), scene["rod.radius"].tolist())
        self.assertTrue(np.all((scene["rod.radius"] >= 0.003) & (scene["rod.radius"] <= 0.005)))
        self.assertEqual(scene["boundary.first_names"][int(scene["boundary.first"][1])], "pinned")
        placed = self.rods("placement = file\nscene = campaign.h5:/scene\n", RODS.replace("radius = 0.005\n", ""))
        self.succeed("run", placed, "--output", "placed.h5")
        np.testing.assert_array_equal(self.nodes_at_start(self.folder / "placed.h5"), starts)
        self.assertEqual(campaign.differences(read_ensemble.Ensemble(self.folder / "placed.h5"),
                                              read_ensemble.Ensemble(self.file)), [])
        self.refuse("run", placed, "--output", self.file, "--overwrite", mentions=["is the deck's rod.scene"])

    def test_a_sweep_stores_the_rods_of_all_its_candidates(self):
        self.succeed("run", self.rods(RANDOM.replace("40", "3"), SEEDS), "--output", self.file)
        scene = read_ensemble.Ensemble(self.file).tables["scene"]
        np.testing.assert_array_equal(scene["candidate"], np.repeat([0, 2, 4], 3))
        for member in (0, 1, 5):
            first_nodes = self.nodes_at_start(self.file, member).reshape(3, 9, 3)[:, 0]
            np.testing.assert_array_equal(scene["rod.origin"][scene["candidate"] == member // 2 * 2], first_nodes)
        self.refuse("run", self.rods("placement = file\nscene = campaign.h5:/scene\n"), "--output", "other.h5",
                    mentions=["campaign.h5: /scene/candidate names several candidates"])

    def test_a_scene_may_be_made_by_h5py(self):
        with h5py.File(self.folder / "scene.h5", "w") as file:
            group = file.create_group("my/rods")
            group["rod.length"] = [0.2, 0.1]
            group["rod.origin"] = [[0, 0, 0.1], [0.3, 0, 0.1]]
            group["boundary.first"] = ["clamped", "free"]
            group["colours"] = ["red", "blue"]
            file["bad/rod.length"] = [0.1, -1]
            file["ragged/rod.length"] = [0.1, 0.2]
            file["ragged/rod.radius"] = [0.1]
            file["unknown/rod.lenth"] = [0.1]
            file.create_group("empty")
        scene = "placement = file\nscene = scene.h5:/my/rods\n"
        text = RODS.replace("length = 0.2\n", "")
        self.succeed("run", self.rods(scene, text), "--output", self.file)
        np.testing.assert_array_equal(self.nodes_at_start(self.file).reshape(2, 9, 3)[:, 0],
                                      [(0, 0, 0.1), (0.3, 0, 0.1)])
        cases = {
            "bad": ["scene.h5:/bad/rod.length, row 1: ", "rod.length = '-1'", "out of range"],
            "ragged": ["scene.h5:/ragged/rod.radius: has 1 rows, and rod.length has 2"],
            "unknown": ["scene.h5:/unknown/rod.lenth: ", "did you mean rod.length"],
            "empty": ["scene.h5:/empty: no key has a value in this scene (rod.scene, "],
            "none": ["scene.h5: there is no group /none"],
        }
        for group, mentions in cases.items():
            with self.subTest(group=group):
                self.refuse("run", self.rods(scene.replace("my/rods", group), text), "--output", "other.h5",
                            mentions=mentions)

    def test_mistakes_are_reported_with_place_and_remedy(self):
        lattice = "placement = lattice\nlattice = 2, 2, 1\nlattice_spacing = 0.1, 0.1, 0\n"
        cases = {
            lattice + "count = 3\n": ["deck.ini:15: rod.count", "is not the 4 rods of rod.lattice", "leave it out"],
            lattice.replace("0.1, 0.1", "0.1, -0.1"): ["deck.ini:14", "rod.lattice_spacing", "out of range", ">= 0, m"],
            lattice.replace("placement = lattice\n", ""): ["deck.ini:12: rod.lattice", "it needs rod.placement = lattice"],
            RANDOM.replace("0.3, 0.3, 0.3", "0.1, 0.1, 0.1"): ["deck.ini:14: rod.region_size", "too small for rod 0", "0.2 m long"],
            RANDOM.replace("count = 40", "count = 10000"): ["deck.ini:12", "only ", " of 10000 rods", "volume share", "fewer rods"],
            "placement = file\n": ["rod.scene is missing", "rod.placement = file needs it"],
            "placement = file\nscene = none.csv\n": ["none.csv: cannot read this scene (rod.scene, ", "deck.ini:13"],
            "placement = file\nscene = scene.csv\ncount = 4\n": ["deck.ini:14: rod.count", "is not the 3 rods of ", "scene.csv"],
            "count = 3\neach = rod.length : normal(0.2)\n": ["deck.ini:13: rod.each", "takes two numbers"],
        }
        self.scene()
        for placement, mentions in cases.items():
            with self.subTest(placement=placement):
                deck = self.rods(placement)
                self.refuse("run", deck, "--output", self.file, mentions=mentions)
                self.refuse("check", deck, mentions=mentions)


if __name__ == "__main__":
    unittest.main()
