"""scripts/report and scripts/render."""

import html.parser
import re
import shutil
import signal
import subprocess
import unittest

import matplotlib.pyplot as plt
import numpy as np

import campaign
from campaign import read_ensemble
from cli_test_case import STOPPED, CliTest


BROWSER = "chromium-headless-shell"


class Seeing(CliTest):
    """Pages and pictures of a campaign."""

    def script(self, name, *arguments):
        return subprocess.run(
            [campaign.ROOT / "scripts" / name, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, check=False
        )

    def test_report_is_one_page_with_all_that_matters(self):
        # A step beyond the stability bound: all members of the stiffest rod diverge.
        self.succeed("run", self.deck(), "--sweep.axis=rod.shear_stiffness : list(1e5, 1e9)", "--study.objective=end_z",
                     "--output", self.file)
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual(ensemble.count(read_ensemble.DIVERGED), 2)
        result = self.script("report", self.file)
        self.assertEqual(result.returncode, 0, result.stderr)
        page = (self.folder / "campaign.html").read_text(encoding="utf-8")
        sources = []
        parser = html.parser.HTMLParser()
        parser.handle_starttag = lambda tag, attributes: sources.extend(v for k, v in attributes if k in ("src", "href"))
        parser.feed(page)
        self.assertGreaterEqual(len(sources), 3, "pictures are missing")
        self.assertTrue(all(source.startswith("data:image/png;base64,") for source in sources))
        for content in (ensemble.deck.splitlines()[0], "2 of 4 finished members failed", "diverged", "Best members by end_z",
                        str(ensemble.attributes["git_revision"])):
            self.assertIn(html.escape(content), page)

    def test_plot_of_the_observables_of_frames(self):
        self.succeed("run", self.deck(), "--output", self.file)
        self.assertIn("output.observables", self.script("plot", self.file, "--histories").stderr)
        self.succeed("run", self.deck(), "--output.observables=total_energy, end_z", "--output", self.file, "--overwrite")
        ensemble = read_ensemble.Ensemble(self.file)
        result = self.script("plot", self.file, "--histories", "-o", "histories.png")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(plt.imread(self.folder / "histories.png").std(), 0.05)
        member = np.flatnonzero(ensemble.status == read_ensemble.DONE)[0]
        last = f"{ensemble.observables['end_z'][member]:.6g}"
        self.assertRegex(result.stdout, rf"end_z +{member} .* {last}\n")

    @unittest.skipUnless(shutil.which(BROWSER), "no browser: scripts/install_dependencies --seeing")
    def test_report_in_a_browser(self):
        # Five parameters with long names, which must not widen the page beyond the window.
        axes = [f"--sweep.axis={key} : list({value})" for key, value in (
            ("rod.shear_stiffness", 1e5), ("rod.stretch_stiffness", 1e5), ("rod.twist_to_bend_ratio", "0.6, 0.7"),
            ("load.perturbation_duration", 0.01), ("observe.buckling_energy", 1e-3),
        )]
        self.succeed("run", self.deck(), *axes, "--study.objective=total_energy", "--output.keep=best 1", "--output", self.file)
        self.assertEqual(self.script("report", self.file, "-o", "page.html").returncode, 0)
        page = self.folder / "page.html"
        look = """<script>addEventListener("load", () => {
          const images = [...document.images], wide = [...document.querySelectorAll(".wide")];
          document.title = [images.length, images.filter(image => image.naturalWidth > 400).length,
            wide.filter(box => box.scrollWidth > box.clientWidth).length,
            document.documentElement.scrollWidth - innerWidth].join(" ");
        })</script>"""
        page.write_text(page.read_text(encoding="utf-8") + look, encoding="utf-8")
        dump = subprocess.run(
            [BROWSER, "--no-sandbox", "--disable-gpu", "--window-size=1200,900", "--dump-dom", page.as_uri()],
            capture_output=True, text=True, check=True,
        ).stdout
        images, loaded, overflowing, excess = map(int, re.search("<title>([-0-9 ]+)</title>", dump)[1].split())
        self.assertEqual(images, 2)  # the best member and the cost; five parameters are too many for a plot
        self.assertEqual(loaded, images)
        self.assertEqual(overflowing, 0, "a table is cut off")
        self.assertLessEqual(excess, 0)

    @unittest.skipUnless(shutil.which("pvbatch") and shutil.which("xvfb-run"), "no ParaView: scripts/install_dependencies --seeing")
    def test_paraview_draws_tubes_of_the_exported_member(self):
        self.succeed("run", self.deck(), "--output.fields=radius, curvature", "--output", self.file)
        self.succeed("export", self.file, "--member", "1")  # one that buckled
        self.paraview_draws("campaign_member_1.hdf")
        self.assertEqual(self.script("render", self.file, "--member", "1", "-o", "lines.xdmf").returncode, 0)
        self.paraview_draws("lines.xdmf")

    def paraview_draws(self, member):
        # ParaView closes its first connection before it opens the next: without -noreset the server resets itself between
        # the two, and on a busy machine is not back in time.
        done = subprocess.run(
            ["xvfb-run", "-a", "-s", "-noreset", "pvbatch", campaign.ROOT / "scripts" / "paraview_tubes.py", member, "tubes.png"],
            cwd=self.folder, capture_output=True, text=True, check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        image = plt.imread(self.folder / "tubes.png")[:, :1080, :3]  # without the bar
        coloured = (image.max(axis=2) - image.min(axis=2)) > 0.2
        self.assertGreater(np.ptp(coloured.nonzero()[1]), 400)
        self.assertGreater(coloured.sum() / np.ptp(coloured.nonzero()[1]), 15, "a line, not a tube")

    def test_report_of_branches_and_of_a_map(self):
        studies = campaign.ROOT / "inputs" / "studies"
        self.succeed("run", studies / "buckled_column.ini", "--rod.elements=20", "--output", self.file)
        page = self.page_text()
        self.assertIn("Study of kind branch, complete: 7 of 7 members", page)
        self.assertIn("<h2>Member 1, last frame</h2>", page)
        self.assertIn("<td>branch_value<td>N<td", page)
        self.assertRegex(page, "<p>Zero: .*, folds")
        self.succeed("run", self.deck(campaign.boundary_deck()), "--output", self.file, "--overwrite")
        page = self.page_text()
        self.assertRegex(page, "</span>not needed [0-9]+</p>")
        self.assertRegex(page, "<td>load.axial_force<td>N<td")

    def test_report_of_an_unfinished_campaign(self):
        process = self.start("run", self.deck(campaign.waiting_deck((3600,))), "--output", self.file)
        campaign.wait_until(self.file.exists, process)
        self.assertIn("0 of 1 members finished", self.page_text())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), STOPPED)

    def page_text(self):
        result = self.script("report", self.file, "-o", "page.html")
        self.assertEqual(result.returncode, 0, result.stderr)
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def test_render_draws_the_rod_where_it_is(self):
        self.succeed("run", self.deck(), "--output", self.file)
        result = self.script("render", self.file, "--member", "1", "-o", "frames", "--size", "160x90")
        self.assertEqual(result.returncode, 0, result.stderr)
        pictures = sorted((self.folder / "frames").glob("*.png"))
        self.assertEqual(len(pictures), 5)
        # The rod is as wide as the picture and thin: saturated pixels stand in a band across its middle.
        image = plt.imread(pictures[0])[:, :120, :3]
        coloured = (image.max(axis=2) - image.min(axis=2)) > 0.2
        rows, columns = coloured.nonzero()
        self.assertGreater(np.ptp(columns), 80)
        self.assertLess(np.ptp(rows), 20)
        self.assertEqual(self.script("render", self.file, "--frame", "5", "-o", "x.png").returncode, 1)
        for options in (["-o", "film.avi"], ["--frame", "0", "-o", "x"], ["--size", "3x5"], ["--rate", "0"]):
            self.assertIn("render: error: ", self.script("render", self.file, *options).stderr)
        self.assertFalse((self.folder / "film.avi").exists())

    def test_render_follows_a_rod_that_travels(self):
        # Six rod lengths of free fall, across the rod.
        self.succeed("run", self.deck(campaign.SHAPE_DECK.replace("file", "straight").replace("shape_straight = shape.csv", "length = 1")),
                     "--rod.elements=10", "--rod.direction=1, 0, 0", "--rod.normal=0, 0, 1", "--gravity.acceleration=0, 0, -9.81",
                     "--time.end=1.1", "--output", self.file)
        extents = []
        for folder, options in (("still", []), ("followed", ["--follow"])):
            result = self.script("render", self.file, "-o", folder, "--size", "320x180", *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            image = plt.imread(self.folder / folder / "frame_00001.png")[:, :240, :3]
            rows, columns = ((image.max(axis=2) - image.min(axis=2)) > 0.2).nonzero()
            extents.append((np.ptp(columns), rows.mean()))
        self.assertLess(extents[0][0], 40)
        self.assertGreater(extents[0][1], 110)  # far below the middle, where it began above
        self.assertGreater(extents[1][0], 160)
        self.assertAlmostEqual(extents[1][1], 90, delta=20)

    def test_plot_of_a_search_shows_the_motion_of_its_best_member(self):
        self.succeed("run", self.deck(campaign.race_deck(3, 2e-4)), "--output", self.file)
        def height():
            result = self.script("plot", self.file)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("3 generations, 48 evaluations", result.stdout)
            return plt.imread(self.folder / "campaign.png").shape[0]
        alone = height()
        self.succeed("best", self.file)
        self.assertGreater(height(), 1.5 * alone)
        self.succeed("best", self.file, "--output.frames=2", "--output", "short.h5")
        result = self.script("plot", self.file, "--best", "short.h5")
        self.assertEqual(result.returncode, 1)
        self.assertIn("holds no motion", result.stderr)

    def test_a_sweep_over_words_is_told_and_drawn_in_words(self):
        self.succeed("run", campaign.ROOT / "inputs" / "studies" / "flagella_bundling.ini", "--sweep.axis=rod.count : list(2, 3)",
                     "--sweep.axis=contact.kind : list(ipc, imc)", "--study.objective=fluid_force", "--time.end=0.01",
                     "--output.frames=3", "--output", self.file)
        ensemble = read_ensemble.Ensemble(self.file)
        self.assertEqual(ensemble.words, {"contact.kind": ["none", "penalty", "imc", "ipc"]})
        self.assertEqual([ensemble.parameter_text("contact.kind", value) for value in ensemble.parameters["contact.kind"]],
                         ["ipc", "imc"] * 2)
        self.assertIn("contact.kind = ", self.succeed("status", self.file).stdout)
        self.assertIn(",ipc,", self.script("read_ensemble.py", self.file, "--csv").stdout.splitlines()[1])
        self.succeed("best", self.file, "--member", "2", "--output", "ipc.h5")
        self.assertEqual(read_ensemble.Ensemble(self.folder / "ipc.h5").deck_values("contact.kind"), ["ipc"])
        result = self.script("plot", self.file)
        self.assertEqual(result.returncode, 0, result.stderr)
        # They do not touch yet, so that both models move them alike.
        self.assertIn("rod.count = 3, contact.kind = ipc to contact.kind = imc: 0 at 0.01 s", result.stdout)
        self.assertGreater(plt.imread(self.folder / "campaign.png").std(), 0.05)
        page = self.page_text()
        self.assertIn("imc", page)

    def test_candidates_over_several_objectives(self):
        deck = self.deck("""[study]
kind = sweep
pareto = mass min, sag min
[sweep]
axis = rod.radius : linspace(0.012, 0.03, 3)
axis = rod.end_radius : linspace(0.012, 0.03, 3)
[measure]
define = mass [kg] : rod.radius^2 + rod.radius*rod.end_radius + rod.end_radius^2
define = sag [m] : -last(z(end))
[rod]
elements = 6
length = 1
density = 1000
young_modulus = 1e7
poisson_ratio = 0.5
direction = 1, 0, 0
damping_ratio = 1
[boundary]
first = clamped
[load]
end_force = 0, 0, -0.05
[time]
step = 1e-4
end = 2
""")
        self.succeed("run", deck, "--output", self.file)
        one = read_ensemble.Ensemble(self.file)
        mass, sag = one.observables["mass"], one.observables["sag"]
        best = [not any(mass[k] <= mass[i] and sag[k] <= sag[i] and (mass[k], sag[k]) != (mass[i], sag[i]) for k in range(9))
                for i in range(9)]
        self.assertEqual(list(one.tables["pareto"]["in_set"] == 1), best)
        self.assertTrue(1 < sum(best) < 9)
        self.succeed("run", deck, "--output", "three.h5", ranks=3)
        self.assertEqual(list(read_ensemble.Ensemble(self.folder / "three.h5").tables["pareto"]["in_set"] == 1), best)
        picture = self.folder / "front.png"
        self.script("plot", self.file, "--pareto", "-o", picture)
        self.assertGreater(picture.stat().st_size, 10000)
        self.refuse("run", deck, "--study.pareto=mass min", mentions=["study.pareto", "two objectives or more"])

    def test_files_without_anything_to_show(self):
        (self.folder / "text.h5").write_text("not HDF5")
        for script in ("report", "render"):
            result = self.script(script, "text.h5")
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, f"^{script}: text.h5 is not a readable HDF5 file")


if __name__ == "__main__":
    unittest.main()
