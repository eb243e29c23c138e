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
    """Write the reference before the pages are read."""
    app.connect("builder-inited", lambda app: reference.write(HERE / "reference"))
