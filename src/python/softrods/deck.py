"""Decks: read, written from keyword arguments, changed, printed, checked."""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import os
import pathlib
import re
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any

from .errors import RodeoError
from .deck_keys import Key, all_keys

if TYPE_CHECKING:
    from .sections import Sections
else:
    Sections = object


# Keys whose values are names of files.
FILE_KEYS = ("sweep.points", "rod.scene", "measure.data", "rod.shape_file", "rod.rest_length_file", "rod.state")


class DeckError(RodeoError):
    """A deck that is not valid; the text has a line for each fault."""


def _known(name: str) -> Key:
    known = all_keys()
    if name in known:
        return known[name]
    of_any_name = known.get(f"{name.partition('.')[0]}.NAME")
    if of_any_name is not None:
        return dataclasses.replace(of_any_name, name=name)
    near = difflib.get_close_matches(name, known, 1)
    raise DeckError(f"There is no key {name!r}" + (f"; did you mean {near[0]!r}?" if near else "."))


def value_text(value: Any) -> str:
    """A value as a deck has it: numbers keep all their digits, sequences are separated by commas."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        raise DeckError(f"A deck has no value {value}; keys of two kinds take words.")
    if isinstance(value, Sequence) or hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0:
        return ", ".join(value_text(entry) for entry in value)
    return repr(value.item() if hasattr(value, "item") else value)


def overrides_text(given: Mapping[str, Any] | None) -> list[str]:
    """Overrides as "section.key=value", as on the command line; a list of texts gives one for each."""
    found = []
    for key, value in (given or {}).items():
        several = value if isinstance(value, list) and value and isinstance(value[0], str) else [value]
        found += [f"{key}={value_text(entry)}" for entry in several]
    return found


def _value(text: str) -> Any:
    """A number, a tuple of numbers, or the text."""
    def number(part: str) -> float | int:
        try:
            return int(part)
        except ValueError:
            return float(part)

    try:
        parts = [number(part) for part in text.split(",")]
    except ValueError:
        return text
    return parts[0] if len(parts) == 1 else tuple(parts)


class Section:
    """The keys of a section as attributes; `dir` lists them, `softrods.keys` says what they mean."""

    def __init__(self, deck: Deck, name: str):
        object.__setattr__(self, "_deck", deck)
        object.__setattr__(self, "_name", name)

    def __dir__(self) -> list[str]:
        return [key.name.partition(".")[2] for key in all_keys().values() if key.section == self._name]

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        try:
            return self._deck[f"{self._name}.{key}"]
        except DeckError as error:
            raise AttributeError(str(error)) from None

    def __setattr__(self, key: str, value: Any) -> None:
        self._deck[f"{self._name}.{key}"] = value

    def __delattr__(self, key: str) -> None:
        del self._deck[f"{self._name}.{key}"]

    def __repr__(self) -> str:
        return "\n".join(f"{name} = {value!r}" for name, value in self._deck.items() if name.startswith(f"{self._name}."))


class Deck(MutableMapping, Sections):
    """A deck as a mapping of "section.key" to values; comments and the order of lines stay as they are.

        deck = softrods.Deck.read("cord.ini")
        deck.rod.length = 0.3
        deck["sweep.axis"] = ["rod.radius : linspace(0.002, 0.006, 5)"]     # a key that may be repeated takes a list
        deck = softrods.Deck(rod={"elements": 20, "length": 0.2}, time={"step": 1e-5, "end": 3})

    Reading a key that the deck does not give gives its default, or None. Values are numbers, tuples of numbers, texts, and
    lists of these for keys that may be repeated. A key that does not exist raises DeckError; what values are allowed and
    which keys go together is the program's to say: `check`.
    """

    def __init__(self, text: str | Mapping[str, Any] = "", path: str | os.PathLike | None = None, **sections: Mapping[str, Any]):
        # Pairs of a full name, empty for lines without a key, and the line; a section's name stands in its header.
        self._lines: list[tuple[str, str]] = []
        self.path = None if path is None else pathlib.Path(path)
        if isinstance(text, str):
            self._parse(text)
        else:
            self.update(text)
        for section, values in sections.items():
            setattr(self, section, values)

    @classmethod
    def read(cls, path: str | os.PathLike) -> Deck:
        """The deck in a file. What it names by a relative path is looked for in the file's folder."""
        return cls(pathlib.Path(path).read_text(encoding="utf-8"), path)

    def copy(self) -> Deck:
        return Deck(str(self), self.path)

    def _parse(self, text: str) -> None:
        section = ""
        for line in text.splitlines():
            content = line.partition("#")[0].strip()
            name = ""
            if content.startswith("[") and content.endswith("]"):
                section = content[1:-1].strip()
            elif "=" in content:
                name = f"{section}.{content.partition('=')[0].strip()}"
                _known(name)
            self._lines.append((name, line))

    def _texts(self, name: str) -> list[str]:
        return [line.partition("#")[0].partition("=")[2].strip() for key, line in self._lines if key == name]

    def __getitem__(self, name: str) -> Any:
        key, texts = _known(name), self._texts(name)
        if key.repeatable:
            return [_value(text) for text in texts]
        if texts:
            return _value(texts[-1])
        return None if key.default is None else _value(key.default)

    def __setitem__(self, name: str, value: Any) -> None:
        key = _known(name)
        if value is None:
            self._remove(name)
            return
        many = key.repeatable and not isinstance(value, str) and isinstance(value, Sequence)
        texts = [value_text(entry) for entry in value] if many else [value_text(value)]
        places = [k for k, (given, _) in enumerate(self._lines) if given == name]
        short = name.partition(".")[2]
        if len(places) == len(texts):
            for place, text in zip(places, texts):
                comment = re.search(r"\s*#.*$", self._lines[place][1])
                self._lines[place] = (name, f"{short} = {text}" + (comment[0] if comment else ""))
            return
        place = places[0] if places else self._end_of(key.section)
        self._remove(name)
        self._lines[place:place] = [(name, f"{short} = {text}") for text in texts]

    def _end_of(self, section: str) -> int:
        """Where a line is added to a section, which is made if it is not there."""
        inside, end = False, None
        for k, (name, line) in enumerate(self._lines):
            content = line.partition("#")[0].strip()
            if content.startswith("["):
                inside = content[1:-1].strip() == section
            if inside and (name or content):
                end = k + 1
        if end is None:
            if self._lines and self._lines[-1][1].strip():
                self._lines.append(("", ""))
            self._lines.append(("", f"[{section}]"))
            end = len(self._lines)
        return end

    def _remove(self, name: str) -> None:
        self._lines = [line for line in self._lines if line[0] != name]

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._remove(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for name, _ in self._lines if name))

    def __len__(self) -> int:
        return len(set(name for name, _ in self._lines if name))

    def __contains__(self, name: object) -> bool:
        return any(given == name for given, _ in self._lines)

    def __getattr__(self, name: str) -> Section:
        if not name.startswith("_") and any(key.section == name for key in all_keys().values()):
            return Section(self, name)
        raise AttributeError(f"A deck has no section {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("path", "_lines"):
            object.__setattr__(self, name, value)
        elif "." in name:
            self[name] = value
        elif isinstance(value, Mapping):
            self.update({f"{name}.{key}": entry for key, entry in value.items()})
        elif any(key.section == name for key in all_keys().values()):
            raise DeckError(f"The section {name!r} takes a mapping of keys to values, and not {value!r}.")
        else:
            whole = [key.name for key in all_keys().values() if key.name.partition(".")[2] == name]
            raise DeckError(f"There is no section {name!r}" + (f"; did you mean {' or '.join(map(repr, whole))}?" if whole else "."))

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *dict.fromkeys(key.section for key in all_keys().values())]

    def __str__(self) -> str:
        return "\n".join(line for _, line in self._lines) + "\n"

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and str(self) == str(other)

    def write(self, path: str | os.PathLike) -> None:
        """Writes the deck to a file, which it then belongs to."""
        pathlib.Path(path).write_text(str(self), encoding="utf-8")
        self.path = pathlib.Path(path)

    def _named(self) -> Iterator[tuple[int, int, int]]:
        """The line and the first and last characters of each file that the deck names."""
        held = {text.partition(":")[0].strip() for text in self._texts("table.column")}  # tables of the deck's own
        for place, (key, line) in enumerate(self._lines):
            if not key:
                continue
            content = line.partition("#")[0]
            listed = re.search(r"=\s*rod\.shape_file\s*:\s*list\(", content) if key == "rod.each" else None
            if listed:
                for found in re.compile(r"([^,()\s][^,()]*?)\s*[,)]").finditer(content, listed.end()):
                    yield place, *found.span(1)
                continue
            names_file = key in FILE_KEYS or (key == "study.scenarios" and ":" not in content)
            pattern = r"=\s*(.*\S)" if names_file else r"\btable\(\s*([^,()]*[^,()\s])"
            for found in re.finditer(pattern, content):
                if names_file or found[1] not in held:
                    yield place, *found.span(1)

    def _resolved_name(self, name: str) -> str:
        return os.path.abspath(os.path.join(self.path.parent if self.path else "", name))

    def files(self) -> list[pathlib.Path]:
        """The files that the deck names, from anywhere; of one with datasets or members the file itself."""
        names = ((self._lines[place][0], self._lines[place][1][first:last]) for place, first, last in self._named())
        return [pathlib.Path(self._resolved_name(name.rpartition(":")[0] if key == "rod.state" else name.partition(":/")[0]))
                for key, name in names]

    def with_absolute_files(self) -> Deck:
        """The deck with absolute names of the files that it names by relative ones."""
        changed = self.copy()
        for place, first, last in reversed(list(self._named())):
            key, line = changed._lines[place]
            changed._lines[place] = (key, line[:first] + self._resolved_name(line[first:last]) + line[last:])
        return changed

    def check(self, whole_deck: bool = False) -> str:
        """What `rodeo check` says of the deck: members, steps, warnings, cost; with `whole_deck` all its values too. Runs no
        member; DeckError if it is not valid, with the program's sentence."""
        from .program import check

        return check(self, whole_deck=whole_deck)


def content_digest(deck: Deck, overrides: Sequence[str] = ()) -> str:
    """What tells the deck and all that stands in the files that it, or an override, names from any other content."""
    lines = (line.partition(".") for line in overrides)
    changes = Deck("".join(f"[{section}]\n{line}\n" for section, _, line in lines), deck.path)
    digest = hashlib.blake2b(f"{os.path.abspath(deck.path or '.')}\0{deck}\0{changes}".encode(), digest_size=16)
    for path in deck.files() + changes.files():
        digest.update(f"{path}\0".encode())
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()
