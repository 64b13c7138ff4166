"""Decks, commands and files that are refused."""

import os
import unittest

import campaign
from campaign import SMALL_DECK
from cli_test_case import CliTest


class BadInput(CliTest):
    def test_misspelt_key_names_place_and_nearest_key(self):
        deck = self.deck(SMALL_DECK.replace("bend_stiffness = 1\n", "bend_stifness = 1\n"))
        line = deck.read_text().splitlines().index("bend_stifness = 1") + 1
        self.refuse("run", deck, "--output", self.file, mentions=[f"deck.ini:{line}", "rod.bend_stiffness"])

    def test_value_out_of_range_names_place(self):
        deck = self.deck(SMALL_DECK.replace("mass = 1\n", "mass = -1\n"))
        line = deck.read_text().splitlines().index("mass = -1") + 1
        self.refuse("run", deck, "--output", self.file, mentions=[f"deck.ini:{line}", "rod.mass"])

    def test_value_that_is_no_number(self):
        deck = self.deck(SMALL_DECK.replace("mass = 1\n", "mass = heavy\n"))
        self.refuse("run", deck, "--output", self.file, mentions=["rod.mass", "heavy"])

    def test_bad_override_names_key(self):
        self.refuse("run", self.deck(), "--rod.mass=-1", "--output", self.file, mentions=["rod.mass"])

    def test_unknown_override_names_nearest_key(self):
        self.refuse("run", self.deck(), "--rod.lenght=1", "--output", self.file, mentions=["rod.length"])

    def test_bad_axis(self):
        deck = self.deck(SMALL_DECK.replace("linspace(0.5, 1.5, 3)", "linspace(0.5, 1.5"))
        self.refuse("run", deck, "--output", self.file, mentions=["sweep.axis"])

    def test_axis_over_unknown_key(self):
        deck = self.deck(SMALL_DECK.replace("axis = rod.bend_stiffness", "axis = rod.bend_stifness"))
        self.refuse("run", deck, "--output", self.file, mentions=["rod.bend_stiffness"])

    def test_contradicting_keys(self):
        self.refuse("run", self.deck(), "--rod.density=1000", "--output", self.file, mentions=["rod.density", "rod.mass"])

    def test_names_of_variables_that_are_built_in(self):
        for name, meaning in (("pi", "a constant"), ("end_z", "an observable")):
            with self.subTest(name=name):
                deck = self.deck(SMALL_DECK + f"[variable]\n{name} = 3\n[measure]\ndefine = twice [1] : 2 * {name}\n")
                self.refuse("run", deck, "--output", self.file, mentions=[f"deck.ini:{len(SMALL_DECK.splitlines()) + 2}: variable.{name}",
                                                                          f"{name} is built into expressions, as {meaning}"])

    def test_files_of_numbers_that_would_be_misread(self):
        cases = {
            b"nan, nan, nan\n0, 0, 0\n1, 0, 0\n": "shape.csv:1:1: 'nan' is not a finite decimal number",
            b"0, 0, 0\n1, 0, 0\0005\n2, 0, 0\n": "shape.csv:2: a control character",
            b"x, y, y\n0, 0, 0\n1, 0, 0\n": "shape.csv:1:7: there is a column y already",
            b"y, x, z\n0, 0, 0\n1, 0, 0\n": "shape.csv:1:1: a column 'y', where lines hold x, y and z",
            b"x;y;z\n0;0;0\n1,5;0;0\n": "shape.csv:1:2: a semicolon; commas stand between the fields",
        }
        deck = self.deck(campaign.SHAPE_DECK)
        for text, sentence in cases.items():
            with self.subTest(text=text):
                (self.folder / "shape.csv").write_bytes(text)
                self.refuse("run", deck, "--output", self.file, mentions=[sentence])

    def test_an_entry_of_a_list_that_the_deck_does_not_give(self):
        rods = ("--study.kind=single", "--rod.count=2")
        entry = "--rod.each=rod.normal[0] : list(1, 0)"
        self.refuse("run", self.deck(), *rods, entry, "--output", self.file,
                    mentions=["rod.normal[0] is an entry of rod.normal, and the deck does not give rod.normal: give rod.normal too"])

    def test_a_barrier_that_is_crossed_at_the_start(self):
        deck = campaign.ROOT / "inputs" / "validation" / "flagella_ipc.ini"
        mentions = ["flagella_ipc.ini:", "contact.kind", "overlap by"]
        self.refuse("run", deck, "--rod.polygon_side=2e-3", "--output", self.file, mentions=mentions)
        self.refuse("check", deck, "--rod.polygon_side=2e-3", mentions=mentions)

    def test_single_precision_of_a_model_that_has_none(self):
        for model in ("der", "noop", "function"):
            with self.subTest(model=model):
                mentions = ["model.precision", "single", f"model.kind = {model}", "cosserat"]
                self.refuse("run", self.deck(), f"--model.kind={model}", "--model.precision=single", "--output", self.file,
                            mentions=mentions)
        self.refuse("check", self.deck(), "--model.precision=half", mentions=["model.precision", "double|single"])

    def test_missing_deck(self):
        self.refuse("run", "nowhere.ini", "--output", self.file, mentions=["nowhere.ini"])

    def test_unknown_subcommand(self):
        self.refuse("frobnicate", mentions=["frobnicate"])

    def test_no_subcommand(self):
        self.refuse()

    def test_run_without_deck(self):
        self.refuse("run", "--output", self.file)

    def test_check_finds_the_same_errors(self):
        deck = self.deck(SMALL_DECK.replace("bend_stiffness = 1\n", "bend_stifness = 1\n"))
        self.refuse("check", deck, mentions=["rod.bend_stiffness"])

    def test_output_in_a_folder_that_does_not_exist(self):
        self.refuse("run", self.deck(), "--output", "nowhere/campaign.h5", mentions=["nowhere"])

    def test_files_that_are_no_campaigns(self):
        (self.folder / "text.h5").write_text("not HDF5")
        (self.folder / "empty.h5").touch()
        for name in ("absent.h5", "text.h5", "empty.h5"):
            for subcommand in ("resume", "status"):
                with self.subTest(file=name, subcommand=subcommand):
                    self.refuse(subcommand, name, mentions=[name])

    def test_truncated_campaign(self):
        self.succeed("run", self.deck(), "--output", self.file)
        os.truncate(self.file, self.file.stat().st_size // 2)
        for subcommand in ("resume", "status"):
            with self.subTest(subcommand=subcommand):
                self.refuse(subcommand, self.file, mentions=["campaign.h5"])


if __name__ == "__main__":
    unittest.main()
