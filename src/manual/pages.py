#!/usr/bin/python3
"""Fills the folder from which Sphinx makes the site: pages of src/manual, pages of other folders, and what the program says.

src/manual/pages.py FOLDER [--program build/rodeo] [--pictures FOLDER]

Without Sphinx, so that tests can ask what stands on the pages. A file is written only where it changes: Sphinx then reads the
changed ones alone. Pictures of the gallery are drawn where a folder for them is given; those that are newer than their deck stay.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import layout

MOST_LINES = 300
# Pages of other folders: what they are on the site, and what leads to them there.
OTHER_PAGES = {
    "inputs/examples/README.md": "studies/examples.md",
    "inputs/studies/README.md": "studies/studies.md",
    "inputs/validation/README.md": "studies/validation.md",
    "inputs/validation/peers.md": "studies/peers.md",
    "src/README.md": "project/contributing.md",
    "src/CHANGELOG.md": "project/changes.md",
    "tests/README.md": "project/tests.md",
}
STANDS_FOR = {  # pages that only point to the manual
    "README.md": "index.md",
    "inputs/README.md": "howto/index.md",
    "jobs/README.md": "clusters/index.md",
    "scripts/README.md": "howto/pictures.md",
    "src/python/README.md": "python/index.md",
}
SECTIONS = {
    "study": "What the deck asks for. See [How to: studies](../../howto/index.md).",
    "sweep": "Axes and points of a [sweep](../../howto/sweep.md).",
    "refine": "A [boundary](../../howto/boundary.md) over a few axes.",
    "convergence": "A ladder of resolutions: [Convergence](../../howto/convergence.md).",
    "optimize": "A search: [Optimise](../../howto/optimise.md).",
    "fidelity": "[Cheap levels first](../../howto/levels.md), in a search or a sweep.",
    "sensitivity": "[Sensitivities](../../howto/sensitivity.md).",
    "model": "[Which model?](../../howto/choose_model.md)",
    "noop": "Members without physics, to try a machine.",
    "function": "Test functions of optimisers in place of rods.",
    "rod": "What rods are: [shapes and sections](../../howto/shapes.md), [several rods](../../howto/several_rods.md), "
    "[placement](../../howto/many_rods_at_random.md), [how motion starts](../../howto/start_of_motion.md), "
    "[damping](../../howto/damping_step.md).",
    "boundary": "What holds the ends: [Hold a rod](../../howto/hold.md).",
    "joint": "Joints from end to end: [Connect rods](../../howto/connect.md).",
    "control": "Feedback and inputs: [Control](../../howto/control.md), [from Python](../../python/simulation.md).",
    "motion": "Places that are held or moved: [Move places](../../howto/move.md).",
    "load": "Forces and couples: [Drive rods](../../howto/drive.md).",
    "gravity": "Weight.",
    "connection": "Springs, joints and bonds: [Connect rods](../../howto/connect.md).",
    "ground": "[Floor with friction](../../howto/floor.md), [walls, pegs and plates](../../howto/walls.md).",
    "muscle": "Muscles: [Drive rods](../../howto/drive.md).",
    "actuation": "Drives by formulas: [Drive rods](../../howto/drive.md).",
    "table": "Tables that formulas name: [Variables and formulas](../../howto/variables.md).",
    "fluid": "A viscous [fluid](../../howto/fluid.md).",
    "contact": "[Contact between rods](../../howto/contact.md).",
    "time": "Steps, end and method: [Step, damping, stiffness](../../howto/damping_step.md), [implicit steps]"
    "(../../howto/implicit.md), [equilibria](../../howto/equilibrium.md).",
    "newton": "Newton's method in implicit steps and equilibria.",
    "modes": "[Vibrations](../../howto/modes.md).",
    "observe": "When members end: [members that settle](../../howto/settle.md), buckling, energy.",
    "variable": "Numbers of your own: [Variables and formulas](../../howto/variables.md).",
    "measure": "Observables of your own: [Measures](../../howto/measures.md); [measured data](../../howto/fit_data.md).",
    "output": "[What is stored](../../howto/frames.md).",
    "branch": "[Branches and critical loads](../../howto/branches.md).",
}
EXIT_CODES = {
    "done": "done; members that did not end well are named at the end",
    "bad_input": "bad input: the message says where and what is allowed; nothing was written",
    "failed": "failed, or no member at all ended well; the message says how many of each status, the first of them, and the likely "
    "cause",
    "done_with_losses": "done, but ranks were lost on the way",
    "stopped": "stopped in good order by a signal (INT, TERM, USR1) or before the end of its time; `rodeo resume` goes on",
}


class Site:
    """The folder that is filled; what nobody wrote this time is removed at the end."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.written = set()

    def write(self, name, text):
        path = self.folder / name
        self.written.add(path)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def copy(self, source, name):
        path = self.folder / name
        self.written.add(path)
        if path.exists() and path.read_bytes() == source.read_bytes():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)

    def remove_the_rest(self):
        for path in sorted(self.folder.rglob("*"), reverse=True):
            if path.is_file() and path not in self.written:
                path.unlink()
            elif path.is_dir() and not any(path.iterdir()):
                path.rmdir()


class Program:
    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()

    def __call__(self, *arguments, folder=None):
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=folder)
        if done.returncode != 0:
            raise SystemExit(f"pages: {self.path.name} {' '.join(map(str, arguments))} failed:\n{done.stderr}")
        return done.stdout


def entries(listing):
    """Of a listing of the program: names with their text and what stands behind "unit", "" where there is none."""
    found = {}
    for line in listing.splitlines():
        name = line.split()[0] if line[:1].strip() else None
        if name is not None:
            found[name] = []
            line = line[len(name) :]
        if line.strip():
            found[list(found)[-1]].append(line.strip())
    result = {}
    for name, lines in found.items():
        places = [place for place, line in enumerate(lines) if line.startswith("unit ")]
        place = places[-1] if places else len(lines)
        result[name] = (" ".join(lines[:place]), " ".join(lines[place:]))
    return result


# ---- what the program says


def escaped(text):
    return re.sub(r"([\\<>*_\[\]|$])", r"\\\1", text)


def linked(text):
    """With the keys that a text names between backticks, which become links."""
    parts = re.split(rf"\b((?:{'|'.join(SECTIONS)})\.[a-z_]+)\b", text)
    return "".join(f"`{part}`" if place % 2 else escaped(part) for place, part in enumerate(parts))


def described(kind, name, text, small):
    """An entry of the reference, which the search finds by its name."""
    return [f":::{{{kind}}} {name}", linked(text), "", linked(small), ":::", ""]


def allowed(key):
    if key["choices"]:
        values = "one of " + ", ".join(key["choices"])
    elif key["type"] == "text":
        values = "text"
    else:
        values = {"real": "real", "integer": "integer", "real_list": "list of numbers"}[key["type"]]
        if key["entries"]:
            values = f"{key['entries']} numbers"
        low, high = key["minimum"], key["maximum"]
        if low is not None and high is not None:
            values += f", from {low:g} to {high:g}"
        elif low is not None:
            values += f" {'>' if key['minimum_excluded'] else '>='} {low:g}"
        elif high is not None:
            values += f" <= {high:g}"
    if key["unit"] not in ("", "1"):
        values += f", {key['unit']}" if not key["unit"].startswith("as ") else f", unit {key['unit']}"
    if key["repeatable"]:
        values += ", repeatable"
    values += f". Default: {key['default']}" if key["default"] is not None else ". No default"
    return values + (f". Needs {key['needs']}." if key["needs"] else ".")


def write_keys(site, keys):
    sections = {}
    for key in keys:
        sections.setdefault(key["name"].partition(".")[0], []).append(key)
    if set(sections) != set(SECTIONS):
        raise SystemExit(f"pages: SECTIONS of pages.py and the program differ in {sorted(set(sections) ^ set(SECTIONS))}")
    index = [
        "# Keys",
        "",
        "All keys of a deck, by section. `rodeo keys [PATTERN]` prints the same, and `inputs/reference.ini` is a deck of them.",
        "",
        "| section | keys | about |",
        "|---|---|---|",
    ]
    pages = []
    for section, members in sections.items():
        parts = [members[start : start + 45] for start in range(0, len(members), 45)]
        names = [section if len(parts) == 1 else f"{section}_{number + 1}" for number in range(len(parts))]
        for number, (part, name) in enumerate(zip(parts, names)):
            title = f"# Keys of [{section}]" + (f", {number + 1} of {len(parts)}" if len(parts) > 1 else "")
            lines = [title, "", SECTIONS[section], ""]
            for key in part:
                lines += described("key", key["name"], key["text"], allowed(key))
            site.write(f"reference/keys/{name}.md", "\n".join(lines))
        links = ", ".join(f"[{name.replace('_', ' ')}](keys/{name}.md)" for name in names)
        index.append(f"| {links} | {len(members)} | {SECTIONS[section].replace('../../', '../')} |")
        pages += [f"keys/{name}" for name in names]
    site.write("reference/keys.md", "\n".join([*index, "", "```{toctree}", ":hidden:", "", *pages, "```", ""]))


def by_initial(names, most=46):
    """Names in their order, cut into parts of at most so many."""
    names = list(names)
    parts = -(-len(names) // most)
    size = -(-len(names) // parts)
    return [names[start : start + size] for start in range(0, len(names), size)]


def write_listing(site, kind, title, head, listed):
    """A page, or several where it would be too long."""
    parts = by_initial(listed)
    index = [f"# {title}", "", head, ""]
    pages = []
    for number, part in enumerate(parts):
        lines = []
        for name in part:
            lines += described(kind, name, *listed[name])
        if len(parts) == 1:
            index += lines
            continue
        page = f"{kind}s/{kind}s_{number + 1}"
        pages.append(page)
        site.write(f"reference/{page}.md", "\n".join([f"# {title}: {part[0]} to {part[-1]}", "", *lines]))
        index.append(f"- [{part[0]} to {part[-1]}]({page}.md): " + ", ".join(f"`{name}`" for name in part))
    if pages:
        index += ["", "```{toctree}", ":hidden:", "", *pages, "```", ""]
    site.write(f"reference/{kind}s.md", "\n".join(index))


def functions_and_signals(listed):
    signals = {name: text for name, text in listed.items() if text[1]}
    return signals, {name: text[0] for name, text in listed.items() if not text[1]}


def write_signals(site, listed):
    signals, words = functions_and_signals(listed)
    head = [
        "What `measure.define` makes [measures](../howto/measures.md) of; every observable is a signal of the whole member too.",
        "`rodeo signals` prints the same. Reductions along rods and over time, and functions of all formulas:",
        "",
        "| name | is |",
        "|---|---|",
    ]
    head += [f"| `{name}` | {escaped(text)} |" for name, text in words.items()]
    write_listing(site, "signal", "Signals", "\n".join(head) + "\n", signals)


def statuses():
    """Numbers, words and meanings of how members end, from the header that has them."""
    header = (ROOT / "include" / "rodeo" / "member" / "status.hpp").read_text(encoding="utf-8")
    meanings = re.findall(r"^  (\w+) = (\d+),? *///< (.*)$", header, re.MULTILINE)
    words = re.findall(r'"([^"]+)"', header.partition("names[member_status_count] = {")[2].partition("}")[0])
    good = set(re.findall(r"MemberStatus::(\w+)", header.partition("ended_well")[2].partition("}")[0]))
    return [(int(number), words[int(number)], meaning, name in good) for name, number, meaning in meanings]


def write_statuses(site):
    lines = [
        "# Statuses",
        "",
        "How members end. Numbers are those of `/members/status`. [A member failed](../howto/failed_member.md) says what helps.",
        "",
    ]
    for number, word, meaning, good in statuses():
        lines += described(
            "status",
            word,
            meaning,
            f"Number {number}. {'A good end.' if good else 'Not run.' if number == 0 else 'Not a good end.'}",
        )
    site.write("reference/statuses.md", "\n".join(lines))


def exit_codes():
    header = (ROOT / "include" / "rodeo" / "dispatch" / "campaign.hpp").read_text(encoding="utf-8")
    codes = re.search(r"namespace exit_code \{\nenum : int \{ (.*) \};", header)[1]
    return {name: int(number) for name, number in re.findall(r"(\w+) = (\d+)", codes)}


def write_exit_codes(site):
    codes = exit_codes()
    if set(codes) != set(EXIT_CODES):
        raise SystemExit(f"pages: EXIT_CODES of pages.py and the program differ in {sorted(set(codes) ^ set(EXIT_CODES))}")
    lines = ["# Exit codes", "", "| code | meaning |", "|---|---|"]
    lines += [f"| {number} | {EXIT_CODES[name]} |" for name, number in codes.items()]
    lines += [
        "",
        "Under `mpirun`, INT and TERM stop the ranks in the same good order, but Open MPI then returns a code of its own (1);",
        "USR1 sent to `mpirun` returns 75. With `--enable-recovery` Open MPI 4 returns 0 whatever the ranks",
        "return: `rodeo status` tells then.",
        "",
    ]
    site.write("reference/exit_codes.md", "\n".join(lines))


def features(text):
    """Of each feature how a deck asks for it and which models lack it, with their reasons; and all models."""
    blocks = text.split("\n\n")
    _, models = re.split(r":\n", blocks[0], maxsplit=1)
    found = {}
    for block in [blocks[0].rpartition("\n\n")[2], *blocks[1:]][1:]:
        name, *lines = block.splitlines()
        joined = []
        for line in lines:
            line = line.strip()
            if re.match(r"(asked for by|not [^:]*:) ?", line) and not (joined and re.search(r"\b(and|or|,)$", joined[-1])):
                joined.append(line)
            else:
                joined[-1] += " " + line
        found[name] = joined
    return found, " ".join(models.split())


def write_features(site, text):
    found, models = features(text)
    head = (
        "What decks may ask for, and which models lack it, with the reason. `rodeo features` prints the same. The models, with "
        "their methods and schemes: "
        f"{models}."
    )
    listed = {}
    for name, lines in found.items():
        asked = " ".join(line for line in lines if line.startswith("asked"))
        gaps = [line.removeprefix("not ").partition(": ") for line in lines if not line.startswith("asked")]
        lacking = " ".join(f"Not with {models}: {reason}." for models, _, reason in gaps)
        listed[name] = (
            asked[:1].upper() + asked[1:] + "." if asked else "Every deck asks for it.",
            lacking or "All models have it.",
        )
    write_listing(site, "feature", "Features", head, listed)


def write_commands(site, program):
    usage = program("--help")
    names = list(dict.fromkeys(re.findall(r"(?m)^  rodeo (\w+)", usage)))
    lines = ["# Commands", "", "```text", usage.strip(), "```", ""]
    for name in names:
        lines += [f"## rodeo {name}", "", "```text", program(name, "--help").strip(), "```", ""]
    site.write("reference/commands.md", "\n".join(lines))


def write_reference_index(site, numbers):
    site.write(
        "reference/index.md",
        "\n".join(
            [
                "# Reference",
                "",
                "Made from the program, so that it says what the program does.",
                "",
                "| page | has |",
                "|---|---|",
                f"| [Keys](keys.md) | the {numbers['keys']} keys of a deck, by section |",
                f"| [Observables](observables.md) | the {numbers['observables']} numbers that members report |",
                f"| [Signals](signals.md) | the {numbers['signals']} quantities that measures are made of; functions of formulas |",
                "| [Statuses](statuses.md) | how members end |",
                "| [Features](features.md) | what each model can do, and why not |",
                "| [Commands](commands.md) | the commands of the program and their options |",
                "| [Exit codes](exit_codes.md) | how the program ends |",
                "| [The file of a campaign](file.md) | every dataset of the result file |",
                "",
                "```{toctree}",
                ":hidden:",
                "",
                "keys",
                "observables",
                "signals",
                "statuses",
                "features",
                "commands",
                "exit_codes",
                "file",
                "```",
                "",
            ]
        ),
    )


# ---- pages that are written


def outside_of_code(text, change):
    """Changes a page but what stands in its blocks of code."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))


LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\]\([^)]*\))*)\]\(([^()\s]+)\)")


def page_of(path):
    """The page of the site that a file of the repository is, or None."""
    try:
        return str(path.relative_to(HERE)) if path.suffix == ".md" else None
    except ValueError:
        name = str(path.relative_to(ROOT))
        return OTHER_PAGES.get(name) or STANDS_FOR.get(name)


def with_links(site, text, source, page):
    """Links to files of the repository, as they are right from `source`, made right for `page` of the site: to the page that a file
    is, or to a copy of the file."""

    def changed(match):
        mark, label, target = match.groups()
        label = LINK.sub(changed, label)
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return f"{mark}[{label}]({target})"
        name, _, anchor = target.partition("#")
        path = pathlib.Path(os.path.normpath(source.parent / name))
        if path.is_relative_to(HERE) and not path.exists() and path.suffix == ".md":
            there = str(path.relative_to(HERE))  # a page that is made
        elif not path.exists():
            raise SystemExit(f"pages: {source} links to {target}, which does not exist")
        elif path.is_dir():
            return label
        else:
            there = page_of(path)
            if there is None:
                there = f"files/{path.relative_to(ROOT)}"
                site.copy(path, there)
        link = os.path.relpath(there, pathlib.Path(page).parent)
        return f"{mark}[{label}]({link}{'#' + anchor if anchor else ''})"

    return outside_of_code(text, lambda part: LINK.sub(changed, part))


def write_pages(site):
    for source in sorted(HERE.rglob("*.md")):
        page = str(source.relative_to(HERE))
        site.write(page, with_links(site, source.read_text(encoding="utf-8"), source, page))
    for name, page in OTHER_PAGES.items():
        source = ROOT / name
        site.write(page, with_links(site, source.read_text(encoding="utf-8"), source, page))
    for path in [HERE / "conf.py", *(HERE / "static").iterdir()]:
        site.copy(path, str(path.relative_to(HERE)))


# ---- gallery

MEMBERS_TURNING = 4  # side by side in a page of rods, of a study with more evenly chosen ones


def gallery():
    """Decks with what a run of theirs is given besides: those that can be drawn within seconds, and studies that take longer, of which
    only the stored picture is shown (None)."""
    inputs = ROOT / "inputs"
    table = json.loads((HERE / "examples.json").read_text(encoding="utf-8"))
    decks = {inputs / "examples" / f"{name}.ini": overrides for name, overrides in table.items()}
    quick = json.loads((inputs / "studies" / "pictures.json").read_text(encoding="utf-8"))
    for picture in sorted((inputs / "studies").glob("*.png")):
        entry = quick.get(picture.stem, {"slow": ""})
        decks[picture.with_suffix(".ini")] = None if "slow" in entry else entry["commands"][0][1:]
    return decks


def script(name, *arguments):
    return subprocess.run([ROOT / "scripts" / name, *map(str, arguments)], capture_output=True, text=True, check=False)


def draw_rods(file, folder):
    """Of a campaign with frames a page in which rods turn, and a small still of them."""
    sys.path.insert(0, str(ROOT / "src" / "python"))
    from softrods import Ensemble

    ensemble = Ensemble(file)
    there = [int(member) for member in range(len(ensemble)) if ensemble.committed[member]]
    if not ensemble.frames or not there:
        return
    count = min(MEMBERS_TURNING, len(there))
    members = sorted({there[k * (len(there) - 1) // max(1, count - 1)] for k in range(count)})
    page, still = folder / f"{file.stem}_rods.html", folder / f"{file.stem}_rods.png"
    if script("show", file, "--members", ",".join(map(str, members)), "-o", page).returncode == 0:
        script("render", file, "--member", members[-1], "--frame", -1, "--size", "480x300", "-o", still)


def draw_gallery(program, folder):
    """Those pictures that are older than their deck, or not there; beside each the seconds of a core that its members took."""
    import h5py

    folder.mkdir(parents=True, exist_ok=True)
    for deck, overrides in gallery().items():
        picture = folder / f"{deck.stem}.png"
        if overrides is None or picture.exists() and picture.stat().st_mtime > deck.stat().st_mtime:
            continue
        print(f"Drawing {deck.stem}", flush=True)
        file = folder / f"{deck.stem}.h5"
        program("run", deck, "--output", file, "--overwrite", *overrides)
        done = script("plot", file, "-o", picture)
        if done.returncode != 0:
            raise SystemExit(f"pages: scripts/plot {file.name} failed:\n{done.stderr}")
        draw_rods(file, folder)
        with h5py.File(file, locking=False) as results:
            (folder / f"{deck.stem}.txt").write_text(f"{results['members/wall_seconds'][:].sum():.2g}", encoding="utf-8")
        for leftover in folder.glob(f"{deck.stem}*.h5*"):
            leftover.unlink() if leftover.is_file() else shutil.rmtree(leftover)


def write_gallery(site, pictures):
    """Decks with the first sentences of their heads, the commands that draw them, and what these gave where they were run."""
    site.write("extra/rods/README.txt", "Pages of rods, which scripts/show has written.\n")
    for kind, page in (("examples", "pictures"), ("studies", "pictures_of_studies")):
        lines = [f"# Gallery: {kind}", "", f"[What each shows]({kind}.md). A picture of rods leads to a page in which they turn and move (`scripts/show`).", ""]
        for deck, overrides in gallery().items():
            if deck.parent.name == kind:
                lines += exhibit(site, deck, overrides, pictures)
        site.write(f"studies/{page}.md", "\n".join(lines))


def exhibit(site, deck, overrides, pictures):
    """The lines of a deck in the gallery."""
    head = re.match(r"(?:#.*\n)+", deck.read_text(encoding="utf-8"))[0]
    sentence = re.match(r".*?\.(?= |$)", " ".join(line.lstrip("# ") for line in head.splitlines()))
    path, name = f"inputs/{deck.parent.name}/{deck.name}", deck.stem
    site.copy(deck, f"files/{path}")
    text, shown = f"[{deck.name}](../files/{path}): {escaped(sentence[0]) if sentence else ''}", ""
    drawn = pictures is not None and overrides is not None
    turns = drawn and (pictures / f"{name}_rods.png").exists()
    if turns:
        for ending in ("html", "png"):
            site.copy(pictures / f"{name}_rods.{ending}", f"extra/rods/{name}.{ending}")
        shown = f'<a href="../rods/{name}.html"><img src="../rods/{name}.png" width="480" loading="lazy" alt="rods of {name}, to be turned"></a> '
    picture = pictures / f"{name}.png" if drawn else deck.with_suffix(".png")
    if picture.exists():
        site.copy(picture, f"files/pictures/{name}.png")
        shown += f"![{name}](../files/pictures/{name}.png)"
    if drawn:
        text += f" Cost: {(pictures / f'{name}.txt').read_text(encoding='utf-8')} s of one core."
    given = "".join(f" '{word}'" if re.search(r"[ ,;()]", word) else f" {word}" for word in overrides or [])
    commands = [f"build/rodeo run {path} --output {name}.h5{given}", f"scripts/plot {name}.h5"]
    commands += [f"scripts/show {name}.h5"] if turns else []
    return [f"## {name.replace('_', ' ')}", "", text, "", *([shown, ""] if shown else []), "```sh", *commands, "```", ""]


def main(given=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path, help="is filled with the sources of the site")
    parser.add_argument(
        "--program", default=os.environ.get("RODEO", ROOT / "build" / "rodeo"), help="default: RODEO, or build/rodeo"
    )
    parser.add_argument("--pictures", type=pathlib.Path, metavar="FOLDER", help="where pictures of the gallery are kept")
    parser.add_argument("--doxygen", type=pathlib.Path, metavar="FOLDER", help="where Doxygen's XML of rodeo.hpp stands")
    arguments = parser.parse_args(given)
    site, program = Site(arguments.folder), Program(arguments.program)
    keys = json.loads(program("keys", "--json"))
    observables = entries(program("observables"))
    listed = entries(program("signals"))
    signals = functions_and_signals(listed)[0]
    write_pages(site)
    write_keys(site, keys)
    write_listing(
        site,
        "observable",
        "Observables",
        "What members report. `rodeo observables [PATTERN]` prints the same. "
        "[Measures](../howto/measures.md) are observables of your own.\n",
        observables,
    )
    write_signals(site, listed)
    write_statuses(site)
    write_exit_codes(site)
    write_features(site, program("features"))
    write_commands(site, program)
    layout.write(site, program, ROOT)
    write_reference_index(site, {"keys": len(keys), "observables": len(observables), "signals": len(signals)})
    if arguments.pictures:
        draw_gallery(program, arguments.pictures)
    write_gallery(site, arguments.pictures)
    kinds = (
        {name: "signal" for name in signals} | {name: "observable" for name in observables} | {key["name"]: "key" for key in keys}
    )
    kinds |= {word: "status" for _, word, _, _ in statuses()}
    version = program("--version").split()[1]
    site.write(
        "made.json",
        json.dumps(
            {"kinds": kinds, "version": version, "python": str(ROOT / "src" / "python"), "doxygen": str(arguments.doxygen or "")}
        ),
    )
    site.remove_the_rest()


if __name__ == "__main__":
    main()
