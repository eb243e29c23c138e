"""Build the documentation: `tox -e docs`, or `sphinx-build -W docs build/docs`.

The pages of this directory are Markdown; those below `reference/` are made from the docstrings
of the plugins, anew at each build, and are not kept.
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

import reference  # noqa: E402 - it lies beside this file

project = "salt-g"
extensions = ["myst_parser"]
html_theme = "furo"
root_doc = "index"
exclude_patterns = ["example"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
html_title = "salt-g"


def setup(app):
    """Write the reference before the pages are read, and keep the navigation of each page short."""
    app.connect("builder-inited", lambda app: reference.write(HERE / "reference"))
    # Before the theme's handler (500), which asks for the tree.
    app.connect("html-page-context", show_one_branch, priority=400)


def show_one_branch(app, page, template, context, tree):
    """Open the navigation only where the page is: with all plugins it would be most of each page."""
    toctree = context["toctree"]
    context["toctree"] = lambda **options: toctree(**{**options, "collapse": True})
