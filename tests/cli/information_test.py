"""rodeo keys and rodeo check."""

import unittest

import campaign
from campaign import SMALL_MEMBERS
from cli_test_case import CliTest


class Information(CliTest):
    def test_keys_with_pattern(self):
        lines = self.succeed("keys", "stiffness").stdout.splitlines()
        self.assertTrue(any("rod.bend_stiffness" in line for line in lines))
        self.assertFalse(any("time.step" in line for line in lines))

    def test_keys_lists_every_key(self):
        listing = self.succeed("keys").stdout
        for key in ("study.kind", "sweep.axis", "rod.bend_stiffness", "boundary.first", "time.step", "output.frames"):
            self.assertIn(key, listing)

    def test_check_reports_and_creates_nothing(self):
        deck = self.deck()
        before = self.contents()
        report = self.succeed("check", deck).stdout
        self.assertEqual(self.contents(), before)
        self.assertRegex(report, rf"\b{SMALL_MEMBERS}\b")
        self.assertIn("bend_stiffness", report)

    def test_shipped_decks_pass_the_check(self):
        # The reference lists every key, those that exclude each other too, and is no study.
        decks = [deck for deck in sorted((campaign.ROOT / "inputs").rglob("*.ini")) if deck.name != "reference.ini"]
        self.assertTrue(decks)
        for deck in decks:
            with self.subTest(deck=deck.name):
                self.succeed("check", deck)


if __name__ == "__main__":
    unittest.main()
