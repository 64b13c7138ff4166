"""The former name of softrods, which goes with the version after this one: PyPI's `rodeo` is another project.

`import rodeo` and its submodules are the modules of softrods themselves, so that a class has one identity under both names.
"""

import importlib
import importlib.abc
import importlib.util
import sys
import warnings

import softrods

warnings.warn("`import rodeo` is now `import softrods`; the name rodeo goes with the next version.", DeprecationWarning, stacklevel=2)


class _Submodules(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds rodeo.NAME as softrods.NAME."""

    def find_spec(self, fullname, path=None, target=None):
        return importlib.util.spec_from_loader(fullname, self) if fullname.startswith("rodeo.") else None

    def create_module(self, spec):
        module = importlib.import_module(_present(spec.name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = module.__spec__.loader_state  # the import replaced it by that of the former name

    def get_code(self, fullname):  # python3 -m rodeo.NAME
        return importlib.util.find_spec(_present(fullname)).loader.get_code(_present(fullname))

    def get_source(self, fullname):
        return None


def _present(fullname):
    return "softrods" + fullname.removeprefix("rodeo")


sys.meta_path.insert(0, _Submodules())
sys.modules[__name__] = softrods
