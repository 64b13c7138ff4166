"""Campaigns that Python starts, stops and resumes."""

import os
import pickle
import signal
import subprocess
import sys
import unittest

from package_test_case import PACKAGES, PackageTest, campaign, cord, cords, softrods


class Run(PackageTest):
    def test_ranks_and_one_process_give_the_same(self):
        one = self.run_alone(cords(), {"rod.length": 0.3})
        two = softrods.run(cords(), {"rod.length": 0.3}, output=self.folder / "two.h5", ranks=2, progress=False)
        self.assertEqual(softrods.Deck(one.deck).rod.length, 0.3)
        self.assertEqual(campaign.differences(one, two), [])

    def test_errors_have_the_sentence_of_the_program(self):
        with self.assertRaisesRegex(softrods.DeckError, "^command line: time.end = '0' is not allowed"):
            self.run_alone(cord(), {"time.end": 0})
        self.run_alone(cord())
        with self.assertRaisesRegex(softrods.RunError, "campaign.h5 exists already: softrods.resume goes on with it"):
            self.run_alone(cord())
        with self.assertRaisesRegex(softrods.RunError, "diverged") as raised:
            self.run_alone(cord(), {"time.step": 1e-2, "time.end": 10}, overwrite=True)
        self.assertEqual(raised.exception.code, 2)
        with self.assertRaisesRegex(softrods.RodeoError, "'mpiexec' is not one of"):
            softrods.run(cord(), launcher="mpiexec", output="none.h5")
        with self.assertRaisesRegex(softrods.RodeoError, "ranks is a whole number from 1 up, not 0"):
            softrods.run(cord(), ranks=0, output="none.h5")
        with self.assertRaisesRegex(softrods.RodeoError, "ranks is a whole number from 1 up, not None"):
            softrods.run(cord(), ranks=None, output="none.h5")

    def test_errors_go_from_one_process_to_another(self):
        error = pickle.loads(pickle.dumps(softrods.RunError("campaign.h5 is gone.", 2)))
        self.assertEqual((str(error), error.code), ("campaign.h5 is gone.", 2))

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_decks_of_others_can_be_checked(self):
        folder = self.folder / "theirs"
        folder.mkdir()
        cord().write(folder / "cord.ini")
        folder.chmod(0o555)
        self.addCleanup(folder.chmod, 0o755)
        deck = softrods.Deck.read(folder / "cord.ini")
        deck.rod.length = 0.3
        self.assertIn("length = 0.3", deck.check(whole_deck=True))

    def test_a_check_leaves_the_folder_of_the_deck_alone_and_finds_what_stands_there(self):
        (self.folder / "shape.csv").write_text("x,y,z\n0,0,0\n0.1,0,0\n0.2,0,0\n")
        (self.folder / "pull.csv").write_text("t,force\n0,0\n1,2\n")
        deck = cord(rod={"shape": "file", "shape_file": "shape.csv", "elements": None, "length": None, "direction": None},
                    actuation={"force": "x, node -1 : table( pull.csv, t, force)"})
        deck.path = self.folder / "cord.ini"
        before = self.folder.stat().st_mtime_ns
        self.assertIn("shape_nodes", deck.check(whole_deck=True))
        self.assertEqual(self.folder.stat().st_mtime_ns, before)

        os.environ["RODEO"] = "/nowhere/rodeo"
        self.addCleanup(os.environ.__setitem__, "RODEO", campaign.RODEO)
        with self.assertRaisesRegex(softrods.RodeoError, "RODEO names /nowhere/rodeo"):
            self.run_alone(cord())

    def test_a_terminal_sees_the_progress(self):
        cords().write(self.folder / "deck.ini")
        code = (f"import sys; sys.path.insert(0, {PACKAGES!r})\nimport softrods\n"
                "softrods.run('deck.ini', output='campaign.h5', launcher=None)")
        terminal, end = os.openpty()
        self.addCleanup(os.close, terminal)
        subprocess.run([sys.executable, "-c", code], cwd=self.folder, stderr=end, check=True)
        os.close(end)
        self.assertIn(b"4 of 4 members", os.read(terminal, 4096))

    def test_an_interrupt_stops_in_good_order(self):
        deck = cords(24, time={"end": 2.0, "step": 2e-5})
        deck.write(self.folder / "deck.ini")
        whole = self.run_alone(deck, output=self.folder / "whole.h5")
        code = (f"import sys; sys.path.insert(0, {PACKAGES!r})\nimport softrods\n"
                f"softrods.run('deck.ini', output='campaign.h5', ranks=2)")
        process = subprocess.Popen([sys.executable, "-c", code], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        campaign.wait_for_members(self.file, 1, process)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
        self.assertIn("KeyboardInterrupt", said)
        self.assertIn("softrods.resume('campaign.h5') goes on", said)
        self.assertFalse(softrods.open(self.file).committed.all(), "it was over before the interrupt")
        resumed = softrods.resume(self.file, launcher=None, progress=False)
        self.assertEqual(campaign.differences(whole, resumed), [])


class Version(unittest.TestCase):
    def test_it_is_the_one_of_the_program(self):
        said = campaign.rodeo("--version").stdout
        self.assertEqual(said.splitlines()[0], f"rodeo {softrods.__version__}")
        self.assertIn(f'version = "{softrods.__version__}"', (campaign.ROOT / "src/python/pyproject.toml").read_text(encoding="utf-8"))


class Pictures(PackageTest):
    def test_plot_and_show(self):
        file = self.run_alone(cord(output={"frames": 4}))
        figure = softrods.plot(file)
        figure.savefig(self.folder / "figure.png")
        self.assertEqual(len(figure.axes), 3)
        rods = softrods.show(self.file)
        rods.save(self.folder / "rods.png", size=(160, 90))
        rods.save(self.folder / "rods.html")
        for name in ("figure.png", "rods.png"):
            self.assertTrue((self.folder / name).read_bytes().startswith(b"\x89PNG"), name)
        self.assertIn('"moments":["t = 0.0000 s","t = 0.0100 s","t = 0.0200 s","t = 0.0300 s"]', rods.page())
        self.assertIn("<iframe", rods._repr_html_())
        with self.assertRaisesRegex(softrods.RodeoError, "no observable 'speed'"):
            softrods.plot(self.file, "speed")
        with self.assertRaisesRegex(softrods.EnsembleError, "no trajectories"):
            softrods.show(self.run_alone(cord(), overwrite=True))


if __name__ == "__main__":
    unittest.main()
