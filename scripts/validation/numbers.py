"""What decks, READMEs and the manual say of results, each number with the run that it comes from: inputs/numbers.csv.

A row has the text, the number as it stands there, the deck with what is changed in it (or results/CASE, what a full run of a case
noted), and what of its result the number is: a formula of numpy with the observables and the parameters of all members by
their names, points of keys as underscores, `best` for the best member of a search and `run` for the whole file; of what was noted
a factor. A number must be that of the run within one of its last digit; `<` stands before one that
says how large a result may be. Rows of `slow` runs are those of case `slow_numbers`.
"""

import csv
import dataclasses
import json
import pathlib
import re
import shlex

import numpy as np

from .case import Case, Quantity, Run
from .faults import draw_shares

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "inputs" / "numbers.csv"


@dataclasses.dataclass(frozen=True)
class Number:
    """A row of the table."""

    text: str  # the file that says it
    said: str
    deck: str
    options: str
    formula: str
    speed: str  # quick or slow

    @property
    def run(self):
        return Run(f"../{self.deck}", tuple(shlex.split(self.options)), may_end_badly=True)

    @property
    def label(self):
        return f"{self.deck} {self.options}".strip()

    @property
    def is_noted(self):
        """Whether a full run of a case has noted it."""
        return self.deck.startswith("results/")

    def result(self, results):
        if self.is_noted:
            noted = json.loads((ROOT / "inputs" / "validation" / f"{self.deck}.json").read_text())["quantities"]
            return next(q["ours"] for q in noted if q["quantity"] == self.options) * float(self.formula or 1)
        ensemble = results[self.label]
        columns = (ensemble.parameters, ensemble.observables)
        names = {re.sub(r"\W+", "_", name).strip("_"): column[name] for column in columns for name in column}
        if ensemble.optimize:
            names["best"] = np.flatnonzero(ensemble.candidate == ensemble.optimize["best_candidate"][-1])[0]
        return float(np.squeeze(eval(self.formula, {**vars(np), "run": ensemble, **names})))  # noqa: S307 - the tree's own table

    def quantity(self, results):
        name = f"{self.text}: {self.formula or self.options}"
        value = float(self.said.lstrip("<"))
        if self.said.startswith("<"):
            return Quantity(name, abs(self.result(results)), 0.0, value, limits=f"<= {value:g}")
        return Quantity(name, self.result(results), value, 1.001 * last_digit(self.said))


def last_digit(said):
    """What one of the last digit of a number is."""
    mantissa, _, exponent = said.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - decimals)


NUMBERS = tuple(Number(**row) for row in csv.DictReader(TABLE.read_text().splitlines()))


def case(name, title, speed):
    numbers = [number for number in NUMBERS if number.speed == speed]

    def quantities(results):
        return [number.quantity(results) for number in numbers]

    return Case(
        name=name,
        title=title,
        source="inputs/numbers.csv",
        runs={number.label: number.run for number in numbers if not number.is_noted},
        quantities=quantities,
        draw=lambda results: draw_shares(quantities(results)),
        long=speed == "slow",
        side_by_side=True,
        noted=False,
    )


QUICK = case("numbers", "Numbers that decks and pages say", "quick")
SLOW = case("slow_numbers", "The same, of longer runs", "slow")

# Numbers of texts: with a decimal point, an exponent or a sign of per cent. Whole numbers are counts, years, dimensions and figures.
WRITTEN = re.compile(r"(?<![\w.^])\d+(?:\.\d+(?:e-?\d+)?|e-?\d+|(?= %))(?![\w.]\w)")
TEXTS = ("inputs/**/*.ini", "inputs/**/*.md", "src/manual/studies/measured.md")
GIVEN = ROOT / "inputs" / "given_numbers.json"
# Made by programs, compared by case `faults`, or of two revisions.
NO_RESULTS = {"reference.ini", "peers.md", "faults", "results"}


def written_numbers(path):
    """The numbers of a text outside of blocks of code, of a deck those of its comments; and the values of its keys, which comments
    may name."""
    text = path.read_text()
    if path.suffix != ".ini":
        return set(WRITTEN.findall(re.sub(r"```.*?```|!?\[[^\]]*\]\([^)]*\)", "", text, flags=re.DOTALL))), set()
    values, comments = zip(*(line.partition("#")[::2] for line in text.splitlines()), strict=True)
    return set(WRITTEN.findall("\n".join(comments))), set(WRITTEN.findall("\n".join(values)))


def texts():
    paths = (path for pattern in TEXTS for path in ROOT.glob(pattern))
    return sorted(path for path in paths if not NO_RESULTS.intersection(path.relative_to(ROOT).parts))
