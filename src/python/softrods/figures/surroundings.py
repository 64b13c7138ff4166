"""What rods lie on or hang over: planes, balls and cylinders of a deck's ground, as pictures show them."""

import matplotlib
import numpy as np
from matplotlib.path import Path

from .style import INK

FACE, EDGE = "#e9e6df", "#a9a49a"


def grouped(numbers, size):
    """Lists of `size` numbers each."""
    return [np.array(numbers[k : k + size]) for k in range(0, len(numbers) - size + 1, size)]


def planes(ensemble):
    """Points and directions out of the ground of its planes."""
    flat = grouped(ensemble.deck_numbers("ground.planes"), 6)
    if (ensemble.deck_values("ground.kind") or [""])[0] == "plane":
        flat.append(np.array([*ensemble.deck_numbers("ground.origin"), *ensemble.deck_numbers("ground.normal")]))
    return [(numbers[:3], numbers[3:] / np.linalg.norm(numbers[3:])) for numbers in flat]


def has_solids(ensemble):
    """Whether balls or cylinders stand around the rods."""
    return bool(ensemble.deck_numbers("ground.spheres") or ensemble.deck_numbers("ground.cylinders"))


def patch(point, normal, centre, size):
    """Corners of a square of a plane below the middle of a scene of this size."""
    middle = centre - ((centre - point) @ normal) * normal
    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first *= size / np.linalg.norm(first)
    second = np.cross(normal, first)
    return middle + np.array([first + second, first - second, -first - second, second - first])


def outlines(ensemble, axes, centre, size, flat=None):
    """Polygons [corners, 2] of what stands around rods, in a view whose rows are right, up and towards the reader. `centre`
    and `size` (m) are those of the rods: planes (`flat`, or all) and cylinders, which have no end, are shown so far."""
    angles = np.linspace(0, 2 * np.pi, 60)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    shapes = [patch(point, normal, centre, 0.6 * size) @ axes[:2].T for point, normal in (planes(ensemble) if flat is None else flat)]
    for ball in grouped(ensemble.deck_numbers("ground.spheres"), 4):
        shapes.append(axes[:2] @ ball[:3] + abs(ball[3]) * circle)
    for numbers in grouped(ensemble.deck_numbers("ground.cylinders"), 7):
        direction = numbers[3:6] / np.linalg.norm(numbers[3:6])
        middle = numbers[:3] + ((centre - numbers[:3]) @ direction) * direction
        ends = [axes[:2] @ (middle + side * 0.6 * size * direction) for side in (1, -1)]
        across = np.array([-(ends[0] - ends[1])[1], (ends[0] - ends[1])[0]])
        radius = abs(numbers[6])
        if np.linalg.norm(across) < 0.05 * size:  # seen along its axis
            shapes.append(axes[:2] @ middle + radius * circle)
            continue
        across *= radius / np.linalg.norm(across)
        shapes.append(np.array([ends[0] + across, ends[0] - across, ends[1] - across, ends[1] + across]))
    return shapes


# Marks of what holds an end that lies along +x, at the origin: a wall, and a bearing. Sliding ones stand on wheels, as it were.
WALL = Path([(0, -1), (0, 1), *(corner for y in (-0.75, -0.25, 0.25, 0.75) for corner in ((0, y), (-0.5, y - 0.5)))],
            [Path.MOVETO, Path.LINETO] * 5)  # fmt: skip
BEARING = Path([(0, 0), (-0.6, -1), (0.6, -1), (0, 0)], [Path.MOVETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY])
ROLLERS = Path([*BEARING.vertices, (-0.6, -1.35), (0.6, -1.35)], [*BEARING.codes, Path.MOVETO, Path.LINETO])


def held_ends(ensemble, member):
    """How the ends of a member's rods are held by its deck: {"first": "clamped"}; nothing of free ones, or of what differs from rod
    to rod."""
    words = {}
    for end in ("first", "last"):
        key = f"boundary.{end}"
        if any(line.startswith(key) for line in ensemble.deck_values("rod.each")):
            continue
        given = ensemble.deck_values(key)
        word = ensemble.parameter_text(key, ensemble.parameters[key][member]) if key in ensemble.words else (given or ["free"])[0]
        if word != "free":
            words[end] = word
    return words


def draw_held_ends(panel, words, shape):
    """Marks at the ends of a rod [nodes, 2], whose panel has its limits, in a figure that is laid out."""
    pixels = panel.transData.transform(shape)
    for end, word in words.items():
        place, inside = (0, 1) if end == "first" else (-1, -2)
        along = np.degrees(np.arctan2(*(pixels[inside] - pixels[place])[::-1]))
        sliding = word.endswith("sliding")
        mark = BEARING if word.startswith("pinned") else WALL
        turned = matplotlib.transforms.Affine2D().rotate_deg(along if mark is WALL else 0)
        panel.plot(*shape[place], marker=turned.transform_path(ROLLERS if sliding and mark is BEARING else mark), markersize=26,
                   markerfacecolor="white", markeredgecolor=INK, linestyle="", zorder=3, clip_on=False)  # fmt: skip


def draw_surroundings(panel, shapes):
    panel.add_collection(matplotlib.collections.PolyCollection(shapes, facecolors=FACE, edgecolors=EDGE, linewidths=0.8,
                                                               alpha=0.8, zorder=0))
