"""Decks that are refused, each with all of its faults: a table of text files, a deck and then what is said of it."""

import pathlib
import unittest

from cli_test_case import BAD_INPUT, CliTest

REFUSALS = pathlib.Path(__file__).parent / "refusals"


class Refusals(CliTest):
    def test_all_faults_are_said(self):
        for file in sorted(REFUSALS.glob("*.txt")):
            with self.subTest(file.stem):
                deck, said = file.read_text().split("\n---\n")
                path = self.deck(deck + "\n")
                result = self.call("check", path)
                self.assertEqual(result.returncode, BAD_INPUT)
                self.assertEqual(result.stderr.replace(f"{path}:", "").replace("rodeo: error: ", ""), said)


if __name__ == "__main__":
    unittest.main()
