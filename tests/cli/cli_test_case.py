"""What the tests of the program as users and scripts call it share: calls of rodeo, and what their ends mean."""

import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import tempfile
import termios
import threading
import time
import unittest

import campaign
from campaign import SMALL_DECK, rodeo


DONE, BAD_INPUT, FAILED, STOPPED = 0, 1, 2, 75


class Terminal:
    """A process on a terminal of so many columns and rows, and what it has written there so far."""

    def __init__(self, command, columns, rows, **options):
        self.keyboard, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))
        self.process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, start_new_session=True, **options)
        os.close(its)
        self._written = b""
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        try:
            while more := os.read(self.keyboard, 4096):
                self._written += more
        except OSError:  # nobody writes any more
            pass

    @property
    def text(self):
        return self._written.decode().replace("\r\n", "\n")

    @property
    def plain(self):
        """The text without colours."""
        return re.sub(r"\033\[[0-9;]*m", "", self.text)

    def type(self, keys):
        os.write(self.keyboard, keys.encode())

    def wait_for(self, pattern):
        """Waits until what is written has the pattern; AssertionError with all of it if the process ends before."""
        while not re.search(pattern, self.plain):
            if not self._reader.is_alive() and not re.search(pattern, self.plain):
                raise AssertionError(f"{pattern} is not in {self.plain!r}")
            time.sleep(0.02)

    def end(self):
        """The exit code of the process, once it has ended."""
        code = self.process.wait()
        self._reader.join()
        return code

    def close(self):
        self.process.kill()
        self.process.wait()
        self._reader.join()
        os.close(self.keyboard)


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

    def on_terminal(self, *arguments, columns=80, rows=24, command=None, **environment):
        """The program, or another command, on a terminal."""
        known = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
        terminal = Terminal(command or campaign.command(*arguments), columns, rows, cwd=self.folder,
                            env=known | {"TERM": "xterm-256color"} | environment)
        self.addCleanup(terminal.close)
        return terminal

    def start(self, *arguments, ranks=None, **options):
        options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | options
        process = subprocess.Popen(campaign.command(*arguments, ranks=ranks), cwd=self.folder, **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def kill_after(self, members, path, *arguments, ranks=None):
        """Kills a call once the campaign that it writes has so many members."""
        process = self.start(*arguments, ranks=ranks)
        campaign.wait_until(path.exists, process)
        campaign.wait_for_members(path, members, process)
        process.kill()
        process.wait()
