"""What --overwrite replaces, and what it never touches."""

import os
import pathlib
import unittest

import h5py

import campaign
from campaign import SMALL_MEMBERS, read_ensemble
from cli_test_case import BAD_INPUT, CliTest

BEST = ("--study.objective=total_energy", "--output.keep=best 3")


def state_of(path):
    """All that a refused command must leave as it is."""
    properties = os.lstat(path)
    link = os.readlink(path) if path.is_symlink() else None
    content = path.read_bytes() if path.is_file() else None
    return properties.st_ino, properties.st_mode, properties.st_mtime_ns, link, content


class Overwrite(CliTest):
    def states(self):
        return {str(path): state_of(path) for path in self.folder.rglob("*")}

    def refuse_to_replace(self, *arguments, mentions=(), ranks=None):
        before = self.states()
        result = self.call(*arguments, "--overwrite", ranks=ranks)
        self.assertEqual(result.returncode, BAD_INPUT, f"stdout: {result.stdout}\nstderr: {result.stderr}")
        for text in mentions:
            self.assertIn(text, result.stderr)
        self.assertEqual(self.states(), before)

    def run_small(self, output):
        self.succeed("run", self.deck(), "--study.repeats=1", "--time.end=0.1", "--output", output)

    def test_the_deck_is_never_replaced(self):
        deck = self.deck()
        (self.folder / "inner").mkdir()
        (self.folder / "symbolic.h5").symlink_to("deck.ini")
        (self.folder / "hard.h5").hardlink_to(deck)
        for output in (deck, "deck.ini", "./inner/../deck.ini", "symbolic.h5", "hard.h5"):
            for called in (deck, "deck.ini", "symbolic.h5"):
                with self.subTest(output=output, deck=called):
                    self.refuse_to_replace("run", called, "--output", output, mentions=["is the deck itself"])
        self.refuse_to_replace("run", deck, "--output", deck, mentions=["is the deck itself"], ranks=2)

    def test_an_empty_deck_is_not_replaced_though_an_empty_file_would_be(self):
        deck = self.deck("")
        self.refuse_to_replace("run", deck, *(f"--{key}" for key in ("model.kind=noop", "noop.seconds=0")), "--output", deck,
                               mentions=["is the deck itself"])

    def test_the_shape_file_is_not_replaced(self):
        shape = self.folder / "shape.csv"
        shape.write_text("0, 0, 0\n0, 0, 1\n", encoding="utf-8")
        deck = self.deck(campaign.SHAPE_DECK)
        self.refuse_to_replace("run", deck, "--output", shape, mentions=["is the deck's rod.shape_file"])
        # Even if it is itself a campaign's file.
        self.succeed("run", deck, "--output", self.file)
        with h5py.File(self.file, "a") as file:
            file["knot"] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
        self.refuse_to_replace("run", deck, "--rod.shape_file=campaign.h5:/knot", "--output", self.file,
                               mentions=["is the deck's rod.shape_file"])

    def test_other_files_are_not_replaced(self):
        deck = self.deck()
        (self.folder / "text.h5").write_text("my thesis", encoding="utf-8")
        with h5py.File(self.folder / "measured.h5", "w") as file:
            file.attrs["source"] = "not a rodeo ensemble"
            file["x"] = range(10)
        (self.folder / "zeros.h5").write_bytes(bytes(4096))
        (self.folder / "folder.h5").mkdir()
        (self.folder / "nowhere.h5").symlink_to("missing")
        (self.folder / "linked.h5").symlink_to("text.h5")
        os.mkfifo(self.folder / "pipe.h5")
        for name in ("text.h5", "measured.h5", "zeros.h5", "folder.h5", "nowhere.h5", "linked.h5", "pipe.h5"):
            with self.subTest(output=name):
                self.refuse_to_replace("run", deck, "--output", name, mentions=[name, "not an ensemble file of rodeo"])
                # Nor is it said that --overwrite would do it.
                self.refuse_message_without_overwrite(deck, name)
        null = state_of(pathlib.Path("/dev/null"))[1]
        self.refuse_to_replace("run", deck, "--output", "/dev/null", mentions=["/dev/null"])
        self.assertEqual(state_of(pathlib.Path("/dev/null"))[1], null)

    def refuse_message_without_overwrite(self, deck, name):
        result = self.call("run", deck, "--output", name)
        self.assertEqual(result.returncode, BAD_INPUT)
        self.assertNotIn("--overwrite replaces it", result.stderr)

    def test_campaigns_whole_and_damaged_are_replaced(self):
        for damage in (lambda: None, self.truncate, self.break_schema, lambda: self.file.write_bytes(b"")):
            with self.subTest(damage=damage):
                self.run_small(self.file)
                damage()
                self.succeed("run", self.deck(), "--output", self.file, "--overwrite")
                self.assertEqual(len(read_ensemble.Ensemble(self.file)), SMALL_MEMBERS)
                self.file.unlink()

    def truncate(self):
        os.truncate(self.file, self.file.stat().st_size // 2)

    def break_schema(self):
        with h5py.File(self.file, "a") as file:
            del file["members/status"]

    def test_a_link_to_a_campaign_is_replaced_and_the_campaign_stays(self):
        self.run_small("other.h5")
        before = state_of(self.folder / "other.h5")
        self.file.symlink_to("other.h5")
        self.succeed("run", self.deck(), "--output", self.file, "--overwrite")
        self.assertFalse(self.file.is_symlink())
        self.assertEqual(state_of(self.folder / "other.h5"), before)

    def test_best_never_replaces_what_it_reads(self):
        self.run_small(self.file)
        (self.folder / "linked.h5").symlink_to(self.file)
        for output in (self.file, "campaign.h5", "linked.h5"):
            with self.subTest(output=output):
                self.refuse_to_replace("best", self.file, "--member", "0", "--output", output,
                                       mentions=["is the campaign that is read"])
        text = self.folder / "notes.txt"
        text.write_text("notes", encoding="utf-8")
        self.refuse_to_replace("best", self.file, "--member", "0", "--output", text,
                               mentions=["not an ensemble file of rodeo"])

    def test_kept_frames_replace_no_other_file(self):
        kept = self.folder / "campaign_kept.h5"
        deck = self.deck()
        self.run_small(self.file)
        kept.write_text("something else", encoding="utf-8")
        self.refuse_to_replace("run", deck, *BEST, "--output", self.file,
                               mentions=["campaign_kept.h5", "not an ensemble file of rodeo"])
        kept.unlink()
        kept.symlink_to(deck)
        self.refuse_to_replace("run", deck, *BEST, "--output", self.file, mentions=["campaign_kept.h5", "the deck itself"])
        kept.unlink()
        self.run_small(kept)
        self.succeed("run", deck, *BEST, "--output", self.file, "--overwrite")
        self.assertEqual(len(read_ensemble.Ensemble(kept)), 3)

    def test_a_folder_of_checkpoints_loses_nothing_else(self):
        folder = self.folder / "campaign.h5.checkpoints"
        folder.mkdir()
        for name in ("member_notes.txt", "member_0", "member_1.creating-host-1", "thesis.txt"):
            (folder / name).write_text("x", encoding="utf-8")
        self.run_small(self.file)
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["member_notes.txt", "thesis.txt"])


if __name__ == "__main__":
    unittest.main()
