"""Scripts write over nothing that they did not make."""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import unittest

import h5py

from package_test_case import PACKAGES, ROOT, PackageTest, campaign, cord, softrods

SCRIPTS = ROOT / "scripts"


class TextsOfOthers(PackageTest):
    """What files and their names say is no command to a terminal, and no reason to fail."""

    def test_a_name_that_is_no_text_and_an_attribute_that_is_an_escape_sequence(self):
        self.run_alone(cord(output={"frames": 3}))
        path = os.fsencode(self.folder) + b"/a\xffb.h5"
        shutil.copy(self.file, path)
        with h5py.File(path, "r+") as file:
            file.attrs["hosts"] = "\x1b]0;mine\x07"
        environment = os.environ | {"PYTHONPATH": PACKAGES}
        for command in ((sys.executable, "-m", "softrods", path), (SCRIPTS / "report", path), (SCRIPTS / "plot", path)):
            done = subprocess.run(command, capture_output=True, check=False, cwd=self.folder, env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn(b"\x1b", done.stdout)
            self.assertIn(b"a\\udcffb", done.stdout)
        page = pathlib.Path(os.fsdecode(path)).with_suffix(".html").read_text(encoding="utf-8")
        self.assertNotIn("\x1b", page)
        self.assertIn("a\\udcffb.h5", page)


class OwnFiles(PackageTest):
    def setUp(self):
        super().setUp()
        self.run_alone(cord(output={"frames": 3}))

    def check(self, output, *command):
        """Refuses a file of another's, and writes over its own."""
        output.write_bytes(b"mine")
        refused = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("it is left as it is", refused.stderr)
        self.assertEqual(output.read_bytes(), b"mine")
        output.unlink()
        for _ in range(2):
            done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotEqual(output.read_bytes(), b"mine")

    def test_plot(self):
        for ending in ("png", "svg", "pdf"):
            self.check(self.folder / f"picture.{ending}", SCRIPTS / "plot", self.file, "-o", self.folder / f"picture.{ending}")

    def test_report(self):
        self.check(self.folder / "campaign.html", SCRIPTS / "report", self.file)

    def test_what_cannot_be_written_whole_is_not_there(self):
        before = {path.name for path in self.folder.iterdir()}
        for command in ((SCRIPTS / "plot", self.file), (SCRIPTS / "report", self.file),
                        (campaign.RODEO, "export", self.file, "--member", 0, "--format", "csv"),
                        *((SCRIPTS / "render", self.file, "-o", f"scene{ending}") for ending in (".glb", ".usda", ".xdmf"))):
            with self.subTest(command=command):
                done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, cwd=self.folder,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)))
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("File too large", done.stderr)
                self.assertEqual({path.name for path in self.folder.iterdir()}, before)

    def test_a_report_over_the_results_themselves(self):
        whole = self.file.read_bytes()
        done = subprocess.run([SCRIPTS / "report", self.file, "-o", self.file], capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.file.read_bytes(), whole)

    def test_render(self):
        self.check(self.folder / "last.png", SCRIPTS / "render", self.file, "--frame", "-1", "--size", "64x64", "-o", self.folder / "last.png")

    def test_scenes(self):
        for ending in (".glb", ".usda", ".xdmf"):
            with self.subTest(ending=ending):
                scene = self.folder / f"scene{ending}"
                self.check(scene, SCRIPTS / "render", self.file, "-o", scene)

    def test_export(self):
        for form, ending in (("csv", "csv"), ("vtkhdf", "hdf")):
            with self.subTest(format=form):
                self.check(self.folder / f"campaign_member_0.{ending}", campaign.RODEO, "export", self.file, "--member", 0, "--format", form)

    def test_pictures_of_python(self):
        picture = self.folder / "rods.png"
        picture.write_bytes(b"mine")
        with self.assertRaisesRegex(softrods.RodeoError, "was not made by rodeo"):
            softrods.show(self.file).save(picture)
        self.assertEqual(picture.read_bytes(), b"mine")

    def test_gpu_kit(self):
        folder = self.folder / "project"
        folder.mkdir()
        (folder / "thesis.tex").write_text("years of work")
        done = subprocess.run([SCRIPTS / "gpu_kit", folder], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is no kit: it is left as it is", done.stderr)
        self.assertEqual((folder / "thesis.tex").read_text(), "years of work")


if __name__ == "__main__":
    unittest.main()
