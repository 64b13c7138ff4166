"""What the tests of the program as users and scripts call it share: calls of rodeo, and what their ends mean."""

import pathlib
import subprocess
import tempfile
import unittest

import campaign
from campaign import SMALL_DECK, rodeo


DONE, BAD_INPUT, FAILED, STOPPED = 0, 1, 2, 75


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rodeo-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "campaign.h5"

    def deck(self, text=SMALL_DECK):
        path = self.folder / "deck.ini"
        path.write_text(text, encoding="utf-8")
        return path

    def call(self, *arguments, ranks=None):
        return rodeo(*arguments, ranks=ranks, directory=self.folder)

    def succeed(self, *arguments, ranks=None):
        result = self.call(*arguments, ranks=ranks)
        self.assertEqual(result.returncode, DONE, result.stderr)
        return result

    def refuse(self, *arguments, mentions=()):
        """Bad input: exit code 1, a message that says what and where, and no file touched."""
        before = self.contents()
        result = self.call(*arguments)
        self.assertEqual(result.returncode, BAD_INPUT, f"stdout: {result.stdout}\nstderr: {result.stderr}")
        self.assertNotIn("terminate called", result.stderr)
        for text in mentions:
            self.assertIn(text, result.stderr)
        self.assertTrue(result.stderr.strip())
        self.assertEqual(self.contents(), before)

    def contents(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def start(self, *arguments, ranks=None):
        process = subprocess.Popen(
            campaign.command(*arguments, ranks=ranks), cwd=self.folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process
