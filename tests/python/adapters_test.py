"""Other people's optimisers, samplers and clients against the libraries themselves, where these are installed."""

import importlib
import importlib.util
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import types
import unittest
from unittest import mock

import numpy as np

from package_test_case import PACKAGES, ROOT, PackageTest, cord, softrods
from softrods.adapters import InProcess, Rounds

LIBRARIES = {"gest_api": "gest-api", "libensemble": "libensemble", "bayes_opt": "bayesian-optimization", "pymoo": "pymoo",
             "SALib": "SALib", "umbridge": "umbridge", "xopt": "xopt", "optimas": "optimas"}


def needs(*modules):
    missing = [LIBRARIES[module] for module in modules if importlib.util.find_spec(module) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)} (PyPI)")


def has_native_module():
    return importlib.util.find_spec("softrods._native") is not None


def function_deck(name="rosenbrock", seconds=0.0):
    """A member that reports a function at function.x and waits."""
    return softrods.Deck(model={"kind": "function"}, function={"name": name, "x": (0.0, 0.0), "seconds": seconds})


def formula_deck(**formulas):
    """A member of one step that reports formulas of variable.a, variable.b and so on."""
    deck = cord(time={"end": 5e-5}, measure={"define": [f"{name} [1] : {text}" for name, text in formulas.items()]})
    deck.update({f"variable.{name}": 0.5 for name in "abc" if any(f"variable.{name}" in text for text in formulas.values())})
    return deck


def rosenbrock(x, y):
    return 100 * (y - x * x) ** 2 + (1 - x) ** 2


class RoundsTest(PackageTest):
    def rounds(self, deck, folder="rounds"):
        return Rounds(deck, self.folder / folder, ["function_value"], launcher=None)

    def test_rounds_are_read_and_not_run_again(self):
        points = {"function.x[0]": [0.5, -1.0], "function.x[1]": [2.0, 0.25]}
        found = self.rounds(function_deck())(points)["function_value"]
        np.testing.assert_allclose(found, rosenbrock(*map(np.array, points.values())), rtol=1e-14)
        path = self.folder / "rounds" / "round_0001.h5"
        before = path.stat().st_mtime_ns
        again = self.rounds(function_deck())
        self.assertEqual(again(points)["function_value"].tobytes(), found.tobytes())
        self.assertEqual(path.stat().st_mtime_ns, before)
        with self.assertRaisesRegex(softrods.RodeoError, "holds other points than those of round 1"):
            self.rounds(function_deck())(points | {"function.x[0]": [0.5, 1.0]})

    def test_files_that_are_no_rounds_are_refused_and_stay(self):
        (self.folder / "rounds").mkdir()
        foreign = self.folder / "rounds" / "round_0001.h5"
        foreign.write_bytes(b"a file of mine")
        with self.assertRaisesRegex(softrods.EnsembleError, "round_0001.h5 is not a readable HDF5 file"):
            self.rounds(function_deck())({"function.x[0]": [1.0], "function.x[1]": [1.0]})
        self.assertEqual(foreign.read_bytes(), b"a file of mine")

    def test_rounds_of_another_deck_are_refused(self):
        points = {"function.x[0]": [0.5], "function.x[1]": [2.0]}
        found = self.rounds(function_deck())(points)["function_value"]
        with self.assertRaisesRegex(softrods.RodeoError, "belongs to another deck, which differs in function.name"):
            self.rounds(function_deck("sphere"))(points)
        # Without what is remembered of it, the program itself tells that the file is of this deck.
        (self.folder / "rounds" / "round_0001.deck").unlink()
        self.assertEqual(self.rounds(function_deck())(points)["function_value"].tobytes(), found.tobytes())

    def test_rounds_know_what_the_files_of_their_deck_hold(self):
        shape = self.folder / "shape.csv"
        shape.write_text("x,y,z\n0,0,0\n0.1,0,0\n0.2,0,0\n")
        deck = cord(rod={"shape": "file", "shape_file": str(shape), "elements": None, "length": None, "direction": None})
        values = {"gravity.acceleration[2]": [-9.81]}
        Rounds(deck, self.folder / "rods", ["end_z"], launcher=None)(values)
        shape.write_text("x,y,z\n0,0,0\n0.1,0,0\n0.2,0,0.01\n")
        with self.assertRaisesRegex(softrods.RodeoError, "belongs to another deck, which differs in rod.shape_nodes"):
            Rounds(deck, self.folder / "rods", ["end_z"], launcher=None)(values)

    def test_members_that_end_badly_have_no_numbers(self):
        deck = cord()
        values = Rounds(deck, self.folder, ["end_z"], launcher=None)
        self.assertEqual(list(np.isfinite(values({"time.step": [5e-5, 2e-3]})["end_z"])), [True, False])


# What the test of kills starts: a random search by libEnsemble, five rounds of members that take tenths of a second.
DRIVER = f"""
import json, sys
sys.path[:0] = [{PACKAGES!r}]
import softrods
from gest_api.vocs import VOCS
from libensemble.gen_classes.sampling import UniformSample
from softrods.adapters import Rounds
from softrods.adapters.gest import drive
deck = softrods.Deck(model={{"kind": "function"}}, function={{"name": "rosenbrock", "x": (0.0, 0.0), "seconds": float(sys.argv[2])}})
generator = UniformSample(VOCS(variables={{"x": [-2.0, 2.0], "y": [-1.0, 3.0]}}, objectives={{"f": "MINIMIZE"}}), random_seed=5)
found = drive(generator, Rounds(deck, sys.argv[1], ["function_value"], ranks=2), 5, 6,
              {{"x": "function.x[0]", "y": "function.x[1]", "f": "function_value"}})
print(json.dumps(found))
"""


class Gest(PackageTest):
    def start(self, folder, seconds):
        process = subprocess.Popen([sys.executable, "-c", DRIVER, self.folder / folder, str(seconds)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    @needs("gest_api", "libensemble")
    def test_a_killed_search_loses_nothing(self):
        whole = self.start("whole", 0.02).communicate()
        self.assertTrue(whole[0], whole[1])
        killed = self.start("killed", 0.2)  # so long that the kill comes before their end
        third = self.folder / "killed" / "round_0003.h5"
        while not third.exists():
            self.assertIsNone(killed.poll(), "it ended before the kill")
            time.sleep(0.01)
        ranks = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and self.runs(pid, third)]
        for pid in (killed.pid, *ranks):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        killed.wait()
        self.assertFalse(softrods.open(third).committed.all(), "the round was over before the kill")
        first = (self.folder / "killed" / "round_0001.h5").stat().st_mtime_ns
        resumed = self.start("killed", 0.2).communicate()
        self.assertEqual(resumed[0], whole[0], resumed[1])
        self.assertEqual((self.folder / "killed" / "round_0001.h5").stat().st_mtime_ns, first)
        points = json.loads(resumed[0])
        self.assertEqual(len(points), 30)
        for point in points:
            self.assertAlmostEqual(point["f"], rosenbrock(point["x"], point["y"]), delta=1e-12 * point["f"])

    @staticmethod
    def runs(pid, path):
        try:
            return str(path).encode() in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return False

    @needs("gest_api")
    def test_rounds_of_a_generator_that_forgets_are_told_as_points_from_elsewhere(self):
        from softrods.adapters.gest import drive

        class Forgets:
            """Suggests points by chance, with identifiers of its own."""

            def __init__(self):
                self.random, self.known, self.told = np.random.default_rng(), 0, []

            def suggest(self, count):
                self.known += count
                return [{"x": x, "_id": k} for k, x in enumerate(self.random.uniform(-1, 1, count), self.known - count)]

            def ingest(self, results):
                self.told += results

        deck = function_deck("sphere")
        names = {"x": "function.x[0]", "f": "function_value"}
        one, two = Forgets(), Forgets()
        found = drive(one, Rounds(deck, self.folder / "r", ["function_value"], launcher=None), 2, 3, names)
        self.assertEqual([point["_id"] for point in one.told], list(range(6)))
        again = drive(two, Rounds(deck, self.folder / "r", ["function_value"], launcher=None), 3, 3, names)
        self.assertEqual(again[:6], found)
        self.assertEqual(["_id" in point for point in two.told], [False] * 6 + [True] * 3)

    NAMES = {"x": "function.x[0]", "y": "function.x[1]", "f": "function_value"}
    BOUNDS = {"x": [-2.0, 2.0], "y": [-1.0, 3.0]}

    @needs("xopt")
    def test_xopts_simplex_goes_the_way_of_xopt_itself(self):
        from xopt import VOCS, Evaluator, Xopt
        from xopt.generators.sequential.neldermead import NelderMeadGenerator

        from softrods.adapters.gest import drive

        def generator():
            return NelderMeadGenerator(vocs=VOCS(variables=self.BOUNDS, objectives={"f": "MINIMIZE"}), initial_point={"x": 0.5, "y": 0.5})

        alone = Xopt(generator=generator(), evaluator=Evaluator(function=lambda point: {"f": rosenbrock(point["x"], point["y"])}))
        for _ in range(8):
            alone.step()
        rounds = Rounds(function_deck(), self.folder / "r", ["function_value"], launcher=None)
        found = drive(generator(), rounds, 8, 1, self.NAMES)
        for name in ("x", "y", "f"):
            np.testing.assert_allclose([point[name] for point in found], alone.data[name], rtol=1e-12)

    @needs("optimas")
    def test_optimas_gets_what_it_suggests(self):
        from gest_api.vocs import VOCS
        from optimas.generators import RandomSamplingGenerator

        from softrods.adapters.gest import drive

        def generator():
            return RandomSamplingGenerator(vocs=VOCS(variables=self.BOUNDS, objectives={"f": "MINIMIZE"}), seed=3)

        alone = generator()
        rounds = Rounds(function_deck(), self.folder / "r", ["function_value"], launcher=None)
        found = drive(generator(), rounds, 2, 3, self.NAMES)
        for point, suggested in zip(found, [*alone.suggest(3), *alone.suggest(3)], strict=True):
            self.assertEqual((point["x"], point["y"]), (suggested["x"], suggested["y"]))
            self.assertAlmostEqual(point["f"], rosenbrock(point["x"], point["y"]), delta=1e-9)

    @needs("gest_api", "bayes_opt")
    def test_bayesian_optimisation_goes_the_way_of_the_library_itself(self):
        from bayes_opt import BayesianOptimization, acquisition
        from gest_api.vocs import VOCS

        from softrods.adapters.bayesian import BayesianGenerator
        from softrods.adapters.gest import drive

        bounds = {"function.x[0]": [-2.0, 2.0], "function.x[1]": [-1.0, 3.0]}
        generator = BayesianGenerator(VOCS(variables=bounds, objectives={"function_value": "MINIMIZE"}), seed=3)
        found = drive(generator, Rounds(function_deck(), self.folder / "r", ["function_value"], launcher=None), 7)
        liar = acquisition.ConstantLiar(acquisition.ExpectedImprovement(xi=0.01), strategy="max")
        alone = BayesianOptimization(f=None, pbounds=bounds, acquisition_function=liar, random_state=3, verbose=0,
                                     allow_duplicate_points=True)
        for k, point in enumerate(found):
            suggested = alone.random_sample()[0] if k < 5 else alone.suggest()
            self.assertEqual([point[key] for key in bounds], [suggested[key] for key in bounds])
            self.assertAlmostEqual(point["function_value"], rosenbrock(*suggested.values()), delta=1e-9)
            alone.register(suggested, -point["function_value"])  # to all digits: the search would not be the same else


class Nsga2(PackageTest):
    SWIMMER = ROOT / "inputs" / "studies" / "swimmer_cma_quick.ini"

    @needs("pymoo")
    def test_the_front_of_a_test_function_is_that_of_the_library(self):
        from pymoo.algorithms.moo.nsga2 import NSGA2
        from pymoo.core.problem import Problem
        from pymoo.optimize import minimize

        from softrods.adapters.nsga2 import DeckProblem

        class Zdt1(Problem):
            def _evaluate(self, x, out, *args, **kwargs):
                spread = 1 + 9 * x[:, 1]
                out["F"] = np.column_stack([x[:, 0], spread * (1 - np.sqrt(x[:, 0] / spread))])

        deck = formula_deck(f1="variable.a", f2="(1 + 9*variable.b)*(1 - sqrt(variable.a/(1 + 9*variable.b)))")
        values = Rounds(deck, self.folder / "r", ["f1", "f2"], launcher=None)
        problem = DeckProblem(values, {"variable.a": (0, 1), "variable.b": (0, 1)}, {"f1": "min", "f2": "min"})
        ours = minimize(problem, NSGA2(pop_size=16), ("n_gen", 6), seed=2)
        alone = minimize(Zdt1(n_var=2, n_obj=2, xl=np.zeros(2), xu=np.ones(2)), NSGA2(pop_size=16), ("n_gen", 6), seed=2)
        np.testing.assert_allclose(ours.X, alone.X, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(ours.F, alone.F, rtol=1e-12, atol=1e-14)

    @needs("pymoo")
    def test_swimmers_of_more_speed_take_more_work(self):
        from pymoo.algorithms.moo.nsga2 import NSGA2
        from pymoo.optimize import minimize

        from softrods.adapters.nsga2 import DeckProblem

        deck = softrods.Deck.read(self.SWIMMER)
        for key in [key for key in deck if key.startswith(("study.", "optimize."))]:
            del deck[key]
        deck.measure.define = ["work [J] : integral(power_muscles)"]
        deck.rod.elements, deck.time.step, deck.time.end = 10, 2e-4, 2
        variables = {f"muscle.amplitudes[{k}]": (0, 50) for k in range(4)} | {"muscle.wave_number": (0, 25)}
        values = Rounds(deck, self.folder / "r", ["forward_speed", "work"], launcher=None)
        problem = DeckProblem(values, variables, {"forward_speed": "max", "work": "min"})
        result = minimize(problem, NSGA2(pop_size=12), ("n_gen", 4), seed=1)
        front = problem.objectives_of(result.F)
        order = np.argsort(front["work"])
        self.assertGreater(len(order), 2)
        self.assertTrue((np.diff(front["forward_speed"][order]) > 0).all())
        first = problem.objectives_of(result.algorithm.pop.get("F"))
        self.assertGreater(front["forward_speed"].max(), 0)
        self.assertGreaterEqual(front["forward_speed"].max(), first["forward_speed"].max())


class Sobol(PackageTest):
    @needs("SALib")
    def test_indices_are_those_of_the_library(self):
        from SALib.analyze import sobol as analysis
        from SALib.sample import sobol as sample
        from SALib.test_functions import Ishigami

        from softrods.adapters.sobol import sobol_indices

        deck = formula_deck(y="sin(variable.a) + 7*sin(variable.b)^2 + 0.1*variable.c^4*sin(variable.a)")
        bounds = {f"variable.{name}": (-np.pi, np.pi) for name in "abc"}
        found = sobol_indices(Rounds(deck, self.folder / "r", ["y"], launcher=None), bounds, 256, seed=4)["y"]
        problem = {"num_vars": 3, "names": list("abc"), "bounds": [[-np.pi, np.pi]] * 3}
        points = sample.sample(problem, 256, calc_second_order=False, seed=4)
        alone = analysis.analyze(problem, Ishigami.evaluate(points), calc_second_order=False, seed=4)
        for name in ("S1", "ST", "S1_conf", "ST_conf"):
            np.testing.assert_allclose(found[name], alone[name], rtol=1e-9, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(found["ST"], [0.5576, 0.4424, 0.2437], atol=0.1)  # closed form


class StubbedUmBridge(PackageTest):
    """The server with stubs of what it imports, so that it is tested where these are not installed."""

    class Model:
        def __init__(self, name):
            self.name = name

    def setUp(self):
        super().setUp()
        self.run_app = mock.Mock()
        web = types.ModuleType("aiohttp.web")
        web.run_app = self.run_app
        aiohttp, umbridge = types.ModuleType("aiohttp"), types.ModuleType("umbridge")
        aiohttp.web, umbridge.Model = web, self.Model
        umbridge.serve_models = lambda models, port: web.run_app(models, port=port)  # without a host that is every address
        stubs = mock.patch.dict(sys.modules, {"aiohttp": aiohttp, "aiohttp.web": web, "umbridge": umbridge})
        stubs.start()
        self.addCleanup(stubs.stop)
        sys.modules.pop("softrods.adapters.umbridge_model", None)
        self.module = importlib.import_module("softrods.adapters.umbridge_model")

    def serve(self, *options):
        """The model that is served, and where."""
        command = ["umbridge_model", "cord.ini", "--key", "rod.length", "--observable", "end_z", *options]
        with mock.patch.object(sys, "argv", command):
            self.module.main()
        ((model,),), place = self.run_app.call_args
        return model, place

    def test_it_listens_on_loopback_unless_asked(self):
        self.assertEqual(self.serve()[1], {"port": 4242, "host": "127.0.0.1"})
        self.assertEqual(self.serve("--address", "0.0.0.0", "--port", "80")[1], {"port": 80, "host": "0.0.0.0"})

    def test_clients_change_no_keys_that_were_not_opened(self):
        found = types.SimpleNamespace(usable=[True], observables={"end_z": [-0.5]})
        with mock.patch.object(self.module, "evaluate", return_value=found) as evaluate:
            for options, change, refused in (((), {"time.end": 1}, "time.end; .* for no key"),
                                             (("--config", "time.end"), {"time.end": 1, "rod.shape_file": "/etc/passwd"},
                                              "rod.shape_file; .* for time.end")):
                with self.assertRaisesRegex(ValueError, f"clients may not change {refused}"):
                    self.serve(*options)[0]([[0.3]], change)
            evaluate.assert_not_called()
            model = self.serve("--config", "time.end")[0]
            self.assertEqual(model([[0.3]], {"time.end": 1}), [[-0.5]])
            evaluate.assert_called_once_with("cord.ini", {"rod.length": [0.3]}, ["end_z"], overrides={"time.end": 1})


@unittest.skipUnless(has_native_module(), "the package was built without its native module")
class UmBridge(PackageTest):
    @needs("umbridge")
    def test_a_client_gets_what_evaluate_gives(self):
        import umbridge

        deck = self.folder / "cord.ini"
        cord().write(deck)
        with socket.socket() as probe:
            probe.bind(("localhost", 0))
            port = probe.getsockname()[1]
        server = subprocess.Popen(
            [sys.executable, "-m", "softrods.adapters.umbridge_model", deck, "--key", "rod.length", "--key", "rod.radius",
             "--observable", "end_z", "--config", "time.end", "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": PACKAGES})
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        while True:
            self.assertIsNone(server.poll(), "the server ended")
            try:
                model = umbridge.HTTPModel(f"http://localhost:{port}", "forward")
                break
            except OSError:
                time.sleep(0.05)
        self.assertEqual((model.get_input_sizes(), model.get_output_sizes()), ([2], [1]))
        self.assertFalse(model.supports_gradient())
        points = {"rod.length": [0.3], "rod.radius": [0.005]}
        self.assertEqual(model([[0.3, 0.005]]), [[InProcess(cord(), ["end_z"])(points)["end_z"][0]]])
        changed = softrods.evaluate(cord(), points, "end_z", overrides={"time.end": 0.01})
        self.assertEqual(model([[0.3, 0.005]], {"time.end": 0.01}), [[changed.observables["end_z"][0]]])
        with self.assertRaises(Exception):
            model([[0.3, 0.005]], {"rod.shape_file": "/etc/passwd"})
        # It listens on this machine's loopback alone.
        addresses = [line.split()[1] for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        self.assertEqual([address for address in addresses if address.endswith(f":{port:04X}") and address[:8] == "00000000"], [])


if __name__ == "__main__":
    unittest.main()
