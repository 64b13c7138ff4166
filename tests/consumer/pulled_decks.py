"""A free rod that is pulled back, by the law of control damped_pull and by formulas of the same operations."""

PULLED = """\
[rod]
length = 0.5
radius = 0.01
mass = 0.04
bend_stiffness = 1e-3
twist_stiffness = 1e-3
shear_stiffness = 20
stretch_stiffness = 20
elements = 4
direction = 1, 0, 0
start_velocity = 0, 0, 1
[time]
step = 1e-3
end = 0.5
[variable]
w = -25, -90
[actuation]
force = z : push
[measure]
define = z [m] : last(z(end))
define = pushed [N] : rms(push)
[control]
interval = 0.01
signal = off [m] : mean_along(z) delay 0.01
"""
BY_LAW = PULLED + """\
network = u[1] : damped_pull of off with variable.w
output = push : u[0] in [-8, 8]
"""
BY_FORMULAS = PULLED + """\
signal = before [m] : mean_along(z) delay 0.02
output = push : w[0] * off + w[1] * (off - before) in [-8, 8]
"""
