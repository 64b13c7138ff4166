"""A campaign's file as numpy, pandas and xarray: this and dataset.py alone know its HDF5 layout in Python."""

from __future__ import annotations

import difflib
import functools
import math
import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np

from . import checksums
from .deck_keys import key_unit
from .errors import RodeoError

if TYPE_CHECKING:
    import pandas
    import xarray

STATUS_NAMES = ("pending", "done", "diverged", "stopped early", "failed", "timed out", "too stiff", "pruned", "tangled",
                "settled", "unstable", "no equilibrium", "gained energy", "passed through", "out of points", "crushed")
(PENDING, DONE, DIVERGED, STOPPED_EARLY, FAILED, TIMED_OUT, TOO_STIFF, PRUNED, TANGLED,
 SETTLED, UNSTABLE, NO_EQUILIBRIUM, GAINED_ENERGY, PASSED_THROUGH, OUT_OF_POINTS, CRUSHED) = range(len(STATUS_NAMES))
USABLE = (DONE, STOPPED_EARLY, SETTLED, UNSTABLE)  # whose observables mean something
FAILURES = (DIVERGED, FAILED, TIMED_OUT, TOO_STIFF, TANGLED, NO_EQUILIBRIUM, GAINED_ENERGY, PASSED_THROUGH,
            OUT_OF_POINTS, CRUSHED)
AS_BRANCH_KEY = "as branch.key"  # the unit of what is a value of the key that a branch is followed over
# Tables of members up to this size are read at once, so that what was opened stays as it was; of larger ones, each column
# when it is asked for.
READ_AT_ONCE = 64 * 2**20
ROWS_AT_ONCE = 2**15
WHOLE_AT_ONCE = 2**24  # bytes of frames that are checked together


class EnsembleError(RodeoError):
    """A file that cannot be read as an ensemble; the text is one sentence that names the file."""


def _text(value) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _open(path: str) -> h5py.File:
    """The file without a lock: it may belong to a campaign that is still writing, and reading never disturbs it."""
    return h5py.File(path, "r", locking=False)


class NoSuchColumn(EnsembleError, KeyError):
    """A parameter or an observable that a file does not have; the text is one sentence."""

    __str__ = Exception.__str__


class Columns(Mapping):
    """The columns of a table of members by their names, each [members]; NaN where a member is not finished."""

    def __init__(self, path: str, table: h5py.Dataset, committed: np.ndarray):
        self._entries = {_text(name): place for place, name in enumerate(table.attrs["names"])}
        self._path, self._table, self._committed = path, table.name, committed
        self._read: dict[str, np.ndarray] = {}
        self.size = table.size * table.dtype.itemsize
        # A packed table is unpacked as a whole, whichever column is asked for.
        self._at_once = self.size <= READ_AT_ONCE or table.chunks is not None
        if self.size <= READ_AT_ONCE:
            self._keep(table[:])

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name) -> bool:
        return name in self._entries

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self)})"

    def _keep(self, rows: np.ndarray) -> None:
        for name, place in self._entries.items():
            self._read[name] = np.where(self._committed, rows[:, place], np.nan)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._entries:
            hint = "."
            if near := difflib.get_close_matches(str(name), self, 1, cutoff=0.75):
                hint = f"; did you mean {near[0]!r}?"
            elif self._table.endswith("observables"):
                hint = f": a file holds what its deck can fill; `rodeo observables {name}` says what that takes."
            raise NoSuchColumn(f"{self._path} holds no {name!r}{hint}")
        if name not in self._read:
            with _open(self._path) as file:
                if self._at_once:
                    self._keep(file[self._table][:])
                else:
                    column = file[self._table][:, self._entries[name]]
                    self._read[name] = np.where(self._committed, column, np.nan)
        return self._read[name]

    def one_by_one(self) -> Iterator[tuple[str, np.ndarray]]:
        """All columns; those of a large table that nobody has asked for yet are not kept. A few that stand side by side are read
        together, which takes as long as one."""
        names = list(self)
        at_once = max(1, len(names) if self._at_once else READ_AT_ONCE * len(names) // self.size)
        for first in range(0, len(names), at_once):
            group = names[first : first + at_once]
            if self._at_once or all(name in self._read for name in group):
                yield from ((name, self[name]) for name in group)
                continue
            with _open(self._path) as file:
                rows = file[self._table][:, first : first + at_once]
            yield from ((name, np.where(self._committed, rows[:, place], np.nan)) for place, name in enumerate(group))

    def copy_to(self, rows: np.ndarray) -> None:
        """Writes the whole table into `rows` [members, columns], part by part: memory of its own would take longer than reading."""
        if len(self._read) == len(self):
            for place, name in enumerate(self):
                rows[:, place] = self._read[name]
            return
        with _open(self._path) as file:
            for first in range(0, len(rows), ROWS_AT_ONCE):
                part = slice(first, first + ROWS_AT_ONCE)
                rows[part] = file[self._table][part]
        rows[~self._committed] = np.nan


class MemberDeck:
    """The deck of a campaign as one of its members has it."""

    def __init__(self, ensemble, member):
        self._ensemble, self._member = ensemble, member

    def deck_values(self, key):
        """As of the campaign, but what the study gives the member."""
        parameters = self._ensemble.parameters
        if key in parameters:
            return [self._ensemble.parameter_text(key, parameters[key][self._member])]
        return self._ensemble.deck_values(key)

    def deck_numbers(self, key):
        """As of the campaign, but for entries that the study gives the member."""
        parameters = self._ensemble.parameters
        if key in parameters:
            return [float(parameters[key][self._member])]
        numbers = self._ensemble.deck_numbers(key)
        return [float(parameters[entry][self._member]) if (entry := f"{key}[{k}]") in parameters else number
                for k, number in enumerate(numbers)]


class Ensemble:
    """The members of one campaign as numpy arrays with one entry per member, finished or not.

    A member counts as finished once its row is committed; the others have status PENDING and NaN values. `members` has the
    same as a table of pandas, `dataset` all that the file holds for xarray.
    """

    def __init__(self, path: str | os.PathLike):
        self.path = str(path)
        if not os.path.isfile(self.path):
            raise EnsembleError(f"{self.path} does not exist or is not a file.")
        try:
            with _open(self.path) as file:
                self._read(file)
        except (OSError, RuntimeError) as error:
            raise EnsembleError(f"{self.path} is not a readable HDF5 file ({error}).") from error
        except KeyError as error:
            raise EnsembleError(f"{self.path} is not a rodeo ensemble file ({error.args[0]}).") from error
        except (ValueError, TypeError) as error:
            raise EnsembleError(f"{self.path} is damaged ({error}).") from error

    def _read(self, file):
        members = file["members"]
        broken = checksums.broken_seal(file)
        if broken:
            raise EnsembleError(f"{self.path} is damaged: {broken} is not as it was written.")
        # The commit word is written after its row, so it must be read before it: what counts is then complete. A row that is
        # not as it was when it was committed counts as not finished, as for the program.
        commit = members["commit"][:]
        sound = checksums.sound_scalars(members, commit)
        status = members["status"][:]
        self.committed = sound & (status != PENDING) & (status < len(STATUS_NAMES))
        self._whole: dict[int, bool] = {}  # members whose frames were looked at
        self.status = np.where(self.committed, status, PENDING)
        self.deck = _text(file["deck"][()])
        self.usable = np.isin(self.status, USABLE)
        self.failed = np.isin(self.status, FAILURES)
        self.attributes = {
            name: _text(value) if isinstance(value, (bytes, str)) else value for name, value in file.attrs.items()
        }

        self.parameters = Columns(self.path, members["parameters"], self.committed)
        # A parameter that is a word is held as its place among the choices of its key.
        choices = [_text(words) for words in members["parameters"].attrs.get("words", ())]
        self.words = {name: words.split("|") for name, words in zip(self.parameters, choices) if words}
        self.observables = Columns(self.path, members["observables"], self.committed)
        units = members["observables"].attrs["units"]
        self.units = {name: _text(unit) for name, unit in zip(self.observables, units)}
        # Of the observables that the deck defines, which are the last ones.
        definitions = [_text(text) for text in members["observables"].attrs.get("definitions", ())]
        names = list(self.observables)[len(self.observables) - len(definitions) :]
        self.definitions = dict(zip(names, definitions))
        for name in ("candidate", "repeat", "seed", "steps", "wall_seconds", "rank"):
            setattr(self, name, members[name][:])
        # The scenario of each member, 0 in studies without any, and the parameters that scenarios set.
        scenario = members.get("scenario")
        self.scenario = np.zeros(len(self.status), np.uint32) if scenario is None else scenario[:]
        self.scenario_keys = [] if scenario is None else [_text(key) for key in scenario.attrs["keys"]]
        self.frames = file["trajectories/time"].shape[1] if "trajectories" in file else 0
        self.frame_observables = sorted(file["trajectories/observables"]) if "trajectories/observables" in file else []

        self.tables = {_text(name): self._read_table(file[name]) for name in file.attrs["tables"]}
        # The levels of a convergence study from coarse to fine, the generations of an optimisation so far, and the map of a
        # boundary study.
        self.convergence = self.tables.get("convergence")
        self.optimize = self.tables.get("optimize")
        self.boundary = self.tables.get("boundary")
        self.sensitivity = self.tables.get("sensitivity")  # a row for each round of a study of sensitivities and observable

    @staticmethod
    def _read_table(group):
        """The rows of a table that are there: its columns and its texts by their names, and the names that belong to a
        column's numbers as "COLUMN_names"."""
        marks = group["commit"][:]  # read before the rows, which are complete once it is set
        there = checksums.sound_rows((group[_text(name)][:] for name in group.attrs["columns"]), marks)
        columns = {name: column[:][there] for name, column in group.items() if name != "commit"}
        texts = {name: _text(value) for name, value in group.attrs.items() if name != "columns"}
        names = {f"{name}_names": [_text(entry) for entry in column.attrs["names"]] for name, column in group.items()
                 if "names" in column.attrs}
        return columns | texts | names

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"{self.path}: {len(self)} members, {np.count_nonzero(self.committed)} finished"

    def unit(self, name: str) -> str:
        """The unit of a parameter or an observable; of values of a branch's key that of the key."""
        unit = self.units[name] if name in self.units else key_unit(name)
        return key_unit((self.deck_values("branch.key") or [""])[0]) if unit == AS_BRANCH_KEY else unit

    @property
    def complete(self) -> bool:
        """Whether the study has come to its end. One whose points follow from results has room for more members than it needs."""
        if self.committed.all() or any(table is not None and table["last"].any() for table in (self.optimize, self.sensitivity)):
            return True
        levels = self.tables.get("fidelity")
        if levels is not None and levels["state_names"][levels["state"][-1]] == "done":
            return True
        branches = self.tables.get("branch_counts")
        if branches is not None and len(branches["to_come"]) > 0:
            return not branches["to_come"][-1]
        return self.boundary is not None and bool(self.tables["boundary_counts"]["ended"].any())

    @property
    def status_names(self) -> tuple[str, ...]:
        """The word of each status."""
        return STATUS_NAMES

    @property
    def rerun(self) -> np.ndarray:
        """With which line of `study.rerun` each member has run, counted from 1; 0: with the deck's own values."""
        found = np.zeros(len(self), dtype=np.int32)
        numbers = self.candidate * int(*self.deck_numbers("study.repeats")) + self.repeat
        for number, line in enumerate(self.deck_values("study.rerun"), 1):
            for text in line.partition(" with ")[0].split(","):
                first, _, last = text.partition("-")
                found[(numbers >= int(first)) & (numbers <= int(last or first))] = number
        return found

    @property
    def members(self) -> pandas.DataFrame:
        """A row a member, finished or not: what it is, how it ended, its parameters and observables (units: `units`)."""
        import pandas

        # All reals in one array: pandas copies tables that are put together from several.
        names = ["wall_seconds", *self.parameters, *self.observables]
        reals = np.empty((len(self), len(names)))
        reals[:, 0] = self.wall_seconds
        first_observable = 1 + len(self.parameters)
        self.parameters.copy_to(reals[:, 1:first_observable])
        self.observables.copy_to(reals[:, first_observable:])
        table = pandas.DataFrame(reals, pandas.RangeIndex(len(self), name="member"), names, copy=False)
        scenario = {"scenario": self.scenario} if self.scenario_keys else {}
        rerun = {"rerun": self.rerun} if self.deck_values("study.rerun") else {}
        others = {"candidate": self.candidate, **scenario, "repeat": self.repeat, "seed": self.seed,
                  "status": pandas.Categorical.from_codes(self.status, STATUS_NAMES), "steps": self.steps, "rank": self.rank, **rerun}
        for place, (name, values) in enumerate(others.items()):
            table.insert(place, name, values)
        for name, words in self.words.items():
            places = self.parameters[name]
            codes = np.where(np.isfinite(places), places, -1).astype(int)
            table[name] = pandas.Categorical.from_codes(codes, words)
        return table

    @property
    def dataset(self) -> xarray.Dataset:
        """All that the file holds about members, as a dataset of xarray with named dimensions and units, read when it is
        asked for."""
        from .dataset import dataset_of

        return dataset_of(self)

    @property
    def grid(self) -> xarray.Dataset:
        """The observables of a sweep on the grid of its axes, as a dataset of xarray with the values of the keys as coordinates;
        along `repeat` where members were repeated. NaN where a member is not finished."""
        from .dataset import grid_of

        return grid_of(self)

    @property
    def scenarios(self) -> xarray.Dataset:
        """The observables of a search that has `study.scenarios`, as a dataset of xarray along `candidate` and `scenario`, and
        along `repeat` where members were repeated; with the values of the keys as coordinates. NaN where a member is not
        finished."""
        from .dataset import scenarios_of

        return scenarios_of(self)

    @property
    def repeats(self) -> int:
        """How many members a candidate has in a scenario."""
        return int(self.repeat[self.committed].max(initial=0)) + 1

    @property
    def counting(self) -> np.ndarray:
        """Which members count in a search: of those that ended well, those on its last level of fidelity whose candidates fulfil
        optimize.constraint."""
        counting = self.usable.copy()
        levels = self.tables.get("fidelity")
        if levels is not None and len(levels["values"]):
            for name, value in zip(levels["values_names"], levels["values"][-1]):
                counting &= self.parameters[name] == value
        for line in self.deck_values("optimize.constraint"):
            at_most = "<=" in line
            name, _, bound = line.partition("<=" if at_most else ">=")
            values = self.over_scenarios(name.strip(), largest_is_worst=at_most)
            counting &= values <= float(bound) if at_most else values >= float(bound)
        return counting

    def over_scenarios(self, name: str, largest_is_worst: bool) -> np.ndarray:
        """For each member an observable as its candidate has it, by which a search compares: the mean over repeats, and over
        study.worst_share of the scenarios, those where it is worst. NaN where a candidate is not complete or has members that
        failed."""
        values = np.where(self.usable, self.observables[name], np.nan)
        scenarios = int(self.scenario.max()) + 1
        repeats = self.repeats
        if len(self) % (scenarios * repeats):
            return np.full(len(self), np.nan)
        means = np.sort(values.reshape(-1, scenarios, repeats).mean(axis=2), axis=1)  # NaN last
        share = float((self.deck_values("study.worst_share") or ["1"])[0])
        count = max(1, math.ceil(share * scenarios - 1e-9))
        worst = means[:, ::-1][:, :count] if largest_is_worst else means[:, :count]
        reduced = np.where(np.isnan(means).any(axis=1), np.nan, worst.mean(axis=1))
        return np.repeat(reduced, scenarios * repeats)

    def table(self, name: str) -> pandas.DataFrame:
        """The rows of a table that the study left (`tables` has their names); numbers of one row as columns NAME[ENTRY]."""
        import pandas

        if name not in self.tables:
            raise EnsembleError(f"{self.path} has no table {name!r}; there are: {', '.join(self.tables) or 'none'}.")
        table, columns = self.tables[name], {}
        for column, values in table.items():
            if not isinstance(values, np.ndarray):
                continue
            if values.ndim == 1:
                columns[column] = values
                continue
            for k, entry in enumerate(table.get(f"{column}_names", range(values.shape[1]))):
                columns[f"{column}[{entry}]"] = values[:, k]
        return pandas.DataFrame(columns)

    def keep_widest_level(self):
        """Of a sweep on several levels of fidelity, takes members for pending but those of the dearest level of those with most."""
        levels = self.tables["fidelity"]
        values = levels["values"][np.flatnonzero(levels["candidates"] == levels["candidates"].max())[-1]]
        for name, value in zip(levels["values_names"], values):
            self.committed &= self.parameters[name] == value
        self.status = np.where(self.committed, self.status, PENDING)
        self.usable &= self.committed
        self.failed &= self.committed

    def count(self, status):
        return int(np.count_nonzero(self.status == status))

    def parameter_text(self, name, value):
        """A parameter's value as a deck would give it."""
        return self.words[name][int(value)] if name in self.words and np.isfinite(value) else f"{value:.6g}"

    def deck_values(self, key):
        """The values the deck gives for "section.key" as texts, one per line it stands on."""
        values, section = [], ""
        for line in self.deck.splitlines():
            line = line.partition("#")[0].strip()
            if line.startswith("[") and line.endswith("]"):
                section = line[1:-1].strip() + "."
            elif "=" in line:
                name, _, value = line.partition("=")
                if section + name.strip() == key:
                    values.append(value.strip())
        return values

    @property
    def axes(self):
        """The parameters of a sweep, or of a boundary, by the axes of its deck; the names of one list move together."""
        lines = self.deck_values("sweep.axis") if self.deck_values("study.kind") in (["sweep"], ["boundary"]) else []
        return [[part.partition(":")[0].strip() for part in re.split(r"(?<=\))\s*with\s", line)] for line in lines]

    def axis_points(self, key):
        """The values of a parameter along its axis of the deck, in their order, words as their places; None where the deck
        has no such axis, or draws points from it."""
        lines = self.deck_values("sweep.axis") if self.deck_values("sweep.sampler") in ([], ["grid"]) else []
        for part in (part for line in lines for part in re.split(r"(?<=\))\s*with\s", line)):
            name, _, call = part.partition(":")
            form, _, arguments = call.strip().rstrip(")").partition("(")
            arguments = [argument.strip() for argument in arguments.split(",")]
            if name.strip() != key:
                continue
            if form == "list":
                words = self.words.get(key)
                return np.array([words.index(word) if words else float(word) for word in arguments], dtype=float)
            first, last, count = (float(argument) for argument in arguments)
            return (np.geomspace if form == "logspace" else np.linspace)(first, last, int(count))
        return None

    def is_listed(self, key):
        """Whether a parameter's axis of the deck is a list of values, between which nothing is known."""
        lines = self.deck_values("sweep.axis")
        return any(re.search(rf"(^|with\s+){re.escape(key)}\s*:\s*list\(", line) for line in lines)

    def deck_numbers(self, key):
        """The numbers of a list key; none if the deck does not give it."""
        values = self.deck_values(key)
        return [float(number) for number in values[0].split(",")] if values else []

    def of_member(self, member):
        """The deck with a member's parameters in it, to be asked as this is: deck_values(), deck_numbers()."""
        return MemberDeck(self, member)

    def rod_radii(self, member):
        """The radius of each rod that frames of a member hold at its first node, m, of sections that are no circles that of the
        circle of their area; None where the deck gives none."""
        radii = self.values_of_rods("rod.radius", member)
        if radii is not None:
            return radii
        ratios = self.values_of_rods("rod.radius_per_length", member)
        lengths = self.values_of_rods("rod.length", member)
        if ratios and lengths:
            return [ratio * length for ratio, length in zip(ratios, lengths)]
        widths, thicknesses = self.values_of_rods("rod.width", member), self.values_of_rods("rod.thickness", member)
        if not widths or not thicknesses:
            return None
        share = 0.25 if self.of_member(member).deck_values("rod.section") == ["ellipse"] else 1 / math.pi
        return [math.sqrt(share * width * thickness) for width, thickness in zip(widths, thicknesses)]

    def node_radii(self, member):
        """The radii [nodes] of each rod that frames of a member hold: those of its first frame that frames hold (output.fields),
        else those of the deck, which may taper; None where it gives none."""
        with _open(self.path) as file:
            stored = "radius" in file["trajectories"]
        if stored:
            radii = [rod[..., 0] for rod in self.rods(member, "radius")[1]]
            known = np.flatnonzero(np.isfinite(np.concatenate(radii, axis=1)).all(axis=1))
            if len(known):
                return [rod[known[0]] for rod in radii]
        first = self.rod_radii(member)
        if first is None:
            return None
        ratios = [1.0] * len(first)
        for end, start in (("rod.end_radius", first), ("rod.end_width", self.values_of_rods("rod.width", member))):
            ends = self.values_of_rods(end, member)
            if ends and start:
                ratios = [last / begin for last, begin in zip(ends, start)]
        radii = []
        for rod, radius, ratio in zip(self.reached_rods(member)[1], first, ratios):
            along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(rod[0], axis=0), axis=1))])
            radii.append(radius * (1 + (ratio - 1) * along / max(along[-1], 1e-300)))
        return radii

    def strain_measure(self, member):
        """What a picture can tell of how rods of a member are bent: "bending strain" (radius times curvature) of round rods that
        are straight by nature, "radius times curvature" of those that are not, "curvature (1/m)" of other sections."""
        deck = self.of_member(member)
        varied = {*(line.partition(":")[0].strip() for line in deck.deck_values("rod.each")), *self.tables.get("scene", ())}
        if (deck.deck_values("rod.section") or ["circle"]) != ["circle"] or "rod.section" in varied:
            return "curvature (1/m)"
        curved = deck.deck_values("rod.shape") not in ([], ["straight"]) and deck.deck_values("rod.rest_shape") != ["straight"]
        drawn = any(name.partition("[")[0] in ("rod.shape", "rod.rest_shape", "rod.intrinsic_curvature") for name in varied)
        natural = any(deck.deck_numbers("rod.intrinsic_curvature")) or any(deck.deck_values("actuation.curvature"))
        return "radius times curvature" if curved or drawn or natural else "bending strain"

    def values_of_rods(self, key, member):
        """The value of a key for each rod that frames of a member hold: by the study, by chance, by rod.each, or one for all;
        None without one."""
        rods = self.rod_numbers(member)
        # Where values of rod.each name the key itself, a study varies what they are made of.
        if key in self.tables.get("scene", ()):
            scene = self.tables["scene"]
            # A candidate whose rods are those of the one before has no rows of its own.
            candidates = scene["candidate"][scene["candidate"] <= self.candidate[member]]
            return scene[key][scene["candidate"] == candidates.max()][rods].tolist()
        if key in self.parameters:
            return [float(self.parameters[key][member])] * len(rods)
        for line in self.deck_values("rod.each"):
            name, _, values = line.partition(":")
            if name.strip() == key and values.strip().startswith("list("):
                each = values.strip()[len("list(") : -1].split(",")
                return [float(each[rod]) for rod in rods]
        values = self.deck_values(key)
        return [float(values[0])] * len(rods) if values else None

    def trajectory(self, member, field="position"):
        """time [frames] in s and a field [frames, nodes, components] of a member; NaN for frames it never reached."""
        if self.frames == 0:
            raise EnsembleError(f"{self.path} holds no trajectories (output.frames = 0).")
        if not 0 <= member < len(self):
            raise EnsembleError(f"{self.path} has members 0 to {len(self) - 1}, not {member}.")
        if not self.committed[member]:
            raise EnsembleError(f"Member {member} of {self.path} is not finished.")
        with _open(self.path) as file:
            if not self.whole([member])[0]:
                raise EnsembleError(f"The frames of member {member} of {self.path} are damaged.")
            trajectories = file["trajectories"]
            if field not in trajectories:
                raise EnsembleError(f"{self.path} holds no {field}: add it to output.fields.")
            time = trajectories["time"][member]
            if "offset" not in trajectories:
                return time, trajectories[field][member]
            # Members of different node counts stand one after the other in rows.
            nodes = int(trajectories["nodes"][member])
            first = int(trajectories["offset"][member])
            rows = trajectories[field][first : first + len(time) * nodes]
            return time, rows.reshape(len(time), nodes, -1)

    def whole(self, members):
        """Which of these members are finished, with all of their frames as they were committed; looked at once."""
        unknown = np.array([member for member in members if self.committed[member] and member not in self._whole], dtype=int)
        with _open(self.path) as file:
            group = file["trajectories"]
            ragged = "offset" in group
            step = 1 if ragged else max(1, WHOLE_AT_ONCE // max(1, sum(field.nbytes // len(self) for field in self._fields(group))))
            for first in range(0, len(unknown), step):
                rows = unknown[first : first + step]
                self._whole.update(zip(rows.tolist(), checksums.whole_rows(file["members"], rows, self._stored(group, rows)).tolist()))
        return np.array([self._whole.get(int(member), False) for member in members], dtype=bool)

    def _fields(self, group):
        """The fields of frames and what is beside them, in the order of the file's checksums."""
        names = [*checksums.FIELDS, *(f"observables/{name}" for name in self.observables), "at_data", "mode_shapes"]
        return [group[name] for name in names if name in group]

    def _stored(self, group, rows):
        """The times of members' frames and all their fields [rows, ...], in that order; of members that differ in their nodes
        one at a time."""
        one = slice(rows[0], rows[-1] + 1)
        yield group["time"][one][rows - rows[0]]
        if "offset" not in group:
            for field in self._fields(group):
                yield field[one][rows - rows[0]]
            return
        nodes, first = int(group["nodes"][rows[0]]), int(group["offset"][rows[0]])
        for field in self._fields(group):
            name = field.name.rpartition("/")[2]
            if field.parent.name.endswith("observables") or name == "at_data":
                yield field[one]
                continue
            count = len(field) // int(group["nodes"][:].sum())  # frames, or modes
            begin = first // self.frames * count
            yield field[begin : begin + count * nodes][np.newaxis]

    @functools.cached_property
    def modes(self):
        """How many vibrations members report (modes.count)."""
        return int((self.deck_values("modes.count") or [0])[0])

    def history(self, member, observable):
        """time [frames] in s and an observable [frames] of a member as its frames hold it; NaN for frames it never reached."""
        if observable not in self.frame_observables:
            raise EnsembleError(f"The frames of {self.path} hold no {observable}: add it to output.observables.")
        time, _ = self.trajectory(member)
        with _open(self.path) as file:
            return time, file["trajectories/observables"][observable][member]

    def rod_numbers(self, member):
        """The numbers, from 0, of the rods that frames of a member hold (output.rods); without output.rods these are all."""
        with _open(self.path) as file:
            if "rod_numbers" in file["trajectories"]:
                numbers = file["trajectories/rod_numbers"][member]
                return numbers[numbers >= 0]
        return np.arange(len(self.rod_nodes(member)))

    def rod_nodes(self, member):
        """Nodes of each rod that frames of a member hold; they stand one after the other in its positions."""
        with _open(self.path) as file:
            trajectories = file["trajectories"]
            if "rod_nodes" in trajectories:
                nodes = trajectories["rod_nodes"][member]
                return nodes[nodes > 0]
            ragged = "nodes" in trajectories
            return np.array([trajectories["nodes"][member] if ragged else trajectories["position"].shape[2]])

    @functools.cached_property
    def data(self):
        """The measured positions that the deck compares rods with (measure.data), by name: time [points] in s, place [points]
        as texts, position [points, 3] in m, NaN where it is not known, and weight [points]."""
        lines = [line.partition(":") for line in self.deck_values("measure.point")]
        heads = [head.partition(",") for head, _, _ in lines]
        numbers = [[float(part) if part.strip() else np.nan for part in tail.split(",")] for _, _, tail in lines]
        return {
            "time": np.array([float(time) for time, _, _ in heads]),
            "place": np.array([" ".join(place.split()) for _, _, place in heads]),
            "position": np.array([row[:3] for row in numbers]).reshape(-1, 3),
            "weight": np.array([row[3] if len(row) > 3 else 1.0 for row in numbers]),
        }

    def at_data(self, member):
        """Where a member's rods are at the points of its data [points, 3], m; NaN for points it never reached."""
        if not len(self.data["time"]):
            raise EnsembleError(f"The deck of {self.path} has no measure.data.")
        self.trajectory(member)  # which says why, if there is none
        with _open(self.path) as file:
            return file["trajectories/at_data"][member]

    def mode_shapes(self, member):
        """The shapes of a member's vibrations [modes, nodes, 6] (modes.count): of each node its displacement in m and the turn
        of its element in rad along d1, d2, d3, with a modal mass of 1 kg; NaN for modes it has not."""
        time, _ = self.trajectory(member)
        with _open(self.path) as file:
            trajectories = file["trajectories"]
            if "mode_shapes" not in trajectories:
                raise EnsembleError(f"{self.path} holds no shapes of vibrations (modes.count with output.frames).")
            if "offset" not in trajectories:
                return trajectories["mode_shapes"][member]
            # Members of different node counts stand one after the other, each with as many modes.
            nodes = int(trajectories["nodes"][member])
            modes = len(trajectories["mode_shapes"]) // int(trajectories["nodes"][:].sum())
            first = int(trajectories["offset"][member]) // len(time) * modes
            return trajectories["mode_shapes"][first : first + modes * nodes].reshape(modes, nodes, -1)

    def vibration(self, member, mode, frames=51):
        """time [frames] in s, over a period, and a list of the positions [frames, nodes, 3] of each rod of a member that swings
        in a mode, counted from 1, about its last frame, by a tenth of its size."""
        shapes = self.mode_shapes(member)
        if not 1 <= mode <= len(shapes):
            raise EnsembleError(f"{self.path} has modes 1 to {len(shapes)}, not {mode}.")
        shape, rest = shapes[mode - 1, :, :3], self.reached_rods(member)[1]
        if not np.isfinite(shape).all():
            raise EnsembleError(f"Member {member} of {self.path} has no mode {mode}.")
        size = max(np.ptp(np.concatenate([rod[-1] for rod in rest]), axis=0))
        largest, turn = np.linalg.norm(shape, axis=1).max(), np.linalg.norm(shapes[mode - 1, :, 3:], axis=1).max()
        if largest < 1e-6 * size * turn:
            raise EnsembleError(f"Mode {mode} of member {member} of {self.path} turns sections and moves no node.")
        phase = np.linspace(0, 1, frames)
        swing = np.sin(2 * np.pi * phase)[:, None, None] * (0.1 * size / largest * shape)
        parts = np.split(swing, np.cumsum(self.rod_nodes(member))[:-1], axis=1)
        frequency = abs(self.observables[f"frequency_{mode}"][member])
        return phase / (frequency or 1.0), [rod[-1] + part for rod, part in zip(rest, parts)]

    def rods(self, member, field="position"):
        """time [frames] in s and a list of a field [frames, nodes, components] for each rod that frames of a member hold."""
        time, values = self.trajectory(member, field)
        return time, np.split(values, np.cumsum(self.rod_nodes(member))[:-1], axis=1)

    def reached_rods(self, member):
        """As rods(), without the frames that the member never reached; EnsembleError if that leaves none."""
        time, rods = self.rods(member)
        reached = np.isfinite(time) & np.isfinite(np.concatenate(rods, axis=1)).all(axis=(1, 2))
        if not reached.any():
            raise EnsembleError(f"Member {member} of {self.path} has no stored frame.")
        return time[reached], [rod[reached] for rod in rods]
