"""Rods as tubes of their radius, coloured by bending strain: films of a member, or one of its frames."""

import colorsys
import multiprocessing
import os
import shutil
import subprocess

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from ..errors import RodeoError
from ..own_files import MARK, require_ours, savefig_marks, staged
from .style import length_text, moments
from .surroundings import draw_surroundings, outlines, planes
from .view import swings_along, turned

SUPERSAMPLING = 3  # pixels computed for one of a picture, along each axis
FILM_SUPERSAMPLING = 2  # the same for a film, whose edges move
SPACING = 0.1  # of the spheres that make up a tube, in radii
LIGHT = np.array([-0.45, 0.75, 0.6]) / np.linalg.norm([-0.45, 0.75, 0.6])  # towards it; right, up, to the viewer
AMBIENT, DIFFUSE, SPECULAR, SHININESS = 0.56, 0.6, 0.3, 40
FARTHEST = 0.72  # of its light has what is farthest, of a scene that is deep beside the thickness of its rods
LIFTED = 45.0  # by so much is the view higher (degrees) where a vibration, or a bend, is towards it
HIDDEN = 0.94  # of a bend, so much of which towards the viewer leaves nothing else to be seen
BACKGROUND = np.array([[1.0, 1.0, 1.0], [0.86, 0.89, 0.93]])  # top, bottom
FLOOR, IN_SHADOW = np.array([0.90, 0.905, 0.91]), 0.5  # colour of a floor; how much of it is left where no light comes
FAR = (0.8, 2.6)  # sizes of the scene from its middle: from the first on a floor fades, beyond the second there is none
FROM_ABOVE = 0.1  # of a plane's direction towards the viewer: so much makes a floor of it, less a line
INK = "#1f2a44"
COLOURS = ["#3f74bd", "#7cc4bd", "#f3dc7c", "#e0603a"]  # all bright enough to be shaded
MANY_RODS = 8  # of more, colours tell which is which
MARGIN = 0.06  # around everything that is ever seen, in parts of the picture
TEXT_ABOVE, TEXT_BELOW = 0.11, 0.13  # parts of the height that belong to the time and the bar, where no rod comes


class RenderError(RodeoError):
    """Nothing to render, or no way to; the text is one sentence."""


def view_axes(position, gravity, turn):
    """Rows: right, up and towards the viewer."""
    points = position.reshape(-1, 3) - position.reshape(-1, 3).mean(axis=0)
    if np.any(gravity):
        up = -gravity / np.linalg.norm(gravity)
        level = points - np.outer(points @ up, up)
        right = np.linalg.svd(level, full_matrices=False)[2][0]
        if np.ptp(level) < 1e-6 * np.ptp(points):  # what only hangs or falls straight down has no other direction of its own
            right = np.cross(up, np.eye(3)[np.argmin(np.abs(up))])
        right /= np.linalg.norm(right)
    else:
        right, up, _ = np.linalg.svd(points, full_matrices=False)[2]
        up *= np.sign(up[np.argmax(np.abs(up))])
    right *= np.sign(right[np.argmax(np.abs(right))])
    return turned(right, up, *turn)


def from_above(position, gravity, turn):
    """A turn, or one from higher up where what bends, or lies beside each other, does so towards the viewer alone."""
    points = position.reshape(-1, 3) - position.reshape(-1, 3).mean(axis=0)
    right, _, sight = view_axes(position, gravity, (0.0, 0.0))
    aside = points - np.outer(points @ right, right)
    hidden = np.linalg.norm(aside) > 0.01 * np.linalg.norm(points) and swings_along(aside, sight, HIDDEN)
    return (turn[0], turn[1] + LIFTED) if hidden else turn


class Strands:
    """Which nodes, one after the other, belong to which rod."""

    def __init__(self, counts, radii):
        """`radii`: of each rod one, or those of its nodes."""
        counts = np.asarray(counts)
        self.last = np.cumsum(counts) - 1  # node of each rod
        self.first = self.last + 1 - counts
        self.radius = np.concatenate([np.broadcast_to(radius, count) for radius, count in zip(radii, counts)]).astype(float)  # of each node
        self.starts = np.setdiff1d(np.arange(counts.sum()), self.last)  # first nodes of all elements
        self.ends_rod = np.isin(self.starts + 1, self.last)
        self.begins_rod = np.isin(self.starts, self.first)


def bending_strain(nodes, strands, measure="bending strain"):
    """Radius times curvature at nodes [..., nodes, 3]: the strain of the outermost fibre; at an end that of the next node, where
    a closed rod meets itself its own. Or the curvature alone, if that is the measure."""
    edge = np.diff(nodes, axis=-2)
    length = np.linalg.norm(edge, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):  # between rods, where nothing is taken from
        tangent = edge / length[..., None]
        inner = 2 * np.linalg.norm(np.diff(tangent, axis=-2), axis=-1) / (length[..., 1:] + length[..., :-1])
    strain = np.zeros(nodes.shape[:-1])
    strain[..., 1:-1] = inner
    several, first, last = strands.last - strands.first > 1, strands.first, strands.last
    if measure != "curvature (1/m)":
        strain *= strands.radius
    closed = several & (np.linalg.norm(nodes[..., last, :] - nodes[..., first, :], axis=-1) < 0.1 * strands.radius[first])
    at = np.where(several, first, 0)  # of others nothing is taken
    with np.errstate(divide="ignore", invalid="ignore"):
        seam = 2 * np.linalg.norm(tangent[..., at, :] - tangent[..., last - 1, :], axis=-1) / (length[..., at] + length[..., last - 1])
    seam *= 1.0 if measure == "curvature (1/m)" else strands.radius[first]
    strain[..., first] = np.where(closed, seam, np.where(several, strain[..., np.minimum(first + 1, strain.shape[-1] - 1)], 0.0))
    strain[..., last] = np.where(closed, seam, np.where(several, strain[..., last - 1], 0.0))
    return strain


def densely(nodes, strain, strands, spacing):
    """Points along the smooth curves through the nodes (Catmull-Rom), about `spacing` [elements] apart: their places, tangents,
    strains and radii, and whether each is an end of a rod."""
    at = strands.starts
    start, end = nodes[at], nodes[at + 1]
    before = np.where(strands.begins_rod[:, None], 2 * start - end, nodes[at - 1])
    after = np.where(strands.ends_rod[:, None], 2 * end - start, nodes[np.minimum(at + 2, len(nodes) - 1)])
    counts = np.maximum(2, np.ceil(np.linalg.norm(end - start, axis=1) / spacing)).astype(int)
    element = np.repeat(np.arange(len(at)), counts)
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    t = (number / (counts - strands.ends_rod)[element])[:, None]
    a, b, c = 0.5 * (end - before), before - 2.5 * start + 2 * end - 0.5 * after, 1.5 * (start - end) + 0.5 * (after - before)
    a, b, c = a[element], b[element], c[element]
    tangents = a + t * (2 * b + t * 3 * c)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    strains = strain[at][element] + t[:, 0] * (strain[at + 1] - strain[at])[element]
    tips = strands.begins_rod[element] & (number == 0) | strands.ends_rod[element] & (number == counts[element] - 1)
    radii = strands.radius[at][element] + t[:, 0] * (strands.radius[at + 1] - strands.radius[at])[element]
    return start[element] + t * (a + t * (b + t * c)), tangents, strains, radii, tips


class Canvas:
    """What is nearest to the viewer at each pixel: its depth, and the index of the sphere it belongs to."""

    BLOCK = 1 << 20  # pixels of spheres that are looked at together

    def __init__(self, width, height, centre, scale):
        self.depth = np.full((height, width), -np.inf)
        self.owner = np.full((height, width), -1)
        self.centre, self.scale = centre, scale  # of the view, m; pixels a metre

    def pixels(self, points):
        """Column and row, as reals, of points [:, 3] in the axes of the view."""
        height, width = self.depth.shape
        return width / 2 + self.scale * (points[:, 0] - self.centre[0]), height / 2 - self.scale * (points[:, 1] - self.centre[1])

    def add(self, points, radii):
        """Spheres around points; the nearest ones come first, so that few pixels change twice."""
        columns, rows = self.pixels(points)
        reaches = np.ceil(radii * self.scale).astype(int) + 1
        nearest_first = np.argsort(-points[:, 2], kind="stable")
        for reach in np.unique(reaches):
            same = nearest_first[reaches[nearest_first] == reach]
            blocks = -(-len(same) * (2 * reach + 1) ** 2 // self.BLOCK)
            for block in np.array_split(same, blocks):
                self._add(columns[block], rows[block], points[block, 2], radii[block], int(reach), block)

    def _add(self, columns, rows, depths, radii, reach, numbers):
        """Spheres that reach equally many pixels far."""
        height, width = self.depth.shape
        grid = np.arange(-reach, reach + 1)
        left, top = np.floor(columns).astype(int), np.floor(rows).astype(int)
        dx = grid + (left + 0.5 - columns)[:, None]
        dy = grid + (top + 0.5 - rows)[:, None]
        rest = ((radii * self.scale) ** 2)[:, None, None] - (dy**2)[:, :, None] - (dx**2)[:, None, :]
        seen_x = (grid + left[:, None] >= 0) & (grid + left[:, None] < width)
        seen_y = (grid + top[:, None] >= 0) & (grid + top[:, None] < height)
        sphere, row, column = np.nonzero((rest > 0) & seen_y[:, :, None] & seen_x[:, None, :])
        here = depths[sphere] + np.sqrt(rest[sphere, row, column]) / self.scale
        pixel = (row + (top - reach)[sphere]) * width + column + (left - reach)[sphere]
        depth, owner = self.depth.reshape(-1), self.owner.reshape(-1)
        # Of several spheres at a pixel one writes last: those in front of it try again.
        left_over = here > depth[pixel]
        while left_over.any():
            pixel, here, sphere = pixel[left_over], here[left_over], sphere[left_over]
            depth[pixel] = here
            owner[pixel] = numbers[sphere]
            left_over = here > depth[pixel]


def rod_colours(count):
    """Colours of rods [count, 3], each a golden angle of hue from the one before, as pages of rods have them."""
    hues = (213 / 360 + 0.381966 * np.arange(count)) % 1
    return np.array([colorsys.hls_to_rgb(hue, 0.54 + 0.03 * (7 * k % 5 - 2), 0.44) for k, hue in enumerate(hues)])


def floor_in(axes, deck):
    """Points and directions, in a view's axes, of planes of a deck that are seen from above, and the others as they are."""
    seen, others = [], []
    for point, normal in planes(deck):
        (seen if (axes @ normal)[2] > FROM_ABOVE else others).append((point, normal))
    return [(axes @ point, axes @ normal) for point, normal in seen], others


def lit_floor(canvas, floors, points, radii, middle, size):
    """Floors with the shadows of spheres on them, RGBA [height, width, 4]: clear where they are farther than a few sizes (m) of the
    scene from its middle."""
    height, width = canvas.depth.shape
    image = np.zeros((height, width, 4))
    rows, columns = np.indices((height, width)).reshape(2, -1)
    across = (columns + 0.5 - width / 2) / canvas.scale + canvas.centre[0]
    along = -(rows + 0.5 - height / 2) / canvas.scale + canvas.centre[1]
    for point, normal in floors:
        depth = point[2] - ((across - point[0]) * normal[0] + (along - point[1]) * normal[1]) / normal[2]
        surface = np.column_stack([across, along, depth])
        below = middle - ((middle - point) @ normal) * normal
        distance = np.linalg.norm(surface - below, axis=1) / size
        near = distance < FAR[1]
        light = np.ones(len(surface))
        light[near] = shadows(points, radii, surface[near], radii.max(), 0.4)
        clear = np.clip((FAR[1] - distance) / (FAR[1] - FAR[0]), 0, 1)
        clear = (clear * clear * (3 - 2 * clear)).reshape(height, width, 1)
        colour = (FLOOR * (IN_SHADOW + (1 - IN_SHADOW) * light[:, None])).reshape(height, width, 3)
        image[..., :3] = np.where(image[..., 3:] < clear, colour, image[..., :3])
        image[..., 3:] = np.maximum(image[..., 3:], clear)
    return image


def shadows(points, radii, surface, thickness, softness=0.15):
    """How much light reaches points of the surface [:, 3], 0 … 1, past all spheres; the thickest are so thick."""
    side = np.cross([0.0, 1.0, 0.0], LIGHT)
    side /= np.linalg.norm(side)
    axes = np.array([side, np.cross(LIGHT, side), LIGHT])
    turned_points = points @ axes.T
    lower, upper = turned_points.min(axis=0) - 2 * thickness, turned_points.max(axis=0) + 2 * thickness
    scale = 1400 / max(upper[:2] - lower[:2])
    width, height = (np.ceil(scale * (upper - lower)).astype(int) + 1)[:2]
    canvas = Canvas(width, height, 0.5 * (lower + upper)[:2], scale)
    canvas.add(turned_points, radii)
    seen = surface @ axes.T
    columns, rows = canvas.pixels(seen)
    light = np.zeros(len(surface))
    soft = max(1.0, softness * thickness * scale)
    offsets = [(x, y) for x in (-soft, 0, soft) for y in (-soft, 0, soft)]
    for x, y in offsets:
        column = np.clip((columns + x).astype(int), 0, width - 1)
        row = np.clip((rows + y).astype(int), 0, height - 1)
        light += canvas.depth[row, column] < seen[:, 2] + 0.35 * thickness
    return light / len(offsets)


def spacing_of(radius, pixels):
    """How far apart, in m, spheres of a radius stand that is so many pixels: so near that the outline between them falls short by
    a tenth of a pixel at most, but no nearer than `SPACING` radii."""
    return radius * np.clip(2 * np.sqrt(2 * 0.1 / pixels), SPACING, 1.0)


def picture(nodes, strands, strains, colour, width, height, centre, scale, supersampling, background=None, floors=()):
    """The rods of one frame, in the axes of the view, as an array of 0 … 1: [height, width, 3] before a background of that shape,
    or [height, width, 4], which is clear where there is no rod. `floors`: points and directions of planes below them."""
    canvas = Canvas(width * supersampling, height * supersampling, centre, scale * supersampling)
    radius = strands.radius[strands.starts]
    points, tangents, values, radii, ends = densely(nodes, strains, strands, spacing_of(radius, radius * canvas.scale))
    canvas.add(points, radii)

    rows, columns = np.nonzero(canvas.owner >= 0)
    owner = canvas.owner[rows, columns]
    surface = np.column_stack([
        (columns + 0.5 - canvas.depth.shape[1] / 2) / canvas.scale + centre[0],
        -(rows + 0.5 - canvas.depth.shape[0] / 2) / canvas.scale + centre[1],
        canvas.depth[rows, columns],
    ])
    normal = surface - points[owner]
    # A tube has no normal along its axis; its round ends do.
    along = np.einsum("ij,ij->i", normal, tangents[owner])
    normal -= np.where(ends[owner], 0.0, along)[:, None] * tangents[owner]
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)

    lit = shadows(points, radii, surface, radii.max())
    facing = np.clip(normal @ LIGHT, 0, 1) * lit
    half = (LIGHT + [0, 0, 1]) / np.linalg.norm(LIGHT + [0, 0, 1])
    gloss = np.clip(normal @ half, 0, 1) ** SHININESS * (lit * (facing > 0))
    # The rim is darker, so that strands that cross stand out.
    rim = 0.55 + 0.45 * np.clip(normal[:, 2], 0, 1) ** 0.7
    deep = max(np.ptp(points[:, 2]), 20 * radii.max())
    shade = (AMBIENT + DIFFUSE * facing) * rim * (1 - (1 - FARTHEST) * (points[:, 2].max() - points[owner, 2]) / deep)
    image = np.zeros((*canvas.depth.shape, 4))  # the last one says where a rod is
    image[rows, columns, :3] = np.clip(colour(values)[owner] * shade[:, None] + SPECULAR * gloss[:, None], 0, 1)
    image[rows, columns, 3] = 1
    image = image.reshape(height, supersampling, width, supersampling, 4).mean(axis=(1, 3))
    if floors:
        middle = 0.5 * (nodes.min(axis=0) + nodes.max(axis=0))
        size = max(np.linalg.norm(np.ptp(nodes, axis=0)), 4 * radii.max())
        floor = lit_floor(Canvas(width, height, centre, scale), floors, points, radii, middle, size)
        rod = image[..., 3:]
        if background is not None:
            background = floor[..., 3:] * floor[..., :3] + (1 - floor[..., 3:]) * background
        else:  # rods before the floor
            whole = rod + (1 - rod) * floor[..., 3:]
            image = np.concatenate([image[..., :3] + (1 - rod) * floor[..., 3:] * floor[..., :3], whole], axis=2)
    if background is not None:
        return image[..., :3] + (1 - image[..., 3:]) * background
    image[..., :3] /= np.maximum(image[..., 3:], 1e-9)
    return image


def backdrop(width, height, centre, scale, shapes):
    """What is behind the rods [height, width, 3]: a sky, and before it polygons in the plane of the view."""
    fade = np.linspace(0, 1, height)[:, None, None]
    sky = np.broadcast_to((1 - fade) * BACKGROUND[0] + fade * BACKGROUND[1], (height, width, 3))
    if not shapes:
        return sky
    dots = 100
    figure = Figure(figsize=(width / dots, height / dots), dpi=dots)
    figure.patch.set_alpha(0)
    canvas = FigureCanvasAgg(figure)
    panel = figure.add_axes([0, 0, 1, 1])
    panel.axis("off")
    for set_limits, middle, size in ((panel.set_xlim, centre[0], width), (panel.set_ylim, centre[1], height)):
        set_limits(middle - 0.5 * size / scale, middle + 0.5 * size / scale)
    draw_surroundings(panel, shapes)
    canvas.draw()
    drawn = np.asarray(canvas.buffer_rgba()) / 255.0
    return drawn[..., 3:] * drawn[..., :3] + (1 - drawn[..., 3:]) * sky


class Marks:
    """Marks along the lower edge with the distance from where the rods' centre started, for a view that moves with it."""

    def __init__(self, canvas, film, size):
        self.film, self.step = film, film.bar_length()
        count = int(film.width / (self.step * film.scale)) + 2
        self.lines = [canvas.axvline(0, 0, 0.08, color=INK, alpha=0.6, linewidth=0.08 * size) for _ in range(count)]
        self.names = [canvas.text(0, 0.95 * film.height, "", color=INK, fontsize=0.85 * size, clip_on=True) for _ in range(count)]
        canvas.set_xlim(-0.5, film.width - 0.5)

    def show(self, centre):
        """For a view whose middle is at `centre`, m."""
        film = self.film
        first = int(np.ceil((centre - film.start - 0.5 * film.width / film.scale) / self.step))
        for k, (line, name) in enumerate(zip(self.lines, self.names), first):
            column = 0.5 * film.width + film.scale * (k * self.step + film.start - centre)
            line.set_xdata([column, column])
            name.set_x(column + 0.005 * film.width)
            name.set_text(length_text(k * self.step))


class Film:
    """The frames of one member, or one of them, all seen from the same place."""

    def __init__(self, ensemble, member, turn, size, frame=None, follow=False, mode=None, colours=None):
        """`colours` tell the strain, which rod it is, or the height; of itself the strain, of many rods the rod."""
        self.supersampling = FILM_SUPERSAMPLING if frame is None else SUPERSAMPLING
        deck = ensemble.of_member(member)
        gravity = np.array(deck.deck_numbers("gravity.acceleration") or [0.0, 0.0, 0.0])
        self.time, rods = ensemble.reached_rods(member) if mode is None else ensemble.vibration(member, mode)
        if mode is not None:
            swinging = np.concatenate(rods, axis=1)
            if swings_along((swinging - swinging[0]).reshape(-1, 3), view_axes(swinging, gravity, (turn[0], 0.0))[2]):
                turn = (turn[0], turn[1] + LIFTED)
        if frame is not None:
            if not -len(self.time) <= frame < len(self.time):
                raise RenderError(f"there are frames 0 to {len(self.time) - 1}, not {frame}")
            self.time, rods = self.time[[frame]], [rod[[frame]] for rod in rods]
        self.moments = moments(ensemble, member, self.time)
        self.width, self.height = size
        self.nodes = everything = np.concatenate(rods, axis=1)
        self.axes = view_axes(everything, gravity, turn if mode is not None else from_above(everything, gravity, turn))
        radii = ensemble.node_radii(member) or [0.01 * np.ptp(everything.reshape(-1, 3), axis=0).max()] * len(rods)
        thickest = max(np.max(radius) for radius in radii)
        seen = (everything @ self.axes.T)[..., :2]
        # [frames, 2], or [1, 2] where the view stands still.
        path = seen.mean(axis=1) if follow else np.zeros((1, 2))
        self.start = path[0, 0] if follow else None
        seen = seen - path[:, None]
        lower, upper = seen.min(axis=(0, 1)) - thickest, seen.max(axis=(0, 1)) + thickest
        # The bar with the strains takes a strip on the right.
        room = np.array([self.width * (1 - 2 * MARGIN) - self.height * 0.16, self.height * (1 - TEXT_ABOVE - TEXT_BELOW)])
        self.scale = (room / (upper - lower)).min()
        aside = np.array([0.08, 0.5 * (TEXT_ABOVE - TEXT_BELOW)]) * self.height / self.scale
        self.centres = np.broadcast_to(path + 0.5 * (lower + upper) + aside, (len(self.time), 2))
        places = everything.reshape(-1, 3)
        self.floors, walls = floor_in(self.axes, deck)
        self.around = outlines(deck, self.axes, places.mean(axis=0), np.ptp(places, axis=0).max(), walls)
        self.strands = Strands([rod.shape[1] for rod in rods], radii)
        self.told = colours or ("rod" if len(rods) > MANY_RODS else "strain")
        self.up = view_axes(everything, gravity, (0.0, 0.0))[1]
        self.lowest = (everything @ self.up).min()
        self.measure = "height (m)" if self.told == "height" else ensemble.strain_measure(member)
        self.rods = rod_colours(len(rods))
        if self.told != "rod":
            values = np.concatenate([self.values(frame) for frame in everything])
            # The few strongest kinks must not make all the rest one colour.
            self.norm = matplotlib.colors.Normalize(0, max(1e-6, np.percentile(values, 99.5)))
            self.colours = matplotlib.colors.LinearSegmentedColormap.from_list("strain", COLOURS)

    def values(self, nodes):
        """What colours tell of nodes [nodes, 3]."""
        if self.told == "rod":
            return np.repeat(np.arange(len(self.rods)), self.strands.last - self.strands.first + 1).astype(float)
        return nodes @ self.up - self.lowest if self.told == "height" else bending_strain(nodes, self.strands, self.measure)

    def colour(self, values):
        return self.rods[np.round(values).astype(int)] if self.told == "rod" else self.colours(self.norm(values))[:, :3]

    def bar_length(self):
        """The largest round length that takes a fifth of the picture's width at most, m."""
        most = 0.2 * self.width / self.scale
        power = 10.0 ** np.floor(np.log10(most))
        return max(step * power for step in (1, 2, 5) if step * power <= most)

    def add_bar(self, canvas, size):
        """A bar of a round length with its name."""
        length = self.bar_length()
        left, right = 0.03, 0.03 + length * self.scale / self.width
        canvas.plot([left, right], [0.06, 0.06], transform=canvas.transAxes, color=INK, linewidth=0.15 * size)
        canvas.text(0.5 * (left + right), 0.075, length_text(length), transform=canvas.transAxes, color=INK, fontsize=0.85 * size, ha="center")

    def image(self, frame):
        """RGB [height, width, 3], 0 … 1, without any text."""
        nodes = self.nodes[frame] @ self.axes.T
        return picture(
            nodes, self.strands, self.values(self.nodes[frame]), self.colour,
            self.width, self.height, self.centres[frame], self.scale, self.supersampling,
            backdrop(self.width, self.height, self.centres[frame], self.scale, self.around), self.floors,
        )  # fmt: skip

    def images(self):
        """The image of each of the frames, several at a time on as many cores as there are."""
        if len(self.time) == 1:
            yield self.image(0)
            return
        with multiprocessing.Pool(len(os.sched_getaffinity(0))) as pool:
            yield from pool.imap(self.image, range(len(self.time)))

    def pictures(self):
        """Each of the frames with the time and the bar of strains, RGBA [height, width, 4] as bytes."""
        dots = 100
        figure = Figure(figsize=(self.width / dots, self.height / dots), dpi=dots)
        FigureCanvasAgg(figure)
        canvas = figure.add_axes([0, 0, 1, 1])
        canvas.axis("off")
        shown = canvas.imshow(np.zeros((self.height, self.width, 3)), vmin=0, vmax=1, interpolation="none", aspect="auto")
        size = 0.022 * self.height
        label = canvas.text(0.03, 0.95, "", transform=canvas.transAxes, color=INK, fontsize=1.25 * size, va="top",
                            path_effects=[withStroke(linewidth=0.25 * size, foreground="white")])  # legible over rods too
        marks = Marks(canvas, self, size) if self.start is not None else self.add_bar(canvas, size)
        if self.told != "rod":
            strip = figure.add_axes([1 - 0.13 * self.height / self.width, 0.2, 0.022 * self.height / self.width, 0.6])
            bar = figure.colorbar(matplotlib.cm.ScalarMappable(self.norm, self.colours), cax=strip)
            bar.outline.set_visible(False)
            bar.ax.tick_params(labelsize=0.85 * size, colors=INK)
            bar.ax.yaxis.set_ticks_position("left")
            bar.ax.yaxis.set_label_position("right")
            bar.set_label(self.measure, fontsize=size, color=INK)
        for frame, image in enumerate(self.images()):
            shown.set_data(image)
            label.set_text(self.moments[frame])
            if marks is not None:
                marks.show(self.centres[frame, 0])
            figure.canvas.draw()
            yield np.asarray(figure.canvas.buffer_rgba())


def write_pixels(pixels, path):
    """Writes a picture, if nothing stands there that rodeo did not make."""
    import matplotlib.pyplot as plt

    with staged(path) as file:
        plt.imsave(file, pixels, metadata=savefig_marks(path))


def write_picture(film, path):
    """Writes the first of a film's pictures."""
    require_ours(path)
    write_pixels(next(film.pictures()), path)


def write_film(film, path, rate):
    """Writes a film, if nothing stands there that rodeo did not make."""
    require_ours(path)
    if shutil.which("ffmpeg") is None:
        raise RenderError("a film needs ffmpeg (Debian: ffmpeg); -o FOLDER writes a PNG for each frame")
    with staged(path) as file:
        encoder = subprocess.Popen(
            ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{film.width}x{film.height}",
             "-r", str(rate), "-i", "-", "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart",
             "-metadata", f"comment={MARK}", str(file)],
            stdin=subprocess.PIPE,
        )
        for picture_bytes in film.pictures():
            encoder.stdin.write(picture_bytes.tobytes())
        encoder.stdin.close()
        if encoder.wait() != 0:
            raise RenderError(f"ffmpeg could not write {path}")
