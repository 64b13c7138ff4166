"""How Sphinx makes the site, which scripts/manual calls in the folder that pages.py has filled."""

import importlib.util
import json
import pathlib
import re
import sys

from docutils import nodes
from pygments.lexer import RegexLexer
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Keyword, Name, String, Text
from sphinx.addnodes import pending_xref
from sphinx.transforms import SphinxTransform

HERE = pathlib.Path(__file__).parent
made = json.loads((HERE / "made.json").read_text(encoding="utf-8"))  # by pages.py: what the program has
sys.path.insert(0, made["python"])

project = "rodeo"
author = "The rodeo authors"
copyright = "The rodeo authors, MIT licence"
version = release = made["version"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx_copybutton", "breathe"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_inline", "attrs_block"]
myst_heading_anchors = 4
myst_url_schemes = ["http", "https", "mailto", "doi"]
exclude_patterns = ["files", "extra"]
html_extra_path = ["extra"]  # pages of rods, as they are

html_theme = "furo"
html_title = f"rodeo {version}"
# MathJax from its package, so that pages need no network; the package as an extension would forbid parallel reading.
html_static_path = [
    "static",
    *(f"{place}/static" for place in importlib.util.find_spec("sphinx-mathjax-offline").submodule_search_locations),
]
mathjax_path = "mathjax/tex-chtml.js"
html_css_files = ["manual.css"]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
copybutton_prompt_text = r"\$ "
copybutton_prompt_is_regexp = True

default_role = "code"  # of docstrings: what stands between single backticks
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_mock_imports = ["IPython", "matplotlib", "pandas", "xarray"]  # what is only named in annotations or imported when used
autodoc_default_options = {"members": True, "undoc-members": True}

breathe_projects = {"rodeo": made["doxygen"]}
breathe_default_project = "rodeo"
breathe_domain_by_extension = {"hpp": "cpp"}
# Names of the standard library and of other projects, which have no page here.
nitpick_ignore_regex = [
    ("std:ref", r"(class|namespace|struct)rodeo.*|rodeo_8hpp.*"),
    ("cpp:identifier", r"std.*"),
    ("cpp:identifier", r"uint\d+_t|size_t|Content"),
    ("py:class", r"(np|numpy|pd|pandas|xr|xarray|h5py|os|pathlib|collections|typing|types|matplotlib)\..*"),
    ("py:class", r"Any|Mapping|Iterator|Iterable|Sequence|Callable|Figure|array_like"),
]
highlight_language = "text"


class LinkedNames(SphinxTransform):
    """Makes `rod.length` a link to the key, wherever a page has it between backticks; likewise observables and signals."""

    default_priority = 5

    def apply(self, **_):
        document = self.env.docname
        for literal in list(self.document.findall(nodes.literal)):
            name = literal.astext()
            kind = made["kinds"].get(re.sub(r"(\[[^\]]*\]|\([^)]*\)| = .*)$", "", name))
            parent = literal.parent
            while parent is not None and not isinstance(parent, (nodes.reference, nodes.title, pending_xref)):
                parent = parent.parent
            if kind is None or parent is not None:
                continue
            target = re.sub(r"(\[[^\]]*\]|\([^)]*\)| = .*)$", "", name)
            link = pending_xref(
                "", refdomain="std", reftype=kind, reftarget=target, refexplicit=True, refwarn=True, refdoc=document
            )
            literal.replace_self(link)
            link += literal


def with_code(app, what, name, obj, options, lines):
    """Indented lines of a docstring are code."""
    for place in range(len(lines) - 1, 1, -1):
        if lines[place].startswith("    ") and not lines[place - 1].strip() and not lines[place - 2].startswith(("    ", "::")):
            lines[place - 1 : place] = ["", "::", ""]


def setup(app):
    app.connect("autodoc-process-docstring", with_code)
    for kind in ("key", "observable", "signal", "status", "feature"):
        app.add_object_type(kind, kind, objname=kind)
    app.add_transform(LinkedNames)
    app.add_lexer("ini", DeckLexer)
    app.add_lexer("csv", TextLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class DeckLexer(RegexLexer):
    """Decks: sections, keys, values, and comments behind these."""

    name = "deck"
    tokens = {
        "root": [
            (r"\s+", Text),
            (r"#[^\n]*", Comment),
            (r"^\[\w+\]", Keyword),
            (r"^[\w.]+(?=\s*=)", Name.Attribute),
            (r"^=|[^#\n]", String),
        ]
    }
