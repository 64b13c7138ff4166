from softrods.figures import convergence as convergence_figure
import matplotlib.pyplot as plt

from .case import Case, Run, ladder_orders


def draw(results):
    figure, panel = plt.subplots(figsize=(6.4, 5), layout="constrained")
    convergence_figure.draw(panel, results["ladder"].convergence)
    return figure


CASE = Case(
    name="hanging_rod",
    title="Rod at rest under its own weight",
    source="closed form under F = S sigma/e; [A] section 3.4.2 without its assumption of a constant spring",
    runs={"ladder": Run("hanging_rod", quick=("convergence.axis=rod.elements : list(8, 16, 32, 64)",))},
    quantities=lambda results: ladder_orders(results["ladder"].convergence, 0.05),
    draw=draw,
)
