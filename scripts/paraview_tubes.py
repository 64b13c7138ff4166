"""Draws a member with ParaView: its rods as tubes of their radius, coloured by bending strain.

    build/rodeo run DECK --output.frames=101 --output.fields=radius,curvature --output FILE.h5
    scripts/render FILE.h5 --member 0 -o FILE_member_0.xdmf
    xvfb-run -a -s -noreset pvbatch scripts/paraview_tubes.py FILE_member_0.xdmf PICTURE.png   # the last frame

It takes the FILE_member_0.hdf of `rodeo export` as well, of which ParaView 5.11 shows the first frame.

Where there is a display, pvbatch needs no xvfb-run; -noreset keeps the server up between ParaView's two connections.

The same by hand: Extract Surface, Calculator "radius*mag(curvature)", Tube with Vary Radius = By Absolute Scalar. Debian:
apt-get install --no-install-recommends python3-paraview xvfb xauth (146 MB to fetch, 0.8 GB on disk).
"""

import sys

from paraview import simple

WIDTH, HEIGHT = 1280, 720


def tubes(source):
    """The pipeline from lines to coloured tubes."""
    strain = simple.Calculator(Input=source, ResultArrayName="bending strain")
    # The third component is the twist.
    strain.Function = "radius*sqrt(curvature_X*curvature_X+curvature_Y*curvature_Y)"
    surface = simple.ExtractSurface(Input=strain)
    tube = simple.Tube(Input=surface, Scalars=["POINTS", "radius"], VaryRadius="By Absolute Scalar", NumberofSides=24)
    return tube


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: pvbatch scripts/paraview_tubes.py MEMBER.xdmf|MEMBER.hdf PICTURE.png")
    is_xdmf = sys.argv[1].endswith(".xdmf")
    source = simple.XDMFReader(FileNames=[sys.argv[1]]) if is_xdmf else simple.VTKHDFReader(FileName=sys.argv[1])
    source.UpdatePipelineInformation()
    missing = {"radius", "curvature"} - set(source.PointData.keys())
    if missing:
        sys.exit(f"paraview: {sys.argv[1]} has no {' and no '.join(sorted(missing))}: run with --output.fields=radius,curvature")
    view = simple.CreateRenderView(ViewSize=[WIDTH, HEIGHT], OrientationAxesVisibility=0, Background=[1, 1, 1])
    view.UseColorPaletteForBackground = 0
    tube = tubes(source)
    view.ViewTime = list(source.TimestepValues or [0.0])[-1]
    shown = simple.Show(tube, view)
    simple.ColorBy(shown, ("POINTS", "bending strain"))
    colours = simple.GetColorTransferFunction("bending strain")
    colours.ApplyPreset("Viridis (matplotlib)", True)
    shown.RescaleTransferFunctionToDataRange(False, True)
    bar = simple.GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle = "bending strain", ""
    bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
    shown.SetScalarBarVisibility(view, True)
    bounds = tube.GetDataInformation().GetBounds()
    extents = [bounds[2 * k + 1] - bounds[2 * k] for k in range(3)]
    simple.ResetCamera(view)
    # Along the direction in which the rods extend least, with their longest across.
    along, up, _ = sorted(range(3), key=extents.__getitem__)
    view.CameraPosition = [point + (3.0 * max(extents) if k == along else 0.0) for k, point in enumerate(view.CameraFocalPoint)]
    view.CameraViewUp = [1 if k == up else 0 for k in range(3)]
    simple.ResetCamera(view)
    # That makes the picture as high as the diagonal of the bounds; here they fill it, but for a margin and the bar.
    diagonal = sum(extent**2 for extent in extents) ** 0.5
    _, height, width = sorted(extents)
    view.GetActiveCamera().Zoom(diagonal * min(0.75 * WIDTH / HEIGHT / width, 0.9 / height))
    simple.SaveScreenshot(sys.argv[2], view, ImageResolution=[WIDTH, HEIGHT])
    print(f"Picture: {sys.argv[2]}")


main()
