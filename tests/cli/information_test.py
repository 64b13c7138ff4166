"""rodeo keys, observables, features and check."""

import unittest

import campaign
from campaign import SMALL_MEMBERS, read_ensemble
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

    def test_listings_fit_a_hundred_columns(self):
        for command in ("keys", "observables", "features"):
            with self.subTest(command=command):
                lines = self.succeed(command).stdout.splitlines()
                self.assertLessEqual(max(map(len, lines)), 100)
                self.assertGreater(len(lines), 20)

    def test_a_pattern_that_nothing_has_is_refused(self):
        self.refuse("keys", "zzz", mentions=["zzz"])
        self.refuse("keys", "rod.lenght", mentions=["rod.lenght", "did you mean rod.length"])
        self.refuse("observables", "end_forse", mentions=["end_forse", "did you mean end_force"])
        self.refuse("features", "shear")

    def test_observables_say_unit_meaning_models_and_needs(self):
        self.assertIn("end_x", self.succeed("observables").stdout)
        text = self.succeed("observables", "forward_speed").stdout
        for part in ("m/s", "centre of mass", "model cosserat, der", "needs muscle.period"):
            self.assertIn(part, text)
        self.assertIn("model der", self.succeed("observables", "newton_iterations").stdout)
        self.assertNotIn("end_x", text)

    def test_every_observable_that_a_file_has_is_listed(self):
        self.succeed("run", self.deck(), "--output", self.file)
        listed = {line.split()[0] for line in self.succeed("observables").stdout.splitlines() if not line.startswith(" ")}
        self.assertEqual(set(read_ensemble.Ensemble(self.file).observables), listed)

    def test_features_compare_the_models(self):
        lines = self.succeed("features").stdout.splitlines()
        self.assertIn("cosserat", lines[0])
        self.assertIn("der", lines[0])
        rows = {feature: line[len(feature):].split()[:2] for line in lines for feature in ("closed rods", "Stokeslets") if line.startswith(feature)}
        self.assertEqual(rows, {"closed rods": ["yes", "-"], "Stokeslets": ["-", "yes"]})
        reasons = lines[lines.index("why not") :]
        self.assertTrue(any(line.startswith("cosserat: Stokeslets: ") for line in reasons))

    def test_help_names_every_command(self):
        usage = self.succeed("--help").stdout
        for command in ("run", "resume", "best", "check", "status", "keys", "observables", "features", "export"):
            self.assertIn(f"\n  rodeo {command}", usage)

    def test_check_reports_and_creates_nothing(self):
        deck = self.deck()
        before = self.contents()
        report = self.succeed("check", deck).stdout
        self.assertEqual(self.contents(), before)
        self.assertRegex(report, rf"\b{SMALL_MEMBERS}\b")
        self.assertIn("bend_stiffness", report)

    def test_a_member_larger_than_the_machine_is_refused_before_it_starts(self):
        frames = "--output.frames=1000000"
        deck = self.deck()
        self.assertRegex(self.succeed("check", deck, "--rod.elements=100000", "--time.end=100", frames).stdout,
                         "warning: a member in flight takes more than the .* of memory that this machine has")
        result = campaign.rodeo("run", deck, "--rod.elements=100000", "--time.end=100", frames, "--output", self.file, directory=self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "a member takes .* of memory, and this machine has .*: fewer rods, elements or frames")
        self.assertFalse(self.file.exists())

    def test_shipped_decks_pass_the_check(self):
        # The reference lists every key, those that exclude each other too, and is no study.
        decks = [deck for deck in sorted((campaign.ROOT / "inputs").rglob("*.ini")) if deck.name != "reference.ini"]
        self.assertTrue(decks)
        for deck in decks:
            with self.subTest(deck=deck.name):
                self.succeed("check", deck)


if __name__ == "__main__":
    unittest.main()
