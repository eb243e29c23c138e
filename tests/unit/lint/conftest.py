"""Settings of lint for a small tree."""

import textwrap

import pytest

from salt_g.lint.compile_context import CompileContext
from salt_g.lint.systems import grains_of


@pytest.fixture
def compile_context(tmp_path):
    """Return a function that makes a CompileContext for a tree {path: text} and pillar {path: text}."""

    def make(files, pillar=(), *, is_recorded=False, **settings):
        for folder, texts in (("states", files), ("pillar", dict(pillar))):
            for name, text in texts.items():
                path = tmp_path / folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(textwrap.dedent(text).lstrip("\n"))
        opts = {
            "cachedir": str(tmp_path / "cache"),
            "file_roots": {"base": [str(tmp_path / "states")]},
            "pillar_roots": {"base": [str(tmp_path / "pillar")]},
            **settings,
        }
        return CompileContext(opts, grains_of("debian", "web1"), is_recorded=is_recorded)

    return make
