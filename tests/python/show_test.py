"""Pages of rods that turn: what they hold beside the file, and what a browser makes of them."""

import base64
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import matplotlib.pyplot as plt
import numpy as np

from browser import BROWSER, Page
from package_test_case import PACKAGES, PackageTest, cord, cords, softrods
from softrods import pictures

MOST_BYTES = 40_000  # of a page without its data
EVIL = "</script><img src=x onerror='document.title=1'><!--&amp;"


def content_of(page):
    return json.loads(re.search(r"^const data = (.*);$", page, re.MULTILINE)[1])


def numbers_of(packed, *shape):
    stored = np.frombuffer(base64.b64decode(packed["text"]), {"i2": "<i2", "u1": "u1", "f4": "<f4"}[packed["kind"]]).reshape(*shape)
    return stored * packed.get("scale", 1) + np.array(packed.get("offset", 0))


def plain(**more):
    """A member whose view has x to the right, z up and y away from the viewer: a bent strip or a cord."""
    return cord(output={"frames": 4}, **more)


class Data(PackageTest):
    def test_a_page_holds_what_the_file_does(self):
        file = self.run_alone(cord(output={"frames": 4, "fields": "dilatation, velocity"}))
        content = content_of(softrods.show(file).page())
        (member,) = content["members"]
        self.assertEqual((member["nodes"], member["rods"], member["sections"]), ([6], [0], None))
        self.assertEqual(content["moments"], [f"t = {t:.4f} s" for t in (0, 0.01, 0.02, 0.03)])
        shown, stored = numbers_of(member["position"], 4, 6, 3), file.trajectory(0)[1]
        np.testing.assert_allclose(shown[..., 0], stored[..., 0], atol=3e-6)  # x to the right, z up
        np.testing.assert_allclose(shown[..., 1], stored[..., 2], atol=3e-6)
        np.testing.assert_allclose(numbers_of(member["radius"], 6), 0.004, rtol=1e-6)
        fields = {field["name"]: field for field in member["fields"]}
        self.assertEqual(list(fields), ["bending strain", "stretch", "speed (m/s)"])
        speed = numbers_of(fields["speed (m/s)"]["values"], 4, 6)
        exact = np.linalg.norm(file.trajectory(0, "velocity")[1], axis=2)
        high = fields["speed (m/s)"]["high"]
        self.assertGreater(high, 0.9 * exact.max())
        np.testing.assert_allclose(speed, np.minimum(exact, high), atol=high / 400)
        stretch, lengths = numbers_of(fields["stretch"]["values"], 4, 6), np.linalg.norm(np.diff(stored, axis=1), axis=2) / 0.04 - 1
        step = (fields["stretch"]["high"] - fields["stretch"]["low"]) / 255
        inner = np.clip(0.5 * (lengths[:, 1:] + lengths[:, :-1]), fields["stretch"]["low"], fields["stretch"]["high"])
        np.testing.assert_allclose(stretch[:, 1:-1], inner, atol=step)

    def test_without_dilatation_it_says_since_when_rods_have_stretched(self):
        (member,) = content_of(softrods.show(self.run_alone(plain())).page())["members"]
        self.assertEqual([field["name"] for field in member["fields"]], ["bending strain", "stretch since the first frame"])

    def test_numbers_are_reals_where_whole_ones_would_be_too_coarse(self):
        travels = cord(rod={"radius": 4e-6, "origin": (0, 0, 0)}, boundary={"first": "free"}, output={"frames": 3})
        (member,) = content_of(softrods.show(self.run_alone(travels)).page())["members"]
        self.assertEqual(member["position"]["kind"], "f4")

    def test_of_many_frames_some_are_shown_and_it_says_so(self):
        file = self.run_alone(cord(output={"frames": 31}))
        content = content_of(softrods.show(file).page(most=5 * 18))
        self.assertEqual(len(content["moments"]), 5)
        self.assertIn("5 of 31 frames", content["notes"])
        shown = numbers_of(content["members"][0]["position"], 5, 6, 3)
        np.testing.assert_allclose(shown[-1, :, 1], file.trajectory(0)[1][-1, :, 2], atol=3e-6)
        self.assertEqual(content_of(softrods.show(file).page(most=1))["moments"], ["t = 0.0300 s"])

    def test_members_side_by_side_share_their_colours(self):
        file = self.run_alone(cords(4, output={"frames": 4}))
        content = content_of(softrods.show(file, members=[3, 0]).page())
        self.assertEqual([member["label"] for member in content["members"]],
                         ["member 3: rod.young_modulus = 1e+07", "member 0: rod.young_modulus = 1e+06"])
        first, second = (member["fields"][0] for member in content["members"])
        self.assertEqual((first["low"], first["high"]), (second["low"], second["high"]))
        for shown, number in zip(content["members"], (3, 0)):
            np.testing.assert_allclose(numbers_of(shown["position"], 4, 6, 3)[..., 1], file.trajectory(number)[1][..., 2], atol=3e-6)
        for members in ([], list(range(13))):
            with self.assertRaisesRegex(softrods.EnsembleError, "1 to 12 members"):
                softrods.show(file, members)
        with self.assertRaisesRegex(softrods.EnsembleError, "members 0 to 3, not 4"):
            softrods.show(file, [0, 4])

    def test_sections_lie_as_the_file_says_or_are_round_and_it_says_so(self):
        flat = plain(rod={"section": "rectangle", "width": 0.01, "thickness": 0.002, "normal": (0, 1, 0)})
        flat["rod.radius"] = None
        content = content_of(softrods.show(self.run_alone(flat)).page())
        self.assertIsNone(content["members"][0]["sections"])
        self.assertRegex(content["notes"][0], "drawn round.*output.fields = orientation")
        content = content_of(softrods.show(self.run_alone(flat, {"output.fields": "orientation"}, overwrite=True)).page())
        self.assertEqual(content["notes"], [])
        (member,) = content["members"]
        ((shape, half_width, half_thickness),) = member["sections"]
        radius = numbers_of(member["radius"], 6)
        self.assertEqual(shape, "rectangle")
        np.testing.assert_allclose(radius * half_width, 0.005, rtol=1e-6)
        np.testing.assert_allclose(radius * half_thickness, 0.001, rtol=1e-6)
        np.testing.assert_allclose(np.abs(numbers_of(member["director"], 4, 6, 3)), [[[0, 0, 1]] * 6] * 4, atol=1e-4)  # along y

    def test_what_stands_around_rods_is_there_as_the_member_has_it(self):
        deck = plain(ground={"kind": "plane", "normal": (0, 0, 2), "origin": (0, 0, -0.3), "spheres": (0.1, 0, -0.2, 0.02),
                             "cylinders": (0, 0.1, 0, 0, 0, 1, -0.5), "response": "springs", "stiffness": 500},
                     study={"kind": "sweep"}, sweep={"axis": ["ground.spheres[3] : list(0.01, 0.02)"]})  # fmt: skip
        first, second = content_of(softrods.show(self.run_alone(deck), [0, 1]).page())["members"]
        np.testing.assert_allclose(first["planes"], [[0, -0.3, 0, 0, 1, 0]], atol=1e-12)
        np.testing.assert_allclose([first["spheres"][0], second["spheres"][0]], [[0.1, -0.2, 0, 0.01], [0.1, -0.2, 0, 0.02]], atol=1e-12)
        np.testing.assert_allclose(np.abs(first["cylinders"]), [[0, 0, 0.1, 0, 1, 0, 0.5]], atol=1e-12)
        self.assertLess(first["cylinders"][0][-1], 0)  # rods are inside

    def test_names_of_anybody_are_texts(self):
        file = self.run_alone(plain(), output=self.folder / f"{EVIL.replace('/', '')}.h5")
        page = softrods.show(file).page()
        self.assertEqual(page.count("</script>"), 1)
        self.assertNotIn("<img", page)
        self.assertIn("<img", content_of(page)["title"])
        frame = softrods.show(file)._repr_html_()
        self.assertEqual(re.findall("<[a-z/]+", frame), ["<iframe", "</iframe"])

    def test_a_page_is_one_small_file_that_loads_nothing(self):
        text = pictures.PAGE.read_text(encoding="utf-8")
        self.assertLessEqual(len(text.encode()), MOST_BYTES)
        self.assertEqual(text.count("RODS"), 1)
        self.assertNotRegex(text, r"https?:|\bsrc=|\bhref=|@import|fetch\(")
        self.assertIn("default-src 'none'", text)

    def test_commands_write_it(self):
        self.run_alone(cords(3, output={"frames": 4}))
        environment = os.environ | {"PYTHONPATH": PACKAGES}

        def call(*arguments):
            return subprocess.run([sys.executable, "-B", *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=False)

        module = call("-m", "softrods", "show", "campaign.h5", "--members", "2,0")
        self.assertEqual(module.stdout, "Page: campaign_rods.html\n", module.stderr)
        installed = call("-c", "from softrods import commands; commands.main()", "show", "campaign.h5", "--members", "2,0", "-o", "page.html")
        self.assertEqual(installed.returncode, 0, installed.stderr)
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertEqual(page, (self.folder / "campaign_rods.html").read_text(encoding="utf-8"))
        self.assertEqual(len(content_of(page)["members"]), 2)
        self.assertIn("members 0 to 2, not 3", call("-m", "softrods", "show", "campaign.h5", "--members", "3").stderr)
        self.assertIn("a page is an .html", call("-m", "softrods", "show", "campaign.h5", "-o", "x.png").stderr)
        (self.folder / "mine.html").write_text("mine", encoding="utf-8")
        self.assertIn("was not made by rodeo", call("-m", "softrods", "show", "campaign.h5", "-o", "mine.html").stderr)


@unittest.skipUnless(BROWSER, "no browser: scripts/install_dependencies --seeing")
class Seen(PackageTest):
    SIZE = (640, 420)

    def page(self, file, members=0, **options):
        path = self.folder / "page.html"
        softrods.show(file, members).save(path)
        return Page(path, *self.SIZE, **options)

    def image(self, page):
        return plt.imread(io.BytesIO(page.picture()))[..., :3]

    def coloured(self, image):
        """Where rods are: all else is nearly grey. Without the bar and the key."""
        seen = (image.max(axis=2) - image.min(axis=2)) > 0.15
        seen[340:], seen[290:, 440:] = False, False
        return seen

    def test_a_rod_is_where_it_is_and_turns(self):
        file = self.run_alone(plain(rod={"radius": 0.01}))
        with self.page(file) as page:
            self.assertEqual(page.ask("document.title"), "campaign.h5: rods")
            before = self.image(page)
            rows, columns = self.coloured(before).nonzero()
            self.assertGreater(np.ptp(columns), 300)
            self.assertLess(np.ptp(rows), 200)
            light = before[5, 320].mean()
            self.assertGreater(light, 0.85)
            page.drag((320, 200), (320 - 180 * (np.pi / 2 - 0.45), 200))  # until it is seen along
            self.assertLess(np.ptp(self.coloured(self.image(page)).nonzero()[1]), 200)
            self.assertEqual(page.faults(), [])

    def test_keys_play_step_and_colour(self):
        with self.page(self.run_alone(cord(output={"frames": 11}))) as page:
            self.assertEqual(page.ask("viewer.frame()"), 10)
            page.press("ArrowLeft")
            page.press("ArrowLeft")
            self.image(page)
            self.assertEqual(page.ask("[viewer.frame(), document.getElementById('moment').textContent]"), [8, "t = 0.0240 s"])
            page.press("Home")
            self.assertEqual(page.ask("viewer.frame()"), 0)
            page.press(" ", " ")
            page.ask("new Promise(done => { const look = () => viewer.frame() > 1 ? done() : setTimeout(look, 10); look(); })")
            page.press(" ", " ")
            at = page.ask("viewer.frame()")
            self.assertEqual(at, round(at))  # a stored frame
            names = page.ask("[...document.getElementById('colours').options].map(option => option.value)")
            self.assertEqual(names, ["rod", "bending strain", "stretch since the first frame", "height"])
            page.press("c", "c")
            self.assertEqual(page.ask("document.getElementById('colours').value"), "stretch since the first frame")
            self.assertEqual(page.faults(), [])

    def test_fingers_turn_and_pinch(self):
        with self.page(self.run_alone(plain(rod={"radius": 0.01})), touch=True) as page:
            before = self.coloured(self.image(page))
            page.touch([(320, 200)], [(330, 200)], [(345, 200)])
            turned = self.coloured(self.image(page))
            self.assertFalse((before == turned).all())
            page.touch([(280, 200), (360, 200)], [(300, 200), (340, 200)])
            self.assertLess(self.coloured(self.image(page)).sum(), 0.5 * turned.sum())
            self.assertEqual(page.faults(), [])

    def test_members_stand_side_by_side_and_the_page_is_dark_where_asked(self):
        file = self.run_alone(cords(2, rod={"radius": 0.01}, output={"frames": 4}))
        with self.page(file, [0, 1], dark=True) as page:
            image = self.image(page)
            seen = self.coloured(image)
            for half in (seen[:, :320], seen[:, 320:]):
                self.assertGreater(np.ptp(half.nonzero()[1]), 150)
            self.assertLess(image[5, 200].mean(), 0.2)
            self.assertEqual(page.ask("[...document.querySelectorAll('#names div')].map(name => name.textContent)"),
                             ["member 0: rod.young_modulus = 1e+06", "member 1: rod.young_modulus = 1e+07"])
            self.assertEqual(page.faults(), [])

    def test_solids_stand_where_they_are(self):
        deck = plain(ground={"kind": "plane", "normal": (0, 0, 1), "origin": (0, 0, -0.3), "spheres": (0.1, 0.06, 0, 0.02),
                             "cylinders": (0.1, 0, 0, 0, 0, 1, -0.3), "planes": (0, 1, 0, 0, -1, 0), "response": "springs", "stiffness": 500})  # fmt: skip
        with self.page(self.run_alone(deck)) as page:
            image = self.image(page)
            ball = (image[..., 0] - image[..., 2] > 0.02) & (image[..., 0] < 0.85)  # it is of a warm grey
            self.assertGreater(ball[60:340].sum(), 1000)
            self.assertEqual(page.faults(), [])

    def test_flat_sections_are_drawn_as_they_lie(self):
        flat = plain(rod={"section": "rectangle", "width": 0.03, "thickness": 0.002, "normal": (0, 0, 1)})
        flat["rod.radius"] = None

        def covered(file):
            with self.page(file) as page:
                page.ask("viewer.paint('rod')")
                seen = self.coloured(self.image(page)).sum()
                self.assertEqual(page.faults(), [])
                return seen

        edgewise = covered(self.run_alone(flat, {"output.fields": "orientation"}))
        flatwise = covered(self.run_alone(flat, {"output.fields": "orientation", "rod.normal": (0, 1, 0)}, overwrite=True))
        self.assertGreater(edgewise, 1.5 * flatwise)  # it is seen from the side

    def test_names_of_anybody_do_nothing(self):
        file = self.run_alone(plain(), output=self.folder / f"{EVIL.replace('/', '')}.h5")
        with self.page(file) as page:
            self.assertEqual(page.ask("document.images.length"), 0)
            self.assertEqual(page.ask("document.title"), pathlib.Path(file.path).name + ": rods")
            self.assertEqual(page.ask("document.querySelector('#names div').textContent"), pathlib.Path(file.path).name)
            self.assertEqual(page.faults(), [])
            self.assertEqual(page.ask("fetch('data:text/plain,x').then(() => 'loaded', () => 'refused')"), "refused")


if __name__ == "__main__":
    unittest.main()
