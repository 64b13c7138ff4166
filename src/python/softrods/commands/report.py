"""Writes one self-contained HTML page about a campaign, finished or not: how far it is, results, pictures, members that
failed, what it cost, all members as a table that sorts, what was asked and by whom.

rodeo report FILE.h5 [-o PAGE.html]        (default: the file's name with .html)
rodeo report FILE.h5 --follow              makes the page anew while the campaign goes on; browsers that show it follow
rodeo report FILE.h5 --follow --serve      serves it to this machine too, for ssh -L or a browser here
"""

import argparse
import base64
import contextlib
import functools
import html
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import matplotlib

matplotlib.use("Agg")  # before pyplot, so that no display is needed

import matplotlib.pyplot as plt
import numpy as np

from .. import follow, pictures
from ..ensemble import STATUS_NAMES, Ensemble
from ..errors import RodeoError
from ..figures.convergence import errors
from ..figures.style import STYLE as PICTURE_STYLE
from ..own_files import MARK
from ..program import status
from ..texts import printable

PACKAGES = str(pathlib.Path(__file__).resolve().parents[2])  # what another command finds this package in
FAILURES_SHOWN = 50
SLOWEST_SHOWN = 5
BEST_SHOWN = 5
PARAMETERS_SHOWN = 12  # of each member
MEMBERS_SHOWN = 2000
SECONDS = 5.0  # between two pages of a campaign that is followed, at least
PORT = 8765
TURNING_HEIGHT = 520  # pixels of rods that turn
TURNING_NUMBERS = 600_000  # of their positions, which are 1.6 MB: of larger members fewer frames
INK = "#1f2a44"
# In the order of STATUS_NAMES.
STATUS_COLOURS = ("#d5dae2", "#3f7f5f", "#c8553d", "#7fa8d6", "#8c1c13", "#d9a441", "#8a5a9e", "#a9b7a2", "#5b3a29", "#6fb08a",
                  "#e0a08f", "#4a4e5a", "#e2712d", "#6d2f6b", "#2f6f8f", "#9c7a3c")

STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:66rem;margin:2rem auto;padding:0 1rem;color:#1f2a44}
h1{margin-bottom:0}h2{margin-top:3rem;border-bottom:2px solid #e3e7ee}
table{border-collapse:collapse;margin:1rem 0}td,th{border-bottom:1px solid #e3e7ee;padding:.2rem .8rem;text-align:left}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}td.n{white-space:nowrap}th{vertical-align:bottom}img{max-width:100%}code,pre{font-size:85%}
pre{background:#f5f7fa;padding:1rem;overflow-x:auto}.wide{overflow-x:auto}.bad{color:#b3261e;font-weight:bold}
.bar{display:flex;height:1.4rem;border-radius:.3rem;overflow:hidden;margin:1rem 0 .3rem}
.key{display:inline-block;width:.9rem;height:.9rem;border-radius:.2rem;margin:0 .3rem 0 1rem;vertical-align:-.1rem}
.left{font-size:1.3rem;margin:.3rem 0}.good{color:#1d6b45}.still{color:#9a5b00}
.high{max-height:32rem;overflow:auto;font-size:85%}.high td,.high th{padding:.15rem .5rem}
.high th{position:sticky;top:0;background:#fff}.sorts th{cursor:pointer}.sorts th:hover{text-decoration:underline}
th[aria-sort=ascending]::after{content:" \\25b2"}th[aria-sort=descending]::after{content:" \\25bc"}
input{font:inherit;padding:.1rem .4rem}"""

# Sorts and filters tables, which stay so in the next page, and takes that in the place of this one while it is followed.
SCRIPT = """(() => {
  const name = "rodeo " + document.title;
  let kept = {};
  try { kept = JSON.parse(sessionStorage.getItem(name)) || {}; } catch {}
  const keep = () => { try { sessionStorage.setItem(name, JSON.stringify(kept)); } catch {} };
  const value = cell => {
    const text = cell.dataset.v ?? cell.textContent;
    return text === "" || isNaN(text) ? text : Number(text);
  };
  const compare = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1;
  function arrange(table) {
    const {column, down, words} = kept[table.id] || {};
    const heads = [...table.tHead.rows[0].cells], rows = [...table.tBodies[0].rows];
    heads.forEach((head, k) => k === column ? head.setAttribute("aria-sort", down ? "descending" : "ascending")
                                            : head.removeAttribute("aria-sort"));
    if (column !== undefined)
      table.tBodies[0].append(...rows.map(row => [value(row.cells[column]), row])
        .sort((a, b) => down ? compare(b[0], a[0]) : compare(a[0], b[0])).map(pair => pair[1]));
    rows.forEach(row => row.hidden = !!words && !row.textContent.toLowerCase().includes(words.toLowerCase()));
  }
  function begin() {
    for (const table of document.querySelectorAll("table.sorts")) {
      [...table.tHead.rows[0].cells].forEach((head, column) => {
        head.tabIndex = 0;
        head.title = "sort";
        head.onclick = () => {
          const before = kept[table.id] || {};
          kept[table.id] = {...before, column, down: before.column === column && !before.down};
          keep();
          arrange(table);
        };
        head.onkeydown = event => { if (event.key === "Enter") head.onclick(); };
      });
      const field = document.querySelector(`input[data-table="${table.id}"]`);
      if (field) {
        field.value = (kept[table.id] || {}).words || "";
        field.oninput = () => {
          kept[table.id] = {...kept[table.id], words: field.value};
          keep();
          arrange(table);
        };
      }
      arrange(table);
    }
    for (const [k, details] of document.querySelectorAll("details").entries()) {
      details.open = !!kept["details " + k];
      details.ontoggle = () => { kept["details " + k] = details.open; keep(); };
    }
    const seconds = Number(document.body.dataset.refresh);
    if (seconds) setTimeout(next, 1000 * seconds);
  }
  async function next() {
    const busy = document.hidden || document.activeElement?.tagName === "INPUT" || !getSelection().isCollapsed;
    if (busy) return setTimeout(next, 1000);
    if (location.protocol === "file:") return location.reload();
    try {
      const answer = await fetch(location.href, {cache: "no-store"});
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const places = [...document.querySelectorAll(".high")].map(box => box.scrollTop);
      document.body.replaceWith(document.adoptNode(page.body));
      begin();
      document.querySelectorAll(".high").forEach((box, k) => box.scrollTop = places[k] || 0);
    } catch {
      const note = document.getElementById("note");
      if (note) note.textContent = "No newer page comes: rodeo report has ended.";
      setTimeout(next, 5000);
    }
  }
  begin();
})();"""


def text(value):
    return html.escape("\n".join(map(printable, str(value).split("\n"))))


def number(value):
    return f"{value:.6g}" if np.isfinite(value) else "–"


def shown_parameters(ensemble):
    """The parameters that have columns in tables: of many the first ones, and those that scenarios set."""
    names = list(ensemble.parameters)
    if len(names) <= PARAMETERS_SHOWN:
        return names
    moved = [name for name in names if name not in ensemble.scenario_keys]
    return [*moved[: max(1, PARAMETERS_SHOWN - len(ensemble.scenario_keys))], *ensemble.scenario_keys[:PARAMETERS_SHOWN]]


def parameters(ensemble, member):
    return (ensemble.parameter_text(name, ensemble.parameters[name][member]) for name in shown_parameters(ensemble))


def duration(seconds):
    for unit, length in (("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3)):
        if seconds >= length or unit == "ms":
            return f"{seconds / length:.3g} {unit}"


class Time(float):
    """Seconds, which a table shows in a unit that suits them."""

    def __str__(self):
        return duration(self)


def table(header, rows, numeric_from=1, sorts="", high=False):
    """Cells are texts that are escaped here; columns from `numeric_from` on are numbers. One that `sorts` has that name, and does
    so by a click; a `high` one scrolls in a window of its own."""
    def cell(tag, k, content, attributes=""):
        return f"<{tag}{' class=n' if k >= numeric_from else ''}{attributes}>{content}"

    def value(entry):  # times in units would sort by their texts
        return f" data-v={float(entry)!r}" if isinstance(entry, Time) else ""

    # Long names break at their joints, so that a table of many parameters fits the page.
    names = [text(name).replace(".", ".<wbr>").replace("_", "_<wbr>").replace("[", "<wbr>[") for name in header]
    head = "".join(cell("th", k, name) for k, name in enumerate(names))
    body = "".join("<tr>" + "".join(cell("td", k, text(entry), value(entry)) for k, entry in enumerate(row)) for row in rows)
    named = f' id="{sorts}" class=sorts' if sorts else ""
    return f"<div class='wide{' high' if high else ''}'><table{named}><thead><tr>{head}<tbody>{body}</table></div>"


def embedded(png, caption):
    return f'<img alt="{text(caption)}" src="data:image/png;base64,{base64.b64encode(png).decode()}">'


def drawn(figure, caption):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    plt.close(figure)
    return embedded(buffer.getvalue(), caption)


def plotted(file, **options):
    """The picture of a campaign, as rodeo plot draws it, and its numbers; or why there is none."""
    said = io.StringIO()
    try:
        # From the file itself: what is drawn may leave members out.
        with contextlib.redirect_stdout(said):
            figure = pictures.plot(file, numbers=True, **options)
        with plt.rc_context(PICTURE_STYLE):
            return drawn(figure, f"picture of {pathlib.Path(file).name}"), said.getvalue()
    except Exception as error:  # of a campaign that runs there may be too little yet for its picture
        return f"<p>{text(error if isinstance(error, RodeoError) else f'The picture cannot be drawn yet ({error}).')}</p>", ""


@functools.lru_cache(maxsize=4)
def rendered(file, member, _stamp):
    """The last frame of a member; `_stamp` says of which state of the file."""
    with tempfile.TemporaryDirectory(prefix="rodeo-report-") as folder:
        picture = pathlib.Path(folder) / "picture.png"
        command = [sys.executable, "-B", "-m", f"{__package__}.render", file, "-o", picture, "--member", str(member), "--frame", "-1"]
        paths = os.pathsep.join(filter(None, (PACKAGES, os.environ.get("PYTHONPATH"))))
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": paths})
        if done.returncode != 0:
            return f"<p>{text(done.stderr.strip())}</p>"
        return embedded(picture.read_bytes(), f"last frame of {pathlib.Path(file).name}")


@functools.lru_cache(maxsize=4)
def turning(file, member, _stamp):
    """The rods of a member, to be turned and played, below what one opens."""
    try:
        rods = pictures.show(file, member)
        return f"<details><summary>Turn and play it</summary>{rods.framed(TURNING_HEIGHT, TURNING_NUMBERS)}</details>"
    except RodeoError as error:
        return f"<p>{text(error)}</p>"


def progress(ensemble, standing):
    """How far the campaign is, what it has found so far and when it will end."""
    finished = int(ensemble.committed.sum())
    counted = f"{finished} of {len(ensemble)} members finished"
    if standing is None:
        return f"<p class=left>{counted}</p>"
    parts = []
    if standing["running"]:
        left = standing["seconds_left"]
        about = "at most" if standing["seconds_left_at_most"] else "about"
        known = f"{about} {roughly(left)} left" if left else "time left not known yet"
        until = time.strftime(", until %Y-%m-%d %H:%M UTC", time.gmtime(time.time() + left)) if left else ""
        done = f"{100 * standing['share_done']:.1f} % of the work done"
        parts.append(f"<p class=left><b class=good>Running</b>, {done}, {known}{until}</p>")
    elif standing["complete"]:
        parts.append("<p class=left><b class=good>Complete</b></p>")
    else:
        again = f"<code>rodeo resume {text(ensemble.path)}</code> goes on with it"
        parts.append(f"<p class=left><b class=still>Stopped</b> with {100 * standing['share_done']:.1f} % done: {again}</p>")
    facts = [counted]
    if standing["running_members"]:
        facts.append(f"{standing['running_members']:.0f} running")
    if standing["members_per_second"]:
        facts.append(rate(standing["members_per_second"]))
    facts.append(f"started {standing['started']} on {standing['ranks']} rank{'' if standing['ranks'] == 1 else 's'}")
    if standing["resumes"]:
        facts.append(f"resumed {standing['resumes']} time{'' if standing['resumes'] == 1 else 's'}")
    parts.append(f"<p>{text('; '.join(facts))}.</p>")
    if standing["study"]:
        parts.append(f"<p>{text(standing['study'])}</p>")
    if standing["best"]:
        values = standing["best"]["parameters"]
        at = ", ".join(f"{name} = {number(value) if isinstance(value, (int, float)) else value}"
                       for name, value in list(values.items())[:PARAMETERS_SHOWN])
        at += f" and {len(values) - PARAMETERS_SHOWN} more" if len(values) > PARAMETERS_SHOWN else ""
        best = standing["best"]
        who = (f"candidate {best['candidate']}, over {standing['scenarios']} scenarios," if standing["scenarios"]
               else f"member {best['member']}")
        value = f"{number(standing['best']['value'])} {unit_after(ensemble, standing['objective'])}".strip()
        parts.append(f"<p>Best {text(standing['objective'])}: <b>{text(value)}</b>, "
                     f"{who}{text(' at ' + at if at else '')}</p>")
    return "".join(parts)


def roughly(seconds):
    """A time that is predicted, in the largest unit of which there are two."""
    unit, length = next(((unit, length) for unit, length in (("h", 3600), ("min", 60)) if seconds >= 2 * length), ("s", 1))
    value = seconds / length
    return f"{value:.0f} {unit}" if value >= 10 else f"{value:.2g} {unit}"


def unit_after(ensemble, name):
    """The unit of a number, where it has one."""
    unit = ensemble.unit(name) if name in ensemble.observables else ""
    return "" if unit == "1" else unit


def headed(ensemble, name):
    """An observable as the head of a column, with its unit."""
    unit = unit_after(ensemble, name)
    return f"{name} ({unit})" if unit else name


def rate(per_second):
    """Members a second, minute or hour, in the unit of which there is one."""
    for unit, length in (("s", 1), ("min", 60)):
        if per_second * length >= 1:
            return f"{per_second * length:.3g} members/{unit}"
    return f"{3600 * per_second:.3g} members/h"


def state(ensemble):
    counts = [ensemble.count(status) for status in range(len(STATUS_NAMES))]
    names = ("not needed" if ensemble.complete else STATUS_NAMES[0], *STATUS_NAMES[1:])
    shown = [entry for entry in zip(names, counts, STATUS_COLOURS, strict=True) if entry[1]]
    shown.sort(key=lambda entry: entry[0] == names[0])  # what is to come stands last, so that the bar grows to the right
    bar = "".join(f'<div style="flex:{count};background:{colour}"></div>' for _, count, colour in shown)
    key = "".join(f'<span class=key style="background:{colour}"></span>{name} {count}' for name, count, colour in shown)
    return f"<div class=bar>{bar}</div><p>{key}</p>"


def provenance(ensemble):
    rows = [(name.replace("_", " "), value) for name, value in ensemble.attributes.items()]
    return "<h2>Provenance</h2>" + table(("", ""), rows, numeric_from=2)


def statistics(ensemble):
    several = ensemble.usable.sum() > 1
    parts = ["<h2>Results</h2>"]
    for title, columns in (("Parameters", ensemble.parameters), ("Observables", ensemble.observables)):
        rows, zero = [], []
        for name, values in columns.one_by_one():
            values = values[ensemble.usable & np.isfinite(values)]
            if title == "Observables" and len(values) and not values.any():
                zero.append(name)
            elif len(values) and name not in ensemble.words:
                summary = (values.min(), values.mean(), values.std(), values.max()) if several else (values[0],)
                rows.append((name, ensemble.unit(name), *map(number, summary)))
        if rows:
            header = (title, "unit", *(("least", "mean", "standard deviation", "greatest") if several else ("value",)))
            parts.append(table(header, rows, numeric_from=2, high=title == "Parameters" and len(rows) > PARAMETERS_SHOWN))
        if zero:
            parts.append(f"<p>Zero: {text(', '.join(zero))}.</p>")
    return "".join(parts)


def first_that_turned_off(ensemble):
    """Of branches the one to be shown: the first that left another."""
    branches = ensemble.tables["branch"]
    turned = branches["candidate"][branches["turn"] != 0]
    return int(turned.min()) if len(turned) else 0


def best_members(ensemble):
    if "branch" in ensemble.tables:
        return "", first_that_turned_off(ensemble)
    objective = ensemble.deck_values("study.objective")
    if not objective or objective[0] not in ensemble.observables:
        return "", 0
    name = objective[0]
    values = ensemble.observables[name]
    sign = 1 if ensemble.deck_values("study.sense") == ["min"] else -1
    over = "scenarios" if ensemble.scenario_keys else "repeats" if ensemble.optimize is not None and ensemble.repeats > 1 else ""
    if over:
        values = ensemble.over_scenarios(name, sign > 0)
    usable = np.flatnonzero(ensemble.counting & np.isfinite(values))
    if len(usable) == 0:
        return "", 0
    if over:
        # The first member of each candidate stands for it.
        usable = usable[np.unique(ensemble.candidate[usable], return_index=True)[1]]
    best = usable[np.argsort(sign * values[usable], kind="stable")][:BEST_SHOWN]
    rows = [(member, number(values[member]), *parameters(ensemble, member)) for member in best]
    header = ("member", headed(ensemble, name), *shown_parameters(ensemble))
    title = f"Best candidates, over their {over}," if over else "Best members"
    return f"<h2>{title} by {text(name)}</h2>" + table(header, rows, sorts="best"), int(best[0])


def last_frame(ensemble, best):
    """A picture of the best member: from the file itself, or from the one where its frames were kept."""
    path = pathlib.Path(ensemble.path)
    sources = [(path, best)] + [(path.with_name(f"{path.stem}_{kind}.h5"), 0) for kind in ("kept", "best")]
    for source, member in sources:
        if not source.exists():
            continue
        frames = ensemble if source == path else Ensemble(source)
        if frames.frames and frames.committed[member]:
            stamp = (frames.attributes.get("start_time"), float(frames.wall_seconds[member]))
            return f"<h2>Member {best}, last frame</h2>{rendered(source, member, stamp)}{turning(source, member, stamp)}"
    return ""


def convergence(ensemble):
    ladder = ensemble.convergence
    if ladder is None:
        return ""
    found = errors(ladder)
    rows = [
        (int(ladder["n"][k]), number(ladder["step"][k]), *(number(error[k]) for error in found.values()),
         *map(number, np.atleast_1d(ladder["observed_order"][k])))
        for k in range(len(ladder["n"]))
    ]
    header = ("elements", "step (s)", *found, *(f"order of {name}" for name in found))
    return f"<h2>Convergence over {text(ladder['key'])}</h2>" + table(header, rows)


def failures(ensemble):
    failed = np.flatnonzero(ensemble.failed)
    parts = ["<h2>Failures</h2>"]
    if len(failed) == 0:
        return parts[0] + "<p>None.</p>"
    parts.append(f"<p class=bad>{len(failed)} of {int(ensemble.committed.sum())} finished members failed.</p>")
    rows = [
        (member, STATUS_NAMES[ensemble.status[member]], ensemble.steps[member], ensemble.seed[member],
         *parameters(ensemble, member))
        for member in failed[:FAILURES_SHOWN]
    ]
    parts.append(table(("member", "status", "steps", "seed", *shown_parameters(ensemble)), rows, numeric_from=2, sorts="failures"))
    if len(failed) > FAILURES_SHOWN:
        parts.append(f"<p>And {len(failed) - FAILURES_SHOWN} more: <code>scripts/read_ensemble.py --csv</code> lists all.</p>")
    return "".join(parts)


def cost(ensemble):
    done = np.flatnonzero(ensemble.committed)
    seconds, steps = ensemble.wall_seconds[done], ensemble.steps[done]
    rows = [
        ("time in members", duration(seconds.sum())),
        ("time steps", f"{steps.sum():.4g}"),
        ("time of a step", duration(seconds.sum() / max(1, steps.sum()))),
        ("a member: median, longest", f"{duration(np.median(seconds))}, {duration(seconds.max())}"),
    ]
    parts = ["<h2>Cost</h2>", table(("", ""), rows)]
    slowest = done[np.argsort(-seconds, kind="stable")][:SLOWEST_SHOWN]
    header = ("slowest members", "time", "steps", "rank", *shown_parameters(ensemble))
    parts.append(table(header, [
        (member, Time(ensemble.wall_seconds[member]), ensemble.steps[member], ensemble.rank[member],
         *parameters(ensemble, member))
        for member in slowest
    ], sorts="slowest"))
    ranks = ensemble.rank[done]
    parts.append("<h3>By rank</h3>" + table(
        ("rank", "members", "failed", "time in members", "of all", "mean of a member", "longest", "steps"),
        [(rank, mine.sum(), ensemble.failed[done][mine].sum(), Time(seconds[mine].sum()),
          f"{100 * seconds[mine].sum() / max(seconds.sum(), 1e-300):.1f} %", Time(seconds[mine].mean()), Time(seconds[mine].max()),
          steps[mine].sum()) for rank, mine in ((rank, ranks == rank) for rank in np.unique(ranks))],
        sorts="ranks", high=True))
    if len(done) > 1:
        figure, panels = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
        panels[0].hist(seconds, bins=40, color="#3f74bd")
        panels[0].set(xlabel="time of a member (s)", ylabel="members", title="How long members took")
        busy = np.bincount(ranks, weights=seconds)
        panels[1].bar(np.arange(len(busy)), busy, color="#3f74bd")
        panels[1].set(xlabel="rank", ylabel="time in members (s)", title="How the work was shared")
        panels[1].xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True))
        for panel in panels:
            panel.spines[["top", "right"]].set_visible(False)
        parts.append(drawn(figure, "time of members and share of the ranks"))
    return "".join(parts)


def members(ensemble, standing):
    """All finished members, or of very many those that matter: what is asked of them, by any column."""
    done = np.flatnonzero(ensemble.committed)
    asked = standing["asked"] if standing else ensemble.deck_values("study.objective")
    names = list(dict.fromkeys(name for name in asked if name in ensemble.observables))
    shown, note = done, f"All {len(done)} that are finished."
    if len(done) > MEMBERS_SHOWN:
        failed = np.flatnonzero(ensemble.failed)[: MEMBERS_SHOWN // 4]
        best = done[:0]
        if names:
            values = ensemble.observables[names[0]][done]
            sign = 1 if ensemble.deck_values("study.sense") == ["min"] else -1
            best = done[np.argsort(np.where(np.isfinite(values), sign * values, np.inf), kind="stable")][: MEMBERS_SHOWN // 4]
        others = done[np.linspace(0, len(done) - 1, MEMBERS_SHOWN // 2).astype(int)]
        shown = np.unique(np.concatenate([failed, best, others]))
        note = (f"{len(shown)} of {len(done)} that are finished: some that failed, the best, and others from the first to the "
                "last; scripts/read_ensemble.py --csv lists all.")
    rows = [(member, STATUS_NAMES[ensemble.status[member]], Time(ensemble.wall_seconds[member]), ensemble.steps[member],
             ensemble.rank[member], *parameters(ensemble, member), *(number(ensemble.observables[name][member]) for name in names))
            for member in shown]
    header = ("member", "status", "time", "steps", "rank", *shown_parameters(ensemble),
              *(headed(ensemble, name) for name in names))
    field = '<input type=search data-table=members placeholder="filter" aria-label="show members whose row has this text">'
    head = f"<h2>Members</h2><p>{text(note)} A click on a column sorts. {field}</p>"
    return head + table(header, rows, 2, sorts="members", high=True)


def shortened(line, most=1000):
    """A line of the deck; of one that holds a file's points or nodes, its beginning."""
    return line if len(line) <= most else f"{line[:most]} ... ({len(line)} characters)"


def page(ensemble, standing):
    """`standing` is what `rodeo status --json` says, None where the program is not there."""
    finished = int(ensemble.committed.sum())
    name = pathlib.Path(ensemble.path).name
    kind = (ensemble.deck_values("study.kind") or ["single"])[0]
    parts = [
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta name="generator" content="{MARK}">'
        f"<title>rodeo: {text(name)}</title><style>{STYLE}</style>{follow.BODY}<h1>{text(name)}</h1>",
        f"<p>Study of kind {text(kind)}{', complete' if ensemble.complete else ''}: {finished} of {len(ensemble)} members finished "
        f"({os.path.getsize(ensemble.path) / 2**20:.3g} MiB; this page: {time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime())}). "
        "<span id=note class=still></span></p>",
        progress(ensemble, standing),
        state(ensemble),
    ]
    if finished:
        picture, printed = plotted(ensemble.path)
        parts.append(f"<h2>Picture</h2>{picture}")
        if printed:
            parts.append(f"<details><summary>The numbers of the picture</summary><pre>{text(printed)}</pre></details>")
        if len(ensemble) == 1 and ensemble.frame_observables and "branch" not in ensemble.tables:
            parts.append(f"<h2>In time</h2>{plotted(ensemble.path, histories=True)[0]}")
        table_of_best, member = best_members(ensemble)
        parts.append(table_of_best)
        parts.append(last_frame(ensemble, member))
        parts += [convergence(ensemble), failures(ensemble), cost(ensemble), members(ensemble, standing), statistics(ensemble)]
    parts.append(provenance(ensemble))
    deck = "\n".join(shortened(line) for line in ensemble.deck.splitlines())
    parts.append(f"<h2>Deck</h2><p>With all defaults, as stored in the file.</p><pre>{text(deck)}</pre>"
                 f"<script>{SCRIPT}</script></html>")
    return "\n".join(parts)


def say(line):
    print(printable(line), flush=True)


def report(path, output):
    follow.Published(output).publish(page(Ensemble(path), status(path)))
    say(f"Report: {output}")


def report_again(path, output, seconds, port):
    """The page as the campaign goes on. Served pages stay until the program is ended."""
    os.nice(5)  # the campaign may need all cores of this machine
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that the page says that it is the last
    published = follow.Published(output)
    with follow.served(published, port) as address:
        say(f"Report: {output}" + (f", at {address}" if address else ""))
        follow.follow(path, published, page, seconds, say)
        say(f"{path} is complete" + ("; the page is served until Ctrl-C" if address else ""))
        while address:
            signal.pause()


def main(program="scripts/report"):
    parser = argparse.ArgumentParser(prog=program, description=__doc__.replace("rodeo report", program),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("file", help="ensemble file written by rodeo run")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="page to write")
    parser.add_argument("--follow", nargs="?", type=float, const=SECONDS, metavar="SECONDS",
                        help=f"make the page anew at most this often ({SECONDS:g}) until the study is complete")
    parser.add_argument("--serve", nargs="?", type=int, const=PORT, metavar="PORT",
                        help=f"with --follow: serve the page to this machine alone, at 127.0.0.1:PORT ({PORT}; 0: any free one)")
    arguments = parser.parse_args()
    if arguments.serve is not None and arguments.follow is None:
        parser.error("--serve needs --follow")
    if arguments.follow is not None and not arguments.follow > 0:
        parser.error("--follow takes a number of seconds above 0")
    output = arguments.output or pathlib.Path(arguments.file).with_suffix(".html")
    try:
        if arguments.follow is None:
            report(arguments.file, output)
        else:
            report_again(arguments.file, output, arguments.follow, arguments.serve)
    except (RodeoError, OSError) as error:
        sys.exit(f"report: {error}")
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


if __name__ == "__main__":
    main()
