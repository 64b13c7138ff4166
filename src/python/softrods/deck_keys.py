"""The keys that a deck may have, from inputs/reference.ini, which follows from the table of the program."""

from __future__ import annotations

import dataclasses
import functools
import keyword
import pathlib
import re

# In the tree a link to the one in inputs.
REFERENCE = pathlib.Path(__file__).with_name("reference.ini")


@dataclasses.dataclass(frozen=True)
class Key:
    """One key: "rod.length", what it may be, its default as a deck has it (None: none), and what it means."""

    name: str
    allowed: str
    unit: str
    default: str | None
    needs: str
    text: str
    repeatable: bool

    @property
    def section(self) -> str:
        return self.name.partition(".")[0]

    @property
    def choices(self) -> tuple[str, ...]:
        """The words it may be; of numbers and texts none."""
        return tuple(self.allowed.removeprefix("one of ").split("|")) if self.allowed.startswith("one of ") else ()

    def __str__(self) -> str:
        needs = f"; needs {self.needs}" if self.needs else ""
        unit = f"; unit {self.unit}" if self.unit else ""
        default = f"default {self.default}" if self.default is not None else "no default"
        repeatable = ", repeatable" if self.repeatable else ""
        return f"{self.name}: {self.text}\n({self.allowed}{repeatable}{unit}; {default}{needs})"


def _parsed(text: str) -> dict[str, Key]:
    found, section = {}, ""
    for block in re.split(r"\n\s*\n", text):
        lines = block.strip().splitlines()
        if not lines:
            continue
        if re.fullmatch(r"\[\w+\]", lines[-1]):
            section = lines[-1][1:-1]
            continue
        match = re.fullmatch(r"(?:# )?(\w+) =.*", lines[-1])
        if match is None or len(lines) < 3:
            continue
        meaning = " ".join(line.removeprefix("# ") for line in lines[:-2])
        allowed, *rest = lines[-2].removeprefix("# ").split("; ")
        word = {"unit": "", "default": None, "needs": ""}
        for part in rest:
            for name in word:
                if part.startswith(f"{name} "):
                    word[name] = part.removeprefix(f"{name} ")
        repeatable = allowed.endswith(", repeatable")
        name = f"{section}.{match[1]}"
        found[name] = Key(name, allowed.removesuffix(", repeatable"), word["unit"], word["default"], word["needs"], meaning,
                          repeatable)
    return found


@functools.cache
def all_keys() -> dict[str, Key]:
    """Every key by its name, in the order of inputs/reference.ini."""
    return _parsed(REFERENCE.read_text(encoding="utf-8"))


def key_unit(name: str) -> str:
    """The unit of a key, or of one number of a list (load.end_force[2]); "" where there is none."""
    known = all_keys().get(name.partition("[")[0])
    return known.unit if known else ""


def keys(pattern: str = "") -> list[Key]:
    """The keys whose name contains `pattern`."""
    return [key for name, key in all_keys().items() if pattern in name]


def stub() -> str:
    """Types of the sections of a deck with their keys and what they mean, for editors: the text of sections.pyi."""
    sections: dict[str, list[Key]] = {}
    for key in all_keys().values():
        sections.setdefault(key.section, []).append(key)
    lines = ['"""The sections of a deck; made from inputs/reference.ini by deck_keys.py."""', "", "from typing import Any", ""]
    for section, members in sections.items():
        lines.append(f"class {section.capitalize()}Section:")
        for key in members:
            if keyword.iskeyword(key.name.partition(".")[2]):
                continue  # as deck["section.key"] only
            lines += [f"    {key.name.partition('.')[2]}: Any", f"    {_quoted(str(key))}"]
        lines.append("")
    lines.append("class Sections:")
    lines += [f"    @property\n    def {section}(self) -> {section.capitalize()}Section: ..." for section in sections]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"""' + text.replace("\\", "\\\\").replace('"', '\\"') + '"""'


if __name__ == "__main__":
    print(stub(), end="")
