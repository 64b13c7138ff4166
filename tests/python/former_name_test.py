"""`import rodeo`, the former name of the package."""

import subprocess
import unittest

from package_test_case import ROOT, PackageTest


class FormerName(PackageTest):
    def python(self, *arguments):
        return subprocess.run(["/usr/bin/python3", *arguments], capture_output=True, text=True, check=False, cwd=self.folder,
                              env={"PYTHONPATH": str(ROOT / "src" / "python"), "PYTHONDONTWRITEBYTECODE": "1"})

    def test_warns_and_is_the_package_itself(self):
        done = self.python("-W", "always", "-c", "\n".join((
            "import rodeo",
            "from rodeo.ensemble import EnsembleError",
            "from rodeo.figures import shape",
            "import softrods.figures.shape",
            "assert rodeo is softrods",
            "assert EnsembleError is softrods.EnsembleError",
            "assert shape is softrods.figures.shape",
            "assert shape.__spec__.name == 'softrods.figures.shape'",
        )))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("DeprecationWarning: `import rodeo` is now `import softrods`"), 1, done.stderr)

    def test_runs_its_commands(self):
        self.assertIn("python3 -m softrods", self.python("-m", "rodeo", "--help").stdout)
        self.assertIn("No module named 'softrods.nothing'", self.python("-c", "import rodeo.nothing").stderr)


if __name__ == "__main__":
    unittest.main()
