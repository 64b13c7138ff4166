#!/usr/bin/python3
"""Pictures that stand beside decks are those that the decks give today: those of inputs/studies/pictures.json, which scripts/plot or
another command draws. Looked at are those whose runs take seconds. tests/manual/pictures_test.py --renew [NAME ...] draws all, or these, anew."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import matplotlib.pyplot as plt
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import campaign

STUDIES = ROOT / "inputs" / "studies"
TABLE = json.loads((STUDIES / "pictures.json").read_text(encoding="utf-8"))
BLOCK = 8  # pixels: what is smaller, such as another version of a font moves, is no difference
MOST = 0.08  # of black to white, in any block


def drawn(name, picture):
    """Runs a study's commands of the table, and draws what they leave."""
    with tempfile.TemporaryDirectory(prefix="rodeo-pictures-") as folder:
        file = pathlib.Path(folder) / f"{name}.h5"
        for command, *overrides in TABLE[name]["commands"]:
            begin = [command, STUDIES / f"{name}.ini", "--output", file] if command == "run" else [command, file]
            subprocess.run([campaign.RODEO, *begin, *overrides], check=True, capture_output=True)
        file = file.with_name(f"{name}{TABLE[name].get('of', '')}.h5")
        command, *options = TABLE[name].get("draw", ["plot"])
        subprocess.run([ROOT / "scripts" / command, file, *options, "-o", picture], check=True, capture_output=True)


def coarse(picture):
    """Means of blocks of pixels, grey, in white up to whole blocks."""
    pixels = plt.imread(picture)[..., :3].mean(axis=2)
    whole = np.pad(pixels, [(0, -extent % BLOCK) for extent in pixels.shape], constant_values=1)
    return whole.reshape(whole.shape[0] // BLOCK, BLOCK, -1, BLOCK).mean(axis=(1, 3))


def difference(one, other):
    """Largest of blocks; 1 for pictures of other extents."""
    first, second = coarse(one), coarse(other)
    return float(np.abs(first - second).max()) if first.shape == second.shape else 1.0


class Pictures(unittest.TestCase):
    def test_none_is_stale(self):
        with tempfile.TemporaryDirectory(prefix="rodeo-pictures-") as folder:
            for name in (name for name, entry in TABLE.items() if "slow" not in entry):
                with self.subTest(name):
                    picture = pathlib.Path(folder) / f"{name}.png"
                    drawn(name, picture)
                    self.assertLess(difference(STUDIES / f"{name}.png", picture), MOST, f"stale: tests/manual/pictures_test.py --renew {name}")

    def test_a_difference_is_seen(self):
        with tempfile.TemporaryDirectory(prefix="rodeo-pictures-") as folder:
            one, other = pathlib.Path(folder) / "one.png", pathlib.Path(folder) / "other.png"
            pixels = plt.imread(STUDIES / "buckled_column.png")[..., :3].copy()
            plt.imsave(one, pixels)
            self.assertLess(difference(one, STUDIES / "buckled_column.png"), 0.01)
            middle = pixels.shape[0] // 2 // BLOCK * BLOCK
            pixels[middle : middle + 2 * BLOCK, 80 : 80 + 2 * BLOCK] = 1 - pixels[middle : middle + 2 * BLOCK, 80 : 80 + 2 * BLOCK]
            plt.imsave(other, pixels)
            self.assertGreater(difference(one, other), MOST)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--renew"]:
        for name in sys.argv[2:] or TABLE:
            print(f"Drawing {name}", flush=True)
            with tempfile.TemporaryDirectory(prefix="rodeo-pictures-") as folder:  # plot leaves alone what it has not made
                drawn(name, pathlib.Path(folder) / "picture.png")
                shutil.copy(pathlib.Path(folder) / "picture.png", STUDIES / f"{name}.png")
    else:
        unittest.main()
