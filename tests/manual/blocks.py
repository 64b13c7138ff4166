"""The blocks of code of a page of Markdown, and what a comment above them says of how they are tested."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANUAL = ROOT / "src" / "manual"
# All that show commands: the manual, and pages of other folders that stand in it or lead to it.
FOLDERS = ("", "inputs", "inputs/examples", "inputs/studies", "inputs/validation", "jobs", "scripts", "src", "src/python", "tests")
PAGES = [ROOT / folder / "README.md" for folder in FOLDERS]
PAGES += [ROOT / "src" / "CHANGELOG.md", *sorted(MANUAL.rglob("*.md"))]
BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>not run|in|file)(?::| ) ?(?P<said>[^\n]*?) -->\n)?```(?P<language>[^\n]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
RUN = {"sh", "python", "ini", "csv"}  # what is tried unless a page says why not
SHOWN = {"text"}  # what nobody runs


class Block:
    def __init__(self, match):
        self.mark, self.said = match["mark"], match["said"]
        self.language, self.text = match["language"], match["text"]

    @property
    def file(self):
        """The file that the block is: a deck that names itself in its first line, or what the page says."""
        named = re.match(r"# ([\w.]+\.ini)", self.text) if self.language == "ini" else None
        return self.said if self.mark == "file" else named[1] if named else None


def blocks(page):
    """Those of a page, but Sphinx's directives."""
    text = page.read_text(encoding="utf-8")
    return [block for block in map(Block, BLOCK.finditer(text)) if not block.language.startswith("{")]
