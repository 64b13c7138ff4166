"""Decks in Python."""

import contextlib
import pathlib
import subprocess
import types
import unittest
from unittest import mock

import numpy as np

from package_test_case import ROOT, PackageTest, cord, softrods
from softrods import deck_keys, in_process
from softrods.deck import content_digest


class DeckText(PackageTest):
    def test_decks_are_printed_as_they_were_read(self):
        decks = sorted((ROOT / "inputs").rglob("*.ini"))
        self.assertGreater(len(decks), 50)
        for path in decks:
            self.assertEqual(str(softrods.Deck.read(path)), path.read_text(encoding="utf-8"), path)

    def test_a_change_leaves_comments_and_other_lines(self):
        deck = softrods.Deck("[rod]  # of silicone\nlength = 0.2  # m\n\n[time]\nstep = 1e-5\n")
        deck.rod.length = 0.3
        deck["rod.direction"] = np.array([1.0, 0.0, 0.0])
        deck.sweep.axis = ["rod.radius : list(1, 2)", "rod.density : list(3, 4)"]
        self.assertEqual(str(deck), "[rod]  # of silicone\nlength = 0.3  # m\ndirection = 1.0, 0.0, 0.0\n\n[time]\n"
                                    "step = 1e-5\n\n[sweep]\naxis = rod.radius : list(1, 2)\naxis = rod.density : list(3, 4)\n")
        self.assertEqual(deck["sweep.axis"], ["rod.radius : list(1, 2)", "rod.density : list(3, 4)"])
        self.assertEqual(deck.rod.direction, (1.0, 0.0, 0.0))
        deck.sweep.axis = []
        del deck.rod.direction
        self.assertEqual(list(deck), ["rod.length", "time.step"])

    def test_numbers_keep_all_their_digits(self):
        value = 0.1 + 0.2
        deck = softrods.Deck(rod={"length": np.float64(value)})
        self.assertEqual(softrods.Deck(str(deck)).rod.length, value)

    def test_values_that_are_not_given_are_the_defaults(self):
        deck = softrods.Deck()
        self.assertEqual(deck.study.kind, "single")
        self.assertIsNone(deck.rod.length)

    def test_keys_that_do_not_exist_name_the_nearest(self):
        for change in (lambda: softrods.Deck("[rod]\nlenght = 1"), lambda: softrods.Deck({"rod.lenght": 1}),
                       lambda: softrods.Deck()["rod.lenght"]):
            with self.assertRaisesRegex(softrods.DeckError, "did you mean 'rod.length'"):
                change()
        with self.assertRaises(AttributeError):
            softrods.Deck().rood
        for sections, sentence in (({"gravitation": {"acceleration": 1}}, "did you mean 'gravity.acceleration'"),
                                   ({"young_modulus": 1e6}, "no section 'young_modulus'; did you mean 'rod.young_modulus'"),
                                   ({"rod": 3}, "'rod' takes a mapping of keys to values, and not 3")):
            with self.assertRaisesRegex(softrods.DeckError, sentence):
                softrods.Deck(**sections)
        self.assertEqual(softrods.Deck(**{"rod.length": 0.2}).rod.length, 0.2)

    def test_sections_and_keys_complete(self):
        deck = softrods.Deck()
        self.assertIn("rod", dir(deck))
        self.assertIn("young_modulus", dir(deck.rod))
        stub = deck_keys.stub()
        compile(stub, "sections.pyi", "exec")
        self.assertIn("young_modulus: Any", stub)

    def test_keys_are_those_of_the_program(self):
        listing = subprocess.run([softrods.program.find_program(), "keys"], capture_output=True, text=True, check=True).stdout
        named = [line.split()[0] for line in listing.splitlines() if line[:1].isalpha()]
        self.assertEqual([key.name for key in softrods.keys()], named)
        self.assertEqual(softrods.keys("sweep.sampler")[0].choices, ("grid", "latin_hypercube", "sobol"))

    def test_check_says_what_the_program_says(self):
        deck = cord()
        self.assertIn("members", deck.check())
        deck.rod.radius = -1
        with self.assertRaisesRegex(softrods.DeckError, r"^deck:\d+: rod.radius = '-1' is not allowed \(real > 0, m\)"):
            deck.check()

    def test_files_that_a_deck_names_stand_beside_it(self):
        (self.folder / "points.csv").write_text("rod.length\n0.1\n0.2\n", encoding="utf-8")
        deck = cord(study={"kind": "sweep"}, sweep={"points": "points.csv"})
        deck.write(self.folder / "deck.ini")
        deck.rod.density = 900
        self.assertEqual(len(self.run_alone(deck)), 2)
        self.assertEqual(sorted(path.name for path in pathlib.Path(self.folder).iterdir()), ["campaign.h5", "deck.ini", "points.csv"])

    def test_all_files_that_a_deck_names_are_found_from_anywhere(self):
        deck = softrods.Deck("[rod]\nstate = a.h5:0@0.5\nrest_length_file = b.csv\neach = rod.shape_file : list(c.csv, d.h5:/nodes)\n"
                          "[table]\ncolumn = course : t : 0, 1\n"
                          "[actuation]\nforce = x : table(course, t, f) * table(e.csv, t, f)\n", "/decks/deck.ini")
        self.assertEqual(list(map(str, deck.files())), [f"/decks/{name}" for name in ("a.h5", "b.csv", "c.csv", "d.h5", "e.csv")])
        self.assertEqual(str(deck.with_absolute_files()),
                         "[rod]\nstate = /decks/a.h5:0@0.5\nrest_length_file = /decks/b.csv\n"
                         "each = rod.shape_file : list(/decks/c.csv, /decks/d.h5:/nodes)\n"
                         "[table]\ncolumn = course : t : 0, 1\n"
                         "[actuation]\nforce = x : table(course, t, f) * table(/decks/e.csv, t, f)\n")

    def test_examples_with_files_can_be_checked_from_anywhere(self):
        examples = ROOT / "inputs" / "examples"
        files = [path.name for path in examples.iterdir() if path.suffix in (".csv", ".h5")]
        decks = [deck for deck in map(softrods.Deck.read, examples.glob("*.ini")) if any(f"= {name}" in str(deck) for name in files)]
        self.assertGreaterEqual(len(decks), 4)
        for deck in decks:
            self.assertIn("members", deck.check())


class Contents(PackageTest):
    """What tells whether a deck still means what it did."""

    # Every way to name a file, and an override that names one more.
    TEXT = ("[rod]\nscene = scene.csv\nshape_file = shape.csv\nrest_length_file = rest.csv\nstate = end.h5:0@0.5\n"
            "each = rod.shape_file : list(one.csv, two.h5:/nodes)\n[measure]\ndata = data.csv\n[sweep]\npoints = points.csv\n"
            "[actuation]\nforce = x : table(course.csv, t, f)\n"
            "[study]\nscenarios = goals.csv\nscenarios = rod.length : list(1, 2)\n")
    OVERRIDE = "rod.shape_file=other.csv"
    FILES = ("scene.csv", "shape.csv", "rest.csv", "end.h5", "one.csv", "two.h5", "data.csv", "points.csv", "course.csv",
             "goals.csv", "other.csv")

    def test_the_digest_covers_the_deck_and_all_files_that_it_names(self):
        deck = softrods.Deck(self.TEXT, self.folder / "deck.ini")
        (self.folder / "unnamed.csv").write_text("1\n")
        found = [content_digest(deck, [self.OVERRIDE])]
        for name in self.FILES:
            for content in ("1\n", "2\n"):  # the file appears, then it is of the same size
                (self.folder / name).write_text(content)
                found.append(content_digest(deck, [self.OVERRIDE]))
        (self.folder / "unnamed.csv").write_text("2\n")
        self.assertEqual(content_digest(deck, [self.OVERRIDE]), found[-1])
        found += [content_digest(deck), content_digest(deck, ["rod.shape_file=shape.csv"])]
        deck.rod.density = 900
        found.append(content_digest(deck, [self.OVERRIDE]))
        self.assertEqual(len(set(found)), 2 * len(self.FILES) + 4)
        del deck.rod.density
        self.assertEqual(content_digest(deck, [self.OVERRIDE]), found[2 * len(self.FILES)])

    def test_the_same_name_in_another_folder_has_another_digest(self):
        found = set()
        for name in ("one", "two"):
            (self.folder / name).mkdir()
            (self.folder / name / "deck.ini").write_text(self.TEXT)
            with contextlib.chdir(self.folder / name):
                found |= {content_digest(softrods.Deck.read("deck.ini")), content_digest(softrods.Deck(self.TEXT))}
        self.assertEqual(len(found), 4)

    def test_members_in_this_process_read_again_what_has_changed(self):
        """The native module is stubbed: each time that it reads a deck is another object."""
        problems = types.SimpleNamespace(read=lambda *_: object(), parse=lambda *_: object())
        native = types.SimpleNamespace(Problem=problems, NativeError=RuntimeError)
        for name in ("one", "two"):
            (self.folder / name).mkdir()
            (self.folder / name / "deck.ini").write_text(self.TEXT)
        with mock.patch.object(in_process, "_native", return_value=native), contextlib.chdir(self.folder / "one"):
            # A deck in a file, and one that knows no file.
            for kind, deck in (("file", "deck.ini"), ("text", softrods.Deck(self.TEXT))):
                found = [in_process._problem(deck, None)]
                self.assertIs(in_process._problem(deck, None), found[0])
                for name in ("shape.csv", "data.csv"):
                    for content in "12":
                        pathlib.Path(name).write_text(f"{content} for a {kind}\n")
                        found.append(in_process._problem(deck, None))
                self.assertIs(in_process._problem(deck, None), found[-1])
                found.append(in_process._problem(deck, {"rod.shape_file": "other.csv"}))
                with contextlib.chdir(self.folder / "two"):
                    found.append(in_process._problem(deck, None))
                self.assertEqual(len({id(problem) for problem in found}), 7)


if __name__ == "__main__":
    unittest.main()
