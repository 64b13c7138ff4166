"""What bash offers for command lines that are not complete."""

import subprocess
import unittest

from cli_test_case import CliTest


class Completion(CliTest):
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

    def test_keys_and_their_words(self):
        self.assertEqual(self.offers("run", "deck.ini", "--rod.helix"), ["--rod.helix_radius=", "--rod.helix_pitch="])
        self.assertEqual(self.offers("keys", "rod.helix"), ["rod.helix_radius", "rod.helix_pitch"])
        self.assertEqual(self.offers("check", "deck.ini", "--model.kind=co"), ["cosserat"])
        self.assertEqual(self.offers("check", "deck.ini", "--model.kind=co", whole_words=True), ["--model.kind=cosserat"])
        self.assertIn("der", self.offers("check", "deck.ini", "--model.kind="))
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


if __name__ == "__main__":
    unittest.main()
