"""The pages from which the manual's site is made, those that come from the program among them; without Sphinx."""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from blocks import MANUAL, ROOT

sys.path[:0] = [str(ROOT / "tests" / "cli"), str(MANUAL)]
import campaign
import pages
from softrods.ensemble import STATUS_NAMES

# What strangers ask: words of the question, and a page with what has to stand on it.
QUESTIONS = {
    "hold a rod at two points": ("howto/hold.md", ["boundary.first", "boundary.last", "motion"]),
    "a floor with friction": ("howto/floor.md", ["ground.kind = plane", "kinetic_friction"]),
    "many rods at random": ("howto/many_rods_at_random.md", ["placement = random", "region_size"]),
    "data in millimetres": ("howto/units.md", ["e-3 m", "to_csv"]),
    "a GPU or not": ("howto/gpu.md", ["model.device=gpu", "refuses"]),
    "resume": ("howto/resume.md", ["rodeo resume", "extend"]),
    "a member that failed": ("howto/failed_member.md", ["diverged", "too stiff"]),
    "colours of my own": ("howto/pictures.md", ["softrods.plot", "color=", "scripts/plot"]),
    "more ranks": ("howto/ranks.md", ["mpirun -n"]),
    "cite": ("howto/cite.md", ["CITATION.cff"]),
}


def said(*arguments):
    return subprocess.run([campaign.RODEO, *arguments], capture_output=True, text=True, check=True).stdout


def names(listing):
    return [line.split()[0] for line in listing.splitlines() if line[:1].strip()]


def links(text):
    """Targets of links in a page, but those in its code and those to other places of the network."""
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)
    return [target for target in re.findall(r"\]\(([^()\s]+)\)", prose) if not re.match(r"[a-z]+:", target)]


def anchors(text):
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="rodeo-site-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name) / "source"
        with contextlib.redirect_stdout(None):
            pages.main([str(cls.folder), "--program", campaign.RODEO])
        cls.pages = {
            str(path.relative_to(cls.folder)): path.read_text(encoding="utf-8")
            for path in cls.folder.rglob("*.md")
            if "files" not in path.relative_to(cls.folder).parts
        }
        cls.reference = "\n".join(text for name, text in cls.pages.items() if name.startswith("reference/"))

    def test_no_page_is_long(self):
        for name, text in self.pages.items():
            self.assertLessEqual(len(text.splitlines()), pages.MOST_LINES, name)

    def test_no_line_is_lost_as_a_comment(self):
        for name, text in self.pages.items():
            self.assertNotRegex(re.sub(r"(?s)```.*?```", "", text), r"(?m)^\s*%", name)

    def test_links_lead_somewhere(self):
        for name, text in self.pages.items():
            for target in links(text):
                with self.subTest(page=name, link=target):
                    path, _, anchor = target.partition("#")
                    there = os.path.normpath(pathlib.Path(name).parent / path) if path else name
                    self.assertTrue((self.folder / there).is_file(), "no such page or file")
                    if anchor:
                        self.assertIn(anchor, anchors(self.pages[there]))

    def test_every_page_is_in_a_table_of_contents(self):
        listed = {"index.md"}
        for name, text in self.pages.items():
            for tree in re.findall(r"^```\{toctree\}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
                listed |= {
                    os.path.normpath(pathlib.Path(name).parent / entry) + ".md"
                    for entry in tree.split("\n")
                    if entry and not entry.startswith(":")
                }
        self.assertEqual(listed - set(self.pages), set(), "pages that are listed and do not exist")
        self.assertEqual(set(self.pages) - listed, set(), "pages that no table of contents lists")

    def test_all_that_the_program_has_is_in_the_reference(self):
        signals = [line for block in re.split(r"(?m)^(?=\S)", said("signals")) for line in [block.split(maxsplit=1)] if line]
        features = [block.splitlines()[0] for block in said("features").split("\n\n")[1:]]
        expected = {
            "key": [key["name"] for key in json.loads(said("keys", "--json"))],
            "observable": names(said("observables")),
            "signal": [name for name, text in signals if re.search(r"(?m)^ *unit ", text)],
            "status": list(STATUS_NAMES),
            "feature": features,
        }
        for kind, all_names in expected.items():
            with self.subTest(kind):
                self.assertGreater(len(all_names), 10)
                self.assertCountEqual(re.findall(rf"(?m)^:::{{{kind}}} (.*)$", self.reference), all_names)
        for word in names(said("signals")):
            self.assertRegex(self.reference, rf"(?m)^(\| `{word}` \||:::{{signal}} {word}$)")
        for command in re.findall(r"(?m)^  rodeo (\w+)", said("--help")):
            self.assertIn(f"\n## rodeo {command}\n", self.pages["reference/commands.md"])

    def test_the_gallery_has_all_that_is_drawn_with_its_commands(self):
        text = self.pages["studies/pictures.md"] + self.pages["studies/pictures_of_studies.md"]
        for deck, overrides in pages.gallery().items():
            with self.subTest(deck.stem):
                self.assertTrue(deck.is_file())
                self.assertRegex(text, rf"build/rodeo run inputs/{deck.parent.name}/{deck.name} --output {deck.stem}\.h5.*\nscripts/plot {deck.stem}\.h5\n")
                if overrides is None:
                    self.assertIn(f"![{deck.stem}]", text)

    def test_what_was_drawn_leads_to_rods_that_turn(self):
        deck, overrides = next(iter(pages.gallery().items()))
        with tempfile.TemporaryDirectory(prefix="rodeo-gallery-") as folder:
            drawn, site = pathlib.Path(folder) / "drawn", pages.Site(pathlib.Path(folder) / "site")
            drawn.mkdir()
            for name in (f"{deck.stem}.png", f"{deck.stem}_rods.png", f"{deck.stem}_rods.html", f"{deck.stem}.txt"):
                (drawn / name).write_text("0.5", encoding="utf-8")
            lines = "\n".join(pages.exhibit(site, deck, overrides, drawn))
            self.assertIn(f'<a href="../rods/{deck.stem}.html"><img src="../rods/{deck.stem}.png"', lines)
            self.assertIn(f"scripts/show {deck.stem}.h5", lines)
            self.assertIn("Cost: 0.5 s", lines)
            self.assertEqual({path.name for path in (site.folder / "extra" / "rods").iterdir()}, {f"{deck.stem}.html", f"{deck.stem}.png"})

    def test_exit_codes_are_those_that_the_program_prints(self):
        printed = re.findall(r"(\d+) [a-z]", said("--help").partition("exit codes:")[2])
        self.assertEqual(re.findall(r"(?m)^\| (\d+) \|", self.pages["reference/exit_codes.md"]), printed)

    def test_keys_that_pages_name_exist(self):
        known = {key["name"] for key in json.loads(said("keys", "--json"))}
        sections = "|".join(sorted({name.partition(".")[0] for name in known} - {"variable", "table"}))
        for name, text in self.pages.items():
            if name in ("project/changes.md", "studies/validation.md"):  # which name keys of the past
                continue
            for key in re.findall(rf"`((?:{sections})\.[a-z_]+)", text):
                with self.subTest(page=name, key=key):
                    self.assertTrue(key in known or re.fullmatch(r".*\.(cpp|csv|h5|hpp|ini|md|png|py)", key), "no such key")

    def test_questions_are_answered_within_two_clicks(self):
        def reached(name):
            return {os.path.normpath(pathlib.Path(name).parent / target.partition("#")[0]) for target in links(self.pages[name])}

        first = reached("index.md")
        second = first | {page for name in first & set(self.pages) for page in reached(name)}
        for question, (page, words) in QUESTIONS.items():
            with self.subTest(question):
                self.assertIn(page, second)
                for word in words:
                    self.assertIn(word, self.pages[page])


if __name__ == "__main__":
    unittest.main()
