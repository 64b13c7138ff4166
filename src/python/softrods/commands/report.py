"""Writes one self-contained HTML page about a campaign, finished or not: what was asked and by whom, results, pictures,
members that failed, and what it cost.

rodeo report FILE.h5 [-o PAGE.html]        (default: the file's name with .html)
"""

import argparse
import base64
import html
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import matplotlib

matplotlib.use("Agg")  # before pyplot, so that no display is needed

import matplotlib.pyplot as plt
import numpy as np

from ..ensemble import STATUS_NAMES, Ensemble
from ..errors import RodeoError
from ..figures.convergence import errors
from ..own_files import MARK, require_ours

PACKAGES = str(pathlib.Path(__file__).resolve().parents[2])  # what another command finds this package in
FAILURES_SHOWN = 50
SLOWEST_SHOWN = 5
BEST_SHOWN = 5
INK = "#1f2a44"
# In the order of STATUS_NAMES.
STATUS_COLOURS = ("#d5dae2", "#3f7f5f", "#c8553d", "#7fa8d6", "#8c1c13", "#d9a441", "#8a5a9e", "#a9b7a2", "#5b3a29", "#6fb08a",
                  "#e0a08f", "#4a4e5a", "#e2712d", "#6d2f6b", "#2f6f8f")

STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:66rem;margin:2rem auto;padding:0 1rem;color:#1f2a44}
h1{margin-bottom:0}h2{margin-top:3rem;border-bottom:2px solid #e3e7ee}
table{border-collapse:collapse;margin:1rem 0}td,th{border-bottom:1px solid #e3e7ee;padding:.2rem .8rem;text-align:left}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}td.n{white-space:nowrap}th{vertical-align:bottom}img{max-width:100%}code,pre{font-size:85%}
pre{background:#f5f7fa;padding:1rem;overflow-x:auto}.wide{overflow-x:auto}.bad{color:#b3261e;font-weight:bold}
.bar{display:flex;height:1.4rem;border-radius:.3rem;overflow:hidden;margin:1rem 0 .3rem}
.key{display:inline-block;width:.9rem;height:.9rem;border-radius:.2rem;margin:0 .3rem 0 1rem;vertical-align:-.1rem}"""


def text(value):
    return html.escape(str(value))


def number(value):
    return f"{value:.6g}" if np.isfinite(value) else "–"


def parameters(ensemble, member):
    return (ensemble.parameter_text(name, column[member]) for name, column in ensemble.parameters.items())


def duration(seconds):
    for unit, length in (("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3)):
        if seconds >= length or unit == "ms":
            return f"{seconds / length:.3g} {unit}"


def table(header, rows, numeric_from=1):
    """Cells are texts that are escaped here; columns from `numeric_from` on are numbers."""
    def line(tag, cells):
        return "<tr>" + "".join(
            f"<{tag}{' class=n' if k >= numeric_from else ''}>{cell}" for k, cell in enumerate(cells)
        )

    # Long names break at their joints, so that a table of many parameters fits the page.
    names = [text(name).replace(".", ".<wbr>").replace("_", "_<wbr>").replace("[", "<wbr>[") for name in header]
    return f"<div class=wide><table>{line('th', names)}{''.join(line('td', map(text, row)) for row in rows)}</table></div>"


def embedded(png, caption):
    return f'<img alt="{text(caption)}" src="data:image/png;base64,{base64.b64encode(png).decode()}">'


def drawn(figure, caption):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    plt.close(figure)
    return embedded(buffer.getvalue(), caption)


def made_by(command, file, *arguments):
    """The picture that another command makes of the file and what it prints; or why there is none."""
    with tempfile.TemporaryDirectory(prefix="rodeo-report-") as folder:
        picture = pathlib.Path(folder) / "picture.png"
        done = subprocess.run(
            [sys.executable, "-B", "-m", f"{__package__}.{command}", file, "-o", picture, *arguments], capture_output=True, text=True,
            check=False, env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (PACKAGES, os.environ.get("PYTHONPATH"))))},
        )
        if done.returncode != 0:
            return f"<p>{text(done.stderr.strip())}</p>", ""
        printed = "\n".join(line for line in done.stdout.splitlines() if not line.startswith(("Picture:", "Rendered:")))
        return embedded(picture.read_bytes(), f"{command} of {pathlib.Path(file).name}"), printed


def state(ensemble):
    counts = [ensemble.count(status) for status in range(len(STATUS_NAMES))]
    names = ("not needed" if ensemble.complete else STATUS_NAMES[0], *STATUS_NAMES[1:])
    shown = [entry for entry in zip(names, counts, STATUS_COLOURS, strict=True) if entry[1]]
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
        for name, values in columns.items():
            values = values[ensemble.usable & np.isfinite(values)]
            if title == "Observables" and len(values) and not values.any():
                zero.append(name)
            elif len(values) and name not in ensemble.words:
                summary = (values.min(), values.mean(), values.std(), values.max()) if several else (values[0],)
                rows.append((name, ensemble.unit(name), *map(number, summary)))
        if rows:
            header = (title, "unit", *(("least", "mean", "standard deviation", "greatest") if several else ("value",)))
            parts.append(table(header, rows, numeric_from=2))
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
    name = ensemble.observables.name_of(objective[0])
    values = ensemble.observables[name]
    usable = np.flatnonzero(ensemble.usable & np.isfinite(values))
    if len(usable) == 0:
        return "", 0
    sign = 1 if ensemble.deck_values("study.sense") == ["min"] else -1
    best = usable[np.argsort(sign * values[usable], kind="stable")][:BEST_SHOWN]
    rows = [(member, number(values[member]), *parameters(ensemble, member)) for member in best]
    header = ("member", f"{name} ({ensemble.unit(name)})", *ensemble.parameters)
    return f"<h2>Best members by {text(name)}</h2>" + table(header, rows), int(best[0])


def last_frame(ensemble, best):
    """A picture of the best member: from the file itself, or from the one where its frames were kept."""
    path = pathlib.Path(ensemble.path)
    sources = [(path, best)] + [(path.with_name(f"{path.stem}_{kind}.h5"), 0) for kind in ("kept", "best")]
    for source, member in sources:
        if not source.exists():
            continue
        frames = ensemble if source == path else Ensemble(source)
        if frames.frames and frames.committed[member]:
            picture, _ = made_by("render", source, "--member", str(member), "--frame", "-1")
            return f"<h2>Member {best}, last frame</h2>{picture}"
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
    parts.append(table(("member", "status", "steps", "seed", *ensemble.parameters), rows, numeric_from=2))
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
    header = ("slowest members", "time", "steps", "rank", *ensemble.parameters)
    parts.append(table(header, [
        (member, duration(ensemble.wall_seconds[member]), ensemble.steps[member], ensemble.rank[member],
         *parameters(ensemble, member))
        for member in slowest
    ]))
    if len(done) > 1:
        figure, panels = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
        panels[0].hist(seconds, bins=40, color="#3f74bd")
        panels[0].set(xlabel="time of a member (s)", ylabel="members", title="How long members took")
        ranks = ensemble.rank[done]
        busy = np.bincount(ranks, weights=seconds)
        panels[1].bar(np.arange(len(busy)), busy, color="#3f74bd")
        panels[1].set(xlabel="rank", ylabel="time in members (s)", title="How the work was shared")
        panels[1].xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True))
        for panel in panels:
            panel.spines[["top", "right"]].set_visible(False)
        parts.append(drawn(figure, "time of members and share of the ranks"))
    return "".join(parts)


def shortened(line, most=1000):
    """A line of the deck; of one that holds a file's points or nodes, its beginning."""
    return line if len(line) <= most else f"{line[:most]} ... ({len(line)} characters)"


def page(ensemble):
    finished = int(ensemble.committed.sum())
    name = pathlib.Path(ensemble.path).name
    kind = (ensemble.deck_values("study.kind") or ["single"])[0]
    parts = [
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta name="generator" content="{MARK}">'
        f"<title>rodeo: {text(name)}</title><style>{STYLE}</style><h1>{text(name)}</h1>",
        f"<p>Study of kind {text(kind)}{', complete' if ensemble.complete else ''}: {finished} of {len(ensemble)} members finished "
        f"({os.path.getsize(ensemble.path) / 2**20:.3g} MiB; this page: {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}).</p>",
        state(ensemble),
    ]
    if finished:
        picture, printed = made_by("plot", ensemble.path)
        parts.append(f"<h2>Picture</h2>{picture}")
        if printed:
            parts.append(f"<details><summary>The numbers of the picture</summary><pre>{text(printed)}</pre></details>")
        if len(ensemble) == 1 and ensemble.frame_observables and "branch" not in ensemble.tables:
            parts.append(f"<h2>In time</h2>{made_by('plot', ensemble.path, '--histories')[0]}")
        table_of_best, member = best_members(ensemble)
        parts.append(table_of_best)
        parts.append(last_frame(ensemble, member))
        parts += [convergence(ensemble), statistics(ensemble), failures(ensemble), cost(ensemble)]
    parts.append(provenance(ensemble))
    deck = "\n".join(shortened(line) for line in ensemble.deck.splitlines())
    parts.append(f"<h2>Deck</h2><p>With all defaults, as stored in the file.</p><pre>{text(deck)}</pre></html>")
    return "\n".join(parts)


def main(program="report"):
    parser = argparse.ArgumentParser(prog=program, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="ensemble file written by rodeo run")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="page to write")
    arguments = parser.parse_args()
    output = arguments.output or pathlib.Path(arguments.file).with_suffix(".html")
    try:
        require_ours(output)
        output.write_text(page(Ensemble(arguments.file)), encoding="utf-8")
    except (RodeoError, OSError) as error:
        sys.exit(f"report: {error}")
    print(f"Report: {output}")


if __name__ == "__main__":
    main()
