"""What the program shows on a terminal, and what it prints where there is none."""

import os
import re
import signal
import subprocess
import unittest

import campaign
from cli_test_case import BAD_INPUT, DONE, CliTest

COLOURS = re.compile(r"\033\[[0-9;]*m")


class Colours(CliTest):
    def test_there_are_colours_on_a_terminal_alone(self):
        deck = self.deck()
        self.succeed("run", deck, "--output", self.file)
        for arguments in (("check", deck, "--time.step=1"), ("status", self.file), ("keys", "rod.length"), ("run", "--help"),
                          ("run", "nowhere.ini")):
            with self.subTest(arguments=arguments):
                piped = self.call(*arguments)
                self.assertNotIn("\033", piped.stdout + piped.stderr)
                coloured = self.on_terminal(*arguments)
                self.assertEqual(coloured.end(), piped.returncode)
                self.assertRegex(coloured.text, COLOURS)
                for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
                    plain = self.on_terminal(*arguments, **environment)
                    self.assertEqual(plain.end(), piped.returncode)
                    self.assertNotRegex(plain.text, COLOURS)
        self.assertRegex(self.on_terminal_to_its_end("check", deck, "--time.step=1").text, r"\033\[1;33mwarning: \033\[0m")
        self.assertRegex(self.on_terminal_to_its_end("check", deck, NO_COLOR="").text, COLOURS)  # as no-color.org has it

    def test_texts_fit_the_terminal(self):
        deck = self.deck()
        self.succeed("run", deck, "--study.objective=end_z", "--output", self.file)
        for arguments in (("--help",), ("run", "--help"), ("keys",), ("observables",), ("check", deck), ("status", self.file)):
            for columns in (60, 80, 120):
                with self.subTest(arguments=arguments, columns=columns):
                    lines = self.on_terminal_to_its_end(*arguments, columns=columns).plain.splitlines()
                    self.assertLessEqual(max(len(line) for line in lines if not self.is_table(line)), columns, max(lines, key=len))

    @staticmethod
    def is_table(line):
        """Of observables with their numbers: as wide as numbers are."""
        return re.fullmatch(r"\w+ +\S+( +\S+){3}", line) is not None

    def on_terminal_to_its_end(self, *arguments, **options):
        terminal = self.on_terminal(*arguments, **options)
        self.assertEqual(terminal.end(), DONE, terminal.text)
        return terminal


class Watch(CliTest):
    """rodeo status --watch beside a campaign that runs, ends, is killed or loses its file."""

    def begin(self, seconds, repeats=1):
        process = self.start("run", self.deck(campaign.waiting_deck((seconds,), repeats)), "--output", self.file)
        campaign.wait_for_members(self.file, 0, process)
        campaign.wait_until(self.file.exists, process)
        return process

    def test_it_shows_the_state_in_place_until_the_end(self):
        process = self.begin(0.5, 8)
        with campaign.held(process):
            watch = self.on_terminal("status", self.file.name, "--watch=1")
            watch.wait_for(r"\033\[[0-9]+F(?s:.*)\033\[[0-9]+F")
        self.assertEqual(watch.end(), DONE)
        self.assertEqual(process.wait(), DONE)
        # Each text goes up over the lines of the one before.
        texts = re.split(r"\033\[([0-9]+)F", watch.plain)
        self.assertGreater(len(texts), 4, texts)
        for drawn, up in zip(texts[0::2], texts[1::2]):
            self.assertEqual(drawn.count("\n"), int(up))
            self.assertRegex(drawn, r"[0-9] of 8 members finished .* running \(")
            if "8 of 8" not in drawn:  # when all are, the campaign still has its file to close
                self.assertRegex(drawn, r"\n\[=*>? *\]\033\[K\n")
        self.assertIn("8 of 8 members finished (100.0 %), complete", texts[-1])
        self.assertNotIn("Ctrl-C", texts[-1])

    def test_where_there_is_no_terminal_texts_follow_each_other(self):
        process = self.begin(0.5, 5)
        with campaign.held(process):
            watch = subprocess.Popen(campaign.command("status", self.file.name, "--watch=1"), cwd=self.folder, text=True,
                                     stdout=subprocess.PIPE)
            said = watch.stdout.readline()
        said += watch.communicate()[0]
        self.assertNotIn("\033", said)
        self.assertGreater(said.count("of 5 members finished"), 1)
        self.assertIn("complete", said.split("\n\n")[-1])

    def test_it_ends_when_the_campaign_is_killed_and_another_sees_it_go_on(self):
        process = self.begin(1, 5)
        campaign.wait_for_members(self.file, 1, process)
        with campaign.held(process):
            watch = self.on_terminal("status", self.file.name, "--watch=1")
            watch.wait_for("running")
            process.kill()
        self.assertEqual(watch.end(), DONE)
        self.assertRegex(watch.plain, r"not running; rodeo resume")
        self.start("resume", self.file)
        again = self.on_terminal("status", self.file.name, "--watch=1")
        again.wait_for("5 of 5 members finished|running")
        self.assertEqual(again.end(), DONE)

    def test_ctrl_c_ends_the_watch_alone(self):
        process = self.begin(3600)
        watch = self.on_terminal("status", self.file.name, "--watch=1")
        watch.wait_for("running")
        os.killpg(watch.process.pid, signal.SIGINT)
        self.assertEqual(watch.end(), -signal.SIGINT)
        self.assertIsNone(process.poll())

    def test_a_file_that_vanishes_or_is_replaced_is_a_sentence(self):
        self.begin(3600)
        watch = self.on_terminal("status", self.file.name, "--watch=1")
        watch.wait_for("running")
        self.succeed("run", self.deck(campaign.waiting_deck((0,), 3)), "--output", "other.h5")
        os.replace(self.folder / "other.h5", self.file)
        self.assertEqual(watch.end(), DONE)
        self.assertIn("was replaced by another file while it was watched", watch.plain)
        self.assertIn("3 of 3 members finished", watch.plain)
        self.file.unlink()
        self.begin(3600)
        watch = self.on_terminal("status", self.file.name, "--watch=1")
        watch.wait_for("running")
        self.file.unlink()
        self.assertEqual(watch.end(), BAD_INPUT)
        self.assertIn("was removed or moved away while it was watched", watch.plain)


if __name__ == "__main__":
    unittest.main()
