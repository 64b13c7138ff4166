"""How pictures of rods in space are seen."""

import numpy as np


def turned(right, up, azimuth, elevation):
    """Rows: right, up and towards the viewer, who from the front has gone round by `azimuth` and up by `elevation` (degrees)."""
    toward = np.cross(right, up)
    azimuth, elevation = np.radians([azimuth, elevation])
    right, toward = np.cos(azimuth) * right + np.sin(azimuth) * toward, np.cos(azimuth) * toward - np.sin(azimuth) * right
    return np.array([right, np.cos(elevation) * up - np.sin(elevation) * toward, np.cos(elevation) * toward + np.sin(elevation) * up])


def swings_along(swing, sight, mostly=0.5):
    """Whether a swing [nodes, 3] is mostly along the line of sight, so that from there it does not show."""
    return np.linalg.norm(swing @ sight) > mostly * np.linalg.norm(swing)
