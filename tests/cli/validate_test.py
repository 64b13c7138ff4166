"""scripts/validate, with a program of a line in place of rodeo."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

from campaign import ROOT

NOTED = '{"failure": "", "noted": "before"}\n'
WRITES_THEN_FAILS = """while [ "$1" != --output ]; do shift; done
echo rows > "$2"
exit 2"""


def load_script():
    sys.path.insert(0, str(ROOT / "scripts"))
    loader = importlib.machinery.SourceFileLoader("validate", str(ROOT / "scripts" / "validate"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("validate", loader))
    loader.exec_module(module)
    return module


class NotedResults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rodeo-validate-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.noted = self.folder / "results" / "hanging_rod.json"
        self.noted.parent.mkdir()
        self.noted.write_text(NOTED)
        self.script = load_script()
        for name, value in (("ROOT", self.folder), ("DECKS", self.folder), ("launcher", lambda: [])):
            replaced = mock.patch.object(self.script, name, value)
            replaced.start()
            self.addCleanup(replaced.stop)

    def validate(self, program, *options):
        rodeo = self.folder / "build" / "rodeo"
        rodeo.parent.mkdir()
        rodeo.write_text(f"#!/bin/sh\n{program}\n")
        rodeo.chmod(0o755)
        printed = io.StringIO()
        arguments = ["validate", "--full", *options, "--output", str(self.folder / "out"), "hanging_rod"]
        with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(printed), self.assertRaises(SystemExit) as end:
            self.script.main()
        self.assertEqual(end.exception.code, 1)
        return printed.getvalue()

    def test_stay_where_a_case_does_not_start(self):
        printed = self.validate("echo 'rodeo: error: a deck without rods' >&2; exit 1")
        self.assertIn("a deck without rods", printed)
        self.assertIn("numbers noted before stay", printed)
        self.assertEqual(self.noted.read_text(), NOTED)

    def test_follow_a_case_that_ends_badly(self):
        self.validate(WRITES_THEN_FAILS)
        self.assertIn("exit code 2", json.loads(self.noted.read_text())["failure"])

    def test_of_precisions_stay_too(self):
        table = self.noted.with_name("precision.txt")
        table.write_text(NOTED)
        self.validate('[ "$1" = check ] || exit 1', "--single")
        self.assertEqual(table.read_text(), NOTED)


if __name__ == "__main__":
    unittest.main()
