"""The pictures of a single run: the shapes of its rod with the energies at the end, or of its rods."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from ..ensemble import STATUS_NAMES
from . import film
from .style import ACCENT, INK, PlotError, course, direction_text, handy_unit, heading, length_text, moments
from .surroundings import draw_held_ends, draw_surroundings, has_solids, held_ends, outlines
from .view import turned

PIXELS = 660  # of the longer side of rods in space: as many as a panel has
FLAT = 1e-3  # of its largest extent: a rod that is no thicker across a plane lies in it
SPATIAL = 0.15  # of its largest extent: a rod that extends so far along all axes is no plane curve
SHARE_BELOW = 0.06  # of its size, between rods in space and the lower edge of their picture
HIDDEN = 0.3  # of what a rod bends in a plane: so much out of it is to be seen too
MOST_SHAPES = 40  # in one picture: of more the later ones hide the others


def view_axes(ensemble, points):
    """Rows: right, up and towards the reader, of a view from the side and a little from above; gravity points down. What is
    level and lies the way in which points [:, 3] extend most is level in the picture too, but where a ring or a knot would stand
    edge-on."""
    gravity = ensemble.deck_numbers("gravity.acceleration")
    up = -np.array(gravity) if any(gravity) else np.array([0.0, 0.0, 1.0])
    up /= np.linalg.norm(up)
    level = (points - points.mean(axis=0)) @ (np.eye(3) - np.outer(up, up))
    right = np.linalg.svd(level, full_matrices=False)[2][0]
    if np.ptp(level) < 1e-6 * np.ptp(points):  # what only hangs has no direction of its own
        right = np.cross(np.eye(3)[np.argmin(np.abs(up))], up)
        right /= np.linalg.norm(right)
    right = right * np.sign(right[np.argmax(np.abs(right))])
    views = [turned(right, up, azimuth, 25) for azimuth in (0, 45, 90, 135)]
    breadth = [np.prod(np.linalg.svd((points - points.mean(axis=0)) @ view[:2].T, compute_uv=False)) for view in views]
    best = int(np.argmax(breadth))
    return views[best] if breadth[best] > 1.5 * breadth[0] else views[0]


def draw_tubes(panel, rods, radii):
    """Rods, in the axes of the view, as tubes of their thickness, the nearer over the farther. `radii`: of each rod one, or those
    of its nodes."""
    at_nodes = [np.broadcast_to(radius, len(rod)) for radius, rod in zip(radii, rods)]
    thickness = np.concatenate([0.5 * (radius[:-1] + radius[1:]) for radius in at_nodes])
    ends = np.concatenate([np.stack([rod[:-1], rod[1:]], axis=1) for rod in rods])
    owner = np.concatenate([np.full(len(rod) - 1, k) for k, rod in enumerate(rods)])
    depth = ends[:, :, 2].mean(axis=1)
    nearness = (depth - depth.min()) / max(np.ptp(depth), 1e-300)
    colours = plt.get_cmap("tab10")
    polygons, faces = [], []
    angles = np.linspace(-np.pi / 2, np.pi / 2, 7)
    for segment in np.argsort(depth, kind="stable"):
        start, end = ends[segment][:, :2]
        radius = thickness[segment]
        turn = np.arctan2(*(end - start)[::-1])
        normal = radius * np.array([-np.sin(turn), np.cos(turn)])
        # A wider and darker strip first shows at crossings which rod lies above.
        colour = np.array(colours(owner[segment] % 10)[:3]) * (0.6 + 0.4 * nearness[segment])
        polygons.append(np.array([start + 1.25 * normal, start - 1.25 * normal, end - 1.25 * normal, end + 1.25 * normal]))
        faces.append(tuple(0.45 * colour))
        polygons.append(np.concatenate([
            centre + radius * np.column_stack([np.cos(angles + turn + half), np.sin(angles + turn + half)])
            for centre, half in ((end, 0.0), (start, np.pi))
        ]))
        faces.append(tuple(colour))
    panel.add_collection(matplotlib.collections.PolyCollection(polygons, facecolors=faces, edgecolors="none"))


def draw_lit_tubes(panel, rods, radii, lower, upper, floors):
    """The same with light and shadows, also on floors, as films show them."""
    size = upper - lower
    scale = PIXELS / size.max()
    width, height = np.ceil(scale * size).astype(int)
    colours = np.array(plt.get_cmap("tab10").colors) if len(rods) <= film.MANY_RODS else film.rod_colours(len(rods))
    strands = film.Strands([len(rod) for rod in rods], radii)
    owner = np.repeat(np.arange(len(rods)), [len(rod) for rod in rods]).astype(float)
    image = film.picture(np.concatenate(rods), strands, owner, lambda owners: colours[np.round(owners).astype(int) % len(colours)],
                         width, height, 0.5 * (lower + upper), scale, film.FILM_SUPERSAMPLING, floors=floors)  # fmt: skip
    fade_at_the_rim(image)
    extent = (lower[0], lower[0] + width / scale, upper[1] - height / scale, upper[1])
    panel.imshow(image, extent=extent, interpolation="antialiased", zorder=2)


def fade_at_the_rim(image, share=0.12):
    """Makes a picture [height, width, 4] clear towards its rim where it is a floor, so that no frame cuts that."""
    height, width = image.shape[:2]
    rows, columns = np.arange(height) + 0.5, np.arange(width) + 0.5
    inward = np.minimum.outer(np.minimum(rows, height - rows), np.minimum(columns, width - columns)) / (share * max(height, width))
    grey = np.ptp(image[..., :3], axis=2) < 0.02
    image[..., 3] *= np.where(grey, np.clip(inward, 0, 1), 1)


def draw_rods(ensemble, member, time, rods):
    """Rods in space of a single run: the first, the middle and the last stored instant side by side."""
    instants = sorted({0, len(time) // 2, len(time) - 1})
    said = moments(ensemble, member, time)
    inside = np.concatenate([rod[instants].reshape(-1, 3) for rod in rods])
    deck = ensemble.of_member(member)
    axes = view_axes(deck, inside)
    seen = [rod[instants] @ axes.T for rod in rods]
    points = np.concatenate([rod[:, :, :2].reshape(-1, 2) for rod in seen])
    size = np.ptp(points, axis=0).max()
    radii = ensemble.node_radii(member) or [0.005 * size] * len(rods)
    thickest = max(np.max(radius) for radius in radii)
    floors, walls = film.floor_in(axes, deck)
    around = outlines(deck, axes, inside.mean(axis=0), np.ptp(inside, axis=0).max(), walls)
    lower, upper = points.min(axis=0) - 1.5 * thickest, points.max(axis=0) + 1.5 * thickest
    below = lower - [0, SHARE_BELOW * (upper - lower).max()]  # room for the scale
    width, height = upper - below
    figure, panels = plt.subplots(1, len(instants), figsize=(4.4 * len(instants), 1.2 + 4.4 * height / width),
                                  layout="constrained", squeeze=False)
    for k, (panel, instant) in enumerate(zip(panels[0], instants)):
        draw_surroundings(panel, around)
        draw_lit_tubes(panel, [rod[k] for rod in seen], radii, lower, upper, floors)
        panel.set(xlim=(below[0], upper[0]), ylim=(below[1], upper[1]), aspect="equal")
        panel.set_title(said[instant])
        panel.axis("off")
    draw_scale(panels[0, 0], below + [0.02 * width, 0.2 * (lower - below)[1]], size)
    figure.suptitle(heading(ensemble, f"{len(rods)} rods, to scale" if len(rods) > 1 else "The rod, to scale"), fontsize=14)
    print_member(ensemble, member)
    return figure


def draw_scale(panel, corner, size):
    """A bar from a corner on that says how long it is, for rods of this size (m)."""
    mark = 10.0 ** np.floor(np.log10(0.4 * size))
    panel.plot(corner[0] + np.array([0, mark]), corner[1] * np.ones(2), color=INK, linewidth=2)
    panel.annotate(length_text(mark), corner + [0.5 * mark, 0], xytext=(0, 4), textcoords="offset points", ha="center", va="bottom")


def print_member(ensemble, member):
    print(f"Member {member}: {STATUS_NAMES[ensemble.status[member]]} after {ensemble.steps[member]} steps")
    for name, values in ensemble.observables.items():
        if np.isfinite(values[member]):
            print(f"  {name:24} {values[member]:14.6g} {ensemble.units[name]}")


def own_plane(ensemble, points):
    """Rows: right, up and towards the reader, if points [:, 3] lie in a plane that is none of the coordinates'; up is against
    gravity, or the direction of the plane that is nearest to z. Else None."""
    _, sizes, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    normal = axes[2]
    straight = sizes[1] < 1e-6 * sizes[0]
    if straight or sizes[2] > min(FLAT * sizes[0], 0.1 * sizes[1]) or np.abs(normal).max() > 1 - 1e-6:
        return None
    return upright(ensemble, axes)


def upright(ensemble, axes):
    """Rows: right, up and towards the reader, of the view in the plane of the first two of three axes, the longer before the
    shorter; up is against gravity, or the direction of the plane that is nearest to z."""
    normal = axes[2]
    gravity = ensemble.deck_numbers("gravity.acceleration")
    up = -np.array(gravity) if any(gravity) else np.array([0.0, 0.0, 1.0])
    up = up - (up @ normal) * normal
    if np.linalg.norm(up) < 0.1 * np.linalg.norm(gravity if any(gravity) else 1):  # seen from above
        up = axes[1] * np.sign(axes[1][np.argmax(np.abs(axes[1]))])
    up /= np.linalg.norm(up)
    right = np.cross(up, normal)
    sign = np.sign(right[np.argmax(np.abs(right))])
    return np.array([sign * right, up, sign * normal])


def plane_axes(ensemble, extent):
    """The axes across and up in which a rod extends most; up is against gravity, or z, where it is one of them."""
    seen = list(np.argsort(-extent, kind="stable")[:2])
    gravity = np.abs(ensemble.deck_numbers("gravity.acceleration"))
    upright = int(np.argmax(gravity)) if gravity.any() else 2
    if upright == seen[0] and extent[seen[1]] > 1e-6 * extent[seen[0]]:
        seen.reverse()
    return seen


def hides_a_bend(ensemble, extent):
    """Whether a rod bends out of the plane of two axes that shows most of it, by much of what it bends in this plane."""
    across, up = plane_axes(ensemble, extent)
    return extent[3 - across - up] > HIDDEN * min(extent[across], extent[up]) > 1e-6 * extent.max()


def drawn_member(ensemble):
    """The first that ended well; where none did, the first that failed, which is drawn up to there."""
    ended = [*np.flatnonzero(ensemble.usable), *np.flatnonzero(ensemble.failed)]
    if not ended:
        raise PlotError(f"{ensemble.path} has no finished member to draw yet.")
    return ended[0]


def draw_shapes(ensemble):
    """A single run: the rod at its stored instants, and the energies it ended with; or its rods."""
    member = drawn_member(ensemble)
    time, rods = ensemble.reached_rods(member)
    position = rods[0]
    extent = np.ptp(position.reshape(-1, 3), axis=0)
    deck = ensemble.of_member(member)
    plane = own_plane(deck, position.reshape(-1, 3)) if len(rods) == 1 else None
    if len(rods) > 1 or (plane is None and extent.min() > SPATIAL * extent.max()):
        return draw_rods(ensemble, member, time, rods)
    energies = {
        name.replace("_energy", "").replace("_", " "): values[member]
        for name, values in ensemble.observables.items()
        if name.endswith("_energy") and np.isfinite(values[member])
    }

    figure, panels = plt.subplots(
        1, 2 if energies else 1, figsize=(12.4, 5.2) if energies else (8, 5.2), layout="constrained", squeeze=False,
        gridspec_kw={"width_ratios": [2.1, 1]} if energies else None,
    )
    panel = panels[0, 0]
    if plane is None and hides_a_bend(deck, extent):
        points = position.reshape(-1, 3)
        plane = upright(deck, np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2])
    if plane is None:
        across, up = plane_axes(deck, extent)
        plane, names = np.eye(3)[[across, up, 3 - across - up]], [f"${'xyz'[axis]}$" for axis in (across, up)]
    else:
        names = [f"along {direction_text(axis)}" for axis in plane[:2]]
    seen = position @ plane[:2].T
    extent = np.ptp(seen.reshape(-1, 2), axis=0)
    colours = plt.get_cmap("viridis")
    passed, passing = course(ensemble, member, time)
    scale = matplotlib.colors.Normalize(passed.min(), passed.max() if len(time) > 1 else passed.min() + 1)
    for k in np.unique(np.linspace(0, len(time) - 1, MOST_SHAPES).round().astype(int)):
        panel.plot(*seen[k].T, color=colours(scale(passed[k])), linewidth=2, solid_capstyle="round")
    panel.set_xlabel(f"{names[0]} (m)")
    panel.set_ylabel(f"{names[1]} (m)")
    panel.set_title("Shape of the rod")
    # What a rod hangs over is seen to scale only; else a flat shape is easier to read along axes of their own.
    if has_solids(deck) or 0.15 < extent[1] / max(extent[0], 1e-300) < 7:
        draw_surroundings(panel, outlines(deck, plane, position.reshape(-1, 3).mean(axis=0), extent.max()))
        panel.set_aspect("equal", adjustable="datalim")
    panel.grid(color="#e6e6e6")
    panel.set_axisbelow(True)
    figure.colorbar(matplotlib.cm.ScalarMappable(scale, colours), ax=panel, pad=0.02, label=passing)
    if energies:
        bars = panels[0, 1].barh(list(energies), list(energies.values()), color=ACCENT, height=0.6)
        unit, factor = handy_unit("J", max(energies.values()))
        panels[0, 1].bar_label(bars, [f"{factor * energy:.3g} {unit}" for energy in energies.values()], padding=4, fontsize=11)
        panels[0, 1].margins(x=0.2)
        panels[0, 1].locator_params(axis="x", nbins=4)
        panels[0, 1].invert_yaxis()
        panels[0, 1].set_xlabel("energy at the end (J)")
        panels[0, 1].set_title("Energies")
    said = moments(ensemble, member, time)
    title = f"The rod from {said[0]} to {said[-1]}" if len(time) > 1 else f"The rod at {said[0]}"
    figure.suptitle(heading(ensemble, title), fontsize=14)
    figure.draw_without_rendering()
    draw_held_ends(panel, held_ends(ensemble, member), seen[-1])

    print_member(ensemble, member)
    return figure
