"""rodeo keys, observables, features and check."""

import json
import re
import unittest

import campaign
from campaign import SMALL_DECK, SMALL_MEMBERS, read_ensemble
from cli_test_case import CliTest


# The reference lists every key, those that exclude each other too, and is no study.
SHIPPED_DECKS = [deck for deck in sorted((campaign.ROOT / "inputs").rglob("*.ini")) if deck.name != "reference.ini"]


def keys_of(deck):
    """The keys that a deck sets; a variable of any name is variable.NAME."""
    section, keys = "", set()
    for line in deck.read_text(encoding="utf-8").splitlines():
        content = line.partition("#")[0].strip()
        if content.startswith("["):
            section = content.strip("[]")
        elif content:
            name = "NAME" if section == "variable" else content.partition("=")[0].strip()
            keys.add(f"{section}.{name}")
    return keys


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
        listed = {}
        for line in self.succeed("observables").stdout.splitlines():
            if not line.startswith(" "):
                name = line.split()[0]
            listed[name] = f"{listed.get(name, '')} {line}"
        stored = set(read_ensemble.Ensemble(self.file).observables)
        self.assertLessEqual(stored, set(listed))
        for name in set(listed) - stored:
            self.assertRegex(listed[name], r"needs|model (function|der)\b", "the file has no column of it")

    def features(self):
        """Of each feature the models that lack it."""
        lacking = {}
        for block in self.succeed("features").stdout.split("\n\n")[1:]:
            feature, *lines = block.splitlines()
            text = " ".join(line.strip() for line in lines)
            lacking[feature] = {model for models in re.findall(r"\bnot ([^:]*):", text) for model in models.split(", ")}
        return lacking

    def test_features_compare_the_models(self):
        lacking = self.features()
        self.assertTrue({"der", "sdirk2", "static der"} <= lacking["shear"])
        self.assertFalse({"cosserat", "static"} & lacking["shear"])
        self.assertIn("cosserat", lacking["Stokeslets"])
        self.assertNotIn("der", lacking["Stokeslets"])

    def test_features_say_what_energy_momentum_lacks(self):
        """As the program takes and refuses it."""
        deck = self.deck("[rod]\nelements = 6\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 3e6\n"
                         "poisson_ratio = 0.5\n[boundary]\nfirst = clamped\n[gravity]\nacceleration = 0, 0, -9.81\n"
                         "[time]\nmethod = implicit\nstep = 1e-3\nend = 1e-2\n")
        lacking = {feature for feature, models in self.features().items() if "energy_momentum" in models}
        asked = {
            "ground": ("--ground.kind=plane", "--ground.origin=0, 0, -1", "--ground.normal=0, 0, 1", "--ground.stiffness=100",
                       "--ground.response=springs"),
            "places that are held or moved in time": ("--motion.position=end : 0, 0, 0",),
            "ends that move": ("--boundary.last=clamped", "--boundary.twist=0.1", "--boundary.motion_time=0.01"),
            "muscles": ("--muscle.amplitudes=1e-6, 1e-6", "--muscle.period=0.1", "--muscle.wave_number=0.2"),
            "end loads": ("--load.end_force=0, 0, 1e-3",),
            "slender-body drag": ("--fluid.viscosity=1",),
        }
        refused = {}
        for feature, keys in asked.items():
            for scheme in ("generalized_alpha", "energy_momentum"):
                done = self.call("check", deck, f"--time.scheme={scheme}", *keys)
                refused[feature, scheme] = done.returncode != 0
                if scheme == "generalized_alpha":
                    self.assertEqual(done.returncode, 0, f"{feature}: {done.stderr}")
        self.assertEqual({feature for feature in asked if refused[feature, "energy_momentum"]}, lacking & set(asked))

    def test_help_names_every_command(self):
        usage = self.succeed("--help").stdout
        for command in ("run", "resume", "best", "check", "status", "keys", "observables", "features", "export"):
            self.assertIn(f"\n  rodeo {command}", usage)

    def test_every_command_has_help_of_its_own(self):
        for command in re.findall(r"(?m)^  rodeo (\w+)", self.succeed("--help").stdout):
            with self.subTest(command=command):
                said = self.succeed(command, "--help").stdout
                self.assertTrue(said.startswith(f"rodeo {command}"), said)
                self.assertIn("exit codes", said)
                self.assertLessEqual(max(map(len, said.splitlines()[:-2])), 100)
                self.assertEqual(self.succeed(command, "-h").stdout, said)
                self.assertEqual(self.succeed("help", command).stdout, said)
                # Whatever else stands there.
                self.assertEqual(self.succeed(command, "nowhere.ini", "--help").stdout, said)
        self.assertIn("-o, --output FILE.h5", self.succeed("run", "--help").stdout)
        self.refuse("exprt", mentions=["'exprt' is no command; did you mean export?"])
        self.refuse("run", self.deck(), "--ouput", "a.h5", mentions=["'--ouput' is not an option", "did you mean --output?", "rodeo run --help"])

    def test_a_files_name_is_no_command(self):
        self.refuse("deck.ini", mentions=["did you mean rodeo run deck.ini?"])
        self.refuse("results.h5", mentions=["did you mean rodeo status results.h5?"])

    def test_commands_of_the_package_are_told_of(self):
        for command in ("plot", "render", "report"):
            self.assertTrue((campaign.ROOT / "scripts" / command).exists())
            self.refuse(command, "results.h5", mentions=["the Python package", f"scripts/{command}"])

    def test_a_key_takes_its_value_as_a_word_of_its_own(self):
        deck = self.deck()
        apart = json.loads(self.succeed("check", deck, "--model.kind", "der", "--gravity.acceleration", "-9.81, 0, 0",
                                        "-rod.elements", "12", "--json").stdout)["deck"]
        together = json.loads(self.succeed("check", deck, "--model.kind=der", "--gravity.acceleration=-9.81, 0, 0",
                                           "--rod.elements=12", "--json").stdout)["deck"]
        self.assertEqual(apart, together)
        self.assertIn("kind = der", apart)
        self.assertIn("elements = 12", apart)
        self.succeed("run", "--study.repeats", "1", deck, "-o", self.file)
        self.assertEqual(len(read_ensemble.Ensemble(self.file)), SMALL_MEMBERS // 2)
        self.refuse("check", deck, "--model.kind", mentions=["'--model.kind' needs a value: --model.kind=VALUE"])
        self.refuse("check", deck, "--model.kind", "--json", mentions=["'--model.kind' needs a value"])
        self.refuse("check", "--model.kind", deck,
                    mentions=["takes one file: a deck; got 0", "is taken as the value of --model.kind"])
        self.refuse("check", deck, "--modl.kind", "der", mentions=["did you mean model.kind?"])
        self.refuse("status", self.file, "--model.kind", "der", mentions=["'--model.kind' is not an option of this command"])

    def test_o_is_short_for_output(self):
        deck = self.deck()
        self.succeed("run", deck, "-o", self.file, "--study.repeats=1")
        self.assertEqual(len(read_ensemble.Ensemble(self.file)), SMALL_MEMBERS // 2)
        self.succeed("best", self.file, "--member=1", "-obest.h5", "-output.frames=3")
        self.assertEqual(read_ensemble.Ensemble(self.folder / "best.h5").frames, 3)

    def test_json_is_read_by_programs(self):
        deck = self.deck(SMALL_DECK.replace("[study]", "[study]\nobjective = end_z"))

        def call(*arguments):
            said = self.succeed(*arguments, "--json").stdout
            self.assertEqual(said.count("\n"), 1)
            return json.loads(said)

        keys = {key["name"]: key for key in call("keys")}
        self.assertEqual(keys["rod.length"]["unit"], "m")
        self.assertEqual((keys["rod.length"]["minimum"], keys["rod.length"]["minimum_excluded"]), (0, True))
        self.assertIn("der", keys["model.kind"]["choices"])
        self.assertIsNone(keys["rod.length"]["default"])
        self.assertEqual([key["name"] for key in call("keys", "helix_pitch")], ["rod.helix_pitch"])
        self.refuse("keys", "zzz", "--json", mentions=["zzz"])

        speed, = call("observables", "forward_speed")
        self.assertEqual((speed["unit"], speed["models"], speed["in_frames"]), ("m/s", ["cosserat", "der", "rigid"], False))
        self.assertIn("muscle.period", speed["needs"])
        self.assertEqual([entry["name"] for entry in call("observables")],
                         [line.split()[0] for line in self.succeed("observables").stdout.splitlines() if line[0] != " "])
        self.refuse("observables", "end_forse", "--json", mentions=["did you mean end_force"])
        kinds = {entry["name"]: entry["kind"] for entry in call("signals")}
        self.assertEqual((kinds["t"], kinds["last"], kinds["sqrt"]), ("signal", "over time", "function"))
        lacking = {feature["name"]: feature["lacking"] for feature in call("features")}
        self.assertTrue(any("der" in gap["models"].split(", ") and gap["reason"] for gap in lacking["shear"]))

        check = call("check", deck)
        self.assertEqual((check["members"], check["candidates"], check["repeats"]), (SMALL_MEMBERS, 6, 2))
        self.assertGreater(check["core_seconds"], 0)
        self.assertAlmostEqual(check["stable_step"]["all"], check["stable_step"]["internal"])
        self.assertIn("[rod]\n", check["deck"])
        self.assertEqual(check["warnings"], [])

        self.succeed("run", deck, "--output", self.file)
        status, file = call("status", self.file), read_ensemble.Ensemble(self.file)
        self.assertEqual((status["members"], status["finished"], status["complete"], status["running"]), (SMALL_MEMBERS, SMALL_MEMBERS, True, False))
        self.assertEqual(sum(status["statuses"].values()), SMALL_MEMBERS)
        self.assertEqual((status["share_done"], status["running_members"]), (1, None))
        best = status["best"]
        self.assertEqual(best["value"], file.observables["end_z"].max())
        self.assertEqual(best["parameters"]["load.axial_force"], file.parameters["load.axial_force"][best["member"]])
        self.assertEqual(set(status["observables"]), set(file.observables))
        self.assertEqual(status["observables"]["end_z"]["max"], best["value"])
        self.assertEqual(set(call("status", self.file, "--observables=end_z")["observables"]), {"end_z"})

    def test_status_shows_what_is_asked_for_first(self):
        self.succeed("run", self.deck(SMALL_DECK.replace("[study]", "[study]\nobjective = end_z")), "--output", self.file)
        lines = self.succeed("status", self.file).stdout.splitlines()
        self.assertTrue(lines[1].startswith("best end_z: "), lines)
        shown = [line.split()[0] for line in lines[lines.index(next(line for line in lines if line.startswith("observable "))) + 1 :]]
        self.assertEqual(shown[:4], ["end_z", "buckled", "buckling_time", "pending"])
        self.assertEqual(lines[-1].split()[1:4], ["observables", "in", "all:"])
        self.assertIn("twist_energy", self.succeed("status", self.file, "--observables").stdout)
        self.assertIn("no observable has 'zzz' in its name (rodeo", self.succeed("status", self.file, "--observables=zzz").stdout)
        self.assertIn("did you mean end_force?", self.succeed("status", self.file, "--observables=end_forse").stdout)

    def test_unknown_names_get_the_nearest_ones(self):
        for override, guess in {
            "--rod.pitch=1": "did you mean rod.helix_pitch?",
            "--rod.diameter=1": "did you mean rod.radius?",
            "--study.objective=end_zz": "did you mean end_z?",
            "--study.objective=gain": "did you mean energy_gain or energy_gain_relative?",
        }.items():
            with self.subTest(override=override):
                result = self.call("run", self.deck(), override)
                self.assertEqual(result.returncode, 1)
                self.assertIn(guess, result.stderr)
                self.assertNotIn("curvature_max", result.stderr)

    def test_a_method_cannot_be_an_axis_and_the_way_around_is_said(self):
        for key, words in (("model.kind", "cosserat, der"), ("model.device", "host, gpu"), ("time.method", "dynamic, static")):
            self.refuse("check", self.deck(), f"--sweep.axis={key} : list({words})",
                        mentions=[f"{key} holds for the study as a whole", f"once for each value: --{key}=VALUE --output VALUE.h5"])

    def test_check_reports_and_creates_nothing(self):
        deck = self.deck()
        before = self.contents()
        report = self.succeed("check", deck).stdout
        self.assertEqual(self.contents(), before)
        self.assertRegex(report, rf"\b{SMALL_MEMBERS}\b")
        first, *_, last = report.splitlines()
        self.assertEqual(first.split(), ["study", "sweep"])
        self.assertIn("file size", last)
        names = [line[:17].split(":")[0].strip() for line in report.splitlines()]
        self.assertLess(names.index("predicted"), names.index("steps"))
        doubtful = self.succeed("check", deck, "--time.step=1").stdout.splitlines()
        warning = next(k for k, line in enumerate(doubtful) if line.startswith("warning: "))
        self.assertTrue(doubtful[warning - 1].startswith("predicted "), doubtful)
        self.assertNotIn("young_modulus", report)
        whole = self.succeed("check", "--deck", deck).stdout
        self.assertIn("\n[rod]\n", whole)
        self.assertTrue(whole.startswith("# study            sweep\n"))

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
        self.assertTrue(SHIPPED_DECKS)
        for deck in SHIPPED_DECKS:
            with self.subTest(deck=deck.name):
                self.succeed("check", deck)

    def test_every_key_stands_in_a_shipped_deck(self):
        # Files of one's own campaigns, which no deck that is shipped could name.
        shown = {"optimize.from", "study.reuse"}.union(*map(keys_of, SHIPPED_DECKS))
        keys = {key["name"] for key in json.loads(self.succeed("keys", "--json").stdout)}
        self.assertEqual(sorted(keys - shown), [])


if __name__ == "__main__":
    unittest.main()
