"""A small project for the parts of the language server."""

import textwrap

import pytest

from salt_g.language_server.documents import Document
from salt_g.language_server.project import Project
from salt_g.lint.systems import grains_of


@pytest.fixture
def make_project(tmp_path):
    """Return a function that makes a Project for a tree {path: text} with folders `states` and `pillar`."""

    def make(files, *, systems=("debian",), **options):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text).lstrip("\n"))
        settings = {
            "file_roots": {"base": [str(tmp_path / "states")]},
            "pillar_roots": {"base": [str(tmp_path / "pillar")]},
        }
        grains = {system: grains_of(system, "web1") for system in systems}
        project = Project(settings, grains, str(tmp_path / "private"), **options)
        project.findings()
        return project

    return make


@pytest.fixture
def document(tmp_path):
    """Return a function that returns the open document at a path, and the position of `|` in its text."""

    def make(path, text):
        before, _, after = text.partition("|")
        opened = Document((tmp_path / path).as_uri(), 1, before + after)
        line = before.count("\n")
        return opened, (line, len(before) - (before.rfind("\n") + 1))

    return make
