"""The tutorial of inputs/README.md and the example of README.md, run as they stand."""

import pathlib
import re
import subprocess
import unittest

import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import CliTest


def blocks(page, heading):
    """The code blocks of a section, in order: pairs of language and text."""
    section = (campaign.ROOT / page).read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^```(\w*)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


class Tutorial(CliTest):
    def setUp(self):
        super().setUp()
        # Where the reader stands: a folder with the program in build and the scripts in scripts.
        (self.folder / "build").symlink_to(pathlib.Path(campaign.RODEO).parent)
        (self.folder / "scripts").symlink_to(campaign.ROOT / "scripts")

    def do(self, language, text):
        if language == "ini":
            name = re.match(r"# (\S+\.ini):", text).group(1)
            (self.folder / name).write_text(text, encoding="utf-8")
        elif language == "sh":
            result = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, f"{text}\n{result.stdout}\n{result.stderr}")
            self.assertNotIn("warning", result.stdout + result.stderr)

    def test_the_tutorial_runs_as_it_stands(self):
        steps = blocks("inputs/README.md", "Say your own problem")
        self.assertEqual([language for language, _ in steps], ["ini", "sh", "sh", "ini", "sh", "sh"])
        for language, text in steps:
            self.do(language, text)
        for picture in ("cord.png", "cords.png", "levels.png"):
            self.assertTrue((self.folder / picture).read_bytes().startswith(b"\x89PNG"), picture)
        _, position = read_ensemble.Ensemble(self.folder / "cord.h5").trajectory(0)
        heights = position[:, -1, 2]
        self.assertLess(heights[-1], -0.03)
        self.assertLess(abs(heights[-1] - heights[-4]), 1e-3 * abs(heights[-1]), "the cord is not at rest")
        droops = read_ensemble.Ensemble(self.folder / "cords.h5").observables["tip_deflection"]
        self.assertTrue((np.diff(droops) < 0).all(), droops)
        self.assertLess(droops[0], 0.2)

    def test_the_example_of_the_readme_is_that_of_the_tutorial(self):
        self.assertEqual(blocks("README.md", "Say your own problem")[0], blocks("inputs/README.md", "Say your own problem")[0])


if __name__ == "__main__":
    unittest.main()
