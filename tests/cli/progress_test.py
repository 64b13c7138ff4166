"""What is known of members while they run, and of their cost before."""

import re
import signal
import subprocess
import time
import unittest

import campaign
from campaign import read_ensemble
from cli_test_case import DONE, STOPPED, CliTest


class Progress(CliTest):
    """Members that run for minutes show in the progress line and in the status, long before they end."""

    def watch(self, process):
        """The first status that knows of steps."""
        while process.poll() is None:
            if self.file.exists():
                status = self.succeed("status", self.file).stdout
                if "so far" in status:
                    return status
            time.sleep(0.2)
        self.fail("no status knew what members that run had come to")

    def begin(self, members, ranks=None, **options):
        deck = self.deck(campaign.long_deck(members, 3600))
        return self.start("run", deck, "--output", self.file, "--output.checkpoint_interval=0", ranks=ranks, **options)

    def end(self, process):
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(), STOPPED)
        self.assertNotIn("so far", self.succeed("status", self.file).stdout)
        self.assertFalse(read_ensemble.Ensemble(self.file).committed.any(), "members were to be long")

    def test_status_counts_steps_of_a_single_member(self):
        process = self.begin(1)
        status = self.watch(process)
        self.end(process)
        self.assertIn("0 of 1 member finished", status)
        running = re.search(r"^1 running, which took (\S+) steps so far; (\S+) steps/s in all, ([0-9.]+) % of the work",
                            status, re.MULTILINE)
        self.assertIsNotNone(running, status)
        self.assertGreater(float(running[1]), 1000)
        self.assertGreater(float(running[2]), 100)
        self.assertGreater(float(running[3]), 0)
        self.assertLess(float(running[3]), 100)
        self.assertRegex(status, r"about \S+ \w+ left, until ")

    def test_status_counts_members_of_all_ranks(self):
        process = self.begin(3, ranks=3)
        while "3 running, which took" not in self.watch(process):
            time.sleep(0.2)
        self.end(process)

    def test_the_progress_line_counts_them_too(self):
        process = self.begin(1, stdout=subprocess.PIPE, text=True)
        # The first line of progress comes after ten seconds; before, where it is long, what is predicted.
        line = next(line for line in process.stdout if not line.startswith("predicted:"))
        self.end(process)
        process.stdout.close()
        running = re.fullmatch(r"0/1 members, 1 running  ([0-9.]+) %  left \S+  0 members/s  (\S+) steps/s\n", line)
        self.assertIsNotNone(running, line)
        self.assertGreater(float(running[2]), 100)

    def test_members_that_go_on_count_their_earlier_steps_as_done(self):
        process = self.start("run", self.deck(campaign.waiting_deck((60,))), "--output", self.file)
        stopped_at = 0
        while stopped_at < 8:
            stopped_at = self.share_done(self.watch(process))
            time.sleep(0.2)
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(process.wait(), STOPPED)
        process = self.start("resume", self.file)
        self.assertGreaterEqual(self.share_done(self.watch(process)), stopped_at)

    def share_done(self, status):
        return float(re.search(r"([0-9.]+) % of the work done", status)[1])


class OnATerminal(CliTest):
    def drawn(self, columns, deck=None):
        """The lines that were drawn over each other on a terminal of so many columns."""
        terminal = self.on_terminal("run", self.deck(deck or campaign.search_deck(3, 0.02)), "--output", self.file, "--overwrite",
                                    columns=columns)
        self.assertEqual(terminal.end(), DONE)
        return re.findall(r"\r([^\r\n]+)\033\[K", terminal.plain)

    def test_the_progress_line_fits_the_terminal(self):
        """In the last column it would go on to a line of its own. On a wide terminal it is longer than the others are wide."""
        for columns, least in ((40, 20), (80, 40), (200, 80)):
            with self.subTest(columns=columns):
                lines = self.drawn(columns)
                self.assertGreater(len(lines), 2)
                self.assertLess(max(map(len, lines)), columns, lines)
                self.assertGreater(max(map(len, lines)), least, lines)

    def test_a_bar_grows_and_units_are_those_of_people(self):
        lines = self.drawn(100, campaign.waiting_deck((0.05,), repeats=40))
        bars = [re.match(r"\[(=*)>? *\] +([0-9.]+) %  ", line) for line in lines]
        self.assertTrue(all(bars), lines)
        self.assertEqual({match.end(0) - len(match[2]) for match in bars}, {bars[0].end(0) - len(bars[0][2])})
        filled = [len(match[1]) for match in bars]
        self.assertEqual(filled, sorted(filled))
        self.assertGreater(filled[-1], filled[0])
        for match, count in zip(bars, filled):
            self.assertEqual(count, int(float(match[2]) / 100 * 18 + 1e-9), match[0])
        self.assertRegex(lines[-1], r"  [0-9.]+ m?s left  [0-9]+/40 members  [0-9.]+ members/s")


class Prediction(CliTest):
    def predicted(self, *arguments):
        report = self.succeed("check", *arguments).stdout
        line = re.search(r"^predicted +(\S+ \w+) on one core.*$", report, re.MULTILINE)
        return campaign.seconds(line[1]), line[0]

    def test_check_measures_on_this_machine(self):
        seconds, line = self.predicted(self.deck())
        self.assertGreater(seconds, 0)
        self.assertLess(seconds, 100)
        self.assertRegex(line, r"measured here by the first \d+ steps of \d members")
        _, line = self.predicted(self.deck(campaign.waiting_deck((5,))))
        self.assertIn("not measured", line)


if __name__ == "__main__":
    unittest.main()
