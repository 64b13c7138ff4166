"""The notebooks, run from top to bottom."""

import importlib.util
import json
import os
import unittest

from package_test_case import PACKAGES, ROOT, PackageTest, softrods

NOTEBOOKS = ROOT / "src" / "python" / "notebooks"
NAMES = ("boundary", "reach", "search", "sweep", "tutorial")
LEARNS = all(importlib.util.find_spec(module) for module in ("softrods._native", "gymnasium"))
RUNS_THEM = all(importlib.util.find_spec(module) for module in ("nbclient", "nbformat", "ipykernel"))


class Notebooks(PackageTest):
    @unittest.skipUnless(RUNS_THEM, "not installed: nbclient, ipykernel (PyPI)")
    def test_they_run_as_they_stand(self):
        import nbclient
        import nbformat

        os.environ["PYTHONPATH"] = PACKAGES
        self.addCleanup(os.environ.pop, "PYTHONPATH")
        for name in NAMES:
            if name == "reach" and not LEARNS:
                continue
            with self.subTest(name):
                notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", 4)
                nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": self.folder}}).execute()
                data = [output["data"] for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
                self.assertTrue(any("image/png" in kinds for kinds in data), "no picture")
        for path in self.folder.glob("*.h5"):
            self.assertFalse(softrods.open(path).failed.any(), path.name)

    def test_they_are_stored_without_what_they_print(self):
        self.assertEqual([path.stem for path in sorted(NOTEBOOKS.glob("*.ipynb"))], list(NAMES))
        for name in NAMES:
            notebook = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    self.assertEqual(cell["outputs"], [], name)

    def test_their_code_compiles_and_their_decks_are_valid(self):
        """As far as can be told without a kernel: each deck is checked, nothing is run."""
        for name in NAMES:
            with self.subTest(name):
                notebook = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))
                code = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
                compile(code, name, "exec")
                names = {"softrods": softrods}
                exec(code.partition("file = softrods.run")[0].partition("print(")[0], names)
                self.assertIn("members", names["deck"].check())


if __name__ == "__main__":
    unittest.main()
