"""What shells offer for command lines that are not complete."""

import re
import shutil
import subprocess
import unittest

import campaign

from cli_test_case import CliTest


class Bash(CliTest):
    def offers(self, *words, whole_words=False):
        """What the last word may become. Bash cuts words at "=" unless a user forbids it (`whole_words`)."""
        parts = list(words) if whole_words else [part for word in words for part in self.cut(word)]
        script = self.folder / "completion.bash"
        if not script.exists():
            script.write_text(self.succeed("completion").stdout, encoding="utf-8")
        command = (f"source {script}; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _rodeo 2>/dev/null; "
                   "printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = subprocess.run(["bash", "-uc", command, "bash", "rodeo", *parts], capture_output=True, text=True, check=False,
                              cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    @staticmethod
    def cut(word):
        name, equals, value = word.partition("=")
        return [part for part in (name, equals, value) if part] if equals else [word]

    def test_commands_options_and_files(self):
        self.deck()
        (self.folder / "done.h5").touch()
        self.assertEqual(self.offers("st"), ["status"])
        self.assertEqual(self.offers("help", "ch"), ["check"])
        self.assertEqual(self.offers("run", "de"), ["deck.ini"])
        self.assertEqual(self.offers("resume", "d"), ["done.h5"])
        self.assertEqual(self.offers("run", "deck.ini", "--o"), ["--output", "--overwrite", "--optimize.", "--observe.", "--output."])
        self.assertEqual(self.offers("run", "deck.ini", "-o", "do"), ["done.h5"])
        self.assertEqual(self.offers("status", "done.h5", "--w"), ["--watch"])
        self.assertEqual(self.offers("export", "done.h5", "--format", "v"), ["vtkhdf"])
        self.assertEqual(self.offers("completion", ""), ["bash", "zsh", "fish"])

    def test_keys_and_their_words(self):
        self.assertEqual(self.offers("run", "deck.ini", "--rod.helix"), ["--rod.helix_radius=", "--rod.helix_pitch="])
        self.assertEqual(self.offers("keys", "rod.helix"), ["rod.helix_radius", "rod.helix_pitch"])
        self.assertEqual(self.offers("check", "deck.ini", "--model.kind=co"), ["cosserat"])
        self.assertEqual(self.offers("check", "deck.ini", "--model.kind=co", whole_words=True), ["--model.kind=cosserat"])
        self.assertIn("der", self.offers("check", "deck.ini", "--model.kind="))
        self.assertEqual(self.offers("check", "deck.ini", "--model.kind", "co"), ["cosserat"])
        self.assertEqual(self.offers("resume", "--rod.helix"), [])

    def test_every_command_option_and_key_is_there(self):
        script = self.succeed("completion").stdout
        commands = [line.split()[1] for line in self.succeed("--help").stdout.splitlines() if line.startswith("  rodeo ")]
        for command in commands:
            if command == "--version":
                continue
            self.assertIn(command, self.offers(command))
            for word in self.succeed(command, "--help").stdout.split("\n\n")[2].split():
                if word.startswith("--") and "." not in word:
                    self.assertIn(word.partition("[")[0], self.offers(command, "x", word.partition("[")[0]))
        for line in self.succeed("keys").stdout.splitlines():
            key = line.split()[0]
            if line[0].isalpha() and key != "variable.NAME":
                self.assertIn(f" {key}", script.replace("'", " "))

    def test_a_shell_without_completion_is_refused(self):
        self.refuse("completion", "tcsh", mentions=["for bash, zsh and fish, not for 'tcsh'"])
        self.assertEqual(self.succeed("completion").stdout, self.succeed("completion", "bash").stdout)


@unittest.skipUnless(shutil.which("fish"), "no fish: scripts/install_dependencies --seeing")
class Fish(CliTest):
    def offers(self, line):
        (self.folder / "completion.fish").write_text(self.succeed("completion", "fish").stdout, encoding="utf-8")
        done = subprocess.run(["fish", "--no-config", "-c", "source completion.fish; complete -C $argv[1]", line], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [offer.split("\t")[0] for offer in done.stdout.splitlines()]

    def test_commands_options_files_and_keys(self):
        self.deck()
        (self.folder / "done.h5").touch()
        self.assertEqual(self.offers("rodeo st"), ["status"])
        self.assertEqual(self.offers("rodeo help ch"), ["check"])
        self.assertEqual(self.offers("rodeo run de")[0], "deck.ini")
        self.assertEqual(self.offers("rodeo resume do"), ["done.h5"])
        self.assertEqual(self.offers("rodeo run deck.ini --overw"), ["--overwrite"])
        self.assertEqual(self.offers("rodeo run deck.ini -o do")[0], "done.h5")
        self.assertEqual(self.offers("rodeo export done.h5 --format v"), ["vtkhdf"])
        self.assertEqual(self.offers("rodeo completion "), ["bash", "fish", "zsh"])
        self.assertEqual(sorted(self.offers("rodeo run deck.ini --rod.helix")), ["--rod.helix_pitch", "--rod.helix_radius"])
        self.assertEqual(self.offers("rodeo check deck.ini --model.kind=co"), ["--model.kind=cosserat"])
        self.assertEqual(self.offers("rodeo check deck.ini --model.kind co"), ["cosserat"])
        self.assertEqual(sorted(self.offers("rodeo keys rod.helix")), ["rod.helix_pitch", "rod.helix_radius"])
        self.assertEqual(self.offers("rodeo resume --rod.helix"), [])
        self.assertIn("runs what the deck's [study] asks", (self.folder / "completion.fish").read_text().replace("\\'", "'"))


@unittest.skipUnless(shutil.which("zsh"), "no zsh: scripts/install_dependencies --seeing")
class Zsh(CliTest):
    def setUp(self):
        super().setUp()
        self.deck()
        (self.folder / "done.h5").touch()
        (self.folder / "_rodeo").write_text(self.succeed("completion", "zsh").stdout, encoding="utf-8")

    def begin(self, script):
        shell = self.on_terminal(command=["zsh", "-f", "-i"], columns=200, rows=60, PS1="", TERM="dumb")
        shell.type(f"unsetopt zle_bracketed_paste prompt_cr prompt_sp; PROMPT='ready> '; setopt no_beep; {script}\n")
        shell.wait_for("\nready> ")
        return shell

    def becomes(self, shell, line):
        """What a line is after Tab."""
        count = shell.plain.count("became:\"")  # before it is typed, as the answer may come at once
        shell.type(line + "\t")
        shell.type("\x01print -r -- 'became:'${(qqq):-'\x05'} \n")
        shell.wait_for(r"(?s)(\nbecame:\".*){%d}" % (count + 1))
        return re.findall(r'\nbecame:"(.*)"', shell.plain)[-1].strip()

    def test_lines_are_completed(self):
        load = "autoload -U compinit; compinit -u -D"
        for script in (f"{load}; source ./_rodeo", f"fpath=($PWD $fpath); {load}"):
            shell = self.begin(script)
            for line, whole in {
                "rodeo stat": "rodeo status",
                "rodeo run de": "rodeo run deck.ini",
                "rodeo resume do": "rodeo resume done.h5",
                "rodeo run deck.ini --overw": "rodeo run deck.ini --overwrite",
                "rodeo run deck.ini -o do": "rodeo run deck.ini -o done.h5",
                "rodeo export done.h5 --format v": "rodeo export done.h5 --format vtkhdf",
                "rodeo run deck.ini --rod.helix_p": "rodeo run deck.ini --rod.helix_pitch=",
                "rodeo run deck.ini --gravi": "rodeo run deck.ini --gravity.",
                "rodeo check deck.ini --model.kind=co": "rodeo check deck.ini --model.kind=cosserat",
                "rodeo check deck.ini --model.kind co": "rodeo check deck.ini --model.kind cosserat",
                "rodeo keys rod.helix_p": "rodeo keys rod.helix_pitch",
                "rodeo completion z": "rodeo completion zsh",
                "rodeo resume --rod.helix_p": "rodeo resume --rod.helix_p",
            }.items():
                with self.subTest(script=script, line=line):
                    self.assertEqual(self.becomes(shell, line), whole)


if __name__ == "__main__":
    unittest.main()
