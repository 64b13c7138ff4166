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

from campaign import ROOT, read_ensemble, rodeo

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


class Searches(unittest.TestCase):
    """The long cases of searches, on one of two generations: no test runs them as they are."""

    def test_are_drawn(self):
        load_script()
        with tempfile.TemporaryDirectory(prefix="rodeo-validate-") as folder:
            results = pathlib.Path(folder) / "search.h5"
            deck = ROOT / "inputs" / "validation" / "cma_sphere.ini"
            self.assertEqual(rodeo("run", deck, "--optimize.generations=2", "--output", results).returncode, 0)
            searches = importlib.import_module("validation.searches")
            figure = searches.draw({"search": read_ensemble.Ensemble(results)})
            self.assertEqual(len(figure.axes), 3)


class Tolerances(unittest.TestCase):
    def tightened(self, ours, noted, **changes):
        script = load_script()
        quantity = importlib.import_module("validation.case").Quantity("height", ours, 1.0, 0.01, **changes)
        return script.tightened(quantity, noted and {"ours": noted, "reference": 1.0, "passed": True})

    def test_are_ten_times_the_error_noted_before(self):
        self.assertTrue(self.tightened(1.0009, 1.0001).passed)
        self.assertFalse(self.tightened(1.0011, 1.0001).passed)

    def test_do_not_grow_and_leave_room_for_rounding(self):
        self.assertFalse(self.tightened(1.011, 1.005).passed)
        self.assertTrue(self.tightened(1.000009, 1.0 + 1e-15).passed)
        self.assertTrue(self.tightened(1.009, None).passed)


class Digits(unittest.TestCase):
    UNITS = {"end_x": "m", "end_y": "m", "bending_energy": "J"}
    STORED = {"ended": ["done"], "end_x": [2.0], "end_y": [1e-17], "bending_energy": [4.0]}

    @classmethod
    def setUpClass(cls):
        load_script()
        cls.digits = importlib.import_module("validation.digits")
        cls.cases = importlib.import_module("validation").CASES

    def moved(self, **found):
        return self.digits.moved(self.STORED, {**self.STORED, **found}, self.UNITS)

    def test_every_case_has_a_short_form(self):
        self.assertEqual(set(self.digits.FORMS), {case.name for case in self.cases if case.noted})

    def test_what_moves_is_named_with_how_far(self):
        self.assertEqual(self.moved(), ("nothing", 0.0))
        name, distance = self.moved(end_x=[2.0 + 2e-9], bending_energy=[4.0 + 1e-9])
        self.assertEqual(name, "end_x")
        self.assertAlmostEqual(distance, 1e-9, delta=1e-15)

    def test_rounding_is_beside_the_largest_of_its_unit(self):
        self.assertLess(self.moved(end_y=[-3e-16])[1], 1e-15)

    def test_other_ends_and_lost_numbers_have_moved(self):
        self.assertEqual(self.moved(ended=["diverged"])[1], float("inf"))
        self.assertEqual(self.moved(bending_energy=[float("nan")])[0], "bending_energy")
        self.assertEqual(self.digits.moved(self.STORED, {"ended": ["done"]}, self.UNITS)[1], float("inf"))


class Numbers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        load_script()
        cls.numbers = importlib.import_module("validation.numbers")

    def test_what_the_table_says_stands_in_the_texts(self):
        for number in self.numbers.NUMBERS:
            with self.subTest(number.text, said=number.said):
                written, _ = self.numbers.written_numbers(ROOT / number.text)
                self.assertIn(number.said.lstrip("<"), written)

    def test_numbers_of_texts_are_results_of_the_table_or_are_given(self):
        """A number that a text says anew goes into inputs/numbers.csv, or into inputs/given_numbers.json if it comes from elsewhere."""
        given = json.loads(self.numbers.GIVEN.read_text())
        for text in self.numbers.texts():
            name = str(text.relative_to(ROOT))
            said = {number.said.lstrip("<") for number in self.numbers.NUMBERS if number.text == name}
            with self.subTest(name):
                written, values = self.numbers.written_numbers(text)
                self.assertEqual(written - values - said, set(given.get(name, "").split()))

    def test_last_digits(self):
        for said, last in (("0.58243", 1e-5), ("39", 1.0), ("8.3e-5", 1e-6), ("2e-24", 1e-24)):
            self.assertAlmostEqual(self.numbers.last_digit(said) / last, 1.0)


if __name__ == "__main__":
    unittest.main()
